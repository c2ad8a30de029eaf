/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/resolve-files.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "index/read/reader.h"
#include "index/search/search.h"
#include "index/text/terms.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/last-search.h"
#include "ui-cli/app/member-file.h"
#include "ui-cli/app/near-print.h"
#include "ui-cli/app/target.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool resolve_files_print(const char *file, NearPrint *print_r, void *cli, GError **error)
{
	g_autofree char *path = NULL, *member = NULL;
	return near_print_of(cli, file, print_r, &path, &member, error);
}

/* Returns -1 with errno if it is not a regular file. */
static int resolve_files_open(const char *path)
{
	struct stat info;
	autofd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &info) != 0)
		return -1;
	errno = EINVAL;
	return S_ISREG(info.st_mode) ? autofd_steal(&fd) : -1;
}

/* Returns false with errno. */
static bool resolve_files_read(int fd, const ChecksumKey *key, uint8_t out[CHECKSUM_BYTES])
{
	enum { CHUNK_BYTES = 64 << 10 };
	g_autofree char *buffer = g_malloc(CHUNK_BYTES);
	Checksum *checksum = checksum_new(key);
	ssize_t got;
	while ((got = read(fd, buffer, CHUNK_BYTES)) > 0)
		checksum_update(checksum, buffer, got);
	checksum_final(checksum, out);
	return got == 0;
}

static bool page_checksum(
        Reader *reader, const char *url, uint8_t checksum[CHECKSUM_BYTES], GError **error)
{
	g_autoptr(GPtrArray) infos = NULL;
	if (!reader_info(reader, url, &infos, error))
		return false;
	const Info *info = infos->len > 0 ? infos->pdata[0] : NULL;
	if (info && info->has_checksum) {
		memcpy(checksum, info->checksum, CHECKSUM_BYTES);
		return true;
	}
	g_set_error(error, QUERY_ERROR, 0, _("%s is not in the index"), url);
	return false;
}

static bool resolve_files_path_checksum(
        const char *file, uint8_t checksum[CHECKSUM_BYTES], Cli *cli, GError **error)
{
	ChecksumKey key;
	Reader *reader = cli_reader(cli, error);
	if (!reader || !reader_checksum_key(reader, &key, error))
		return false;
	if (path_is_web(file))
		return page_checksum(reader, file, checksum, error);
	autofd fd = resolve_files_open(file);
	if (fd >= 0 && resolve_files_read(fd, &key, checksum))
		return true;
	g_set_error(error, QUERY_ERROR, 0, "%s: %s", file, g_strerror(errno));
	return false;
}

static bool resolve_files_member_checksum(Cli *cli, const char *file, const char *member,
        uint8_t checksum[CHECKSUM_BYTES], GError **error)
{
	ChecksumKey key;
	Reader *reader = cli_reader(cli, error);
	if (!reader || !reader_checksum_key(reader, &key, error))
		return false;
	autofd copy = memfd_create("member", MFD_CLOEXEC);
	if (copy >= 0 && !member_file_copy(cli, file, member, copy, error))
		return false;
	if (copy >= 0 && lseek(copy, 0, SEEK_SET) == 0 && resolve_files_read(copy, &key, checksum))
		return true;
	g_set_error(error, QUERY_ERROR, 0, "%s|%s: %s", file, member, g_strerror(errno));
	return false;
}

static bool resolve_files_checksum(
        const char *file, uint8_t checksum[CHECKSUM_BYTES], void *cli, GError **error)
{
	g_autofree char *path = NULL, *member = NULL;
	target_split(file, &path, &member);
	return member && !path_is_web(file)
	               ? resolve_files_member_checksum(cli, path, member, checksum, error)
	               : resolve_files_path_checksum(file, checksum, cli, error);
}

char *resolve_files_sum(Cli *cli, const char *file, const char *member, GError **error)
{
	uint8_t checksum[CHECKSUM_BYTES];
	g_autoptr(GString) sum = g_string_new(NULL);
	bool found = member ? resolve_files_member_checksum(cli, file, member, checksum, error)
	                    : resolve_files_path_checksum(file, checksum, cli, error);
	if (!found)
		return NULL;
	text_append_hex(sum, checksum, sizeof checksum);
	return g_string_free(g_steal_pointer(&sum), FALSE);
}

/* ---- threads */

static Info *resolve_files_info(Cli *cli, const char *file, GError **error)
{
	uint64_t rank;
	if (!target_is_number(file, &rank))
		return target_info(cli, file, true, error);
	g_autoptr(LastSearch) last = last_search_load(cli->socket_path, cli->cache_dir);
	const LastHit *hit = last ? last_search_hit(last, rank) : NULL;
	if (!hit)
		return NULL;
	g_autofree char *whole =
	        hit->member ? g_strconcat(hit->path, "|", hit->member, NULL) : g_strdup(hit->path);
	return target_info(cli, whole, false, error);
}

/* Each word once. */
static char **thread_words(const Document *doc)
{
	enum { MAX_WORDS = 40 };
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < doc->facts->len && words->len < MAX_WORDS; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field == FIELD_THREAD &&
		        !g_ptr_array_find_with_equal_func(words, fact->value, g_str_equal, NULL))
			g_ptr_array_add(words, g_strdup(fact->value));
	}
	if (words->len == 0)
		return NULL;
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

static char **resolve_files_thread(const char *file, void *data, GError **error)
{
	Cli *cli = data;
	g_autoptr(GError) local = NULL;
	g_autoptr(Info) info = resolve_files_info(cli, file, &local);
	g_autoptr(Document) doc =
	        info && info->stat.kind == ENTRY_FILE ? convert_entry(cli, info, &local) : NULL;
	char **words = doc ? thread_words(doc) : NULL;
	if (local)
		g_propagate_error(error, g_steal_pointer(&local));
	else if (!info)
		g_set_error(error, QUERY_ERROR, 0,
		        _("%s is neither a hit of the last search nor a file in the index"), file);
	else if (!words)
		g_set_error(error, QUERY_ERROR, 0, _("%s is not a mail with a Message-ID"), file);
	return words;
}

/* ---- subjects */

/* A stream of all its terms but noise. */
static GBytes *resolve_files_terms(const Document *doc)
{
	Terms terms;
	Fingerprint fingerprint;
	GByteArray *stream = g_byte_array_new();
	terms_init(&terms);
	terms_of_document(&terms, doc, NULL, &fingerprint);
	for (int i = 0; i < N_COLUMNS; i++)
		if (i != COLUMN_NOISE)
			g_byte_array_append(stream, terms.columns[i]->data, terms.columns[i]->len);
	terms_clear(&terms);
	return g_byte_array_free_to_bytes(stream);
}

/* Of a file that the index does not have as it is now. NULL with error. */
static GBytes *resolve_files_convert(Cli *cli, const char *file, GError **error)
{
	g_autofree char *path = NULL, *member = NULL;
	target_split(file, &path, &member);
	g_autoptr(GPtrArray) docs = convert_file(cli, path, error);
	for (guint i = 0; docs && i < docs->len; i++) {
		const Document *doc = docs->pdata[i];
		if (g_strcmp0(doc->member, member) == 0)
			return resolve_files_terms(doc);
	}
	if (docs)
		g_set_error(error, QUERY_ERROR, 0, _("%s is not in the file"), member);
	return NULL;
}

static bool resolve_files_subject(
        const char *file, int64_t *document_r, GBytes **terms_r, void *data, GError **error)
{
	Cli *cli = data;
	SubjectState state;
	Reader *reader = cli_reader(cli, error);
	g_autoptr(Info) info = reader ? resolve_files_info(cli, file, NULL) : NULL;
	bool indexed = info && !info->stale && info->document != 0;
	g_autoptr(GBytes) terms =
	        reader && !indexed ? resolve_files_convert(cli, file, error) : NULL;
	*document_r = indexed ? info->document : 0;
	if (!reader || (!indexed && !terms) ||
	        !search_knows_subject(reader, *document_r, terms, &state, error))
		return false;
	if (state == SUBJECT_UNLEARNED)
		g_set_error(error, QUERY_ERROR, 0,
		        _("related: finds nothing yet: the index learns subjects when it has %d "
		          "documents with text and the service has nothing else to do; \"tarsier "
		          "compact\" does it now"),
		        MEANING_LEAST_DOCUMENTS);
	else if (state == SUBJECT_UNKNOWN)
		g_set_error(error, QUERY_ERROR, 0,
		        _("%s has no words whose subject the index knows"), file);
	*terms_r = g_steal_pointer(&terms);
	return state == SUBJECT_KNOWN;
}

bool resolve_files(Cli *cli, Query *query, GError **error)
{
	const QueryFiles files = {resolve_files_print, resolve_files_subject,
	        resolve_files_checksum, resolve_files_thread, cli};
	return query_resolve_files(query, &files, error);
}
