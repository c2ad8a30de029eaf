/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/rtf/rtf-fonts.h"
#include "extractors/shared/symbolfont.h"
#include <stdio.h>

enum { MAX_FONTS = 10000, MAX_NAME = 256 };

struct Fonts {
	GHashTable *pages; /* font -> code page */
	GHashTable *symbols; /* set of fonts that are Symbol */
	unsigned page; /* code page of the document */
	GString *name; /* name of the font being defined */
	int named;
};

static const struct {
	uint8_t charset;
	uint16_t page;
} charsets[] = {{77, 10000}, {78, 932}, {79, 949}, {80, 936}, {81, 950}, {83, 1253}, {84, 1255},
        {85, 1256}, {86, 1254}, {87, 874}, {88, 10029}, {89, 10007}, {128, 932}, {129, 949},
        {130, 949}, {134, 936}, {136, 950}, {161, 1253}, {162, 1254}, {163, 1258}, {177, 1255},
        {178, 1256}, {186, 1257}, {204, 1251}, {222, 874}, {238, 1250}, {254, 437}, {255, 850}};

Fonts *fonts_new(void)
{
	Fonts *fonts = g_new0(Fonts, 1);
	fonts->pages = g_hash_table_new(NULL, NULL);
	fonts->symbols = g_hash_table_new(NULL, NULL);
	fonts->page = 1252;
	fonts->name = g_string_new(NULL);
	fonts->named = -1;
	return fonts;
}

void fonts_free(Fonts *fonts)
{
	g_hash_table_unref(fonts->pages);
	g_hash_table_unref(fonts->symbols);
	g_string_free(fonts->name, TRUE);
	g_free(fonts);
}

void fonts_set_page(Fonts *fonts, unsigned page)
{
	fonts->page = page;
}

void fonts_add_page(Fonts *fonts, int font, unsigned page)
{
	if (g_hash_table_size(fonts->pages) < MAX_FONTS)
		g_hash_table_insert(fonts->pages, GINT_TO_POINTER(font), GUINT_TO_POINTER(page));
}

/* Charset 0 is western; 1 (default) and 2 (symbols) imply no code page. */
unsigned fonts_page_of(int charset)
{
	for (size_t i = 0; i < G_N_ELEMENTS(charsets); i++)
		if (charsets[i].charset == charset)
			return charsets[i].page;
	return charset == 0 ? 1252 : 0;
}

void fonts_add(Fonts *fonts, int font, int charset)
{
	unsigned page = fonts_page_of(charset);
	if (page > 0)
		fonts_add_page(fonts, font, page);
}

/* A charset number takes precedence over the name, except for western, which many programs write
 * for all fonts. */
static void rtf_take_name(Fonts *fonts, int font)
{
	static const struct {
		const char *end;
		uint16_t page;
	} names[] = {{" CE", 1250}, {" Cyr", 1251}, {" CYR", 1251}, {" Greek", 1253},
	        {" GREEK", 1253}, {" Tur", 1254}, {" TUR", 1254}, {"(Hebrew)", 1255},
	        {"(Arabic)", 1256}, {" Baltic", 1257}, {" BALTIC", 1257}, {"(Vietnamese)", 1258},
	        {"(Thai)", 874}};
	unsigned page = GPOINTER_TO_UINT(g_hash_table_lookup(fonts->pages, GINT_TO_POINTER(font)));
	if (strcmp(fonts->name->str, SYMBOL_FONT) == 0 &&
	        g_hash_table_size(fonts->symbols) < MAX_FONTS)
		g_hash_table_add(fonts->symbols, GINT_TO_POINTER(font));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if ((page == 0 || page == 1252) && g_str_has_suffix(fonts->name->str, names[i].end))
			fonts_add_page(fonts, font, names[i].page);
}

void fonts_letter(Fonts *fonts, int font, char letter)
{
	if (fonts->named != font || letter == ';') {
		if (fonts->named == font)
			rtf_take_name(fonts, font);
		g_string_truncate(fonts->name, 0);
		fonts->named = letter == ';' ? -1 : font;
	}
	if (letter != ';' && fonts->name->len < MAX_NAME)
		g_string_append_c(fonts->name, letter);
}

const Charset *fonts_of_page(unsigned page)
{
	static const struct {
		unsigned page;
		const char *label;
	} named[] = {{10000, "macintosh"}, {10007, "x-mac-cyrillic"}, {10029, "x-mac-ce"},
	        {708, "asmo-708"}, {65001, "utf-8"}};
	char label[16];
	for (size_t i = 0; i < G_N_ELEMENTS(named); i++)
		if (named[i].page == page)
			return charset_find(named[i].label);
	snprintf(label, sizeof label, "cp%u", page);
	return charset_find(label);
}

const Charset *fonts_charset(const Fonts *fonts, int font)
{
	unsigned page = GPOINTER_TO_UINT(g_hash_table_lookup(fonts->pages, GINT_TO_POINTER(font)));
	const Charset *charset = page ? fonts_of_page(page) : NULL;
	/* many programs write a western font in a document with another code page */
	if (!charset || page == 1252)
		charset = fonts_of_page(fonts->page);
	return charset ? charset : charset_find("windows-1252");
}

bool fonts_is_symbol(const Fonts *fonts, int font)
{
	return g_hash_table_contains(fonts->symbols, GINT_TO_POINTER(font));
}
