#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-sandbox.sh: a file gives the same text and thumbnail inside of the sandbox and outside. SANDBOX_CORPUS=DIR:
# every file below DIR is compared too, except those that take over a minute outside.
. "$abs_top_srcdir/tests/lib.sh"
data=$abs_top_srcdir/tests/extractors/data

# One program converts all, because its start takes longer than a conversion.
set --
for file in "$data"/*; do
	case $file in *.expected) ;; *) set -- "$@" --file "$file" ;; esac
done
split() { # split DIR: what each file gives, in a file of its name
	awk -v to="$1" '
		/^==> .* <==$/ { close(out); out = $0; sub(/^.*\//, "", out); sub(/ <==$/, "", out); out = to "/" out; next }
		{ print >out }'
}
mkdir "$TEST_TMP/in" "$TEST_TMP/out"
"$TARSIER_EXTRACT" "$@" 2>/dev/null | split "$TEST_TMP/in"
"$TARSIER_EXTRACT" --no-sandbox "$@" 2>/dev/null | split "$TEST_TMP/out"
for file; do
	name=${file##*/}
	[ "$file" != --file ] || continue
	ok "$name is converted outside of the sandbox" test -s "$TEST_TMP/out/$name"
	is "$name gives the same text inside of the sandbox" "$(cat "$TEST_TMP/in/$name")" "$(cat "$TEST_TMP/out/$name")"
done

drawn=0
for file in "$data"/*.pdf "$data"/*.png "$data"/*.jpg "$data"/odf-picture.odt "$data"/ooxml-picture.docx "$data"/epub-cover*.epub \
	"$abs_top_srcdir"/tests/fuzz/seeds/picture/*; do
	outside=$("$TARSIER_EXTRACT" --draw --no-sandbox --file "$file" 2>/dev/null)
	is "${file##*/} gives the same thumbnail inside of the sandbox" "$("$TARSIER_EXTRACT" --draw --file "$file" 2>/dev/null)" "$outside"
	case $outside in *"PICTURE "*) drawn=$((drawn + 1)) ;; esac
done
ok "some of them have a thumbnail" test "$drawn" -ge 12

if [ -n "${SANDBOX_CORPUS:-}" ]; then
	find "$SANDBOX_CORPUS" -type f >"$TEST_TMP/files"
	n=0 differ=0 failed=0 left_out=0
	while IFS= read -r file; do
		n=$((n + 1))
		timeout 60 "$TARSIER_EXTRACT" --no-sandbox --file "$file" >"$TEST_TMP/outside" 2>/dev/null; without=$?
		[ "$without" -ne 124 ] || { left_out=$((left_out + 1)); echo "# left out: $file"; continue; }
		"$TARSIER_EXTRACT" --file "$file" >"$TEST_TMP/inside" 2>/dev/null; within=$?
		[ "$without" -eq 0 ] || failed=$((failed + 1))
		if [ "$without" -ne "$within" ] || ! cmp -s "$TEST_TMP/outside" "$TEST_TMP/inside"; then
			differ=$((differ + 1))
			echo "# differs: $file ($without, $within)"
		fi
	done <"$TEST_TMP/files"
	echo "# $n files, $failed of them not converted, $left_out left out"
	is "no file of SANDBOX_CORPUS differs inside of the sandbox" "$differ" 0
fi
done_testing
