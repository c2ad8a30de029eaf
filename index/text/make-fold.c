/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make-fold.c - run by the build: prints the tokenizer's fold table as C
 *
 * For every code point the table says which role it has in a word and what it becomes there: NFKD
 * without diacritics, and full case folding (The Unicode Standard, sections 3.11 and 3.13). The
 * programs start with a constant table and need no Unicode library. */
#include <config.h>
#include "index/text/fold-table-format.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

enum { N_PAGES = 0x110000 / FOLD_PAGE, POOL_MAX = 65536 - FOLD_POOL };

typedef struct {
	uint16_t page_of[N_PAGES];
	uint16_t pages[N_PAGES][FOLD_PAGE];
	size_t n_pages;
	uint8_t pool[POOL_MAX];
	size_t pool_used;
} Table;

/* Letters that Unicode does not decompose, but that people search for by the letters they resemble.
 */
static const struct {
	ucs4_t from;
	const char *to;
} resemble[] = {{0x131, "i"}, {0xf8, "o"}, {0x142, "l"}, {0x111, "d"}, {0xf0, "d"}, {0xfe, "th"},
        {0x127, "h"}, {0x167, "t"}, {0xe6, "ae"}, {0x153, "oe"}};

static bool script_in(ucs4_t c, const char *const *names)
{
	const uc_script_t *script = uc_script(c);
	if (!script)
		return false;
	for (; *names; names++)
		if (strcmp(script->name, *names) == 0)
			return true;
	return false;
}

/* Scripts without spaces that have compatibility forms worth folding. */
static bool is_cjk(ucs4_t c)
{
	static const char *const names[] = {
	        "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", NULL};
	return script_in(c, names) || c == 0x30fc || c == 0xff70;
}

/* Scripts without spaces (line breaking class SA, UAX #14). */
static bool is_south_east(ucs4_t c)
{
	static const char *const names[] = {"Thai", "Lao", "Khmer", "Myanmar", "Tai_Le",
	        "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Ahom", NULL};
	return script_in(c, names);
}

/* A mark is dropped in scripts whose words differ without it; elsewhere (Devanagari, Tamil and
 * others) marks are vowels and are kept. */
static bool is_diacritic(ucs4_t c)
{
	static const char *const names[] = {"Latin", "Greek", "Cyrillic", "Inherited", "Common",
	        "Hebrew", "Arabic", "Syriac", "Coptic", "Han", "Hiragana", "Katakana", "Hangul",
	        NULL};
	return uc_is_general_category(c, UC_CATEGORY_M) && script_in(c, names);
}

static bool is_word(ucs4_t c)
{
	return uc_is_general_category(c, UC_CATEGORY_L) ||
	       uc_is_general_category(c, UC_CATEGORY_N) || uc_is_general_category(c, UC_CATEGORY_M);
}

static bool is_ignored(ucs4_t c)
{
	if (c == 0x200b) /* a zero width space ends a word */
		return false;
	return is_diacritic(c) || uc_is_property_default_ignorable_code_point(c) || c == 0x640 ||
	       c == 0xb7; /* tatweel, and the dot that NFKD leaves in the Catalan l· */
}

static void make_fold_append(uint8_t *out, size_t *length, const uint8_t *bytes, size_t n)
{
	if (*length + n > FOLD_MAX) {
		fprintf(stderr, "make-fold: FOLD_MAX is too small\n");
		exit(1);
	}
	memcpy(out + *length, bytes, n);
	*length += n;
}

static void make_fold_append_folded(uint8_t *out, size_t *length, ucs4_t c)
{
	uint8_t bytes[6];
	for (size_t i = 0; i < sizeof(resemble) / sizeof(*resemble); i++) {
		if (resemble[i].from == c) {
			make_fold_append(out, length, (const uint8_t *)resemble[i].to,
			        strlen(resemble[i].to));
			return;
		}
	}
	make_fold_append(out, length, bytes, u8_uctomb(bytes, c, sizeof(bytes)));
}

/* Folds one code point. Returns false if it separates words, or decomposes into a character that
 * does. */
static bool make_fold(ucs4_t c, uint8_t *out, size_t *length)
{
	uint8_t source[6];
	size_t n = 0;
	size_t source_length = u8_uctomb(source, c, sizeof(source));
	*length = 0;
	uint8_t *folded =
	        is_cjk(c) ? u8_normalize(UNINORM_NFKC, source, source_length, NULL, &n)
	                  : u8_casefold(source, source_length, NULL, UNINORM_NFKD, NULL, &n);
	if (!folded)
		exit(1);
	bool whole = true;
	for (size_t i = 0; i < n && whole;) {
		ucs4_t part;
		i += u8_mbtouc(&part, folded + i, n - i);
		if (is_ignored(part))
			continue;
		whole = is_word(part);
		make_fold_append_folded(out, length, part);
	}
	free(folded);
	return whole;
}

static uint16_t pool_add(Table *table, const uint8_t *bytes, size_t length, bool unspaced)
{
	uint8_t head = length | (unspaced ? FOLD_UNSPACED_BIT : 0);
	for (size_t at = 0; at < table->pool_used; at += 1 + (table->pool[at] & ~FOLD_UNSPACED_BIT))
		if (table->pool[at] == head && memcmp(table->pool + at + 1, bytes, length) == 0)
			return FOLD_POOL + at;
	if (table->pool_used + 1 + length > POOL_MAX) {
		fprintf(stderr, "make-fold: the pool is full\n");
		exit(1);
	}
	size_t at = table->pool_used;
	table->pool[at] = head;
	memcpy(table->pool + at + 1, bytes, length);
	table->pool_used += 1 + length;
	return FOLD_POOL + at;
}

static uint16_t make_fold_entry_of(Table *table, ucs4_t c)
{
	uint8_t source[6], out[FOLD_MAX];
	size_t length;

	if (c >= 0xd800 && c <= 0xdfff)
		return FOLD_SEPARATOR;
	if (is_south_east(c) && uc_is_general_category(c, UC_CATEGORY_M))
		return FOLD_UNSPACED_MARK;
	if (is_ignored(c) && c != 0xb7)
		return FOLD_IGNORED;
	if (!is_word(c))
		return FOLD_SEPARATOR;
	if (uc_is_general_category(c, UC_CATEGORY_Nd)) {
		out[0] = '0' + uc_decimal_value(c);
		return pool_add(table, out, 1, false);
	}
	if (is_south_east(c))
		return FOLD_UNSPACED;
	if (!make_fold(c, out, &length))
		return FOLD_SEPARATOR;
	if (length == 0)
		return FOLD_IGNORED;
	ucs4_t first;
	u8_mbtouc(&first, out, length);
	bool unspaced = is_cjk(first);
	size_t source_length = u8_uctomb(source, c, sizeof(source));
	if (length == source_length && memcmp(source, out, length) == 0)
		return unspaced ? FOLD_UNSPACED : FOLD_LETTER;
	return pool_add(table, out, length, unspaced);
}

static void add_page(Table *table, unsigned number)
{
	uint16_t *page = table->pages[table->n_pages];
	for (unsigned i = 0; i < FOLD_PAGE; i++)
		page[i] = make_fold_entry_of(table, number * FOLD_PAGE + i);
	size_t same = 0;
	while (same < table->n_pages &&
	        memcmp(table->pages[same], page, sizeof(table->pages[same])) != 0)
		same++;
	table->page_of[number] = same;
	if (same == table->n_pages)
		table->n_pages++;
}

static void print_numbers(const uint16_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%s%u,", i % 24 == 0 ? "\n\t" : "", numbers[i]);
}

int main(void)
{
	Table *table = calloc(1, sizeof(*table));
	if (!table)
		return 1;
	for (unsigned number = 0; number < N_PAGES; number++)
		add_page(table, number);
	printf("static const uint16_t fold_page_of[%d] = {", N_PAGES);
	print_numbers(table->page_of, N_PAGES);
	printf("\n};\nstatic const uint16_t fold_pages[%zu][%d] = {", table->n_pages, FOLD_PAGE);
	for (size_t i = 0; i < table->n_pages; i++) {
		printf("\n{");
		print_numbers(table->pages[i], FOLD_PAGE);
		printf("},");
	}
	printf("\n};\nstatic const uint8_t fold_pool[%zu] = {", table->pool_used);
	for (size_t i = 0; i < table->pool_used; i++)
		printf("%s%u,", i % 24 == 0 ? "\n\t" : "", table->pool[i]);
	/* one byte for each ASCII character; 0: it separates words */
	printf("\n};\nstatic const uint8_t fold_ascii[128] = {");
	for (unsigned c = 0; c < 128; c++) {
		uint16_t entry = table->pages[table->page_of[0]][c];
		unsigned folded = entry == FOLD_LETTER ? c
		                  : entry >= FOLD_POOL ? table->pool[entry - FOLD_POOL + 1]
		                                       : 0;
		printf("%s%u,", c % 24 == 0 ? "\n\t" : "", folded);
	}
	printf("\n};\n");
	free(table);
	return 0;
}
