#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# .clang-format decides how C and C++ look; lines of Markdown end at 100 columns; tests sleep in the
# named helpers only.
# The tests install the clang-format that the tree was formatted with; releases differ in details.
. "$abs_top_srcdir/tests/lib.sh"
cd "$abs_top_srcdir" || exit 99
rooms="common index extractors fetch daemon ui-cli ui-bus ui-web ui-fuse library tests bench"

if clang-format --version 2>/dev/null | grep -q ' version 14\.'; then
	# shellcheck disable=SC2086
	is "every source is formatted as .clang-format says" \
		"$(find $rooms -type f \( -name '*.[ch]' -o -name '*.cc' \) \
			! -path '*/data/*' ! -path '*/seeds/*' ! -name '*-sql.h' ! -name fold-table.h \
			! -name charset-tables.h -exec clang-format --dry-run {} + 2>&1 |
			sed -n 's/:[0-9]*:[0-9]*: warning:.*//p' | sort | uniq -c)" ""
else
	skip "every source is formatted as .clang-format says" "needs clang-format 14"
fi
# Tables, addresses and lines of XML cannot be broken.
is "lines of Markdown end at 100 columns" \
	"$(find ./*.md docs bench common extractors daemon index ui-cli ui-bus ui-web ui-fuse library -name '*.md' -exec grep -HnE '^.{101,}' {} + |
		grep -vE '^[^:]*:[0-9]*:[|<]|://' | cut -c 1-100)" ""
# Checks paths between backquotes; NAME is a place-holder, and programs are built elsewhere.
is "every file that a document names exists" \
	"$(grep -ohE '`(common|index|extractors|daemon|ui-cli|ui-bus|ui-web|ui-fuse|library|tests|bench|docs|data|build-aux)/[^` ]*' ./*.md docs/*.md bench/*.md ui-bus/README.md ui-web/README.md ui-fuse/README.md library/README.md */*/README.md |
		tr -d '`' | sort -u | grep -vE 'NAME|\.la$|/(tarsier|tarsierd|tarsier-bus|tarsier-browse|tarsier-mount|tarsier-extract|tarsier-fetch)$|^bench/[a-z-]+$' |
		while read -r path; do ls -d $path >/dev/null 2>&1 || echo "$path"; done)" ""

# shellcheck disable=SC2086
is "every source that the README of a room names exists" \
	"$(find $rooms -name README.md | while read -r readme; do
		grep -ohE '`[a-z0-9-]+\.[ch]`' "$readme" | tr -d '`' | sort -u | while read -r name; do
			[ -e "${readme%/*}/$name" ] || find $rooms -name "$name" | grep -q . || echo "$readme: $name"
		done
	done)" ""

# The files and directories that the Makefiles name in assignments, and what "configure" fills in, one a line.
named_in_makefiles() {
	sed -n 's/^AC_CONFIG_FILES(\[\(.*\)\])$/\1/p' configure.ac | tr ' ' '\n' | sed 's/$/.in/'
	git ls-files '*.inc' Makefile.am | xargs cat | sed -e :a -e '/\\$/{N;s/\\\n//;ba' -e '}' |
		sed -n 's/^[A-Za-z0-9_]* *+\{0,1\}= *//p' | sed 's/#.*//' | tr -s ' \t' '\n'
}
# Automake and gettext distribute their own files, a hook the script "check".
if git ls-files --error-unmatch configure.ac >"$TEST_TMP/git" 2>&1; then
	named_in_makefiles >"$TEST_TMP/named"
	is "every file, or its directory, is named in a Makefile, so that it is distributed" \
		"$(git ls-files | grep -vE '^((m4|po)/.*|(.*/)?[^/]*\.inc|Makefile\.am|configure\.ac|\.gitignore|check)$' |
			awk 'NR == FNR { named[$0]; next }
				{ path = $0; while (path != "" && !(path in named)) sub("/?[^/]*$", "", path) }
				path == ""' "$TEST_TMP/named" -)" ""
else
	skip "every file is named in a Makefile, so that it is distributed" "this is not a checkout"
fi

in_order() { # in_order FILE TABLE: the first strings of its rows, one that is out of order alone
	sed -n "/$2\\[\\] *= *{/,/^}/p" "$1" | grep -oE '^ +\{?"[^"]+"' | tr -d ' {"' >"$TEST_TMP/keys"
	[ -s "$TEST_TMP/keys" ] || echo "no table"
	LC_ALL=C sort -fc "$TEST_TMP/keys" 2>&1 | sed 's/.*: //'
}
is "extensions of texts stand in order, because they are found by bisection" \
	"$(in_order extractors/sniff/sniff-text.c extensions)" ""

is "every case of a unit test is run" \
	"$(grep -oE '^static void test_[a-z0-9_]+\(' tests/*/test-*.c | sed 's/static void //; s/($//' |
		while IFS=: read -r file case; do
			[ "$(grep -cw "$case" "$file")" -gt 1 ] || echo "$file $case"
		done)" ""

# Python finds modules beside the script first, and would run such a test in place of its own.
is "no test in Python has the name of a module of Python" \
	"$(python3 -c 'import glob, os, sys
for path in glob.glob("tests/*/*.py"):
    if os.path.basename(path)[:-3] in sys.stdlib_module_names: print(path)')" ""

# The helpers themselves, and a library that delays a program, sleep.
is "tests sleep only in wait_until and let_time_pass" \
	"$(grep -rnE '(^|[;&|{]|\<(do|then|else))[[:space:]]*sleep +[0-9$"]|\<(time\.sleep|g?_?u?sleep|nanosleep)\(' \
		--include='*.sh' --include='*.py' --include='*.[ch]' tests |
		grep -vE '^tests/(tap\.py|lib\.sh|(package|service)/inside\.sh|index/index-test\.c|daemon/late-loop\.c|cli/slow-disk\.c|extractors/hostile/[a-z]+\.c):')" ""
done_testing
