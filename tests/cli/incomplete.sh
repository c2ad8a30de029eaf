#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that could not be searched are named where it matters: the footer of a search, and the list of
# failed conversions.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs
mkdir -p "$d/good" "$d/late" "$HOME/disk/in"
printf 'needle\n' >"$HOME/disk/in/away.txt"
printf 'needle\n' >"$d/good/a.txt"
watch_dirs "$d" "$HOME/disk"
start_daemon || exit 1
synced
exits "pause exits with 0" 0 tarsier pause
printf 'needle too\n' >"$d/late/b.txt"
ok "the new file waits" wait_until "it waits" sh -c 'tarsier status --json | grep -q "\"pending\":1,"'
footer() { tarsier "$@" 2>&1 >/dev/null; }
is "the footer is one short line" "$(footer needle)" "Incomplete: 1 pending."
is "the footer is printed if nothing is found" "$(footer absentword | grep -c '^Incomplete: 1 pending\.$')" 1
is "there is a footer below the directory that it concerns" "$(footer -d "$d/late" -f b)" "Incomplete: 1 pending."
is "there is no footer for another directory" "$(footer -d "$d/good" needle)" ""
is "there is no footer for another directory in the query" "$(footer "needle dir:$d/good")" ""
is "there is a footer if one of two directories is concerned" \
	"$(footer -d "$d/good" -d "$d/late" needle)" "Incomplete: 1 pending."
is "-q prints no footer" "$(footer -q needle)" ""
tarsier resume
synced
is "there is no footer when nothing waits" "$(footer needle)" ""
stop_daemon
mv "$HOME/disk" "$HOME/not-mounted"
is "the footer counts files of a root that is away" "$(footer needle)" "Incomplete: 1 offline."
is "so it does where the root is searched" "$(footer -d "$HOME/disk/in" needle | tail -n 1)" "Incomplete: 1 offline."
is "a note says that the directory is offline" "$(footer -d "$HOME/disk/in" needle | head -n 1)" \
	"$HOME/disk/in is offline; \"is:offline\" finds what the index has of it."
is "is:offline finds its files" "$(tarsier -d "$HOME/disk/in" needle is:offline)" "$HOME/disk/in/away.txt"
is "and it does not where another root is searched" "$(footer -d "$d" needle)" ""
state_of() { tarsier "$@" | grep -o '"state":"[a-z]*"'; }
is "info tells that the root of a file is away" "$(state_of info --json "$HOME/disk/in/away.txt")" '"state":"offline"'
is "and so does list" "$(state_of list --json "$HOME/disk/in/away.txt")" '"state":"offline"'
exits "show has no text of it" 1 tarsier show "$HOME/disk/in/away.txt"
exits "and similar nothing to compare" 1 tarsier similar "$HOME/disk/in/away.txt"
mv "$HOME/not-mounted" "$HOME/disk"

# ---- what failed
start_daemon || exit 1
printf '%%PDF-1.4\nbroken\n' >"$d/good/broken.pdf"
printf '%%PDF-1.4\nbroken\n' >"$d/late/b|\tad.pdf"
printf '%%PDF-1.5\nbroken too\n' >"$d/late/second.pdf"
python3 - "$d" <<'EOF'
import sys, zipfile
method = bytearray()
with zipfile.ZipFile(sys.argv[1] + "/late/odd.zip", "w", zipfile.ZIP_DEFLATED) as odd:
    for i in range(3):
        odd.writestr("%d.txt" % i, "some words " * 20)
data = bytearray(open(sys.argv[1] + "/late/odd.zip", "rb").read())
for mark, offset in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
    at = -1
    while (at := data.find(mark, at + 1)) >= 0:
        data[at + offset] = 97
open(sys.argv[1] + "/late/odd.zip", "wb").write(data)
with zipfile.ZipFile(sys.argv[1] + "/good/parts.zip", "w") as parts:
    parts.writestr("one.pdf", "%PDF-1.4\nbroken, too\n")
    parts.writestr("good.txt", "good")
EOF
synced
tab=$(printf '\t')
is "failed names each reason in a pipe, and a container once" "$(tarsier failed "$d/late" | grep odd)" \
	"$d/late/odd.zip${tab}its compression is not supported: 3 members"
is "the most frequent reason comes first" "$(tarsier failed | sed 's/.*\t//; s/:.*//' | uniq)" "it is damaged
its compression is not supported"
is "a single member is named" "$(tarsier failed "$d/good" | cut -f 1)" "$d/good/broken.pdf
$d/good/parts.zip|one.pdf"
is "a container is a place too" "$(tarsier failed "$d/good/parts.zip" | wc -l)" 1
exits "failed exits with 1 where nothing failed" 1 tarsier failed "$HOME/disk"
is "failed says so" "$(cat "$TEST_TMP/err")" "No conversion has failed there."
is "-n limits the lines of each reason" "$(tarsier failed -n 1 | wc -l)" 2
is "--json has every member" "$(tarsier failed --json "$d/late/odd.zip" | grep -c '"reason":"compression"')" 3
is "-0 has every path alone" "$(tarsier failed -0 | tr -cd '\0' | wc -c)" 7
blocks=$(tarsier --color always failed -n 1 | sed 's/\x1b\]8;;[^\x1b]*\x1b\\//g; s/\x1b\[[0-9;]*m//g')
like "a terminal shows the count of each reason" "$blocks" '^it is damaged: 4 documents$'
like "a terminal shows how many lines are left out" "$blocks" '^    and 3 more'
like "a terminal shows the number of members" "$blocks" '^      3 members$'

# ---- the parts of a split archive
mkdir -p "$d/split"
python3 -c '
import random, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    z.writestr("one.txt", "heron")
    z.writestr("two.bin", random.Random(1).randbytes(300000))
    z.writestr("three.txt", "otter")
whole = open(sys.argv[1], "rb").read()
for i in range(4):
    open("%s.%03d" % (sys.argv[1], i + 1), "wb").write(whole[i * 100000:(i + 1) * 100000])
' "$TEST_TMP/box.zip"
cp "$TEST_TMP"/box.zip.00? "$d/split/"
tarsier -q index
is "each part of a split archive is one line" "$(tarsier failed "$d/split" | cut -f 1)" "$(ls "$d"/split/box.zip.00?)"
like "which tells of its members" "$(tarsier failed "$d/split" | tail -n 1)" 'one part of a split archive; the rest is in other files: 2 members$'
is "on a terminal too" "$(NO_COLOR=1 tarsier --color always failed -n 99 "$d/split" | grep -c box.zip)" 4
is "JSON has each document" "$(tarsier failed --json "$d/split" | wc -l)" 6

# ---- a damaged file in two places
mkdir "$d/twice"
cp "$abs_top_srcdir/tests/extractors/data/archive-cut.tgz" "$d/twice/one.tgz"
cp "$d/twice/one.tgz" "$d/twice/other.tgz"
tarsier -q index
is "status, the footer and the list count each place" \
	"$(tarsier status --json | grep -o '"truncated":[0-9]*') $(tarsier failed --json | grep -c '"state":"truncated"')" \
	"$(tarsier search --json needle | grep -o '"truncated":[0-9]*' | tail -n 1) $(tarsier status --json | grep -o '"truncated":[0-9]*' | cut -d : -f 2)"
# ---- more hits than a pipe gets
python3 - "$d" <<'EOF'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/many.zip", "w") as many:
    for i in range(1010):
        many.writestr("%d.txt" % i, "haystack %d" % i)
EOF
synced
more="There are more hits; a larger -n shows them."
is "a pipe gets 1000 hits" "$(tarsier haystack 2>/dev/null | wc -l)" 1000
is "and is told that there are more" "$(footer haystack | grep -cF "$more")" 1
is "it is not where all are shown" "$(footer -n 0 haystack | grep -cF "$more")" 0
is "nor where fewer were asked for" "$(footer -n 10 haystack | grep -cF "$more")" 0
done_testing
