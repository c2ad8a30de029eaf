#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each key of the configuration is read by some program.
. "$abs_top_srcdir/tests/lib.sh"
cd "$abs_top_srcdir" || exit 99

# The sources that read keys name them as "section", "name"; the policies of [index] by the name alone.
is_read() { # is_read SECTION NAME
	grep -rqF --include='*.c' "\"$1\", \"$2\"" common index daemon ui-cli ||
		grep -qF "\"$2\", dir" common/rules/rules-policy.c
}

keys=$(awk '/^\[/ { section = substr($0, 2, length($0) - 2) }
	/^#[a-z-]+ =/ { sub("#", "", $1); print section "." $1 }' data/tarsier.conf)
not_ok "data/tarsier.conf lists keys" 1 test -z "$keys"
for key in $keys; do
	ok "$key is read by a program" is_read "${key%%.*}" "${key#*.}"
done
is "the search for keys does not find an unknown one" "$(is_read index no-such-key && echo found)" ""
done_testing
