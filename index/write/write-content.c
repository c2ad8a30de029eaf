/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-content.c - the writer's contents and documents */
#include <config.h>
#include "common/base/paths.h"
#include "common/url/url-origin.h"
#include "index/store/db-key.h"
#include "index/store/links.h"
#include "index/text/real-title.h"
#include "index/write/writer-private.h"
#include <string.h>

/* ---- unfinished contents */

static OpenContent *find_open(Writer *w, int64_t content)
{
	for (guint i = 0; i < w->open_contents->len; i++) {
		OpenContent *open = &g_array_index(w->open_contents, OpenContent, i);
		if (open->content == content)
			return open;
	}
	return NULL;
}

static void forget_open(Writer *w, int64_t content)
{
	OpenContent *open = find_open(w, content);
	if (open)
		g_array_remove_index_fast(
		        w->open_contents, open - (OpenContent *)w->open_contents->data);
}

void content_clear_open(gpointer data)
{
	OpenContent *open = data;
	large_free(open->large);
	g_free(open->budget);
}

static bool hide_or_show(Writer *w, int64_t from, int64_t to, GError **error)
{
	return statement_run(w, DOCUMENT_HIDE, VALUES(INT(from), INT(to)), error);
}

/* Hides it: a document with a negative content joins no file. Most contents end in the transaction
 * in which they began. They are never marked as unfinished, which would write two pages more. */
bool content_hide_open(Writer *w, GError **error)
{
	for (guint i = 0; i < w->open_contents->len; i++) {
		OpenContent *open = &g_array_index(w->open_contents, OpenContent, i);
		if (open->hidden)
			continue;
		if (!statement_run(w, CONTENT_SET_UNFINISHED, VALUES(INT(open->content)), error) ||
		        !hide_or_show(w, open->content, -open->content, error))
			return false;
		open->hidden = true;
	}
	return true;
}

/* ---- removal */

static bool subtract_sums(Writer *w, int64_t content, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(w, DOCUMENT_SUMS, VALUES(INT(content)), &row, error);
	if (found <= 0)
		return found == 0 && writer_fail_missing(w, error);
	w->totals[TOTAL_DOCUMENTS] -= sqlite3_column_int64(row, 0);
	w->totals[TOTAL_LIVE_ROWS] -= sqlite3_column_int64(row, 1);
	w->totals[TOTAL_TEXT_BYTES] -= sqlite3_column_int64(row, 2);
	w->totals[TOTAL_TRUNCATED] -= sqlite3_column_int64(row, 3);
	sqlite3_reset(row);
	return true;
}

/* Removes the name of a member from the index of names. */
static bool remove_member(Writer *w, int64_t id, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(w, DOCUMENT_MEMBER, VALUES(INT(id)), &row, error);
	if (found <= 0)
		return found == 0;
	g_autofree char *member = row_name(row, 0);
	sqlite3_reset(row);
	return names_remove(w, -id, member, error);
}

/* Their rows stay in the text index as tombstones until writer_purge_step(). */
static bool remove_documents(Writer *w, int64_t content, GError **error)
{
	if (!subtract_sums(w, content, error) ||
	        !statement_run(w, LINK_DELETE, VALUES(INT(content)), error) ||
	        !statement_run(w, DEFERRED_DELETE, VALUES(INT(content)), error))
		return false;
	g_autoptr(GArray) ids = statement_ints(w, DOCUMENT_IDS, VALUES(INT(content)), error);
	for (guint i = 0; ids && i < ids->len; i++) {
		int64_t id = g_array_index(ids, int64_t, i);
		if (!remove_member(w, id, error) ||
		        !statement_run(w, DOCUMENT_DELETE, VALUES(INT(id)), error) ||
		        !statement_run(w, FACT_DELETE, VALUES(INT(id)), error) ||
		        !statement_run(w, FINGERPRINT_DELETE, VALUES(INT(id)), error) ||
		        !meaning_remove(w, id, error))
			return false;
		if (w->cache)
			textcache_remove(w->cache, id);
	}
	return ids != NULL;
}

bool content_release(Writer *w, int64_t content, GError **error)
{
	if (!statement_run(w, CONTENT_RELEASE, VALUES(INT(content)), error))
		return false;
	return sqlite3_changes(w->db) == 0 || remove_documents(w, content, error);
}

/* Handles an unfinished content too, whose documents may or may not be hidden already. */
static bool remove_content(Writer *w, int64_t content, GError **error)
{
	return statement_run(w, CONTENT_DELETE, VALUES(INT(content)), error) &&
	       remove_documents(w, content, error) && remove_documents(w, -content, error);
}

bool content_remove_lost(Writer *w, GError **error)
{
	g_autoptr(GArray) unfinished = statement_ints(w, CONTENT_UNFINISHED, NULL, 0, error);
	for (guint i = 0; unfinished && i < unfinished->len; i++) {
		int64_t content = g_array_index(unfinished, int64_t, i);
		if (!find_open(w, content) &&
		        (!writer_change(w, error) || !remove_content(w, content, error)))
			return false;
	}
	return unfinished != NULL;
}

bool content_remove_unfinished(Writer *w, GError **error)
{
	if (!content_remove_lost(w, error))
		return false;
	g_autoptr(GArray) superseded = statement_ints(w, CONTENT_SUPERSEDED, NULL, 0, error);
	if (!superseded)
		return false;
	for (guint i = 0; i < superseded->len; i++) {
		int64_t content = g_array_index(superseded, int64_t, i);
		changes_note_content(w, content);
		if (!writer_change(w, error) ||
		        !statement_run(w, INODE_OF_CONTENT_PENDING, VALUES(INT(content)), error))
			return false;
	}
	w->recount |= superseded->len > 0;
	return true;
}

/* ---- lookup and links */

int writer_find_content(
        Writer *w, const uint8_t checksum[CHECKSUM_BYTES], int64_t *content_r, GError **error)
{
	if (!statement_int(
	            w, CONTENT_FIND, VALUES(BLOB(checksum, CHECKSUM_BYTES)), 0, content_r, error))
		return -1;
	if (find_open(w, *content_r))
		*content_r = 0;
	return *content_r != 0;
}

int content_find_known(
        Writer *w, const uint8_t checksum[CHECKSUM_BYTES], KnownContent *out, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(
	        w, CONTENT_BY_CHECKSUM, VALUES(BLOB(checksum, CHECKSUM_BYTES)), &row, error);
	if (found <= 0)
		return found;
	int64_t content = sqlite3_column_int64(row, 0), tries = sqlite3_column_int64(row, 2);
	*out = (KnownContent){.content = content,
	        .unfinished = sqlite3_column_int(row, 1) == STATE_UNFINISHED ||
	                      find_open(w, content) != NULL,
	        .outdated = tries < 0,
	        .tries = tries < 0 ? -1 - tries : tries};
	sqlite3_reset(row);
	return 1;
}

bool content_set_mark(Writer *w, int64_t content, const char *prefix, GError **error)
{
	g_autofree char *mark = db_key_mark(prefix, content);
	return statement_run(
	        w, CONTENT_SET_CHECKSUM, VALUES(INT(content), BLOB(mark, strlen(mark))), error);
}

bool writer_link(Writer *w, int64_t inode, int64_t content, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(w, INODE_CONTENT, VALUES(INT(inode)), &row, error);
	int64_t old = found > 0 ? sqlite3_column_int64(row, 0) : 0;
	InodeState state = found > 0 ? sqlite3_column_int(row, 1) : INODE_DONE;
	if (found > 0)
		sqlite3_reset(row);
	if (found < 0 || !writer_change(w, error) ||
	        !statement_run(w, INODE_SET_CONTENT, VALUES(INT(inode), INT(content)), error) ||
	        !inode_note_state(w, inode, state, INODE_DONE, error))
		return false;
	changes_note_content(w, old);
	changes_note_content(w, content);
	return old == 0 || old == content || content_release(w, old, error);
}

/* ---- writing a content */

/* Makes room for a new content with this checksum. */
static bool replace_known(
        Writer *w, const uint8_t *checksum, OpenContent *open, unsigned *tries_r, GError **error)
{
	KnownContent known;
	int found = content_find_known(w, checksum, &known, error);
	*tries_r = 0;
	if (found <= 0)
		return found == 0;
	if (known.unfinished)
		return remove_content(w, known.content, error);
	*tries_r = known.tries;
	open->supersedes = known.content;
	return content_set_mark(w, known.content, DB_KEY_OLD, error);
}

static bool write_is_open(Writer *w, const uint8_t *checksum, GError **error)
{
	for (guint i = 0; i < w->open_contents->len; i++) {
		if (memcmp(g_array_index(w->open_contents, OpenContent, i).checksum, checksum,
		            CHECKSUM_BYTES) != 0)
			continue;
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_BUSY,
		        _("this content is being written already"));
		return true;
	}
	return false;
}

bool writer_begin_content(Writer *w, const uint8_t checksum[CHECKSUM_BYTES], int64_t size,
        int64_t *content_r, GError **error)
{
	OpenContent open = {0};
	unsigned tries;

	memcpy(open.checksum, checksum, CHECKSUM_BYTES);
	if (write_is_open(w, checksum, error) || !writer_change(w, error) ||
	        !replace_known(w, checksum, &open, &tries, error) ||
	        !statement_run(w, CONTENT_ADD,
	                VALUES(BLOB(checksum, CHECKSUM_BYTES), INT(size), INT(tries + 1)), error))
		return false;
	open.content = *content_r = sqlite3_last_insert_rowid(w->db);
	g_array_append_val(w->open_contents, open);
	return true;
}

/* Moves the files of the superseded content to its successor. Their state stays, since some may
 * have changed meanwhile. */
static bool write_take_over(Writer *w, const OpenContent *open, GError **error)
{
	changes_note_content(w, open->supersedes);
	return statement_run(w, INODE_MOVE_CONTENT,
	               VALUES(INT(open->supersedes), INT(open->content)), error) &&
	       content_release(w, open->supersedes, error);
}

OpenContent *content_get_open(Writer *w, int64_t content, GError **error)
{
	OpenContent *open = find_open(w, content);
	if (!open)
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_OTHER,
		        _("the content was rolled back or never started"));
	return open;
}

bool writer_end_content(Writer *w, int64_t content, const ContentEnd *end, GError **error)
{
	OpenContent *open = content_get_open(w, content, error);
	if (!open || !writer_change(w, error) ||
	        !statement_run(w, CONTENT_END,
	                VALUES(INT(content), TEXT(end->mime), TEXT(end->extractor),
	                        INT(end->version), INT(end->state), INT(end->reason),
	                        TEXT(end->detail)),
	                error) ||
	        (open->hidden && !hide_or_show(w, -content, content, error)) ||
	        (open->supersedes != 0 && !write_take_over(w, open, error)))
		return false;
	changes_note_content(w, content);
	forget_open(w, content);
	return true;
}

/* The superseded content gets its checksum back. */
bool writer_abandon_content(Writer *w, int64_t content, GError **error)
{
	OpenContent *open = find_open(w, content);
	if (!open) /* it was rolled back before */
		return true;
	if (!writer_change(w, error) || !remove_content(w, content, error) ||
	        (open->supersedes != 0 &&
	                !statement_run(w, CONTENT_SET_CHECKSUM,
	                        VALUES(INT(open->supersedes), BLOB(open->checksum, CHECKSUM_BYTES)),
	                        error)))
		return false;
	forget_open(w, content);
	return true;
}

/* ---- documents */

/* The date of a document, or else its creation date, in seconds since 1970; 0 if it has none. A day
 * is one of the calendar here, as in a query. */
static int64_t write_date_of(const Document *doc)
{
	static const char rest[] =
	        "0000-01-01T00:00:00"; /* completes a date that is less precise */
	const char *text = document_fact(doc, FIELD_DATE);
	if (!text)
		text = document_fact(doc, FIELD_CREATED);
	if (!text)
		return 0;
	size_t length = strlen(text);
	bool part = length == 4 || length == 7 || length == 10;
	g_autofree char *full = part ? g_strconcat(text, rest + length, NULL) : g_strdup(text);
	g_autoptr(GTimeZone) here = g_time_zone_new_local();
	g_autoptr(GDateTime) date = g_date_time_new_from_iso8601(full, here);
	return date ? g_date_time_to_unix(date) : 0;
}

static Value count_or_null(int64_t number, bool known)
{
	return known ? INT(number) : TEXT(NULL);
}

static int64_t write_number_of(const Document *doc, DocField field)
{
	const char *value = document_fact(doc, field);
	return value ? g_ascii_strtoll(value, NULL, 10) : 0;
}

/* Whether, and why, words of the document cannot be found. */
typedef struct {
	bool truncated;
	DocReason reason;
} Gap;

static Gap write_gap_of(const Document *doc, const Terms *terms)
{
	bool all = doc->truncated || doc->reason != REASON_NONE || terms->left_out == 0;
	return (Gap){doc->truncated || terms->left_out > 0, all ? doc->reason : REASON_LIMIT_WORDS};
}

static bool add_fact(Writer *w, int64_t id, const Document *doc, Gap gap, const Fingerprint *print,
        GError **error)
{
	g_autofree char *author = document_facts_joined(doc, FIELD_AUTHOR, ", ");
	g_autofree char *title = real_title_text(doc);
	int64_t n_pages = write_number_of(doc, FIELD_PAGES),
	        seconds = write_number_of(doc, FIELD_DURATION);
	const Value none = TEXT(NULL);

	return statement_run(w, FACT_ADD,
	        VALUES(INT(id), doc->member ? BLOB(doc->member, strlen(doc->member)) : none,
	                TEXT(doc->mime ? doc->mime : "application/octet-stream"),
	                count_or_null(doc->member_size, doc->member && doc->member_size >= 0),
	                count_or_null(
	                        doc->member_mtime_ns, doc->member && doc->member_mtime_ns != 0),
	                TEXT(title), TEXT(author), TEXT(document_fact(doc, FIELD_LANGUAGE)),
	                count_or_null(n_pages, n_pages > 0), count_or_null(seconds, seconds > 0),
	                INT(doc->state), INT(gap.reason), INT(gap.truncated), TEXT(doc->detail),
	                INT(doc->text->len),
	                print->has_checksum ? BLOB(print->text_checksum, TEXT_CHECKSUM_KEPT)
	                                    : none),
	        error);
}

static bool add_fingerprint(Writer *w, int64_t id, const Fingerprint *print, GError **error)
{
	uint8_t bits[NEAR_PRINT_BYTES];
	if (!print->has_near)
		return true;
	near_pack(&print->near, bits);
	return statement_run(w, FINGERPRINT_ADD, VALUES(INT(id), BLOB(bits, sizeof bits)), error);
}

bool content_write_text(
        Writer *w, Statement statement, int64_t id, const Terms *terms, GError **error)
{
	Value values[1 + N_COLUMNS] = {INT(id)};
	size_t bytes = 0;
	for (int i = 0; i < N_COLUMNS; i++) {
		values[1 + i] = terms->columns[i]->len > 0
		                        ? TEXT_N(terms->columns[i]->data, terms->columns[i]->len)
		                        : TEXT(NULL);
		bytes += terms->columns[i]->len;
	}
	segments_note_bytes(w, MERGED_TEXT, bytes);
	return statement_run(w, statement, values, G_N_ELEMENTS(values), error);
}

typedef struct {
	Writer *w;
	GError *error;
} RootCheck;

/* Is there a source at the site of this page? Its own prefix does not count, because the items of a
 * feed lie beside it. */
static bool is_of_source(RootCheck *check, const char *url)
{
	g_autofree char *origin = url_origin(url, NULL);
	if (!origin)
		return false;
	g_autofree char *first = g_strconcat(origin, "/", NULL);
	g_autofree char *end = g_strconcat(origin, "0", NULL); /* what follows a slash */
	int64_t found = 0;
	return statement_int(check->w, SOURCE_HOLDS,
	               VALUES(BLOB(first, strlen(first)), BLOB(end, strlen(end))), 0, &found,
	               &check->error) &&
	       found != 0;
}

/* Web pages have many links that begin with a slash and do not mean the local file system, and many
 * to sites that nobody added. */
static bool is_below_root(void *data, const char *path)
{
	RootCheck *check = data;
	int64_t found = 0;
	if (!check->error && path_is_web(path))
		return is_of_source(check, path);
	return !check->error &&
	       statement_int(check->w, ROOT_HOLDS, VALUES(BLOB(path, strlen(path))), 0, &found,
	               &check->error) &&
	       found != 0;
}

static bool has_links(const Document *doc)
{
	return !doc->member && doc->links->len > 0 && doc->mime &&
	       (strcmp(doc->mime, "text/html") == 0 ||
	               strcmp(doc->mime, "application/xhtml+xml") == 0);
}

static bool add_links(Writer *w, int64_t content, const Document *doc, GError **error)
{
	if (!has_links(doc))
		return true;
	RootCheck check = {w, NULL};
	g_autoptr(GByteArray) packed = links_pack(doc, is_below_root, &check);
	if (check.error) {
		g_propagate_error(error, check.error);
		return false;
	}
	return !packed || statement_run(w, LINK_ADD,
	                          VALUES(INT(content), BLOB(packed->data, packed->len)), error);
}

size_t content_document_bytes(const Document *doc)
{
	size_t bytes = doc->text->len;
	for (guint i = 0; i < doc->facts->len; i++)
		bytes += strlen(g_array_index(doc->facts, DocFact, i).value);
	return bytes;
}

/* Fewer bytes cannot have many more words than the budget. */
TermBudget *content_budget(OpenContent *open, const Document *doc)
{
	enum { FREE_BYTES = 8 << 20 };
	if (!open->budget && open->bytes > FREE_BYTES)
		open->budget = terms_budget_new();
	open->bytes += content_document_bytes(doc);
	return open->budget;
}

bool content_add_rows(Writer *w, int64_t content, const Document *doc, const Terms *terms,
        const Fingerprint *print, int64_t *id_r, GError **error)
{
	OpenContent *open = content_get_open(w, content, error);
	Gap gap = write_gap_of(doc, terms);
	if (!open || !writer_change(w, error) ||
	        !statement_run(w, DOCUMENT_ADD,
	                VALUES(INT(open->hidden ? -content : content), INT(print->words),
	                        INT(write_date_of(doc))),
	                error))
		return false;
	int64_t id = *id_r = sqlite3_last_insert_rowid(w->db);
	if (!add_links(w, content, doc, error) || !add_fact(w, id, doc, gap, print, error) ||
	        !add_fingerprint(w, id, print, error) || !meaning_add(w, id, terms, error) ||
	        (doc->member && !names_add(w, -id, doc->member, error)))
		return false;
	open->print = *print;
	w->totals[TOTAL_TEXT_ROWS] += print->words > 0;
	w->totals[TOTAL_LIVE_ROWS] += print->words > 0;
	w->totals[TOTAL_DOCUMENTS]++;
	w->totals[TOTAL_TEXT_BYTES] += doc->text->len;
	w->totals[TOTAL_TRUNCATED] += gap.truncated;
	return true;
}

void content_keep_text(Writer *w, int64_t id, const Document *doc, bool cache)
{
	if (w->cache && cache)
		textcache_put(w->cache, id, doc);
	else if (w->cache)
		textcache_remove(w->cache, id); /* left over from a failed transaction */
}

const Fingerprint *writer_last_print(Writer *w, int64_t content)
{
	return &find_open(w, content)->print;
}

void writer_count_words(Writer *w, WordCount *count)
{
	w->count = w->terms.count = count;
}

bool writer_add_document(
        Writer *w, int64_t content, const Document *doc, bool cache, GError **error)
{
	OpenContent *open = content_get_open(w, content, error);
	Fingerprint print;
	int64_t id;
	if (!open)
		return false;
	w->terms.budget = content_budget(open, doc);
	w->terms.count = w->count;
	terms_of_document(&w->terms, doc, &w->text_key, &print);
	if (!content_add_rows(w, content, doc, &w->terms, &print, &id, error) ||
	        (print.words > 0 && !content_write_text(w, TEXT_ADD, id, &w->terms, error)))
		return false;
	content_keep_text(w, id, doc, cache);
	return true;
}
