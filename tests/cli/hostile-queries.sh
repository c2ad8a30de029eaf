# SPDX-License-Identifier: GPL-3.0-or-later
# Hostile queries are answered or refused with the place of the fault, within 10 s and without a word of SQLite.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; mkdir -p "$d"
printf 'alpha beta gamma\n' >"$d/a.txt"
seq -f 'zq%g' 1000 1600 >"$d/many.txt"
tarsier -q add "$d"
tarsier -q index

repeat() { # TEXT N
	awk -v text="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'
}
refused() { # NAME QUERY...
	_what=$1; shift
	exits "refused with status 2: $_what" 2 timeout 10 tarsier search -- "$@"
	like "the message marks the place of the fault: $_what" "$(cat "$TEST_TMP/err")" '^  *^'
	not_ok "the message has no word of SQLite: $_what" 1 \
		grep -qi 'sql\|fts5\|syntax error' "$TEST_TMP/err"
}
refused "4 KiB of opening parentheses" "$(repeat '(' 4096)"
refused "4,000 closing parentheses" "$(repeat ')' 4000)"
refused "2,000 empty pairs of parentheses" "$(repeat '()' 2000)"
refused "words nested 1,300 deep" "$(repeat '(a ' 1300)"
refused "10,000 operands of OR" "a$(repeat ' OR a' 10000)"
refused "900 operands of OR" "a$(repeat ' OR a' 900)"
refused "4,000 minus signs" "$(repeat '-' 4000)a"
refused "an odd number of quotes" "$(repeat '"' 4001)"
refused "1,000 open pattern classes" "$(repeat '[a' 1000)"
refused "a query that is not UTF-8" "$(printf 'alpha \377\376')"
refused "a query that ends inside a UTF-8 sequence" "$(printf 'alpha \342\202')"
refused "a query with an encoded surrogate" "$(printf '\355\240\200')"
refused "rowid: as a field" 'rowid:1'
refused "NOT without operands" 'NOT'
refused "a NEAR distance of 20 digits" 'alpha NEAR/99999999999999999999 beta'
refused "a list of 2,001 extensions" "ext:$(repeat 'a,' 2000)a"

# Text that looks like FTS5 or SQL is searched as words.
for query in '{title body} : alpha' 'alpha + beta' "x:1' OR '1'='1" "a$(repeat '*' 3000)b" 'NEAR(alpha beta)' '^alpha' "alpha'; DROP TABLE text; --" 'alpha";' 'alpha\' '%s%n' 'alpha -- beta' '"alpha" "beta"'; do
	timeout 10 tarsier search "$query" >"$TEST_TMP/out" 2>"$TEST_TMP/err"; status=$?
	ok "text that looks like FTS5 or SQL is searched as words: $query" test "$status" -le 2
	not_ok "no message has a word of SQLite: $query" 1 \
		grep -qi 'sql\|fts5\|syntax error' "$TEST_TMP/err"
done
exits "a pattern that matches more than 512 words is answered" 0 tarsier -q 'z?1*'
exits "a pattern in a phrase that matches more than 512 words exits with 2" 2 tarsier 'z?1*-z?2*'
like "the message names the limit of words that a pattern matches" \
	"$(cat "$TEST_TMP/err")" 'more than 512 words'
exits "a pattern that matches fewer words is answered" 0 tarsier -q 'z?12*'
exits "hostile queries leave the index searchable" 0 tarsier -q alpha
exits "hostile queries leave the index sound" 0 tarsier -q check
done_testing
