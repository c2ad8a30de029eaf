# SPDX-License-Identifier: GPL-3.0-or-later
# The completions know every verb and every long option.
. "$abs_top_srcdir/tests/lib.sh"
completions=$abs_top_srcdir/data/completions

for shell in bash zsh fish; do
	exits "completion $shell" 0 env TARSIER_DATA="$abs_top_srcdir/data" tarsier completion $shell
	ok "prints the file" cmp "$TEST_TMP/out" "$completions/$shell"
	missing=
	for verb in $(tarsier help | sed -n '/^Verbs:/,/^$/p' | awk 'NR > 1 && NF { print $1 }'); do
		grep -qw -- "$verb" "$completions/$shell" || missing="$missing $verb"
		for option in $(tarsier help "$verb" | grep -o '^ .*--[a-z-]*' | grep -o -- '--[a-z-]*' | sort -u); do
			grep -qw -- "${option#--}" "$completions/$shell" || missing="$missing $verb:$option"
		done
	done
	is "has every verb and option" "$missing" ""
done
exits "an unknown shell" 2 tarsier completion csh
done_testing
