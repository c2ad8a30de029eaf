/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests near copies through the reader: look-up compared with brute force, also after removals;
 * groups. */
#include <config.h>
#include "index/copies/dups.h"
#include "index/text/near.h"
#include "tests/index/search-test.h"
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXTS = 120, WORDS = 60 };

typedef struct {
	char *text[TEXTS]; /* NULL: it was removed */
	NearPrint print[TEXTS];
} Corpus;

static void corpus_clear(Corpus *corpus)
{
	for (unsigned i = 0; i < TEXTS; i++)
		g_free(corpus->text[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Corpus, corpus_clear)

static void make_words(unsigned words[WORDS], const unsigned *like)
{
	unsigned changes = g_test_rand_int_range(0, WORDS / 2);
	for (unsigned i = 0; i < WORDS; i++)
		words[i] = like ? like[i] : (unsigned)g_test_rand_int_range(0, 5000);
	for (unsigned i = 0; like && i < changes; i++)
		words[g_test_rand_int_range(0, WORDS)] = g_test_rand_int_range(0, 5000);
}

/* A third of the texts are new; the others are edits of an earlier one. */
static void corpus_make(Corpus *corpus, Tree *t)
{
	static unsigned words[TEXTS][WORDS];
	for (unsigned i = 0; i < TEXTS; i++) {
		g_autofree char *name = g_strdup_printf("t%u.txt", i);
		GString *text = g_string_new(NULL);
		Fingerprint print;
		make_words(words[i], i % 3 == 0 ? NULL : words[g_test_rand_int_range(0, (int)i)]);
		for (unsigned k = 0; k < WORDS; k++)
			g_string_append_printf(text, "w%u ", words[i][k]);
		corpus->text[i] = g_string_free(text, FALSE);
		g_autoptr(Document) doc = document_of(corpus->text[i]);
		fingerprint_document(doc, NULL, &print);
		g_assert_true(print.has_near);
		corpus->print[i] = print.near;
		tree_text(t, name, corpus->text[i]);
	}
}

static bool is_near(const NearPrint *a, const NearPrint *b, int bits)
{
	return bits < 0 ? near_is(a, b) : near_bits(a, b) <= (unsigned)bits;
}

static void assert_lookup(Tree *t, const Corpus *corpus, unsigned which, int bits)
{
	const SearchOptions options = {.limit = 10 * TEXTS, .dups = DUPS_SHOW, .uid = geteuid()};
	g_autoptr(Query) query = query_near(&corpus->print[which], bits);
	g_autoptr(GError) error = NULL;
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, &error);
	g_autoptr(GHashTable) found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_assert_no_error(error);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_hash_table_add(found, g_path_get_basename(hit->info.path));
		g_assert_cmpint(
		        hit->distance, ==, near_bits(&hit->info.near, &corpus->print[which]));
	}
	for (unsigned i = 0; i < TEXTS; i++) {
		g_autofree char *name = g_strdup_printf("t%u.txt", i);
		bool wanted =
		        corpus->text[i] && is_near(&corpus->print[which], &corpus->print[i], bits);
		g_assert_cmpint(g_hash_table_contains(found, name), ==, wanted);
	}
}

static void assert_all(Tree *t, const Corpus *corpus)
{
	static const int bits[] = {-1, 0, 3, 11, 18, 32};
	for (unsigned i = 0; i < TEXTS; i += 7)
		for (unsigned k = 0; k < G_N_ELEMENTS(bits); k++)
			assert_lookup(t, corpus, i, bits[k]);
}

static void remove_text(Tree *t, Corpus *corpus, unsigned which)
{
	g_autofree char *name = g_strdup_printf("t%u.txt", which);
	g_autofree char *path = tree_path(t, name);
	Entry entry;
	g_autoptr(GError) error = NULL;
	g_assert_cmpint(writer_lookup(t->index.w, t->node, name, &entry, &error), ==, 1);
	g_assert_true(writer_remove(t->index.w, entry.node, &error));
	g_assert_no_error(error);
	g_unlink(path);
	g_clear_pointer(&corpus->text[which], g_free);
}

static void test_lookup(Tree *t, gconstpointer data)
{
	g_auto(Corpus) corpus = {{NULL}};
	corpus_make(&corpus, t);
	tree_open(t);
	assert_all(t, &corpus);
	for (unsigned i = 1; i < TEXTS; i += 5)
		remove_text(t, &corpus, i);
	tree_open(t);
	assert_all(t, &corpus);
}

static bool take_group(const DupGroup *group, void *data)
{
	GString *out = data;
	g_string_append_printf(out, "%s%u/%u%s", out->len > 0 ? " " : "", group->kind,
	        group->files->len, group->within ? "+" : "");
	return true;
}

/* Two texts have other bytes but the same words, and one of them exists twice; a third is a near
 * copy of them; another text exists twice. */
static void test_groups(Tree *t, gconstpointer data)
{
	static const char text[] = "one two three four five six seven eight nine ten eleven twelve "
	                           "thirteen fourteen fifteen sixteen seventeen";
	g_autofree char *upper = g_ascii_strup(text, -1);
	g_autofree char *longer = g_strconcat(text, " eighteen", NULL);
	const DupOptions all = {.exact = true, .near = true, .uid = geteuid()};
	const DupOptions texts = {.near = true, .uid = geteuid()};
	g_autoptr(GString) found = g_string_new(NULL);
	tree_text(t, "a.txt", text);
	tree_text(t, "b.txt", upper);
	tree_open(t);
	OK(reader_dups(t->r, &all, take_group, found, error));
	g_assert_cmpstr(found->str, ==, "1/2");
	tree_text(t, "c.txt", upper);
	tree_text(t, "d.txt", longer);
	tree_text(t, "e.txt", "short");
	tree_text(t, "f.txt", "short");
	tree_open(t);
	g_string_truncate(found, 0);
	OK(reader_dups(t->r, &all, take_group, found, error));
	g_assert_cmpstr(found->str, ==, "2/4 0/2+ 0/2");
	g_string_truncate(found, 0);
	OK(reader_dups(t->r, &texts, take_group, found, error));
	g_assert_cmpstr(found->str, ==, "2/4");
}

typedef struct {
	Tree *t;
	unsigned differ;
} Compared;

/* Empties the log, which an open transaction would prevent. */
static void note_differ(const char *one, const char *other, void *data)
{
	Compared *compared = data;
	g_autofree char *path = in_dir(&compared->t->index, "index.db");
	sqlite3 *db = NULL;
	g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
	g_assert_cmpint(
	        sqlite3_exec(db, "SELECT count(*) FROM meta", NULL, NULL, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL),
	        ==, SQLITE_OK);
	sqlite3_close(db);
	compared->differ++;
}

static void test_comparison(Tree *t, gconstpointer data)
{
	Compared compared = {t, 0};
	const DupOptions options = {
	        .exact = true, .uid = geteuid(), .differ = note_differ, .differ_data = &compared};
	g_autoptr(GString) found = g_string_new(NULL);
	Entry one = tree_make(t, "one.txt", "ones"), other = tree_make(t, "other.txt", "twos");
	tree_text(t, "equal.txt", "ones");
	tree_convert(t, &one, "ones", document_of("ones"), NULL);
	tree_convert(t, &other, "ones", document_of("ones"), NULL);
	tree_open(t);
	OK(reader_dups(t->r, &options, take_group, found, error));
	g_assert_cmpstr(found->str, ==, "0/2");
	g_assert_cmpuint(compared.differ, ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/index/near/lookup-agrees-with-brute-force", Tree, NULL, tree_up, test_lookup,
	        tree_down);
	g_test_add("/index/near/groups-are-found-by-the-reader", Tree, NULL, tree_up, test_groups,
	        tree_down);
	g_test_add("/index/near/files-are-compared-outside-of-a-transaction", Tree, NULL, tree_up,
	        test_comparison, tree_down);
	return g_test_run();
}
