#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# boot.sh BUILD_DIR: the service as a user gets it. Installs the build into a small Debian with a real systemd, boots
# it in a container twice, and runs tests/service/inside.sh in each boot. Speaks TAP. Needs root, debootstrap and
# systemd-container; skipped without them. The system is kept in BUILD_DIR/service-root for the next run.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
root=$build/service-root

skip_all() { echo "1..0 # SKIP $1"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip_all "needs root to boot a container"
command -v debootstrap >/dev/null && command -v systemd-nspawn >/dev/null || skip_all "needs debootstrap and systemd-container"

make_root() {
	release=$(. /etc/os-release && echo "$VERSION_CODENAME")
	site=$(apt-get indextargets --format '$(SITE)|$(RELEASE)|$(CREATED_BY)' |
		awk -F'|' -v r="$release" '$2 == r && $3 == "Packages" { print $1; exit }')
	rm -rf "$root" "$root.new"
	debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,\
libglib2.0-0,libsqlite3-0,libmagic1,libpoppler-glib8,libpoppler-cpp0v5,libarchive13,libxml2,libgmime-3.0-0,libuchardet0,\
libunistring2,libzstd1,libxxhash0,libseccomp2 "$release" "$root.new" "$site" >"$build/service-root.log" 2>&1 || return 1
	chroot "$root.new" useradd -m -s /bin/sh user || return 1
	mkdir -p "$root.new/var/lib/systemd/linger" "$root.new/service-test"
	touch "$root.new/var/lib/systemd/linger/user"
	mv "$root.new" "$root"
}

[ -x "$root/usr/bin/systemctl" ] || make_root || {
	tail -n 5 "$build/service-root.log" | sed 's/^/# /'
	skip_all "the small Debian could not be made"
}

# A clean slate: nothing of an earlier run, then install as a packager does.
rm -rf "$root/home/user" "$root/service-test"
mkdir -p "$root/service-test"
cp -rT "$root/etc/skel" "$root/home/user" && chroot "$root" chown -R user:user /home/user && chmod 700 "$root/home/user"
make -C "$build" install DESTDIR="$root" >"$build/service-install.log" 2>&1 || { echo "Bail out! make install failed"; exit 1; }
cp "$here/inside.sh" "$root/service-test/"
cat >"$root/etc/systemd/system/service-test.service" <<END
[Unit]
After=multi-user.target user@1000.service
Wants=user@1000.service
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
TimeoutStartSec=120
ExecStart=/bin/sh /service-test/inside.sh
[Install]
WantedBy=default.target
END
mkdir -p "$root/etc/systemd/system/default.target.wants"
ln -sf ../service-test.service "$root/etc/systemd/system/default.target.wants/service-test.service"

boot() { # boot NAME: one life of the system; what inside.sh prints is left in service-test/NAME.tap
	echo "$1" >"$root/service-test/boot"
	# a container has no Landlock unless it is allowed; a machine has
	SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout -k 10 240 systemd-nspawn -q -D "$root" --register=no --keep-unit \
		--system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" \
		--console=pipe --boot </dev/null >"$build/service-$1.log" 2>&1
	[ -s "$root/service-test/$1.tap" ] || { tail -n 20 "$build/service-$1.log" | sed 's/^/# /'; echo "not ok - the system boots ($1)"; return; }
	cat "$root/service-test/$1.tap"
}

{ boot first; boot second; } | awk '/^(not )?ok/ { n++ } { print } END { print "1.." n + 0 }'
