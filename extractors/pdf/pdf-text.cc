/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extractors/pdf/pdf-text.h"
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-page.h>

struct PdfText {
	std::unique_ptr<poppler::document> document;
};

/* poppler reports every damaged object here; the result shows the damage too. */
static void ignore_message(const std::string &, void *)
{
}

/* Converts poppler's UTF-16 to UTF-8 without iconv, which could not load its tables in the
 * sandbox. */
static size_t pdf_put_utf8(char *out, uint32_t c)
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

static bool is_low_surrogate(uint32_t c)
{
	return c >= 0xdc00 && c < 0xe000;
}

static bool is_letter(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0xc0;
}

/* TeX bitmap fonts do not name their letters, so poppler returns the bytes. Ligatures have codes of
 * control characters: from 0x0b in Knuth's encoding, from 0x1b in Cork's. */
static const char *pdf_ligature(const poppler::ustring &in, size_t i)
{
	static const char *const ligatures[] = {"ff", "fi", "fl", "ffi", "ffl"};
	uint32_t c = in[i];
	bool before = i > 0 && is_letter(in[i - 1]);
	bool behind = i + 1 < in.size() && is_letter(in[i + 1]);
	if (c >= 0x1b && c <= 0x1f && (before || behind))
		return ligatures[c - 0x1b];
	return c >= 0x0b && c <= 0x0f && behind ? ligatures[c - 0x0b] : nullptr;
}

/* Letters and signs that only Cork's encoding has at these codes. */
static const char *pdf_cork_letter(uint32_t c)
{
	switch (c) {
	case 0x10:
		return "\u201c";
	case 0x11:
		return "\u201d";
	case 0x12:
		return "\u201e";
	case 0x15:
		return "\u2013";
	case 0x16:
		return "\u2014";
	case 0xff:
		return "\u00df";
	default:
		return nullptr;
	}
}

static bool pdf_is_cork(const poppler::ustring &in)
{
	for (size_t i = 0; i < in.size(); i++)
		if (in[i] >= 0x1b && in[i] <= 0x1f && pdf_ligature(in, i))
			return true;
	return false;
}

static char *to_utf8(const poppler::ustring &in)
{
	bool cork = pdf_is_cork(in);
	auto *out = static_cast<char *>(std::malloc(in.size() * 3 + 1));
	size_t length = 0;

	if (!out)
		return nullptr;
	for (size_t i = 0; i < in.size(); i++) {
		uint32_t c = in[i];
		if (is_high(c) && i + 1 < in.size() && is_low_surrogate(in[i + 1]))
			c = 0x10000 + ((c - 0xd800) << 10) + (in[++i] - 0xdc00u);
		else if (is_high(c) || is_low_surrogate(c))
			c = 0xfffd;
		const char *letters = pdf_ligature(in, i);
		if (!letters && cork)
			letters = pdf_cork_letter(c);
		if (letters) {
			std::memcpy(out + length, letters, std::strlen(letters));
			length += std::strlen(letters);
			continue;
		}
		if (c != 0 && c != 0xfeff)
			length += pdf_put_utf8(out + length, c);
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

static PdfGlyph *add_glyphs(PdfGlyph *out, const poppler::text_box &word)
{
	const poppler::ustring units = word.text();
	PdfGlyph *first = out;
	for (size_t i = 0; i < units.size(); i++) {
		uint32_t c = units[i];
		const poppler::rectf box = word.char_bbox((size_t)(out - first));
		if (is_high(c) && i + 1 < units.size() && is_low_surrogate(units[i + 1]))
			c = 0x10000 + ((c - 0xd800) << 10) + (units[++i] - 0xdc00u);
		*out = {c, (float)box.left(), (float)box.right(), (float)box.top(),
		        (float)box.bottom(), out == first, false};
		out++;
	}
	if (out > first)
		out[-1].space = word.has_space_after();
	return out;
}

PdfGlyph *pdf_text_glyphs(PdfText *text, int index, size_t *n_r)
try {
	std::unique_ptr<poppler::page> page(text->document->create_page(index));
	if (!page)
		return nullptr;
	const std::vector<poppler::text_box> words = page->text_list();
	size_t units = 0;
	for (const auto &word : words)
		units += word.text().size();
	auto *glyphs = static_cast<PdfGlyph *>(std::calloc(units, sizeof(PdfGlyph)));
	if (!glyphs)
		return nullptr;
	PdfGlyph *end = glyphs;
	for (const auto &word : words)
		if (word.rotation() == 0)
			end = add_glyphs(end, word);
	*n_r = (size_t)(end - glyphs);
	return glyphs;
} catch (const std::bad_alloc &) {
	return nullptr;
}

/* poppler-cpp returns such a value byte by byte. */
char *pdf_text_utf8_fact(PdfText *text, const char *key)
try {
	static const char mark[] = "\xef\xbb\xbf";
	poppler::ustring value = text->document->info_key(key);
	std::string bytes;
	for (auto unit : value) {
		if (unit > 0xff)
			return nullptr;
		bytes.push_back((char)unit);
	}
	return bytes.compare(0, 3, mark) == 0 ? strdup(bytes.c_str() + 3) : nullptr;
} catch (const std::bad_alloc &) {
	return nullptr;
}

void pdf_text_close(PdfText *text)
{
	delete text;
}
