#!/bin/sh
# SPDX-License-Identifier: MIT
# Doxygen 1.9.4 (Debian 1.9.4-4), Markdown pages.
# A good guess: the words of a link may go over two lines, as in any Markdown, also if the target is a @ref to a page. If Doxygen
# did not allow it, WARN_AS_ERROR would say so.
# What it does: the link is written in HTML as @ref with its words between double quotes, and those may not cross a line. The link
# ends at the line's end, and the rest of the page is no Markdown any more: a heading is shown as @section, and a table as its
# tags. There is no warning, and the exit code is 0. A link to an address is right in two lines.
# Output: "exit code 0, 0 warnings", "one line: tables 1, @section 0", "two lines: tables 0, @section 1"
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q doxygen=1.9.4-4 >log 2>&1
dpkg-deb -x doxygen_*.deb root
doxygen=$PWD/root/usr/bin/doxygen
$doxygen --version | grep -q '^1\.9\.4'
# $1: label of the page; $2: the link
page() {
    printf '# A page {#%s}\n\nRead %s first.\n\n## A part {#part_of_%s}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n' "$1" "$2" "$1" >"$1.md"
}
page one '[the other page](@ref two)'
page two "$(printf '[the other\npage](@ref one)')"
cat >Doxyfile <<'END'
INPUT = one.md two.md
GENERATE_LATEX = NO
HAVE_DOT = NO
QUIET = YES
WARN_AS_ERROR = YES
END
# $1: what to call it; $2: label of the page
shown() {
    echo "$1: tables $(grep -c '<table class="markdownTable">' "html/$2.html"), @section $(grep -c '@section' "html/$2.html")"
}
code=0
$doxygen Doxyfile 2>warnings || code=$?
{ echo "exit code $code, $(wc -l <warnings) warnings" && shown 'one line' one && shown 'two lines' two; } >said
cat said
printf 'exit code 0, 0 warnings\none line: tables 1, @section 0\ntwo lines: tables 0, @section 1\n' | cmp - said
