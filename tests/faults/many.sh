#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# many.sh: storms of 1,000 operations with FAULT_SEEDS seeds, FAULT_KILLS kills and FAULT_CUTS power cuts. Run by make check-faults; says how many
# of each went well, and keeps what a failed one printed in check-faults.log.
set -u
run="$abs_top_srcdir/build-aux/tap-run.sh"
log=$abs_top_builddir/check-faults.log
failed=0
: >"$log"
one() { # one TEST: prints what failed
	if ! TEST_TIMEOUT=36000 sh "$run" "$abs_top_srcdir/tests/$1" >"$log.one" 2>&1; then
		failed=$((failed + 1))
		cat "$log.one" >>"$log"
		grep -E '^(not ok|#|Bail)' "$log.one" | head -n 20
	fi
	rm -f "$log.one"
}
seed=1
while [ "$seed" -le "${FAULT_SEEDS:-1000}" ]; do
	export STORM_SEED=$seed STORM_OPERATIONS=1000
	one daemon/storm.py
	seed=$((seed + 1))
done
export KILLS="${FAULT_KILLS:-2000}" CUTS="${FAULT_CUTS:-200}"
one faults/kills.py
one faults/power.py
echo "$((seed - 1)) storms of 1,000 operations, $KILLS kills, $CUTS power cuts: $failed failed"
[ "$failed" -eq 0 ]
