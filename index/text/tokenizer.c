/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/tokenizer.h"
#include "index/text/fold-table-format.h"
#include "index/text/name-bytes.h"
#include "index/text/terms.h"
#include "index/text/word-hyphen.h"
#include "index/text/word-parts.h"
#include "index/text/word-signs.h"
#include "index/text/fold-table.h"
#include <limits.h>
#include <string.h>

enum { UNIT_MAX_BYTES = TOKEN_MAX_BYTES / 2 };

typedef enum { SCAN_TEXT, SCAN_PHRASE, SCAN_TERMS } ScanKind;

/* A character of an unspaced script together with its marks. */
typedef struct {
	uint8_t bytes[UNIT_MAX_BYTES];
	unsigned used;
	const uint8_t *start, *end;
} Unit;

typedef struct {
	const uint8_t *text, *end;
	ScanKind kind;
	HyphenRules hyphens;
	Unit last; /* of a run in a phrase: it becomes a term only if something follows */
	TokenFunc function;
	void *data;
} Scan;

/* A folded word and its place in the text. */
typedef struct {
	uint8_t bytes[TOKEN_MAX_BYTES];
	unsigned used;
	const uint8_t *start, *end;
} PlacedWord;

/* One code point with its fold entry. For an invalid byte length is 1 and the entry FOLD_SEPARATOR.
 */
typedef struct {
	uint32_t code;
	unsigned length;
	uint16_t entry;
} Letter;

/* Length of the valid sequence at s (RFC 3629); 0 if there is none. */
static unsigned tokenizer_decode(const uint8_t *s, const uint8_t *end, uint32_t *code)
{
	size_t left = end - s;
	uint32_t c = s[0];
	unsigned length = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
	if (length == 0 || left < length)
		return 0;
	c &= 0x7f >> length;
	for (unsigned i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if ((length == 3 && (c < 0x800 || (c >= 0xd800 && c <= 0xdfff))) ||
	        (length == 4 && (c < 0x10000 || c > 0x10ffff)))
		return 0;
	*code = c;
	return length;
}

static inline uint16_t tokenizer_entry_of(uint32_t code)
{
	return fold_pages[fold_page_of[code / FOLD_PAGE]][code % FOLD_PAGE];
}

static Letter letter_at(const uint8_t *s, const uint8_t *end)
{
	Letter letter = {s[0], 1, FOLD_SEPARATOR};
	if (s[0] >= 0x80) {
		letter.length = tokenizer_decode(s, end, &letter.code);
		if (letter.length == 0) {
			letter.length = 1;
			return letter;
		}
	}
	letter.entry = tokenizer_entry_of(letter.code);
	return letter;
}

static bool is_unspaced(const Letter *letter)
{
	return letter->entry == FOLD_UNSPACED ||
	       (letter->entry >= FOLD_POOL &&
	               (fold_pool[letter->entry - FOLD_POOL] & FOLD_UNSPACED_BIT));
}

/* Appends the folded form of the letter at s if it fits. */
static unsigned put_folded(
        uint8_t *out, unsigned used, unsigned max, const Letter *letter, const uint8_t *s)
{
	unsigned length = letter->length;
	if (letter->entry >= FOLD_POOL) {
		s = fold_pool + (letter->entry - FOLD_POOL);
		length = *s++ & ~FOLD_UNSPACED_BIT;
	}
	if (used + length > max)
		return used;
	memcpy(out + used, s, length);
	return used + length;
}

static int emit_one(const Scan *scan, const uint8_t *token, unsigned length, const uint8_t *start,
        const uint8_t *end)
{
	return scan->function(
	        scan->data, (const char *)token, length, start - scan->text, end - scan->text);
}

static int tokenizer_emit(
        Scan *scan, const uint8_t *token, unsigned length, const uint8_t *start, const uint8_t *end)
{
	const Unit *last = &scan->last;
	int result = last->used > 0
	                     ? emit_one(scan, last->bytes, last->used, last->start, last->end)
	                     : 0;
	scan->last.used = 0;
	return result == 0 ? emit_one(scan, token, length, start, end) : result;
}

static unsigned fold_part(uint8_t *token, const uint8_t *s, const uint8_t *end)
{
	unsigned used = 0;
	for (Letter letter; s < end; s += letter.length) {
		letter = letter_at(s, end);
		if (letter.entry >= FOLD_LETTER)
			used = put_folded(token, used, TOKEN_MAX_BYTES, &letter, s);
	}
	return used;
}

/* The parts of the word from start to end, all at the place of the whole token. */
static int emit_parts(Scan *scan, const uint8_t *start, const uint8_t *end, const PlacedWord *whole)
{
	enum { PART_MIN = 2 };
	uint8_t part[TOKEN_MAX_BYTES];
	unsigned characters;
	for (const uint8_t *s = start, *next; s < end; s = next) {
		next = word_part_end(s, end, &characters);
		unsigned used = characters >= PART_MIN ? fold_part(part, s, next) : 0;
		int result =
		        used > 0 ? tokenizer_emit(scan, part, used, whole->start, whole->end) : 0;
		if (result != 0)
			return result;
	}
	return 0;
}

/* Passes on a word without signs, and its parts. divisible: at a capital or a digit. */
static int emit_word(Scan *scan, const uint8_t *start, const uint8_t *end, const PlacedWord *word,
        bool divisible)
{
	int result = tokenizer_emit(scan, word->bytes, word->used, word->start, word->end);
	if (result != 0 || scan->kind != SCAN_TEXT || !divisible || end - start > TOKEN_MAX_BYTES)
		return result;
	return word_has_parts(start, end) ? emit_parts(scan, start, end, word) : 0;
}

/* The word from start to *s, as it is and with its signs; a query asks for one of the two. */
static int emit_signed(Scan *scan, const uint8_t *start, const uint8_t **s, PlacedWord *word,
        bool divisible, const SignedWord *whole)
{
	word->start = whole->start;
	word->end = whole->end;
	int result = scan->kind == SCAN_TEXT ? emit_word(scan, start, *s, word, divisible) : 0;
	if (scan->kind == SCAN_TERMS)
		*s = whole->after;
	return result != 0
	               ? result
	               : tokenizer_emit(scan, whole->token, whole->length, word->start, word->end);
}

/* Passes on a word, its parts, and with the next word if a hyphen joins them. */
static int emit_hyphened(Scan *scan, const uint8_t *start, const uint8_t *end,
        const PlacedWord *word, bool divisible)
{
	uint8_t joined[TOKEN_MAX_BYTES];
	int result = emit_word(scan, start, end, word, divisible);
	const uint8_t *whole_end =
	        scan->kind == SCAN_TEXT && word_has_hyphen_after(end, scan->end)
	                ? word_hyphen_end(scan->hyphens, scan->text, scan->end, start, end)
	                : NULL;
	if (result != 0 || !whole_end)
		return result;
	unsigned used = fold_part(joined, start, whole_end);
	return tokenizer_emit(scan, joined, used, start, whole_end);
}

/* Scans a word of a script with spaces; *s is moved past it. */
static int scan_word(Scan *scan, const uint8_t **s)
{
	PlacedWord word;
	SignedWord whole;
	unsigned used = 0;
	bool full = false, divisible = false;
	const uint8_t *const start = *s, *p = start;

	while (p < scan->end) {
		if (*p < 0x80) {
			uint8_t folded = fold_ascii[*p];
			if (!folded)
				break;
			if (used < TOKEN_MAX_BYTES && !full)
				word.bytes[used++] = folded;
			divisible |= folded <= '9' || (folded != *p && p > start);
			p++;
			continue;
		}
		Letter letter = letter_at(p, scan->end);
		if (letter.entry == FOLD_SEPARATOR || is_unspaced(&letter))
			break;
		if (letter.entry >= FOLD_POOL || letter.entry == FOLD_LETTER) {
			unsigned before = used;
			if (!full)
				used = put_folded(word.bytes, used, TOKEN_MAX_BYTES, &letter, p);
			full = used == before;
			divisible |= letter.entry >= FOLD_POOL && p > start;
		}
		p += letter.length;
	}
	*s = p;
	if (used == 0)
		return 0;
	word.used = used;
	word.start = start;
	word.end = p;
	if (word_has_sign_beside(scan->text, scan->end, start, p) &&
	        word_signs(scan->text, scan->end, start, p, &whole))
		return emit_signed(scan, start, s, &word, divisible, &whole);
	return emit_hyphened(scan, start, p, &word, divisible);
}

/* Composes conjoining jamo into a syllable (The Unicode Standard, section 3.12). Returns the bytes
 * taken from s; 0 if there is no syllable. */
static unsigned compose_hangul(const uint8_t *s, const uint8_t *end, uint32_t *code)
{
	uint32_t lead = 0, vowel = 0, tail = 0;
	unsigned used = tokenizer_decode(s, end, &lead);
	if (used == 0 || lead < 0x1100 || lead > 0x1112 || s + used >= end)
		return 0;
	unsigned more = tokenizer_decode(s + used, end, &vowel);
	if (more == 0 || vowel < 0x1161 || vowel > 0x1175)
		return 0;
	used += more;
	*code = 0xac00 + ((lead - 0x1100) * 21 + (vowel - 0x1161)) * 28;
	if (s + used < end && (more = tokenizer_decode(s + used, end, &tail)) && tail > 0x11a7 &&
	        tail <= 0x11c2) {
		*code += tail - 0x11a7;
		used += more;
	}
	return used;
}

/* Returns the letter composed of a kana and the sound mark after it, or the same kana. */
static uint32_t compose_kana(uint32_t kana, uint32_t mark)
{
	bool half = mark == 0x309a || mark == 0xff9f;
	uint32_t base = kana >= 0x30a1 && kana <= 0x30fa ? kana - 0x60 : kana;
	bool h_row = base >= 0x306f && base <= 0x307b && base % 3 == 0;
	bool voiced = (base >= 0x304b && base <= 0x3061 && base % 2 == 1) || base == 0x3064 ||
	              base == 0x3066 || base == 0x3068 || h_row;
	if (half)
		return h_row ? kana + 2 : kana;
	if (base == 0x3046)
		return kana + (0x3094 - 0x3046);
	return voiced ? kana + 1 : kana;
}

static bool is_sound_mark(uint32_t code)
{
	return code == 0x3099 || code == 0x309a || code == 0xff9e || code == 0xff9f;
}

static void unit_set(Unit *unit, uint32_t code)
{
	unit->bytes[0] = 0xe0 | code >> 12; /* only for U+0800 to U+FFFF */
	unit->bytes[1] = 0x80 | (code >> 6 & 0x3f);
	unit->bytes[2] = 0x80 | (code & 0x3f);
	unit->used = 3;
}

static void unit_begin(const Scan *scan, Unit *unit, const uint8_t **s, const Letter *letter)
{
	uint32_t syllable;
	unit->start = *s;
	unsigned taken = letter->code >= 0x1100 && letter->code <= 0x1112
	                         ? compose_hangul(*s, scan->end, &syllable)
	                         : 0;
	if (taken > 0) {
		unit_set(unit, syllable);
		*s += taken;
		return;
	}
	unit->used = put_folded(unit->bytes, 0, UNIT_MAX_BYTES, letter, *s);
	*s += letter->length;
}

static void unit_mark(Unit *unit, const Letter *letter, const uint8_t *s)
{
	uint32_t base;
	if (is_sound_mark(letter->code)) {
		if (unit->used == 3 && tokenizer_decode(unit->bytes, unit->bytes + 3, &base) == 3)
			unit_set(unit, compose_kana(base, letter->code));
	} else if (letter->entry == FOLD_UNSPACED_MARK) {
		unit->used = put_folded(unit->bytes, unit->used, UNIT_MAX_BYTES, letter, s);
	}
}

/* Reads a character of an unspaced script. Returns false if there is none at *s. */
static bool unit_read(const Scan *scan, Unit *unit, const uint8_t **s)
{
	if (*s >= scan->end || **s < 0x80)
		return false;
	Letter letter = letter_at(*s, scan->end);
	if (!is_unspaced(&letter) || is_sound_mark(letter.code))
		return false;
	unit_begin(scan, unit, s, &letter);
	while (*s < scan->end && **s >= 0x80) {
		letter = letter_at(*s, scan->end);
		if (letter.entry != FOLD_IGNORED && letter.entry != FOLD_UNSPACED_MARK &&
		        !is_sound_mark(letter.code))
			break;
		unit_mark(unit, &letter, *s);
		*s += letter.length;
	}
	unit->end = *s;
	return unit->used > 0;
}

static int scan_unspaced(Scan *scan, const uint8_t **s)
{
	Unit unit, next;
	uint8_t pair[2 * UNIT_MAX_BYTES];
	bool single = true;

	if (!unit_read(scan, &unit, s)) {
		*s += letter_at(*s, scan->end).length;
		return 0;
	}
	while (unit_read(scan, &next, s)) {
		memcpy(pair, unit.bytes, unit.used);
		memcpy(pair + unit.used, next.bytes, next.used);
		int result =
		        tokenizer_emit(scan, pair, unit.used + next.used, unit.start, next.end);
		if (result != 0)
			return result;
		unit = next;
		single = false;
	}
	if (single || scan->kind == SCAN_TEXT)
		return tokenizer_emit(scan, unit.bytes, unit.used, unit.start, unit.end);
	if (scan->kind == SCAN_PHRASE)
		scan->last = unit;
	return 0;
}

static int scan_text(Scan *scan)
{
	const uint8_t *s = scan->text;
	while (s < scan->end) {
		int result = 0;
		if (*s < 0x80) {
			if (!fold_ascii[*s]) {
				s++;
				continue;
			}
			result = scan_word(scan, &s);
		} else {
			Letter letter = letter_at(s, scan->end);
			if (is_unspaced(&letter))
				result = scan_unspaced(scan, &s);
			else if (letter.entry < FOLD_LETTER || letter.entry == FOLD_UNSPACED_MARK)
				s += letter.length;
			else
				result = scan_word(scan, &s);
		}
		if (result != 0)
			return result;
	}
	return 0;
}

static int scan_as(ScanKind kind, HyphenRules hyphens, const char *text, size_t length,
        TokenFunc function, void *data)
{
	const uint8_t *bytes = (const uint8_t *)text;
	Scan scan = {.text = bytes,
	        .end = bytes + MIN(length, INT_MAX),
	        .kind = kind,
	        .hyphens = hyphens,
	        .function = function,
	        .data = data};
	return scan_text(&scan);
}

int tokenize(const char *text, size_t length, TokenFunc function, void *data)
{
	return scan_as(SCAN_TEXT, HYPHENS_OF_TEXT, text, length, function, data);
}

int tokenize_name(const char *name, size_t length, TokenFunc function, void *data)
{
	g_autofree char *decoded = name_bytes_decode(name, length);
	return decoded ? scan_as(SCAN_TEXT, HYPHENS_OF_NAME, decoded, strlen(decoded), function,
	                         data)
	               : scan_as(SCAN_TEXT, HYPHENS_OF_NAME, name, length, function, data);
}

int tokenize_phrase(const char *text, size_t length, TokenFunc function, void *data)
{
	return scan_as(SCAN_PHRASE, HYPHENS_OF_TEXT, text, length, function, data);
}

int tokenize_query(const char *text, size_t length, TokenFunc function, void *data)
{
	return scan_as(SCAN_TERMS, HYPHENS_OF_TEXT, text, length, function, data);
}

size_t tokenize_unspaced(const char *text, size_t length)
{
	const uint8_t *bytes = (const uint8_t *)text, *s = bytes;
	const Scan scan = {.text = bytes, .end = bytes + length};
	Unit unit;
	return unit_read(&scan, &unit, &s) ? s - bytes : 0;
}

/* ---- whole names */

/* Appends the folded form of the letter at *s, or a separator unchanged; *s is moved past it. */
static void tokenizer_append_folded(GString *out, const Scan *scan, const uint8_t **s)
{
	uint8_t folded[UNIT_MAX_BYTES];
	Unit unit;
	Letter letter = letter_at(*s, scan->end);
	const uint8_t *start = *s;
	if (is_unspaced(&letter) && unit_read(scan, &unit, s)) {
		g_string_append_len(out, (const char *)unit.bytes, unit.used);
		return;
	}
	*s = start + letter.length;
	if (letter.entry == FOLD_SEPARATOR && letter.length == 1)
		g_string_append(out, "\xef\xbf\xbd");
	else if (letter.entry == FOLD_SEPARATOR)
		g_string_append_len(out, (const char *)start, letter.length);
	else if (letter.entry >= FOLD_POOL || letter.entry == FOLD_LETTER)
		g_string_append_len(out, (const char *)folded,
		        put_folded(folded, 0, sizeof folded, &letter, start));
}

char *tokenize_fold(const char *text, size_t length)
{
	g_autofree char *decoded = name_bytes_decode(text, length);
	const uint8_t *s = (const uint8_t *)(decoded ? decoded : text);
	const Scan scan = {.text = s, .end = s + MIN(decoded ? strlen(decoded) : length, INT_MAX)};
	GString *out = g_string_sized_new(length);
	while (s < scan.end) {
		if (*s >= 0x80) {
			tokenizer_append_folded(out, &scan, &s);
			continue;
		}
		g_string_append_c(out, fold_ascii[*s] ? fold_ascii[*s] : *s);
		s++;
	}
	return g_string_free(out, FALSE);
}

int tokenize_grams(const char *folded, TokenFunc function, void *data)
{
	const char *first = folded, *end = folded;
	for (unsigned n = 0; *end; first += n == GRAM ? g_utf8_skip[(uint8_t)*first] : 0) {
		end = g_utf8_next_char(end);
		n = MIN(n + 1, GRAM);
		int result =
		        n < GRAM ? 0
		                 : function(data, first, end - first, first - folded, end - folded);
		if (result != 0)
			return result;
	}
	return 0;
}

/* ---- FTS5 */

typedef int (*Fts5TokenFunc)(
        void *data, int flags, const char *token, int length, int start, int end);

typedef struct {
	const char *text;
	void *data;
	Fts5TokenFunc function;
	int start; /* of the last token */
} Fts5Sink;

static int fts5_token(void *data, const char *token, int length, int start, int end)
{
	Fts5Sink *sink = data;
	bool part = start == sink->start;
	sink->start = start;
	return sink->function(
	        sink->data, part ? FTS5_TOKEN_COLOCATED : 0, token, length, start, end);
}

static int fts5_query_token(void *data, const char *token, int length, int start, int end)
{
	const Fts5Sink *sink = data;
	bool synonym = start > 0 && sink->text[start - 1] == *TOKEN_SYNONYM;
	return sink->function(
	        sink->data, synonym ? FTS5_TOKEN_COLOCATED : 0, token, length, start, end);
}

static int fts5_tokenize_query(Fts5Sink *sink, int length)
{
	if (length == 1 && *sink->text == *TOKEN_NOTHING)
		return sink->function(sink->data, 0, TOKEN_NOTHING, 1, 0, 1);
	return tokenize_query(sink->text, length, fts5_query_token, sink);
}

/* An instance is only a flag that tells what indexed values are. */
enum { KIND_TEXT, KIND_STREAM, KIND_GRAMS, N_KINDS };
static const char kinds[N_KINDS];

static int fts5_create(void *context, const char **arguments, int n, Fts5Tokenizer **tokenizer_r)
{
	static const char *const names[N_KINDS] = {"", "stream", "grams"};
	for (int kind = 0; kind < N_KINDS && n <= 1; kind++) {
		if (strcmp(n == 1 ? arguments[0] : "", names[kind]) != 0)
			continue;
		*tokenizer_r = (Fts5Tokenizer *)&kinds[kind];
		return SQLITE_OK;
	}
	return (void)context, SQLITE_ERROR;
}

static void fts5_delete(Fts5Tokenizer *tokenizer)
{
}

static int fts5_gram(void *data, const char *gram, int length, int start, int end)
{
	const Fts5Sink *sink = data;
	return sink->function(sink->data, 0, gram, length, start, end);
}

static int fts5_tokenize_grams(Fts5Sink *sink, int flags, int length)
{
	if (flags & FTS5_TOKENIZE_QUERY)
		return fts5_gram(sink, sink->text, length, 0, length);
	g_autofree char *folded = tokenize_fold(sink->text, length);
	return tokenize_grams(folded, fts5_gram, sink);
}

static int fts5_tokenize(Fts5Tokenizer *tokenizer, void *data, int flags, const char *text,
        int length, Fts5TokenFunc function)
{
	Fts5Sink sink = {text, data, function, -1};
	const char *kind = (const char *)tokenizer;
	if (kind == &kinds[KIND_GRAMS])
		return fts5_tokenize_grams(&sink, flags, length);
	if (flags & FTS5_TOKENIZE_QUERY)
		return fts5_tokenize_query(&sink, length);
	if ((flags & FTS5_TOKENIZE_DOCUMENT) && kind == &kinds[KIND_STREAM])
		return terms_replay(text, length, data, function);
	return tokenize_name(text, length, fts5_token, &sink);
}

/* FTS5 hands out the address of its functions through a pointer value (sqlite.org/fts5.html,
 * "Extending FTS5"). */
fts5_api *tokenizer_fts5(sqlite3 *db)
{
	fts5_api *api = NULL;
	sqlite3_stmt *statement = NULL;
	if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, NULL) == SQLITE_OK) {
		sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL);
		sqlite3_step(statement);
	}
	sqlite3_finalize(statement);
	return api;
}

int tokenizer_register(sqlite3 *db)
{
	static fts5_tokenizer functions = {fts5_create, fts5_delete, fts5_tokenize};
	fts5_api *api = tokenizer_fts5(db);
	return api ? api->xCreateTokenizer(api, "tarsier", NULL, &functions, NULL) : SQLITE_ERROR;
}
