# SPDX-License-Identifier: MIT
# Counted checks. A script sets `work`, a folder which this file empties, sources it, and ends with sum_up.
export LLVM="${LLVM-19}"
rm -rf "$work"
mkdir -p "$work" || exit 2
passed=0
failed=0

# $1: what is checked; then the command that says whether it is so. $work/said has what the command prints.
check() {
    what=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $what"
        sed 's/^/    /' "$work/said"
    fi
}

# $1: the message, which names its remedy or stands in docs/troubleshooting.md; then a command that must fail with it
fails_with() {
    message=$1
    page=docs/troubleshooting.md
    case "$message" in TICKWHEEL_*" must be "*) page="$work/said" ;; esac
    shift
    if "$@"; then
        echo "exit code 0"
        return 1
    fi
    grep -qF -- "$message" "$work/said" && grep -qF -- "$message" "$page" && return
    echo "said here and in $page should be: $message"
    return 1
}

sum_up() {
    echo "$passed passed, $failed failed"
    test "$failed" = 0
}
