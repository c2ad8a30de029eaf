/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charsets.c - how often a text without a declared charset is read right, layer by layer
 *
 * charsets [LOCALE_DIR]: takes the translations in LOCALE_DIR (/usr/share/locale), writes them in
 *the legacy charsets of their languages, draws 20 samples of about 200, 1,000 and 10,000 bytes from
 *each, and prints the share of samples whose letters all come out right:
 *
 *	uchardet  what the library says alone; nothing counts as windows-1252
 *	shape     charset_likelier() without the letters of languages
 *	letters   charset_likelier()
 *	all       decode_text(), with the rules for East Asia and for UTF-16 */
#include <config.h>
#include "extractors/charset/charset.h"
#include "extractors/charset/charset-letters.h"
#include "extractors/charset/charset-shape.h"
#include "extractors/shared/extractor.h"
#include <iconv.h>
#include <stdio.h>
#include <string.h>
#include <uchardet.h>

/* The same source is compiled once more, with every letter counted as one of the right language. */
static unsigned bench_any_language(const LetterCounts *counts, unsigned *all_r)
{
	*all_r = 0;
	for (size_t i = 0; i < counts->n; i++)
		*all_r += counts->of[i].times;
	return *all_r;
}
#define letters_of_one_language bench_any_language
#define charset_likelier bench_shape_alone
#define looks_utf16 bench_utf16
#define looks_utf32 bench_utf32
#define looks_ebcdic bench_ebcdic
#define starts_ebcdic_xml bench_ebcdic_xml
#define starts_ebcdic_html bench_ebcdic_html
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "extractors/charset/charset-shape.c"
#undef letters_of_one_language
#undef charset_likelier

enum { SAMPLES = 20, SIZES = 3, LAYERS = 4, TEXT_BYTES = 400 << 10, MESSAGE_BYTES = 30 };

static const size_t sizes[SIZES] = {200, 1000, 10000};

static const struct {
	const char *languages, *charsets;
} rows[] = {
        {"de fr es it pt_BR nl sv da fi nb", "CP1252 IBM850 MACINTOSH"},
        {"fr fi et", "ISO-8859-15"},
        {"pl cs hu sk hr sl ro", "CP1250 ISO-8859-2 IBM852"},
        {"et lv lt", "CP1257 ISO-8859-13 IBM775"},
        {"tr", "CP1254 IBM857"},
        {"eo", "ISO-8859-3"},
        {"vi", "CP1258"},
        {"ru", "CP1251 KOI8-R ISO-8859-5 IBM866 MAC-CYRILLIC"},
        {"uk", "CP1251 KOI8-U CP1125"},
        {"bg be sr", "CP1251 ISO-8859-5 IBM855"},
        {"el", "CP1253 ISO-8859-7 CP737"},
        {"he", "CP1255 CP862"},
        {"ar", "CP1256 ISO-8859-6"},
        {"th", "CP874"},
        {"ja", "SHIFT_JIS EUC-JP ISO-2022-JP"},
        {"ko", "EUC-KR JOHAB"},
        {"zh_CN", "GB18030"},
        {"zh_TW", "BIG5"},
};

typedef struct {
	unsigned samples[SIZES], right[SIZES][LAYERS];
} Tally;

static guint32 mo_number(const char *data, size_t at)
{
	guint32 number;
	memcpy(&number, data + at, sizeof number);
	return number;
}

/* The translations in a .mo file of this machine's byte order (GNU gettext manual, "MO Files"). */
static void read_messages(const char *path, GPtrArray *messages, size_t *bytes)
{
	g_autofree char *data = NULL;
	gsize size;
	if (!g_file_get_contents(path, &data, &size, NULL) || size < 20 ||
	        mo_number(data, 0) != 0x950412de)
		return;
	guint32 n = mo_number(data, 8), table = mo_number(data, 16);
	for (guint32 i = 1; i < n && *bytes < TEXT_BYTES && table + 8 * i + 8 <= size; i++) {
		guint32 length = mo_number(data, table + 8 * i);
		guint32 at = mo_number(data, table + 8 * i + 4);
		if (at > size || length >= size - at || length < MESSAGE_BYTES ||
		        !g_utf8_validate(data + at, length, NULL))
			continue;
		g_ptr_array_add(messages, g_strdup_printf("%.*s\n", (int)length, data + at));
		*bytes += length;
	}
}

static GPtrArray *messages_of(const char *locales, const char *language)
{
	GPtrArray *messages = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = g_build_filename(locales, language, "LC_MESSAGES", NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	size_t bytes = 0;
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		read_messages(path, messages, &bytes);
	}
	return messages;
}

/* Joins messages from the first on until there are enough bytes; messages that the charset cannot
 * encode are left out. */
static GByteArray *draw(
        const GPtrArray *messages, size_t first, size_t size, const char *charset, GString *text)
{
	GByteArray *bytes = g_byte_array_new();
	for (size_t i = first; i < messages->len && bytes->len < size; i++) {
		gsize written;
		g_autofree char *encoded =
		        g_convert(messages->pdata[i], -1, charset, "UTF-8", NULL, &written, NULL);
		g_autofree char *back =
		        encoded ? g_convert(encoded, written, "UTF-8", charset, NULL, NULL, NULL)
		                : NULL;
		if (!back || strcmp(back, messages->pdata[i]) != 0)
			continue;
		g_byte_array_append(bytes, (const guint8 *)encoded, written);
		g_string_append(text, messages->pdata[i]);
	}
	return bytes;
}

static const Charset *uchardet_alone(const GByteArray *bytes)
{
	const Charset *found = NULL;
	uchardet_t detector = uchardet_new();
	if (uchardet_handle_data(detector, (const char *)bytes->data, bytes->len) == 0) {
		uchardet_data_end(detector);
		found = charset_find(uchardet_get_charset(detector));
	}
	uchardet_delete(detector);
	return found;
}

/* Signs may differ, letters must not. */
static bool is_right(const char *read, const char *text)
{
	for (; *read && *text; read = g_utf8_next_char(read), text = g_utf8_next_char(text)) {
		gunichar a = g_utf8_get_char(read), b = g_utf8_get_char(text);
		if (a != b && (g_unichar_isalpha(a) || g_unichar_isalpha(b)))
			return false;
	}
	return *read == *text;
}

static bool reads_right(const Charset *charset, const GByteArray *bytes, const char *text)
{
	g_autoptr(GString) read = g_string_new(NULL);
	charset_decode(
	        charset ? charset : charset_find("windows-1252"), bytes->data, bytes->len, read);
	return is_right(read->str, text);
}

static void try_sample(const GByteArray *bytes, const char *text, unsigned *right)
{
	const Charset *detected = uchardet_alone(bytes);
	g_autofree char *read = decode_text(bytes->data, bytes->len, NULL, NULL, NULL);
	right[0] += reads_right(detected, bytes, text);
	right[1] += reads_right(bench_shape_alone(detected, bytes->data, bytes->len), bytes, text);
	right[2] += reads_right(charset_likelier(detected, bytes->data, bytes->len), bytes, text);
	right[3] += is_right(read, text);
}

static void try_charset(const GPtrArray *messages, const char *charset, Tally *tally)
{
	for (size_t s = 0; s < SIZES; s++)
		for (size_t i = 0; i < SAMPLES; i++) {
			g_autoptr(GString) text = g_string_new(NULL);
			g_autoptr(GByteArray) bytes = draw(
			        messages, i * messages->len / SAMPLES, sizes[s], charset, text);
			bool plain = bytes->len < sizes[s] || g_str_is_ascii(text->str);
			if (plain)
				continue;
			tally->samples[s]++;
			try_sample(bytes, text->str, tally->right[s]);
		}
}

static void print_tally(const char *charset, const char *languages, const Tally *tally)
{
	printf("| %s | %s |", charset, languages);
	for (size_t s = 0; s < SIZES; s++)
		for (size_t layer = 0; layer < LAYERS; layer++)
			printf(" %.0f |", tally->samples[s] == 0 ? 0.0
			                                         : 100.0 * tally->right[s][layer] /
			                                                   tally->samples[s]);
	printf("\n");
	fflush(stdout);
}

static void tally_add(Tally *all, const Tally *one)
{
	for (size_t s = 0; s < SIZES; s++) {
		all->samples[s] += one->samples[s];
		for (size_t layer = 0; layer < LAYERS; layer++)
			all->right[s][layer] += one->right[s][layer];
	}
}

int main(int argc, char **argv)
{
	const char *locales = argc > 1 ? argv[1] : "/usr/share/locale";
	Tally all = {0};
	charset_preload(true);
	printf("| charset | languages |");
	for (size_t s = 0; s < SIZES; s++)
		printf(" %zu: uchardet | shape | letters | all |", sizes[s]);
	printf("\n|---|---|%s\n", "---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
	for (size_t row = 0; row < G_N_ELEMENTS(rows); row++) {
		g_auto(GStrv) languages = g_strsplit(rows[row].languages, " ", -1);
		g_auto(GStrv) charsets = g_strsplit(rows[row].charsets, " ", -1);
		for (char **charset = charsets; *charset; charset++) {
			Tally tally = {0};
			for (char **language = languages; *language; language++) {
				g_autoptr(GPtrArray) messages = messages_of(locales, *language);
				if (messages->len > 0)
					try_charset(messages, *charset, &tally);
			}
			tally_add(&all, &tally);
			print_tally(*charset, rows[row].languages, &tally);
		}
	}
	print_tally("all", "", &all);
	return 0;
}
