#!/bin/busybox sh
# The first process of the arm64 machine, in the kernel's initial file system: loads what the disk needs, and goes on there.
/bin/busybox mkdir -p /proc /sys /dev /disk
/bin/busybox mount -t devtmpfs dev /dev
for module in /modules/*.ko; do # their names begin with their order
    /bin/busybox insmod "$module" || echo "NO MODULE $module"
done
until [ -b /dev/vda ]; do
    /bin/busybox sleep 0.1
done
/bin/busybox mount -t ext4 -o noatime /dev/vda /disk || echo "NO DISK"
exec /bin/busybox switch_root /disk /bin/sh /opt/companion/tests/machine/arm64/boot.sh
