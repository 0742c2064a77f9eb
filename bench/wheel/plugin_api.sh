#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints which form of qemu_plugin.h the emulator takes.
version=$(qemu-system-arm --version | sed -n 's/^QEMU.* version //p')
case $version in
7.2.* | 8.*) echo 1 ;;
9.[12].* | 10.* | 11.0.*) echo 3 ;;
11.*) echo 7 ;;
*)
    echo "bench/wheel/qemu_plugin.h has the plugin interface of QEMU 7.2 to 8.2 and 9.1 to 11, and this is $version" >&2
    exit 1
    ;;
esac
