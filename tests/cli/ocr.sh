# SPDX-License-Identifier: GPL-3.0-or-later
# Text in pictures is found while daemon.ocr names a language, and only then.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/pictures; mkdir -p "$d"
cp "$abs_top_srcdir/tests/extractors/data/image-scan.png" "$d/scan.png"
printf 'a note about lanterns\n' >"$d/note.txt"
tarsier -q add "$d"
ok "a picture is indexed without character recognition" tarsier -q index
is "without a language for recognition the words of a picture are not found" \
	"$(tarsier harbour 2>/dev/null)" ""
like "formats says that daemon.ocr names no language" \
	"$(tarsier formats)" 'off: daemon.ocr is not set'
exits "doctor runs without a language for recognition" 0 sh -c 'tarsier doctor | grep -i ocr; true'
is "doctor does not complain that recognition is off" "$(cat "$TEST_TMP/out")" ""
ok "config set takes a language whose data is missing" tarsier config set daemon.ocr xxx
ok "index succeeds though the data of the language is missing" tarsier -q index
like "formats says that the data of the language is missing" \
	"$(tarsier formats)" 'no data for the language\|not installed\|without tesseract'
tarsier config set daemon.ocr eng
tarsier formats | grep -q '^ocr .*tesseract' || { skip "text in pictures is recognised" \
	"tesseract or its English data is not installed"; done_testing; exit 0; }
ok "index with recognition succeeds" tarsier -q index
is "with a language the picture is found by its words" \
	"$(tarsier harbour lantern 2>/dev/null)" "$d/scan.png"
is "other files are not converted again when recognition is turned on" \
	"$(tarsier info --json "$d/note.txt" | sed 's/.*"version":\([0-9]*\).*/\1/' | awk '{ print $1 < 100 }')" 1
before=$(tarsier info --json "$d/scan.png" | sed 's/.*"id":\([0-9]*\).*/\1/')
cp "$d/scan.png" "$d/copy.png"
ok "index of a copy of the picture succeeds" tarsier -q index
is "the copy shares the text that was recognised before" \
	"$(tarsier info --json "$d/copy.png" | sed 's/.*"id":\([0-9]*\).*/\1/')" "$before"
tarsier config set daemon.ocr ''
ok "index succeeds when recognition is turned off" tarsier -q index
is "the words of a picture are not found once recognition is off" \
	"$(tarsier harbour 2>/dev/null)" ""
done_testing
