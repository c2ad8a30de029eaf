# SPDX-License-Identifier: GPL-3.0-or-later
# tarsier help TOPIC: plain in a pipe, through a pager on a terminal, in the user's language if there is a translation.
. "$abs_top_srcdir/tests/lib.sh"
export TARSIER_DATA="$abs_top_srcdir/data"
man=$abs_top_srcdir/docs/man
escape=$(printf '\033')

topics=$(tarsier help | sed -n '/^Topics:/,/^$/p' | awk 'NR > 1 && NF { print $1 }')
is "help lists every topic that has a text" "$(echo "$topics" | sort | tr '\n' ' ')" \
	"$(cd "$TARSIER_DATA/help" && ls ./*.md | sed 's,^./,,; s,\.md$,,' | sort | tr '\n' ' ')"
for topic in $topics; do
	exits "help $topic exits with 0" 0 tarsier help "$topic"
	ok "help $topic shows a text" test "$(wc -l <"$TEST_TMP/out")" -ge 20
	is "help $topic has no marks of Markdown and no escape sequences in a pipe" \
		"$(grep -nE "^(#|\|)|\`|\*\*|$escape" "$TEST_TMP/out")" ""
	is "lines of help $topic end at 80 columns, but for code" \
		"$(grep -E '^.{81,}' "$TEST_TMP/out" | grep -vE '^    | --[a-z]')" ""
	ok "the man page names $topic" sh -c "sed -n '/^.It Cm help/,/^.El/p' '$man/tarsier.1' | grep -qw $topic"
	for shell in bash zsh fish; do
		ok "the completion for $shell has $topic" grep -qw "$topic" "$TARSIER_DATA/completions/$shell"
	done
done

for topic in formats web; do
	like "a topic that is a verb too begins with the text of the topic: $topic" \
		"$(tarsier help "$topic" | head -n 1)" "^$(sed -n '1s/^# //p' "$TARSIER_DATA/help/$topic.md")\$"
	is "it has the usage of the verb, once: $topic" "$(tarsier help "$topic" | grep -c "^Usage: tarsier $topic")" 1
	like "--help of the verb begins with its usage: $topic" "$(tarsier "$topic" --help | head -n 1)" "^Usage: tarsier $topic"
done
exits "a topic that is spelt nearly so exits with 2" 2 tarsier help qeury
like "it names the topic that was meant" "$(cat "$TEST_TMP/err")" '"tarsier help query"'
tarsier help outp 2>"$TEST_TMP/err"
like "the beginning of a topic names it" "$(cat "$TEST_TMP/err")" '"tarsier help output"'
tarsier help serch 2>"$TEST_TMP/err"
like "a verb that is spelt nearly so is named" "$(cat "$TEST_TMP/err")" '"tarsier help search"'
tarsier help xyzzy 2>"$TEST_TMP/err"
like "a word like none of them is told where they are listed" "$(cat "$TEST_TMP/err")" '"tarsier help" lists'

# The things that the texts name exist.
for key in $(grep -oE '`(index|limits|daemon|search)\.[a-z-]+`' "$TARSIER_DATA/help/configuration.md" | tr -d '`'); do
	ok "$key is a key of the configuration" tarsier config get "$key"
done
missing=
for field in $(grep -oE '`[a-z]+:' "$TARSIER_DATA/help/query.md" | tr -d '`' | sort -u); do
	tarsier "${field}2025" 2>&1 | grep -q 'unknown field' && missing="$missing $field"
done
is "every field of help query is known" "$missing" ""

# Blocks of code between ``` are not translated; the first cells of the tables of OUTPUT are keys.
fenced() { sed -n '/^```/,/^```/p' "$1"; }
keys() { awk -F ' [|] ' '/^[|]-/ { table = 1 } !/^[|]/ { table = 0 } table { print $1 }' "$1"; }
words_of_code() { grep -oE '`[^`]+`' "$1" | sort -u; }
for language in $(grep -v '^#' "$abs_top_srcdir/po/LINGUAS"); do
	for topic in $topics; do
		original=$TARSIER_DATA/help/$topic.md translation=$TARSIER_DATA/help/$language/$topic.md
		ok "help $topic exists in the language $language" test -s "$translation" || continue
		is "it has the headings, rows and lines of code of its original" \
			"$(grep -oE '^(#+|\||- |    )' "$translation")" "$(grep -oE '^(#+|\||- |    )' "$original")"
		is "its blocks of code are those of the original" "$(fenced "$translation")" "$(fenced "$original")"
		ok "make install installs it" grep -qw "data/help/$language/$topic.md" "$abs_top_srcdir/data/Makefile.inc"
	done
	words_of_code "$TARSIER_DATA/help/output.md" >"$TEST_TMP/code"
	is "help output has no other words of code in the language $language" \
		"$(words_of_code "$TARSIER_DATA/help/$language/output.md" | grep -vxFf "$TEST_TMP/code")" ""
	is "help output names the same keys in the language $language" \
		"$(keys "$TARSIER_DATA/help/$language/output.md")" "$(keys "$TARSIER_DATA/help/output.md")"
done

# A translation, a text that is none of ours, and no text.
mkdir -p "$TEST_TMP/data/help/de"
echo '# Suche' >"$TEST_TMP/data/help/de/query.md"
printf '# Out\n\n`open **and [no end](\n\n|x\n|\n```\na\033]0;t\n' >"$TEST_TMP/data/help/output.md"
printf '# Query\n\n[a link](to) and\n**bold**\n\n| `a` | b |\n|---|---|\n| 1 | 2 |\n' >"$TEST_TMP/data/help/query.md"
export TARSIER_DATA="$TEST_TMP/data"
is "a translation is taken" "$(LANGUAGE=de_AT:de tarsier help query)" "Suche"
like "without a translation the text is English" "$(LANGUAGE=fr tarsier help query)" '^Query'
like "links and bold words are plain" "$(tarsier help query)" '^  a link and bold$'
like "rows of tables stand in columns" "$(tarsier help query)" '^  1  *2$'
exits "marks that do not end are shown" 0 tarsier help output
not_ok "control characters of a text are escaped" 1 grep -q "$escape" "$TEST_TMP/out"
like "a verb has its help even so" "$(tarsier help formats)" '^Usage: tarsier formats'
exits "a text that is not installed exits with an error" 2 tarsier help configuration
like "it names the file" "$(cat "$TEST_TMP/err")" 'help/configuration.md'

# The terminal has fewer lines than the text.
on_terminal() { TERM=xterm script -qec "stty rows 4; $1" /dev/null </dev/null | tr -d '\r'; }
if command -v script >/dev/null; then
	is "on a terminal, PAGER is given the text" \
		"$(PAGER="sed -n 's/^Query/paged/p'" NO_COLOR=1 on_terminal 'tarsier help query')" "paged"
	is "the help on a verb is paged, too" \
		"$(PAGER="sed -n 's/^Usage/paged/p'" NO_COLOR=1 on_terminal 'tarsier help search')" "paged: tarsier search [OPTION…] QUERY…"
	is "and so is that on all of them" \
		"$(PAGER="sed -n 's/^Verbs:/paged/p'" NO_COLOR=1 on_terminal 'tarsier help')" "paged"
	is "its lines are folded to the width of the terminal" \
		"$(PAGER="grep -E '^.{61,}'" NO_COLOR=1 on_terminal 'stty columns 60; tarsier help search; tarsier help formats' | grep -v application)" ""
	like "the text has styles" "$(PAGER='sed -n 1p' on_terminal 'tarsier help query')" "$escape"
	like "without a pager the text is printed" "$(PAGER=/nonexistent NO_COLOR=1 on_terminal 'tarsier help query')" '^Query'
	like "an empty PAGER is none" "$(PAGER= NO_COLOR=1 on_terminal 'tarsier help query')" '^Query'
	is "a pager that ends at once ends the help" "$(PAGER=true on_terminal 'tarsier help query; echo $?')" 0
else
	skip "on a terminal, PAGER is given the text" "needs script"
fi

for language in '' $(sed -n 's,.*,&/,; /^#/!p' "$abs_top_srcdir/po/LINGUAS"); do
	page=$abs_top_builddir/docs/man/${language}tarsier-output.5
	like "${language}tarsier-output(5) has the exit codes" "$(cat "$page")" '^.It 130'
	is "${language}tarsier-output(5) has a section for each heading" \
		"$(grep -c '^[.]Sh' "$page")" "$(($(grep -c '^## ' "$abs_top_srcdir/data/help/${language}output.md") + 3))"
	if command -v mandoc >/dev/null; then
		ok "mandoc finds no fault in ${language}tarsier-output(5)" mandoc -T lint -W warning "$page"
	else
		skip "mandoc finds no fault in ${language}tarsier-output(5)" "needs mandoc"
	fi
done
done_testing
