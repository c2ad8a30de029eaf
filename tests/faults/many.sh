#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# many.sh: storms of 1,000 operations with FAULT_SEEDS seeds, FAULT_KILLS kills, FAULT_CUTS power cuts, FAULT_QUERIES queries while permissions change, FAULT_TRIES
# hung mounts, limits, quotas, disk errors, missing watches and jumps of the clock each, a tree of FAULT_SCALE documents, as many that move, as many operations while
# nobody looks, FAULT_TRIES starts of fifty daemons, 200 kills during an upgrade, FAULT_DAMAGES damaged indexes,
# FAULT_HIDDEN hidden files, FAULT_NAMES hostile names, FAULT_POINTS ends at calls of each of four kinds of work, races of a minute. Run by make check-faults; says how many of each went well, and keeps what a failed one printed in check-faults.log.
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
	grep -E '^# .* s$' "$log.one" || :
	rm -f "$log.one"
}
seed=1
while [ "$seed" -le "${FAULT_SEEDS:-1000}" ]; do
	export STORM_SEED=$seed STORM_OPERATIONS=1000
	one daemon/storm.py
	seed=$((seed + 1))
done
tries=${FAULT_TRIES:-50}
export KILLS="${FAULT_KILLS:-2000}" CUTS="${FAULT_CUTS:-200}" QUERIES="${FAULT_QUERIES:-100000}" SCALE="${FAULT_SCALE:-100000}" OVERFLOWS=20 MOVES="${FAULT_SCALE:-100000}" STARTS="$tries" UPGRADES=200 OFF_OPERATIONS="${FAULT_SCALE:-100000}"
export HANGS="$tries" LIMITS="$tries" OPENS="$tries" JUMPS="$tries" IO_FAULTS="$tries" QUOTAS="$tries" MEMORY_FAULTS="$tries" STOPS="$tries" WATCH_FAULTS="$tries"
export DAMAGES="${FAULT_DAMAGES:-1000}" HIDDEN="${FAULT_HIDDEN:-10000}" NAMES="${FAULT_NAMES:-10000}" DEPTH=1000 RACES=60 READ_ONLY="$tries" POINTS="${FAULT_POINTS:-100000}"
for test in kills power users scale hung-mount write-limit quota open-errors disk-errors no-memory memory-limit clock set-clock damage hidden names no-watches races read-only points while-off stopped; do
	one faults/$test.py
done
for test in moves single upgrades; do
	one daemon/$test.py
done
echo "$((seed - 1)) storms of 1,000 operations, $KILLS kills, $CUTS power cuts, $QUERIES queries of three users, $tries of each other fault: $failed failed"
[ "$failed" -eq 0 ]
