/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/passages.h"
#include "index/search/sections.h"
#include <math.h>
#include <string.h>

G_STATIC_ASSERT((int)QUERY_MAX_TERMS <= 64); /* bits of a set of term nodes */

/* Saturation and length of BM25. */
static const double saturation = 2, length_share = 0.7;
/* The weights of a match in the heading of a section, and of words of the headings above. */
static const double own_heading = 3, heading_above = 1;
/* The parts of the score beside that of the section. */
static const double words_here = 0.5, neighbours = 0.8;
/* The factor of a passage of navigation, and of one that lists what stands elsewhere. */
static const double noise_factor = 0.5, listing_factor = 0.3;
/* The bytes between two neighbours that halve their bonus, and the share of the bonus if they are
 * not in the order of the query. */
static const double near_bytes = 40, wrong_order = 0.7;

enum {
	STARTS_MAX = 8192, /* matches that begin a passage */
	PASSAGE_MATCHES = 64,
	LEADERS = 4, /* dots of a table of contents */
	LEADER_BYTES = 40 /* they begin so near after the words */
};

/* A section that has matches. */
typedef struct {
	guint section;
	guint first, end; /* of the matches */
	uint64_t terms; /* in its text or its heading */
	uint64_t above; /* in the headings above it */
} PassageSection;

struct Passages {
	const Document *doc;
	GArray *matches; /* WordMatch */
	GArray *sections; /* Section */
	GArray *active; /* PassageSection */
	unsigned terms;
	unsigned words[QUERY_MAX_TERMS]; /* of each term node */
	guint count[QUERY_MAX_TERMS]; /* matches */
};

static const Section *passages_section(const Passages *p, guint section)
{
	return &g_array_index(p->sections, Section, section);
}

static const WordMatch *passages_match(const Passages *p, guint match)
{
	return &g_array_index(p->matches, WordMatch, match);
}

static bool is_in_heading(const Section *section, const WordMatch *match)
{
	return match->start < section->heading_end;
}

/* heading: gets, for each section, the terms of its heading. */
static PassageSection passage_section_read(
        const Passages *p, guint section, guint first, uint64_t *heading)
{
	const Section *at = passages_section(p, section);
	PassageSection active = {.section = section, .first = first, .end = first};
	while (active.end < p->matches->len && passages_match(p, active.end)->start < at->to) {
		const WordMatch *match = passages_match(p, active.end++);
		active.terms |= UINT64_C(1) << match->term;
		if (is_in_heading(at, match))
			heading[section] |= UINT64_C(1) << match->term;
	}
	return active;
}

/* Finds the sections that have matches, in one pass over both. */
static void find_active(Passages *p)
{
	g_autofree uint64_t *heading = g_new0(uint64_t, p->sections->len);
	g_autofree uint64_t *above = g_new0(uint64_t, p->sections->len);
	guint next = 0;
	for (guint i = 0; i < p->sections->len; i++) {
		PassageSection active = passage_section_read(p, i, next, heading);
		int parent = passages_section(p, i)->above;
		above[i] = parent == SECTION_NONE ? 0 : above[parent] | heading[parent];
		active.above = above[i];
		next = active.end;
		if (active.end > active.first)
			g_array_append_val(p->active, active);
	}
}

Passages *passages_new(const Document *doc, const WordFinder *finder)
{
	Passages *p = g_new0(Passages, 1);
	p->doc = doc;
	p->matches = word_finder_text(finder, doc);
	p->sections =
	        p->matches->len > 0 ? sections_of(doc) : g_array_new(FALSE, FALSE, sizeof(Section));
	p->active = g_array_new(FALSE, FALSE, sizeof(PassageSection));
	p->terms = MIN(word_finder_term_nodes(finder), QUERY_MAX_TERMS);
	word_matches_sort(p->matches);
	for (guint i = 0; i < p->matches->len; i++) {
		const WordMatch *match = passages_match(p, i);
		p->words[match->term] = match->words;
		p->count[match->term]++;
	}
	find_active(p);
	return p;
}

void passages_free(Passages *passages)
{
	if (!passages)
		return;
	g_array_unref(passages->matches);
	g_array_unref(passages->sections);
	g_array_unref(passages->active);
	g_free(passages);
}

void passages_count(const Passages *p, PassageCounts *counts)
{
	counts->sections += p->sections->len;
	counts->bytes += p->doc->text->len;
	for (guint i = 0; i < p->active->len; i++) {
		uint64_t terms = g_array_index(p->active, PassageSection, i).terms;
		for (unsigned term = 0; term < p->terms; term++)
			counts->with[term] += terms >> term & 1;
	}
}

const GArray *passages_matches(const Passages *passages)
{
	return passages->matches;
}

const GArray *passages_sections(const Passages *passages)
{
	return passages->sections;
}

/* ---- scores */

typedef struct {
	const Passages *passages;
	unsigned max_bytes;
	double weight[QUERY_MAX_TERMS];
	bool starts[QUERY_MAX_TERMS]; /* its matches begin passages */
	double mean_bytes; /* of a section */
	GArray *found; /* Passage */
} PassageScorer;

static void set_weights(PassageScorer *scorer, const PassageCounts *counts)
{
	const Passages *p = scorer->passages;
	double all = MAX(counts->sections, 1);
	scorer->mean_bytes = MAX(counts->bytes / all, 1);
	for (unsigned i = 0; i < p->terms; i++) {
		double with = MIN(counts->with[i], counts->sections);
		/* A phrase counts a little more than its rarest word would. */
		scorer->weight[i] = log(1 + (all - with + 0.5) / (with + 0.5)) *
		                    (1 + 0.2 * (MAX(p->words[i], 1) - 1));
	}
}

/* The rarest words begin passages: a passage that answers the query has one of them. */
static void choose_starts(PassageScorer *scorer)
{
	const Passages *p = scorer->passages;
	guint left = STARTS_MAX;
	for (bool first = true;; first = false) {
		unsigned rarest = p->terms;
		for (unsigned i = 0; i < p->terms; i++)
			if (p->count[i] > 0 && !scorer->starts[i] &&
			        (rarest == p->terms || p->count[i] < p->count[rarest]))
				rarest = i;
		if (rarest == p->terms || (p->count[rarest] > left && !first))
			return;
		scorer->starts[rarest] = true;
		left -= MIN(p->count[rarest], left);
	}
}

/* Do dots lead from the words to the number of a page? */
static bool has_leaders(const Passages *p, const Passage *passage)
{
	const char *text = p->doc->text->str;
	uint32_t from = passage->to;
	uint32_t to = MIN(passage->to + LEADER_BYTES, passages_section(p, passage->section)->to);
	unsigned n = 0;
	for (uint32_t at = from; at + 1 < to && n < LEADERS; at++)
		n = text[at] != '.' ? (text[at] == ' ' ? n : 0) : n + 1;
	return n >= LEADERS;
}

static bool is_listing(const Passages *p, const PassageSection *active)
{
	const Section *section = passages_section(p, active->section);
	return section->link_bytes * 2 > section->to - section->heading_end;
}

static double score_section(const PassageScorer *scorer, const PassageSection *active)
{
	const Passages *p = scorer->passages;
	const Section *section = passages_section(p, active->section);
	double found[QUERY_MAX_TERMS] = {0}, score = 0;
	double length = (section->to - section->from) / scorer->mean_bytes;
	double norm = saturation * (1 - length_share + length_share * length);

	for (guint i = active->first; i < active->end; i++) {
		const WordMatch *match = passages_match(p, i);
		found[match->term] += is_in_heading(section, match) ? own_heading
		                      : match->tag == TAG_NOISE     ? 0.2
		                                                    : 1;
	}
	for (unsigned i = 0; i < p->terms; i++) {
		double n = found[i] + (active->above >> i & 1 ? heading_above : 0);
		score += scorer->weight[i] * n * (saturation + 1) / (n + norm);
	}
	return score;
}

/* The bonus for two term nodes that follow each other in the query. */
static double score_pair(
        const PassageScorer *scorer, const WordMatch *before, const WordMatch *match)
{
	double weight = MIN(scorer->weight[before->term], scorer->weight[match->term]);
	double bytes = match->start > before->end + 1 ? match->start - before->end - 1 : 0;
	double order = before->term < match->term ? 1 : wrong_order;
	return weight * order * near_bytes / (near_bytes + bytes);
}

/* The words of the passage, and the closeness of each pair of neighbours where they are closest. */
static double score_words(const PassageScorer *scorer, const Passage *passage)
{
	const Passages *p = scorer->passages;
	const WordMatch *last[QUERY_MAX_TERMS];
	double pair[QUERY_MAX_TERMS]; /* of a term node and the next one */
	double score = 0;
	for (unsigned i = 0; i < p->terms; i++) {
		last[i] = NULL;
		pair[i] = 0;
	}
	for (guint i = passage->first; i < passage->end; i++) {
		const WordMatch *match = passages_match(p, i);
		unsigned term = match->term;
		score += last[term] ? 0.02 * scorer->weight[term]
		                    : words_here * scorer->weight[term];
		last[term] = match;
		if (term > 0 && last[term - 1])
			pair[term - 1] =
			        MAX(pair[term - 1], score_pair(scorer, last[term - 1], match));
		if (term + 1 < p->terms && last[term + 1])
			pair[term] = MAX(pair[term], score_pair(scorer, last[term + 1], match));
	}
	for (unsigned i = 0; i + 1 < p->terms; i++)
		score += neighbours * pair[i];
	double length = MIN(passage->to - passage->from, scorer->max_bytes);
	return score * (1 - length / (8.0 * scorer->max_bytes + 1));
}

static double passage_factor(const PassageScorer *scorer, const Passage *passage)
{
	const Passages *p = scorer->passages;
	for (guint i = passage->first; i < passage->end; i++)
		if (passages_match(p, i)->tag == TAG_NOISE)
			return noise_factor;
	return has_leaders(p, passage) ? listing_factor : 1;
}

/* Adds, for each match that may begin one, the longest passage in its section. */
static void score_active(PassageScorer *scorer, const PassageSection *active)
{
	const Passages *p = scorer->passages;
	double section = score_section(scorer, active);
	double factor = is_listing(p, active) ? listing_factor : 1;
	for (guint i = active->first; i < active->end && scorer->found->len < STARTS_MAX; i++) {
		const WordMatch *match = passages_match(p, i);
		Passage passage = {active->section, i, i + 1, match->start, match->end, 0};
		if (!scorer->starts[match->term])
			continue;
		while (passage.end < active->end && passage.end - i < PASSAGE_MATCHES &&
		        passages_match(p, passage.end)->end <= match->start + scorer->max_bytes) {
			passage.to = MAX(passage.to, passages_match(p, passage.end)->end);
			passage.end++;
		}
		passage.score = (section + score_words(scorer, &passage)) * factor *
		                passage_factor(scorer, &passage);
		g_array_append_val(scorer->found, passage);
	}
}

GArray *passages_score(const Passages *passages, const PassageCounts *counts, unsigned max_bytes)
{
	PassageScorer scorer = {.passages = passages,
	        .max_bytes = max_bytes,
	        .found = g_array_new(FALSE, FALSE, sizeof(Passage))};
	set_weights(&scorer, counts);
	choose_starts(&scorer);
	for (guint i = 0; i < passages->active->len; i++)
		score_active(&scorer, &g_array_index(passages->active, PassageSection, i));
	return scorer.found;
}
