/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts/fts-gate.h"
#include "index/fts/fts-private.h"
#include "index/text/tokenizer.h"
#include "common/base/i18n.h"
#include <string.h>

/* The bounds of the sample. A term with more postings than MAX_POSTINGS, or whose postings are
 * spread over more than MAX_PAGES pages, is left out. */
enum { TERMS_PER_PAGE = 3, MAX_POSTINGS = 256, MAX_PAGES = 32, MAX_LIST_BYTES = 256 };

/* The places of the sample: common beginnings in the alphabets of most texts. */
static const char *const sample_terms[] = {"e", "s", "\xd0\xbf"};
enum { WANTED_PAGES = 2 };

/* Freed by g_free() with the reader. */
struct FtsGate {
	bool registered; /* the auxiliary functions */
	int64_t data_version; /* PRAGMA data_version when the gates of the tables were set */
	struct {
		bool set, open;
		bool agrees; /* the sample of this table agreed */
		char why[160]; /* why the gate is not open */
	} tables[N_TERM_TABLES];
};

/* ---- a sample */

typedef struct {
	int64_t document;
	bool deleted;
	unsigned counts[N_COLUMNS];
} SamplePosting;

static bool fts_gate_collect(void *data, const TermPosting *posting)
{
	GArray *postings = data;
	SamplePosting one = {posting->document, posting->deleted, {0}};
	memcpy(one.counts, posting->counts, sizeof one.counts);
	g_array_append_val(postings, one);
	return postings->len <= MAX_POSTINGS;
}

static int fts_gate_compare_postings(const void *a, const void *b)
{
	const SamplePosting *x = a, *y = b;
	return x->document < y->document ? -1 : x->document > y->document;
}

static bool fts_gate_has_document(const GArray *postings, int64_t document)
{
	const SamplePosting key = {.document = document};
	return g_array_binary_search((GArray *)postings, &key, fts_gate_compare_postings, NULL);
}

/* Returns the postings of documents that no segment deletes, because the pages do not tell which
 * segment is the newest. Sorted by document. */
static GArray *fts_gate_lasting(const GArray *postings, const GArray *deleted)
{
	GArray *lasting = g_array_new(FALSE, FALSE, sizeof(SamplePosting));
	for (guint i = 0; i < postings->len; i++) {
		const SamplePosting *posting = &g_array_index(postings, SamplePosting, i);
		if (!fts_gate_has_document(deleted, posting->document))
			g_array_append_val(lasting, *posting);
	}
	g_array_sort(lasting, fts_gate_compare_postings);
	return lasting;
}

static GArray *fts_gate_deleted(const GArray *postings)
{
	GArray *deleted = g_array_new(FALSE, FALSE, sizeof(SamplePosting));
	for (guint i = 0; i < postings->len; i++)
		if (g_array_index(postings, SamplePosting, i).deleted)
			g_array_append_val(deleted, g_array_index(postings, SamplePosting, i));
	g_array_sort(deleted, fts_gate_compare_postings);
	return deleted;
}

static bool fts_gate_same_postings(const GArray *pages, const GArray *match)
{
	g_autoptr(GArray) deleted = fts_gate_deleted(pages);
	g_autoptr(GArray) ours = fts_gate_lasting(pages, deleted);
	g_autoptr(GArray) theirs = fts_gate_lasting(match, deleted);
	bool same = ours->len == theirs->len;
	for (guint i = 0; same && i < ours->len; i++) {
		const SamplePosting *x = &g_array_index(ours, SamplePosting, i),
		                    *y = &g_array_index(theirs, SamplePosting, i);
		same = x->document == y->document &&
		       memcmp(x->counts, y->counts, sizeof x->counts) == 0;
	}
	return same;
}

typedef enum { SAMPLE_NONE, SAMPLE_AGREES, SAMPLE_DIFFERS, SAMPLE_ERROR } SampleResult;

static SampleResult fts_gate_compare_term(
        Reader *r, TermTable table, const char *term, GError **error)
{
	g_autoptr(GArray) pages = g_array_new(FALSE, FALSE, sizeof(SamplePosting));
	g_autoptr(GArray) match = g_array_new(FALSE, FALSE, sizeof(SamplePosting));
	g_autoptr(GError) why = NULL;
	unsigned left = MAX_PAGES;
	if (!pages_postings(r, table, term, false, &left, fts_gate_collect, pages, &why)) {
		if (g_error_matches(why, INDEX_ERROR, INDEX_ERROR_DAMAGED))
			return SAMPLE_DIFFERS;
		g_propagate_error(error, g_steal_pointer(&why));
		return SAMPLE_ERROR;
	}
	if (left == 0 || pages->len > MAX_POSTINGS)
		return SAMPLE_NONE;
	if (!match_postings(r, table, term, false, fts_gate_collect, match, error))
		return SAMPLE_ERROR;
	return fts_gate_same_postings(pages, match) ? SAMPLE_AGREES : SAMPLE_DIFFERS;
}

/* ---- the terms of a sample */

typedef struct {
	const char *term;
	unsigned n;
	bool same;
} OneToken;

static int fts_gate_take_token(void *data, const char *token, int length, int start, int end)
{
	OneToken *one = data;
	one->n++;
	one->same = strlen(one->term) == (size_t)length && memcmp(one->term, token, length) == 0;
	return 0;
}

/* Does the tokenizer keep the term unchanged when MATCH is asked for it? */
static bool fts_gate_is_plain(const char *term)
{
	OneToken one = {.term = term};
	return g_utf8_validate(term, -1, NULL) &&
	       tokenize_query(term, strlen(term), fts_gate_take_token, &one) == 0 && one.n == 1 &&
	       one.same;
}

/* Returns the terms of a page whose posting lists are short, and its last term, whose list may
 * continue on the next page. NULL: the page is damaged. */
static GPtrArray *fts_gate_terms(FtsPage *page)
{
	g_autoptr(GPtrArray) terms = g_ptr_array_new_with_free_func(g_free);
	int found;
	while ((found = fts_page_next(page)) > 0)
		if (page->term[0] == FTS_MAIN_INDEX && strlen(page->term) == page->term_length &&
		        page->end - page->postings <= MAX_LIST_BYTES &&
		        fts_gate_is_plain(page->term + 1))
			g_ptr_array_add(terms, g_strdup(page->term + 1));
	return found == 0 ? g_steal_pointer(&terms) : NULL;
}

static SampleResult fts_gate_compare_page(Reader *r, TermTable table, FtsPage *page, GError **error)
{
	g_autoptr(GPtrArray) terms = fts_gate_terms(page);
	SampleResult all = SAMPLE_NONE;
	if (!terms)
		return SAMPLE_DIFFERS;
	for (guint i = 0; i < MIN(terms->len, TERMS_PER_PAGE); i++) {
		guint at = terms->len - 1 - i * (terms->len / TERMS_PER_PAGE);
		SampleResult one = fts_gate_compare_term(r, table, terms->pdata[at], error);
		if (one > SAMPLE_AGREES)
			return one;
		all = MAX(all, one);
	}
	return all;
}

static SampleResult fts_gate_compare(Reader *r, TermTable table, GError **error)
{
	g_autofree FtsPage *page = g_new(FtsPage, 1);
	SampleResult all = SAMPLE_NONE;
	for (unsigned i = 0, pages = 0; i < G_N_ELEMENTS(sample_terms) && pages < WANTED_PAGES;
	        i++) {
		g_autoptr(GBytes) bytes = NULL;
		g_autoptr(GError) why = NULL;
		int found = pages_sample(r, table, sample_terms[i], page, &bytes, &why);
		if (found < 0 && g_error_matches(why, INDEX_ERROR, INDEX_ERROR_DAMAGED))
			return SAMPLE_DIFFERS;
		if (found < 0) {
			g_propagate_error(error, g_steal_pointer(&why));
			return SAMPLE_ERROR;
		}
		SampleResult one =
		        found > 0 ? fts_gate_compare_page(r, table, page, error) : SAMPLE_NONE;
		if (one > SAMPLE_AGREES)
			return one;
		pages += one == SAMPLE_AGREES;
		all = MAX(all, one);
	}
	return all;
}

/* ---- the gate */

static bool fts_gate_close(struct FtsGate *gate, TermTable table, const char *format, int version)
{
	gate->tables[table].open = false;
	g_snprintf(gate->tables[table].why, sizeof gate->tables[table].why, format, version);
	return true;
}

static bool fts_gate_set(Reader *r, struct FtsGate *gate, TermTable table, GError **error)
{
	static const char *const version_sql[] = {
	        [TERMS_OF_TEXT] = "SELECT v FROM text_config WHERE k = 'version'",
	        [TERMS_OF_NAMES] = "SELECT v FROM name_config WHERE k = 'version'"};
	uint64_t version;
	gate->tables[table].open = true;
	if (g_strcmp0(g_getenv("TARSIER_FTS_PAGES"), "no") == 0)
		return fts_gate_close(gate, table, _("TARSIER_FTS_PAGES is \"no\""), 0);
	if (!reader_count(r, version_sql[table], &version, error))
		return false;
	if (version != FTS_VERSION)
		return fts_gate_close(gate, table,
		        _("the tables of SQLite have version %d, which is not known"),
		        (int)MIN(version, G_MAXINT));
	if (gate->tables[table].agrees)
		return true;
	SampleResult sample = fts_gate_compare(r, table, error);
	gate->tables[table].agrees = sample == SAMPLE_AGREES;
	if (sample == SAMPLE_DIFFERS)
		return fts_gate_close(
		        gate, table, _("a sample of them differs from what SQLite finds"), 0);
	return sample != SAMPLE_ERROR;
}

static struct FtsGate *fts_gate_of(Reader *r, GError **error)
{
	if (!r->fts_gate)
		r->fts_gate = g_new0(struct FtsGate, 1);
	if (!r->fts_gate->registered && !match_register(r, error))
		return NULL;
	r->fts_gate->registered = true;
	return r->fts_gate;
}

int fts_gate_is_open(Reader *r, TermTable table, GError **error)
{
	struct FtsGate *gate = fts_gate_of(r, error);
	uint64_t data_version;
	if (!gate || !reader_count(r, "PRAGMA data_version", &data_version, error))
		return -1;
	if (gate->data_version != (int64_t)data_version)
		for (int i = 0; i < N_TERM_TABLES; i++)
			gate->tables[i].set = false;
	gate->data_version = (int64_t)data_version;
	if (!gate->tables[table].set && !fts_gate_set(r, gate, table, error))
		return -1;
	gate->tables[table].set = true;
	return gate->tables[table].open;
}

bool fts_gate_reason(Reader *r, const char **reason_r, GError **error)
{
	int open = 1;
	*reason_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	for (int i = 0; open > 0 && i < N_TERM_TABLES; i++) {
		open = fts_gate_is_open(r, i, error);
		if (open == 0)
			*reason_r = r->fts_gate->tables[i].why;
	}
	reader_end(r);
	return open >= 0;
}
