# SPDX-License-Identifier: GPL-3.0-or-later
# The verbs that talk to a running daemon.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d" "$HOME/more"
printf 'first words\n' >"$d/a.txt"; printf 'further words\n' >"$HOME/more/m.txt"
watch_dirs "$d"
purged() { ends_with 1 tarsier -q "$1" && ends_with 1 tarsier -q list "$2"; }
start_daemon || { echo "Bail out!"; exit 1; }
exits "status --wait exits with 0 when the index is up to date" 0 tarsier status --wait=60
is "status --wait prints nothing" "$(cat "$TEST_TMP/out")" ""
is "a file from before the daemon's start is found" "$(tarsier first)" "$d/a.txt"
printf 'second thoughts\n' >"$d/b.txt"
exits "search --wait exits with 0 for a file written just before" 0 tarsier search --wait thoughts
is "search --wait finds a file written just before" "$(cat "$TEST_TMP/out")" "$d/b.txt"
exits "status --check exits with 0 while the daemon watches" 0 tarsier status --check
tarsier status --json >"$TEST_TMP/json"
ok "status --json has the documented keys and values" \
	python3 - "$TEST_TMP/json" "$d" "$daemon_pid" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
keys = ("state reason paused_until daemon roots sources partition exports idle_exports files documents pending failed day_limited offline truncated signs_left index_bytes text_bytes postings vectors watches overflows "
        "extractions sandbox confinement launcher roots_launcher last_reconcile last_compared").split()
assert list(s) == keys, list(s)
assert s["state"] == "idle" and s["daemon"]["running"] is True and s["daemon"]["pid"] == int(sys.argv[3]), s
assert set(s["daemon"]) == {"running", "pid", "version"} and set(s["watches"]) == {"used", "budget", "limit"}
(root,) = s["roots"]
assert set(root) == {"path", "state", "directories", "watched", "polled", "denied", "files", "volumes"}, root
assert root["path"] == sys.argv[2] and root["state"] == "watching" and root["volumes"] == [], root
assert root["watched"] == root["directories"] > 0 and root["polled"] == root["denied"] == 0, root
assert s["sources"] == [], s
assert s["last_compared"] and s["last_reconcile"] >= s["last_compared"], s
assert s["files"] >= 2 and s["documents"] >= 2 and s["pending"] == 0 and s["extractions"] >= 2, s
PY
is "a search that finds nothing does not say that the daemon is missing while it runs" \
	"$(tarsier nosuchword 2>&1 | grep -c 'not running')" 0
like "status prints the state for people" "$(tarsier status)" "^State  *idle"

exits "pause exits with 0" 0 tarsier pause
like "status --json says that the daemon is paused" "$(tarsier status --json)" '"state":"paused"'
like "a pause without a duration has no end" "$(tarsier status --json)" '"paused_until":null'
exits "index exits with 75 while the daemon is paused" 75 tarsier index
exits "status --check exits with 5 while the daemon is paused" 5 tarsier status --check
printf 'written in a pause\n' >"$d/pause.txt"
for words in 'status --wait' 'search --wait pause'; do
	# shellcheck disable=SC2086
	exits "$words exits with 75 at once while the daemon is paused" 75 timeout 20 tarsier $words
	like "and says how to go on" "$(cat "$TEST_TMP/err")" 'paused; "tarsier resume" continues it'
done
exits "resume exits with 0" 0 tarsier resume
exits "pause takes a duration" 0 tarsier pause 2h
like "status --json says when the pause ends" "$(tarsier status --json)" '"paused_until":"20[0-9-]*T[0-9:]*Z"'
exits "pause refuses a duration in an unknown unit" 2 tarsier pause 5m
exits "resume ends a pause with a duration" 0 tarsier resume

exits "index asks the running daemon" 0 tarsier index
exits "index takes a path below a root" 0 tarsier index "$d/a.txt"
exits "index of a path outside of the roots exits with 2" 2 tarsier index "$HOME/more"
like "index of a path outside of the roots names tarsier add" "$(cat "$TEST_TMP/err")" "tarsier add"
exits "add exits with 0 while the daemon runs" 0 tarsier add "$HOME/more"
like "status tells the new root as soon as add returns" "$(tarsier status --json)" "\"path\":\"$HOME/more\""
is "add does not say that the daemon is missing while it runs" \
	"$(grep -c 'not running' "$TEST_TMP/err")" 0
exits "status --wait exits with 0 when the new root is indexed" 0 tarsier status --wait=60
is "a file below the new root is found" "$(tarsier further)" "$HOME/more/m.txt"
exits "remove exits with 0 while the daemon runs" 0 tarsier remove "$HOME/more"
is "nothing below the root is found as soon as remove returns" "$(tarsier search -c further 2>"$TEST_TMP/err")" 0
is "status does not tell the root as soon as remove returns" \
	"$(tarsier status --json | grep -c "\"path\":\"$HOME/more\"")" 0
ok "remove purges the entries below the root" \
	wait_until "the root is purged" purged further "$HOME/more"

printf '%%PDF-1.4\nbroken\n' >"$d/broken.pdf"
exits "status --wait exits with 0 though a file is damaged" 0 tarsier status --wait=60
is "failed lists the damaged file" "$(tarsier failed | cut -f 1)" "$d/broken.pdf"
is "a damaged file is found by its name" "$(tarsier broken 2>/dev/null)" "$d/broken.pdf"
exits "retry of a failed file exits with 0" 0 tarsier retry "$d/broken.pdf"
exits "retry of a file that did not fail exits with 1" 1 tarsier retry "$d/a.txt"
cp "$abs_top_srcdir/tests/extractors/data/archive-encrypted.zip" "$d/locked.zip"
tarsier status --wait=60
exits "failed of a member lists it" 0 tarsier failed "$d/locked.zip|secret.txt"
is "it lists nothing else" "$(cut -f 1 "$TEST_TMP/out")" "$d/locked.zip|secret.txt"
exits "failed of a member that was read lists nothing" 1 tarsier failed "$d/locked.zip|open.txt"
like "it does not say that the member is missing" "$(cat "$TEST_TMP/err")" 'No conversion has failed there'
exits "retry of a member reads its container again" 0 tarsier retry "$d/locked.zip|secret.txt"
rm "$d/locked.zip"
exits "status --wait exits with 0 after the retry" 0 tarsier status --wait=60
is "a damaged file is listed as failed after a retry" "$(tarsier failed | cut -f 1)" "$d/broken.pdf"
exits "config set refuses a value out of range" 2 tarsier config set limits.depth 0
tarsier -q config set limits.depth 4
exits "doctor exits with 5 if it finds a problem" 5 tarsier doctor
like "doctor says how many watches the daemon uses" "$(cat "$TEST_TMP/out")" 'tarsierd uses [1-9][0-9]* watches'
like "doctor says that the daemon answers" "$(cat "$TEST_TMP/out")" 'tarsierd answers'
cut -c 1-2 "$TEST_TMP/out" >"$TEST_TMP/judged"
exits "doctor --json exits with 5 if it finds a problem" 5 tarsier doctor --json
is "doctor --json judges each line of the text, in its order" \
	"$(python3 -c '
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    assert sorted(said) == ["check", "detail", "ok"] and said["detail"], said
    print({True: "ok", False: "!!"}[said["ok"]])' <"$TEST_TMP/out")" "$(cat "$TEST_TMP/judged")"
checks=$(sed 's/.*"check":"\([^"]*\)".*/\1/' "$TEST_TMP/out" | sort -u)
listed=$(sed -n 's/^| check | //p' "$abs_top_srcdir/docs/OUTPUT.md" | tr -d '|' | sed 's/([^)]*)//g' | tr -d ' ' | tr ',' '\n' | sort -u)
is "OUTPUT lists every check" "$(echo "$checks" | grep -vxF "$listed")" ""
exits "doctor -q exits with 5 too" 5 tarsier doctor -q --json
is "doctor -q prints nothing" "$(cat "$TEST_TMP/out")" ""

timeout 20 tarsier status --follow --json >"$TEST_TMP/follow" &
follow=$!
ok "status --follow prints the state at once" wait_until "it prints" test -s "$TEST_TMP/follow"
printf 'third\n' >"$d/c.txt"
ok "status --follow prints the state again after a change" \
	wait_until "it prints a second line" sh -c "[ \$(wc -l <'$TEST_TMP/follow') -ge 2 ]"
kill -INT $follow; wait $follow
is "status --follow exits with 130 when it is interrupted" $? 130
kill -STOP "$daemon_pid"
exits "status --check exits with 5 while the daemon does not answer" 5 tarsier status --check
is "and says so" "$(cat "$TEST_TMP/out")" "tarsierd does not answer"
kill -CONT "$daemon_pid"
stop_daemon
printf '#!/bin/sh\nkill -KILL $$\n' >"$TEST_TMP/killed"; chmod +x "$TEST_TMP/killed"
exits "index exits with 5 if the engine is killed" 5 env TARSIERD="$TEST_TMP/killed" tarsier index
is "and says what ended it" "$(cat "$TEST_TMP/err")" \
	"tarsier: tarsierd was ended by a signal: Killed"
is "status --json says stopped once the daemon has ended" \
	"$(tarsier status --json | grep -o '"state":"stopped"' | head -n 1)" '"state":"stopped"'
exits "status exits with 0 without the daemon" 0 tarsier status -q
exits "status --check exits with 3 without the daemon" 3 tarsier status --check
is "a search is answered without the daemon" "$(tarsier first 2>/dev/null)" "$d/a.txt"
is "it does not say so if it finds something" "$(tarsier first 2>&1 | grep -c 'not running')" 0
printf 'a walrus\n' >"$d/later.txt"
exits "a later file is not found without the daemon" 1 tarsier walrus
is "the search says so, once, with what to do" "$(grep -c 'tarsierd is not running.*tarsier index' "$TEST_TMP/err")" 1
exits "a search in JSON says so too" 1 tarsier search --json walrus
like "on stderr" "$(cat "$TEST_TMP/err")" 'tarsierd is not running'
is "but not in its output" "$(grep -c 'not running' "$TEST_TMP/out")" 0
is "with -q nothing is said" "$(tarsier search -q walrus 2>&1)" ""
exits "remove exits with 0 without the daemon" 0 tarsier remove "$d"
exits "remove purges the entries without the daemon" 1 tarsier -q first
exits "pause exits with 3 without the daemon" 3 tarsier pause
like "and does not name a manager that does not run" "$(cat "$TEST_TMP/err")" 'no systemd user session'
mkdir "$XDG_RUNTIME_DIR/systemd"; : >"$XDG_RUNTIME_DIR/systemd/private"
like "but one that does" "$(tarsier pause 2>&1)" 'start it with "systemctl --user start tarsierd"'
exits "a search without an index exits with 3" 3 tarsier --index "$TEST_TMP/none" first
like "and says that tarsier index makes one" "$(cat "$TEST_TMP/err")" 'run "tarsier index", after'
done_testing
