# SPDX-License-Identifier: GPL-3.0-or-later
# A long document is found by its section: snippets name the headings above them, --passages ranks sections.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d"
filler=$(yes 'The service reads the file and writes it again to the disk of the machine.' | head -n 60)
cat >"$d/manual.html" <<END
<!doctype html><html><head><title>The lantern manual</title></head><body><h1>The lantern manual</h1>
<p>About lanterns and the harbour. $filler</p>
<h2>Installing</h2><p>$filler</p>
<h3>From a package</h3><p>Take the package. $filler</p>
<h3>From &#x202e;source</h3><p>$filler Compile it with a wrench and an anvil.</p>
<h2>Maintenance</h2><p>$filler</p><p>A wrench is of use here too.</p><p>$filler</p>
<h3>Cleaning</h3><p>Take an anvil. $filler</p>
</body></html>
END
{ for i in $(seq 200); do echo "Line $i of the notes, about nothing."; done; echo; echo 'The anvil of the harbour.'; } >"$d/notes.txt"
echo 'Nothing of use.' >"$d/wrench-anvil.txt"
ok "a manual is indexed" sh -c "tarsier -q add '$d' && tarsier -q index"

json() { tarsier --json "$@" 2>/dev/null; }
field() { python3 -c 'import json, sys
hits = [hit for hit in map(json.loads, sys.stdin) if hit["type"] == "hit"]
for hit in hits:
	for snippet in hit["snippets"]: print(hit["path"].rsplit("/")[-1], snippet[sys.argv[1]], sep=" ")' "$1"; }

is "a snippet stands under the headings of the section that has the whole query" \
	"$(json compile wrench anvil | field heading | sed -n 1p)" 'manual.html Installing › From source'
is "words of the headings above count" \
	"$(json maintenance wrench | field heading | sed -n 1p)" 'manual.html Maintenance'
like "a block names the headings, escaped, and not the title" \
	"$(tarsier --long --color never compile wrench 2>/dev/null)" '^    Installing › From source$'
is "a text without headings has none" "$(json harbour anvil ext:txt | field heading)" 'notes.txt None'

tarsier --passages wrench anvil >"$TEST_TMP/lines" 2>"$TEST_TMP/err"
tab=$(printf '\t')
is "--passages ranks sections: those with all words, then those with some" \
	"$(head -n 1 "$TEST_TMP/lines")" "$d/manual.html$tab$tab${tab}Installing › From source"
is "each section is a line" "$(cut -f 4 "$TEST_TMP/lines" | sort | tr '\n' ';')" 'Installing › From source;Maintenance;Maintenance › Cleaning;'
is "a line of a text has its number" "$(tarsier --passages harbour anvil ext:txt 2>/dev/null | cut -f 2-4)" "${tab}202$tab"
is "passages of several documents stand in one order" \
	"$(tarsier --passages -a harbour anvil 2>/dev/null | cut -f 1 | head -n 1)" "$d/notes.txt"
is "-n and -o count passages" "$(tarsier --passages -n 1 -o 1 wrench anvil 2>/dev/null)" "$(sed -n 2p "$TEST_TMP/lines")"
is "-0 prints paths" "$(tarsier --passages -0 -n 2 wrench anvil 2>/dev/null | tr '\0' '|')" "$d/manual.html|$d/manual.html|"
like "--json tells how many documents were read" "$(json --passages compile wrench)" \
	'"total":2,"total_exact":true,"documents":1,"documents_read":1}'
is "--json has one snippet for each hit" "$(json --passages wrench anvil | field text | wc -l)" 3
like "a block is one passage" "$(tarsier --passages --long --color never -n 1 wrench anvil 2>/dev/null)" 'a wrench and an anvil'
exits "words in a name only are not a passage" 1 tarsier --passages name:wrench
like "and a note says so" "$(cat "$TEST_TMP/err")" 'names and facts only'
exits "nothing found exits with 1" 1 tarsier --passages zebra
for option in -c --open -f -r --no-snippets '-s date'; do
	# shellcheck disable=SC2086
	not_ok "--passages with $option is an error" 2 tarsier --passages $option wrench
done
not_ok "--passages with -x is an error" 2 tarsier --passages wrench -x echo {}
i=0; while [ $i -lt 25 ]; do i=$((i + 1)); echo "The gazebo number $i, and words that only $i has: w$i x$i y$i z$i." >"$d/many-$i.txt"; done
tarsier -q index
like "a note tells that not all documents were read" "$(tarsier --passages gazebo 2>&1 >/dev/null)" 'the best 20 of 25 documents'
done_testing
