/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/word-signs.h"
#include <glib.h>
#include <string.h>

enum { LETTERS_AT_AND = 3 };

/* The text around the word. */
typedef struct {
	const uint8_t *text, *text_end, *start, *end;
} SignPlace;

/* The byte at s; 0 outside of the text. */
static uint8_t sign_byte(const SignPlace *place, const uint8_t *s)
{
	return s >= place->text && s < place->text_end ? *s : 0;
}

static bool sign_is_one_of(uint8_t byte, const char *bytes)
{
	return byte != 0 && strchr(bytes, byte);
}

static uint8_t sign_byte_before(const SignPlace *place)
{
	return place->start > place->text ? place->start[-1] : 0;
}

static bool sign_all_capital(const uint8_t *s, const uint8_t *end)
{
	while (s < end && g_ascii_isupper(*s))
		s++;
	return s == end;
}

static const uint8_t *sign_letters_end(const SignPlace *place, const uint8_t *s)
{
	while (s < place->text_end && g_ascii_isalpha(*s))
		s++;
	return s;
}

static void sign_append(SignedWord *out, const uint8_t *s, const uint8_t *end)
{
	while (s < end)
		out->token[out->length++] = g_ascii_tolower(*s++);
}

/* Is "(g++)" or "gcc, g++)" text? In code something else stands there: "f(i++)", "; i++)". */
static bool sign_is_in_prose(const SignPlace *place)
{
	const uint8_t *s = place->start - 1;
	uint8_t before = sign_byte(place, s), second = sign_byte(place, s - 1);
	if (before == '(')
		return second == 0 || sign_is_one_of(second, " \t\n");
	return sign_is_one_of(before, " \t\n") && (g_ascii_isalnum(second) || second == ',');
}

/* Is "i++" code that counts? next: the byte after it. */
static bool sign_is_increment(const SignPlace *place, uint8_t next)
{
	if (!g_ascii_islower(*place->start))
		return false;
	return next == ';' || next == ']' || (next == ')' && !sign_is_in_prose(place));
}

/* Does a letter or digit beyond ASCII begin at s, of a script that has blanks between words? */
static bool sign_is_foreign_letter(const SignPlace *place, const uint8_t *s)
{
	if (sign_byte(place, s) < 0x80)
		return false;
	gunichar c = g_utf8_get_char_validated((const char *)s, place->text_end - s);
	return c < 0x110000 && g_unichar_isalnum(c) && !g_unichar_iswide(c);
}

/* Number of plus signs that belong to the word. */
static unsigned sign_count_plus(const SignPlace *place)
{
	const uint8_t *s = place->end;
	while (sign_byte(place, s) == '+')
		s++;
	unsigned n = s - place->end;
	uint8_t next = sign_byte(place, s);
	if (n > 2 || sign_is_one_of(sign_byte_before(place), "\\$@"))
		return 0;
	if (n == 1)
		return next == 0 || sign_is_one_of(next, " \t\r\n.,;:!?)\"'-/") ||
		       (next >= 0x80 && !sign_is_foreign_letter(place, s));
	return g_ascii_isalpha(next) || sign_is_increment(place, next) ? 0 : n;
}

static bool sign_is_sharp(const SignPlace *place)
{
	uint8_t next = sign_byte(place, place->end + 1);
	return place->end - place->start == 1 && *place->end == '#' && next != '#' &&
	       !g_ascii_isalpha(next) && !sign_is_one_of(sign_byte_before(place), "&\\$#");
}

static bool sign_after_word(const SignPlace *place, SignedWord *out)
{
	unsigned n = *place->end == '+' ? sign_count_plus(place) : sign_is_sharp(place);
	if (n == 0)
		return false;
	out->start = place->start;
	out->end = out->after = place->end + n;
	sign_append(out, out->start, out->end);
	return true;
}

static bool sign_and(const SignPlace *place, SignedWord *out)
{
	const uint8_t *sign = place->end + (sign_byte(place, place->end) == ' ');
	bool spaced = sign > place->end;
	const uint8_t *second = sign + 1 + spaced, *end;
	if (sign_byte(place, sign) != '&' || (spaced && sign_byte(place, sign + 1) != ' ') ||
	        second >= place->text_end || sign_byte_before(place) == '&')
		return false;
	end = sign_letters_end(place, second);
	uint8_t next = sign_byte(place, end);
	bool capital = sign_all_capital(place->start, place->end) && sign_all_capital(second, end);
	bool small = place->end - place->start <= LETTERS_AT_AND && end > second &&
	             end - second <= LETTERS_AT_AND;
	if (!small || (spaced && !capital) || g_ascii_isdigit(next) ||
	        sign_is_one_of(next, capital ? "=&_" : "=&_;("))
		return false;
	out->start = place->start;
	out->end = place->end;
	out->after = end;
	sign_append(out, place->start, place->end);
	sign_append(out, sign, sign + 1);
	sign_append(out, second, end);
	return true;
}

static bool sign_dot(const SignPlace *place, SignedWord *out)
{
	static const char name[] = "net";
	size_t length = sizeof name - 1;
	const uint8_t *dot = place->start - 1;
	if (sign_byte_before(place) != '.' || (size_t)(place->end - place->start) != length ||
	        g_ascii_strncasecmp((const char *)place->start, name, length) != 0)
		return false;
	uint8_t before = dot > place->text ? dot[-1] : 0;
	bool glued = g_ascii_isalnum(before) || before >= 0x80 || sign_is_one_of(before, "-_.");
	if (glued && !sign_all_capital(place->start, place->end))
		return false;
	out->start = dot;
	out->end = out->after = place->end;
	sign_append(out, dot, place->end);
	return true;
}

bool word_signs(const uint8_t *text, const uint8_t *text_end, const uint8_t *start,
        const uint8_t *end, SignedWord *out)
{
	const SignPlace place = {text, text_end, start, end};
	uint8_t next = sign_byte(&place, end);
	if (end - start > SIGNED_MAX_LETTERS || sign_letters_end(&place, start) != end)
		return false;
	out->length = 0;
	if (next == '+' || next == '#')
		return sign_after_word(&place, out);
	return sign_and(&place, out) || sign_dot(&place, out);
}

bool word_is_signed(const char *term, int length)
{
	uint8_t last = term[length - 1];
	return term[0] == '.' || last == '+' || last == '#' || memchr(term, '&', length);
}

unsigned word_without_signs(const char *term, const char **start_r)
{
	*start_r = term + strspn(term, ".");
	return strcspn(*start_r, "+#&");
}

bool word_joins_next(const char *term)
{
	return strchr(term, '&') != NULL;
}
