#!/bin/sh
# The first process of a modelled machine (User-Mode Linux): its root is this machine's, read-only; its data are
# on the disk /dev/ubdb. From the kernel's command line, with commas between words: RUN, a module of Python and its
# arguments; MODULES, modules of the kernel to load; PACKAGES, where Python finds more; PLANT, a file, and the file of the
# project in whose place it is; LOG, if each write to the disk is to be logged on the disk /dev/ubdc (dm-log-writes).
mount -n -t proc proc /proc
mount -n -t sysfs sys /sys
mount -n -t tmpfs run /run
mkdir -p /dev/shm /dev/pts
mount -n -t tmpfs shm /dev/shm
mount -n -t devpts pts /dev/pts
for system in configfs:config debugfs:debug tracefs:tracing; do
    mount -n -t "${system%:*}" "${system%:*}" "/sys/kernel/${system#*:}" 2>/dev/null # where the kernel has it
done
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
ip link set lo up
for module in $(echo "$MODULES" | tr , ' '); do
    insmod "$module" || echo "NO MODULE $module"
done
disk=/dev/ubdb
if [ -n "$LOG" ]; then
    export DM_DISABLE_UDEV=1
    echo "0 $(blockdev --getsz $disk) log-writes $disk /dev/ubdc" | dmsetup create logged || echo "NO LOG"
    disk=/dev/mapper/logged
fi
mkdir /run/disk
mount -n -t ext4 -o errors=remount-ro $disk /run/disk || echo "NO DISK"
[ -z "$PLANT" ] || mount -n --bind "${PLANT%,*}" "$PROJECT/${PLANT#*,}" || echo "NOT PLANTED"
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 HOME=/run TMPDIR=/run LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PROJECT${PACKAGES:+:$PACKAGES}"
cd /run || exit
# shellcheck disable=SC2086,SC2046 # the words of RUN are parted here
"$PROJECT/.venv/bin/python" -m $(echo "$RUN" | tr , ' ') 2>&1
echo "ENDED $?"
umount /run/disk 2>&1
sync
"$PROJECT/.venv/bin/python" -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)'
