#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-fixtures.sh: each extractor turns small files into exactly the expected text
#
# For every data/NAME.EXT there is data/NAME.expected: the frames as "tarsier-extract --file" prints them, the version of the
# plugin left out. NAME begins with the plugin's name and is unique: pdf-outline.pdf, pdf-outline.expected.
# To add one, put the file there and run, in the build directory,
#	make check TESTS=tests/extractors/test-fixtures.sh UPDATE=1
# which writes the missing .expected files; read them before they are committed.
. "$abs_top_srcdir/tests/lib.sh"
data=$abs_top_srcdir/tests/extractors/data

# The libmobi of Debian 13 was built with a newer libxml2 than it runs with, which warns of it.
frames() { # frames FILE...: of several, each after a line that names it
	for file in "$@"; do
		shift; set -- "$@" --file "$file"
	done
	"$TARSIER_EXTRACT" "$@" 2>&1 | sed -e '/^Warning: program compiled against libxml /d' -e 's/TYPE version [0-9]* /TYPE /'
}

# One program converts all, because its start takes longer than a conversion.
got=$TEST_TMP/got
mkdir "$got"
set --
for file in "$data"/*; do
	case $file in *.expected) ;; *) set -- "$@" "$file" ;; esac
done
frames "$@" | awk -v got="$got" '
	/^==> .* <==$/ { close(out); out = $0; sub(/^.*\//, "", out); sub(/ <==$/, "", out); out = got "/" out; next }
	{ print >out }'

for file; do
	name=${file##*/}
	expected=$data/${name%.*}.expected
	if [ -n "${UPDATE:-}" ] && [ ! -e "$expected" ]; then
		cp "$got/$name" "$expected"
	fi
	ok "$name has a file of its expected text" test -s "$expected"
	is "$name gives exactly the expected frames" "$(cat "$got/$name")" "$(cat "$expected")"
done
done_testing
