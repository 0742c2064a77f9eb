#!/bin/sh
# SPDX-License-Identifier: MIT
# The module's CMake in a stand-in for Zephyr's: it replaces one source of the kernel, and a kernel that it does not
# know stops the build with a sentence. Then the calls of the front ends for a kernel with a list.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/zephyr/module
. test/support/checks.sh
root=$PWD
compiled="-DCMAKE_C_COMPILER_WORKS=1 -DCMAKE_CXX_COMPILER_WORKS=1"

# $1: its name. A kernel in $work/$1, as the stand-in has it.
tree() {
    cp -r test/zephyr/module "$work/$1"
    cp -r test/support/zephyr/kernel test/support/zephyr/stand_in.* "$work/$1/"
    mkdir "$work/$1/include"
    cp -r test/support/zephyr/zephyr test/support/zephyr/timeout_q.h "$work/$1/include/"
}

# $1: a tree, $2: whether the wheel is chosen; then more for CMake
build() {
    in=$work/$1
    wheel=$2
    shift 2
    cmake -S "$in" -B "$in/build-$wheel" -DMODULE="$root" -DTIMEOUTS="$wheel" -DDLIST=y $compiled "$@" && cmake --build "$in/build-$wheel"
}

# $1: a file, $2: what sed must change in it
edit() {
    cp "$1" "$work/before"
    sed -i "$2" "$1"
    if cmp -s "$1" "$work/before"; then
        failed=$((failed + 1))
        echo "not so: sed changes $1"
    fi
}

# $1: what it must say, and docs/zephyr.md too if it is the port's; then a command that must fail
refused() {
    words=$1
    shift
    case $words in
    tickwheel:*) grep -qF -- "${words#tickwheel: }" docs/zephyr.md || { echo "docs/zephyr.md: no $words"; return 1; } ;;
    esac
    if "$@" >"$work/refused" 2>&1; then
        echo "exit code 0"
        return 1
    fi
    # CMake breaks lines.
    tr -s '\n ' '  ' <"$work/refused" | grep -qF -- "$words" || { cat "$work/refused"; return 1; }
}

with_wheel() {
    build known y && "$work/known/build-y/image" && nm "$work/known/build-y/image" | grep -q ' tickwheel_zephyr_callback_begins$'
}

with_list() {
    build known n && nm "$work/known/build-n/image" | grep -q ' sys_clock_announce$' && ! nm "$work/known/build-n/image" | grep -q tickwheel
}

tree known
check "CONFIG_TICKWHEEL_TIMEOUTS=y: the image has the wheel, and its timeout fires" with_wheel
check "CONFIG_TICKWHEEL_TIMEOUTS=n: the image has the kernel's list" with_list

# A front end with a list is accepted by its words. Those of Zephyr are not here, so a copy of the module knows the stand-in's.
other_words="tickwheel: kernel/timeout.c of this Zephyr has words that the port does not know"
# $1: a name for the tree, $2: the name of the hash in the module, or of the user's, $3, $4, $5: whether an abort tells the
# driver, an add returns the tick, and a timeout is marked before its function is called
with_list_in_one_file() {
    tree "$1"
    cp -r test/zephyr/module_list/* "$work/$1/"
    rm -r "$work/$1/kernel/timeout"
    edit "$work/$1/kernel/timeout.c" 's/ahead < 1 ? 1 : ahead;/arch_mem_coherent(MAX(1, ahead));/'
    export CFLAGS="-DTICKWHEEL_TEST_LIST -DABORT_TELLS_DRIVER=$3 -DADD_RETURNS_TICK=$4 -DMARKS=$5"
    export CXXFLAGS=$CFLAGS
    check "$1: a timeout.c that the module does not know" refused "$other_words" build "$1" y
    hash=$(grep -o '[0-9a-f]\{64\}' "$work/refused")
    mkdir -p "$work/module_$1/port"
    cp -r port/zephyr "$work/module_$1/port/"
    cp -r core "$work/module_$1/"
    case $2 in
    known_*) edit "$work/module_$1/port/zephyr/CMakeLists.txt" "s/set($2 .*)/set($2 $hash)/" ;;
    esac
    root=$PWD/$work/module_$1
    check "$1: the image has the front end of that kernel" build "$1" y -D"$2=$hash"
    check "$1: ticks, answers and what the driver is told" "$work/$1/build-y/image"
    edit "$work/$1/kernel/timeout.c" '1i #include <zephyr/llext/symbol.h>
        s,^{$,{ /* a * comment / ***/\n,; s/    / /; s/arch_mem_/sys_cache_is_mem_/; s/MAX(1/max(1/; $a EXPORT_SYMBOL(z_timeout_expires);'
    check "$1: what says nothing of the rules of timeout.c may differ" build "$1" y
    edit "$work/$1/kernel/timeout.c" 's/max(1, ahead/max(0, ahead/'
    check "$1: one word of timeout.c may not" refused "$other_words" build "$1" y
    root=$PWD
    unset CFLAGS CXXFLAGS
}
with_list_in_one_file 3_7 known_3_7 0 0 0
with_list_in_one_file abort_tells known_abort_tells 1 0 0
with_list_in_one_file add_returns known_add_returns 1 1 0
with_list_in_one_file marks TICKWHEEL_ZEPHYR_MARKS 1 1 1

# $1: a name for the tree, $2: its file, $3: what sed does to it, $4: what the build says
unknown() {
    tree "$1"
    edit "$work/$1/$2" "$3"
    check "$1" refused "$4" build "$1" y
}
no_words="tickwheel: kernel/timeout.c of this Zephyr does not have"
for name in curr_tick timeout_lock announce_remaining inflight_timeout z_timeout_q_announce _TIMEOUT_BACKEND_OWNS_ANNOUNCE; do
    unknown "renamed $name" kernel/timeout.c "s/\b$name\b/other/g" "$no_words"
done
unknown "list.h in another place" kernel/timeout.c 's,timeout/list.h,timeout_list.h,' "$no_words"
unknown "another guard of list.h" kernel/timeout/list.h 's/_LIST_H_/_DLIST_H_/' \
    "tickwheel: kernel/timeout/list.h of this Zephyr does not have"
unknown "another name of timeout.c" kernel/CMakeLists.txt 's/timeout\.c/timeouts.c/' \
    "tickwheel: timeout.c is not among the sources of this kernel"
unknown "another order in struct _timeout" include/zephyr/kernel.h 's/^    _timeout_func_t fn;/    int flags;\n&/' \
    "tickwheel: this kernel has the function of a timeout in another place"
unknown "a smaller struct _timeout" include/zephyr/kernel.h 's/int64_t dticks/int32_t dticks[0]/' \
    "tickwheel: a timer is larger than a timeout"
unknown "ticks of 32 bits" include/zephyr/kernel.h 's/^typedef int64_t k_ticks_t/typedef int32_t k_ticks_t/' \
    "tickwheel: needs CONFIG_TIMEOUT_64BIT"
tree "other backend"
check "another backend" refused "tickwheel: CONFIG_TIMEOUT_BACKEND_DLIST is not set" build "other backend" y -DDLIST=n
# CMake cannot know it. The compiler does.
unknown "renamed z_timeout_q_remove" kernel/timeout.c 's/z_timeout_q_remove/z_timeout_queue_remove/g' z_timeout_q_remove
sum_up
