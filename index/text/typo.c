/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/typo.h"
#include <stdbool.h>
#include <string.h>

/* Costs in hundredths of an edit. */
enum {
	COST_REPLACED = 115,
	COST_BESIDE = 75, /* a letter beside it on a keyboard */
	COST_VOWEL = 75, /* a vowel for another one */
	COST_ALIKE = 62, /* a letter or a group that sounds alike */
	COST_ADDED = 90, /* a letter too many or too few */
	COST_DOUBLED = 35, /* one letter for two equal ones, or two for one */
	COST_SILENT = TYPO_COMMON, /* an h, or an e at the end */
	COST_SWAPPED = TYPO_SLIP,
	COST_FIRST = 40, /* more, if the first letter is wrong */
};

/* The promise of TYPO_COMMON. */
G_STATIC_ASSERT(COST_ALIKE <= COST_SILENT && COST_SWAPPED <= COST_SILENT &&
                COST_BESIDE > COST_SILENT && COST_VOWEL > COST_SILENT &&
                2 * COST_DOUBLED > COST_SILENT && COST_ALIKE + COST_FIRST > COST_SILENT);

enum { SHORTEST = 3, SHORT = 5 };

/* ---- letters */

static const char *const keyboards[][3] = {
        {"qwertyuiop", "asdfghjkl", "zxcvbnm"},
        {"qwertzuiop", "asdfghjkl", "yxcvbnm"},
        {"azertyuiop", "qsdfghjklm", "wxcvbn"},
        {"йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"},
};

/* Finds the row and the place in it; false: the keyboard does not have the letter. */
static bool typo_find_key(const char *const *rows, gunichar letter, int *row_r, int *place_r)
{
	for (int row = 0; row < 3; row++) {
		const char *at = g_utf8_strchr(rows[row], -1, letter);
		if (!at)
			continue;
		*row_r = row;
		*place_r = (int)g_utf8_pointer_to_offset(rows[row], at);
		return true;
	}
	return false;
}

/* Each row is shifted to the right against the one above it, so a key touches the same place and
 * the next one there. */
static bool typo_are_beside(gunichar a, gunichar b)
{
	for (size_t i = 0; i < G_N_ELEMENTS(keyboards); i++) {
		int row, place, other_row, other;
		if (!typo_find_key(keyboards[i], a, &row, &place) ||
		        !typo_find_key(keyboards[i], b, &other_row, &other))
			continue;
		int right = row > other_row ? other - place : place - other;
		if (row == other_row ? ABS(place - other) == 1
		                     : ABS(row - other_row) == 1 && (right == 0 || right == 1))
			return true;
	}
	return false;
}

static bool typo_is_vowel(gunichar c)
{
	return g_utf8_strchr("aeiouyаеиоуыэюя", -1, c) != NULL;
}

static bool typo_sound_alike(gunichar a, gunichar b)
{
	static const char pairs[] = "ckcssszsfvvwdtbpgkgjijiymnqkxszcdtоаиееядтбпвфгкзсжшзсшщ";
	for (const char *at = pairs; *at;) {
		gunichar first = g_utf8_get_char(at), second;
		at = g_utf8_next_char(at);
		second = g_utf8_get_char(at);
		at = g_utf8_next_char(at);
		if ((first == a && second == b) || (first == b && second == a))
			return true;
	}
	return false;
}

/* ---- groups of letters that sound alike, in either direction */

typedef struct {
	const char *a, *b;
} TypoGroup;

static const TypoGroup groups[] = {
        {"ph", "f"},
        {"ck", "k"},
        {"ck", "c"},
        {"ch", "k"},
        {"cc", "ck"},
        {"qu", "kw"},
        {"qu", "k"},
        {"sch", "sh"},
        {"ch", "sh"},
        {"ei", "ai"},
        {"ei", "ie"},
        {"ei", "i"},
        {"ie", "i"},
        {"ie", "y"},
        {"eu", "oi"},
        {"eu", "au"}, /* äu is folded */
        {"tz", "z"},
        {"th", "t"},
        {"dt", "t"},
        {"kn", "n"},
        {"wr", "r"},
        {"rh", "r"},
        {"gh", "f"},
        {"gh", "g"},
        {"ps", "s"},
        {"sc", "s"},
        {"sc", "c"},
        {"ks", "x"},
        {"chs", "x"},
        {"chs", "ks"},
        {"cks", "x"},
        {"cc", "x"},
        {"oo", "u"},
        {"ou", "u"},
        {"ou", "o"},
        {"ea", "ee"},
        {"ea", "e"},
        {"ee", "i"},
        {"eau", "o"},
        {"au", "o"},
        {"ai", "e"},
        {"ai", "ei"},
        {"ay", "ai"},
        {"ey", "ei"},
        {"tion", "sion"},
        {"tion", "cion"},
        {"tion", "shun"},
        {"ough", "off"},
        {"ough", "o"},
        {"igh", "i"},
        {"augh", "af"},
        {"ance", "ence"},
        {"ant", "ent"},
        {"able", "ible"},
        {"ise", "ize"},
        {"our", "or"},
        {"re", "er"},
        {"ll", "y"}, /* Spanish */
        {"ge", "je"},
        {"gi", "ji"},
        {"mb", "m"},
        {"тс", "ц"},
        {"сч", "щ"},
        {"тьс", "тс"},
};

/* Letters of a group as code points; n: their number. */
static unsigned typo_group_letters(const char *group, gunichar out[8])
{
	unsigned n = 0;
	for (; *group && n < 8; group = g_utf8_next_char(group))
		out[n++] = g_utf8_get_char(group);
	return n;
}

typedef struct {
	gunichar a[8], b[8];
	unsigned n, m;
} TypoRule;

/* The groups in both directions, made once. */
static const TypoRule *typo_rules(void)
{
	static TypoRule rules[2 * G_N_ELEMENTS(groups)];
	static gsize made;
	if (g_once_init_enter(&made)) {
		for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
			TypoRule *rule = &rules[2 * i], *back = rule + 1;
			rule->n = back->m = typo_group_letters(groups[i].a, rule->a);
			rule->m = back->n = typo_group_letters(groups[i].b, rule->b);
			memcpy(back->a, rule->b, sizeof rule->b);
			memcpy(back->b, rule->a, sizeof rule->a);
		}
		g_once_init_leave(&made, 1);
	}
	return rules;
}

/* ---- edits */

unsigned typo_edits(const gunichar *a, unsigned n, const gunichar *b, unsigned m, unsigned max)
{
	unsigned rows[3][TOKEN_MAX_BYTES + 1];
	if ((n > m ? n - m : m - n) > max)
		return max + 1;
	for (unsigned j = 0; j <= m; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= n; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3],
		         *second = rows[(i + 1) % 3];
		unsigned least = row[0] = i;
		for (unsigned j = 1; j <= m; j++) {
			row[j] = MIN(above[j - 1] + (a[i - 1] != b[j - 1]),
			        MIN(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], second[j - 2] + 1);
			least = MIN(least, row[j]);
		}
		if (least > max)
			return max + 1;
	}
	return rows[n % 3][m];
}

/* ---- costs */

typedef struct {
	const Typo *typo;
	const gunichar *typed, *meant;
	unsigned n, m;
	unsigned costs[TOKEN_MAX_BYTES + 1][TOKEN_MAX_BYTES + 1];
} TypoTable;

static unsigned typo_replaced(const TypoTable *t, unsigned i, unsigned j)
{
	if (t->typed[i] == t->meant[j])
		return 0;
	return t->typo->replaced[i][t->meant[j] % 64] + (i == 0 && j == 0 ? COST_FIRST : 0);
}

/* The letter at i of the longer word has no counterpart in the other one. */
static unsigned typo_added(const gunichar *word, unsigned n, unsigned i)
{
	bool doubled = (i > 0 && word[i - 1] == word[i]) || (i + 1 < n && word[i + 1] == word[i]);
	bool silent = (word[i] == 'h' && i > 0) || (word[i] == 'e' && i + 1 == n);
	return doubled  ? COST_DOUBLED
	       : silent ? COST_SILENT
	                : COST_ADDED + (i == 0 ? COST_FIRST : 0);
}

static bool typo_ends_with(const gunichar *word, unsigned end, const gunichar *group, unsigned n)
{
	return end >= n && memcmp(word + end - n, group, n * sizeof *word) == 0;
}

static unsigned typo_alike_before(const TypoTable *t, unsigned i, unsigned j)
{
	const TypoRule *rules = typo_rules();
	unsigned least = G_MAXUINT;
	for (unsigned half = 0; half < 2; half++)
		for (uint64_t left = t->typo->groups[i][half]; left != 0; left &= left - 1) {
			const TypoRule *rule = &rules[64 * half + __builtin_ctzll(left)];
			if (typo_ends_with(t->meant, j, rule->b, rule->m))
				least = MIN(least, t->costs[i - rule->n][j - rule->m] + COST_ALIKE);
		}
	return least;
}

static unsigned typo_cell(const TypoTable *t, unsigned i, unsigned j)
{
	unsigned least = G_MAXUINT;
	if (i > 0)
		least = MIN(least, t->costs[i - 1][j] + typo_added(t->typed, t->n, i - 1));
	if (j > 0)
		least = MIN(least, t->costs[i][j - 1] + typo_added(t->meant, t->m, j - 1));
	if (i == 0 || j == 0)
		return least;
	least = MIN(least, t->costs[i - 1][j - 1] + typo_replaced(t, i - 1, j - 1));
	if (i > 1 && j > 1 && t->typed[i - 1] == t->meant[j - 2] &&
	        t->typed[i - 2] == t->meant[j - 1])
		least = MIN(least, t->costs[i - 2][j - 2] + COST_SWAPPED);
	return MIN(least, typo_alike_before(t, i, j));
}

static unsigned typo_weigh(const Typo *typo, const gunichar *meant, unsigned m)
{
	TypoTable t;
	t.typo = typo;
	t.typed = typo->letters;
	t.meant = meant;
	t.n = typo->n;
	t.m = m;
	for (unsigned i = 0; i <= t.n; i++)
		for (unsigned j = 0; j <= m; j++)
			t.costs[i][j] = i == 0 && j == 0 ? 0 : typo_cell(&t, i, j);
	return t.costs[t.n][m];
}

/* ---- words */

/* Decodes up to most letters; false: they are not UTF-8. */
static bool typo_decode(
        const char *word, unsigned most, gunichar *letters, unsigned *n_r, uint64_t *mask_r)
{
	unsigned n = 0;
	uint64_t mask = 0;
	for (; *word && n < most; n++) {
		gunichar c = (uint8_t)*word < 0x80 ? (gunichar)*word
		                                   : g_utf8_get_char_validated(word, -1);
		if (c >= 0x110000)
			return false;
		letters[n] = c;
		mask |= UINT64_C(1) << c % 64;
		word += (uint8_t)*word < 0x80 ? 1 : g_unichar_to_utf8(c, NULL);
	}
	*n_r = n;
	*mask_r = mask;
	return true;
}

static void typo_find_groups(Typo *typo)
{
	const TypoRule *rules = typo_rules();
	G_STATIC_ASSERT(2 * G_N_ELEMENTS(groups) <= 128);
	for (unsigned i = 1; i <= typo->n; i++)
		for (size_t k = 0; k < 2 * G_N_ELEMENTS(groups); k++)
			if (typo_ends_with(typo->letters, i, rules[k].a, rules[k].n))
				typo->groups[i][k / 64] |= UINT64_C(1) << k % 64;
}

static unsigned typo_letter_cost(gunichar a, gunichar b)
{
	if (typo_sound_alike(a, b))
		return COST_ALIKE;
	if (typo_is_vowel(a) && typo_is_vowel(b))
		return COST_VOWEL;
	return typo_are_beside(a, b) ? COST_BESIDE : COST_REPLACED;
}

static void typo_weigh_letters(Typo *typo)
{
	static const gunichar latin[] = {'a', 'z'}, cyrillic[] = {0x430, 0x44f};
	memset(typo->replaced, COST_REPLACED, sizeof typo->replaced);
	for (unsigned i = 0; i < typo->n; i++) {
		gunichar a = typo->letters[i];
		const gunichar *range = a < 0x80 ? latin : cyrillic;
		for (gunichar b = range[0]; a >= range[0] && a <= range[1] && b <= range[1]; b++)
			typo->replaced[i][b % 64] = typo_letter_cost(a, b);
	}
}

void typo_init(Typo *typo, const char *word)
{
	memset(typo, 0, sizeof *typo);
	if (!typo_decode(word, TOKEN_MAX_BYTES, typo->letters, &typo->n, &typo->mask))
		return;
	typo_weigh_letters(typo);
	if (typo->n < SHORTEST)
		return;
	for (unsigned i = 0; i < typo->n; i++)
		if (!g_unichar_isalpha(typo->letters[i]))
			return;
	typo_find_groups(typo);
	typo->max_edits = typo->n <= SHORT ? 1 : 2;
}

unsigned typo_cost(const Typo *typo, const char *meant)
{
	gunichar letters[TOKEN_MAX_BYTES];
	unsigned n, max = typo->max_edits;
	uint64_t mask;
	unsigned most = MIN(typo->n + max + 1, TOKEN_MAX_BYTES);
	/* An edit changes at most two of the letters that a word has. */
	if (!typo_decode(meant, most, letters, &n, &mask) || n > typo->n + max ||
	        typo->n > n + max || (unsigned)__builtin_popcountll(mask ^ typo->mask) > 2 * max ||
	        typo_edits(typo->letters, typo->n, letters, n, max) > max)
		return TYPO_FAR;
	return typo_weigh(typo, letters, n);
}

unsigned typo_cost_of_any(const Typo *typo, const char *meant)
{
	gunichar letters[TOKEN_MAX_BYTES];
	unsigned n;
	uint64_t mask;
	return typo_decode(meant, TOKEN_MAX_BYTES, letters, &n, &mask)
	               ? typo_weigh(typo, letters, n)
	               : TYPO_FAR;
}

/* Adds the word with each occurrence of a group replaced, one at a time. */
static void typo_add_sounds(
        GPtrArray *out, const char *word, const char *group, const char *other, unsigned most)
{
	for (const char *at = word; out->len < most && (at = strstr(at, group)); at++)
		g_ptr_array_add(out, g_strdup_printf("%.*s%s%s", (int)(at - word), word, other,
		                             at + strlen(group)));
}

GPtrArray *typo_sounds(const char *word, unsigned most)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
		typo_add_sounds(out, word, groups[i].a, groups[i].b, most);
		typo_add_sounds(out, word, groups[i].b, groups[i].a, most);
	}
	return out;
}
