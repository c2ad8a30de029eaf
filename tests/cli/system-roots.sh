#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Roots that an administrator chose for everybody: "add" adds to them, "remove" tells what to do.
. "$abs_top_srcdir/tests/lib.sh"
export XDG_CONFIG_DIRS="$HOME/etc"
system=$HOME/etc/tarsier
mkdir -p "$system/tarsier.conf.d" "$HOME/shared" "$HOME/more" "$HOME/own" "$HOME/two words"
printf '[index]\nroots = %s\nexclude = *.iso\n' "$HOME/shared" >"$system/tarsier.conf"
printf '[index]\nroots = +;%s\n' "$HOME/more" >"$system/tarsier.conf.d/more.conf"
roots() { tarsier roots; }
user=$HOME/.config/tarsier/tarsier.conf
is "a list that begins with + is added to that of the file before" "$(roots)" "$HOME/more
$HOME/shared"
exits "add exits with 0 over the list of the system" 0 tarsier -q add "$HOME/own"
is "what the administrator listed stays watched" "$(roots)" "$HOME/more
$HOME/own
$HOME/shared"
is "the user's list only adds" "$(grep '^roots' "$user")" "roots = +;$HOME/own"
mkdir -p "$HOME/late"
printf '[index]\nroots = %s\n' "$HOME/late" >"$system/tarsier.conf.d/more.conf"
is "a later change of the administrator counts" "$(roots)" "$HOME/late
$HOME/own"
exits "add of a directory of the system changes nothing" 0 tarsier -q add "$HOME/late"
is "it is not listed twice" "$(grep '^roots' "$user")" "roots = +;$HOME/own"
tarsier -q add "$HOME/two words"
exits "remove of a directory of the system exits with 2" 2 tarsier remove "$HOME/late"
like "remove says which file lists it" "$(cat "$TEST_TMP/err")" "($system/tarsier.conf.d/more.conf:2)"
ok "what remove tells to run works" sh -c "$(sed 's/.*choice: //' "$TEST_TMP/err")"
is "then only the user's directories are watched" "$(roots)" "$HOME/own
$HOME/two words"
exits "remove exits with 0 for a directory of the user" 0 tarsier -q remove "$HOME/own"
tarsier -q config set index.roots "+;$HOME/own"
exits "remove of the only added directory exits with 0" 0 tarsier -q remove "$HOME/own"
is "a list that adds nothing is left out" "$(grep -c '^roots' "$user")" 0
is "the list of the system is in force then" "$(roots)" "$HOME/late"
tarsier -q config set index.exclude '+;*.tmp'
is "other lists can be added to as well" "$(tarsier config get index.exclude)" '*.iso;*.tmp'
done_testing
