/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-text.c - characters of RTF: 8-bit text in the charset of its font, and Unicode
 *
 * Bytes are collected until their charset or their destination may change. */
#include <config.h>
#include "extractors/rtf/rtf-private.h"
#include "extractors/shared/fieldlink.h"
#include "extractors/shared/symbolfont.h"

void rtf_put_utf8(Rtf *rtf, const char *text, size_t length)
{
	switch (rtf->now.into) {
	case INTO_TEXT:
		if (!rtf->now.hidden)
			flow_text(&rtf->flow, text, length);
		return;
	case INTO_FACT:
	case INTO_PROPERTY_NAME:
	case INTO_PROPERTY:
	case INTO_LIST_ENTRY:
		if (rtf->fact->len + length <= DOC_MAX_FACT_BYTES)
			g_string_append_len(rtf->fact, text, length);
		return;
	case INTO_INSTRUCTION:
		field_link_add(rtf->instruction, text, length);
		return;
	default:
		return;
	}
}

static bool is_symbol_text(const Rtf *rtf)
{
	return rtf->now.into == INTO_TEXT && fonts_is_symbol(rtf->fonts, rtf->now.font);
}

void rtf_flush(Rtf *rtf)
{
	if (rtf->bytes->len == 0)
		return;
	const Charset *charset = rtf->now.page ? fonts_of_page(rtf->now.page) : NULL;
	if (!charset)
		charset = fonts_charset(rtf->fonts, rtf->now.font);
	g_string_truncate(rtf->decoded, 0);
	if (is_symbol_text(rtf))
		for (size_t i = 0; i < rtf->bytes->len; i++)
			g_string_append_unichar(
			        rtf->decoded, symbol_font_char((unsigned char)rtf->bytes->str[i]));
	else
		charset_decode(
		        charset, (const uint8_t *)rtf->bytes->str, rtf->bytes->len, rtf->decoded);
	g_string_truncate(rtf->bytes, 0);
	rtf_put_utf8(rtf, rtf->decoded->str, rtf->decoded->len);
}

static bool keeps_text(const Rtf *rtf)
{
	return rtf->now.into == INTO_TEXT || rtf->now.into == INTO_FACT ||
	       rtf->now.into == INTO_PROPERTY_NAME || rtf->now.into == INTO_PROPERTY ||
	       rtf->now.into == INTO_INSTRUCTION || rtf->now.into == INTO_LIST_ENTRY;
}

void rtf_put_byte(Rtf *rtf, uint8_t byte)
{
	if (rtf->now.into == INTO_OBJECT) {
		objects_digit(rtf->objects, byte);
		return;
	}
	rtf->now.fresh = false;
	if (rtf->now.into == INTO_FONTS)
		fonts_letter(rtf->fonts, rtf->table_font, byte);
	if (rtf->skip > 0)
		rtf->skip--;
	else if (keeps_text(rtf))
		g_string_append_c(rtf->bytes, byte);
}

void rtf_put_char(Rtf *rtf, gunichar c)
{
	char utf8[6];
	rtf_flush(rtf);
	rtf_put_utf8(rtf, utf8, g_unichar_to_utf8(c, utf8));
}

/* \u takes a signed 16-bit number, but some programs write larger ones unsigned. */
void rtf_put_unicode(Rtf *rtf, long number)
{
	gunichar c = number < 0 ? (gunichar)(number + 0x10000) : (gunichar)number;
	rtf->skip = rtf->now.unicode_skip;
	if (c >= 0xd800 && c < 0xdc00) {
		rtf->high = c;
		return;
	}
	if (c >= 0xdc00 && c < 0xe000 && rtf->high)
		c = 0x10000 + ((rtf->high - 0xd800) << 10) + (c - 0xdc00);
	rtf->high = 0;
	if (symbol_font_is_moved(c))
		c = symbol_font_shown(c, is_symbol_text(rtf));
	if (c >= 0x20 && g_unichar_validate(c))
		rtf_put_char(rtf, c);
}

DocTag rtf_paragraph_tag(const Rtf *rtf)
{
	return rtf->level > 0 ? TAG_HEADING1 + MIN(rtf->level, 6) - 1 : TAG_BODY;
}

void rtf_end_block(Rtf *rtf, DocTag tag)
{
	rtf_flush(rtf);
	if (rtf->now.into == INTO_FACT)
		g_string_append_c(rtf->fact, ' ');
	if (rtf->now.into == INTO_TEXT && rtf->now.inset && !rtf->now.box)
		flow_space(&rtf->flow);
	else if (rtf->now.into == INTO_TEXT)
		flow_block(&rtf->flow, tag);
}
