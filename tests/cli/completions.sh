# SPDX-License-Identifier: GPL-3.0-or-later
# The completions of each shell have every verb and every long option.
. "$abs_top_srcdir/tests/lib.sh"
completions=$abs_top_srcdir/data/completions

for shell in bash zsh fish; do
	exits "completion $shell exits with 0" \
		0 env TARSIER_DATA="$abs_top_srcdir/data" tarsier completion $shell
	ok "completion $shell prints the installed file" cmp "$TEST_TMP/out" "$completions/$shell"
	missing=
	for verb in $(tarsier help | sed -n '/^Verbs:/,/^$/p' | awk 'NR > 1 && NF { print $1 }'); do
		grep -qw -- "$verb" "$completions/$shell" || missing="$missing $verb"
		for option in $(tarsier help "$verb" | grep -o '^ .*--[a-z-]*' | grep -o -- '--[a-z-]*' | sort -u); do
			grep -qw -- "${option#--}" "$completions/$shell" || missing="$missing $verb:$option"
		done
	done
	is "the completion for $shell has every verb and option" "$missing" ""
done
exits "completion for an unknown shell exits with 2" 2 tarsier completion csh
done_testing
