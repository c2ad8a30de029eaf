/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extractors/pdf/text.h"
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-page.h>

struct PdfText {
	std::unique_ptr<poppler::document> document;
};

/* poppler reports every damaged object; whoever reads the document learns it from the result. */
static void ignore_message(const std::string &, void *)
{
}

/* UTF-16 of poppler to UTF-8, without iconv: it could not load its tables in the jail. */
static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static bool is_high(uint32_t c)
{
	return c >= 0xd800 && c < 0xdc00;
}

static bool is_low(uint32_t c)
{
	return c >= 0xdc00 && c < 0xe000;
}

static char *to_utf8(const poppler::ustring &in)
{
	auto *out = static_cast<char *>(std::malloc(in.size() * 3 + 1));
	size_t length = 0;

	if (!out)
		return nullptr;
	for (size_t i = 0; i < in.size(); i++) {
		uint32_t c = in[i];
		if (is_high(c) && i + 1 < in.size() && is_low(in[i + 1]))
			c = 0x10000 + ((c - 0xd800) << 10) + (in[++i] - 0xdc00u);
		else if (is_high(c) || is_low(c))
			c = 0xfffd;
		if (c != 0 && c != 0xfeff)
			length += put_utf8(out + length, c);
	}
	out[length] = 0;
	return out;
}

PdfText *pdf_text_open(const uint8_t *data, size_t size)
try {
	if (size > (size_t)std::numeric_limits<int>::max())
		return nullptr;
	poppler::set_debug_error_function(ignore_message, nullptr);
	std::unique_ptr<poppler::document> document(
	        poppler::document::load_from_raw_data((const char *)data, (int)size));
	if (!document || document->is_locked())
		return nullptr;
	return new PdfText{std::move(document)};
} catch (const std::bad_alloc &) {
	return nullptr;
}

char *pdf_text_page(PdfText *text, int index)
try {
	std::unique_ptr<poppler::page> page(text->document->create_page(index));
	if (!page)
		return nullptr;
	return to_utf8(page->text(poppler::rectf(), poppler::page::non_raw_non_physical_layout));
} catch (const std::bad_alloc &) {
	return nullptr;
}

void pdf_text_close(PdfText *text)
{
	delete text;
}
