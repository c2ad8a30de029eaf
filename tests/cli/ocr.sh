# SPDX-License-Identifier: GPL-3.0-or-later
# Text in pictures: not looked for unless a language is named; then found, and gone when it is turned off.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/pictures; mkdir -p "$d"
cp "$abs_top_srcdir/tests/extractors/data/image-scan.png" "$d/scan.png"
printf 'a note about lanterns\n' >"$d/note.txt"
tarsier -q add "$d"
ok "index" tarsier -q index
is "off, the picture has no words" "$(tarsier harbour 2>/dev/null)" ""
like "formats says that it is off" "$(tarsier formats)" 'off: daemon.ocr names no language'
exits "which is no trouble" 0 sh -c 'tarsier doctor | grep -i ocr; true'
is "says doctor" "$(cat "$TEST_TMP/out")" ""
ok "a language that is not there is no error" tarsier config set daemon.ocr xxx
ok "index" tarsier -q index
like "formats says what is missing" "$(tarsier formats)" 'no data for the language\|not installed\|without tesseract'
tarsier config set daemon.ocr eng
tarsier formats | grep -q '^ocr .*tesseract' || { skip "recognition" "tesseract or its English data is not installed"; done_testing; exit 0; }
ok "index again" tarsier -q index
is "on, it is found by its words" "$(tarsier harbour lantern 2>/dev/null)" "$d/scan.png"
is "nothing else was converted again" "$(tarsier info --json "$d/note.txt" | sed 's/.*"version":\([0-9]*\).*/\1/' | awk '{ print $1 < 100 }')" 1
before=$(tarsier info --json "$d/scan.png" | sed 's/.*"id":\([0-9]*\).*/\1/')
cp "$d/scan.png" "$d/copy.png"
ok "index a copy" tarsier -q index
is "its text is known by the checksum" "$(tarsier info --json "$d/copy.png" | sed 's/.*"id":\([0-9]*\).*/\1/')" "$before"
tarsier config set daemon.ocr ''
ok "index without" tarsier -q index
is "off again, the words are gone" "$(tarsier harbour 2>/dev/null)" ""
done_testing
