#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The sources of a room can be compiled as one unit, as quickstart does: no two of them give one name to different things.
. "$abs_top_srcdir/tests/lib.sh"
cd "$abs_top_builddir" || exit 99

check_units() { env -u MAKEFLAGS make -s check-units "$@" 2>&1 | grep -E 'error|Error' | head -n 20; }

# A build of units has compiled them.
grep -qF 'S["UNITY_TRUE"]=""' config.status || is "every unit is compiled without an error" "$(check_units)" ""
printf 'enum { DEPTH = 1 };\nenum { DEPTH = 2 };\n' >"$TEST_TMP/twice.c"
like "a name that a unit defines twice is found" "$(check_units unity_units="$TEST_TMP/twice.c")" 'DEPTH'
done_testing
