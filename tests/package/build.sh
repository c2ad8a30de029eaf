#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh BUILD_DIR NAME: the Debian packages of the release archive BUILD_DIR/NAME.tar.xz. Builds it twice and compares
# the bytes, asks lintian and piuparts, boots a small Debian, and runs tests/package/inside.sh in it: installation,
# upgrade from the package of the last commit whose index was older, autopkgtest, removal. Speaks TAP. Steps that cannot
# run here are skipped with a reason. The small Debian is kept in BUILD_DIR/package for the next run.
set -u
build=$(realpath "$1") name=$2
source=$(realpath "$(dirname "$0")/../..")
work=$build/package
root=$work/root
machine=tarsier-package-$$
release=$(. /etc/os-release && echo "$VERSION_CODENAME")

for tool in dpkg-buildpackage dh apt-get; do
	command -v $tool >/dev/null || { echo "1..0 # SKIP needs $tool"; exit 0; }
done
rm -rf "$work/first" "$work/elsewhere" "$work/before" "$work/test"
mkdir -p "$work/first" "$work/elsewhere/deeper" "$work/before" "$work/test" "$work/archives"

log_tail() { tail -n 30 "$1" | cut -c 1-300 | sed 's/^/# /'; }
ok() { # ok NAME COMMAND...: passes if the command succeeds
	_name=$1; shift
	if "$@" >"$work/test.log" 2>&1; then echo "ok - $_name"; return 0; fi
	echo "not ok - $_name"; log_tail "$work/test.log"; return 1
}
needs() { # needs NAME TOOL...: else NAME is skipped
	_name=$1; shift
	for _tool; do
		command -v "$_tool" >/dev/null || { echo "ok - $_name # SKIP needs $_tool"; return 1; }
	done
}

unpacked() { tar -C "$1" -xf "$build/$name.tar.xz"; }
packaged() { # packaged DIR OPTIONS...: builds the package of the source in DIR
	(cd "$1" && shift && dpkg-buildpackage -us -uc "$@")
}
first() { unpacked "$work/first" && packaged "$work/first/$name" -F; }
# Elsewhere, later, in another language and time zone, with other rights, by one process, from files of
# another time, which is later than the changelog: earlier times would be kept.
second() (
	umask 027
	unpacked "$work/elsewhere/deeper" && cd "$work/elsewhere/deeper" || exit
	find "$name" -exec touch -h -d "@$(date +%s)" {} +
	export DEB_BUILD_OPTIONS="nocheck parallel=1" LC_ALL=C.UTF-8 TZ=Pacific/Chatham
	packaged "$name" -b
)
same_bytes() {
	for deb in "$work"/first/*.deb; do
		cmp "$deb" "$work/elsewhere/deeper/${deb##*/}" && continue
		! command -v diffoscope >/dev/null || diffoscope "$deb" "$work/elsewhere/deeper/${deb##*/}"
		return 1
	done
}
silent() { "$@" >"$work/said" 2>&1; cat "$work/said"; [ ! -s "$work/said" ]; }

# The package before: of the last commit whose index has an older version. Its version is lower than that which its packages
# may say they break, so they would not be installed together.
without_breaks() { awk '/^(Breaks|Replaces):/ { skip = 1; next } /^[^ ]/ || /^$/ { skip = 0 } !skip' "$1" >"$1.new" && mv "$1.new" "$1"; }
before() {
	version=$(sed -n 's/.*DB_VERSION = \([0-9]*\),.*/\1/p' "$source/index/store/db.h")
	commit=$(git -C "$source" log --format=%H -S"DB_VERSION = $version," -- index/store/db.h | tail -n 1)
	[ -n "$commit" ] && mkdir "$work/before/source" || return 1
	git -C "$source" archive "$commit~1" | tar -x -C "$work/before/source" &&
		sed -i '1s/)/~before)/' "$work/before/source/debian/changelog" && without_breaks "$work/before/source/debian/control" || return 1
	(DEB_BUILD_OPTIONS=nocheck; export DEB_BUILD_OPTIONS; packaged "$work/before/source" -b) &&
		mkdir "$work/test/before" && cp "$work"/before/*.deb "$work/test/before"
}

make_root() {
	site=$(apt-get indextargets --format '$(SITE)|$(RELEASE)|$(CREATED_BY)' 2>/dev/null |
		awk -F'|' -v r="$release" '$2 == r && $3 == "Packages" { print $1; exit }')
	rm -rf "$root" "$root.new"
	debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,ca-certificates \
		"$release" "$root.new" "$site" && mv "$root.new" "$root"
}
contained() { # contained OPTION...: starts the container, whose changes to the small Debian are thrown away
	SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout -k 10 900 systemd-nspawn -q -x -D "$root" -M "$machine" --register=no \
		--keep-unit --system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" \
		--bind="$work/test:/package-test" --bind="$work/archives:/var/cache/apt/archives" --console=pipe "$@" </dev/null
}
ready() { # inside.sh runs at the next boot, beside what it needs
	mkdir "$work/test/now" && cp "$work"/first/*.deb "$work/test/now" && cp "$source/tests/package/inside.sh" "$work/test/" || return 1
	mkdir -p "$root/etc/systemd/system/default.target.wants"
	cat >"$root/etc/systemd/system/package-test.service" <<END
[Unit]
After=multi-user.target
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
TimeoutStartSec=800
ExecStart=/bin/sh /package-test/inside.sh
[Install]
WantedBy=default.target
END
	ln -sf ../package-test.service "$root/etc/systemd/system/default.target.wants/package-test.service"
}
booted() { # what inside.sh prints
	contained --boot >"$work/boot.log" 2>&1
	rmdir "/run/systemd/nspawn/propagate/$machine" 2>/dev/null
	ok "the small Debian runs all tests of inside.sh" grep -q '^# the end' "$work/test/tap" || log_tail "$work/boot.log"
	cat "$work/test/tap"
}

in_small_debian() {
	[ "$(id -u)" -eq 0 ] || { echo "ok - the package in a small Debian # SKIP needs root"; return; }
	needs "the package in a small Debian" debootstrap systemd-nspawn || return
	[ -d "$root" ] || make_root >"$work/root.log" 2>&1 || {
		log_tail "$work/root.log"
		echo "ok - the package in a small Debian # SKIP it could not be made"
		return
	}
	! needs "piuparts finds no trace of a purged package" piuparts ||
		ok "piuparts finds no trace of a purged package" piuparts --existing-chroot="$root" --no-upgrade-test \
			--defaults=debian --distribution="$release" "$work"/first/*.deb
	contained /bin/true >"$work/boot.log" 2>&1 || {
		log_tail "$work/boot.log"
		echo "ok - the package in a booted system # SKIP containers cannot be started here"
		return
	}
	ok "the small Debian is ready" ready && booted
}

tests() {
	unpacked "$work/test" || { echo "Bail out! $name.tar.xz cannot be unpacked"; return; }
	mv "$work/test/$name" "$work/test/source"
	ok "dpkg-buildpackage builds source and package of the release archive" first || return
	! needs "lintian says nothing" lintian ||
		ok "lintian says nothing" silent lintian --allow-root --pedantic --display-info "$work"/first/*.changes
	ok "a second build elsewhere succeeds" second && ok "both builds give the same bytes" same_bytes
	if git -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1; then
		ok "the package before is built" before
	else
		echo "ok - the package before is built # SKIP this is not a checkout"
	fi
	in_small_debian
}

# A line at a time: some awk would show nothing for half an hour.
tests | {
	n=0
	while IFS= read -r line; do
		case $line in "ok "* | "not ok "*) n=$((n + 1)) ;; esac
		printf '%s\n' "$line"
	done
	echo "1..$n"
}
