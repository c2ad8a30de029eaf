# SPDX-License-Identifier: GPL-3.0-or-later
# list, info, show, extract, failed and check tell the facts of single entries.
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
exits "the first run of index succeeds" 0 tarsier -q index

is "list prints every entry below the roots, members of archives too" \
	"$(tarsier list | LC_ALL=C sort)" "$(printf '%s\n' "$d" "$d/a.txt" "$d/box.zip" "$d/box.zip|in/inner.txt" "$d/broken.pdf" "$d/ignored" "$d/sub" | LC_ALL=C sort)"
is "list DIR begins with that directory" "$(tarsier list "$d/sub" | head -n 1)" "$d/sub"
is "list takes a path relative to the working directory" \
	"$(cd "$d" && tarsier list sub | head -n 1)" "$d/sub"
exits "list of a directory outside of the roots exits with 1" 1 tarsier list "$TEST_TMP"
tarsier list --json >"$TEST_TMP/json"
ok "list --json has the documented keys and the facts of the file system" \
	python3 - "$TEST_TMP/json" "$d" <<'PY'
import json, os, sys
rows = {(r["path"], r["member"]): r for r in map(json.loads, open(sys.argv[1]))}
keys = "path path_b64 member kind source mime size mtime_ns inode uid gid mode checksum simhash state reason".split()
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

exits "info of an indexed file exits with 0" 0 tarsier info "$d/a.txt"
like "info shows the state of an indexed file" "$(cat "$TEST_TMP/out")" 'state  *ok'
like "info names owner and group of a file" \
	"$(cat "$TEST_TMP/out")" "owner, mode  *$(stat -c '%U:%G 0%a' "$d/a.txt" | sed 's/UNKNOWN/[0-9]*/g')"
cp -p "$d/a.txt" "$TEST_TMP/a.txt"
echo more >>"$d/a.txt"
exits "info of a file that changed since it was indexed exits with 0" 0 tarsier info "$d/a.txt"
like "info says that a file changed since it was indexed" \
	"$(cat "$TEST_TMP/out")" 'state  *stale'
cp -p "$TEST_TMP/a.txt" "$d/a.txt"
exits "info of a member of an archive exits with 0" 0 tarsier info "$d/box.zip|in/inner.txt"
exits "info of a file that could not be converted exits with 0" 0 tarsier info "$d/broken.pdf"
like "info says why a file could not be converted" \
	"$(cat "$TEST_TMP/out")" 'reason  *it is damaged'
exits "info of a file that an ignore file keeps out exits with 1" 1 tarsier info "$d/b.tmp"
like "info names the ignore file and line that keep a file out" \
	"$(cat "$TEST_TMP/out")" '\.tarsierignore:1'
exits "info of a file below a hidden directory exits with 1" 1 tarsier info "$d/.secret/s.txt"
like "info names the rule for hidden directories" "$(cat "$TEST_TMP/out")" 'hidden'
exits "info of a file outside of the roots exits with 1" 1 tarsier info "$TEST_TMP/inner.txt"
like "info of a file outside of the roots names tarsier add" "$(cat "$TEST_TMP/out")" 'tarsier add'
exits "info of a file that does not exist exits with 1" 1 tarsier info "$d/missing"
like "info says that a missing file does not exist" "$(cat "$TEST_TMP/out")" 'does not exist'
printf 'new\n' >"$d/new.txt"
exits "info of a file that is not yet indexed exits with 1" 1 tarsier info "$d/new.txt"
like "info of a file that is not yet indexed says that no rule keeps it out" \
	"$(cat "$TEST_TMP/out")" 'no rule excludes it'
is "info --json has the type and the extractor of an indexed file" \
	"$(tarsier info --json "$d/a.txt" | python3 -c 'import json,sys; r = json.loads(sys.stdin.read()); print(r["indexed"], r["type"], r["extractor"])')" "True text text"
is "info --json of an unknown file has only path and detail" \
	"$(tarsier info --json "$d/missing" | python3 -c 'import json,sys; r = json.loads(sys.stdin.read()); print(r["indexed"], list(r))')" "False ['path', 'path_b64', 'indexed', 'detail']"

exits "info of a member that an archive does not have exits with 1" 1 tarsier info "$d/box.zip|none"
is "and names the member" "$(head -n 1 "$TEST_TMP/out")" "$d/box.zip|none"
is "so does JSON" \
	"$(tarsier info --json "$d/box.zip|none" | python3 -c 'import json,sys; print(json.loads(sys.stdin.read())["member"])')" none
ln -s a.txt "$d/link"
mkfifo "$d/fifo"
tarsier -q index
for name in link fifo; do
	exits "show of a $name exits with 1" 1 tarsier show "$d/$name"
	like "and says that it has no text" "$(cat "$TEST_TMP/err")" "$name has no text"
done
rm "$d/link" "$d/fifo"
tarsier -q index

exits "show of an indexed file exits with 0" 0 tarsier show --xml "$d/a.txt"
like "show --xml prints the text with its tags" "$(cat "$TEST_TMP/out")" '<body>Hello tarsier\.'
is "show --plain prints the bare text" \
	"$(tarsier show --plain "$d/a.txt" | head -n 1)" "Hello tarsier."
is "show --plain prints the text of a member" \
	"$(tarsier show --plain "$d/box.zip|in/inner.txt" | head -n 1)" "inner words"
mkdir "$d/equal"
printf 'packed words\n' | gzip -n >"$d/equal/one.gz"; cp "$d/equal/one.gz" "$d/equal/two.gz"
tarsier -q index
is "show prints a member of either of two equal archives under its own path" \
	"$(tarsier list "$d/equal" | grep -F '|' | while read -r path; do tarsier show --plain "$path" | head -n 1; done)" "packed words
packed words"
exits "show of a member that the archive does not have exits with 1" \
	1 tarsier show --plain "$d/equal/one.gz|x|y"
rm -r "$d/equal"
(cd "$TEST_TMP" && python3 -c "
import zipfile
z = zipfile.ZipFile('$d/outer.zip', 'w'); z.write('$d/box.zip', 'box.zip'); z.writestr('box.zipped', 'other'); z.close()")
tarsier -q index
is "list of a container within a container lists it and its members" \
	"$(tarsier list "$d/outer.zip|box.zip" | tr '\n' ' ')" "$d/outer.zip|box.zip $d/outer.zip|box.zip|in/inner.txt "
is "list of a directory within a container lists what it has" \
	"$(tarsier list "$d/box.zip|in")" "$d/box.zip|in/inner.txt"
exits "list of a member that the archive does not have exits with 1" 1 tarsier list "$d/box.zip|none"
like "it does not say that the archive is missing" "$(cat "$TEST_TMP/err")" 'no entries there'
rm "$d/outer.zip"
tarsier -q index
id=$(tarsier search --json Hello 2>/dev/null | python3 -c 'import json,sys; print(json.loads(sys.stdin.readlines()[1])["id"])')
is "show takes the document number that search --json prints" \
	"$(tarsier show --plain "$id" | head -n 1)" "Hello tarsier."
exits "show --page beyond the last page exits with 1" 1 tarsier show --page 9 "$d/a.txt"
exits "show of a file that is not indexed exits with 1" 1 tarsier show "$TEST_TMP/inner.txt"
exits "show of a file that could not be converted exits with 1" \
	1 tarsier show --plain "$d/broken.pdf"

is "extract --plain converts a file without an index" \
	"$(tarsier --index "$TEST_TMP/none" extract --plain "$TEST_TMP/inner.txt" | head -n 1)" "inner words"
exits "extract of an archive exits with 0" 0 tarsier extract "$d/box.zip"
ok "extract prints well-formed XML with a document for each member" python3 -c '
import sys, xml.etree.ElementTree as e
t = e.parse(sys.argv[1]).getroot()
assert t.tag == "documents" and t.get("format") == "1"
assert [x.get("member") for x in t] == [None, "in/inner.txt"], [x.attrib for x in t]
assert t[1].find("text/body").text.strip() == "inner words"' "$TEST_TMP/out"
exits "extract of a damaged file exits with 1" 1 tarsier extract --plain "$d/broken.pdf"
like "extract says that a file is damaged" "$(cat "$TEST_TMP/err")" 'damaged'
mkfifo "$TEST_TMP/fifo"; ln -s "$d/a.txt" "$TEST_TMP/link"
exits "extract refuses a named pipe as wrong usage" 2 tarsier extract "$TEST_TMP/fifo"
exits "extract refuses a symbolic link as wrong usage" 2 tarsier extract "$TEST_TMP/link"
exits "a directory has no text to extract" 1 tarsier extract "$d"
exits "a missing file has no text to extract" 1 tarsier extract "$TEST_TMP/missing"
exits "formats --json exits with 0" 0 tarsier formats --json
is "formats --json prints versions of libraries without parentheses" \
	"$(grep -c '"library":"[^"]*(' "$TEST_TMP/out")" 0
ok "formats --json lists the plain text extractor with the documented keys" python3 -c '
import json, sys
rows = {r["name"]: r for r in map(json.loads, open(sys.argv[1]))}
assert rows["text"]["state"] == "ok" and list(rows["text"]) == ["name", "state", "version", "library", "missing", "mime"]' "$TEST_TMP/out"

exits "failed exits with 0 if a file could not be converted" 0 tarsier failed
is "failed begins a line with the path in a pipe" "$(cut -f 1 "$TEST_TMP/out")" "$d/broken.pdf"
is "failed --json has the documented keys and the reason" \
	"$(tarsier failed --json | python3 -c 'import json,sys; r = json.loads(sys.stdin.read()); print(list(r), r["reason"])')" \
	"['path', 'path_b64', 'member', 'mime', 'state', 'reason', 'detail', 'tries', 'extractor', 'version'] damaged"
rm "$d/broken.pdf"
tarsier -q index
exits "failed exits with 1 once the failed file is deleted" 1 tarsier failed
exits "check of a sound index exits with 0" 0 tarsier check
printf 'longer now\n' >>"$d/a.txt"
exits "check exits with 5 if a file changed since the last index run" 5 tarsier check
exits "check --repair of a stale index exits with 0" 0 tarsier check --repair
like "and says that it was mended" "$(cat "$TEST_TMP/err")" 'The index was brought up to date'
exits "check exits with 0 after check --repair" 0 tarsier check
# The root page of a table in the middle of the file, which opening the index does not read.
python3 - "$HOME/.local/share/tarsier/index.db" <<'END'
import sqlite3, sys
page, size = sqlite3.connect(sys.argv[1]).execute("SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'fact'").fetchone()
with open(sys.argv[1], "r+b") as f:
    f.seek((page - 1) * size)
    f.write(b"\xff" * 512)
END
exits "check of a damaged database exits with 4" 4 tarsier check
exits "check --repair rebuilds a damaged index" 0 tarsier check --repair
like "and says so" "$(cat "$TEST_TMP/err")" 'The index was built anew'
exits "check finds a rebuilt index sound" 0 tarsier check
is "a rebuilt index finds every file again" "$(tarsier longer)" "$d/a.txt"

counts() { tarsier status --json | python3 -c 'import json, sys
for root in json.load(sys.stdin)["roots"]: print(root["directories"], root["files"])'; }
is "status counts directories and files below a root without hidden and ignored ones" \
	"$(counts)" "$(find "$d" -type d ! -name .secret | wc -l) $(find "$d" -type f ! -path "*/.*" ! -name b.tmp | wc -l)"
mkdir -p "$HOME/more/empty" "$HOME/more/a/b"; touch "$HOME/more/1" "$HOME/more/a/b/2"
before=$(counts)
tarsier -q add "$HOME/more"; tarsier -q index
is "status counts each root by itself" "$(counts)" "$before
4 2"

# ---- parts of names
mkdir "$HOME/more/compound"
for name in QuarterlyReport2023.txt ÜbersichtÄnderung.txt IMG20230105.jpg s01e02.txt; do : >"$HOME/more/compound/$name"; done
tarsier -q index
for word in quarterly report 2023 quarterlyreport2023 übersicht änderung img 20230105 s01e02; do
	is "$word, a part of a name, finds the file" \
		"$(tarsier search -l "$word" "dir:$HOME/more/compound" | wc -l)" 1
done
exits "a part of a code in a name does not find the file" \
	1 tarsier search "01 dir:$HOME/more/compound"
mv "$HOME/more/compound/QuarterlyReport2023.txt" "$HOME/more/compound/AnnualReport.txt"
tarsier -q index
exits "a word of the old name does not find a renamed file" \
	1 tarsier search "quarterly dir:$HOME/more/compound"
exits "a word of the new name finds a renamed file" \
	0 tarsier search "annual dir:$HOME/more/compound"

# ---- an ignore file with more patterns than may apply
mkdir "$HOME/more/hostile"
touch "$HOME/more/hostile/a.txt"
tarsier -q index
exits "a file is indexed" 0 tarsier info "$HOME/more/hostile/a.txt"
python3 -c 'print("!*.txt\n" + ("*a" * 60 + "b\n") * 1000 + "*.txt")' >"$HOME/more/hostile/.tarsierignore"
tarsier -q index
exits "an ignore file that does not fit keeps its directory out" 1 tarsier info "$HOME/more/hostile/a.txt"
like "info says which ignore file, and from which line on" "$(cat "$TEST_TMP/out")" \
	'~/more/hostile/.tarsierignore does not fit from line [0-9]* on'

# A directory that is swapped for a link shows nothing of what the link leads to.
mkdir -p "$HOME/more/swapped/deep" "$HOME/elsewhere/deep"
echo 'swapword as it was indexed' >"$HOME/more/swapped/deep/s.txt"
echo 'swapword and linkedword of another place' >"$HOME/elsewhere/deep/s.txt"
tarsier -q index
is "show prints the text of a file" "$(tarsier show --plain "$HOME/more/swapped/deep/s.txt")" "swapword as it was indexed"
mv "$HOME/more/swapped" "$HOME/more/kept"
ln -s "$HOME/elsewhere" "$HOME/more/swapped"
not_ok "show of a file whose directory was swapped for a link fails" 2 tarsier show "$HOME/more/swapped/deep/s.txt"
not_ok "a passage shows nothing of a directory that was swapped for a link" 1 \
	sh -c 'tarsier search --json swapword | grep linkedword'
rm "$HOME/more/swapped"

# Nor does a directory in its place, whose file has the same size and time.
mkdir -p "$HOME/more/swapped/deep"
echo 'swapword as it is forged!' >"$HOME/more/swapped/deep/s.txt"
touch -r "$HOME/more/kept/deep/s.txt" "$HOME/more/swapped/deep/s.txt"
exits "show of a file whose directory was swapped for another one shows nothing" 1 tarsier show "$HOME/more/swapped/deep/s.txt"
is "it prints no text of the other file" "$(tarsier show "$HOME/more/swapped/deep/s.txt" 2>/dev/null)" ""
not_ok "a passage shows nothing of a directory that was swapped for another one" 1 \
	sh -c 'tarsier search --json swapword | grep forged'
tarsier -q index
is "show prints the text of the other file once it is indexed" \
	"$(tarsier show --plain "$HOME/more/swapped/deep/s.txt")" "swapword as it is forged!"
ok "a passage shows it too" sh -c 'tarsier search --json swapword | grep forged'
echo more >>"$HOME/more/swapped/deep/s.txt"
exits "show of a file that changed since it was indexed shows nothing" 1 tarsier show "$HOME/more/swapped/deep/s.txt"
like "it says why" "$(cat "$TEST_TMP/err")" 's.txt has changed since it was indexed'

# A link to a directory names that directory.
mkdir -p "$HOME/real/below"
echo 'linkedroot text' >"$HOME/real/below/r.txt"
ln -s real "$HOME/linked"
ln -s below "$HOME/real/inside"
exits "add of a link to a directory exits with 0" 0 tarsier add "$HOME/linked"
like "it tells the directory that is watched" "$(cat "$TEST_TMP/err")" "$HOME/real is now watched"
tarsier add "$HOME/linked" 2>"$TEST_TMP/err"
like "the same link added again is told as watched" "$(cat "$TEST_TMP/err")" "$HOME/real is already watched"
exits "index of a link to a watched directory exits with 0" 0 tarsier -q index "$HOME/linked"
is "index of the link reads the directory" "$(tarsier linkedroot)" "$HOME/real/below/r.txt"
is "--dir of a link inside a watched directory searches where it leads" \
	"$(tarsier -d "$HOME/real/inside" linkedroot)" "$HOME/real/below/r.txt"
is "list of such a link lists where it leads" "$(tarsier list "$HOME/real/inside" | tail -n 1)" "$HOME/real/below/r.txt"
tarsier -q add "$HOME/real/below"
exits "remove of a directory within a watched one exits with 0" 0 tarsier remove "$HOME/real/below"
like "it says that the outer one is still watched" "$(cat "$TEST_TMP/err")" "$HOME/real/below .* still as a part of $HOME/real"
exits "its files are found as before" 0 tarsier -q linkedroot
tarsier -q add "$HOME/real/below"
tarsier remove "$HOME/real/below" "$HOME/real" 2>"$TEST_TMP/err"
is "it does not say so if both are removed" "$(grep -c 'is no longer watched\.' "$TEST_TMP/err")" 2
tarsier -q add "$HOME/linked"
tarsier -q index
exits "remove of the link that was added exits with 0" 0 tarsier remove "$HOME/linked"
like "it tells the directory" "$(cat "$TEST_TMP/err")" "$HOME/real is no longer watched"
exits "the directory is purged" 1 tarsier linkedroot

exits "pages of show are counted from 1" 2 tarsier show --page 0 "$d/a.txt"
is "show of page 0 prints nothing" "$(cat "$TEST_TMP/out")" ""
done_testing
