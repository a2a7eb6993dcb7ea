#!/bin/sh
# The first process of a modelled machine (User-Mode Linux): its root is this machine's, read-only; its data are
# on the disk /dev/ubdb. RUN, from the kernel's command line: a program of this folder and its arguments, commas between.
mount -n -t proc proc /proc
mount -n -t sysfs sys /sys
mount -n -t tmpfs run /run
mkdir -p /dev/shm
mount -n -t tmpfs shm /dev/shm
ip link set lo up
mkdir /run/disk
mount -n -t ext4 -o errors=remount-ro /dev/ubdb /run/disk || echo "NO DISK"
export HOME=/run TMPDIR=/run LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PROJECT"
cd /run || exit
# shellcheck disable=SC2086,SC2046 # the words of RUN are parted here
"$PROJECT/.venv/bin/python" -m $(echo "$RUN" | tr , ' ') 2>&1
echo "ENDED $?"
umount /run/disk 2>&1
sync
"$PROJECT/.venv/bin/python" -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)'
