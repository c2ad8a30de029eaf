/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/rules/rules-table.h"
#include "common/base/i18n.h"

#define DIR(name, group)                                                                           \
	{                                                                                          \
		name, group, SKIP_DIRS, NAME_IS, NULL, NULL                                        \
	}
#define ANY(name, group)                                                                           \
	{                                                                                          \
		name, group, SKIP_ANY, NAME_IS, NULL, NULL                                         \
	}
#define BESIDE(name, group, witnesses)                                                             \
	{                                                                                          \
		name, group, SKIP_DIRS, NAME_IS, witnesses, NULL                                   \
	}
#define INSIDE(name, group, witnesses)                                                             \
	{                                                                                          \
		name, group, SKIP_DIRS, NAME_IS, NULL, witnesses                                   \
	}

/* clang-format off */
const SkipRule skip_rules[] = {
	ANY(".git", SKIP_VERSION_CONTROL), /* a regular file in linked work trees and submodules */
	DIR(".hg", SKIP_VERSION_CONTROL),
	DIR(".svn", SKIP_VERSION_CONTROL),
	DIR(".bzr", SKIP_VERSION_CONTROL),
	DIR(".jj", SKIP_VERSION_CONTROL),
	DIR(".pijul", SKIP_VERSION_CONTROL),
	DIR(".repo", SKIP_VERSION_CONTROL),
	DIR(".sl", SKIP_VERSION_CONTROL),
	DIR("_darcs", SKIP_VERSION_CONTROL),
	DIR("_MTN", SKIP_VERSION_CONTROL),
	ANY(".fslckout", SKIP_VERSION_CONTROL),
	INSIDE("CVS", SKIP_VERSION_CONTROL, "Entries"),
	{".git", SKIP_VERSION_CONTROL, SKIP_DIRS, NAME_ENDS, NULL, "objects/pack"}, /* bare repositories */

	DIR("node_modules", SKIP_BUILDS),
	DIR("bower_components", SKIP_BUILDS),
	DIR("jspm_packages", SKIP_BUILDS),
	DIR("elm-stuff", SKIP_BUILDS),
	DIR("dist-newstyle", SKIP_BUILDS),
	DIR("CMakeFiles", SKIP_BUILDS),
	DIR("autom4te.cache", SKIP_BUILDS),
	DIR("__pycache__", SKIP_BUILDS),
	DIR("__pypackages__", SKIP_BUILDS),
	DIR("site-packages", SKIP_BUILDS),
	DIR("zig-cache", SKIP_BUILDS),
	DIR("zig-out", SKIP_BUILDS),
	DIR(".angular", SKIP_BUILDS),
	DIR(".bundle", SKIP_BUILDS),
	DIR(".cabal", SKIP_BUILDS),
	DIR(".cargo", SKIP_BUILDS),
	DIR(".dart_tool", SKIP_BUILDS),
	DIR(".deps", SKIP_BUILDS),
	DIR(".dub", SKIP_BUILDS),
	DIR(".eggs", SKIP_BUILDS),
	DIR(".gradle", SKIP_BUILDS),
	DIR(".ivy2", SKIP_BUILDS),
	DIR(".libs", SKIP_BUILDS),
	DIR(".m2", SKIP_BUILDS),
	DIR(".next", SKIP_BUILDS),
	DIR(".nox", SKIP_BUILDS),
	DIR(".npm", SKIP_BUILDS),
	DIR(".nuget", SKIP_BUILDS),
	DIR(".nuxt", SKIP_BUILDS),
	DIR(".nvm", SKIP_BUILDS),
	DIR(".opam", SKIP_BUILDS),
	DIR(".parcel-cache", SKIP_BUILDS),
	DIR(".pnpm-store", SKIP_BUILDS),
	DIR(".pyenv", SKIP_BUILDS),
	DIR(".rbenv", SKIP_BUILDS),
	DIR(".rustup", SKIP_BUILDS),
	DIR(".stack", SKIP_BUILDS),
	DIR(".stack-work", SKIP_BUILDS),
	DIR(".svelte-kit", SKIP_BUILDS),
	DIR(".terraform", SKIP_BUILDS),
	DIR(".tox", SKIP_BUILDS),
	DIR(".turbo", SKIP_BUILDS),
	DIR(".venv", SKIP_BUILDS),
	DIR(".yarn", SKIP_BUILDS),
	DIR(".zig-cache", SKIP_BUILDS),
	BESIDE(".build", SKIP_BUILDS, "Package.swift"),
	BESIDE("Pods", SKIP_BUILDS, "Podfile"),
	BESIDE("_build", SKIP_BUILDS, "mix.exs|dune-project|rebar.config|conf.py"),
	BESIDE("bin", SKIP_BUILDS, "obj/project.assets.json"),
	BESIDE("build", SKIP_BUILDS,
		"CMakeLists.txt|setup.py|pyproject.toml|build.gradle|build.gradle.kts|meson.build|"
		"configure.ac|configure|package.json|pubspec.yaml|build.xml"),
	BESIDE("coverage", SKIP_BUILDS, "package.json"),
	BESIDE("deps", SKIP_BUILDS, "mix.exs|rebar.config"),
	BESIDE("dist", SKIP_BUILDS, "package.json|setup.py|pyproject.toml"),
	BESIDE("obj", SKIP_BUILDS, "obj/project.assets.json"),
	BESIDE("out", SKIP_BUILDS, "CMakeLists.txt|package.json|build.gradle|build.gradle.kts"),
	BESIDE("target", SKIP_BUILDS, "Cargo.toml|pom.xml|build.sbt|project.clj"),
	BESIDE("vendor", SKIP_BUILDS, "composer.json|vendor/modules.txt|Gemfile|Cargo.toml"),
	{"cmake-build-", SKIP_BUILDS, SKIP_DIRS, NAME_BEGINS, "CMakeLists.txt", NULL},
	INSIDE("env", SKIP_BUILDS, "pyvenv.cfg"),
	INSIDE("venv", SKIP_BUILDS, "pyvenv.cfg"),
	INSIDE("virtualenv", SKIP_BUILDS, "pyvenv.cfg"),
	INSIDE("anaconda3", SKIP_BUILDS, "conda-meta"),
	INSIDE("miniconda3", SKIP_BUILDS, "conda-meta"),
	INSIDE("mod", SKIP_BUILDS, "cache/download"), /* Go modules */
	{"build", SKIP_BUILDS, SKIP_DIRS, NAME_BEGINS, NULL,
		"CMakeCache.txt|config.status|build.ninja|meson-info"},

	DIR(".cache", SKIP_CACHES),
	DIR(".ccache", SKIP_CACHES),
	DIR(".sccache", SKIP_CACHES),
	DIR(".ccls-cache", SKIP_CACHES),
	DIR(".clangd", SKIP_CACHES),
	DIR(".mypy_cache", SKIP_CACHES),
	DIR(".pytest_cache", SKIP_CACHES),
	DIR(".ruff_cache", SKIP_CACHES),
	DIR(".sass-cache", SKIP_CACHES),
	DIR(".thumbnails", SKIP_CACHES),
	DIR(".fontconfig", SKIP_CACHES),
	DIR(".nv", SKIP_CACHES),
	DIR("GPUCache", SKIP_CACHES),
	DIR("Code Cache", SKIP_CACHES),

	DIR(".Trash", SKIP_TRASH),
	DIR(".Trashes", SKIP_TRASH),
	{".Trash-", SKIP_TRASH, SKIP_DIRS, NAME_BEGINS, NULL, NULL},
	INSIDE("Trash", SKIP_TRASH, "info"),
	DIR("$RECYCLE.BIN", SKIP_TRASH),
	DIR("RECYCLER", SKIP_TRASH),
	DIR("lost+found", SKIP_TRASH),

	DIR(".snapshots", SKIP_SNAPSHOTS),
	DIR(".snapshot", SKIP_SNAPSHOTS),
	DIR("~snapshot", SKIP_SNAPSHOTS),
	DIR(".snap", SKIP_SNAPSHOTS),
	DIR(".zfs", SKIP_SNAPSHOTS),
	DIR(".timeshift", SKIP_SNAPSHOTS),
	DIR("System Volume Information", SKIP_SNAPSHOTS),
	INSIDE("timeshift", SKIP_SNAPSHOTS, "snapshots"),

	DIR(".ssh", SKIP_SECRETS),
	DIR(".gnupg", SKIP_SECRETS),
	DIR(".pki", SKIP_SECRETS),
	DIR(".password-store", SKIP_SECRETS),
	DIR(".kube", SKIP_SECRETS),
	DIR(".aws", SKIP_SECRETS),
	DIR(".azure", SKIP_SECRETS),
	DIR(".docker", SKIP_SECRETS),
	DIR(".electrum", SKIP_SECRETS),
	DIR(".bitcoin", SKIP_SECRETS),
	DIR(".ethereum", SKIP_SECRETS),
	DIR("keyrings", SKIP_SECRETS),
	DIR("kwalletd", SKIP_SECRETS),
	DIR("private-keys-v1.d", SKIP_SECRETS),
	INSIDE("gcloud", SKIP_SECRETS, "credentials.db|access_tokens.db"),
	ANY(".netrc", SKIP_SECRETS),
	ANY("_netrc", SKIP_SECRETS),
	ANY(".authinfo", SKIP_SECRETS),
	ANY(".authinfo.gpg", SKIP_SECRETS),
	ANY(".git-credentials", SKIP_SECRETS),
	ANY(".htpasswd", SKIP_SECRETS),
	ANY(".my.cnf", SKIP_SECRETS),
	ANY(".npmrc", SKIP_SECRETS),
	ANY(".pgpass", SKIP_SECRETS),
	ANY(".pypirc", SKIP_SECRETS),
	ANY(".vault-token", SKIP_SECRETS),
	ANY(".Xauthority", SKIP_SECRETS),
	ANY(".ICEauthority", SKIP_SECRETS),
	ANY("secring.gpg", SKIP_SECRETS),
	ANY("wallet.dat", SKIP_SECRETS),
	ANY("key.pem", SKIP_SECRETS),
	ANY("ca.key", SKIP_SECRETS), /* not every .key: presentations have that name too */
	ANY("ssl.key", SKIP_SECRETS),
	ANY("tls.key", SKIP_SECRETS),
	{"client.key", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"private.key", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"private.pem", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"server.key", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"id_rsa", SKIP_SECRETS, SKIP_FILES, NAME_BEGINS, NULL, NULL},
	{"id_dsa", SKIP_SECRETS, SKIP_FILES, NAME_BEGINS, NULL, NULL},
	{"id_ecdsa", SKIP_SECRETS, SKIP_FILES, NAME_BEGINS, NULL, NULL},
	{"id_ed25519", SKIP_SECRETS, SKIP_FILES, NAME_BEGINS, NULL, NULL},
	{"privkey", SKIP_SECRETS, SKIP_FILES, NAME_BEGINS, NULL, NULL},
	{"_rsa", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"_ed25519", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"_ecdsa", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"host_rsa_key", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"host_ecdsa_key", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"host_ed25519_key", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"-key.pem", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{"_key.pem", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".key.pem", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".kdb", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".kdbx", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".ppk", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".p12", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".pfx", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".jks", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".keystore", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".keyring", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".kwl", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".keychain", SKIP_SECRETS, SKIP_ANY, NAME_ENDS, NULL, NULL},
	{".keychain-db", SKIP_SECRETS, SKIP_FILES, NAME_ENDS, NULL, NULL},
	{".agilekeychain", SKIP_SECRETS, SKIP_ANY, NAME_ENDS, NULL, NULL},
	{".opvault", SKIP_SECRETS, SKIP_ANY, NAME_ENDS, NULL, NULL},

	DIR(".mozilla", SKIP_BROWSERS),
	DIR(".librewolf", SKIP_BROWSERS),
	DIR(".waterfox", SKIP_BROWSERS),
	DIR(".tor-browser", SKIP_BROWSERS),
	DIR("google-chrome", SKIP_BROWSERS),
	DIR("google-chrome-beta", SKIP_BROWSERS),
	DIR("google-chrome-unstable", SKIP_BROWSERS),
	DIR("BraveSoftware", SKIP_BROWSERS),
	DIR("microsoft-edge", SKIP_BROWSERS),
	INSIDE("chromium", SKIP_BROWSERS, "Local State|Default"),
	INSIDE("vivaldi", SKIP_BROWSERS, "Local State|Default"),
	INSIDE("opera", SKIP_BROWSERS, "Local State"),
	INSIDE("falkon", SKIP_BROWSERS, "profiles"),
	INSIDE("epiphany", SKIP_BROWSERS, "ephy-history.db"),
	{".default", SKIP_BROWSERS, SKIP_DIRS, NAME_ENDS, NULL, "places.sqlite|cookies.sqlite"},
	{".default-release", SKIP_BROWSERS, SKIP_DIRS, NAME_ENDS, NULL,
		"places.sqlite|cookies.sqlite"},
	{NULL},
};
/* clang-format on */

static const struct {
	const char *name, *text;
} groups[N_SKIPS] = {
        [SKIP_VERSION_CONTROL] = {"version-control", N_("it belongs to a version control system")},
        [SKIP_BUILDS] = {"builds", N_("it contains dependencies or build output")},
        [SKIP_CACHES] = {"caches", N_("it is a cache")},
        [SKIP_TRASH] = {"trash", N_("it is a trash directory")},
        [SKIP_SNAPSHOTS] = {"snapshots", N_("it contains snapshots")},
        [SKIP_SECRETS] = {"secrets", N_("it contains keys or passwords")},
        [SKIP_BROWSERS] = {"browsers", N_("it is a browser profile")},
};

const char *skip_group_name(SkipGroup group)
{
	return groups[group].name;
}

const char *skip_group_text(SkipGroup group)
{
	return _(groups[group].text);
}
