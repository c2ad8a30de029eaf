# SPDX-License-Identifier: GPL-3.0-or-later
# Hostile file names reach programs byte for byte and cannot control a terminal.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d"
ok "the file system takes the hostile names" python3 - "$d" "$TEST_TMP/names" <<'PY'
import os, sys
base = sys.argv[1].encode()
names = [b"new\nline", b"esc\x1b[31mred", b"osc\x1b]0;title\x07", b"c1\xc2\x9b31m", b"raw\x9b31m", b"bad\xff\xfeutf8", b"tab\tname",
         "bidi\u202efdp.exe".encode(), "iso\u2066x\u2069".encode(), "zero\u200bwidth".encode(), "line\u2028sep".encode(),
         b"-rf", b" lead", b"trail ", b"$(id)", b"`id`", b"a;b", b"quote\"'", b"back\\slash", b"bar|inner", b"del\x7f",
         "漢字".encode(), b"x" * 255]
paths = []
for name in names:
    path = base + b"/" + name
    with open(path, "wb") as f:
        f.write(b"needle in a haystack \xc2\x9b31m \xe2\x80\xae x " + str(len(paths)).encode())
    paths.append(path)
open(sys.argv[2], "wb").write(b"".join(p + b"\0" for p in sorted(paths)))
PY
tarsier -q add "$d"
exits "a tree of hostile names is indexed" 0 tarsier -q index
mkdir "$HOME/former"
(cd "$HOME/former" && printf 'alpha\n' >"$(printf 'gr\374\337e-caf\351.txt')" && printf 'beta\n' >"$(printf 'na\357ve.txt')")
tarsier -q add "$HOME/former"; tarsier -q index
former() { tarsier search -0 -d "$HOME/former" "$@" 2>/dev/null | tr '\0' '\n'; }
latin=$HOME/former/$(printf 'gr\374\337e-caf\351.txt')
for query in grüße 'GRÜSSE café' 'filename:caf*' '*üß*' 'filename:grüße-café.txt' 'grüße-café.txt alpha'; do
	is "a name in Latin-1 is found by: $query" "$(former "$query")" "$latin"
done
is "a name in Latin-1 has no word that its bytes cut" "$(former na)" ""
tarsier -q remove "$HOME/former"
tarsier search -0 --dups show needle | sort -z >"$TEST_TMP/found"
ok "search -0 prints every hostile name byte for byte" cmp "$TEST_TMP/names" "$TEST_TMP/found"
tarsier list -0 "$d" | sort -z | grep -azvx "$d" >"$TEST_TMP/listed"
ok "list -0 prints every hostile name byte for byte" cmp "$TEST_TMP/names" "$TEST_TMP/listed"
for command in "search --json --dups show needle" "list --json $d"; do
	tarsier $command >"$TEST_TMP/json"
	ok "every hostile name can be read back from the JSON of: $command" \
		python3 - "$TEST_TMP/json" "$TEST_TMP/names" "$d" <<'PY'
import base64, json, sys
text = open(sys.argv[1], "rb").read()
text.decode()
paths = set()
for line in text.splitlines():
    row = json.loads(line)
    if row.get("type", "hit") == "hit":
        paths.add(base64.b64decode(row["path_b64"]) if row["path_b64"] else row["path"].encode())
paths.discard(sys.argv[3].encode())
assert paths == set(open(sys.argv[2], "rb").read().split(b"\0")[:-1]), paths
PY
done

# On a terminal nothing raw may come through but our own colours and links.
cat >"$TEST_TMP/clean.py" <<'PY'
import re, sys
text = sys.stdin.buffer.read().decode()
text = re.sub("\x1b\\[[0-9;]*m|\x1b\\]8;;[!-~]*\x1b\\\\", "", text)
bad = [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u061c\u200b\u2028\u202e\u2066\u2069\ufffd")]
assert not bad, bad
assert "\\x1b[31mred" in text and "\\xff" in text and "new\\nline" in text
PY
for command in "search -n 100 --dups show needle" "search -l -n 100 --dups show needle" "list"; do
	ok "nothing of a name or text controls the terminal: $command" \
		sh -c "tarsier --color always $command | python3 '$TEST_TMP/clean.py'"
done
ok "nothing of a name controls the terminal: info" \
	sh -c "tr '\\0' '\\n' </dev/null; xargs -0 tarsier --color always info -- <'$TEST_TMP/names' | python3 '$TEST_TMP/clean.py'"
ok "nothing of a text controls the terminal: show --plain" \
	sh -c "tarsier --color always show --plain '$d/-rf' | python3 -c 'import sys; t = sys.stdin.buffer.read().decode(); assert \"needle\" in t and chr(0x9b) not in t and chr(0x202e) not in t'"
exits "info of a missing file with an escape in its name exits with 1" \
	1 tarsier info "$TEST_TMP/$(printf 'x\033[31m')"
exits "extract of a missing file with an escape in its name exits with 1" \
	1 tarsier extract "$TEST_TMP/$(printf 'x\033[31m')"
not_ok "error messages carry no escape from a name" 1 grep -q "$(printf '\033')" "$TEST_TMP/err"

tarsier search -x sh -c 'printf "%s\0" "$1"' sh '{}' --dups show needle | sort -z >"$TEST_TMP/executed"
ok "search --exec passes every hostile name byte for byte" \
	cmp "$TEST_TMP/names" "$TEST_TMP/executed"
exits "search --exec refuses {} inside the text of a shell with 2" \
	2 tarsier search -x sh -c "touch '$TEST_TMP/ran'; echo {}" ';' needle
ok "the refusal tells why, and how to write it" grep -q 'sh -c .cat "$1". sh {}' "$TEST_TMP/err"
not_ok "the refused command does not run" 2 ls "$TEST_TMP/ran"
is "a file whose name has a bar is not taken for a member" \
	"$(tarsier info --json "$d/bar|inner" | python3 -c 'import json,sys; r = json.load(sys.stdin); print(r["kind"], r["member"])')" "file None"
done_testing
