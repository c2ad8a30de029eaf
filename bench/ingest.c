/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ingest.c - the cost of the writer without conversions: entries and text per second, bytes of
 * index per byte of text
 *
 * ingest INDEX_DIR DIR...: takes each regular file below DIR as one plain text (read before the
 * clock starts), at most 10 MiB of each and 512 MiB in all. INDEX_DIR should be empty. Prints one
 * line for each measure. */
#include <config.h>
#include "index/write/writer.h"
#include <ftw.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ENTRIES = 100000, FILE_MAX = 10 << 20 };
static const size_t all_max = 512 << 20;

static struct {
	GPtrArray *texts; /* of GBytes */
	size_t bytes;
} corpus;

static double cpu_s(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int take(const char *path, const struct stat *st, int type, struct FTW *place)
{
	g_autofree char *text = NULL;
	gsize length;
	if (type != FTW_F || st->st_size == 0 || st->st_size > FILE_MAX || corpus.bytes > all_max ||
	        !g_file_get_contents(path, &text, &length, NULL))
		return 0;
	if (!g_utf8_validate(text, length, NULL) || memchr(text, 0, length))
		return 0;
	g_ptr_array_add(corpus.texts, g_bytes_new_take(g_steal_pointer(&text), length));
	corpus.bytes += length;
	return 0;
}

static void die(const GError *why)
{
	fprintf(stderr, "ingest: %s\n", why->message);
	exit(1);
}

static EntryStat stat_of(int64_t filesystem, uint64_t ino, EntryKind kind)
{
	return (EntryStat){.filesystem = filesystem,
	        .ino = ino,
	        .birth_ns = 1,
	        .kind = kind,
	        .size = ino,
	        .mtime_ns = ino,
	        .ctime_ns = ino,
	        .mode = 0644};
}

/* Writes entries as a first crawl does: a directory, then its hundred files. */
static void put_entries(Writer *w, int64_t filesystem, uint64_t base, const char *what)
{
	g_autoptr(GError) error = NULL;
	Entry root, dir, file;
	double before = cpu_s();
	EntryStat stat = stat_of(filesystem, base, ENTRY_DIR);
	g_autofree char *root_name = g_strdup_printf("/tree%u", (unsigned)base);
	bool ok = writer_put(w, 0, root_name, &stat, true, &root, &error);
	for (unsigned i = 0; i < ENTRIES && ok; i++) {
		g_autofree char *name =
		        g_strdup_printf("%s-%05u.txt", i % 3 ? "Report draft" : "IMG_2023", i);
		if (i % 100 == 0) {
			g_autofree char *dir_name = g_strdup_printf("folder %u", i / 100);
			stat = stat_of(filesystem, base + 1 + ENTRIES + i / 100, ENTRY_DIR);
			ok = writer_put(w, root.node, dir_name, &stat, true, &dir, &error);
		}
		stat = stat_of(filesystem, base + 1 + i, ENTRY_FILE);
		ok = ok && writer_put(w, dir.node, name, &stat, true, &file, &error);
		if (ok && i % 1000 == 999)
			ok = writer_commit(w, &error);
	}
	if (!ok || !writer_commit(w, &error))
		die(error);
	printf("%-22s %8.2f us an entry\n", what, (cpu_s() - before) / ENTRIES * 1e6);
}

static bool add_text(Writer *w, int64_t inode, GBytes *bytes, GError **error)
{
	static const ContentEnd end = {.mime = "text/plain", .extractor = "text", .version = 1};
	gsize length;
	const char *text = g_bytes_get_data(bytes, &length);
	g_autoptr(Document) doc = document_new(NULL);
	uint8_t checksum[CHECKSUM_BYTES];
	int64_t content;

	checksum_of(writer_checksum_key(w), text, length, checksum);
	switch (writer_find_content(w, checksum, &content, error)) {
	case 1:
		return writer_link(w, inode, content, error);
	case -1:
		return false;
	}
	doc->mime = g_strdup("text/plain");
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, length);
	return writer_begin_content(w, checksum, length, &content, error) &&
	       writer_add_document(w, content, doc, false, error) &&
	       writer_end_content(w, content, &end, error) && writer_link(w, inode, content, error);
}

static void put_texts(Writer *w, int64_t filesystem)
{
	g_autoptr(GError) error = NULL;
	Entry root, file;
	size_t waiting = 0;
	double before = cpu_s();
	EntryStat stat = stat_of(filesystem, 1, ENTRY_DIR);
	bool ok = writer_put(w, 0, "/texts", &stat, true, &root, &error);
	for (guint i = 0; i < corpus.texts->len && ok; i++) {
		g_autofree char *name = g_strdup_printf("%u.txt", i);
		GBytes *text = corpus.texts->pdata[i];
		stat = stat_of(filesystem, 2 + i, ENTRY_FILE);
		ok = writer_put(w, root.node, name, &stat, true, &file, &error) &&
		     add_text(w, file.inode, text, &error);
		waiting += g_bytes_get_size(text);
		if (ok && (waiting > 16 << 20 || i % 1000 == 999)) {
			ok = writer_commit(w, &error);
			waiting = 0;
		}
	}
	if (!ok || !writer_commit(w, &error))
		die(error);
	double spent = cpu_s() - before;
	printf("%-22s %8.1f MB/s (%u texts, %.1f MB, %.2f s)\n", "texts",
	        corpus.bytes / spent / 1e6, corpus.texts->len, corpus.bytes / 1e6, spent);
}

static void merge(Writer *w)
{
	g_autoptr(GError) error = NULL;
	bool more = true;
	double before = cpu_s();
	while (more)
		if (!writer_merge_step(w, &more, &error))
			die(error);
	if (!writer_checkpoint(w, &error))
		die(error);
	printf("%-22s %8.2f s\n", "merge, checkpoint", cpu_s() - before);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Saved files: one changed text, one commit. */
static void save_singly(Writer *w, int64_t filesystem)
{
	enum { SAVES = 1000 };
	static double ms[SAVES];
	g_autoptr(GError) error = NULL;
	Entry root, file;
	double before = cpu_s();
	bool ok = writer_lookup(w, 0, "/texts", &root, &error) == 1;
	for (unsigned i = 0; i < SAVES && ok; i++) {
		GBytes *text = corpus.texts->pdata[i * 7919u % corpus.texts->len];
		g_autofree char *name = g_strdup_printf("%u.txt", i % corpus.texts->len);
		g_autofree char *changed =
		        g_strdup_printf("saved %u %.*s", i, (int)MIN(g_bytes_get_size(text), 20000),
		                (const char *)g_bytes_get_data(text, NULL));
		g_autoptr(GBytes) bytes = g_bytes_new_static(changed, strlen(changed));
		EntryStat stat = stat_of(filesystem, 2 + i % corpus.texts->len, ENTRY_FILE);
		int64_t start = g_get_monotonic_time();
		stat.mtime_ns += 1 + i;
		ok = writer_put(w, root.node, name, &stat, true, &file, &error) &&
		     add_text(w, file.inode, bytes, &error) && writer_commit(w, &error);
		ms[i] = (g_get_monotonic_time() - start) / 1e3;
	}
	if (!ok)
		die(error);
	qsort(ms, SAVES, sizeof(*ms), compare_doubles);
	printf("%-22s %8.2f ms median, %.1f ms p99, %.1f ms worst, %.2f ms CPU\n", "one saved text",
	        ms[SAVES / 2], ms[SAVES * 99 / 100], ms[SAVES - 1],
	        (cpu_s() - before) / SAVES * 1e3);
}

static void purge(Writer *w, const char *what)
{
	g_autoptr(GError) error = NULL;
	bool more = true;
	double before = cpu_s();
	double worst = 0;
	while (more) {
		double start = cpu_s();
		if (!writer_purge_step(w, true, &more, &error))
			die(error);
		worst = MAX(worst, (cpu_s() - start) * 1e3);
	}
	printf("%-22s %8.2f s (longest step %.0f ms of CPU)\n", what, cpu_s() - before, worst);
}

static void remove_fifth(Writer *w)
{
	g_autoptr(GError) error = NULL;
	Entry root, file;
	double before = cpu_s();
	bool ok = writer_lookup(w, 0, "/texts", &root, &error) == 1;
	for (unsigned i = 0; i < corpus.texts->len && ok; i += 5) {
		g_autofree char *name = g_strdup_printf("%u.txt", i);
		ok = writer_lookup(w, root.node, name, &file, &error) == 1 &&
		     writer_remove(w, file.node, &error);
	}
	if (!ok || !writer_commit(w, &error))
		die(error);
	printf("%-22s %8.2f s\n", "remove a fifth", cpu_s() - before);
}

static void fingerprints(void)
{
	double before = cpu_s();
	for (guint i = 0; i < corpus.texts->len; i++) {
		g_autoptr(Document) doc = document_new(NULL);
		Fingerprint print;
		gsize length;
		const char *text = g_bytes_get_data(corpus.texts->pdata[i], &length);
		document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, length);
		fingerprint_document(doc, NULL, &print);
	}
	printf("%-22s %8.1f MB/s (terms and fingerprint alone)\n", "fingerprints",
	        corpus.bytes / (cpu_s() - before) / 1e6);
}

static long status_kb(const char *file, const char *key)
{
	g_autofree char *status = NULL;
	g_file_get_contents(file, &status, NULL, NULL);
	const char *line = status ? strstr(status, key) : NULL;
	return line ? strtol(line + strlen(key), NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	int64_t filesystem;
	if (argc < 3) {
		fprintf(stderr, "usage: ingest INDEX_DIR DIR...\n");
		return 2;
	}
	corpus.texts = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	for (int i = 2; i < argc; i++)
		nftw(argv[i], take, 50, FTW_PHYS);
	g_autofree char *cache = g_build_filename(argv[1], "cache", NULL);
	Writer *w = writer_open(argv[1], cache, &error);
	if (!w || !writer_filesystem(w, "bench", "bench", &filesystem, &error))
		die(error);
	fingerprints();
	put_texts(w, filesystem);
	printf("%-22s %8ld MB (with the %zu MB of texts)\n", "peak memory",
	        status_kb("/proc/self/status", "VmHWM:") >> 10, corpus.bytes >> 20);
	merge(w);
	g_autofree char *file = g_build_filename(argv[1], "index.db", NULL);
	struct stat st;
	if (stat(file, &st) == 0)
		printf("%-22s %8.3f (%.1f MB)\n", "index / text", (double)st.st_size / corpus.bytes,
		        st.st_size / 1e6);
	put_entries(w, filesystem, 1 << 24, "new entries");
	put_entries(w, filesystem, 1 << 24, "the same again");
	save_singly(w, filesystem);
	purge(w, "purge of 1,000 rows");
	remove_fifth(w);
	purge(w, "purge of a fifth");
	merge(w);
	g_ptr_array_unref(corpus.texts);
	merge(w);
	malloc_trim(0);
	printf("%-22s %8ld kB\n", "memory at rest (Pss)",
	        status_kb("/proc/self/smaps_rollup", "Pss:"));
	writer_close(w);
	return 0;
}
