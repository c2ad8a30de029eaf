/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collection.c - a large index for benchmarks of queries, made without conversions
 *
 * collection HOME DOCUMENTS WORDS DIR...: draws DOCUMENTS texts of WORDS words on average from the
 * words of the text files below DIR, with the frequency they have there; one word in two hundred
 * gets a number appended (half of a real vocabulary occurs in one document only). Lengths are
 * log-normal, like those of real collections. The texts are written through the index writer to the
 * default index of HOME. Each document has an empty file below HOME/files, so that hits exist when
 * they are checked. The same arguments give the same texts.
 *
 * collection --prefix HOME...: the text index has prefix indexes for two and three letters.
 * collection --texts HOME...: the files hold the texts, so that hits have snippets.
 * collection --spread HOME...: names are words with a number, thirty files are in a directory,
 * which lies in one of 40 in one of 40, and dates are spread over six years, as in trees of
 * scale.py. */
#include <config.h>
#include "index/text/tokenizer.h"
#include "index/write/writer.h"
#include <ftw.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

enum { FILE_MAX = 1 << 20, FILES_IN_DIR = 1000, COMMIT_BYTES = 16 << 20, COMMIT_DOCUMENTS = 10000 };
enum {
	SPREAD_FILES_IN_DIR = 30,
	SPREAD_DIRS = 40,
	SPREAD_EPOCH = 1500000000,
	SPREAD_DAYS = 6 * 365
};
static const double spread = 1.3;

static GHashTable *counts; /* word -> count */

typedef struct {
	GPtrArray *words;
	GArray *sums; /* of uint64_t: cumulative counts */
	GRand *random;
} Vocabulary;

typedef struct {
	Writer *w;
	const char *files;
	bool texts; /* the files hold the texts */
	bool spread; /* over directories and dates */
	int64_t filesystem;
	Entry root, dir;
	char *dir_path;
	size_t waiting;
	uint64_t bytes;
} Collection;

static void die(const char *what)
{
	fprintf(stderr, "collection: %s\n", what);
	exit(1);
}

static int count_token(void *data, const char *token, int length, int start, int end)
{
	g_autofree char *word = g_strndup(token, length);
	uint64_t *count = g_hash_table_lookup(counts, word);
	if (!count) {
		count = g_new0(uint64_t, 1);
		g_hash_table_insert(counts, g_steal_pointer(&word), count);
	}
	++*count;
	return 0;
}

static int take(const char *path, const struct stat *st, int type, struct FTW *place)
{
	g_autofree char *text = NULL;
	gsize length;
	if (type == FTW_F && st->st_size > 0 && st->st_size <= FILE_MAX &&
	        g_file_get_contents(path, &text, &length, NULL) &&
	        g_utf8_validate(text, length, NULL))
		tokenize(text, length, count_token, NULL);
	return 0;
}

static int compare_words(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void vocabulary_make(Vocabulary *v)
{
	GHashTableIter iter;
	gpointer word;
	uint64_t sum = 0;
	v->words = g_ptr_array_new();
	v->sums = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	v->random = g_rand_new_with_seed(1);
	g_hash_table_iter_init(&iter, counts);
	while (g_hash_table_iter_next(&iter, &word, NULL))
		g_ptr_array_add(v->words, word);
	g_ptr_array_sort(v->words, compare_words);
	for (guint i = 0; i < v->words->len; i++) {
		sum += *(uint64_t *)g_hash_table_lookup(counts, v->words->pdata[i]);
		g_array_append_val(v->sums, sum);
	}
	if (sum == 0)
		die("no text below the directories");
}

static const char *draw_word(Vocabulary *v)
{
	const uint64_t *sums = (const uint64_t *)(void *)v->sums->data;
	guint low = 0, high = v->sums->len - 1;
	uint64_t wanted = g_rand_double(v->random) * sums[high];
	while (low < high) {
		guint middle = (low + high) / 2;
		if (sums[middle] > wanted)
			high = middle;
		else
			low = middle + 1;
	}
	return v->words->pdata[low];
}

/* Any word of the vocabulary, however common it is. */
static const char *draw_name(Vocabulary *v)
{
	return v->words->pdata[g_rand_int_range(v->random, 0, (gint32)v->words->len)];
}

/* A log-normal length with this mean, by the method of Box and Muller. */
static unsigned draw_length(Vocabulary *v, unsigned mean)
{
	double u = 1 - g_rand_double(v->random), w = g_rand_double(v->random);
	double normal = sqrt(-2 * log(u)) * cos(2 * G_PI * w);
	return 1 + exp(log(mean) - spread * spread / 2 + spread * normal);
}

static Document *draw_document(Vocabulary *v, unsigned mean)
{
	enum { TITLE_WORDS = 5, RARE = 200 };
	g_autoptr(GString) text = g_string_new(NULL), title = g_string_new(NULL);
	Document *doc = document_new(NULL);
	for (unsigned i = draw_length(v, mean); i > 0; i--) {
		g_string_append(text, draw_word(v));
		if (g_rand_int_range(v->random, 0, RARE) == 0)
			g_string_append_printf(text, "%u", g_rand_int(v->random) >> 12);
		g_string_append_c(text, i % 12 ? ' ' : '\n');
	}
	for (int i = 0; i < TITLE_WORDS; i++)
		g_string_append_printf(title, "%s ", draw_word(v));
	doc->mime = g_strdup("text/plain");
	document_add_fact(doc, FIELD_TITLE, title->str, title->len);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text->str, text->len);
	return doc;
}

static EntryStat stat_of(const Collection *c, const char *path, EntryKind kind)
{
	struct stat st;
	if (stat(path, &st) != 0)
		die(path);
	return (EntryStat){.filesystem = c->filesystem,
	        .ino = st.st_ino,
	        .birth_ns = 1,
	        .kind = kind,
	        .mtime_ns = st.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + st.st_mtim.tv_nsec,
	        .uid = st.st_uid,
	        .mode = 0644};
}

static bool put_dir(Collection *c, int64_t parent, const char *name, const char *path, Entry *entry,
        GError **error)
{
	if (g_mkdir_with_parents(path, 0700) != 0)
		die(path);
	EntryStat stat = stat_of(c, path, ENTRY_DIR);
	return writer_put(c->w, parent, name, &stat, true, entry, error);
}

static void write_file(const Collection *c, const char *path, const Document *doc)
{
	gsize length = c->texts ? doc->text->len : 0;
	if (!g_file_set_contents_full(
	            path, doc->text->str, length, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
		die(path);
}

/* Puts a directory below the current one, and makes it the current one. */
static bool enter_dir(Collection *c, const char *name, GError **error)
{
	g_autofree char *above = g_steal_pointer(&c->dir_path);
	c->dir_path = g_build_filename(above, name, NULL);
	return put_dir(c, c->dir.node, name, c->dir_path, &c->dir, error);
}

/* Makes the directory of the files from this number on the current one. */
static bool put_dirs(Collection *c, Vocabulary *v, unsigned number, GError **error)
{
	unsigned n = number / (c->spread ? SPREAD_FILES_IN_DIR : FILES_IN_DIR),
	         above = n / SPREAD_DIRS % SPREAD_DIRS;
	g_autofree char *name =
	        c->spread ? g_strdup_printf("%s-%u", draw_name(v), n) : g_strdup_printf("%u", n);
	c->dir = c->root;
	g_free(c->dir_path);
	c->dir_path = g_strdup(c->files);
	if (c->spread &&
	        (!enter_dir(c, v->words->pdata[n % SPREAD_DIRS * 97 % v->words->len], error) ||
	                !enter_dir(c, v->words->pdata[above * 89 % v->words->len], error)))
		return false;
	return enter_dir(c, name, error);
}

static char *draw_file_name(const Collection *c, Vocabulary *v, unsigned number)
{
	static const char *const endings[] = {"txt", "txt", "md", "c", "h", "py", "json"};
	if (!c->spread)
		return g_strdup_printf("%u.txt", number);
	return g_strdup_printf("%s-%u.%s", draw_name(v), number,
	        endings[g_rand_int_range(v->random, 0, G_N_ELEMENTS(endings))]);
}

static void draw_date(Vocabulary *v, const char *path)
{
	time_t when = SPREAD_EPOCH + g_rand_int_range(v->random, 0, SPREAD_DAYS * 86400);
	if (utime(path, &(struct utimbuf){when, when}) != 0)
		die(path);
}

static bool put_document(
        Collection *c, Vocabulary *v, unsigned number, const Document *doc, GError **error)
{
	static const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	g_autofree char *name = draw_file_name(c, v, number);
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;
	Entry entry;

	if (number % (c->spread ? SPREAD_FILES_IN_DIR : FILES_IN_DIR) == 0 &&
	        !put_dirs(c, v, number, error))
		return false;
	g_autofree char *path = g_build_filename(c->dir_path, name, NULL);
	write_file(c, path, doc);
	if (c->spread)
		draw_date(v, path);
	EntryStat stat = stat_of(c, path, ENTRY_FILE);
	stat.size = doc->text->len;
	checksum_of(writer_checksum_key(c->w), name, strlen(name), checksum);
	c->waiting += doc->text->len;
	c->bytes += doc->text->len;
	return writer_put(c->w, c->dir.node, name, &stat, true, &entry, error) &&
	       writer_begin_content(c->w, checksum, stat.size, &content, error) &&
	       writer_add_document(c->w, content, doc, false, error) &&
	       writer_end_content(c->w, content, &end, error) &&
	       writer_link(c->w, entry.inode, content, error);
}

static bool write_all(Collection *c, Vocabulary *v, unsigned n, unsigned mean, GError **error)
{
	bool more = true;
	for (unsigned i = 0; i < n; i++) {
		g_autoptr(Document) doc = draw_document(v, mean);
		if (!put_document(c, v, i, doc, error))
			return false;
		if (c->waiting < COMMIT_BYTES && i % COMMIT_DOCUMENTS != COMMIT_DOCUMENTS - 1)
			continue;
		c->waiting = 0;
		if (!writer_commit(c->w, error))
			return false;
	}
	if (!writer_commit(c->w, error))
		return false;
	while (more)
		if (!writer_merge_step(c->w, &more, error))
			return false;
	return writer_checkpoint(c->w, error);
}

/* Makes the empty table text again, with the option. */
static void add_prefix_indexes(const char *index)
{
	static const char format[] = "DROP TABLE text; %.*s, prefix='2 3');"
	                             "INSERT INTO text(text, rank) VALUES('pgsz', 8146);"
	                             "INSERT INTO text(text, rank) VALUES('hashsize', 8388608);"
	                             "INSERT INTO text(text, rank) VALUES('automerge', 8);"
	                             "INSERT INTO text(text, rank) VALUES('crisismerge', 32);";
	g_autofree char *file = g_build_filename(index, "index.db", NULL);
	sqlite3 *db;
	sqlite3_stmt *statement;
	if (sqlite3_open(file, &db) != SQLITE_OK || tokenizer_register(db) != SQLITE_OK ||
	        sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE name = 'text'", -1,
	                &statement, NULL) != SQLITE_OK ||
	        sqlite3_step(statement) != SQLITE_ROW)
		die("cannot read the schema");
	const char *create = (const char *)sqlite3_column_text(statement, 0);
	const char *end = strrchr(create, ')');
	g_autofree char *sql = g_strdup_printf(format, (int)(end - create), create);
	sqlite3_finalize(statement);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(sqlite3_errmsg(db));
	sqlite3_close(db);
}

static bool take_option(int *argc, char ***argv, const char *option)
{
	bool given = *argc > 1 && strcmp((*argv)[1], option) == 0;
	*argc -= given;
	*argv += given;
	return given;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	Collection c = {0};
	Vocabulary v = {0};
	bool prefix = take_option(&argc, &argv, "--prefix");
	c.texts = take_option(&argc, &argv, "--texts");
	c.spread = take_option(&argc, &argv, "--spread");
	if (argc < 5)
		die("usage: collection [--prefix] [--texts] [--spread] HOME DOCUMENTS WORDS "
		    "DIR...");
	counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (int i = 4; i < argc; i++)
		nftw(argv[i], take, 50, FTW_PHYS);
	vocabulary_make(&v);
	g_autofree char *index = g_build_filename(argv[1], ".local/share/tarsier", NULL);
	g_autofree char *cache = g_build_filename(argv[1], ".cache/tarsier", NULL);
	g_autofree char *files = g_build_filename(argv[1], "files", NULL);
	c.files = files;
	c.w = writer_open(index, cache, &error);
	if (c.w && prefix)
		add_prefix_indexes(index);
	clock_t start = clock();
	bool ok = c.w && writer_filesystem(c.w, "bench", "bench", &c.filesystem, &error) &&
	          put_dir(&c, 0, files, files, &c.root, &error) &&
	          write_all(&c, &v, atoi(argv[2]), atoi(argv[3]), &error);
	if (!ok)
		die(error->message);
	printf("%s documents, %.1f MB of text, %u different words, %.1f s of CPU\n", argv[2],
	        c.bytes / 1e6, v.words->len, (double)(clock() - start) / CLOCKS_PER_SEC);
	writer_close(c.w);
	g_free(c.dir_path);
	return 0;
}
