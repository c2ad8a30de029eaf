# SPDX-License-Identifier: GPL-3.0-or-later
# The verbs that talk to a running daemon.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d" "$HOME/more"
printf 'first words\n' >"$d/a.txt"; printf 'further words\n' >"$HOME/more/m.txt"
watch_dirs "$d"
start_daemon || { echo "Bail out!"; exit 1; }
exits "status --wait" 0 tarsier status --wait=60
is "prints nothing" "$(cat "$TEST_TMP/out")" ""
is "what was there is found" "$(tarsier first)" "$d/a.txt"
printf 'second thoughts\n' >"$d/b.txt"
exits "search --wait sees a new file at once" 0 tarsier search --wait thoughts
is "finds it" "$(cat "$TEST_TMP/out")" "$d/b.txt"
exits "status --check" 0 tarsier status --check
tarsier status --json >"$TEST_TMP/json"
ok "status --json is as documented" python3 - "$TEST_TMP/json" "$d" "$daemon_pid" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
keys = ("state reason daemon roots files documents pending failed offline truncated index_bytes text_bytes watches overflows "
        "extractions sandbox last_reconcile last_compared").split()
assert list(s) == keys, list(s)
assert s["state"] == "idle" and s["daemon"]["running"] is True and s["daemon"]["pid"] == int(sys.argv[3]), s
assert set(s["daemon"]) == {"running", "pid", "version"} and set(s["watches"]) == {"used", "budget", "limit"}
(root,) = s["roots"]
assert set(root) == {"path", "state", "directories", "watched", "polled", "denied", "files", "volumes"}, root
assert root["path"] == sys.argv[2] and root["state"] == "watching" and root["volumes"] == [], root
assert root["watched"] == root["directories"] > 0 and root["polled"] == root["denied"] == 0, root
assert s["last_compared"] and s["last_reconcile"] >= s["last_compared"], s
assert s["files"] >= 2 and s["documents"] >= 2 and s["pending"] == 0 and s["extractions"] >= 2, s
PY
like "status for a person" "$(tarsier status)" "^State  *idle"

exits "pause" 0 tarsier pause
like "is paused" "$(tarsier status --json)" '"state":"paused"'
exits "index does not wait for ever then" 75 tarsier index
exits "status --check tells" 5 tarsier status --check
exits "resume" 0 tarsier resume
exits "pause for a time" 0 tarsier pause 2h
exits "pause for no time" 2 tarsier pause 5m
exits "resume again" 0 tarsier resume

exits "index with a daemon" 0 tarsier index
exits "index of a path" 0 tarsier index "$d/a.txt"
exits "index of a path outside" 2 tarsier index "$HOME/more"
like "names add" "$(cat "$TEST_TMP/err")" "tarsier add"
exits "add" 0 tarsier add "$HOME/more"
is "says nothing of a missing daemon" "$(grep -c 'not running' "$TEST_TMP/err")" 0
exits "wait" 0 tarsier status --wait=60
is "the new root is searchable" "$(tarsier further)" "$HOME/more/m.txt"
exits "remove" 0 tarsier remove "$HOME/more"
ok "purges" eventually sh -c '! tarsier -q further && ! tarsier -q list "$HOME/more"'

printf '%%PDF-1.4\nbroken\n' >"$d/broken.pdf"
exits "wait for a broken file" 0 tarsier status --wait=60
is "it is listed" "$(tarsier failed)" "$d/broken.pdf"
is "it is found by name" "$(tarsier broken 2>/dev/null)" "$d/broken.pdf"
exits "retry" 0 tarsier retry "$d/broken.pdf"
exits "retry what did not fail" 1 tarsier retry "$d/a.txt"
exits "wait again" 0 tarsier status --wait=60
is "still failed" "$(tarsier failed)" "$d/broken.pdf"
exits "a bad value is refused" 2 tarsier config set limits.depth 0
tarsier -q config set limits.depth 4
exits "doctor" 5 tarsier doctor
like "finds the daemon" "$(cat "$TEST_TMP/out")" 'tarsierd answers'

timeout 20 tarsier status --follow --json >"$TEST_TMP/follow" &
follow=$!
ok "status --follow prints" eventually test -s "$TEST_TMP/follow"
printf 'third\n' >"$d/c.txt"
ok "and goes on" eventually sh -c "[ \$(wc -l <'$TEST_TMP/follow') -ge 2 ]"
kill -INT $follow; wait $follow
is "until it is interrupted" $? 130
stop_daemon
is "after the daemon's end status is stopped" "$(tarsier status --json | grep -o '"state":"stopped"' | head -n 1)" '"state":"stopped"'
exits "status alone is fine" 0 tarsier status -q
exits "--check is not" 3 tarsier status --check
is "searching goes on" "$(tarsier first 2>/dev/null)" "$d/a.txt"
exits "remove without daemon" 0 tarsier remove "$d"
exits "purges too" 1 tarsier -q first
done_testing
