#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-debian.sh - debian/ agrees with the rest of the tree. "make check-package" builds and installs the package.
. "$abs_top_srcdir/tests/lib.sh"
cd "$abs_top_srcdir" || exit 99
. build-aux/packages.sh

is "the package has the version of configure.ac" "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" \
	"$(sed -n 's/^AC_INIT(\[[^]]*\], \[\([^]]*\)\].*/\1/p' configure.ac)"
is "the package has the date of NEWS" "$(date -u -d "$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%F)" \
	"$(sed -n '1s/.*(\(.*\)).*/\1/p' NEWS)"

# debhelper brings the tools of autoconf; poppler-data is for tests.
build_depends=$(sed -n '/^Build-Depends:/,/^[A-Z]/s/^ \([^ :,]*\).*/\1/p' debian/control)
# shellcheck disable=SC2154
is "the package is built with what every build needs" "$(for package in $build_packages; do
	case $package in build-essential | autoconf | automake | libtool | poppler-data) continue ;; esac
	echo "$build_depends" | grep -qxF "$package" || echo "$package"
done)" ""

for script in debian/tarsier.postinst debian/tarsier.prerm debian/tests/desktop debian/tests/library debian/tests/search debian/tests/service tests/package/build.sh \
	tests/package/inside.sh; do
	ok "$script is a script of sh" sh -n "$script"
	if command -v shellcheck >/dev/null; then
		ok "shellcheck has nothing to say about $script" shellcheck -s sh -S warning "$script"
	else
		skip "shellcheck has nothing to say about $script" "needs shellcheck"
	fi
done
for script in debian/rules debian/tests/desktop debian/tests/library debian/tests/search debian/tests/service; do
	ok "$script can be executed" test -x "$script"
done
done_testing
