#!/bin/sh
# The first process on the arm64 machine's own disk, a Debian: an evening with the card pad, then off.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -n -t proc proc /proc
mount -n -t sysfs sys /sys
mount -n -t devtmpfs dev /dev
mount -n -t tmpfs run /run
mkdir -p /dev/shm
mount -n -t tmpfs shm /dev/shm
echo "UP"
echo arm64 >/proc/sys/kernel/hostname
ip link set lo up
modprobe cuse || echo "NO MODULE cuse"
project=/opt/companion
export HOME=/root LANG=C.UTF-8 PYTHONPATH="$project:/opt/packages:$project/tests/machine/reset_pin"
cd /root || exit
python3 -m tests.machine.arm64.evening 2>&1
echo "ENDED $?"
sync
mount -n -o remount,ro /
python3 -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)'
