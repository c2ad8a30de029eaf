#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The sources of a room can be compiled as one unit, as quickstart does, and each alone, as configure does unless it is
# asked for units. The build has done one of both; this does the other.
. "$abs_top_srcdir/tests/lib.sh"
cd "$abs_top_builddir" || exit 99

errors_of() { env -u MAKEFLAGS make -s "$@" 2>&1 | grep -E 'error|Error' | head -n 20; } # errors_of TARGET [VARIABLE=VALUE]

if grep -qF 'S["UNITY_TRUE"]=""' config.status; then
	is "every source is compiled alone without an error" "$(errors_of check-sources)" ""
else
	is "every unit is compiled without an error" "$(errors_of check-units)" ""
fi
printf 'enum { DEPTH = 1 };\nenum { DEPTH = 2 };\n' >"$TEST_TMP/twice.c"
like "a name that a unit defines twice is found" "$(errors_of check-units unity_units="$TEST_TMP/twice.c")" 'DEPTH'
echo 'int length_of(const char *text) { return strlen(text); }' >"$TEST_TMP/lacking.c"
like "a header that a source lacks is found" "$(errors_of check-sources sources_of_units="$TEST_TMP/lacking.c")" 'strlen'
done_testing
