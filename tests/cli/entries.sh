# SPDX-License-Identifier: GPL-3.0-or-later
# list, info, show, extract, failed, check: what is known of single entries.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d/sub" "$d/.secret" "$d/ignored"
printf 'Hello tarsier.\n' >"$d/a.txt"
printf 'inner words\n' >"$TEST_TMP/inner.txt"
(cd "$TEST_TMP" && python3 -c "
import zipfile
z = zipfile.ZipFile('$d/box.zip', 'w'); z.write('inner.txt', 'in/inner.txt'); z.close()
open('$d/broken.pdf', 'wb').write(b'%PDF-1.4\nbroken broken broken\n')")
printf 'x\n' >"$d/.secret/s.txt"
printf '*.tmp\n' >"$d/.tarsierignore"; printf 'x\n' >"$d/b.tmp"
tarsier -q add "$d"
exits "index" 0 tarsier -q index

is "list has every entry" "$(tarsier list | LC_ALL=C sort)" "$(printf '%s\n' "$d" "$d/a.txt" "$d/box.zip" "$d/box.zip|in/inner.txt" "$d/broken.pdf" "$d/ignored" "$d/sub" | LC_ALL=C sort)"
is "list DIR" "$(tarsier list "$d/sub" | head -n 1)" "$d/sub"
is "list takes relative names" "$(cd "$d" && tarsier list sub | head -n 1)" "$d/sub"
exits "list of what is not there" 1 tarsier list "$TEST_TMP"
tarsier list --json >"$TEST_TMP/json"
ok "list --json is as documented" python3 - "$TEST_TMP/json" "$d" <<'PY'
import json, os, sys
rows = {(r["path"], r["member"]): r for r in map(json.loads, open(sys.argv[1]))}
keys = "path path_b64 member kind mime size mtime_ns inode uid gid mode checksum simhash state reason".split()
for row in rows.values():
    assert list(row) == keys, list(row)
a = rows[(sys.argv[2] + "/a.txt", None)]
st = os.stat(sys.argv[2] + "/a.txt")
assert (a["kind"], a["size"], a["mtime_ns"], a["inode"], a["uid"], a["gid"]) == (
    "file", st.st_size, st.st_mtime_ns, st.st_ino, st.st_uid, st.st_gid), a
assert a["mode"] == "%04o" % (st.st_mode & 0o7777) and a["state"] == "ok" and len(a["checksum"]) == 32, a
inner = rows[(sys.argv[2] + "/box.zip", "in/inner.txt")]
assert inner["kind"] == "member" and inner["size"] == 12, inner
assert rows[(sys.argv[2], None)]["kind"] == "dir"
broken = rows[(sys.argv[2] + "/broken.pdf", None)]
assert broken["state"] == "failed" and broken["reason"] == "damaged", broken
PY

exits "info of a file" 0 tarsier info "$d/a.txt"
like "says the state" "$(cat "$TEST_TMP/out")" 'state  *ok'
exits "info of a member" 0 tarsier info "$d/box.zip|in/inner.txt"
exits "info of a failed file" 0 tarsier info "$d/broken.pdf"
like "says why" "$(cat "$TEST_TMP/out")" 'reason  *it is damaged'
exits "info of an ignored file" 1 tarsier info "$d/b.tmp"
like "names the rule" "$(cat "$TEST_TMP/out")" '\.tarsierignore:1'
exits "info below a hidden directory" 1 tarsier info "$d/.secret/s.txt"
like "names that rule" "$(cat "$TEST_TMP/out")" 'hidden'
exits "info outside of the roots" 1 tarsier info "$TEST_TMP/inner.txt"
like "names add" "$(cat "$TEST_TMP/out")" 'tarsier add'
exits "info of what does not exist" 1 tarsier info "$d/missing"
like "says so" "$(cat "$TEST_TMP/out")" 'does not exist'
printf 'new\n' >"$d/new.txt"
exits "info of a new file" 1 tarsier info "$d/new.txt"
like "says that no rule is in the way" "$(cat "$TEST_TMP/out")" 'no rule excludes it'
is "info --json" "$(tarsier info --json "$d/a.txt" | python3 -c 'import json,sys; r = json.loads(sys.stdin.read()); print(r["indexed"], r["type"], r["extractor"])')" "True text text"
is "info --json of an unknown file" "$(tarsier info --json "$d/missing" | python3 -c 'import json,sys; r = json.loads(sys.stdin.read()); print(r["indexed"], list(r))')" "False ['path', 'path_b64', 'indexed', 'detail']"

exits "show a file" 0 tarsier show "$d/a.txt"
like "is tagged text" "$(cat "$TEST_TMP/out")" '<body>Hello tarsier\.'
is "show --plain" "$(tarsier show --plain "$d/a.txt" | head -n 1)" "Hello tarsier."
is "show a member" "$(tarsier show --plain "$d/box.zip|in/inner.txt" | head -n 1)" "inner words"
mkdir "$d/equal"
printf 'packed words\n' | gzip -n >"$d/equal/one.gz"; cp "$d/equal/one.gz" "$d/equal/two.gz"
tarsier -q index
is "show a member that has its name from another, equal file" \
	"$(tarsier list "$d/equal" | grep -F '|' | while read -r path; do tarsier show --plain "$path" | head -n 1; done)" "packed words
packed words"
exits "no other name will do" 1 tarsier show --plain "$d/equal/one.gz|x|y"
rm -r "$d/equal"
tarsier -q index
id=$(tarsier search --json Hello 2>/dev/null | python3 -c 'import json,sys; print(json.loads(sys.stdin.readlines()[1])["id"])')
is "show by number" "$(tarsier show --plain "$id" | head -n 1)" "Hello tarsier."
exits "show --page that is not there" 1 tarsier show --page 9 "$d/a.txt"
exits "show a file that is not indexed" 1 tarsier show "$TEST_TMP/inner.txt"
exits "show a failed one" 1 tarsier show --plain "$d/broken.pdf"

is "extract needs no index" "$(tarsier --index "$TEST_TMP/none" extract --plain "$TEST_TMP/inner.txt" | head -n 1)" "inner words"
exits "extract as XML" 0 tarsier extract "$d/box.zip"
ok "is well-formed, with members" python3 -c '
import sys, xml.etree.ElementTree as e
t = e.parse(sys.argv[1]).getroot()
assert t.tag == "documents" and t.get("format") == "1"
assert [x.get("member") for x in t] == [None, "in/inner.txt"], [x.attrib for x in t]
assert t[1].find("text/body").text.strip() == "inner words"' "$TEST_TMP/out"
exits "extract a broken file" 1 tarsier extract --plain "$d/broken.pdf"
like "says why" "$(cat "$TEST_TMP/err")" 'damaged'
mkfifo "$TEST_TMP/fifo"; ln -s "$d/a.txt" "$TEST_TMP/link"
exits "extract a pipe" 2 tarsier extract "$TEST_TMP/fifo"
exits "extract a link" 2 tarsier extract "$TEST_TMP/link"
exits "extract a directory" 2 tarsier extract "$d"
exits "extract nothing" 2 tarsier extract "$TEST_TMP/missing"
exits "formats" 0 tarsier formats --json
is "versions of libraries are plain" "$(grep -c '"library":"[^"]*(' "$TEST_TMP/out")" 0
ok "have the plain text" python3 -c '
import json, sys
rows = {r["name"]: r for r in map(json.loads, open(sys.argv[1]))}
assert rows["text"]["state"] == "ok" and list(rows["text"]) == ["name", "state", "version", "library", "missing", "mime"]' "$TEST_TMP/out"

exits "failed" 0 tarsier failed
is "lists paths in a pipe" "$(cat "$TEST_TMP/out")" "$d/broken.pdf"
is "failed --json" "$(tarsier failed --json | python3 -c 'import json,sys; r = json.loads(sys.stdin.read()); print(list(r), r["reason"])')" \
	"['path', 'path_b64', 'member', 'mime', 'reason', 'detail', 'tries', 'extractor', 'version'] damaged"
rm "$d/broken.pdf"
tarsier -q index
exits "nothing failed any more" 1 tarsier failed
exits "check" 0 tarsier check
printf 'longer now\n' >>"$d/a.txt"
exits "check sees a changed file" 5 tarsier check
exits "check --repair" 0 tarsier check --repair
exits "mends it" 0 tarsier check
# The root of a table in the middle of the file: no page of it is met by opening.
python3 - "$HOME/.local/share/tarsier/index.db" <<'END'
import sqlite3, sys
page = sqlite3.connect(sys.argv[1]).execute("SELECT rootpage FROM sqlite_schema WHERE name = 'fact'").fetchone()[0]
with open(sys.argv[1], "r+b") as f:
    f.seek((page - 1) * 8192)
    f.write(b"\xff" * 512)
END
exits "check sees damage" 4 tarsier check
exits "check --repair makes a damaged index anew" 0 tarsier check --repair
exits "which is sound" 0 tarsier check
is "and complete" "$(tarsier longer)" "$d/a.txt"

counts() { tarsier status --json | python3 -c 'import json, sys
for root in json.load(sys.stdin)["roots"]: print(root["directories"], root["files"])'; }
is "status counts what is below a root" "$(counts)" "$(find "$d" -type d ! -name .secret | wc -l) $(find "$d" -type f ! -path "*/.*" ! -name b.tmp | wc -l)"
mkdir -p "$HOME/more/empty" "$HOME/more/a/b"; touch "$HOME/more/1" "$HOME/more/a/b/2"
before=$(counts)
tarsier -q add "$HOME/more"; tarsier -q index
is "and below each of several" "$(counts)" "$before
4 2"

# ---- parts of names
mkdir "$HOME/more/compound"
for name in QuarterlyReport2023.txt ÜbersichtÄnderung.txt IMG20230105.jpg s01e02.txt; do : >"$HOME/more/compound/$name"; done
tarsier -q index
for word in quarterly report 2023 quarterlyreport2023 übersicht änderung img 20230105 s01e02; do
	is "$word is a part of a name" "$(tarsier search -l "$word" "dir:$HOME/more/compound" | wc -l)" 1
done
exits "but pieces of codes are not" 1 tarsier search "01 dir:$HOME/more/compound"
mv "$HOME/more/compound/QuarterlyReport2023.txt" "$HOME/more/compound/AnnualReport.txt"
tarsier -q index
exits "a part that a rename took is gone" 1 tarsier search "quarterly dir:$HOME/more/compound"
exits "one that it gave is there" 0 tarsier search "annual dir:$HOME/more/compound"
done_testing
