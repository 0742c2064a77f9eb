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

# $1: the message, which docs/troubleshooting.md maps to its remedy; then a command that must fail with it
fails_with() {
    message=$1
    shift
    if "$@"; then
        echo "exit code 0"
        return 1
    fi
    grep -qF -- "$message" "$work/said" && grep -qF -- "$message" docs/troubleshooting.md && return
    echo "said here and in docs/troubleshooting.md should be: $message"
    return 1
}

sum_up() {
    echo "$passed passed, $failed failed"
    test "$failed" = 0
}
