/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newest.c - the newest matches, without the dates of all others
 *
 * The date of a match stands in the rows of its entry: five look-ups, which take longer than
 * finding the document. Where a word is common, the documents of the index are walked in the order
 * of their date instead, newest or oldest first, and those that match the words are taken until a
 * page is full. The less common the word, the longer the walk; documents of rarer words are all
 * looked up.
 *
 * The date is the document's own, else that of the member, else that of the file. Each has an
 * index, and the walk merges the three. A document is met at the latest at its date: those that
 * were met earlier, by a date that does not count, wait until the walk has passed their own.
 *
 * A query of filters alone walks all documents of a large index in the same way, if many match. */
#include <config.h>
#include "index/search/candidates.h"

/* The cost of a step of the walk, as a part of looking a match up. */
enum { STEPS_OF_LOOKUP = 3, MORE_EACH_TIME = 4 };
/* Of all documents, the walk looks up so small a part at most before all entries are read. */
enum { ALL_PART = 16, SPARE_PART = 10, LOOKED_UP_IN_VAIN = 300 };
guint newest_least_documents = 100000;

static const char newest_documents_sql[] = "SELECT value FROM meta WHERE key = 'documents'";

/* The columns are a date in seconds and the document that may have it. */
#define BY_OWN(order) "SELECT date, id FROM document WHERE date <> 0 ORDER BY date " order
#define BY_MEMBER(order)                                                                           \
	"SELECT mtime_ns / 1000000000, document FROM fact WHERE mtime_ns IS NOT NULL "             \
	"ORDER BY mtime_ns " order
#define BY_FILE(order)                                                                             \
	"SELECT i.mtime_ns / 1000000000, d.id FROM inode i INDEXED BY inode_newest "               \
	"CROSS JOIN document d ON d.content = i.content WHERE i.content IS NOT NULL "              \
	"ORDER BY i.mtime_ns " order

enum { N_DATES = 3 };
static const char *const newest_sql[N_DATES] = {BY_OWN("DESC"), BY_MEMBER("DESC"), BY_FILE("DESC")};
static const char *const oldest_sql[N_DATES] = {BY_OWN("ASC"), BY_MEMBER("ASC"), BY_FILE("ASC")};

typedef struct {
	sqlite3_stmt *statement;
	int row; /* result of reader_step() */
	double seconds; /* as the order of a match: a damaged index may have any number */
	int64_t document;
} DateList;

typedef struct {
	const Search *s;
	bool oldest;
	DateList lists[N_DATES];
	GArray *documents; /* int64_t, ascending: those that match the words; NULL: all */
	bool *asked; /* for each of them: it was met */
	GHashTable *met; /* int64_t: the same if they are all */
	guint left; /* number of those that were not */
	uint64_t steps_left;
} DateWalk;

static bool newest_step(DateWalk *walk, DateList *list, GError **error)
{
	list->row = reader_step(walk->s->r, list->statement, error);
	if (list->row > 0) {
		list->seconds = sqlite3_column_double(list->statement, 0);
		list->document = sqlite3_column_int64(list->statement, 1);
	}
	return list->row >= 0;
}

static void newest_end(DateWalk *walk)
{
	for (int i = 0; i < N_DATES; i++)
		if (walk->lists[i].statement)
			sqlite3_reset(walk->lists[i].statement);
	g_clear_pointer(&walk->documents, g_array_unref);
	g_clear_pointer(&walk->met, g_hash_table_unref);
	g_free(walk->asked);
}

static bool newest_open_lists(DateWalk *walk, const Search *s, GError **error)
{
	for (int i = 0; i < N_DATES; i++) {
		const char *sql = (walk->oldest ? oldest_sql : newest_sql)[i];
		walk->lists[i].statement = reader_statement(s->r, sql, error);
		if (!walk->lists[i].statement || !newest_step(walk, &walk->lists[i], error))
			return false;
	}
	return true;
}

static bool newest_begin(DateWalk *walk, const Search *s, GArray *documents, GError **error)
{
	*walk = (DateWalk){.s = s, .oldest = s->options->reverse, .left = documents->len};
	walk->documents = g_array_ref(documents);
	walk->asked = g_new0(bool, documents->len);
	walk->steps_left = (uint64_t)STEPS_OF_LOOKUP * documents->len;
	return newest_open_lists(walk, s, error);
}

/* Of all documents, whose number is n. */
static bool newest_begin_all(DateWalk *walk, const Search *s, guint n, GError **error)
{
	*walk = (DateWalk){.s = s, .oldest = s->options->reverse, .left = n};
	walk->met = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	walk->steps_left = G_MAXUINT64;
	return newest_open_lists(walk, s, error);
}

static bool newest_is_before(const DateWalk *walk, double a, double b)
{
	return walk->oldest ? a < b : a > b;
}

/* Returns the list with the next date; NULL: the walk is at its end. */
static DateList *newest_next_list(DateWalk *walk)
{
	DateList *next = NULL;
	for (int i = 0; i < N_DATES; i++) {
		DateList *list = &walk->lists[i];
		if (list->row > 0 &&
		        (!next || newest_is_before(walk, list->seconds, next->seconds)))
			next = list;
	}
	return next;
}

static bool newest_is_met(DateWalk *walk, int64_t document)
{
	if (walk->met)
		return !g_hash_table_add(walk->met, g_memdup2(&document, sizeof document));
	guint at = search_position(walk->documents, document);
	bool is_met = at == walk->documents->len || walk->asked[at];
	if (!is_met)
		walk->asked[at] = true;
	return is_met;
}

/* Appends the document unless it does not match the words, or was met before. */
static void newest_meet(DateWalk *walk, int64_t document, GArray *out)
{
	if (newest_is_met(walk, document))
		return;
	walk->left -= walk->documents || walk->left > 1; /* of all, the end of the lists tells */
	g_array_append_val(out, document);
}

static void newest_meet_all(DateWalk *walk, GArray *out)
{
	for (guint i = 0; walk->documents && i < walk->documents->len; i++)
		if (!walk->asked[i])
			g_array_append_val(out, g_array_index(walk->documents, int64_t, i));
	walk->left = 0;
}

/* Appends so many documents. If the walk takes too long, appends all that are left. */
static bool newest_walk(DateWalk *walk, guint most, GArray *out, GError **error)
{
	DateList *list;
	while (out->len < most && walk->left > 0 && walk->steps_left > 0 &&
	        (list = newest_next_list(walk))) {
		walk->steps_left--;
		newest_meet(walk, list->document, out);
		if (!newest_step(walk, list, error))
			return false;
	}
	if (out->len < most)
		newest_meet_all(walk, out);
	return true;
}

/* Appends the entries of the documents or nodes that match the filters, with their dates. */
static bool newest_ask(
        const Search *s, RowSource source, const GArray *ids, GArray *out, GError **error)
{
	g_autoptr(CandidateIterator) rows = candidates_of_rows(s, source, ids, error);
	Candidate candidate;
	int found = rows ? 1 : -1;
	while (found > 0 && (found = rows->next(rows, &candidate, error)) > 0)
		if (search_holds_mixed(s, &candidate))
			g_array_append_val(out, candidate.match);
	return found == 0;
}

/* Has the walk passed the date of the match? Then it has met all documents before it. */
static bool newest_is_passed(const DateWalk *walk, const DateList *next, const SearchMatch *match)
{
	return walk->left == 0 || !next || newest_is_before(walk, match->order, next->seconds);
}

static guint newest_count_passed(DateWalk *walk, const GArray *matches)
{
	const DateList *next = newest_next_list(walk);
	guint n = 0;
	int64_t last = 0;
	for (guint i = 0; i < matches->len; i++) {
		const SearchMatch *match = &g_array_index(matches, SearchMatch, i);
		n += match->document != last && newest_is_passed(walk, next, match);
		last = match->document;
	}
	return n;
}

/* Drops the matches before which others may belong. Returns how many documents have them. */
static guint newest_keep_passed(DateWalk *walk, GArray *matches)
{
	const DateList *next = newest_next_list(walk);
	guint kept = 0, dropped = 0;
	int64_t last = 0;
	for (guint i = 0; i < matches->len; i++) {
		const SearchMatch match = g_array_index(matches, SearchMatch, i);
		if (newest_is_passed(walk, next, &match))
			g_array_index(matches, SearchMatch, kept++) = match;
		else
			dropped += match.document != last;
		last = match.document;
	}
	g_array_set_size(matches, kept);
	return dropped;
}

static bool newest_fill(DateWalk *walk, guint page, guint spare, Matches *m, GError **error)
{
	g_autoptr(GArray) documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint most = page + spare; walk->left > 0; most *= MORE_EACH_TIME) {
		g_array_set_size(documents, 0);
		if (!newest_walk(walk, most, documents, error) ||
		        !newest_ask(walk->s, ROWS_OF_DOCUMENTS, documents, m->list, error))
			return false;
		if (newest_count_passed(walk, m->list) >= page)
			break;
	}
	m->unasked = walk->left + newest_keep_passed(walk, m->list);
	return true;
}

/* Is a walk expected to end in half of the time in which all matches are looked up? */
static bool newest_pays(const Search *s, guint n, uint64_t wanted, bool *pays_r, GError **error)
{
	uint64_t documents;
	*pays_r = false;
	if (s->options->count || n <= search_at_once || wanted > n)
		return true;
	if (!reader_count(s->r, newest_documents_sql, &documents, error))
		return false;
	*pays_r = (double)documents * wanted <= (double)STEPS_OF_LOOKUP / 2 * n * n;
	return true;
}

static GArray *newest_take_documents(Matches *m)
{
	GArray *documents =
	        m->list->len > 0 ? search_documents(m->list) : g_array_ref(m->documents);
	g_array_set_size(m->list, 0);
	return documents;
}

bool search_newest(const Search *s, Matches *m, GError **error)
{
	uint64_t page = (uint64_t)s->options->offset + s->options->limit,
	         spare = MIN(SEARCH_SPARE, search_at_once);
	g_autoptr(GArray) documents = newest_take_documents(m);
	bool pays;
	if (!newest_pays(s, documents->len, page + spare, &pays, error))
		return false;
	if (!pays)
		return newest_ask(s, ROWS_OF_DOCUMENTS, documents, m->list, error);
	DateWalk walk;
	bool ok = newest_begin(&walk, s, documents, error) &&
	          newest_fill(&walk, page, spare, m, error);
	newest_end(&walk);
	return ok;
}

/* ---- filters alone */

static const char newest_without_document_sql[] =
        "SELECT id, mtime_ns / 1000000000 FROM inode WHERE content IS NULL";
static const char newest_nodes_sql[] =
        "SELECT n.id FROM tarsier_asked a CROSS JOIN node n ON n.inode = a.id";

/* Directories, and files that wait, have no document. Takes the entries of those before whose date
 * the walk has met all documents: a home of a million files has tens of thousands of others. */
static bool newest_take_others(DateWalk *walk, Matches *m, GError **error)
{
	const Search *s = walk->s;
	const DateList *next = newest_next_list(walk);
	g_autoptr(GArray) inodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	sqlite3_stmt *statement = reader_statement(s->r, newest_without_document_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(s->r, statement, error)) > 0) {
		int64_t inode = sqlite3_column_int64(statement, 0);
		const SearchMatch match = {.order = sqlite3_column_double(statement, 1)};
		if (newest_is_passed(walk, next, &match))
			g_array_append_val(inodes, inode);
		else
			m->unasked++;
	}
	return row == 0 && search_append_ids(s, newest_nodes_sql, inodes, nodes, error) &&
	       newest_ask(s, ROWS_OF_NODES, nodes, m->list, error);
}

/* *full_r: there are enough for the page. */
static bool newest_fill_all(
        DateWalk *walk, guint page, guint spare, Matches *m, bool *full_r, GError **error)
{
	g_autoptr(GArray) documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	guint looked_up = 0, limit = walk->left / ALL_PART;
	bool none = false;
	*full_r = false;
	for (guint most = page + spare; !*full_r && !none && looked_up < limit && walk->left > 0;
	        most *= MORE_EACH_TIME) {
		g_array_set_size(documents, 0);
		if (!newest_walk(walk, most, documents, error) ||
		        !newest_ask(walk->s, ROWS_OF_DOCUMENTS, documents, m->list, error))
			return false;
		looked_up += documents->len;
		none = looked_up >= LOOKED_UP_IN_VAIN && m->list->len == 0;
		*full_r = newest_count_passed(walk, m->list) >= page + spare / SPARE_PART;
	}
	m->unasked = walk->left + newest_keep_passed(walk, m->list);
	return true;
}

int search_newest_entries(const Search *s, Matches *m, GError **error)
{
	uint64_t page = (uint64_t)s->options->offset + s->options->limit, documents;
	guint before = m->list->len;
	if (!s->plan->newest)
		return 0;
	if (!reader_count(s->r, newest_documents_sql, &documents, error))
		return -1;
	if (documents < newest_least_documents || documents > G_MAXUINT ||
	        page * ALL_PART > documents)
		return 0;
	DateWalk walk;
	bool full = false;
	bool ok = newest_begin_all(&walk, s, (guint)documents, error) &&
	          newest_fill_all(&walk, (guint)page, SEARCH_SPARE, m, &full, error) &&
	          (!full || newest_take_others(&walk, m, error));
	newest_end(&walk);
	if (ok && !full) {
		g_array_set_size(m->list, before);
		m->unasked = 0;
	}
	return !ok ? -1 : full;
}
