#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# boot.sh BUILD_DIR [--root]: the service as a user gets it. Installs the build into a small Debian with a real systemd,
# boots it in a container twice, and runs tests/service/inside.sh in each boot. Speaks TAP. Needs root, debootstrap and
# systemd-container, and a kernel that lets containers start; skipped without them. The small Debian is kept in
# BUILD_DIR/service-root for the next run; --root makes it, and nothing else.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
root=$build/service-root
stage=$build/service-stage
name=tarsier-$$

skip_all() { echo "1..0 # SKIP $1"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip_all "needs root to boot a container"
for tool in debootstrap systemd-nspawn objdump apt-get; do
	command -v $tool >/dev/null || skip_all "needs $tool"
done

# The packages of the shared libraries that the programs name, with commas between.
libraries() {
	(cd "$build" && find daemon extractors fetch library ui-* -type f ! -name '*.o' \( -perm /111 -o -name '*.so' \)) |
		while read -r file; do objdump -p "$build/$file" 2>/dev/null; done |
		awk '$1 == "NEEDED" && !seen[$2]++ { print "*/" $2 }' | xargs dpkg -S 2>/dev/null | cut -d: -f1 | sort -u | paste -sd,
}
packages=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,$(libraries)

make_root() {
	release=$(. /etc/os-release && echo "$VERSION_CODENAME")
	site=$(apt-get indextargets --format '$(SITE)|$(RELEASE)|$(CREATED_BY)' 2>/dev/null |
		awk -F'|' -v r="$release" '$2 == r && $3 == "Packages" { print $1; exit }')
	rm -rf "$root" "$root.new"
	debootstrap --variant=minbase --include="$packages" "$release" "$root.new" "$site" >"$build/service-root.log" 2>&1 &&
		chroot "$root.new" useradd -m -s /bin/sh user || return 1
	mkdir -p "$root.new/var/lib/systemd/linger" "$root.new/etc/systemd/system/default.target.wants" || return 1
	touch "$root.new/var/lib/systemd/linger/user"
	echo "$packages" >"$root.new/service-packages" && mv "$root.new" "$root"
}

[ "$(cat "$root/service-packages" 2>/dev/null)" = "$packages" ] || make_root || {
	tail -n 5 "$build/service-root.log" | sed 's/^/# /'
	skip_all "the small Debian could not be made"
}

[ "${2:-}" != --root ] || exit 0

# As a packager installs.
rm -rf "$stage"
make -C "$build" install DESTDIR="$stage" >"$build/service-install.log" 2>&1 || {
	tail -n 5 "$build/service-install.log" | sed 's/^/# /'
	echo "Bail out! make install failed"
	exit 1
}

contained() { # contained OPTION...: starts the container; a container has no Landlock unless it is allowed, a machine has
	SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout -k 10 240 systemd-nspawn -q -D "$root" -M "$name" --register=no --keep-unit \
		--system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" --console=pipe "$@" </dev/null
}

contained /bin/true >"$build/service-try.log" 2>&1 || {
	sed 's/^/# /' "$build/service-try.log"
	skip_all "containers cannot be started here"
}

# A clean slate: nothing of an earlier run.
rm -rf "$root/home/user" "$root/service-test" "$root/usr/local" "$root/var/log/journal"
mkdir -p "$root/service-test" "$root/var/log/journal"
cp -rT "$root/etc/skel" "$root/home/user" && chroot "$root" chown -R user:user /home/user && chmod 700 "$root/home/user"
cp -a "$stage/." "$root/" && rm -rf "$stage"
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
ln -sf ../service-test.service "$root/etc/systemd/system/default.target.wants/service-test.service"

boot() { # boot WHICH: one life of the system; what inside.sh prints is left in service-test/WHICH.tap
	echo "$1" >"$root/service-test/boot"
	contained --boot >"$build/service-$1.log" 2>&1
	rmdir "/run/systemd/nspawn/propagate/$name" 2>/dev/null
	grep -q '^# the end' "$root/service-test/$1.tap" 2>/dev/null && echo "ok - the $1 boot runs all tests of inside.sh" ||
		{ tail -n 20 "$build/service-$1.log" | sed 's/^/# /'; echo "not ok - the $1 boot runs all tests of inside.sh"; }
	cat "$root/service-test/$1.tap"
}

{ boot first; boot second; } | awk '/^(not )?ok/ { n++ } { print } END { print "1.." n + 0 }'
