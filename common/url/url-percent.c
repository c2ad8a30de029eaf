/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-percent.h"
#include <string.h>

static bool url_set_has(UrlSet set, unsigned char byte)
{
	/* The members of each set, besides controls and what is not ASCII. */
	static const char *const sets[] = {
	        [URL_SET_CONTROL] = "",
	        [URL_SET_FRAGMENT] = " \"<>`",
	        [URL_SET_QUERY] = " \"#<>",
	        [URL_SET_SPECIAL_QUERY] = " \"#<>'",
	        [URL_SET_PATH] = " \"#<>?^`{}",
	        [URL_SET_USERINFO] = " \"#<>?^`{}/:;=@[\\]|",
	        [URL_SET_CANONICAL] = " \"#<>[\\]^`{|}",
	};

	return byte < 0x20 || byte >= 0x7f || strchr(sets[set], byte);
}

void url_percent_append(GString *out, unsigned char byte)
{
	static const char digits[] = "0123456789ABCDEF";
	const char escape[] = {'%', digits[byte >> 4], digits[byte & 15]};

	g_string_append_len(out, escape, sizeof escape);
}

void url_percent_encode(GString *out, UrlSet set, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (url_set_has(set, bytes[i]))
			url_percent_append(out, bytes[i]);
		else
			g_string_append_c(out, bytes[i]);
	}
}

/* True if an escape, "%" and two hexadecimal digits, begins here; *byte_r gets its value. */
static bool url_percent_escape(const char *bytes, size_t length, unsigned char *byte_r)
{
	if (length < 3 || bytes[0] != '%' || !g_ascii_isxdigit(bytes[1]) ||
	        !g_ascii_isxdigit(bytes[2]))
		return false;
	*byte_r = g_ascii_xdigit_value(bytes[1]) << 4 | g_ascii_xdigit_value(bytes[2]);
	return true;
}

void url_percent_decode(GString *out, const char *bytes, size_t length)
{
	unsigned char byte;

	for (size_t i = 0; i < length; i++) {
		if (url_percent_escape(bytes + i, length - i, &byte)) {
			g_string_append_c(out, byte);
			i += 2;
		} else {
			g_string_append_c(out, bytes[i]);
		}
	}
}

/* Letters, digits and "-._~": a byte that means the same with and without an escape (RFC 3986,
 * section 2.3). */
static bool url_is_unreserved(unsigned char byte)
{
	return g_ascii_isalnum(byte) || (byte && strchr("-._~", byte));
}

void url_percent_normalise(GString *out, const char *bytes, size_t length)
{
	unsigned char byte;

	for (size_t i = 0; i < length; i++) {
		if (url_percent_escape(bytes + i, length - i, &byte)) {
			if (url_is_unreserved(byte))
				g_string_append_c(out, byte);
			else
				url_percent_append(out, byte);
			i += 2;
		} else if (bytes[i] == '%' || url_set_has(URL_SET_CANONICAL, bytes[i])) {
			url_percent_append(out, bytes[i]);
		} else {
			g_string_append_c(out, bytes[i]);
		}
	}
}
