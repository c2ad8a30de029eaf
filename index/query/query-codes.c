/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-codes.c - numbers that their check digits tell from others: ISBN, IBAN, credit card
 *
 * An ISBN is written in five parts or in one (ISO 2108): 978, the group of a language, the
 * publisher, the title, the check digit. Only the length of the group is known here. Older books
 * have ten characters, without 978 and with another check digit. */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

enum { BOOK_LENGTH = 13, OLD_BOOK_LENGTH = 10, BOOK_PREFIX = 3 };

static bool is_of_digits(const char *code, size_t length)
{
	return strlen(code) == length && strspn(code, "0123456789") == length;
}

/* ---- check digits */

/* The last digit of an ISBN of 13 digits, which begins so. */
static char book_check(const char *code)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < BOOK_LENGTH - 1; i++)
		sum += (code[i] - '0') * (i % 2 == 0 ? 1 : 3);
	return '0' + (10 - sum % 10) % 10;
}

/* The last character of an ISBN of 10 characters, which begins so. */
static char old_book_check(const char *code)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < OLD_BOOK_LENGTH - 1; i++)
		sum += (code[i] - '0') * (OLD_BOOK_LENGTH - i);
	unsigned check = (11 - sum % 11) % 11;
	return check == 10 ? 'x' : '0' + check;
}

static bool is_book(const char *code)
{
	bool prefix = g_str_has_prefix(code, "978") || g_str_has_prefix(code, "979");
	return prefix && is_of_digits(code, BOOK_LENGTH) &&
	       code[BOOK_LENGTH - 1] == book_check(code);
}

static bool is_old_book(const char *code)
{
	return strlen(code) == OLD_BOOK_LENGTH &&
	       strspn(code, "0123456789") >= OLD_BOOK_LENGTH - 1 &&
	       code[OLD_BOOK_LENGTH - 1] == old_book_check(code);
}

/* ISO 13616: the first four characters moved to the end, letters as 10 to 35, are 1 modulo 97. */
static bool is_iban(const char *code)
{
	enum { SHORTEST_IBAN = 15, LONGEST_IBAN = 34, MOVED = 4 };
	size_t length = strlen(code);
	unsigned rest = 0;
	if (length < SHORTEST_IBAN || length > LONGEST_IBAN || !g_ascii_isalpha(code[0]) ||
	        !g_ascii_isalpha(code[1]) || !g_ascii_isdigit(code[2]) || !g_ascii_isdigit(code[3]))
		return false;
	for (size_t i = 0; i < length; i++) {
		char c = code[(i + MOVED) % length];
		rest = g_ascii_isdigit(c) ? rest * 10 + (c - '0') : rest * 100 + (c - 'a' + 10);
		rest %= 97;
	}
	return rest == 1;
}

/* ISO 7812 (Luhn). */
static bool is_card(const char *code)
{
	enum { SHORTEST_CARD = 15, LONGEST_CARD = 16 };
	size_t length = strlen(code);
	unsigned sum = 0;
	if (length < SHORTEST_CARD || length > LONGEST_CARD || !is_of_digits(code, length) ||
	        !strchr("23456", *code))
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned digit = code[length - 1 - i] - '0', twice = 2 * digit;
		sum += i % 2 == 0 ? digit : twice / 10 + twice % 10;
	}
	return sum % 10 == 0;
}

bool query_is_account(const char *code)
{
	return is_iban(code) || is_card(code);
}

bool query_is_book(const char *code)
{
	return is_book(code) || is_old_book(code);
}

/* ---- the parts of an ISBN */

/* Length of the group at the beginning of what follows the prefix. */
static size_t book_group_length(const char *rest, bool new_prefix)
{
	unsigned n = (rest[0] - '0') * 10 + (rest[1] - '0');
	if (new_prefix)
		return rest[0] == '8' ? 1 : 2;
	if (n < 60 || (n >= 70 && n < 80))
		return 1;
	if (n < 70)
		return 3;
	if (n < 95)
		return 2;
	if (n < 99)
		return 3;
	return rest[2] == '9' ? 5 : 4;
}

/* All divisions of the nine digits before the check digit, each after the prefix. */
static void add_book_parts(
        GPtrArray *out, const char *prefix, const char *nine, size_t group, char check)
{
	size_t length = strlen(nine);
	for (size_t publisher = 1; group + publisher < length; publisher++)
		g_ptr_array_add(out,
		        g_strdup_printf("%s%.*s %.*s %s %c", prefix, (int)group, nine,
		                (int)publisher, nine + group, nine + group + publisher, check));
}

GPtrArray *query_book_spellings(const char *code)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	bool old = strlen(code) == OLD_BOOK_LENGTH;
	g_autofree char *prefix = old ? g_strdup("978") : g_strndup(code, BOOK_PREFIX);
	g_autofree char *nine = g_strndup(code + (old ? 0 : BOOK_PREFIX), OLD_BOOK_LENGTH - 1);
	g_autofree char *twelve = g_strconcat(prefix, nine, NULL);
	g_autofree char *prefix_apart = g_strconcat(prefix, " ", NULL);
	bool new_prefix = strcmp(prefix, "978") != 0;
	size_t group = book_group_length(nine, new_prefix);
	char check = book_check(twelve);
	g_ptr_array_add(out, g_strdup_printf("%s%c", twelve, check));
	g_ptr_array_add(out, g_strdup_printf("%s %s%c", prefix, nine, check));
	add_book_parts(out, prefix_apart, nine, group, check);
	if (new_prefix)
		return out;
	g_ptr_array_add(out, g_strdup_printf("%s%c", nine, old_book_check(nine)));
	add_book_parts(out, "", nine, group, old_book_check(nine));
	return out;
}
