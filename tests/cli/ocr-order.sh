# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures are read last: a file saved meanwhile does not wait for them, even with one converter.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/pictures; mkdir -p "$d"
data=$abs_top_srcdir/tests/extractors/data
watch_dirs "$d"
tarsier config set daemon.ocr eng
tarsier config set daemon.converters 1
tarsier formats | grep -q '^ocr .*tesseract' || skip_all "tesseract or its English data is not installed"
PYTHONPATH=$abs_top_srcdir/tests/extractors python3 - "$data/image-scan.png" "$TEST_TMP/sheet.pgm" 4 12 <<'PY'
# A sheet of many copies of a small picture, which takes a while to read.
import sys, png_file
across, down = int(sys.argv[3]), int(sys.argv[4])
rows = [row[::3] * across for row in png_file.rows(sys.argv[1])]
with open(sys.argv[2], "wb") as out:
    out.write(b"P5\n%d %d\n255\n" % (len(rows[0]), len(rows) * down) + b"".join(rows) * down)
PY
start_daemon || { echo "Bail out!"; exit 1; }
ok "the daemon finishes an empty tree" synced
unread() { [ -z "$(tarsier harbour lantern 2>/dev/null)" ]; }
in_work() { tarsier status --json | grep -q '"state":"indexing"'; }

cp "$TEST_TMP/sheet.pgm" "$d/one.pgm"
ok "the daemon begins to read a large picture" wait_until "the picture is in work" in_work
for n in 1 2 3; do
	printf 'the gannet number %s\n' $n >"$d/note$n.txt"
	ok "note $n, saved while a picture is read, is found" \
		wait_until "note $n is found" sh -c "tarsier gannet number $n | grep -q note$n"
	ok "note $n is found before the picture" unread
done
cp "$d/one.pgm" "$d/two.pgm"
printf ' ' >>"$d/two.pgm"
printf '%%PDF-1.4\n' >"$d/broken.pdf"
ok "a file that fails while a picture is read is listed" \
	wait_until "the failure is listed" sh -c 'tarsier failed 2>&1 | grep -q broken'
ok "a picture that is being read is overwritten" cp "$data/image-scan.png" "$d/one.pgm"
printf 'the last puffin\n' >"$d/last.txt"
ok "a file is found although the picture in work was overwritten" \
	wait_until "the file is found" sh -c 'tarsier puffin | grep -q last'
ok "the daemon reads all pictures once nothing else waits" synced
is "both pictures are found by the words in them" \
	"$(tarsier harbour lantern 2>/dev/null | sort)" "$d/one.pgm
$d/two.pgm"
before=$(tarsier info --json "$d/two.pgm" | sed 's/.*"id":\([0-9]*\).*/\1/')
stop_daemon
start_daemon
ok "the daemon finishes after a restart" synced
is "a restart reads no picture again" \
	"$(tarsier info --json "$d/two.pgm" | sed 's/.*"id":\([0-9]*\).*/\1/')" "$before"

cp "$TEST_TMP/sheet.pgm" "$d/three.pgm"
printf '  ' >>"$d/three.pgm"
ok "the daemon reads a picture when it is killed" wait_until "the picture is in work" in_work
stop_daemon KILL
start_daemon
ok "the daemon finishes after it was killed while it read a picture" synced
like "a picture that was in work when the daemon was killed is found" \
	"$(tarsier harbour lantern 2>/dev/null)" three.pgm
done_testing
