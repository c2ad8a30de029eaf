/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/rank.h"
#include "index/search/sequence.h"
#include "index/store/db.h"
#include "index/text/terms.h"
#include "index/text/tokenizer.h"
#include <glib.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* Saturation of the term frequency, and how far the length of a document counts. */
static const double k1 = 1.2, b = 0.8;
const double rank_page_bonus = 100.0, rank_name_bonus = 1.0, rank_whole_name_bonus = 5.0;
const double rank_path_bonus = 0.6, rank_whole_path_bonus = 4.0;

/* The bonus for two words of the query that are adjacent in the text, as a share of the weight of
 * the lighter one. In a long query, neighbours are often words of different subjects. */
static const double neighbour_bonus_short = 1.0, neighbour_bonus_long = 0.5;
/* The penalty for missing words: the exponent of the share of words that the document contains. It
 * is for queries of at most SHORT_QUERY words; in a longer query one word can replace another. */
static const double coverage_exponent = 0.5;
enum { SHORT_QUERY = 4 };
/* The bonus for a word that stands among the first LEAD_WORDS of the text, as a share of its
 * weight. A text begins with its subject, which only a longer query describes. */
static const double lead_bonus = 0.6;
enum { LEAD_WORDS = 20 };

/* The bonus of a document of today over a very old one, and the number of days that halves it. A
 * document without a date of its own counts half as much by the date of its file, which copying
 * may have changed. */
static const double recency_bonus = 0.05, recency_days = 365, undated = 0.5;

/* The weight of a word if the document contains only other forms of it. It is for queries of at
 * most SHORT_QUERY words. */
static const double form_share = 0.4;

/* Further positions in a document would hardly change the score. */
enum { MAX_POSITIONS = 16, DAY_S = 24 * 60 * 60 };

static const double column_weights[N_COLUMNS] = {
        [COLUMN_BODY] = 1,
        [COLUMN_TITLE] = 4,
        [COLUMN_HEADING] = 4,
        [COLUMN_AUTHOR] = 3,
        [COLUMN_RECIPIENT] = 1.5,
        [COLUMN_CC] = 1,
        [COLUMN_KEYWORD] = 3,
        [COLUMN_COMMENT] = 1.5,
        [COLUMN_MEMBER] = 4,
        [COLUMN_NOISE] = 0.5,
};

double rank_weight(uint64_t documents, uint64_t all)
{
	double with = MIN(MIN(documents, all), RANK_MAX_COUNT);
	/* A word in more than half of all documents tells nothing, but it must not lower the
	 * score. */
	return MAX(log((all - with + 0.5) / (with + 0.5)), 0.01);
}

/* Returns 1 for a short query, and less the longer the query is. */
static double rank_shortness(unsigned words)
{
	double share = words > SHORT_QUERY ? (double)SHORT_QUERY / words : 1;
	return share * share;
}

double rank_coverage(double held, double all, unsigned phrases)
{
	return held < all ? pow(held / all, coverage_exponent * rank_shortness(phrases)) : 1;
}

void rank_reset(Rank *rank, double weight)
{
	for (int i = 0; i < RANK_MAX_PHRASES; i++)
		rank->weights[i] = weight;
	memset(rank->forms, 0, sizeof rank->forms);
	memset(rank->open_ends, 0, sizeof rank->open_ends);
	rank->mean_words = 0;
	rank->now = 0;
	rank->words = 1;
	rank->apart = false;
	rank->ordered = 0;
	rank->step = 0;
}

/* A day, so that the pages of a result have the same scores. */
static int64_t rank_today(void)
{
	return time(NULL) / DAY_S * DAY_S;
}

void rank_measure(Rank *rank, uint64_t documents, uint64_t tokens)
{
	rank->now = rank_today();
	rank->mean_words = documents > 0 && tokens > documents ? (double)tokens / documents : 1;
	double shortness = rank_shortness(rank->words);
	rank->form_share = pow(form_share, shortness);
	rank->neighbour_bonus =
	        neighbour_bonus_long + (neighbour_bonus_short - neighbour_bonus_long) * shortness;
	rank->lead_bonus = rank->apart ? 0 : lead_bonus * (1 - shortness);
}

/* Fills in what the caller does not know. */
static int rank_measure_index(const Fts5ExtensionApi *api, Fts5Context *fts, Rank *rank)
{
	sqlite3_int64 rows = 0, words = 0;
	int result = api->xRowCount(fts, &rows);
	if (result == SQLITE_OK)
		result = api->xColumnTotalSize(fts, -1, &words);
	rank_measure(rank, MAX(rows, 0), MAX(words, 0));
	return result;
}

/* The positions of one phrase in the current row. */
typedef struct {
	int n, words;
	int64_t at[MAX_POSITIONS]; /* ascending; column and offset in one number */
	double weight;
} RankPositions;

static double rank_weight_at(int64_t position)
{
	int64_t column = position >> 32;
	return column < N_COLUMNS ? column_weights[column] : 0;
}

/* Fills in the positions; *frequency_r is their weighted count. */
static int find_positions(const Fts5ExtensionApi *api, Fts5Context *fts, int phrase,
        RankPositions *positions, double *frequency_r)
{
	Fts5PhraseIter iter;
	int column, offset;
	int result = api->xPhraseFirst(fts, phrase, &iter, &column, &offset);
	positions->n = 0;
	positions->words = api->xPhraseSize(fts, phrase);
	*frequency_r = 0;
	while (result == SQLITE_OK && column >= 0 && positions->n < MAX_POSITIONS) {
		positions->at[positions->n] = (int64_t)column << 32 | offset;
		*frequency_r += rank_weight_at(positions->at[positions->n++]);
		api->xPhraseNext(fts, &iter, &column, &offset);
	}
	return result;
}

/* Adds the positions of another form. A word that a hyphen divides may stand where both of its
 * parts do, and counts once. */
static int rank_add_form(const Fts5ExtensionApi *api, Fts5Context *fts, int phrase,
        RankPositions *positions, double *frequency_r)
{
	RankPositions typed = {.n = positions->n}, forms;
	double frequency;
	int result = find_positions(api, fts, phrase, &forms, &frequency);
	if (forms.n == 0)
		return result;
	*frequency_r += frequency;
	memcpy(typed.at, positions->at, positions->n * sizeof *positions->at);
	positions->n = 0;
	for (int i = 0, j = 0; positions->n < MAX_POSITIONS && (i < typed.n || j < forms.n);) {
		int64_t first = i < typed.n ? typed.at[i] : INT64_MAX,
		        second = j < forms.n ? forms.at[j] : INT64_MAX;
		i += first <= second;
		j += second <= first;
		positions->at[positions->n++] = MIN(first, second);
		*frequency_r -= first == second ? rank_weight_at(first) : 0;
	}
	return result;
}

/* Returns 1 / the distance in words where the two phrases are closest, among the first positions of
 * each. The wrong order counts as one word more. Y. Rasolofo, J. Savoy, "Term proximity scoring for
 * keyword-based retrieval systems" (2003), squares the distance and takes all pairs; here only
 * neighbours in the query are compared, since they are most often adjacent in the text too. */
static double rank_closeness(const RankPositions *first, const RankPositions *second)
{
	int64_t nearest = G_MAXINT32;
	for (int i = 0, j = 0; i < first->n && j < second->n;) {
		/* The order of the positions is unpredictable, so nothing here branches on it. */
		int64_t ahead = second->at[j] - (first->at[i] + first->words - 1),
		        back = first->at[i] - second->at[j] + 1;
		bool follows = ahead > 0;
		int64_t words = follows ? ahead : back > 1 ? back : G_MAXINT32;
		nearest = MIN(nearest, words);
		i += follows;
		j += !follows;
	}
	return 1.0 / nearest;
}

/* Does the phrase stand at the beginning of the text? The body is the first column. */
static bool rank_is_in_lead(const RankPositions *positions)
{
	G_STATIC_ASSERT(COLUMN_BODY == 0);
	return positions->n > 0 && positions->at[0] < LEAD_WORDS;
}

/* 1: today; less the longer ago it is. */
static double rank_youth(int64_t today, int64_t date)
{
	return exp2(-(double)MAX(today - date, 0) / DAY_S / recency_days);
}

static double rank_recency(const Rank *rank, int64_t date)
{
	return 1 + recency_bonus * (date != 0 ? rank_youth(rank->now, date) : undated);
}

double rank_file_recency(int64_t date)
{
	double youth = rank_youth(rank_today(), date);
	return (1 + recency_bonus * undated * youth) / (1 + recency_bonus * undated);
}

/* Returns the score of a word that is in a document of this length with this frequency. */
static double rank_saturated(const Rank *rank, double frequency, double words)
{
	double length = k1 * (1 - b + b * MAX(words, 0) / rank->mean_words);
	return frequency * (k1 + 1) / (frequency + length);
}

/* Counts like find_positions(): only the first positions, in the order of the columns. */
static double frequency_of(const unsigned *columns)
{
	double frequency = 0;
	unsigned left = MAX_POSITIONS;
	for (int i = 0; i < N_COLUMNS; i++) {
		unsigned n = MIN(columns[i], left);
		frequency += column_weights[i] * n;
		left -= n;
	}
	return frequency;
}

double rank_single_term(
        const Rank *rank, const unsigned *columns, bool typed, double words, int64_t date)
{
	double score = rank_saturated(rank, frequency_of(columns), words);
	return score * (typed ? 1 : rank->form_share) * rank_recency(rank, date) + rank->step;
}

/* Computes the score of the current row. */
static int score_row(const Fts5ExtensionApi *api, Fts5Context *fts, Rank *rank, double words,
        int64_t date, double *score_r)
{
	double score = 0, all = 0, held = 0, lead = 0;
	unsigned scored = 0, matched = 0;
	RankPositions positions[2], *now = &positions[0], *before = NULL;
	int phrases = MIN(api->xPhraseCount(fts), RANK_MAX_PHRASES), result = SQLITE_OK;

	rank->proximity = 0;
	for (int i = 0; i < phrases && result == SQLITE_OK; i++) {
		double frequency, weight = rank->weights[i];
		if (weight == 0 || rank->forms[i])
			continue;
		result = find_positions(api, fts, i, now, &frequency);
		bool typed = now->n > 0;
		for (int form = i + 1; result == SQLITE_OK && form < phrases && rank->forms[form];
		        form++)
			result = rank_add_form(api, fts, form, now, &frequency);
		scored++;
		all += weight;
		if (now->n == 0)
			continue;
		held += weight;
		weight *= typed ? 1 : rank->form_share;
		score += weight * rank_saturated(rank, frequency, words);
		lead += !rank->open_ends[i] && rank_is_in_lead(now) ? weight : 0;
		matched++;
		if (before && !rank->open_ends[i])
			rank->proximity +=
			        MIN(before->weight, weight) * rank_closeness(before, now);
		now->weight = weight;
		before = now;
		now = now == &positions[0] ? &positions[1] : &positions[0];
	}
	rank->proximity = rank->neighbour_bonus * rank->proximity + rank->lead_bonus * lead;
	*score_r = (score + rank->proximity) * rank_coverage(held, all, scored) *
	                   rank_recency(rank, date) +
	           rank->step * matched;
	return result;
}

static void rank_function(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context,
        int n, sqlite3_value **values)
{
	Rank *rank = api->xUserData(fts);
	int span = 0;
	double score = 0, words = n > 0 ? sqlite3_value_double(values[0]) : 0;
	int64_t date = n > 1 ? sqlite3_value_int64(values[1]) : 0;
	int result = rank->mean_words == 0 ? rank_measure_index(api, fts, rank) : SQLITE_OK;

	if (result == SQLITE_OK)
		result = score_row(api, fts, rank, words, date, &score);
	if (result == SQLITE_OK && rank->ordered > 0)
		result = sequence_span(api, fts, &span);
	bool yes = rank->ordered == 0 || (span >= 0 && span < (int)rank->ordered);
	if (result == SQLITE_OK)
		sqlite3_result_double(context, yes ? score : -1);
	else
		sqlite3_result_error_code(context, result);
}

bool rank_register(sqlite3 *db, Rank *rank, GError **error)
{
	fts5_api *api = tokenizer_fts5(db);
	if (!api ||
	        api->xCreateFunction(api, "tarsier_rank", rank, rank_function, NULL) != SQLITE_OK)
		return db_fail(db, "FTS5", error);
	return true;
}
