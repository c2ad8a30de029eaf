# SPDX-License-Identifier: GPL-3.0-or-later
# add, remove, roots and config without any daemon.
. "$abs_top_srcdir/tests/lib.sh"
mkdir -p "$HOME/one" "$HOME/two words"
conf=$HOME/.config/tarsier/tarsier.conf

exits "no roots at first" 1 tarsier roots
exits "add a directory" 0 tarsier add "$HOME/one"
like "says what to do next" "$(cat "$TEST_TMP/err")" 'tarsier index'
exits "add another" 0 tarsier -q add "$HOME/two words"
is "quietly" "$(cat "$TEST_TMP/err")" ""
is "roots in a pipe" "$(tarsier roots)" "$HOME/one
$HOME/two words"
is "roots -0" "$(tarsier roots -0 | tr '\0' '|')" "$HOME/one|$HOME/two words|"
is "roots --json" "$(tarsier roots --json | head -n 1)" "{\"path\":\"$HOME/one\",\"path_b64\":null}"
exits "add it again" 0 tarsier add "$HOME/one"
is "is there once" "$(tarsier roots | wc -l)" 2
exits "add a file" 2 tarsier add "$conf"
exits "add what is not there" 2 tarsier add "$HOME/missing"
is "the configuration is private" "$(stat -c %a "$conf")" 600
exits "remove" 0 tarsier remove "$HOME/one"
is "removes" "$(tarsier roots)" "$HOME/two words"
exits "remove what is no root" 2 tarsier remove "$HOME/one"
like "lists the roots" "$(cat "$TEST_TMP/err")" "two words"
exits "remove nothing" 2 tarsier remove
exits "add without arguments" 0 tarsier add
like "announces the home directory" "$(cat "$TEST_TMP/err")" "home directory, $HOME"

is "get" "$(tarsier config get limits.depth)" 5
exits "set" 0 tarsier config set limits.depth 3
is "sets" "$(tarsier config get limits.depth)" 3
like "the origin has file and line" "$(tarsier config list --origin | grep '^limits.depth=')" "tarsier.conf:[0-9]"
like "what is built in says so" "$(tarsier config list --origin | grep '^limits.ratio=')" "built in"
is "json" "$(tarsier config get limits.ratio --json)" '{"key":"limits.ratio","value":"200","origin":"built in"}'
exits "set without a value removes" 0 tarsier config set limits.depth
is "and the preset is back" "$(tarsier config get limits.depth)" 5
exits "a bad value" 2 tarsier config set limits.depth deep
exits "an unknown key" 2 tarsier config get limits.nonsense
exits "no key" 2 tarsier config get limits
exits "an unknown word" 2 tarsier config frobnicate
is "path" "$(tarsier config path)" "$conf"
exits "check of a good file" 0 tarsier config check
printf '\n[limits]\ndepth=deep\n' >>"$conf"
exits "check of a bad one" 2 tarsier config check
like "says where" "$(cat "$TEST_TMP/err")" "tarsier.conf:[0-9]"
exits "--config takes another file" 0 tarsier --config "$TEST_TMP/other.conf" config check
is "TARSIER_CONFIG too" "$(TARSIER_CONFIG=$TEST_TMP/x.conf tarsier config path)" "$TEST_TMP/x.conf"
done_testing
