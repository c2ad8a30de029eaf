/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/autofd.h"
#include "common/rules/rules-policy.h"
#include "common/rules/rules-table.h"
#include "common/rules/rules.h"
#include "common/rules/witness.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* A directory tree, a configuration beside it, and the rules made from both. */
typedef struct {
	char *top; /* the root; the configuration may write it as TOP */
	Rules *rules;
} Tree;

static void make(const Tree *tree, const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(tree->top, path, NULL);
	g_autofree char *dir =
	        g_str_has_suffix(path, "/") ? g_strdup(full) : g_path_get_dirname(full);
	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	if (!g_str_has_suffix(path, "/"))
		g_assert_true(g_file_set_contents(full, text, -1, NULL));
}

static Tree *tree_new(const char *config)
{
	Tree *tree = g_new0(Tree, 1);
	g_autofree char *base = g_dir_make_tmp("rules-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(base, "tarsier.conf", NULL);
	g_autofree char *index = g_build_filename(base, "top", "own", NULL);
	tree->top = g_build_filename(base, "top", NULL);
	g_autoptr(GString) text = g_string_new(config);
	g_string_replace(text, "TOP", tree->top, 0);
	g_assert_true(g_file_set_contents(file, text->str, -1, NULL));
	g_autoptr(GError) error = NULL;
	g_autoptr(Settings) settings = settings_load(file, NULL, &error);
	g_assert_no_error(error);
	tree->rules = rules_new(settings, index);
	make(tree, "./", NULL);
	return tree;
}

static void tree_free(Tree *tree)
{
	rules_free(tree->rules);
	g_free(tree->top);
	g_free(tree);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tree, tree_free)

static RulesDir *enter(const Tree *tree, RulesDir *parent, const char *path)
{
	autofd fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	g_assert_cmpint(fd, >=, 0);
	return rules_dir_enter(tree->rules, parent, fd, path);
}

/* Walks from the root to path as the crawler does. Returns the reason why the path is excluded,
 * which the caller owns, or NULL. A "/" at the end marks a directory. */
static char *why_not(const Tree *tree, const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	g_autoptr(RulesDir) dir = enter(tree, NULL, tree->top);
	g_autofree char *full = g_strdup(tree->top);
	for (size_t i = 0; parts[i] && *parts[i]; i++) {
		const char *why = rules_dir_excluded(dir);
		if (!why)
			why = rules_entry_excluded(dir, parts[i], parts[i + 1] ? S_IFDIR : S_IFREG);
		if (why || !parts[i + 1])
			return g_strdup(why);
		g_autofree char *next = g_build_filename(full, parts[i], NULL);
		RulesDir *child = enter(tree, dir, next);
		rules_dir_unref(dir);
		dir = child;
		g_free(full);
		full = g_steal_pointer(&next);
	}
	return g_strdup(rules_dir_excluded(dir));
}

static void assert_taken(const Tree *tree, const char *path)
{
	g_autofree char *why = why_not(tree, path);
	if (why)
		g_error("%s is left out: %s", path, why);
}

static void assert_out(const Tree *tree, const char *path, const char *words)
{
	g_autofree char *why = why_not(tree, path);
	if (!why || !strstr(why, words))
		g_error("%s: expected %s, got %s", path, words, why ? why : "nothing");
}

static void test_plain_entries_are_taken(void)
{
	g_autoptr(Tree) tree = tree_new("");
	make(tree, "a/b/c.txt", "x");
	make(tree, "build/x", "x");
	make(tree, "target/x", "x");
	make(tree, "vendor/x", "x");
	make(tree, "Cache/x", "x");
	assert_taken(tree, "a/b/c.txt");
	assert_taken(tree, "build/x"); /* generic names without a witness */
	assert_taken(tree, "target/x");
	assert_taken(tree, "vendor/x");
	assert_taken(tree, "Cache/x");
	assert_taken(tree, "id_rsa.pub");
	assert_taken(tree, "talk.key"); /* a presentation */
	assert_taken(tree, "chain.pem");
}

static void test_hidden(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nhidden=.notes;.x*\n[dir:TOP/all]\nhidden=*\n");
	make(tree, ".notes/x", "x");
	make(tree, "all/.any/x", "x");
	assert_out(tree, ".profile", "hidden");
	assert_out(tree, ".config/x", "hidden");
	assert_taken(tree, ".notes/x");
	assert_out(tree, ".notes/.y", "hidden");
	assert_taken(tree, ".xyz");
	assert_taken(tree, "all/.any/x");
	assert_out(tree, "all/.ssh/x", "keys");
}

static void test_names_left_out(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nhidden=*\n");
	assert_out(tree, ".git/", "version control");
	assert_out(tree, ".git", "version control");
	assert_out(tree, ".svn/", "version control");
	assert_taken(tree, ".svn"); /* only a directory is a store */
	assert_out(tree, "node_modules/", "dependencies");
	assert_out(tree, "__pycache__/", "dependencies");
	assert_out(tree, ".cache/", "cache");
	assert_out(tree, ".Trash-1000/", "trash");
	assert_out(tree, ".snapshots/", "snapshots");
	assert_out(tree, ".mozilla/", "browser");
}

static void test_secrets(void)
{
	static const char *const secrets[] = {".ssh/", ".gnupg/", ".pki/", ".password-store/",
	        "keyrings/", ".kube/", ".aws/", "pass.kdbx", "id_rsa", "id_ed25519_work",
	        "server-key.pem", "privkey1.pem", "server.key", "tls.key", "x.p12", ".netrc",
	        "ssh_host_rsa_key", "vault.agilekeychain/"};
	g_autoptr(Tree) tree =
	        tree_new("[index]\nhidden=*\ninclude=*\n"); /* include has no effect */
	for (size_t i = 0; i < G_N_ELEMENTS(secrets); i++)
		assert_out(tree, secrets[i], "keys or passwords");
	g_autoptr(Tree) open = tree_new("[index]\nhidden=*\nskip=builds\n");
	assert_taken(open, "pass.kdbx");
	g_assert_null(rules_member_excluded(open->rules, "home/.ssh/config"));
}

static void test_secret_members(void)
{
	static const char *const secrets[] = {"home/.ssh/config", ".netrc", "a.zip|b/id_rsa",
	        "a.zip|.aws/x|y", "keys.zip|pass.kdbx", "x.p12"};
	static const char *const others[] = {"", "/", "|", "home/.ssh", "home/id_rsa.pub",
	        "docs/.netrc.txt", "id_rsa/a", "a|b", "ssh/config"};
	g_autoptr(Tree) tree = tree_new("[dir:TOP]\nskip=builds\n");
	for (size_t i = 0; i < G_N_ELEMENTS(secrets); i++)
		g_assert_nonnull(rules_member_excluded(tree->rules, secrets[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		g_assert_null(rules_member_excluded(tree->rules, others[i]));
}

static void test_witnesses(void)
{
	g_autoptr(Tree) tree = tree_new("");
	make(tree, "rust/Cargo.toml", "");
	make(tree, "rust/target/x", "");
	make(tree, "c/CMakeLists.txt", "");
	make(tree, "c/build/x", "");
	make(tree, "c/target/x", "");
	make(tree, "p/venv/pyvenv.cfg", "");
	make(tree, "p/build-arm/CMakeCache.txt", "");
	make(tree, "bare/x.git/objects/pack/", NULL);
	make(tree, "bare/y.git/text", "");
	make(tree, "chromium/Local State", "");
	assert_out(tree, "rust/target/", "Cargo.toml beside it");
	assert_out(tree, "rust/target/x", "Cargo.toml beside it");
	assert_out(tree, "c/build/", "CMakeLists.txt beside it");
	assert_taken(tree, "c/target/x");
	assert_out(tree, "p/venv/", "pyvenv.cfg inside it");
	assert_out(tree, "p/build-arm/", "CMakeCache.txt inside it");
	assert_out(tree, "bare/x.git/", "version control");
	assert_taken(tree, "bare/y.git/text");
	assert_out(tree, "chromium/", "Local State inside it");
}

static void test_what_a_witness_concerns(void)
{
	g_assert_true(witness_has_name("Cargo.toml") && witness_has_name("modules.txt"));
	g_assert_true(witness_has_name("obj") && !witness_has_name("Cargo.lock"));
	g_assert_true(witness_concerns("target", WITNESS_BESIDE, "Cargo.toml"));
	g_assert_false(witness_concerns("src", WITNESS_BESIDE, "Cargo.toml"));
	g_assert_false(witness_concerns("target", WITNESS_INSIDE, "Cargo.toml"));
	g_assert_true(witness_concerns("cmake-build-x", WITNESS_BESIDE, "CMakeLists.txt"));
	g_assert_true(witness_concerns("bin", WITNESS_BESIDE, "obj"));
	g_assert_true(witness_concerns("bin", WITNESS_BESIDE, "obj/project.assets.json"));
	g_assert_false(witness_concerns(NULL, WITNESS_BESIDE, "project.assets.json"));
	g_assert_true(witness_concerns("venv", WITNESS_INSIDE, "pyvenv.cfg"));
	g_assert_true(witness_concerns("x.git", WITNESS_INSIDE, "objects/pack"));
	g_assert_false(witness_concerns("x.git", WITNESS_INSIDE, "obj"));
}

static void test_markers(void)
{
	g_autoptr(Tree) tree = tree_new("");
	make(tree, "tag/CACHEDIR.TAG",
	        "Signature: 8a477f597d28d172789f06886806bc55\n# made by x\n");
	make(tree, "fake/CACHEDIR.TAG", "Signature: none");
	make(tree, "media/.nomedia", "");
	make(tree, "tracker/.trackerignore", "");
	make(tree, "no/.noindex", "");
	make(tree, "no/deep/x", "");
	assert_out(tree, "tag/x", "CACHEDIR.TAG");
	assert_taken(tree, "fake/x");
	assert_out(tree, "media/x", ".nomedia");
	assert_out(tree, "tracker/x", ".trackerignore");
	assert_out(tree, "no/deep/x", ".noindex");
	g_autoptr(Tree) lax = tree_new("[index]\nmarkers=cachedir\n");
	make(lax, "media/.nomedia", "");
	make(lax, ".tarsierignore", "*\n");
	assert_taken(lax, "media/x");
	g_assert_true(rules_is_marker(".noindex"));
	g_assert_false(rules_is_marker("noindex"));
}

static void test_ignore_files(void)
{
	g_autoptr(Tree) tree = tree_new("");
	make(tree, ".tarsierignore", "*.log\n/only-here\nsub/tied\nout/\n!/out/\n");
	make(tree, "sub/.tarsierignore", "!keep.log\nlocal\n");
	make(tree, "sub/deep/out/", NULL);
	make(tree, "out/x", "");
	assert_out(tree, "a.log", ".tarsierignore:1: *.log");
	assert_out(tree, "only-here", ":2: /only-here");
	assert_taken(tree, "sub/only-here");
	assert_out(tree, "sub/tied", ":3: sub/tied");
	assert_out(tree, "sub/x.log", ":1: *.log");
	assert_taken(tree, "sub/keep.log");
	assert_taken(tree, "sub/deep/keep.log");
	assert_out(tree, "keep.log", ":1: *.log");
	assert_out(tree, "sub/deep/local", "sub/.tarsierignore:2: local");
	assert_out(tree, "sub/deep/out/", ":4: out/");
	assert_taken(tree, "out/x");
}

static void test_bad_ignore_files_keep_out(void)
{
	g_autoptr(Tree) tree = tree_new("");
	g_autofree char *link = g_build_filename(tree->top, "link/.tarsierignore", NULL);
	g_autofree char *pipe = g_build_filename(tree->top, "pipe/.tarsierignore", NULL);
	g_autofree char *huge = g_strnfill(300 << 10, '\n');
	make(tree, "link/x", "");
	make(tree, "pipe/x", "");
	make(tree, "huge/.tarsierignore", huge);
	g_assert_cmpint(symlink("/etc/passwd", link), ==, 0);
	g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
	assert_out(tree, "link/x", "cannot be read");
	assert_out(tree, "pipe/x", "cannot be read");
	assert_out(tree, "huge/x", "cannot be read");
}

/* More patterns than may apply in one directory, after a line of their own. */
static void make_hostile(const Tree *tree, const char *path, const char *first)
{
	g_autoptr(GString) text = g_string_new(first);
	for (int i = 0; i < 2000; i++)
		g_string_append(text, "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab\n");
	make(tree, path, text->str);
}

/* In part, such a file would show what its last lines hide, or what "!" takes back too early. */
static void test_ignore_files_that_do_not_fit_keep_out(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nexclude=*.iso\n");
	make_hostile(tree, "hostile/.tarsierignore", "!keep\n!*.iso\n");
	make(tree, "hostile/mine/.tarsierignore", "*.txt\n");
	make(tree, "beside/.tarsierignore", "*.txt\n");
	assert_out(tree, "hostile/keep", "hostile/.tarsierignore does not fit from line 2");
	assert_out(tree, "hostile/a.iso", "does not fit");
	assert_out(tree, "hostile/mine/x", "does not fit");
	assert_out(tree, "beside/a.txt", "beside/.tarsierignore:1: *.txt");
	assert_taken(tree, "beside/a.html");
}

/* The patterns that apply in a directory have one limit: what does not fit is never half applied.
 */
static void test_nested_ignore_files_apply_or_keep_out(void)
{
	enum { LEVELS = 40 };
	g_autoptr(Tree) tree = tree_new("");
	g_autoptr(GString) dir = g_string_new(NULL);
	unsigned applied = 0, kept_out = 0;
	for (int i = 0; i < LEVELS; i++) {
		g_string_append(dir, "d/");
		g_autofree char *file = g_strconcat(dir->str, ".tarsierignore", NULL);
		g_autofree char *lines = g_strdup_printf("[x]own%d?\n/[x]/?\n", i);
		g_autofree char *named = g_strdup_printf("%sxown%d!", dir->str, i);
		make(tree, file, lines);
		g_autofree char *why = why_not(tree, named);
		g_assert_nonnull(why);
		applied += strstr(why, ".tarsierignore:1: ") != NULL;
		kept_out += strstr(why, "does not fit") != NULL;
	}
	g_assert_cmpuint(applied, >=, 16);
	g_assert_cmpuint(kept_out, ==, LEVELS - applied);
	g_assert_cmpuint(kept_out, >, 0);
}

static void test_configured_patterns(void)
{
	g_autoptr(Tree) tree = tree_new(
	        "[index]\nexclude=*.iso;TOP/abs;in/ner;!good.iso\ninclude=kept/.git;.cache\n"
	        "[dir:TOP/d]\nexclude=\n");
	make(tree, "abs/x", "");
	make(tree, "y/abs", "");
	make(tree, "d/x", "");
	make(tree, "kept/.git/x", "");
	make(tree, "y/in/ner", "");
	assert_out(tree, "big.iso", "tarsier.conf:2: *.iso");
	assert_taken(tree, "good.iso");
	assert_out(tree, "abs/x", "abs");
	assert_taken(tree, "y/abs");
	assert_out(tree, "y/in/ner", "in/ner");
	assert_taken(tree, "d/big.iso");
	assert_taken(tree, "kept/.git/x");
	assert_out(tree, ".git/x", "version control");
	make(tree, ".cache/", NULL);
	assert_taken(tree, ".cache/");
}

static void test_listed_directories_are_reached(void)
{
	g_autoptr(Tree) tree =
	        tree_new("[index]\nroots=TOP;TOP/.local/share/notes;TOP/x/node_modules;TOP/m/in\n");
	make(tree, ".local/share/notes/.hid/x", "");
	make(tree, ".local/share/notes/a", "");
	make(tree, ".local/share/other/a", "");
	make(tree, "x/node_modules/a", "");
	make(tree, "m/.noindex", "");
	make(tree, "m/in/a", "");
	make(tree, "m/by/a", "");
	assert_taken(tree, ".local/share/notes/a");
	assert_out(tree, ".local/share/notes/.hid/x", "hidden");
	assert_out(tree, ".local/share/other/a", "hidden");
	assert_out(tree, ".local/share/b", "hidden");
	assert_out(tree, ".local/b", "hidden");
	assert_taken(tree, "x/node_modules/a");
	assert_taken(tree, "m/in/a");
	assert_out(tree, "m/by/a", ".noindex");
	assert_out(tree, "m/b", ".noindex");
}

static void test_root_is_taken_whatever_its_name(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nroots=TOP\n");
	g_autofree char *path = g_build_filename(tree->top, ".cache", NULL);
	make(tree, ".cache/x", "");
	g_autoptr(RulesDir) root = enter(tree, NULL, path);
	g_assert_null(rules_dir_excluded(root));
	g_assert_null(rules_entry_excluded(root, "x", S_IFREG));
}

static void test_own_directories_never(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nroots=TOP;TOP/own\ninclude=own\n");
	make(tree, "own/x", "");
	make(tree, "a/own/x", "");
	assert_out(tree, "own/", "Tarsier itself");
	assert_taken(tree, "a/own/x");
	g_autofree char *path = g_build_filename(tree->top, "own", NULL);
	g_autoptr(RulesDir) root = enter(tree, NULL, path);
	g_assert_nonnull(rules_dir_excluded(root));
}

static void test_top_of_the_file_system(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nroots=/\nexclude=/proc/x\n");
	g_autoptr(RulesDir) root = enter(tree, NULL, "/");
	g_assert_null(rules_entry_excluded(root, "usr", S_IFDIR));
	g_autoptr(RulesDir) proc = enter(tree, root, "/proc");
	g_assert_nonnull(rules_entry_excluded(proc, "x", S_IFREG));
}

static void test_odd_names(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nexclude=a/b*\n");
	g_autofree char *name = g_strnfill(255, '\377');
	assert_taken(tree, name);
	assert_taken(tree, "new\nline");
	g_autoptr(RulesDir) root = enter(tree, NULL, tree->top);
	g_assert_null(rules_entry_excluded(root, "*", S_IFREG));
	g_assert_nonnull(rules_entry_excluded(root, ".", S_IFREG));
}

static void test_rules_that_are_bound_to_a_place(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nexclude=*.o\n[dir:TOP/own-rules/x]\nexclude=y\n");
	make(tree, "a/", NULL);
	make(tree, "own-rules/x/", NULL);
	make(tree, "patterns/.tarsierignore", "/old/b\n");
	g_autofree char *plain = g_build_filename(tree->top, "a", NULL);
	g_autofree char *above = g_build_filename(tree->top, "own-rules", NULL);
	g_autofree char *section = g_build_filename(above, "x", NULL);
	g_autofree char *patterns = g_build_filename(tree->top, "patterns", NULL);
	g_autoptr(RulesDir) root = enter(tree, NULL, tree->top);
	g_autoptr(RulesDir) a = enter(tree, root, plain);
	g_autoptr(RulesDir) b = enter(tree, root, above);
	g_autoptr(RulesDir) x = enter(tree, b, section);
	g_autoptr(RulesDir) c = enter(tree, root, patterns);
	g_assert_false(rules_dir_is_bound(a));
	g_assert_false(rules_dir_is_bound(b));
	g_assert_true(rules_dir_is_bound(x));
	g_assert_true(rules_dir_is_bound(c));
	g_assert_false(rules_entry_is_bound(root, "new"));
	g_assert_false(rules_entry_is_bound(b, "new"));
	g_assert_true(rules_entry_is_bound(b, "x"));
	g_assert_true(rules_entry_is_bound(root, "own-rules"));
	g_assert_true(rules_entry_is_bound(c, "new"));
	g_assert_true(rules_entry_is_bound(root, "own"));
}

static void test_patterns_of_paths_are_bound_to_a_place(void)
{
	g_autoptr(Tree) tree = tree_new("[index]\nexclude=TOP/old/x\n");
	g_autoptr(RulesDir) root = enter(tree, NULL, tree->top);
	g_assert_true(rules_dir_is_bound(root));
	g_assert_true(rules_entry_is_bound(root, "old"));
}

static void test_enumerations_have_the_order_of_the_keys(void)
{
	static const char *const skips[N_SKIPS + 1] = {[SKIP_VERSION_CONTROL] = "version-control",
	        [SKIP_BUILDS] = "builds",
	        [SKIP_CACHES] = "caches",
	        [SKIP_TRASH] = "trash",
	        [SKIP_SNAPSHOTS] = "snapshots",
	        [SKIP_SECRETS] = "secrets",
	        [SKIP_BROWSERS] = "browsers"};
	static const char *const markers[] = {[MARKER_TARSIERIGNORE] = "tarsierignore",
	        [MARKER_CACHEDIR] = "cachedir",
	        [MARKER_NOMEDIA] = "nomedia",
	        [MARKER_TRACKERIGNORE] = "trackerignore",
	        [MARKER_NOINDEX] = "noindex",
	        NULL};
	g_auto(GStrv) skip_words = g_strsplit(settings_find_key("index", "skip")->words, " ", -1);
	g_auto(GStrv) marker_words =
	        g_strsplit(settings_find_key("index", "markers")->words, " ", -1);
	g_assert_true(g_strv_equal((const char *const *)skip_words, skips));
	g_assert_true(g_strv_equal((const char *const *)marker_words, markers));
}

static void test_table_is_consistent(void)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	for (const SkipRule *rule = skip_rules; rule->name; rule++) {
		if (rule->match == NAME_IS)
			g_assert_true(g_hash_table_add(names, (gpointer)rule->name));
		if (rule->beside || rule->inside)
			g_assert_cmpint(rule->what, ==, SKIP_DIRS);
		g_assert_false(rule->beside && rule->inside);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_setenv("TMPDIR", g_get_home_dir(), TRUE);
	g_test_add_func("/common/rules/ordinary-entries-are-indexed", test_plain_entries_are_taken);
	g_test_add_func("/common/rules/hidden-names-are-excluded", test_hidden);
	g_test_add_func("/common/rules/known-names-are-excluded", test_names_left_out);
	g_test_add_func("/common/rules/secrets-are-excluded", test_secrets);
	g_test_add_func("/common/rules/secrets-in-containers-are-told", test_secret_members);
	g_test_add_func(
	        "/common/rules/directories-are-recognised-by-a-file-in-them", test_witnesses);
	g_test_add_func("/common/rules/a-witness-concerns-the-directories-of-its-rule",
	        test_what_a_witness_concerns);
	g_test_add_func("/common/rules/marker-files-exclude-their-directory", test_markers);
	g_test_add_func("/common/rules/ignore-files-exclude-entries", test_ignore_files);
	g_test_add_func("/common/rules/unreadable-ignore-files-exclude-their-directory",
	        test_bad_ignore_files_keep_out);
	g_test_add_func("/common/rules/ignore-files-that-do-not-fit-exclude-their-directory",
	        test_ignore_files_that_do_not_fit_keep_out);
	g_test_add_func("/common/rules/nested-ignore-files-apply-or-exclude-their-directory",
	        test_nested_ignore_files_apply_or_keep_out);
	g_test_add_func(
	        "/common/rules/configured-patterns-exclude-and-include", test_configured_patterns);
	g_test_add_func("/common/rules/listed-directories-are-reached",
	        test_listed_directories_are_reached);
	g_test_add_func("/common/rules/a-root-is-indexed-whatever-its-name",
	        test_root_is_taken_whatever_its_name);
	g_test_add_func(
	        "/common/rules/own-directories-are-always-excluded", test_own_directories_never);
	g_test_add_func(
	        "/common/rules/the-root-directory-can-be-a-root", test_top_of_the_file_system);
	g_test_add_func("/common/rules/names-of-any-bytes-are-indexed", test_odd_names);
	g_test_add_func("/common/rules/some-rules-are-bound-to-a-place",
	        test_rules_that_are_bound_to_a_place);
	g_test_add_func("/common/rules/patterns-of-paths-are-bound-to-a-place",
	        test_patterns_of_paths_are_bound_to_a_place);
	g_test_add_func("/common/rules/enumerations-have-the-order-of-the-keys",
	        test_enumerations_have_the_order_of_the_keys);
	g_test_add_func("/common/rules/table-is-consistent", test_table_is_consistent);
	return g_test_run();
}
