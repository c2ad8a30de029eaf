# SPDX-License-Identifier: GPL-3.0-or-later
# queries that nobody means well: an answer, or a fault with its place; never a word of SQLite's, never long.
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
	exits "$_what" 2 timeout 10 tarsier search -- "$@"
	like "with its place" "$(cat "$TEST_TMP/err")" '^  *^'
	not_ok "and no word of the machine" grep -qi 'sql\|fts5\|syntax error' "$TEST_TMP/err"
}
refused "4 KiB of brackets" "$(repeat '(' 4096)"
refused "closing ones" "$(repeat ')' 4000)"
refused "pairs" "$(repeat '()' 2000)"
refused "nested words" "$(repeat '(a ' 1300)"
refused "10,000 ORs" "a$(repeat ' OR a' 10000)"
refused "900 ORs" "a$(repeat ' OR a' 900)"
refused "negations" "$(repeat '-' 4000)a"
refused "quotes" "$(repeat '"' 4001)"
refused "stars" "a$(repeat '*' 3000)b"
refused "pattern classes" "$(repeat '[a' 1000)"
refused "invalid UTF-8" "$(printf 'alpha \377\376')"
refused "a cut letter" "$(printf 'alpha \342\202')"
refused "a surrogate" "$(printf '\355\240\200')"
refused "a field that FTS5 has" 'rowid:1'
refused "an operator alone" 'NOT'
refused "a column filter" '{title body} : alpha'
refused "a plus" 'alpha + beta'
refused "an unknown field with SQL" "x:1' OR '1'='1"
refused "a number too large" 'alpha NEAR/99999999999999999999 beta'
refused "many lists" "ext:$(repeat 'a,' 2000)a"

# What looks like FTS5 or SQL is words.
for query in 'NEAR(alpha beta)' '^alpha' "alpha'; DROP TABLE text; --" 'alpha";' 'alpha\' '%s%n' 'alpha -- beta' '"alpha" "beta"'; do
	timeout 10 tarsier search "$query" >"$TEST_TMP/out" 2>"$TEST_TMP/err"; status=$?
	ok "answered: $query" test "$status" -le 2
	not_ok "without a word of the machine" grep -qi 'sql\|fts5\|syntax error' "$TEST_TMP/err"
done
exits "a pattern that too many words meet" 2 tarsier 'z?1*'
like "and which limit" "$(cat "$TEST_TMP/err")" 'more than 512 words'
exits "a longer one" 0 tarsier -q 'z?12*'
exits "the index is as before" 0 tarsier -q alpha
exits "and sound" 0 tarsier -q check
done_testing
