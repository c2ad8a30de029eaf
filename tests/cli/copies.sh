# SPDX-License-Identifier: GPL-3.0-or-later
# Equal and nearly equal files: similar, dups, near: and dup:.
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
exits "index" 0 tarsier -q index

exits "similar" 0 tarsier similar "$d/report.txt"
is "nearest first, not itself" "$(cat "$TEST_TMP/out")" "$d/sub/report-copy.txt
$d/report-2.txt"
is "its distance" "$(tarsier similar --json "$d/report.txt" | sed -n 's/.*"distance":\([0-9]*\),.*/\1/p' | head -n 1)" 0
is "--limit" "$(tarsier similar -n 1 "$d/report.txt")" "$d/sub/report-copy.txt"
is "--bits" "$(tarsier similar --bits 0 "$d/report.txt")" "$d/sub/report-copy.txt"
{ words 1 59; echo 'outside of the index'; } >"$TEST_TMP/outside.txt"
exits "a file outside the index" 0 tarsier similar "$TEST_TMP/outside.txt"
like "is near them" "$(cat "$TEST_TMP/out")" "$d/report.txt"
exits "nothing is near" 1 tarsier similar "$d/other.txt"
exits "too short" 1 tarsier similar "$d/short.txt"
like "says why" "$(cat "$TEST_TMP/err")" "too few words"
cp "$d/short.txt" "$TEST_TMP/short, copy.txt"
exits "too short, but equal to one" 0 tarsier similar "$TEST_TMP/short, copy.txt"
is "which is shown" "$(cat "$TEST_TMP/out")" "$d/short.txt"
exits "no such file" 2 tarsier similar "$d/none"

is "near: with words" "$(tarsier search "report near:$d/report-2.txt" | sort)" "$d/report-2.txt
$d/report.txt"
is "near: alone, by distance" "$(tarsier "near:$d/report-2.txt" | head -n 1)" "$d/report-2.txt"
exits "near: of no file" 2 tarsier "near:$d/none"
is "dup:" "$(tarsier --dups show -s path "dup:$d/report.txt")" "$d/report.txt
$d/sub/report-copy.txt"

# all say it often enough; the shorter one is better
is "search shows near copies as one" "$(tarsier search --dups collapse primates)" "$d/report-2.txt"
is "a list of paths leaves out none of them unless told so" "$(tarsier search -l primates | sort)" "$d/report-2.txt
$d/report.txt"
is "with all paths" "$(tarsier search --json --no-snippets primates | sed -n 's/.*"copies":\(\[[^]]*\]\).*/\1/p')" \
	"[\"$d/report.txt\",\"$d/sub/report-copy.txt\"]"
is "and counts it once" "$(tarsier search --json primates | sed -n 's/.*"total":\(.*\)}/\1/p')" '1,"total_exact":true'
is "--count counts texts" "$(tarsier search -c primates)" 2
is "--dups show" "$(tarsier search --dups show primates | wc -l)" 3
is "--dups only" "$(tarsier search --dups only 'primates OR galago' | sort)" "$d/other.txt
$d/report-2.txt"
is "a near copy on the next page belongs to the first" "$(tarsier search --dups collapse -n 1 -s size primates; tarsier search --dups collapse -n 1 -o 1 -s size primates)" "$d/report.txt"
is "the better one shows" "$(tarsier search --dups collapse -s size -r primates)" "$d/report-2.txt"

exits "dups" 0 tarsier dups --exact
is "the newest first; a hard link is no copy" "$(cat "$TEST_TMP/out")" "$d/sub/report-copy.txt
$d/report.txt"
size=$(stat -c %s "$d/report.txt")
copied=$(date -u -r "$d/sub/report-copy.txt" +%Y-%m-%dT%H:%M:%SZ)
made=$(date -u -r "$d/report.txt" +%Y-%m-%dT%H:%M:%SZ)
is "dups --json" "$(tarsier dups --exact --json)" \
	"{\"kind\":\"exact\",\"distance\":0,\"paths\":[\"$d/sub/report-copy.txt\",\"$d/report.txt\"],\"sizes\":[$size,$size],\"mtimes\":[\"$copied\",\"$made\"],\"bytes_reclaimable\":$size}"
is "dups --near" "$(tarsier dups --near | grep -c report)" 3
is "dups -0 ends a group by an empty path" "$(tarsier dups -0 --exact | tr '\0' '|')" "$d/sub/report-copy.txt|$d/report.txt||"
exits "below a directory there are none" 1 tarsier dups "$d/sub"
exits "below a directory that is not indexed" 1 tarsier dups "$XDG_RUNTIME_DIR"
like "says so" "$(cat "$TEST_TMP/err")" 'The index has no entries there'
is "is:duplicate: the same bytes, another name of the same file too" "$(tarsier --dups show -s path is:duplicate)" "$d/other.txt
$d/report.txt
$d/sub/other-link.txt
$d/sub/report-copy.txt"
rm "$d/sub/report-copy.txt"
exits "what is gone is in no group" 1 tarsier dups --exact

mkdir "$d/many"
i=0; while [ $i -lt 1300 ]; do echo 'one kakapo walks home' >"$d/many/$i"; i=$((i + 1)); done
tarsier -q index
json=$(tarsier search --json --no-snippets kakapo)
is "JSON names all copies" "$(echo "$json" | grep -o "$d/many/[0-9]*\"" | sort -u | wc -l)" 1300
is "and does not say that some are missing" "$(echo "$json" | grep -c copies_cut)" 0
is "--dups show names all" "$(tarsier search --dups show -n 2000 kakapo | wc -l)" 1300
is "dups too" "$(tarsier dups | grep -c /many/)" 1300
keep=$(ls -i "$d/many" | sort -n | tail -n 1 | sed 's/.* //')
find "$d/many" -type f ! -name "$keep" -delete
is "the only one that is left is found" "$(tarsier search kakapo)" "$d/many/$keep"
done_testing
