# SPDX-License-Identifier: GPL-3.0-or-later
# Text in pictures is found while daemon.ocr names a language, and only then.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/pictures; mkdir -p "$d"
cp "$abs_top_srcdir/tests/extractors/data/image-scan.png" "$d/scan.png"
cp "$abs_top_srcdir/tests/extractors/data/pdf-scanned.pdf" "$d/pages.pdf"
cp "$abs_top_srcdir/tests/extractors/data/image-pages.tiff" "$d/fax.tiff"
printf 'a note about lanterns\n' >"$d/note.txt"
tarsier -q add "$d"
ok "a picture is indexed without character recognition" tarsier -q index
is "without a language for recognition the words of a picture are not found" \
	"$(tarsier harbour 2>/dev/null)" ""
like "formats says that daemon.ocr names no language" \
	"$(tarsier formats)" 'off: daemon.ocr is not set'
exits "doctor runs without a language for recognition" 0 sh -c 'tarsier doctor | grep -i ocr; true'
is "doctor does not complain that recognition is off" "$(cat "$TEST_TMP/out")" ""
cp "$abs_top_srcdir/tests/extractors/data/pdf-picture.pdf" "$d/drawing.pdf"
ok "index of a PDF without text succeeds" tarsier -q index
like "doctor tells that a PDF without text may be a scan" \
	"$(tarsier doctor)" '1 PDF file has no text.*daemon.ocr'
ok "config set takes a language whose data is missing" tarsier config set daemon.ocr xxx
ok "index succeeds though the data of the language is missing" tarsier -q index
like "formats says that the data of the language is missing" \
	"$(tarsier formats)" 'no data for the language\|not installed\|without tesseract'
tarsier config set daemon.ocr eng
tarsier formats | grep -q '^ocr .*tesseract' || { skip "text in pictures is recognised" \
	"tesseract or its English data is not installed"; done_testing; exit 0; }
ok "index with recognition succeeds" tarsier -q index
is "with a language the picture is found by its words" \
	"$(tarsier harbour lantern ext:png 2>/dev/null)" "$d/scan.png"
is "all pages of a picture are found by their words" \
	"$(tarsier harbour nineteen ext:tiff 2>/dev/null)" "$d/fax.tiff"
is "scanned pages of a PDF are found by their words" \
	"$(tarsier harbour lantern ext:pdf 2>/dev/null)" "$d/pages.pdf"
is "a page with a mark is recognised, one with a text or a small picture is not" \
	"$(tarsier show "$d/pages.pdf" | grep -c 'Kept by Ines Falk')" 2
ok "the text of a scanned PDF is one document with its pages" \
	sh -c "tarsier info --json '$d/pages.pdf' | grep -q '\"pages\":5'"
is "other files are not converted again when recognition is turned on" \
	"$(tarsier info --json "$d/note.txt" | sed 's/.*"version":\([0-9]*\).*/\1/' | awk '{ print $1 < 100 }')" 1
before=$(tarsier info --json "$d/scan.png" | sed 's/.*"id":\([0-9]*\).*/\1/')
cp "$d/scan.png" "$d/copy.png"
ok "index of a copy of the picture succeeds" tarsier -q index
is "the copy shares the text that was recognised before" \
	"$(tarsier info --json "$d/copy.png" | sed 's/.*"id":\([0-9]*\).*/\1/')" "$before"
tarsier config set limits.time 1
python3 - "$d/pages.pdf" "$d/many.pdf" <<'PY'
# Far more scanned pages than can be read in ten times the limit: copies of the first one. There is
# no table of objects, so that they are looked for.
import re, sys
data = open(sys.argv[1], "rb").read().partition(b"xref")[0]
first = re.search(rb"\n6 0 obj(.*?endobj\n)", data, re.S).group(1)
numbers = range(100, 1000)
data += b"".join(b"%d 0 obj%s" % (number, first) for number in numbers)
pages = b"/Kids[%s]/Count %d" % (b"".join(b"%d 0 R " % number for number in numbers), len(numbers))
data = re.sub(rb"/Kids\[[^]]*\]/Count \d+", pages, data) + b"trailer<</Root 1 0 R>>\n"
open(sys.argv[2], "wb").write(data)
PY
ok "index of a PDF with too many scanned pages succeeds" tarsier -q index
is "the pages that were read in time are found" \
	"$(tarsier harbour lantern name:many 2>/dev/null)" "$d/many.pdf"
like "a PDF whose pages were not all read is told as read in part" \
	"$(tarsier failed)" 'many.pdf.*not all pictures were recognised'
rm "$d/many.pdf"
tarsier config set daemon.ocr ''
ok "index succeeds when recognition is turned off" tarsier -q index
is "the words of a picture are not found once recognition is off" \
	"$(tarsier harbour 2>/dev/null)" ""
is "the mark on a scanned page is found without recognition" \
	"$(tarsier '"scanned by a telephone"' 2>/dev/null)" "$d/pages.pdf"
done_testing
