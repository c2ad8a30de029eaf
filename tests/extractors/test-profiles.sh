#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-profiles.sh: the colour profile of a PDF/A file costs its text nothing
. "$abs_top_srcdir/tests/lib.sh"
cat >"$TEST_TMP/archive.pdf" <<'END'
%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/DestOutputProfile 5 0 R>>]>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 25>>stream
BT/F 9 Tf(marmalade)Tj ET
endstream endobj
5 0 obj<</N 3/Length 9>>stream
a profile
endstream endobj
trailer<</Root 1 0 R/Size 6>>
END
like "the text of a file with a colour profile is read" "$("$TARSIER_EXTRACT" --file "$TEST_TMP/archive.pdf" 2>&1)" marmalade
LD_DEBUG=bindings LD_DEBUG_OUTPUT="$TEST_TMP/bindings" "$TARSIER_EXTRACT" --file "$TEST_TMP/archive.pdf" --no-sandbox >"$TEST_TMP/out" 2>&1
like "poppler asks the plugin for the profile" "$(grep -h "symbol \`cmsOpenProfileFromMem'" "$TEST_TMP"/bindings* | tail -n 1)" 'libpoppler\.so.* to .*/pdf\.so'
done_testing
