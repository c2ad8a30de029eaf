# SPDX-License-Identifier: GPL-3.0-or-later
# packages.sh - the Debian packages that building and testing need; sourced by quickstart and check

# shellcheck disable=SC2034
build_packages="build-essential autoconf automake libtool autopoint gettext pkg-config
libglib2.0-dev libncurses-dev libsqlite3-dev libxxhash-dev libunistring-dev libzstd-dev libseccomp-dev libmagic-dev
libarchive-dev libbrotli-dev libxml2-dev libgsf-1-dev nettle-dev libgmime-3.0-dev libuchardet-dev libstemmer-dev libpoppler-glib-dev libpoppler-cpp-dev poppler-data
libtag1-dev libmediainfo-dev libexiv2-dev libmobi-dev libytnef0-dev libmspack-dev libtesseract-dev libpff-dev libbfio-dev libmd4c-dev
librevenge-dev libwpd-dev libwps-dev libmwaw-dev libstaroffice-dev libabw-dev libvisio-dev libmspub-dev libetonyek-dev"

# python3 and zip make fixtures; git, rsync, e2fsprogs, btrfs-progs and bindfs drive workloads; debootstrap and systemd-container boot
# a small system for the service test; tmux is a terminal that can be read; ccache spares the second build of the same sources.
# shellcheck disable=SC2034
test_packages="python3 zip unzip xz-utils zstd git rsync sqlite3 procps strace mandoc shellcheck tmux tesseract-ocr
clang-format debootstrap systemd-container util-linux e2fsprogs btrfs-progs bindfs ccache"

# install_packages NAME...: installs those that are missing, with sudo where not root
install_packages() {
	command -v dpkg-query >/dev/null || { echo "This is not Debian: install by hand: $*" >&2; return 0; }
	missing=
	for package; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
			missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || { echo "Not root and no sudo: as root, run: apt-get install$missing" >&2; return 1; }
		as_root=sudo
	fi
	echo "Installing:$missing"
	# shellcheck disable=SC2086
	{
		$as_root apt-get -q update &&
			$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
				install --no-install-recommends $missing
	} >"${TMPDIR:-/tmp}/tarsier-packages.$$" 2>&1 || {
		tail -n 20 "${TMPDIR:-/tmp}/tarsier-packages.$$" >&2
		echo "Installing packages failed." >&2
		return 1
	}
	rm -f "${TMPDIR:-/tmp}/tarsier-packages.$$"
}
