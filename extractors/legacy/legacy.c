/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/legacy.h"
#include <stdio.h>

const Charset *code_page(unsigned number)
{
	static const struct {
		unsigned number;
		const char *label;
	} named[] = {{1200, "utf-16le"}, {10000, "macintosh"}, {10007, "x-mac-cyrillic"},
	        {10029, "x-mac-ce"}, {20866, "koi8-r"}, {21866, "koi8-u"}, {28591, "iso-8859-1"},
	        {28592, "iso-8859-2"}, {28595, "iso-8859-5"}, {28597, "iso-8859-7"},
	        {32768, "macintosh"}, {50220, "iso-2022-jp"}, {51932, "euc-jp"}, {51949, "euc-kr"},
	        {65001, "utf-8"}};
	char label[16];
	const Charset *found = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(named) && !found; i++)
		found = named[i].number == number ? charset_find(named[i].label) : NULL;
	snprintf(label, sizeof label, "cp%u", number);
	if (!found)
		found = charset_find(label);
	return found ? found : charset_find("windows-1252");
}

unsigned language_code_page(unsigned language)
{
	static const struct {
		uint8_t language; /* language number without the country */
		uint16_t page;
	} pages[] = {{0x01, 1256}, {0x02, 1251}, {0x05, 1250}, {0x08, 1253}, {0x0d, 1255},
	        {0x0e, 1250}, {0x11, 932}, {0x12, 949}, {0x15, 1250}, {0x18, 1250}, {0x19, 1251},
	        {0x1a, 1250}, {0x1b, 1250}, {0x1c, 1250}, {0x1e, 874}, {0x1f, 1254}, {0x20, 1256},
	        {0x22, 1251}, {0x23, 1251}, {0x24, 1250}, {0x25, 1257}, {0x26, 1257}, {0x27, 1257},
	        {0x29, 1256}, {0x2a, 1258}, {0x2f, 1251}};
	if ((language & 0x3ff) == 0x04)
		return language == 0x0404 || language == 0x0c04 ? 950 : 936;
	for (size_t i = 0; i < G_N_ELEMENTS(pages); i++)
		if (pages[i].language == (language & 0x3ff))
			return pages[i].page;
	return 1252;
}

void put_encoded(GString *out, Bytes text, const Charset *charset)
{
	if (text.size > 0 && charset)
		charset_decode(charset, text.data, text.size, out);
}

void put_utf16(GString *out, Bytes text)
{
	put_encoded(out, (Bytes){text.data, text.size & ~(size_t)1}, charset_find("utf-16le"));
}

/* A FILETIME counts units of 100 ns from the year 1601. */
char *filetime_text(uint64_t filetime)
{
	int64_t seconds = (int64_t)(filetime / 10000000) - 11644473600;
	if (seconds <= 0 || seconds > 253402300799)
		return NULL;
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(seconds);
	return date ? g_date_time_format(date, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}
