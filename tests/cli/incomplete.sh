#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What could not be searched is told where it matters: the footer of a search, and the list of
# failed conversions.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs
mkdir -p "$d/good" "$d/late" "$HOME/disk/in"
printf 'needle\n' >"$HOME/disk/in/away.txt"
printf 'needle\n' >"$d/good/a.txt"
watch_dirs "$d" "$HOME/disk"
start_daemon || exit 1
synced
exits "pause exits with 0" 0 tarsier pause
printf 'needle too\n' >"$d/late/b.txt"
ok "the new file waits" wait_until "it waits" sh -c 'tarsier status --json | grep -q "\"pending\":1,"'
footer() { tarsier "$@" 2>&1 >/dev/null; }
is "the footer is one short line" "$(footer needle)" "Incomplete: 1 pending."
is "the footer is printed if nothing is found" "$(footer absentword | grep -c '^Incomplete: 1 pending\.$')" 1
is "there is a footer below the directory that it concerns" "$(footer -d "$d/late" -f b)" "Incomplete: 1 pending."
is "there is no footer for another directory" "$(footer -d "$d/good" needle)" ""
is "there is no footer for another directory in the query" "$(footer "needle dir:$d/good")" ""
is "there is a footer if one of two directories is concerned" \
	"$(footer -d "$d/good" -d "$d/late" needle)" "Incomplete: 1 pending."
is "-q prints no footer" "$(footer -q needle)" ""
tarsier resume
synced
is "there is no footer when nothing waits" "$(footer needle)" ""
stop_daemon
mv "$HOME/disk" "$HOME/not-mounted"
is "the footer counts files of a root that is away" "$(footer needle)" "Incomplete: 1 offline."
is "so it does where the root is searched" "$(footer -d "$HOME/disk/in" needle | tail -n 1)" "Incomplete: 1 offline."
is "and it does not where another root is searched" "$(footer -d "$d" needle)" ""
done_testing
