/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-host.h"
#include "common/url/url-idna.h"
#include "common/url/url-percent.h"
#include "common/base/i18n.h"
#include <stdint.h>
#include <string.h>

enum { IPV6_PIECES = 8 };

static const char *const bad_ipv6 = N_("the host is not an IPv6 address");
static const char *const bad_ipv4 = N_("the host is not an IPv4 address");
static const char *const bad_byte = N_("the host has a character that no host has");

static bool host_forbidden(unsigned char byte)
{
	return byte == 0 || strchr("\t\n\r #/:<>?@[\\]^|", byte);
}

static bool domain_forbidden(unsigned char byte)
{
	return byte <= 0x20 || byte == 0x7f || byte == '%' || host_forbidden(byte);
}

/* ---- IPv4 */

/* Reads one number: decimal, "0x" hexadecimal or "0" octal. The value stops growing above 2^32. */
static bool ipv4_number(const char *text, size_t length, uint64_t *value_r)
{
	unsigned base = 10;
	uint64_t value = 0;

	if (length == 0)
		return false;
	if (length >= 2 && text[0] == '0') {
		base = (text[1] | 0x20) == 'x' ? 16 : 8;
		text += base == 16 ? 2 : 1;
		length -= base == 16 ? 2 : 1;
	}
	for (size_t i = 0; i < length; i++) {
		int digit = g_ascii_xdigit_value(text[i]);
		if (digit < 0 || (unsigned)digit >= base)
			return false;
		if (value <= UINT32_MAX)
			value = value * base + digit;
	}
	*value_r = value;
	return true;
}

/* The last label, without the dot that may end the name. */
static const char *last_label(const char *domain, size_t *length_r)
{
	size_t end = strlen(domain);
	size_t start;

	if (end > 0 && domain[end - 1] == '.')
		end--;
	for (start = end; start > 0 && domain[start - 1] != '.'; start--)
		;
	*length_r = end - start;
	return domain + start;
}

/* Must the name be an IPv4 address, because its last label is a number? */
static bool ends_in_number(const char *domain)
{
	size_t length;
	const char *label = last_label(domain, &length);
	uint64_t value;
	bool digits = length > 0;

	for (size_t i = 0; i < length; i++)
		digits = digits && g_ascii_isdigit(label[i]);
	return digits || ipv4_number(label, length, &value);
}

static char *ipv4_parse(const char *domain)
{
	g_auto(GStrv) parts = g_strsplit(domain, ".", 6);
	unsigned n = g_strv_length(parts);
	uint64_t address = 0;

	if (n > 1 && !*parts[n - 1])
		n--;
	if (n > 4)
		return NULL;
	for (unsigned i = 0; i < n; i++) {
		uint64_t value;
		if (!ipv4_number(parts[i], strlen(parts[i]), &value))
			return NULL;
		/* The last number fills all bytes that are left. */
		unsigned bits = i + 1 < n ? 8 : 8 * (5 - n);
		if (value >> bits)
			return NULL;
		address |= i + 1 < n ? value << (24 - 8 * i) : value;
	}
	return g_strdup_printf("%u.%u.%u.%u", (unsigned)(address >> 24),
	        (unsigned)(address >> 16 & 255), (unsigned)(address >> 8 & 255),
	        (unsigned)(address & 255));
}

/* ---- IPv6 */

/* Reads the four decimal numbers at the end of an IPv6 address into two pieces. */
static bool ipv6_take_ipv4(const char *text, const char *end, uint16_t *pieces)
{
	unsigned bytes[4];

	for (unsigned i = 0; i < 4; i++) {
		const char *start = text;
		if (i > 0 && (text == end || *text++ != '.'))
			return false;
		bytes[i] = 0;
		for (start = text; text < end && g_ascii_isdigit(*text); text++) {
			bytes[i] = bytes[i] * 10 + (*text - '0');
			if ((text > start && *start == '0') || bytes[i] > 255)
				return false;
		}
		if (text == start)
			return false;
	}
	pieces[0] = bytes[0] << 8 | bytes[1];
	pieces[1] = bytes[2] << 8 | bytes[3];
	return text == end;
}

/* Moves the pieces after "::" to the end. */
static void ipv6_expand(uint16_t *pieces, unsigned n, unsigned gap)
{
	unsigned moved = n - gap;

	memmove(pieces + IPV6_PIECES - moved, pieces + gap, moved * sizeof *pieces);
	memset(pieces + gap, 0, (IPV6_PIECES - n) * sizeof *pieces);
}

/* Takes up to four hexadecimal digits. */
static unsigned ipv6_take_piece(const char **text, const char *end)
{
	unsigned value = 0;

	for (unsigned i = 0; i < 4 && *text < end && g_ascii_isxdigit(**text); i++)
		value = value << 4 | g_ascii_xdigit_value(*(*text)++);
	return value;
}

/* Takes pieces up to the end. gap: where those after "::" begin, 0 if there is none; "::" itself
 * stands for one piece at least. Returns their number; 0 if the text is not an address. */
static unsigned ipv6_take_pieces(const char *text, const char *end, uint16_t *pieces, unsigned *gap)
{
	unsigned n = *gap;

	while (text < end) {
		const char *start = text;
		if (n == IPV6_PIECES || (*text == ':' && *gap > 0))
			return 0;
		if (*text == ':') {
			text++;
			*gap = ++n;
			continue;
		}
		unsigned value = ipv6_take_piece(&text, end);
		if (text > start && text < end && *text == '.')
			return n <= IPV6_PIECES - 2 && ipv6_take_ipv4(start, end, pieces + n)
			               ? n + 2
			               : 0;
		if (text < end && (*text != ':' || text + 1 == end))
			return 0;
		pieces[n++] = value;
		text += text < end;
	}
	return n;
}

static bool ipv6_parse(const char *text, const char *end, uint16_t *pieces)
{
	unsigned gap = 0;

	if (text < end && *text == ':') {
		if (end - text < 2 || text[1] != ':')
			return false;
		text += 2;
		gap = 1;
	}
	unsigned n = ipv6_take_pieces(text, end, pieces, &gap);
	if (n == 0 || (gap == 0 && n < IPV6_PIECES))
		return false;
	if (gap > 0)
		ipv6_expand(pieces, n, gap);
	return true;
}

/* The longest run of at least two zeros, the first of equal ones; its length in *length_r. */
static unsigned ipv6_zeros(const uint16_t *pieces, unsigned *length_r)
{
	unsigned best = 0;

	*length_r = 1;
	for (unsigned i = 0; i < IPV6_PIECES; i++) {
		unsigned n = 0;
		while (i + n < IPV6_PIECES && pieces[i + n] == 0)
			n++;
		if (n > *length_r) {
			best = i;
			*length_r = n;
		}
		i += n;
	}
	if (*length_r < 2)
		*length_r = 0;
	return best;
}

static char *ipv6_text(const uint16_t *pieces)
{
	GString *out = g_string_new("[");
	unsigned n, zeros = ipv6_zeros(pieces, &n);

	for (unsigned i = 0; i < IPV6_PIECES; i++) {
		if (n > 0 && i == zeros) {
			g_string_append(out, i == 0 ? "::" : ":");
			i += n - 1;
			continue;
		}
		g_string_append_printf(out, "%x", pieces[i]);
		if (i + 1 < IPV6_PIECES)
			g_string_append_c(out, ':');
	}
	g_string_append_c(out, ']');
	return g_string_free(out, FALSE);
}

/* ---- names */

static char *opaque_host(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (host_forbidden(text[i]))
			return NULL;
	}
	GString *out = g_string_sized_new(length);
	url_percent_encode(out, URL_SET_CONTROL, text, length);
	return g_string_free(out, FALSE);
}

static bool host_is_ascii(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] >= 0x80)
			return false;
	}
	return true;
}

/* A name in ASCII is taken as it is, whatever its Punycode says. */
static char *domain_to_ascii(const GString *domain, const char **reason_r)
{
	if (!host_is_ascii(domain->str, domain->len))
		return url_idna_to_ascii(domain->str, domain->len, reason_r);
	if (memchr(domain->str, 0, domain->len))
		return NULL;
	return g_ascii_strdown(domain->str, domain->len);
}

static char *special_host(const char *text, size_t length, const char **reason_r)
{
	g_autoptr(GString) decoded = g_string_sized_new(length);
	g_autofree char *domain = NULL;

	*reason_r = bad_byte;
	url_percent_decode(decoded, text, length);
	domain = domain_to_ascii(decoded, reason_r);
	if (!domain)
		return NULL;
	for (const char *at = domain; *at; at++) {
		if (domain_forbidden(*at)) {
			*reason_r = bad_byte;
			return NULL;
		}
	}
	if (!*domain) {
		*reason_r = N_("the host is empty");
		return NULL;
	}
	*reason_r = bad_ipv4;
	return ends_in_number(domain) ? ipv4_parse(domain) : g_steal_pointer(&domain);
}

char *url_host_parse(const char *text, size_t length, bool special, const char **reason_r)
{
	uint16_t pieces[IPV6_PIECES] = {0};

	if (length > 0 && text[0] == '[') {
		*reason_r = bad_ipv6;
		if (text[length - 1] != ']' || !ipv6_parse(text + 1, text + length - 1, pieces))
			return NULL;
		return ipv6_text(pieces);
	}
	if (special)
		return special_host(text, length, reason_r);
	*reason_r = bad_byte;
	return opaque_host(text, length);
}
