/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/mail/mail-header.h"
#include "common/base/text.h"
#include "extractors/shared/extractor.h"
#include <string.h>

/* MAX_WORD bounds the search for the end of an encoded word. */
enum {
	MAX_WORD = 8 << 10,
	MAX_ADDRESSES = 200,
	MAX_PIECES = 100,
	MAX_CHARSET = 40,
	MAX_HEADER_BYTES = 256 << 10
};

/* ---- text to UTF-8 */

static void append_decoded(GString *out, const char *bytes, size_t length, const char *charset)
{
	size_t n;
	g_autofree char *text = decode_text((const uint8_t *)bytes, length, charset, &n, NULL);

	g_string_append_len(out, text, n);
}

/* Returns the line without the white space of folding. */
static char *mail_unfold(GString *text)
{
	size_t used = 0;

	for (size_t i = 0; i < text->len; i++) {
		char c = text->str[i];
		if (c == '\r' || c == '\n' || c == '\0')
			continue;
		text->str[used++] = c == '\t' ? ' ' : c;
	}
	g_string_truncate(text, used);
	return g_strstrip(g_strdup(text->str));
}

static void decode_q(GString *out, const char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at == '=' && end - at > 2 && g_ascii_isxdigit(at[1]) &&
		        g_ascii_isxdigit(at[2])) {
			g_string_append_c(out,
			        g_ascii_xdigit_value(at[1]) << 4 | g_ascii_xdigit_value(at[2]));
			at += 2;
		} else {
			g_string_append_c(out, *at == '_' ? ' ' : *at);
		}
	}
}

static void decode_b(GString *out, const char *at, const char *end)
{
	g_autofree guchar *bytes = g_malloc((end - at) / 4 * 3 + 4);
	int state = 0;
	guint save = 0;
	size_t n = g_base64_decode_step(at, end - at, bytes, &state, &save);

	/* padding is often left out */
	if (state == 2)
		bytes[n++] = save >> 4;
	else if (state == 3) {
		bytes[n++] = save >> 10;
		bytes[n++] = save >> 2;
	}
	g_string_append_len(out, (const char *)bytes, n);
}

typedef struct {
	char charset[MAX_CHARSET];
	char encoding; /* 'b' or 'q' */
	const char *text, *end; /* the payload */
	const char *after;
} EncodedWord;

/* Reads "=?charset*language?encoding?text?=" at `at`; false if there is none. */
static bool mail_read_word(const char *at, const char *end, EncodedWord *word)
{
	if (end - at < 8 || at[0] != '=' || at[1] != '?')
		return false;
	const char *charset = at + 2,
	           *mark = memchr(charset, '?', MIN(end - charset, MAX_CHARSET * 2));
	if (!mark || end - mark < 5 || mark[2] != '?')
		return false;
	const char *star = memchr(charset, '*', mark - charset);
	size_t length = (star ? star : mark) - charset;
	if (length == 0 || length >= MAX_CHARSET)
		return false;
	memcpy(word->charset, charset, length);
	word->charset[length] = '\0';
	word->encoding = g_ascii_tolower(mark[1]);
	word->text = mark + 3;
	word->end = word->text;
	if (end - word->text > MAX_WORD)
		end = word->text + MAX_WORD;
	while (end - word->end >= 2 && !(word->end[0] == '?' && word->end[1] == '=')) {
		if (word->end[0] == '\n' && word->encoding == 'b')
			return false;
		word->end++;
	}
	word->after = word->end + 2;
	return end - word->end >= 2 && (word->encoding == 'b' || word->encoding == 'q');
}

/* Adjacent words of one charset are decoded together, because a character may be split between
 * them. */
typedef struct {
	GString *out;
	GString *bytes;
	char charset[MAX_CHARSET]; /* charset of bytes */
} Decoder;

static void flush_words(Decoder *decoder)
{
	if (decoder->bytes->len > 0)
		append_decoded(
		        decoder->out, decoder->bytes->str, decoder->bytes->len, decoder->charset);
	g_string_truncate(decoder->bytes, 0);
}

static void mail_add_word(Decoder *decoder, const EncodedWord *word)
{
	if (g_ascii_strcasecmp(decoder->charset, word->charset) != 0)
		flush_words(decoder);
	g_strlcpy(decoder->charset, word->charset, sizeof(decoder->charset));
	if (word->encoding == 'b')
		decode_b(decoder->bytes, word->text, word->end);
	else
		decode_q(decoder->bytes, word->text, word->end);
}

static const char *mail_find_word(const char *at, const char *end, EncodedWord *word)
{
	for (; (at = memchr(at, '=', end - at)); at++) {
		if (mail_read_word(at, end, word))
			return at;
	}
	return NULL;
}

/* Appends text that is not encoded, mostly ASCII. */
static void mail_add_plain(Decoder *decoder, const char *at, const char *end)
{
	flush_words(decoder);
	append_decoded(decoder->out, at, end - at, NULL);
}

static char *decode_words(const char *raw, size_t length)
{
	g_autoptr(GString) out = g_string_sized_new(length);
	g_autoptr(GString) bytes = g_string_new(NULL);
	Decoder decoder = {out, bytes, ""};
	const char *at = raw, *end = raw + length, *found;
	EncodedWord word;
	bool after_word = false;

	while (at < end && (found = mail_find_word(at, end, &word))) {
		if (!after_word || !text_is_blank(at, found - at))
			mail_add_plain(&decoder, at, found);
		mail_add_word(&decoder, &word);
		after_word = true;
		at = word.after;
	}
	if (at < end)
		mail_add_plain(&decoder, at, end);
	flush_words(&decoder);
	return mail_unfold(out);
}

char *header_text(const char *raw)
{
	return decode_words(raw, MIN(strlen(raw), MAX_HEADER_BYTES));
}

/* ---- parameters */

typedef struct {
	unsigned index; /* number of a continuation */
	bool extended; /* percent-encoded; the first piece begins with charset'language' */
	GString *value;
} Piece;

static void piece_clear(gpointer item)
{
	g_string_free(((Piece *)item)->value, TRUE);
}

static const char *mail_skip_space(const char *at)
{
	while (g_ascii_isspace(*at))
		at++;
	return at;
}

/* Reads a token or a quoted string. */
static const char *mail_read_value(const char *at, GString *value)
{
	if (*at != '"') {
		size_t n = strcspn(at, ";\r\n");
		g_string_append_len(value, at, n);
		while (value->len > 0 && g_ascii_isspace(value->str[value->len - 1]))
			g_string_truncate(value, value->len - 1);
		return at + n;
	}
	for (at++; *at && *at != '"'; at++) {
		if (*at == '\\' && at[1])
			at++;
		if (*at != '\r' && *at != '\n')
			g_string_append_c(value, *at);
	}
	return *at ? at + 1 : at;
}

/* Reads "name", "name*", "name*0", "name*0*" before '='; false if it is another parameter. */
static bool mail_read_name(const char *at, size_t length, const char *wanted, Piece *piece)
{
	size_t n = strlen(wanted);

	while (length > 0 && g_ascii_isspace(at[length - 1]))
		length--;
	if (length < n || g_ascii_strncasecmp(at, wanted, n) != 0 || (length > n && at[n] != '*'))
		return false;
	piece->index = 0;
	piece->extended = length > n && at[length - 1] == '*';
	for (size_t i = n + 1; i < length && g_ascii_isdigit(at[i]); i++)
		piece->index = MIN(piece->index * 10 + g_ascii_digit_value(at[i]), MAX_PIECES);
	return true;
}

static GArray *mail_read_pieces(const char *raw, const char *wanted)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
	const char *at = raw + strcspn(raw, ";");

	g_array_set_clear_func(pieces, piece_clear);
	while (*at == ';' && pieces->len < MAX_PIECES) {
		at = mail_skip_space(at + 1);
		size_t length = strcspn(at, "=;");
		Piece piece = {.value = g_string_new(NULL)};
		bool mine = at[length] == '=' && mail_read_name(at, length, wanted, &piece);
		at += length;
		if (*at == '=')
			at = mail_read_value(mail_skip_space(at + 1), piece.value);
		at += strcspn(at, ";");
		if (mine)
			g_array_append_val(pieces, piece);
		else
			g_string_free(piece.value, TRUE);
	}
	return pieces;
}

static int by_index(gconstpointer a, gconstpointer b)
{
	return (int)((const Piece *)a)->index - (int)((const Piece *)b)->index;
}

static void append_percent(GString *out, const char *at)
{
	for (; *at; at++) {
		if (*at == '%' && g_ascii_isxdigit(at[1]) && g_ascii_isxdigit(at[2])) {
			g_string_append_c(out,
			        g_ascii_xdigit_value(at[1]) << 4 | g_ascii_xdigit_value(at[2]));
			at += 2;
		} else {
			g_string_append_c(out, *at);
		}
	}
}

/* Removes "charset'language'" and stores the charset. */
static const char *take_charset(const char *value, char charset[MAX_CHARSET])
{
	const char *first = strchr(value, '\'');
	const char *second = first ? strchr(first + 1, '\'') : NULL;

	if (!second || first - value >= MAX_CHARSET)
		return value;
	memcpy(charset, value, first - value);
	charset[first - value] = '\0';
	return second + 1;
}

char *header_parameter(const char *raw, const char *name)
{
	g_autoptr(GArray) pieces = mail_read_pieces(raw, name);
	g_autoptr(GString) joined = g_string_new(NULL);
	char charset[MAX_CHARSET] = "";
	bool extended = false;

	if (pieces->len == 0)
		return NULL;
	g_array_sort(pieces, by_index);
	for (guint i = 0; i < pieces->len; i++) {
		Piece *piece = &g_array_index(pieces, Piece, i);
		extended |= piece->extended;
		if (i == 0 && piece->extended)
			append_percent(joined, take_charset(piece->value->str, charset));
		else if (piece->extended)
			append_percent(joined, piece->value->str);
		else
			g_string_append(joined, piece->value->str);
	}
	if (!extended)
		return decode_words(joined->str, joined->len);
	g_autoptr(GString) out = g_string_new(NULL);
	append_decoded(out, joined->str, joined->len, *charset ? charset : NULL);
	return mail_unfold(out);
}

/* ---- addresses */

static size_t address_length(const char *at)
{
	bool quoted = false, bracket = false;
	size_t i;

	for (i = 0; at[i]; i++) {
		if (at[i] == '\\' && at[i + 1])
			i++;
		else if (at[i] == '"')
			quoted = !quoted;
		else if (at[i] == '<' || at[i] == '>')
			bracket = at[i] == '<';
		else if (at[i] == ',' && !quoted && !bracket)
			break;
	}
	return i;
}

char **header_addresses(const char *raw)
{
	GPtrArray *addresses = g_ptr_array_new();
	g_autofree char *cut = g_strndup(raw, MAX_HEADER_BYTES);

	for (const char *at = cut; *at && addresses->len < MAX_ADDRESSES;) {
		size_t length = address_length(at);
		g_autofree char *text = decode_words(at, length);
		g_autoptr(GString) plain = g_string_new(text);
		g_string_replace(plain, "\"", "", 0);
		if (plain->len > 0)
			g_ptr_array_add(addresses, g_strstrip(g_strdup(plain->str)));
		at += length + (at[length] == ',');
	}
	g_ptr_array_add(addresses, NULL);
	return (char **)g_ptr_array_free(addresses, FALSE);
}
