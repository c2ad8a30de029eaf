# SPDX-License-Identifier: GPL-3.0-or-later
# search: options, forms of output and exit statuses, without a daemon.
. "$abs_top_srcdir/tests/lib.sh"
unprivileged= # root may read everything
[ "$(id -u)" != 0 ] || unprivileged="setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all"
d=$HOME/docs; mkdir -p "$d/sub"
printf 'The quick brown fox.\nSecond line about tarsiers.\n' >"$d/fox.txt"
printf 'A lazy dog and a brown bear.\n' >"$d/sub/dog.txt"
printf 'A lazy dog and a brown bear.\n' >"$d/sub/dog-copy.txt"
printf '<html><head><title>Night animals</title></head><body><p>Tarsiers hunt brown insects.</p></body></html>' >"$d/night.html"
tarsier -q add "$d"
exits "the documents are indexed" 0 tarsier -q index

exits "a query that matches exits with 0" 0 tarsier quick
is "a search in a pipe prints the path of a hit" "$(cat "$TEST_TMP/out")" "$d/fox.txt"
is "a search in a pipe prints nothing on stderr" "$(cat "$TEST_TMP/err")" ""
is "search can be left out before a query" "$(tarsier search quick)" "$d/fox.txt"

fts() { # fts YES_OR_NO COMMAND...: runs the command with posting lists read directly, or not
	_fts=$1; shift; TARSIER_FTS_PAGES=$_fts "$@"
}
is "status does not mention posting lists that are read directly" \
	"$(fts yes tarsier status | grep -c Postings)" 0
like "status --json says that posting lists are read directly" \
	"$(fts yes tarsier status --json)" '"postings":{"direct":true,"reason":null}'
like "doctor says that posting lists are read directly" \
	"$(fts yes tarsier doctor)" 'ok  postings: read directly'
like "status says why posting lists are not read directly" \
	"$(fts no tarsier status)" 'Postings .*TARSIER_FTS_PAGES'
like "status --json says why posting lists are not read directly" \
	"$(fts no tarsier status --json)" '"postings":{"direct":false,"reason":"TARSIER_FTS_PAGES'
like "doctor says why posting lists are not read directly" \
	"$(fts no tarsier doctor)" 'ok  postings: read through SQLite.*TARSIER_FTS_PAGES'
for query in quick brown 'brow*' 'b*' quik~ 'brown OR lazy' '"quick brown"' 'tarsier' '-brown'; do
	is "$query finds the same with and without FTS5's pages" \
		"$(fts no tarsier -- "$query")" "$(fts yes tarsier -- "$query")"
done

fts() { # fts YES_OR_NO COMMAND...: with or without direct reading of posting lists
	_fts=$1; shift; TARSIER_FTS_PAGES=$_fts "$@"
}
is "status is silent about posting lists that are read directly" \
	"$(fts yes tarsier status | grep -c Postings)" 0
like "status --json says that posting lists are read directly" \
	"$(fts yes tarsier status --json)" '"postings":{"direct":true,"reason":null}'
like "doctor says that posting lists are read directly" \
	"$(fts yes tarsier doctor)" 'ok  postings: read directly'
like "status says why posting lists are not read directly" \
	"$(fts no tarsier status)" 'Postings .*TARSIER_FTS_PAGES'
like "status --json says why posting lists are not read directly" \
	"$(fts no tarsier status --json)" '"postings":{"direct":false,"reason":"TARSIER_FTS_PAGES'
like "doctor says why posting lists are read through SQLite" \
	"$(fts no tarsier doctor)" 'ok  postings: read through SQLite.*TARSIER_FTS_PAGES'
for query in quick brown 'brow*' 'b*' quik~ 'brown OR lazy' '"quick brown"' 'tarsier' '-brown'; do
	is "$query finds the same through SQLite" \
		"$(fts no tarsier -- "$query")" "$(fts yes tarsier -- "$query")"
done

is "-0 ends each path with NUL" "$(tarsier search -0 quick | tr '\0' '|')" "$d/fox.txt|"
is "-l prints paths" "$(tarsier -l quick)" "$d/fox.txt"
is "-c prints the number of hits" "$(tarsier -c --dups show brown)" 4
exits "-q exits with 0 if there is a hit" 0 tarsier -q quick
is "-q prints nothing if there is a hit" "$(cat "$TEST_TMP/out" "$TEST_TMP/err")" ""
exits "-q exits with 1 if there is no hit" 1 tarsier -q zebra
is "-q prints nothing if there is no hit" "$(cat "$TEST_TMP/out" "$TEST_TMP/err")" ""
exits "a query that matches nothing exits with 1" 1 tarsier zebra
like "a query that matches nothing names the roots on stderr" "$(cat "$TEST_TMP/err")" "$d"
is "a negated word excludes documents" "$(tarsier brown -fox -lazy)" "$d/night.html"
is "equal documents count once" "$(tarsier -c lazy)" 1
is "--dups=show prints every copy" "$(tarsier search --dups=show -s path lazy)" "$d/sub/dog-copy.txt
$d/sub/dog.txt"
is "--dir restricts the search to a directory" "$(tarsier -d "$d/sub" -c --dups show brown)" 2
is "--dir can be given twice" "$(tarsier -d "$d/sub" -d "$d" -c --dups show brown)" 4
is "--ext restricts the search to an extension" "$(tarsier -e html brown)" "$d/night.html"
is "--type needs no words" "$(tarsier -t document)" "$d/night.html"
is "--mime restricts the search to a MIME type" "$(tarsier -m 'text/html' brown)" "$d/night.html"
exits "an unknown --type exits with 2" 2 tarsier -t nonsense brown
like "an unknown --type is answered with the known types" \
	"$(cat "$TEST_TMP/err")" '"nonsense"\. Types are document,'
for word in -ext:txt -dir:sub '-size>1k' -wombat; do
	is "the negated term $word in place of an option is one" "$(tarsier -l "$word" brown)" "$(tarsier -l brown "$word")"
done
is "a negated filter may come first" "$(tarsier -l -ext:txt brown)" "$d/night.html"
for word in -z -zebra -übung; do
	is "the leading word $word is excluded" "$(tarsier -l "$word" brown | sort)" "$(tarsier -l brown -- "$word" | sort)"
done
for word in -xylophone -tabla -tübung -mail -north -size -late; do
	is "the letters of $word are not a value of an option, so it is excluded" \
		"$(tarsier -l "$word" brown | sort)" "$(tarsier -l brown -- "$word" | sort)"
done
is "a type behind its letter is one" "$(tarsier -l -tdocument brown)" "$d/night.html"
is "a type of another program behind its letter is one" "$(tarsier -c -tbilder)" 0
is "an extension behind its letter is one" "$(tarsier -l -ehtml brown)" "$d/night.html"
is "any word behind -e is an extension" "$(tarsier -c -example brown)" 0
is "any word behind -d is a directory" "$(tarsier -c -download brown 2>/dev/null)" 0
is "a MIME type behind its letter is one" "$(tarsier -l -mtext/html brown)" "$d/night.html"
is "a number behind its letter is one" "$(tarsier -n1 brown | wc -l)" 1
is "a command behind its letter is one" "$(tarsier -xecho night)" "$d/night.html"
is "a command line behind its letter is one" "$(tarsier '-xecho {}' night)" "$d/night.html"
exits "what is not a word behind the letter is a wrong value" 2 tarsier -tfoo,bar brown
tarsier -z brown >/dev/null 2>"$TEST_TMP/err"
like "a note says that it is not an option" "$(cat "$TEST_TMP/err")" '"-z" is not an option'
tarsier -tpfd brown >/dev/null 2>"$TEST_TMP/err"
like "a note says that a misspelt type is none" "$(cat "$TEST_TMP/err")" '"-tpfd" is not an option'
is "a note tells nothing of a filter" "$(tarsier -l -ext:txt brown 2>&1)" "$d/night.html"
is "a negated term may follow --" "$(tarsier -l -- -ext:txt brown)" "$d/night.html"
for words in "brown -- -c" "-- -c brown" "brown -- -c -n"; do
	is "behind -- a letter is excluded: $words" "$(tarsier --count $words 2>&1)" "$(tarsier -c brown)"
done
not_ok "behind -- a word is never called an option" 1 sh -c 'tarsier brown -- -wombat --fox 2>&1 | grep -q option'
exits "behind -- a command is text" 1 tarsier -- grep -c brown
like "a note says so" "$(cat "$TEST_TMP/err")" 'Read as text'
is "more words than a verb takes are searched" "$(tarsier -l status brown fox 2>/dev/null)" "$(tarsier -l -- status brown fox)"
exits "words after a verb that takes none are a search" 1 tarsier status of zebras
like "a note says so" "$(cat "$TEST_TMP/err")" 'status takes fewer words'
exits "a misspelt verb is a search" 1 tarsier staus
like "which names the verb" "$(cat "$TEST_TMP/err")" 'write: tarsier status'
is "an option may follow a word" "$(tarsier brown -c)" "$(tarsier -c brown)"
is "an option with a value may stand between words" "$(tarsier -l brown -n 1 OR fox | wc -l)" 1
exits "a word that looks like an option is searched" 0 tarsier brown --fox
like "a note says that it is not an option" "$(cat "$TEST_TMP/err")" '"--fox" is not an option'
is "--filename searches names only" "$(tarsier -f fox)" "$d/fox.txt"
is "--any finds documents with one of the words" "$(tarsier -a -c quick insects)" 2
exits "words that match no document together exit with 1" 1 tarsier quick insects brown
like "the message names --soft, which shows documents with some of the words" \
	"$(cat "$TEST_TMP/err")" '--soft shows'
exits "a filter that matches nothing exits with 1" 1 tarsier dir:/no/such/place quick
like "the message names the filter that matches nothing" \
	"$(cat "$TEST_TMP/err")" '"dir:/no/such/place" by itself'
exits "words and a filter that match different documents exit with 1" 1 tarsier -t document quick
like "the message says that each part matches something by itself" \
	"$(cat "$TEST_TMP/err")" 'Each part'
exits "--soft exits with 0 if some of the words match" 0 tarsier --soft quick insects brown
is "--soft finds every document with one of the words" \
	"$(sort "$TEST_TMP/out" | tr '\n' ' ')" "$d/fox.txt $d/night.html $d/sub/dog.txt "
is "--soft ranks the document with the fewest words last" \
	"$(tail -n 1 "$TEST_TMP/out")" "$d/sub/dog.txt"
like "--soft says how many documents have only some of the words" \
	"$(cat "$TEST_TMP/err")" 'No document contains all words. 3 more'
is "--soft prints the same order page by page" \
	"$(for o in 0 1 2; do tarsier -q --soft quick insects brown; tarsier --soft -n 1 -o $o quick insects brown 2>/dev/null; done)" "$(cat "$TEST_TMP/out")"
like "--soft --json tells how many of the words a hit has" \
	"$(tarsier --json --soft quick insects brown 2>/dev/null)" '"words_met":2,"words":3'
exits "--soft with another order exits with 2" 2 tarsier --soft -s date quick insects
is "--soft ranks a document with all words first" \
	"$(tarsier --soft quick fox tarsiers | head -n 1)" "$d/fox.txt"
is "--limit bounds the number of hits" "$(tarsier -n 1 --dups show brown | wc -l)" 1
is "--offset continues where the last page ended" \
	"$( (tarsier -n 1 -s path --dups show brown; tarsier -n 9 -o 1 -s path --dups show brown) | wc -l)" 4
is "--sort path sorts by path" "$(tarsier -s path --dups show brown | head -n 1)" "$d/fox.txt"
is "--reverse reverses the order" \
	"$(tarsier -r -s path --dups show brown | tail -n 1)" "$d/fox.txt"
is "-n 0 -c counts the hits" "$(tarsier -n 0 -c --dups show brown)" 4
exits "-n 0 exits with 0 if there is a hit" 0 tarsier -n 0 brown
is "-n 0 prints nothing" "$(cat "$TEST_TMP/out" "$TEST_TMP/err")" ""
exits "-n 0 exits with 1 if there is no hit" 1 tarsier -n 0 zebra
exits "--explain exits like the search itself" 0 tarsier --explain quick
like "--explain describes the term on stderr" "$(cat "$TEST_TMP/err")" '^  the word "quick" in text'
exits "--explain of a boolean query exits like the search itself" \
	0 tarsier --explain lazy 'dogs OR NOT ext:PDF'
like "--explain puts each condition on its own line" "$(cat "$TEST_TMP/err")" '^      not:$'
like "--explain prints the normal form of the query" \
	"$(cat "$TEST_TMP/err")" '^  lazy AND (dogs OR NOT ext:pdf)$'
like "--explain names the inflected forms of a word" \
	"$(cat "$TEST_TMP/err")" 'the word "dogs" in .*, also as dog$'
like "--explain prints the SQL statement" "$(cat "$TEST_TMP/err")" '^  SELECT'
exits "--wait without the daemon exits with 3" 3 tarsier --wait quick

exits "an unknown field exits with 2" 2 tarsier '漢字 nosuchfield:x'
is "a caret marks the unknown field below the query" \
	"$(sed -n '2,3p' "$TEST_TMP/err")" "  漢字 nosuchfield:x
       ^^^^^^^^^^^"
exits "a query with an open quote exits with 2" 2 tarsier '"open'
like "--json may stand after a word" "$(tarsier quick --json)" '^{"type":"begin"'

tarsier --json brown >"$TEST_TMP/json"
ok "search --json has the documented keys and values" python3 - "$TEST_TMP/json" "$d" <<'PY'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
begin, hits, end = lines[0], lines[1:-1], lines[-1]
assert begin == {"type": "begin", "format": 1, "query": "brown", "total": 3, "total_exact": True}, begin
assert set(end) == {"type", "shown", "ms", "pending", "failed", "offline", "truncated"} and end["shown"] == 3, end
keys = ("type rank id path path_b64 member uri url source title author mime kind lang size mtime date uid gid mode checksum score "
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
        assert set(snippet) == {"field", "page", "line", "heading", "text", "marks"}
        marked = [snippet["text"].encode()[a:b].decode().lower() for a, b in snippet["marks"]]
        assert "brown" in marked, snippet
PY
tarsier --json --no-snippets zebra >"$TEST_TMP/json" 2>/dev/null
is "search --json without hits prints the first and last object only" \
	"$(sed 's/"ms":[0-9]*/"ms":0/' "$TEST_TMP/json")" '{"type":"begin","format":1,"query":"zebra","total":0,"total_exact":true}
{"type":"end","shown":0,"ms":0,"pending":0,"failed":0,"offline":0,"truncated":0}'

is "--exec ending with ; runs the command once for each hit" \
	"$(tarsier -s path --dups show -x echo 'got:{}' ';' brown)" "got:$d/fox.txt
got:$d/night.html
got:$d/sub/dog-copy.txt
got:$d/sub/dog.txt"
is "--exec ending with {} runs the command once with all hits" \
	"$(tarsier -x wc -l {} quick)" "2 $d/fox.txt"
exits "--exec exits with 5 if the command fails" 5 tarsier -x false {} quick
exits "--exec exits with 5 if there is no such program" 5 tarsier -x /no/such/program {} quick

mkdir "$TEST_TMP/bin"
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>"%s"\n' "$TEST_TMP/opened" >"$TEST_TMP/bin/gio"; chmod +x "$TEST_TMP/bin/gio"
PATH=$TEST_TMP/bin:$PATH
tarsier -s path --dups show brown >/dev/null
exits "open 3 exits with 0" 0 tarsier open 3
is "open 3 passes the third hit of the last search to the viewer" "$(cat "$TEST_TMP/opened")" "open
$d/sub/dog-copy.txt"
exits "--open exits with 0" 0 tarsier --open quick
is "--open passes the first hit to the viewer" "$(tail -n 1 "$TEST_TMP/opened")" "$d/fox.txt"
exits "--open=2 exits with 0" 0 tarsier -s path --open=2 --dups show brown
is "--open=2 passes the second hit to the viewer" "$(tail -n 1 "$TEST_TMP/opened")" "$d/night.html"
exits "--open=0 exits with 2" 2 tarsier search --open=0 brown
like "the message says that hits are counted from 1" "$(cat "$TEST_TMP/err")" 'from 1'
exits "open takes a path" 0 tarsier open "$d/fox.txt"
exits "open of a hit beyond the last exits with 2" 2 tarsier open 77
is "the list of the last hits is readable by its owner alone" \
	"$(stat -c %a "$XDG_RUNTIME_DIR/tarsier/last-search"/*)" 600

exits "--color always works in a pipe" 0 tarsier --color always quick
like "--color always highlights the matched word" \
	"$(cat "$TEST_TMP/out")" "$(printf '\033\\[1;33mquick\033\\[0m')"
like "--color always prints a path as a link" \
	"$(cat "$TEST_TMP/out")" "$(printf '\033]8;;file://.*/docs/fox.txt')"
not_ok "output in a pipe has no escapes by default" 1 \
	sh -c "tarsier quick | grep -q \"\$(printf '\\033')\""

cp "$abs_top_srcdir/tests/extractors/data/image-facts.jpg" "$d/pier.jpg"
tarsier -q index
is "date: finds a picture by the date when it was taken" \
	"$(tarsier -l date:2026-03-01 type:image)" "$d/pier.jpg"

mkdir "$d/boxes"
python3 -c "import zipfile, sys; z = zipfile.ZipFile(sys.argv[1], 'w'); z.writestr('broken.pdf', '%PDF-1.4\nbroken\n'); z.writestr('parcel.txt', 'a parcel')" "$d/boxes/b.zip"
tarsier -q index
exits "a readable member of an archive with a damaged one is found" 0 tarsier -d "$d/boxes" parcel
like "a search says how many entries could not be converted" "$(cat "$TEST_TMP/err")" '1 failed'
is "search and status count a damaged member as one failure" \
	"$(tarsier --json parcel 2>"$TEST_TMP/err" | grep -o '"failed":[0-9]*') $(tarsier status --json | grep -o '"failed":[0-9]*')" '"failed":1 "failed":1'

# ---- counting
mkdir "$d/slow"
for i in $(seq 600); do echo "slowword number $i" >"$d/slow/$i.txt"; done
tarsier -q index
is "-c counts all hits" "$(tarsier search -c slowword)" 600
is "-x runs for the hits of a page" "$(tarsier search --color=always -x echo {} ';' slowword 2>"$TEST_TMP/err" | wc -l)" 20
like "-x tells that there are more" "$(cat "$TEST_TMP/err")" '1–20 of .*600'
exits "-c with an offset inside the hits exits with 0" 0 tarsier search -c -o 599 slowword
exits "-c with an offset behind the hits exits with 1" 1 tarsier search -c -o 600 slowword
exits "-c on a disk that takes 12 s for all checks answers in time" 0 \
	env LD_PRELOAD="$abs_top_builddir/tests/cli/.libs/slow-disk.so" \
	ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" tarsier search -c slowword
is "the number is an upper bound" "$(cat "$TEST_TMP/out")" 600
like "a note says so" "$(cat "$TEST_TMP/err")" 'upper bound'

rm "$d/fox.txt"
for word in brown tarsiers; do exits "-q finds a hit although a file that matches $word better is gone" \
	0 tarsier -q $word; done
exits "a deleted file is not a hit before the next index run" 1 tarsier quick
mkdir "$TEST_TMP/newer"; cp -r "$HOME/.local/share/tarsier/." "$TEST_TMP/newer/"
printf 'nonsense nonsense nonsense nonsense' >"$TEST_TMP/newer/index.db"; rm -f "$TEST_TMP/newer/index.db-wal" "$TEST_TMP/newer/index.db-shm"
exits "a search in a damaged index exits with 4" 4 tarsier --index "$TEST_TMP/newer" quick
cp "$HOME/.local/share/tarsier/index.db" "$TEST_TMP/newer/"
python3 -c "import sqlite3,sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version = 99'); c.commit(); c.close()" "$TEST_TMP/newer/index.db"
exits "a search in an index of a newer version exits with 4" \
	4 tarsier --index "$TEST_TMP/newer" quick
like "the message says that the index is of a newer version" "$(cat "$TEST_TMP/err")" 'newer'

# ---- an index without permission
chmod 0 "$TEST_TMP/newer"
for verb in "search quick" status list; do
	exits "without permission for the index, ${verb% *} exits with 2" \
		2 $unprivileged tarsier --index "$TEST_TMP/newer" $verb
done
exits "so does a search" 2 $unprivileged tarsier --index "$TEST_TMP/newer" quick
like "the message says that permission is missing" "$(cat "$TEST_TMP/err")" 'has permission'
chmod 700 "$TEST_TMP/newer"
if [ "$(id -u)" = 0 ]; then
	chown 65534 "$TEST_TMP/newer/index.db"
	exits "so does a search in the index of another user" 2 \
		tarsier --index "$TEST_TMP/newer" quick
	like "the message says whose it is" "$(cat "$TEST_TMP/err")" 'another user'
	exits "index of it exits with 2" 2 tarsier --index "$TEST_TMP/newer" index
fi

# ---- misspelt verbs that are words of a few documents
mkdir -p "$HOME/verbs"; printf 'lst dubs snow staus\n' >"$HOME/verbs/few.txt"
tarsier -q add "$HOME/verbs"; tarsier -q index
for words in "lst list" "dubs dups" "staus status"; do
	exits "${words% *} finds its document" 0 tarsier "${words% *}"
	like "and the verb is named" "$(cat "$TEST_TMP/err")" "write: tarsier ${words#* }\$"
done
tarsier snow >"$TEST_TMP/out" 2>"$TEST_TMP/err"
is "a verb that needs arguments is not named" "$(grep 'not a verb' "$TEST_TMP/err")" ""
tarsier lst dubs >"$TEST_TMP/out" 2>"$TEST_TMP/err"
is "nor is one before words that were found" "$(grep 'not a verb' "$TEST_TMP/err")" ""
tarsier search lst >"$TEST_TMP/out" 2>"$TEST_TMP/err"
is "nor is one that was searched by the verb" "$(grep 'not a verb' "$TEST_TMP/err")" ""
for n in 1 2 3 4 5 6 7 8 9 10; do echo "lst number $n" >"$HOME/verbs/$n.txt"; done
tarsier -q index
tarsier lst >"$TEST_TMP/out" 2>"$TEST_TMP/err"
is "a word of more documents was meant" "$(grep 'not a verb' "$TEST_TMP/err")" ""

# Copies are one hit: the copy that comes first in the order.
mkdir -p "$HOME/order/z"
echo "sortword one" >"$HOME/order/a_first.txt"
echo "sortword middle" >"$HOME/order/m_mid.txt"
cp "$HOME/order/a_first.txt" "$HOME/order/z/copy.txt"
touch -d 2020-01-01 "$HOME/order/a_first.txt"
touch -d 2022-01-01 "$HOME/order/m_mid.txt"
touch -d 2024-01-01 "$HOME/order/z/copy.txt"
tarsier -q add "$HOME/order"
tarsier -q index
order() { # order OPTIONS QUERY: the names of the hits
	tarsier --json --no-snippets $1 -d "$HOME/order" "$2" |
		sed -n 's|.*"path":"[^"]*/\([a-z_]*\)\.txt".*|\1|p' | tr '\n' ' '
}
while read -r names options; do
	expected="${names%,*} ${names#*,} "
	is "$options: a hit is the copy that gives it its place" "$(order "$options" sortword)" "$expected"
	is "$options: pages have the same hits" \
		"$(order "$options -n 1" sortword)$(order "$options -n 1 --offset 1" sortword)" "$expected"
	is "$options: filters alone have the same hits" "$(order "$options" ext:txt)" "$expected"
done <<END
a_first,m_mid -s path
copy,m_mid -s path -r
a_first,m_mid -s name
m_mid,copy -s name -r
copy,m_mid -s date
a_first,m_mid -s date -r
END
rm "$HOME/order/a_first.txt"
is "a copy that is gone gives the others no place" "$(order "-s path" sortword)" "m_mid copy "
tarsier -q index

# A pasted path of a member finds it first.
mkdir -p "$HOME/members/in"
(
	cd "$HOME/members" || exit
	echo "memberword x" >in/ner.txt
	tar cf first.tar in
	echo "memberword x y" >in/ner.txt
	tar cf nested.tar in
	echo "equal short" >s.txt
	tar cf outer.tar nested.tar s.txt
	tar cf outer2.tar first.tar s.txt
	rm -r in nested.tar s.txt
)
tarsier -q add "$HOME/members"
tarsier -q index
for member in 'outer.tar|nested.tar|in/ner.txt' 'outer2.tar|first.tar|in/ner.txt' 'first.tar|in/ner.txt' \
	'outer.tar|s.txt' 'outer2.tar|s.txt'; do
	is "the pasted path of a member finds it first: $member" \
		"$(tarsier "$HOME/members/$member" 2>"$TEST_TMP/err" | head -n 1)" "$HOME/members/$member"
	is "no note says that it is not there: $member" "$(grep -c "no file" "$TEST_TMP/err")" 0
done
is "a path of a member may be quoted" "$(tarsier "\"$HOME/members/outer2.tar|s.txt\"")" "$HOME/members/outer2.tar|s.txt"
is "a path of a member may begin with a tilde" "$(tarsier "~/members/outer2.tar|s.txt")" "$HOME/members/outer2.tar|s.txt"
mv "$HOME/members/outer.tar" "$HOME/outer.tar"
tarsier -q index
exits "the path of a member that is gone finds nothing" 1 tarsier "$HOME/members/outer.tar|s.txt"

done_testing
