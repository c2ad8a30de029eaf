#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every promise of SECURITY.md names tests, and these are run.
. "$abs_top_srcdir/tests/lib.sh"
page=$abs_top_srcdir/SECURITY.md

# promises FILE: "TITLE<tab>TEST TEST ..." of each promise
promises() {
	awk '/^## / { inside = $0 == "## Promises" }
		inside && /^\*\*/ { if (title) print title "\t" tests; title = substr($0, 1, 60); tests = ""; listed = 0 }
		inside && /^Tests: / { listed = 1 }
		inside && /^$/ { listed = 0 }
		listed { n = split($0, part, "`"); for (i = 2; i <= n; i += 2) tests = tests " " part[i] }
		END { if (title) print title "\t" tests }' "$1"
}

promises "$page" >"$TEST_TMP/promises"
ok "SECURITY.md has promises" test "$(wc -l <"$TEST_TMP/promises")" -ge 10
is "every promise names a test" "$(awk -F '\t' '$2 == "" { print $1 }' "$TEST_TMP/promises")" ""

(cd "$abs_top_builddir" && env -u MAKEFLAGS make -s list-tests) | tr ' ' '\n' | grep '^tests/' >"$TEST_TMP/run-by-check"
# The booted system is a step of its own, and what checks installed objects is built without sanitizers.
echo tests/service/inside.sh >>"$TEST_TMP/run-by-check"
tr ' \t' '\n\n' <"$TEST_TMP/promises" | grep '^tests/' | sort -u | while read -r test; do
	[ -e "$abs_top_srcdir/$test" ] || echo "missing: $test"
	grep -qxF -e "$test" -e "${test%.c}" "$TEST_TMP/run-by-check" || echo "not run: $test"
done >"$TEST_TMP/faults"
is "every test that is named exists and is run" "$(cat "$TEST_TMP/faults")" ""

printf '## Promises\n\n**One.** Text.\n\nTests: `tests/a.c`,\n`tests/b.sh`.\n\n**Two.** Text.\n\n## Other\n\n**Three.**\n' >"$TEST_TMP/page"
is "a promise without a test is found" "$(promises "$TEST_TMP/page" | awk -F '\t' '{ print $2 }' | tr '\n' '|')" \
	" tests/a.c tests/b.sh||"
done_testing
