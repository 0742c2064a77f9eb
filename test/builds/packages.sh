#!/bin/sh
# SPDX-License-Identifier: MIT
# A goal that lacks a package says so in one line, and does nothing else.
#   MAKE=.. packages.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$PWD/build/packages
export LC_ALL=C
. test/support/checks.sh

# The programs of this PC in one folder, from which some can be taken. The other files of packages lie below `files`.
mkdir -p "$work/programs" "$work/files/npm/node_modules" "$work/nothing"
IFS=:
for folder in $PATH; do
    ln -s "$folder"/* "$work/programs/" 2>/dev/null
done
unset IFS
cp boards/rpi-pico/emulator/package-lock.json "$work/files/npm/"
touch "$work/files/npm/node_modules/.package-lock.json"
sed -n "/cat <<END/,/^END/{ s/[$]LLVM/$LLVM/g; p; }" test/install_packages.sh | grep -v END | while read -r package brings _; do
    case $brings in
    /*) brings=$work/files$brings && mkdir -p "$brings" ;;
    *:*) continue ;;
    *) brings=$work/programs/$brings ;;
    esac
    echo "$package $brings"
done >"$work/table"
cp -a "$work/programs" "$work/no_programs"
while read -r _ brings; do
    rm -f "$work/no_programs/${brings##*/}"
done <"$work/table"
# Without it the names are those that the script has first.
rm -f "$work/no_programs/apt-cache"

# $1: the folder of programs; $2: that of other files; $3: the packages that the first goal must lack; then make's arguments
lacks() {
    path=$1 files=$2 lacking=$3
    shift 3
    MAKEFLAGS= MAKELEVEL=0 PATH=$path PACKAGES_ROOT=$files ${MAKE:-make} --no-print-directory -n "$@" </dev/null
    code=$?
    test -z "$lacking" && return $code
    said=$(sed 's/^[^*]*//' "$work/said")
    test $code = 2 && test "$said" = "*** make $1 needs $lacking: install this, or all by \`make setup\`.  Stop."
}
while IFS='|' read -r goal lacking; do
    check "make $goal without any package" lacks "$work/no_programs" "$work/nothing" "$lacking" $goal
done <<END
help|
run|
test|
run BOARD=riscv-virt|gcc-riscv64-unknown-elf, qemu-system-riscv (Debian)
test BOARD=rpi-pico|nodejs (Debian), rp2040js (npm)
elf|gcc-arm-none-eabi (Debian)
elf BOARD=rpi-pico|gcc-arm-none-eabi, python3 (Debian)
elf BOARD=riscv-virt|gcc-riscv64-unknown-elf (Debian)
lib|gcc-arm-none-eabi (Debian)
lib CPU=host|g++ (Debian)
lib CPU=rv32imac|gcc-riscv64-unknown-elf (Debian)
lib CXX=clang++-$LLVM|gcc-arm-none-eabi, clang-$LLVM (Debian)
lib CROSS=/opt/arm-|
single|python3 (Debian)
fuzz|g++ (Debian)
silicon BOARD=stm32vldiscovery|gcc-arm-none-eabi, qemu-system-arm (Debian)
page|clang-$LLVM, lld-$LLVM (Debian)
test-models|g++, spin (Debian)
build/results/sleep|g++, python3 (Debian)
quick|gcc-arm-none-eabi, libstdc++-arm-none-eabi-dev, qemu-system-arm, g++, doctest-dev, python3, gcc-riscv64-unknown-elf (Debian)
END
# A goal that this list lacks would start without what it runs. It ignores a board that the goal does not have.
every_goal_asks() {
    for goal in $(${MAKE:-make} -s help-all | sed -n 's/^make \([a-z-]*\)\( .*\)*$/\1/p' | grep -vxE 'run|test|setup|clean'); do
        board=
        test $goal != silicon || board=BOARD=rpi-pico
        lacks "$work/no_programs" "$work/nothing" "" $goal $board 2>&1 | grep -q "make $goal needs" || echo "$goal asks for nothing"
    done >"$work/asks"
    ! grep . "$work/asks"
}
check "each goal asks for what it runs" every_goal_asks
# An apt that knows the second name of one package, and not another package. The links to the real one go first.
cp -a "$work/no_programs" "$work/other_release"
rm -f "$work/other_release/apt-cache" "$work/other_release/apt-get" "$work/other_release/sudo"
cat >"$work/other_release/apt-cache" <<'END'
#!/bin/sh
echo "Package: libstdc++-arm-none-eabi"
END
printf '#!/bin/sh\nif test $1 = install; then echo "apt-get $*"; fi\n' >"$work/other_release/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$work/other_release/sudo"
chmod +x "$work/other_release/apt-cache" "$work/other_release/apt-get" "$work/other_release/sudo"
installs_what_is_known() {
    PATH=$work/other_release test/install_packages.sh install libstdc++-arm-none-eabi-dev lld-$LLVM </dev/null &&
        grep -q '^apt-get install .* libstdc++-arm-none-eabi$' "$work/said" && grep -q "^apt does not know lld-$LLVM, .*page" "$work/said"
}
check "install names what apt knows, and says the rest" installs_what_is_known
rm "$work/files/npm/node_modules/.package-lock.json"
check "make test-all without what npm installs" lacks "$work/programs" "$work/files" "rp2040js (npm)" test-all
check "make bench runs none of it" lacks "$work/programs" "$work/files" "" bench
sum_up
