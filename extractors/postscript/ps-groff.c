/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/postscript/ps-groff.h"
#include <math.h>
#include <string.h>

enum { GROFF_NAME_BYTES = 40, GROFF_MOST_FONTS = 1000 };
#define SPACE_SHARE 0.15 /* of the size of the font: a wider step is a space */

typedef struct {
	double size;
	bool symbols; /* what it shows is no text */
} GroffFont;

struct Groff {
	PsPage *page;
	GHashTable *fonts; /* short name -> GroffFont */
	GroffFont font;
	char first[GROFF_NAME_BYTES], last[GROFF_NAME_BYTES]; /* the last two literals */
	GString *shown; /* the string that the next operator shows */
	bool has_shown;
	double spread; /* the number before it */
	double numbers[2];
	double after; /* what the letters of the last string were spread by */
	double y;
};

static void groff_note(char *to, const char *text, size_t length)
{
	length = MIN(length, GROFF_NAME_BYTES - 1);
	memcpy(to, text, length);
	to[length] = '\0';
}

Groff *groff_new(PsPage *page)
{
	Groff *g = g_new0(Groff, 1);
	g->page = page;
	g->fonts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g->shown = g_string_new(NULL);
	g->y = NAN;
	page->composed = true;
	return g;
}

void groff_free(Groff *g)
{
	if (!g)
		return;
	g_hash_table_unref(g->fonts);
	g_string_free(g->shown, TRUE);
	g_free(g);
}

void groff_literal(Groff *g, const char *text, size_t length)
{
	memcpy(g->first, g->last, sizeof g->first);
	groff_note(g->last, text, length);
}

void groff_string(Groff *g, const GString *string)
{
	g_string_assign(g->shown, "");
	g_string_append_len(g->shown, string->str, string->len);
	g->spread = g->numbers[1];
	g->has_shown = true;
}

void groff_number(Groff *g, double number)
{
	g->numbers[0] = g->numbers[1];
	g->numbers[1] = number;
}

/* ---- text */

static const gunichar groff_low[] = {
        '^', '~', 0x160, 0x17d, 0x161, 0x17e, 0x178, 0x2122, '\'', 0x20ac};
/* 1 to 5: ligatures */
static const gunichar groff_middle[32] = {0x201a, 0xab, 0xbb, 0x2022, 0x192, 0x2044, 0x2030, 0x2020,
        0x2021, 0x2013, 0x2014, 1, 2, 3, 4, 5, 0x131, 0x237, 0, 0, 0, 0, 0, 0, 0, 0x201c, 0x201d,
        0x153, 0x142, 0x201e, 0x152, 0x141};

static gunichar groff_sign(uint8_t byte)
{
	enum { GUILLEMET_LEFT = 0xab, MINUS = 0xad, GUILLEMET_RIGHT = 0xbb };
	if (byte < ' ')
		return byte < G_N_ELEMENTS(groff_low) ? groff_low[byte] : 0;
	if (byte >= 0x7f && byte <= 0xa0)
		return byte >= 0x80 && byte < 0xa0 ? groff_middle[byte - 0x80] : 0;
	return byte == MINUS             ? '-'
	       : byte == GUILLEMET_LEFT  ? 0x2039
	       : byte == GUILLEMET_RIGHT ? 0x203a
	                                 : byte;
}

static bool groff_is_wide(const Groff *g, double step)
{
	return step > SPACE_SHARE * g->font.size;
}

static void groff_show(Groff *g, double spread)
{
	GString *text = g->page->text;
	for (size_t i = 0; !g->font.symbols && i < g->shown->len; i++) {
		gunichar sign = groff_sign((uint8_t)g->shown->str[i]);
		if (sign > 0 && sign < G_N_ELEMENTS(ps_ligatures))
			g_string_append(text, ps_ligatures[sign]);
		else if (sign)
			g_string_append_unichar(text, sign);
		if (groff_is_wide(g, spread) && i + 1 < g->shown->len)
			ps_page_space(g->page);
	}
}

/* Goes to a place. On the same line a new word begins. */
static void groff_move_to(Groff *g, double y)
{
	if (fabs(y - g->y) < g->font.size / 2)
		ps_page_space(g->page);
	else
		ps_page_line(g->page);
	g->y = y;
}

static void groff_operator(Groff *g, unsigned number)
{
	enum { VARIANTS = 4, SPREADS = 2 }; /* the variants that spread letters are the last two */
	enum { IN_PLACE, RIGHT, DOWN, BOTH, PLACE };
	double spread = number % VARIANTS >= SPREADS ? g->spread : 0;
	switch (number / VARIANTS) {
	case RIGHT:
		if (groff_is_wide(g, g->after + g->numbers[1]))
			ps_page_space(g->page);
		break;
	case DOWN:
		if (groff_is_wide(g, g->after))
			ps_page_space(g->page);
		break;
	case BOTH:
		if (groff_is_wide(g, g->after + g->numbers[0]))
			ps_page_space(g->page);
		break;
	case PLACE:
		groff_move_to(g, g->numbers[1]);
		break;
	default:
		if (groff_is_wide(g, g->after))
			ps_page_space(g->page);
	}
	groff_show(g, spread);
	g->after = spread;
}

static void groff_define_font(Groff *g)
{
	g->font = (GroffFont){g->numbers[1], g_str_has_prefix(g->last, "Symbol")};
	if (*g->first && g_hash_table_size(g->fonts) < GROFF_MOST_FONTS)
		g_hash_table_insert(
		        g->fonts, g_strdup(g->first), g_memdup2(&g->font, sizeof g->font));
}

void groff_name(Groff *g, const char *text, size_t length)
{
	char name[GROFF_NAME_BYTES];
	groff_note(name, text, length);
	const GroffFont *font = g_hash_table_lookup(g->fonts, name);
	if (g->has_shown && length == 1 && *name >= 'A' && *name <= 'T')
		groff_operator(g, *name - 'A');
	else if (strcmp(name, "SF") == 0)
		groff_define_font(g);
	else if (font)
		g->font = *font;
	g->has_shown = false;
}
