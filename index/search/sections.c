/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/sections.h"
#include <string.h>

enum {
	PART_BYTES = 2000, /* a longer part ends at the next block */
	PAGE_BYTES = 1000, /* a longer part ends with its page */
	BLOCK_BYTES = 4000, /* a longer block is divided itself, at white space */
	MAX_LEVEL = 6
};

/* The sections while the runs of the text are read. */
typedef struct {
	const Document *doc;
	GArray *sections;
	int open[MAX_LEVEL + 1]; /* at a level: the section of its last heading, which the text
	                            stands under, or SECTION_NONE */
	guint next_break; /* the first page that begins after the place reached */
	bool in_heading;
} SectionReader;

static Section *last_section(const SectionReader *reader)
{
	return &g_array_index(reader->sections, Section, reader->sections->len - 1);
}

static int innermost(const SectionReader *reader, unsigned below)
{
	for (unsigned level = below; level-- > 1;)
		if (reader->open[level] != SECTION_NONE)
			return reader->open[level];
	return SECTION_NONE;
}

/* Begins a section, unless there are too many: with the level of a heading, or 0 for a part. */
static bool section_begin(SectionReader *reader, uint32_t at, unsigned level)
{
	Section section = {.from = at, .to = at, .heading_end = at, .level = level};
	if (reader->sections->len >= SECTIONS_MAX)
		return false;
	section.above = innermost(reader, level > 0 ? level : MAX_LEVEL + 1);
	g_array_append_val(reader->sections, section);
	for (unsigned i = level; level > 0 && i <= MAX_LEVEL; i++)
		reader->open[i] = SECTION_NONE;
	if (level > 0)
		reader->open[level] = reader->sections->len - 1;
	return true;
}

/* Did a page, slide or sheet begin since the last call? */
static bool take_break(SectionReader *reader, uint32_t at)
{
	const GArray *breaks = reader->doc->breaks;
	guint before = reader->next_break;
	while (reader->next_break < breaks->len &&
	        g_array_index(breaks, DocBreak, reader->next_break).offset <= at)
		reader->next_break++;
	return reader->next_break > before;
}

/* Divides a long block at white space. */
static void divide_block(SectionReader *reader, uint32_t end)
{
	const char *text = reader->doc->text->str;
	while (end - last_section(reader)->from > BLOCK_BYTES) {
		uint32_t at = last_section(reader)->from + PART_BYTES;
		while (at < end && !g_ascii_isspace(text[at]))
			at++;
		if (at == end)
			return;
		last_section(reader)->to = at;
		if (!section_begin(reader, at, 0))
			return;
	}
}

static unsigned heading_level(const DocRun *run)
{
	bool heading = run->tag >= TAG_HEADING1 && run->tag <= TAG_HEADING6;
	return heading ? run->tag - TAG_HEADING1 + 1 : 0;
}

/* Begins the section that the block asks for, if it does. */
static void read_block_start(SectionReader *reader, const DocRun *run)
{
	unsigned level = heading_level(run);
	const Section *last = reader->sections->len > 0 ? last_section(reader) : NULL;
	bool page = take_break(reader, run->offset);
	uint32_t length = last ? run->offset - last->from : 0;
	bool part = !last || length >= PART_BYTES || (page && length >= PAGE_BYTES);

	bool begun = (level > 0 || part) && section_begin(reader, run->offset, level);
	reader->in_heading = level > 0 && begun;
}

static void read_run(SectionReader *reader, const DocRun *run)
{
	if (reader->sections->len == 0 || (run->flags & DOC_RUN_BLOCK))
		read_block_start(reader, run);
	if (!reader->in_heading && run->length > BLOCK_BYTES)
		divide_block(reader, run->offset + run->length);
	Section *last = last_section(reader);
	last->to = run->offset + run->length;
	if (reader->in_heading)
		last->heading_end = last->to;
	if (run->tag == TAG_LINK)
		last->link_bytes += run->length;
}

GArray *sections_of(const Document *doc)
{
	SectionReader reader = {.doc = doc, .sections = g_array_new(FALSE, FALSE, sizeof(Section))};
	for (unsigned i = 0; i <= MAX_LEVEL; i++)
		reader.open[i] = SECTION_NONE;
	for (guint i = 0; i < doc->runs->len; i++)
		read_run(&reader, &g_array_index(doc->runs, DocRun, i));
	return reader.sections;
}

guint section_at(const GArray *sections, uint32_t at)
{
	guint low = 0, high = sections->len;
	while (low < high) {
		guint middle = (low + high) / 2;
		if (g_array_index(sections, Section, middle).from <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : 0;
}

int section_headed(const GArray *sections, guint section)
{
	const Section *at = &g_array_index(sections, Section, section);
	return at->level > 0 ? (int)section : at->above;
}

/* Appends a heading as one line. The sign of a link to the heading itself is left out. */
static void append_heading(GString *out, const char *text, size_t length)
{
	bool blank = false;
	unsigned chars = 0;
	for (const char *p = text, *end = text + length; p < end; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		if (g_unichar_isspace(c)) {
			blank = chars > 0;
			continue;
		}
		if (g_unichar_iscntrl(c) || g_unichar_type(c) == G_UNICODE_FORMAT || c == 0xb6)
			continue;
		if (chars + blank >= HEADING_MAX_CHARS) {
			g_string_append(out, "…");
			return;
		}
		if (blank)
			g_string_append_c(out, ' ');
		g_string_append_unichar(out, c);
		chars += 1 + blank;
		blank = false;
	}
}

static bool is_title(const Document *doc, const char *heading)
{
	const char *title = document_fact(doc, FIELD_TITLE);
	g_autoptr(GString) line = g_string_new(NULL);
	if (title)
		append_heading(line, title, strlen(title));
	return title && strcmp(line->str, heading) == 0;
}

char *section_path(const Document *doc, const GArray *sections, guint section)
{
	int chain[MAX_LEVEL], n = 0;
	g_autoptr(GString) path = g_string_new(NULL);

	for (int at = section_headed(sections, section); at != SECTION_NONE && n < MAX_LEVEL;
	        at = g_array_index(sections, Section, at).above)
		chain[n++] = at;
	for (int i = n - 1; i >= 0; i--) {
		const Section *at = &g_array_index(sections, Section, chain[i]);
		g_autoptr(GString) heading = g_string_new(NULL);
		append_heading(heading, doc->text->str + at->from, at->heading_end - at->from);
		if (heading->len == 0 || (path->len == 0 && is_title(doc, heading->str)))
			continue;
		g_string_append_printf(path, "%s%s", path->len > 0 ? " › " : "", heading->str);
	}
	return path->len > 0 ? g_string_free(g_steal_pointer(&path), FALSE) : NULL;
}

const DocBreak *section_page(const Document *doc, uint32_t at)
{
	guint low = 0, high = doc->breaks->len;
	while (low < high) {
		guint middle = (low + high) / 2;
		if (g_array_index(doc->breaks, DocBreak, middle).offset <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &g_array_index(doc->breaks, DocBreak, low - 1) : NULL;
}
