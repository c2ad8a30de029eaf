# SPDX-License-Identifier: GPL-3.0-or-later
# Exact copies and near-duplicates: similar, dups, near:, dup: and --dups.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d/sub"
words() { seq "$1" "$2" | sed 's/.*/sentence number & of the long report on small primates of the night/'; }
words 1 60 >"$d/report.txt"
words 1 60 >"$d/sub/report-copy.txt"
{ words 1 58; echo 'an end of its own'; } >"$d/report-2.txt"
seq 1000 1060 | sed 's/.*/galago & jumps from branch to branch without a sound/' >"$d/other.txt"
echo 'too short' >"$d/short.txt"
ln "$d/other.txt" "$d/sub/other-link.txt"
touch -d 2020-01-01 "$d/report.txt"
tarsier -q add "$d"
exits "the documents are indexed" 0 tarsier -q index

exits "similar exits with 0 if there is a near-duplicate" 0 tarsier similar "$d/report.txt"
is "similar prints the nearest file first and not the file itself" \
	"$(cat "$TEST_TMP/out")" "$d/sub/report-copy.txt
$d/report-2.txt"
is "similar --json prints distance 0 for an exact copy" \
	"$(tarsier similar --json "$d/report.txt" | sed -n 's/.*"distance":\([0-9]*\),.*/\1/p' | head -n 1)" 0
exits "similar -n 0 exits with 0 if there are near copies" 0 tarsier similar -n 0 "$d/report.txt"
is "similar -n 0 does not say that there are none" "$(cat "$TEST_TMP/err")" ""
plain=$(tarsier --color always similar "$d/report.txt" | sed 's/\x1b\[[0-9;]*m//g')
like "a terminal says that an exact copy is 100 % similar" "$plain" '100 % similar'
like "a terminal says how similar a near copy is" "$plain" '[5-9][0-9] % similar'
is "similar --json tells the same as a share" \
	"$(tarsier similar --json "$d/report.txt" | grep -o '"similarity":[0-9.]*' | head -n 1)" '"similarity":1'
is "similar -n 1 prints one file" "$(tarsier similar -n 1 "$d/report.txt")" "$d/sub/report-copy.txt"
exits "similar refuses more bits than are compared" 2 tarsier similar --bits 33 "$d/report.txt"
like "it tells the most" "$(cat "$TEST_TMP/err")" 'At most 32 of the 64 bits'
is "similar --bits 0 prints exact copies only" \
	"$(tarsier similar --bits 0 "$d/report.txt")" "$d/sub/report-copy.txt"
{ words 1 59; echo 'outside of the index'; } >"$TEST_TMP/outside.txt"
exits "similar takes a file outside of the index" 0 tarsier similar "$TEST_TMP/outside.txt"
like "similar finds indexed files near a file outside of the index" \
	"$(cat "$TEST_TMP/out")" "$d/report.txt"
exits "similar exits with 1 if no file is near" 1 tarsier similar "$d/other.txt"
bad=$(printf '%s/n\351.txt' "$d")
if printf 'brief text' >"$bad" && printf 'brief text' >"$d/brief.txt"; then
	tarsier -q index
	exits "similar takes a short file whose name is not UTF-8" 0 tarsier similar "$bad"
	is "and finds its copy" "$(tarsier similar "$bad" 2>/dev/null)" "$d/brief.txt"
	rm -f "$bad" "$d/brief.txt"; tarsier -q index
fi
exits "similar exits with 1 for a text that is too short" 1 tarsier similar "$d/short.txt"
like "similar says that the text has too few words" "$(cat "$TEST_TMP/err")" "too few words"
cp "$d/short.txt" "$TEST_TMP/short, copy.txt"
exits "similar exits with 0 for a short file that has an exact copy" \
	0 tarsier similar "$TEST_TMP/short, copy.txt"
is "similar prints the exact copy of a short file" "$(cat "$TEST_TMP/out")" "$d/short.txt"
if command -v zip >/dev/null; then
	(cd "$TEST_TMP" && cp "$d/short.txt" "$d/other.txt" . && zip -q "$d/short.zip" short.txt other.txt &&
		echo 'not so' >unlike.txt && zip -q "$TEST_TMP/outside.zip" short.txt unlike.txt)
	tarsier -q index
	for zip in "$d/short.zip" "$TEST_TMP/outside.zip"; do
		exits "similar exits with 0 for a short member of ${zip##*/} that equals a file" \
			0 tarsier similar "$zip|short.txt"
		is "similar prints the file that equals it" "$(cat "$TEST_TMP/out")" "$d/short.txt"
	done
	exits "similar exits with 1 for a short member without an equal file" \
		1 tarsier similar "$TEST_TMP/outside.zip|unlike.txt"
	rm "$d/short.zip"; tarsier -q index
fi
exits "similar of a missing file exits with 1" 1 tarsier similar "$d/none"

is "near: and words match together" \
	"$(tarsier search "report near:$d/report-2.txt" | sort)" "$d/report-2.txt
$d/report.txt"
is "near: by itself sorts by distance" "$(tarsier "near:$d/report-2.txt" | head -n 1)" "$d/report-2.txt"
exits "near: of a missing file exits with 2" 2 tarsier "near:$d/none"
mkdir "$TEST_TMP/packed"
(cd "$d" && python3 -c "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').write('report.txt')" "$TEST_TMP/packed/box.zip")
is "dup: of a member finds the files that are equal to it" \
	"$(tarsier --dups show "dup:$TEST_TMP/packed/box.zip|report.txt" | sort)" "$(tarsier --dups show "dup:$d/report.txt" | sort)"
exits "dup: of a member that is not there exits with 2" 2 tarsier "dup:$TEST_TMP/packed/box.zip|none"
like "it marks the member in the query" "$(cat "$TEST_TMP/err")" '    ^^^^'
is "dup: finds the exact copies of a file" \
	"$(tarsier --dups show -s path "dup:$d/report.txt")" "$d/report.txt
$d/sub/report-copy.txt"

# all contain the word often enough; the shorter one ranks higher
is "--dups collapse shows near-duplicates as one hit" \
	"$(tarsier search --dups collapse primates)" "$d/report-2.txt"
is "-l prints near-duplicates unless they are collapsed" \
	"$(tarsier search -l primates | sort)" "$d/report-2.txt
$d/report.txt"
is "search --json names the paths of exact copies" \
	"$(tarsier search --json --no-snippets primates | sed -n 's/.*"copies":\(\[[^]]*\]\).*/\1/p')" \
	"[\"$d/report.txt\",\"$d/sub/report-copy.txt\"]"
is "search --json counts near-duplicates once" \
	"$(tarsier search --json primates | sed -n 's/.*"total":\(.*\)}/\1/p')" '1,"total_exact":true'
is "-c counts distinct texts" "$(tarsier search -c primates)" 2
is "--dups show prints every copy" "$(tarsier search --dups show primates | wc -l)" 3
is "--dups only prints one hit for each group of copies" \
	"$(tarsier search --dups only 'primates OR galago' | sort)" "$d/other.txt
$d/report-2.txt"
is "a near-duplicate on the next page belongs to the hit on the first" \
	"$(tarsier search --dups collapse -n 1 -s size primates; tarsier search --dups collapse -n 1 -o 1 -s size primates)" "$d/report.txt"
is "the best of several near-duplicates stands for them" \
	"$(tarsier search --dups collapse -s size -r primates)" "$d/report-2.txt"

exits "dups --exact exits with 0 if there are copies" 0 tarsier dups --exact
is "dups prints the newest copy first and no hard link" \
	"$(cat "$TEST_TMP/out")" "$d/sub/report-copy.txt
$d/report.txt"
size=$(stat -c %s "$d/report.txt")
copied=$(date -u -r "$d/sub/report-copy.txt" +%Y-%m-%dT%H:%M:%SZ)
made=$(date -u -r "$d/report.txt" +%Y-%m-%dT%H:%M:%SZ)
is "dups --json prints kind, paths, sizes, times and reclaimable bytes" \
	"$(tarsier dups --exact --json)" \
	"{\"kind\":\"exact\",\"distance\":0,\"paths\":[\"$d/sub/report-copy.txt\",\"$d/report.txt\"],\"sizes\":[$size,$size],\"mtimes\":[\"$copied\",\"$made\"],\"bytes_reclaimable\":$size}"
is "dups --near prints near-duplicates" "$(tarsier dups --near | grep -c report)" 3
is "dups -0 ends a group by an empty path" \
	"$(tarsier dups -0 --exact | tr '\0' '|')" "$d/sub/report-copy.txt|$d/report.txt||"
groups=$(tarsier dups --json 2>/dev/null | wc -l)
ok "there are several groups of copies" test "$groups" -gt 1
exits "dups -n 1 exits with 0" 0 tarsier dups -n 1 --json
is "dups -n 1 prints the first group alone" "$(cat "$TEST_TMP/out")" "$(tarsier dups --json 2>/dev/null | head -n 1)"
like "dups -n 1 says that there are more" "$(cat "$TEST_TMP/err")" 'There are more groups; a larger -n shows them'
exits "dups -n with the number of groups exits with 0" 0 tarsier dups -n "$groups" --json
is "dups -n with the number of groups prints all of them" "$(wc -l <"$TEST_TMP/out")" "$groups"
not_ok "it does not say that there are more" 1 grep -q more "$TEST_TMP/err"
exits "dups -n 0 prints none and exits with 0, as there are copies" 0 tarsier dups -n 0
is "dups -n 0 prints no group" "$(cat "$TEST_TMP/out")" ""
exits "dups -n without a number is a fault" 2 tarsier dups -n
exits "dups DIR exits with 0 if only one copy of a group is below DIR" 0 tarsier dups --exact --json "$d/sub"
is "dups DIR names the copies elsewhere, and the whole file can go" \
	"$(python3 -c 'import json, os, sys; r = json.load(open(sys.argv[1])); print(*[os.path.basename(p) for p in r["paths"]], r["bytes_reclaimable"] == r["sizes"][0])' "$TEST_TMP/out")" \
	"report-copy.txt report.txt True"
mkdir -p "$d/alone"; tarsier -q index
exits "dups DIR exits with 1 if the directory holds no copy" 1 tarsier dups "$d/alone"
exits "dups DIR exits with 1 if the directory is not indexed" 1 tarsier dups "$XDG_RUNTIME_DIR"
like "dups DIR says that the index holds nothing there" \
	"$(cat "$TEST_TMP/err")" 'is not in a watched directory'
is "is:duplicate matches files with equal bytes and hard links" \
	"$(tarsier --dups show -s path is:duplicate)" "$d/other.txt
$d/report.txt
$d/sub/other-link.txt
$d/sub/report-copy.txt"
rm "$d/sub/report-copy.txt"
exits "a deleted copy is in no group before the next index run" 1 tarsier dups --exact

# ---- short texts that differ in a few words
letter() { echo "Invoice $1 of $2. Dear customer, thank you for your order. We delivered the goods that are listed below.
One office chair with arm rests and one desk lamp in white. The sum of $3 euro is due within fourteen days after
the date of this invoice. Please name the number $1 when you pay. With kind regards, Furniture Ltd."; }
mkdir "$d/invoices"
letter 2041 3.3.2024 412,50 >"$d/invoices/2041.txt"
letter 2042 4.3.2024 98,10 >"$d/invoices/2042.txt"
letter 2043 9.4.2024 731,00 >"$d/invoices/2043.txt"
{ letter 2043 9.4.2024 731,00; echo; } >"$d/invoices/same.txt"
tarsier -q index
is "short texts that differ in a few words are hits of their own" \
	"$(tarsier search --dups collapse -s path 'office chair' dir:invoices)" "$d/invoices/2041.txt
$d/invoices/2042.txt
$d/invoices/2043.txt"
is "a short text that is the same in other bytes is shown under the first" \
	"$(tarsier search --json --dups collapse -s path 'office chair 2043' | sed -n 's/.*"copies":\[\([^]]*\)\].*/\1/p')" \
	"\"$d/invoices/same.txt\""
is "similar finds them" "$(tarsier similar "$d/invoices/2041.txt" | wc -l)" 3
reclaimable() { tarsier dups --near --json "$1" | sed -n 's/.*"bytes_reclaimable":\([0-9]*\).*/\1/p'; }
is "the same text is reclaimable" "$(reclaimable "$d/invoices")" "$(stat -c %s "$d/invoices/2043.txt")"
rm "$d/invoices/same.txt"
tarsier -q index
is "near copies with different texts are not" "$(reclaimable "$d/invoices")" 0
cp "$d/invoices/2041.txt" "$d/invoices/copy.txt"
tarsier -q index
is "equal files among them are" "$(reclaimable "$d/invoices")" "$(stat -c %s "$d/invoices/copy.txt")"

mkdir "$d/many"
i=0; while [ $i -lt 1300 ]; do echo 'one kakapo walks home' >"$d/many/$i"; i=$((i + 1)); done
tarsier -q index
json=$(tarsier search --json --no-snippets kakapo)
is "search --json names all of 1,300 copies" \
	"$(echo "$json" | grep -o "$d/many/[0-9]*\"" | sort -u | wc -l)" 1300
is "search --json does not say that copies are cut off" "$(echo "$json" | grep -c copies_cut)" 0
is "--dups show prints all of 1,300 copies" \
	"$(tarsier search --dups show -n 2000 kakapo | wc -l)" 1300
is "dups prints all of 1,300 copies" "$(tarsier dups | grep -c /many/)" 1300
keep=$(ls -i "$d/many" | sort -n | tail -n 1 | sed 's/.* //')
find "$d/many" -type f ! -name "$keep" -delete
is "the last of 1,300 copies is found when the others are deleted" \
	"$(tarsier search kakapo)" "$d/many/$keep"
done_testing
