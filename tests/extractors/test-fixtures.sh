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

frames() {
	"$TARSIER_EXTRACT" --file "$1" 2>&1 | sed 's/TYPE version [0-9]* /TYPE /'
}

for file in "$data"/*; do
	name=${file##*/}
	expected=$data/${name%.*}.expected
	[ "$file" != "$expected" ] || continue
	if [ -n "${UPDATE:-}" ] && [ ! -e "$expected" ]; then
		frames "$file" >"$expected"
	fi
	ok "$name has a file of its expected text" test -s "$expected"
	is "$name gives exactly the expected frames" "$(frames "$file")" "$(cat "$expected")"
done
done_testing
