#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# release-check.sh VERSION BUILD_DIR: is the tree fit to be released? Run by "make release-check", which builds before
# it and runs distcheck after it. Says every fault it finds; the exit status is 1 if there is one.
set -u
version=$1 build=$2
cd "$(dirname "$0")/.." || exit 99
abs_top_srcdir=$PWD; export abs_top_srcdir
faults=0
fault() { echo "release-check: $*" >&2; faults=$((faults + 1)); }

# NEWS begins with "VERSION (YYYY-MM-DD)".
head=$(head -n 1 NEWS)
dated=$(echo "$head" | sed -n 's/^[0-9.]* (\([0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\))$/\1/p')
[ "${head%% *}" = "$version" ] || fault "NEWS begins with \"$head\", not with $version"
if [ -z "$dated" ]; then
	fault "NEWS has no date for $version"
elif [ "$(echo "$dated" | tr -d -)" -gt "$(date -u +%Y%m%d)" ]; then
	fault "NEWS is dated in the future: $dated"
fi

for program in ui-cli/tarsier daemon/tarsierd ui-bus/tarsier-bus ui-web/tarsier-browse; do
	said=$("$build/$program" --version | head -n 1)
	[ "${said##* }" = "$version" ] || fault "$program says \"$said\", not $version"
done
configured=$(sed -n 's/^AC_INIT(\[[^]]*\], \[\([^]]*\)\].*/\1/p' configure.ac)
[ "$configured" = "$version" ] || fault "configure.ac says $configured, the build is of $version"

for page in docs/man/*.[1-9] docs/man/*/* "$build"/docs/man/tarsier-output.5 "$build"/docs/man/*/tarsier-output.5; do
	lint=$(mandoc -T lint -W warning "$page") || fault "$lint"
done

for check in tests/check-po.sh tests/check-man.sh tests/check-style.sh tests/check-layers.sh; do
	report=$(sh build-aux/tap-run.sh "$check") && ! echo "$report" | grep -q '^not ok' ||
		fault "$check: $(echo "$report" | grep -A20 '^not ok')"
	! echo "$report" | grep -q '# SKIP' || fault "$check was skipped: install what it needs"
done

if git rev-parse --git-dir >/dev/null 2>&1; then
	changed=$(git status --porcelain)
	[ -z "$changed" ] || fault "not committed: $changed"
	! git rev-parse -q --verify "refs/tags/v$version" >/dev/null ||
		[ "$(git rev-parse "v$version^{commit}")" = "$(git rev-parse HEAD)" ] ||
		fault "the tag v$version stands elsewhere"
else
	fault "not a git tree"
fi
[ "$faults" -eq 0 ]
