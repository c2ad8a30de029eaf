/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/member-names.h"
#include "extractors/charset/charset-shape.h"
#include "extractors/shared/extractor.h"
#include <string.h>

enum { SAMPLE_BYTES = 4096, NAME_BYTES = 512, FEW_BYTES = 256, REPEATS = 6 };

/* Single-byte charsets of names in zip; the first of equally good ones is taken. */
static const char *const zip_latin[] = {"ibm850", "windows-1252", "ibm852", "windows-1250",
        "ibm857", "windows-1254", "ibm775", NULL};
static const char *const zip_others[] = {
        "ibm866", "windows-1251", "koi8-r", "ibm737", "windows-1253", "ibm862", NULL};
/* Scripts that only a detector knows. */
static const char *const detected_only[] = {
        "windows-1256", "iso-8859-6", "windows-874", "tis-620", NULL};

bool member_names_add(MemberNames *names, const char *name)
{
	if (g_utf8_validate(name, -1, NULL))
		return true;
	if (!names->sample)
		names->sample = g_string_new(NULL);
	if (names->sample->len >= SAMPLE_BYTES)
		return false;
	g_string_append_len(names->sample, name, strnlen(name, NAME_BYTES));
	g_string_append_c(names->sample, '\n');
	return true;
}

/* Names are split at ASCII signs and compared as bytes, so a charset must keep these. */
static bool names_keep_ascii(const Charset *charset)
{
	static const char some[] = "az09AZ /|.-_";
	g_autoptr(GString) same = g_string_new(NULL);
	charset_decode(charset, (const uint8_t *)some, strlen(some), same);
	return strcmp(same->str, some) == 0;
}

/* Characters of several bytes that touch ASCII letters are Latin letters in fact. */
static bool names_fit_wide(const Charset *charset, const GString *sample)
{
	g_autoptr(GString) text = g_string_new(NULL);
	charset_decode(charset, (const uint8_t *)sample->str, sample->len, text);
	unsigned wide = 0, touching = 0;
	gunichar before = 0;
	for (const char *p = text->str; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p), after = g_utf8_get_char(g_utf8_next_char(p));
		wide += c >= 0x80;
		touching += c >= 0x80 && ((before < 0x80 && g_ascii_isalpha((char)before)) ||
		                                 (after < 0x80 && g_ascii_isalpha((char)after)));
		before = c;
	}
	return touching * 2 < wide;
}

/* True if most runs of bytes beyond ASCII touch ASCII letters, as in a western language. */
static bool names_look_latin(const GString *sample)
{
	unsigned runs = 0, touching = 0;
	for (size_t i = 0; i < sample->len;) {
		size_t from = i;
		while (i < sample->len && (uint8_t)sample->str[i] >= 0x80)
			i++;
		runs += i > from;
		touching += i > from && ((from > 0 && g_ascii_isalpha(sample->str[from - 1])) ||
		                                g_ascii_isalpha(sample->str[i]));
		i += i == from;
	}
	return touching * 2 >= runs;
}

/* Tells how usual a letter is in names of western Europe. A capital after a small letter ("SÆo") is
 * rather another letter in the other code page ("São"). */
static unsigned names_letter_weight(gunichar letter, gunichar before)
{
	static const char common[] = "äöüßÄÖÜáàâéèêíóôúñçåøæÅØÆÉ", portuguese[] = "ãõ";
	enum { CAPITAL_INSIDE = 1, PORTUGUESE, COMMON };
	if (letter < 0x80)
		return 0;
	if (g_utf8_strchr(portuguese, -1, letter))
		return PORTUGUESE;
	if (!g_utf8_strchr(common, -1, letter))
		return 0;
	return g_unichar_isupper(letter) && g_unichar_islower(before) ? CAPITAL_INSIDE : COMMON;
}

static unsigned names_common_letters(const char *label, const GString *sample)
{
	g_autoptr(GString) text = g_string_new(NULL);
	charset_decode(charset_find(label), (const uint8_t *)sample->str, sample->len, text);
	unsigned weight = 0;
	gunichar before = 0;
	for (const char *p = text->str; *p; p = g_utf8_next_char(p)) {
		gunichar letter = g_utf8_get_char(p);
		weight += names_letter_weight(letter, before);
		before = letter;
	}
	return weight;
}

/* Chooses between the code pages of DOS and of Windows in western Europe by the usual letters. */
static const Charset *names_western(const Charset *best, const GString *sample)
{
	const char *dos = "ibm850", *windows = "windows-1252";
	const Charset *in_dos = charset_find(dos), *in_windows = charset_find(windows);
	if (!in_dos || !in_windows || (best != in_dos && best != in_windows))
		return best;
	bool by_windows = names_common_letters(windows, sample) > names_common_letters(dos, sample);
	return by_windows ? in_windows : in_dos;
}

static const Charset *names_in_zip(const Charset *found, const GString *sample)
{
	const uint8_t *data = (const uint8_t *)sample->str;
	bool latin = names_look_latin(sample);
	if (found && !latin && g_strv_contains(detected_only, charset_name(found)))
		return found;
	/* detectors do not know the code pages of DOS: they are in the lists */
	if (found && (latin || g_str_has_prefix(charset_name(found), "ibm")))
		found = NULL;
	found = charset_likeliest(latin ? zip_latin : zip_others, found, data, sample->len);
	return names_western(found, sample);
}

static const Charset *names_guess(const GString *sample, bool zip)
{
	/* detectors want a dozen characters, even if they are the same ones again */
	g_autoptr(GString) text = g_string_new(sample->str);
	for (unsigned i = 1; i < REPEATS && sample->len < FEW_BYTES; i++)
		g_string_append(text, sample->str);
	const uint8_t *data = (const uint8_t *)text->str;
	const char *label = NULL;
	g_free(decode_text(data, text->len, NULL, NULL, &label));
	const Charset *found = charset_find(label);
	if (found && !charset_is_single(found) && !names_fit_wide(found, sample))
		found = charset_likelier(NULL, data, text->len);
	if (zip && (!found || charset_is_single(found)))
		found = names_in_zip(found, text);
	return found && names_keep_ascii(found) ? found : NULL;
}

/* NULL: the name has bytes that the charset does not define. */
static char *name_in_charset(const Charset *charset, const char *name)
{
	g_autoptr(GString) text = g_string_new(NULL);
	size_t bad = charset_decode(charset, (const uint8_t *)name, strlen(name), text);
	return bad > 0 || text->len == 0 ? NULL : g_strdup(text->str);
}

/* Guesses the charset of a name that is unlike the others. */
static char *name_by_itself(const char *name, bool zip)
{
	g_autoptr(GString) alone = g_string_new_len(name, strnlen(name, NAME_BYTES));
	g_string_append_c(alone, '\n');
	const Charset *charset = names_guess(alone, zip);
	char *text = charset ? name_in_charset(charset, name) : NULL;
	return text ? text : g_strdup(name);
}

char *member_names_decode(MemberNames *names, const char *name, bool zip)
{
	if (g_utf8_validate(name, -1, NULL))
		return g_strdup(name);
	if (!names->sample || !names->read_ahead)
		member_names_add(names, name);
	if (names->sample->len / 2 >= names->guessed_at) {
		names->charset = names_guess(names->sample, zip);
		names->guessed_at = names->sample->len;
	}
	char *text = names->charset ? name_in_charset(names->charset, name) : NULL;
	return text ? text : name_by_itself(name, zip);
}

void member_names_clear(MemberNames *names)
{
	if (names->sample)
		g_string_free(names->sample, TRUE);
	*names = (MemberNames){.sample = NULL};
}
