#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs goals of make on a bare Debian, as an ordinary user who may sudo: the last commit, in a root that debootstrap makes and that
# goes when the script ends. It prints a line for each goal. build/debian has what the goals print.
#   debian.sh SUITE [GOAL ..]
set -u
suite=$1
shift
cd "$(dirname "$0")/../.." || exit 2
logs=$PWD/build/debian/$suite
root=$(mktemp -d) && chmod 755 "$root"
mkdir -p "$logs"
as_root=
test "$(id -u)" = 0 || as_root=sudo
# The first address of Debian itself that this machine's apt has.
address=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    sed -n 's/^URIs: *//p; s/^deb \(\[.*\] \)*\([^ ]*\) .*/\2/p' | grep -m1 '/debian/*$')
test -n "$address" || { echo "the sources of apt have no address of Debian" >&2; exit 2; }
remove() {
    $as_root umount "$root/proc" 2>/dev/null
    $as_root rm -rf --one-file-system "$root"
}
trap remove EXIT
trap 'exit 130' INT TERM

# The script of sid makes every release, also one that is younger than this debootstrap.
$as_root debootstrap --variant=minbase --include=ca-certificates,git,make,sudo "$suite" "$root" "$address" \
    /usr/share/debootstrap/scripts/sid >"$logs/debootstrap" 2>&1 || { tail -n 3 "$logs/debootstrap"; exit 2; }
# This machine may have certificates of its own.
$as_root cp -L /etc/resolv.conf "$root/etc/"
$as_root cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
$as_root mount -t proc proc "$root/proc"
# Python's processes share locks there.
$as_root install -d -m 1777 "$root/dev/shm"
$as_root chroot "$root" sh -c 'useradd -m user && echo "user ALL = NOPASSWD: ALL" >/etc/sudoers.d/user'
git bundle create -q "$root/home/user/bundle" HEAD
# $1: a command
as_user() {
    $as_root chroot "$root" su - user -c "export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt; $1" </dev/null
}
as_user 'git clone -q bundle tickwheel' >"$logs/clone" 2>&1 || { cat "$logs/clone"; exit 2; }

test $# != 0 || set -- run test setup quick check bench size figures-check masked-check worst-check prove test-gdb test-page \
    "silicon BOARD=stm32vldiscovery" "silicon BOARD=rpi-pico" "lib CPU=cortex-m3" "lib CPU=cortex-a9" "lib CPU=rv32imac" "lib CPU=host"
failed=0
for goal in "$@"; do
    log=$logs/$(echo "$goal" | tr ' =' '__')
    if as_user "make --no-print-directory -C tickwheel $goal" >"$log" 2>&1; then
        result="passed: $(tail -n 1 "$log" | cut -c 1-90)"
    elif lacks=$(grep -m1 -o 'needs .*(Debian)' "$log"); then
        result="not on this system: it $lacks"
    else
        failed=$((failed + 1))
        result="failed: $log"
    fi
    echo "make $goal: $result"
    grep '^apt does not know' "$log"
done
test $failed = 0
