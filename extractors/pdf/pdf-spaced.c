/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf-spaced.c - finds words whose letters are set apart
 *
 * Single letters with spaces between them may be a list or a row of a table, so the gaps decide.
 * Letters are a word
 *  - if their gaps are clearly smaller than those between the ordinary words of the line;
 *  - or if a line has gaps of two sizes, of which the smaller ones divide it into several words;
 *  - or if they are capitals with nearly equal gaps and nothing else is in the line, and poppler
 *    joined some of them because their gap is smaller (letters that are kerned). */
#include <config.h>
#include "extractors/pdf/pdf-spaced.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_LETTERS = 3, /* of a piece */
	LEAST_PIECES = 3,
	LEAST_LETTERS = 4, /* of one word among those of a line */
	LEAST_IN_GROUPS = 7, /* letters of all of them, if no space is known */
	LEAST_IN_LINE = 5 /* pieces of a line with one word */
};

/* What poppler takes for a word. */
typedef struct {
	const PdfGlyph *glyphs;
	size_t length; /* glyphs */
	size_t letters; /* 0: it is not a few letters */
	float gap; /* to the next one in the line; INFINITY for the last one */
} SpacedPiece;

/* A sequence of pieces in one line. */
typedef struct {
	const SpacedPiece *pieces;
	size_t n;
} SpacedRow;

bool pdf_spaced_suspect(const char *text)
{
	enum { IN_SEQUENCE = 4 };
	const char *end = NULL;
	unsigned count = 0;
	for (const char *p = text; (p = strchr(p, ' ')); p++) {
		const char *next = p[1] ? g_utf8_next_char(p + 1) : p + 1;
		if (*next && *next != ' ' && *next != '\n')
			continue;
		if (!g_unichar_isalpha(g_utf8_get_char(p + 1)))
			continue;
		count = p == end ? count + 1 : 1;
		end = next;
		if (count == IN_SEQUENCE)
			return true;
	}
	return false;
}

static float glyph_height(const PdfGlyph *glyph)
{
	return glyph->bottom - glyph->top;
}

static float gap_after(const PdfGlyph *last, const PdfGlyph *next)
{
	float height = glyph_height(last), gap = next->left - last->right;
	bool beside = fabsf(last->bottom - next->bottom) < height * .2f && gap > -height * .1f &&
	              gap < height * 1.5f;
	return beside ? gap : INFINITY;
}

static size_t piece_letters(const PdfGlyph *glyphs, size_t length)
{
	size_t n = 0;
	while (n < length && n <= MAX_LETTERS && g_unichar_isalpha(glyphs[n].c))
		n++;
	return n == length && n <= MAX_LETTERS ? n : 0;
}

static GArray *read_pieces(const PdfGlyph *glyphs, size_t n)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(SpacedPiece));
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && !glyphs[next].begins;)
			next++;
		SpacedPiece piece = {glyphs + i, next - i, piece_letters(glyphs + i, next - i),
		        next < n ? gap_after(&glyphs[next - 1], &glyphs[next]) : INFINITY};
		g_array_append_val(pieces, piece);
	}
	return pieces;
}

static bool is_ordinary_piece(const SpacedPiece *piece)
{
	return piece->length > MAX_LETTERS;
}

/* The least gap between the ordinary words of a line; 0: unknown, or too wide for a space. */
static float word_gap(SpacedRow line)
{
	float least = INFINITY;
	for (size_t i = 0; i + 1 < line.n; i++) {
		const SpacedPiece *piece = &line.pieces[i];
		if (piece->length > 1 && piece[1].length > 1 &&
		        (is_ordinary_piece(piece) || is_ordinary_piece(piece + 1)))
			least = fminf(least, piece->gap);
	}
	return least < glyph_height(line.pieces->glyphs) * .4f ? least : 0;
}

static bool has_ordinary_words(SpacedRow line)
{
	for (size_t i = 0; i < line.n; i++)
		if (is_ordinary_piece(&line.pieces[i]))
			return true;
	return false;
}

static int compare_gaps(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

/* A gap between the two sizes of gaps in these pieces; INFINITY: they have one size. */
static float dividing_gap(SpacedRow row)
{
	g_autofree float *gaps = g_new(float, row.n);
	size_t n = row.n - 1, best = 0;
	float ratio = 1.5f;
	for (size_t i = 0; i < n; i++)
		gaps[i] = fmaxf(row.pieces[i].gap, .01f);
	qsort(gaps, n, sizeof(*gaps), compare_gaps);
	for (size_t i = 1; i < n; i++) {
		if (gaps[i] >= gaps[i - 1] * ratio) {
			ratio = gaps[i] / gaps[i - 1];
			best = i;
		}
	}
	return best > 0 ? sqrtf(gaps[best - 1] * gaps[best]) : INFINITY;
}

typedef struct {
	size_t letters, singles;
	float least, most; /* gaps */
	bool capitals;
	bool listed; /* letters of one kind or in the order of the alphabet */
} SpacedGroup;

static SpacedGroup measure_group(SpacedRow row)
{
	SpacedGroup group = {.least = INFINITY, .capitals = true, .listed = true};
	gunichar first = row.pieces->glyphs->c;
	bool same = true, ordered = true;
	for (size_t i = 0; i < row.n; i++) {
		const SpacedPiece *piece = &row.pieces[i];
		for (size_t k = 0; k < piece->letters; k++, group.letters++) {
			gunichar c = piece->glyphs[k].c;
			same = same && c == first;
			ordered = ordered && c == first + group.letters;
			group.capitals = group.capitals && g_unichar_isupper(c);
		}
		group.singles += piece->letters == 1;
		if (i + 1 < row.n) {
			group.least = fminf(group.least, piece->gap);
			group.most = fmaxf(group.most, piece->gap);
		}
	}
	group.listed = same || ordered;
	return group;
}

static bool is_set_apart(const SpacedGroup *group, size_t pieces, float height)
{
	return pieces > 1 && group->singles * 5 >= pieces * 3 && !group->listed &&
	       group->most > 0 && group->most < height * .45f;
}

static bool is_kerned_line(SpacedRow row, const SpacedGroup *group)
{
	return row.n >= LEAST_IN_LINE && group->capitals && group->singles < row.n &&
	       group->most < group->least * 1.6f &&
	       group->most < glyph_height(row.pieces->glyphs) * .3f;
}

static void add_spaced_word(SpacedRow row, PdfRepairs *repairs)
{
	g_autoptr(GString) wrong = g_string_new(NULL), right = g_string_new(NULL);
	for (size_t i = 0; i < row.n; i++) {
		const SpacedPiece *piece = &row.pieces[i];
		for (size_t k = 0; k < piece->letters; k++) {
			g_string_append_unichar(wrong, piece->glyphs[k].c);
			g_string_append_unichar(right, piece->glyphs[k].c);
		}
		if (i + 1 < row.n && piece->glyphs[piece->length - 1].space)
			g_string_append_c(wrong, ' ');
	}
	pdf_repairs_add(repairs, wrong->str, right->str);
}

/* The number of first pieces that no dividing gap divides. */
static size_t group_length(SpacedRow row, float divide)
{
	size_t n = 1;
	while (n < row.n && row.pieces[n - 1].gap < divide)
		n++;
	return n;
}

/* Some pieces of a line, each of a few letters. */
typedef struct {
	SpacedRow line;
	size_t begin, end; /* pieces of the line */
	float space; /* between the ordinary words of the line; 0: unknown */
	bool ordinary; /* the line has ordinary words */
	float divide; /* a gap from this size on is between words */
} SpacedRun;

static bool is_sign(const SpacedPiece *piece)
{
	return piece->length == 1 && !pdf_is_word_character(piece->glyphs->c);
}

/* The smaller gap on both sides of these pieces of a line; signs beside them belong to them. */
static float gap_around(SpacedRow line, size_t begin, size_t end)
{
	while (begin > 0 && is_sign(&line.pieces[begin - 1]))
		begin--;
	while (end < line.n && is_sign(&line.pieces[end]))
		end++;
	float before = begin > 0 ? line.pieces[begin - 1].gap : INFINITY;
	return fminf(before, line.pieces[end - 1].gap);
}

/* Is a group of letters further from its neighbours than the letters from each other? */
static bool is_group_apart(const SpacedRun *run, size_t begin, size_t end, const SpacedGroup *group)
{
	return is_set_apart(group, end - begin, glyph_height(run->line.pieces->glyphs)) &&
	       gap_around(run->line, begin, end) >= group->most * 1.15f;
}

/* Calls pdf_repairs_add() for each group that is a word, unless repairs is NULL. Returns the number
 * of such groups. */
static size_t visit_groups(
        const SpacedRun *run, PdfRepairs *repairs, size_t *letters_r, size_t *most_r)
{
	size_t found = 0;
	for (size_t i = run->begin, next; i < run->end; i = next) {
		SpacedRow rest = {run->line.pieces + i, run->end - i};
		SpacedRow row = {rest.pieces, group_length(rest, run->divide)};
		SpacedGroup group = measure_group(row);
		next = i + row.n;
		if (!is_group_apart(run, i, next, &group))
			continue;
		found++;
		*letters_r += group.letters;
		*most_r = MAX(*most_r, group.letters);
		if (repairs)
			add_spaced_word(row, repairs);
	}
	return found;
}

static bool divide_by_sizes(SpacedRun *run, PdfRepairs *repairs)
{
	SpacedRow row = {run->line.pieces + run->begin, run->end - run->begin};
	size_t letters = 0, most = 0;
	run->divide = dividing_gap(row);
	size_t groups = visit_groups(run, NULL, &letters, &most);
	SpacedGroup group = measure_group(row);
	bool words = isinf(run->divide)
	                     ? groups == 1 && row.n == run->line.n && is_kerned_line(row, &group)
	                     : groups > 1 && letters >= LEAST_IN_GROUPS;
	return words && most >= LEAST_LETTERS && visit_groups(run, repairs, &letters, &most) > 0;
}

static void divide_by_space(SpacedRun *run, float space, PdfRepairs *repairs)
{
	size_t letters = 0, most = 0;
	run->divide = space * .8f;
	visit_groups(run, NULL, &letters, &most);
	if (most >= LEAST_LETTERS)
		visit_groups(run, repairs, &letters, &most);
}

static void find_in_run(SpacedRun *run, PdfRepairs *repairs)
{
	float narrow = glyph_height(run->line.pieces->glyphs) * .2f; /* a space of narrow fonts */
	if (run->end - run->begin < LEAST_PIECES)
		return;
	if (run->space > 0)
		divide_by_space(run, run->space, repairs);
	else if (!divide_by_sizes(run, repairs) && run->ordinary)
		divide_by_space(run, narrow, repairs);
}

static void find_in_line(SpacedRow line, PdfRepairs *repairs)
{
	SpacedRun run = {
	        .line = line, .space = word_gap(line), .ordinary = has_ordinary_words(line)};
	for (; run.begin < line.n; run.begin = run.end + 1) {
		run.end = run.begin;
		while (run.end < line.n && line.pieces[run.end].letters > 0)
			run.end++;
		find_in_run(&run, repairs);
	}
}

void pdf_spaced_find(const PdfGlyph *glyphs, size_t n, PdfRepairs *repairs)
{
	g_autoptr(GArray) pieces = read_pieces(glyphs, n);
	for (size_t i = 0, end; i < pieces->len; i = end) {
		const SpacedPiece *first = &g_array_index(pieces, SpacedPiece, i);
		for (end = i + 1; end < pieces->len && !isinf(first[end - i - 1].gap);)
			end++;
		find_in_line((SpacedRow){first, end - i}, repairs);
	}
}
