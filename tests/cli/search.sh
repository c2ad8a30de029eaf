# SPDX-License-Identifier: GPL-3.0-or-later
# search and its forms of output, without a daemon.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d/sub"
printf 'The quick brown fox.\nSecond line about tarsiers.\n' >"$d/fox.txt"
printf 'A lazy dog and a brown bear.\n' >"$d/sub/dog.txt"
printf 'A lazy dog and a brown bear.\n' >"$d/sub/dog-copy.txt"
printf '<html><head><title>Night animals</title></head><body><p>Tarsiers hunt brown insects.</p></body></html>' >"$d/night.html"
tarsier -q add "$d"
exits "index" 0 tarsier -q index

exits "a word" 0 tarsier quick
is "prints its path" "$(cat "$TEST_TMP/out")" "$d/fox.txt"
is "and nothing else" "$(cat "$TEST_TMP/err")" ""
is "search is the same" "$(tarsier search quick)" "$d/fox.txt"

fts() { # fts YES_OR_NO COMMAND...
	_fts=$1; shift; TARSIER_FTS_PAGES=$_fts "$@"
}
is "posting lists are read directly" "$(fts yes tarsier status | grep -c Postings)" 0
like "status --json says so" "$(fts yes tarsier status --json)" '"postings":{"direct":true,"reason":null}'
like "and doctor" "$(fts yes tarsier doctor)" 'ok  postings: read directly'
like "without it status says why" "$(fts no tarsier status)" 'Postings .*TARSIER_FTS_PAGES'
like "also in JSON" "$(fts no tarsier status --json)" '"postings":{"direct":false,"reason":"TARSIER_FTS_PAGES'
like "and doctor says why" "$(fts no tarsier doctor)" 'ok  postings: read through SQLite.*TARSIER_FTS_PAGES'
for query in quick brown 'brow*' 'b*' quik~ 'brown OR lazy' '"quick brown"' 'tarsier' '-brown'; do
	is "$query finds the same" "$(fts no tarsier -- "$query")" "$(fts yes tarsier -- "$query")"
done
is "-0" "$(tarsier search -0 quick | tr '\0' '|')" "$d/fox.txt|"
is "-l" "$(tarsier -l quick)" "$d/fox.txt"
is "-c counts" "$(tarsier -c --dups show brown)" 4
exits "-q found" 0 tarsier -q quick
is "prints nothing" "$(cat "$TEST_TMP/out" "$TEST_TMP/err")" ""
exits "-q not found" 1 tarsier -q zebra
is "prints nothing either" "$(cat "$TEST_TMP/out" "$TEST_TMP/err")" ""
exits "nothing found" 1 tarsier zebra
like "names the roots" "$(cat "$TEST_TMP/err")" "$d"
is "a negation" "$(tarsier brown -fox -lazy)" "$d/night.html"
is "copies collapse" "$(tarsier -c lazy)" 1
is "or are shown" "$(tarsier search --dups=show -s path lazy)" "$d/sub/dog-copy.txt
$d/sub/dog.txt"
is "--dir" "$(tarsier -d "$d/sub" -c --dups show brown)" 2
is "--dir is repeatable" "$(tarsier -d "$d/sub" -d "$d" -c --dups show brown)" 4
is "--ext" "$(tarsier -e html brown)" "$d/night.html"
is "--type without words" "$(tarsier -t document)" "$d/night.html"
is "--mime" "$(tarsier -m 'text/html' brown)" "$d/night.html"
exits "a wrong type" 2 tarsier -t nonsense brown
like "names those there are" "$(cat "$TEST_TMP/err")" '"nonsense"\. Types are document,'
for word in -ext:txt -dir:sub '-size>1k' -wombat; do
	exits "$word where options stand" 2 tarsier "$word" brown
	like "is told from an option" "$(cat "$TEST_TMP/err")" "\"$word\" is no option; .*write -- before"
done
is "-- lets it be said" "$(tarsier -l -- -ext:txt brown)" "$d/night.html"
exits "an option behind the words" 0 tarsier brown -n 5 OR fox
like "is told to be none" "$(cat "$TEST_TMP/err")" '"-n" is taken as part of the query'
is "--filename" "$(tarsier -f fox)" "$d/fox.txt"
is "--any" "$(tarsier -a -c quick insects)" 2
exits "words that do not meet" 1 tarsier quick insects brown
like "and how to see what has some of them" "$(cat "$TEST_TMP/err")" '--soft shows'
exits "a filter that nothing meets" 1 tarsier -d /no/such/place quick
like "is named" "$(cat "$TEST_TMP/err")" '"dir:/no/such/place" alone'
exits "a filter that other documents meet" 1 tarsier -t document quick
like "is not, but the parts are told from the whole" "$(cat "$TEST_TMP/err")" 'Each part'
exits "--soft" 0 tarsier --soft quick insects brown
is "lists most words first" "$(sort "$TEST_TMP/out" | tr '\n' ' ')" "$d/fox.txt $d/night.html $d/sub/dog.txt "
is "the one with the fewest last" "$(tail -n 1 "$TEST_TMP/out")" "$d/sub/dog.txt"
like "and says what they are" "$(cat "$TEST_TMP/err")" 'No document contains all words. 3 more'
is "in pages" "$(for o in 0 1 2; do tarsier -q --soft quick insects brown; tarsier --soft -n 1 -o $o quick insects brown 2>/dev/null; done)" "$(cat "$TEST_TMP/out")"
like "marks them" "$(tarsier --json --soft quick insects brown 2>/dev/null)" '"words_met":2,"words":3'
exits "in no other order" 2 tarsier --soft -s date quick insects
is "after what has all" "$(tarsier --soft quick fox tarsiers | head -n 1)" "$d/fox.txt"
is "--limit" "$(tarsier -n 1 --dups show brown | wc -l)" 1
is "--offset goes on" "$( (tarsier -n 1 -s path --dups show brown; tarsier -n 9 -o 1 -s path --dups show brown) | wc -l)" 4
is "--sort path" "$(tarsier -s path --dups show brown | head -n 1)" "$d/fox.txt"
is "--reverse" "$(tarsier -r -s path --dups show brown | tail -n 1)" "$d/fox.txt"
is "no hits, but how many" "$(tarsier -n 0 -c --dups show brown)" 4
exits "no hits asked for" 0 tarsier -n 0 brown
is "none printed" "$(cat "$TEST_TMP/out" "$TEST_TMP/err")" ""
exits "nor found" 1 tarsier -n 0 zebra
exits "--explain" 0 tarsier --explain quick
like "explains on stderr" "$(cat "$TEST_TMP/err")" '^  the word "quick" in text'
exits "--explain of more" 0 tarsier --explain lazy 'dogs OR NOT ext:PDF'
like "on a line for each condition" "$(cat "$TEST_TMP/err")" '^      not:$'
like "written in full" "$(cat "$TEST_TMP/err")" '^  lazy AND (dogs OR NOT ext:pdf)$'
like "with other forms" "$(cat "$TEST_TMP/err")" 'the word "dogs" in .*, also as dog$'
like "and what is asked" "$(cat "$TEST_TMP/err")" '^  SELECT'
exits "--wait needs the daemon" 3 tarsier --wait quick

exits "a wrong query" 2 tarsier '漢字 nosuchfield:x'
is "shows the place" "$(sed -n '2,3p' "$TEST_TMP/err")" "  漢字 nosuchfield:x
       ^^^^^^^^^^^"
exits "an open quote" 2 tarsier '"open'
exits "an option too late is part of the query" 1 tarsier quick --json
like "and a note says so" "$(cat "$TEST_TMP/err")" 'options must come before'

tarsier --json brown >"$TEST_TMP/json"
ok "JSON is as documented" python3 - "$TEST_TMP/json" "$d" <<'PY'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
begin, hits, end = lines[0], lines[1:-1], lines[-1]
assert begin == {"type": "begin", "format": 1, "query": "brown", "total": 3, "total_exact": True}, begin
assert set(end) == {"type", "shown", "ms", "pending", "failed", "offline", "truncated"} and end["shown"] == 3, end
keys = ("type rank id path path_b64 member uri title author mime kind lang size mtime date uid gid mode checksum score "
        "snippets copies state").split()
for rank, hit in enumerate(hits, 1):
    assert list(hit) == keys, list(hit)
    assert hit["rank"] == rank and hit["state"] == "ok" and hit["path_b64"] is None and hit["member"] is None
    assert hit["uri"] == "file://" + hit["path"] and len(hit["checksum"]) == 32 and hit["mode"].startswith("0")
by = {hit["path"]: hit for hit in hits}
night = by[sys.argv[2] + "/night.html"]
assert night["title"] == "Night animals" and night["mime"] == "text/html" and night["kind"] == "document", night
dog = [hit for hit in hits if hit["copies"]]
assert len(dog) == 1 and dog[0]["copies"][0].startswith(sys.argv[2] + "/sub/dog"), dog
for hit in hits:
    assert hit["snippets"], hit
    for snippet in hit["snippets"]:
        assert set(snippet) == {"field", "page", "line", "text", "marks"}
        marked = [snippet["text"].encode()[a:b].decode().lower() for a, b in snippet["marks"]]
        assert "brown" in marked, snippet
PY
tarsier --json --no-snippets zebra >"$TEST_TMP/json" 2>/dev/null
is "JSON of nothing" "$(sed 's/"ms":[0-9]*/"ms":0/' "$TEST_TMP/json")" '{"type":"begin","format":1,"query":"zebra","total":0,"total_exact":true}
{"type":"end","shown":0,"ms":0,"pending":0,"failed":0,"offline":0,"truncated":0}'

is "--exec runs once a hit" "$(tarsier -s path --dups show -x echo 'got:{}' ';' brown)" "got:$d/fox.txt
got:$d/night.html
got:$d/sub/dog-copy.txt
got:$d/sub/dog.txt"
is "--exec ends with {}" "$(tarsier -x wc -l {} quick)" "2 $d/fox.txt"
exits "--exec tells of failures" 5 tarsier -x false {} quick
exits "--exec of a missing program" 5 tarsier -x /no/such/program {} quick

mkdir "$TEST_TMP/bin"
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>"%s"\n' "$TEST_TMP/opened" >"$TEST_TMP/bin/gio"; chmod +x "$TEST_TMP/bin/gio"
PATH=$TEST_TMP/bin:$PATH
tarsier -s path --dups show brown >/dev/null
exits "open the third hit" 0 tarsier open 3
is "opens it" "$(cat "$TEST_TMP/opened")" "open
$d/sub/dog-copy.txt"
exits "--open" 0 tarsier --open quick
is "opens the first" "$(tail -n 1 "$TEST_TMP/opened")" "$d/fox.txt"
exits "--open=2" 0 tarsier -s path --open=2 --dups show brown
is "opens the second" "$(tail -n 1 "$TEST_TMP/opened")" "$d/night.html"
exits "there is no hit 0" 2 tarsier search --open=0 brown
like "says so" "$(cat "$TEST_TMP/err")" 'from 1'
exits "open a file" 0 tarsier open "$d/fox.txt"
exits "open a hit that is not there" 1 tarsier open 77
is "the list of hits is private" "$(stat -c %a "$XDG_RUNTIME_DIR/tarsier/last-search")" 600

exits "colours on demand" 0 tarsier --color always quick
like "mark the word" "$(cat "$TEST_TMP/out")" "$(printf '\033\\[1;33mquick\033\\[0m')"
like "link the path" "$(cat "$TEST_TMP/out")" "$(printf '\033]8;;file://.*/docs/fox.txt')"
not_ok "no escapes in a pipe" sh -c "tarsier quick | grep -q \"\$(printf '\\033')\""

cp "$abs_top_srcdir/tests/extractors/data/image-facts.jpg" "$d/pier.jpg"
tarsier -q index
is "a picture has the date when it was taken" "$(tarsier -l date:2026-03-01 type:image)" "$d/pier.jpg"

mkdir "$d/boxes"
python3 -c "import zipfile, sys; z = zipfile.ZipFile(sys.argv[1], 'w'); z.writestr('broken.pdf', '%PDF-1.4\nbroken\n'); z.writestr('parcel.txt', 'a parcel')" "$d/boxes/b.zip"
tarsier -q index
exits "a member that could not be read" 0 tarsier -d "$d/boxes" parcel
like "is told of" "$(cat "$TEST_TMP/err")" '1 failed'
is "and counted as tarsier failed lists it" "$(tarsier --json parcel 2>"$TEST_TMP/err" | grep -o '"failed":[0-9]*') $(tarsier status --json | grep -o '"failed":[0-9]*')" '"failed":1 "failed":1'

rm "$d/fox.txt"
for word in brown tarsiers; do exits "-q looks behind a file that is gone: $word" 0 tarsier -q $word; done
exits "a file that is gone is not shown" 1 tarsier quick
mkdir "$TEST_TMP/newer"; cp -r "$HOME/.local/share/tarsier/." "$TEST_TMP/newer/"
printf 'nonsense nonsense nonsense nonsense' >"$TEST_TMP/newer/index.db"; rm -f "$TEST_TMP/newer/index.db-wal" "$TEST_TMP/newer/index.db-shm"
exits "a damaged index" 4 tarsier --index "$TEST_TMP/newer" quick
cp "$HOME/.local/share/tarsier/index.db" "$TEST_TMP/newer/"
python3 -c "import sqlite3,sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version = 99'); c.commit(); c.close()" "$TEST_TMP/newer/index.db"
exits "an index of a newer version" 4 tarsier --index "$TEST_TMP/newer" quick
like "says so" "$(cat "$TEST_TMP/err")" 'newer'
done_testing
