#!/bin/sh
# Build the kernel of make check-machine into build/kernel: Debian's Linux source as User-Mode Linux with
# tests/machine/kernel.config; the host of the modelled chips; the two device trees; the packages that drive a Pi's pins.
# What is there stays until one of these files, Debian's version or the list of packages changes.
#
#   tools/kernel.sh          JOBS=1: one compiler at a time; by default one for each processor
set -eu
cd "$(dirname "$0")/.."
machine=tests/machine
at=build/kernel
python=.venv/bin/python
packages="evdev==1.6.1 lgpio==0.2.2.0 rpi-lgpio==0.6 spidev==3.6"
jobs=${JOBS:-$(nproc)}

[ "$(uname -m)" = x86_64 ] || { echo "NOT CHECKED: User-Mode Linux is for x86-64, and this machine is $(uname -m)." >&2; exit 1; }
sh tools/apt-need "a kernel of our own" bc bison flex gcc libc6-dev make xz-utils
sh tools/apt-need "a PC/SC reader" pcscd vsmartcard-vpcd python3-pyscard
source=$(apt-cache depends linux-source 2>/dev/null | sed -n 's/^ *Depends: \(linux-source-[0-9.]*\)$/\1/p')
version=$(apt-cache policy "$source" 2>/dev/null | sed -n 's/^ *Candidate: //p')
[ -n "$version" ] || { echo "No Linux source is found: it comes from Debian (run apt-get update, and try again)." >&2; exit 1; }
mkdir -p "$at"

# $1: what; the rest: of what it is made. True if that has changed since it was made.
changed() {
    what=$1
    shift
    printf '%s\n' "$@" >"$at/$what.now"
    ! cmp -s "$at/$what.now" "$at/$what.made"
}
made() { mv "$at/$1.now" "$at/$1.made"; }

unpack() {
    rm -rf "$at/source" "$at"/linux-source-*.deb
    (cd "$at" && apt-get download -qq "$source=$version")
    dpkg-deb --fsys-tarfile "$at"/linux-source-*.deb | tar -x -C "$at" --strip-components=3 ./usr/src
    mkdir "$at/source"
    # what no kernel of ours is built of takes a gigabyte
    tar -xJf "$at/$source.tar.xz" -C "$at/source" --strip-components=1 --exclude='*/Documentation/*/*' \
        --exclude='*/drivers/gpu/*.[ch]' --exclude='*/drivers/media/*.[ch]' --exclude='*/drivers/net/ethernet/*.[ch]' \
        --exclude='*/drivers/net/wireless/*/*.[ch]' \
        --exclude='*/drivers/scsi/*.[ch]' --exclude='*/drivers/staging/*.[ch]' --exclude='*/sound/*.[ch]' \
        --exclude='*/tools/testing/*'
    rm -f "$at"/linux-*.tar.xz "$at"/linux-source-*.deb "$at"/linux-patch-* "$at"/*.xz
}

build() {
    make -s -C "$at/source" ARCH=um KCONFIG_ALLCONFIG="$PWD/$machine/kernel.config" allnoconfig >/dev/null
    refused=$(grep '^CONFIG' "$machine/kernel.config" | grep -vxFf "$at/source/.config" || true)
    [ -z "$refused" ] || { echo "the kernel does not take: $refused" >&2; return 1; }
    make -s -C "$at/source" ARCH=um -j"$jobs" linux modules
    cp "$at/source/linux" "$at/linux"
}

chip() {
    cp -r "$machine/spi_chip" "$at/"
    make -s -C "$at/source" ARCH=um M="$PWD/$at/spi_chip" modules
    cp "$at/spi_chip/spi_chip.ko" "$at/"
    "$at/source/scripts/dtc/dtc" -q -O dtb -o "$at/pi.dtb" "$machine/pi.dts"
    sed '/SPI/s/okay/disabled/' "$machine/pi.dts" | "$at/source/scripts/dtc/dtc" -q -O dtb -o "$at/pi-without-spi.dtb" -
}

pins() {
    rm -rf "$at/packages"
    # shellcheck disable=SC2086  # a list
    $python -m pip --disable-pip-version-check install -q --no-deps --target "$at/packages" $packages
    # pyscard is Debian's, which the Python of the tests can use if it is the same one
    ln -s /usr/lib/python3/dist-packages/smartcard "$at/packages/"
}

sum() { cat "$@" | sha256sum | cut -d' ' -f1; }

case ${1:-all} in
all)
    # each step in tools/step, which has this script call itself
    config=$(sum "$machine/kernel.config")
    parts=$(sum "$machine"/spi_chip/* "$machine/pi.dts")
    if changed source "$source=$version"; then
        sh tools/step "The source of Linux from Debian: 140 MB" "Is there a network?" sh tools/kernel.sh unpack
        made source
        rm -f "$at/linux.made"
    fi
    if changed linux "$source=$version" "$config"; then
        sh tools/step "A kernel of our own: five minutes on two cores" "Try again: what is built stays." sh tools/kernel.sh build
        made linux
        rm -f "$at/chip.made"
    fi
    if changed chip "$source=$version" "$config" "$parts"; then
        sh tools/step "The bus of the modelled chips" "See the log." sh tools/kernel.sh chip
        made chip
    fi
    if changed pins "$packages" "$($python -V)"; then
        sh tools/step "What drives the pins of a Pi, from PyPI" "Is there a network?" sh tools/kernel.sh pins
        made pins
    fi
    ;;
unpack | build | chip | pins) "$1" ;;
*) echo "what is $1?" >&2; exit 2 ;;
esac
