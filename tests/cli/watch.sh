# SPDX-License-Identifier: GPL-3.0-or-later
# watch: prints what begins and what ceases to match, while the daemon follows the files, and across restarts.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs out=$TEST_TMP/watch.out err=$TEST_TMP/watch.err; mkdir -p "$d"
echo 'a brown fox' >"$d/fox.txt"
not_ok "watch needs an index" 3 tarsier watch brown
tarsier -q add "$d"
start_daemon
synced

watcher=
watch() { # watch ARGUMENTS...: starts it in the background
	: >"$out"; : >"$err"
	tarsier watch "$@" >"$out" 2>"$err" & watcher=$!
}
ended() { # ended STATUS SIGNAL: the watcher ends with this status after the signal
	kill -s "$2" "$watcher"; wait "$watcher"; _got=$?
	watcher=
	[ "$_got" -eq "$1" ] || { echo "exit status $_got, wanted $1"; return 1; }
}
printed() { grep -qxF -e "$1" "$out"; }
sees() { # sees NAME LINE: the line is printed
	ok "$1" wait_until "watch prints: $2" printed "$2"
}

watch brown
ok "the first watch of a query tells how many entries match" wait_until "watch has begun" grep -q '^1 entry matches now' "$err"
echo 'a brown bear' >"$d/bear.txt"
sees "a new match is printed" "+ $d/bear.txt"
is "what matched at the first start is not printed" "$(grep -c fox "$out")" 0
echo 'a black bear' >"$d/bear.txt"
sees "what ceases to match is printed" "- $d/bear.txt"
mv "$d/fox.txt" "$d/vixen.txt"
sees "after a rename, the new path begins to match" "+ $d/vixen.txt"
sees "after a rename, the old path ceases to match" "- $d/fox.txt"
not_ok "a query is watched once" 75 tarsier watch brown
ok "SIGTERM ends watch with 0" ended 0 TERM
is "each change is printed once" "$(sort "$out" | uniq -d)" ""

echo 'a brown owl' >"$d/owl.txt"
synced
watch brown
sees "what changed meanwhile is printed at the start" "+ $d/owl.txt"
echo 'a brown eel' >"$d/eel.txt"
sees "a change after the restart is printed" "+ $d/eel.txt"
is "nothing is printed twice across a restart" "$(cat "$out")" "$(printf '%s\n' "+ $d/owl.txt" "+ $d/eel.txt")"
ok "SIGINT ends watch with 130" ended 130 INT

tarsier -q saved add owls 'brown owl'
watch --json saved:owls --exec sh -c 'echo "$1" >>"$HOME/told"' sh {}
ok "a saved search is watched" wait_until "watch has begun" grep -q 'now; from' "$err"
printf 'brown owl' >"$d/$(printf 'owl\377<b>.txt')"
told() { [ "$(cat "$HOME/told")" = "$d/$(printf 'owl\377<b>.txt')" ]; }
ok "--exec runs a command with the exact path" wait_until "the command has run" told
ok "--json prints an object with the exact path" python3 - "$out" "$d" <<'PY'
import base64, json, os, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert len(rows) == 1, rows
assert sorted(rows[0]) == ["path", "path_b64", "time", "type"], rows
assert rows[0]["type"] == "begin"
assert base64.b64decode(rows[0]["path_b64"]) == os.fsencode(sys.argv[2]) + b"/owl\xff<b>.txt"
PY
tarsier -q saved add owls 'brown eel'
echo 'a brown eel' >"$d/eels.txt"
ok "a saved search that is changed is watched as it is now" wait_until "the eel begins to match" grep -q eels.txt "$out"
ok "SIGTERM ends it" ended 0 TERM

mkfifo "$TEST_TMP/pipe"
tarsier watch -0 black >"$TEST_TMP/pipe" 2>"$err" & watcher=$!
exec 3<"$TEST_TMP/pipe"
ok "a query is watched into a pipe" wait_until "watch has begun" grep -q 'now; from' "$err"
exec 3<&-
gone() { ! kill -0 "$watcher" 2>/dev/null; }
ok "watch ends when nobody reads the output" wait_until "watch has ended" gone
is "the files of watched queries are private" "$(find "$HOME/.local/share/tarsier/watches" -perm /077)" ""
not_ok "a wrong query is a usage error" 2 tarsier watch 'size:huge'
watch brown -t
ok "a watch with a word like an option begins" wait_until "watch has begun" grep -q 'now; from' "$err"
echo 'a brown t' >"$d/t.txt"
sees "it prints what begins to match" "+ $d/t.txt"
is "the note on its query comes once" "$(grep -c 'is not an option' "$err")" 1
ok "SIGTERM ends it too" ended 0 TERM
stop_daemon

# Nobody else has the index open then: each opening of it writes to its files.
switches() { grep ctxt_switches "/proc/$watcher/status"; }
rests() { # the watcher does nothing while other programs run
	_switches=$(switches)
	for _i in 1 2 3 4 5 6 7 8 9 10; do tarsier extract "$d/eel.txt" >/dev/null; done
	[ "$_switches" = "$(switches)" ]
}
watch brown
ok "without the daemon a watch begins too" wait_until "watch says so" grep -q 'is not running' "$err"
ok "it does not take its own opening of the index for a change" wait_until "watch rests" rests
ok "SIGTERM ends it without the daemon" ended 0 TERM
done_testing
