#!/bin/sh
# Puts the race companion onto this machine. It is short: read it before you run it.
#
#   sh get-companion.sh                     in the folder of the companion
#   sh get-companion.sh FILE.tar.gz         a release: checks it, unpacks it into your home folder, and goes on there
#   RELEASE=https://… SUM=… sh get-companion.sh
#                                           fetches a release first, from whoever gave you that address and its sum
#
# A release is checked by its signature. While the project has no key (see KEY below), it is checked by its sum
# instead: of one that is fetched, the sum comes from a person, not from the place that also has the release.
#
# A release needs no network. Only this folder is written to, until `companion install` has listed what it will
# change on the machine, and you have said yes.
set -eu

KEY="" # the owner's, as in companion/install/release.pub
ROOM=700 # MB, here and on the machine: what is set up, and the copy of it that runs

say() { echo "get-companion: $*"; }
stop() {
    echo "get-companion: $*" >&2
    exit 1
}

# --- whether this machine will do ---------------------------------------------------------------------------------

fit() {
    [ "$(uname -s)" = Linux ] || stop "this needs Linux: on a Raspberry Pi, Raspberry Pi OS (64-bit)"
    [ "$(getconf LONG_BIT)" = 64 ] || stop "this system has 32 bits: write Raspberry Pi OS (64-bit) onto the card"
    command -v python3 >/dev/null || stop "Python is missing: run  sudo apt install python3 python3-venv"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        stop "this is $(python3 --version), and 3.11 is needed: write the newest Raspberry Pi OS (64-bit) onto the card"
    command -v make >/dev/null || stop "make is missing: run  sudo apt install make"
    df -Pk . / | awk -v room="$ROOM" 'NR > 1 && $4 < room * 1024 { short = 1 } END { exit short }' ||
        stop "less than $ROOM MB are free: make room, or use a larger card"
    if [ "$(id -u)" = 0 ]; then
        sudo=""
    else
        command -v sudo >/dev/null || stop "sudo is missing: run this as root"
        sudo=sudo
    fi
    if grep -qs "Raspberry Pi" /proc/device-tree/model; then
        say "this is a $(tr -d '\0' </proc/device-tree/model)"
    else
        say "this is no Raspberry Pi: there are no pins for a pad or a panel; everything else works"
    fi
}

# --- a release ----------------------------------------------------------------------------------------------------

get() { # ADDRESS: into this folder
    say "fetching $1"
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --proto =https --output "${1##*/}" "$1"
    else
        wget --quiet --output-document "${1##*/}" "$1"
    fi || stop "$1 cannot be fetched: look whether the address is right, and this machine in a network"
}

fetch() { # ADDRESS: into this folder, with what it is checked by
    if [ -z "$KEY" ] && [ -z "${SUM:-}" ]; then
        stop "SUM is missing: ask the person who gave you the address for the release's sum, 64 letters and digits"
    fi
    get "$1"
    if [ -n "$KEY" ]; then
        get "$1.sig"
    else
        echo "$SUM  ${1##*/}" >"${1##*/}.sha256"
    fi
}

signed() { # FILE: whether the owner of the key has signed it, under this name
    command -v openssl >/dev/null || stop "openssl is missing: run  sudo apt install openssl"
    checked=$(mktemp -d)
    printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s\n-----END PUBLIC KEY-----\n' "$KEY" >"$checked/key"
    printf 'companion release 1\n%s  %s\n' "$(sha256sum <"$1" | cut -c 1-64)" "${1##*/}" >"$checked/text"
    base64 -d <"$1.sig" >"$checked/signature" 2>/dev/null || true
    openssl pkeyutl -verify -pubin -inkey "$checked/key" -rawin -in "$checked/text" \
        -sigfile "$checked/signature" >/dev/null 2>&1 && good=yes || good=no
    rm -r "$checked"
    [ "$good" = yes ]
}

unpack() { # FILE: into the home folder, and on with the script in it
    [ -f "$1" ] || stop "there is no file $1"
    if [ -n "$KEY" ]; then
        [ -f "$1.sig" ] || stop "$1.sig is missing, the signature by which the file is checked: put it beside it"
        signed "$1" || stop "$1 is not signed by the owner of the project, or not as it was sent: fetch it again"
        say "$1 is signed by the owner of the project"
    else
        [ -f "$1.sha256" ] || stop "$1.sha256 is missing, by which the file is checked: put it beside it"
        [ "$(sha256sum <"$1" | cut -c 1-64)" = "$(cut -c 1-64 "$1.sha256")" ] ||
            stop "$1 is not as it was sent: copy or fetch it again"
    fi
    say "$1 is whole"
    folder=$(tar -tzf "$1" | sed -n '1s,/.*,,p')
    tar -xzf "$1" -C "$HOME" || stop "$1 cannot be unpacked into $HOME"
    cd "$HOME/$folder" || stop "$1 is no release of the companion"
    say "unpacked into $PWD"
    exec sh ./get-companion.sh
}

# --- setting it up ------------------------------------------------------------------------------------------------

whole() { # sticks of cameras and PCs keep no links
    ln -s nowhere .link 2>/dev/null || stop "this folder may not be on a stick: copy it into your home folder first"
    rm .link
    [ -d companion/firmware ] || { rm -f companion/firmware && ln -s ../firmware companion/firmware; }
}

set_up() {
    cd "$(dirname "$0")"
    [ -f Makefile ] && [ -d companion ] || stop "this is not the companion's folder: name a release, as in its first lines"
    fit
    whole
    if [ -L /opt/race-companion/current ]; then
        stop "a companion is installed here already: bring it this version by  sudo companion update \"$PWD\""
    fi
    say "setting it up: one minute on a PC, about three on a Pi"
    make setup || stop "that did not work; the line that begins with Failed says what to do"
    say "installing it; it asks before it changes anything"
    $sudo .venv/bin/companion install
}

case "${RELEASE:-}" in
"")
    if [ $# -gt 0 ]; then unpack "$1"; else set_up; fi
    ;;
https://*.tar.gz)
    fetch "$RELEASE"
    file=${RELEASE##*/}
    unset RELEASE SUM
    unpack "$file"
    ;;
*) stop "RELEASE is $RELEASE: an address begins with https://, not http://, and ends with .tar.gz" ;;
esac
