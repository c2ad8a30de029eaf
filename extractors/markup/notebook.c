/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notebook.c - Jupyter notebooks (nbformat 3 and 4): the texts of cells, not the keys and settings
 * around them, nor tags of HTML in prose and output */
#include <config.h>
#include "extractors/markup/json.h"
#include <string.h>

/* Is the value after this key none that the notebook shows? */
static bool notebook_hides(const GString *key)
{
	static const char *const names[] = {
	        "metadata", "cell_type", "output_type", "id", "name", "language", "mimetype", NULL};
	return g_strv_contains(names, key->str) || g_str_has_prefix(key->str, "application/vnd.");
}

/* Skips a run without strings. Lines of the file are lines of the text. */
static void notebook_skip_run(Markup *m)
{
	const char *quote = memchr(m->at, '"', m->end - m->at), *to = quote ? quote : m->end;
	if (m->block->len > 0 && memchr(m->at, '\n', to - m->at))
		markup_add(m, "\n", 1);
	m->at = to;
}

/* A table of pandas is also there as plain text. */
static bool notebook_is_table(const Markup *m, const GString *key)
{
	enum { HEAD_BYTES = 200 };
	static const char mark[] = "<style scoped>";
	return strcmp(key->str, "text/html") == 0 &&
	       memmem(m->at, MIN((size_t)(m->end - m->at), (size_t)HEAD_BYTES), mark, strlen(mark));
}

/* The value of an attribute; NULL: the tag has none. */
static const char *notebook_attribute(
        const char *tag, size_t length, const char *name, size_t *length_r)
{
	size_t n = strlen(name);
	const char *at = memmem(tag, length, name, n), *value = at ? at + n + 1 : NULL;
	if (!at || value >= tag + length || !g_ascii_isspace(at[-1]) || !strchr("\"'", at[n]))
		return NULL;
	const char *close = memchr(value, at[n], tag + length - value);
	*length_r = close ? close - value : 0;
	return close ? value : NULL;
}

/* Keeps the address of a link and the text that stands for a picture. */
static void notebook_take_tag(Markup *m, GString *out, const char *tag, size_t length)
{
	size_t n;
	const char *address = notebook_attribute(tag, length, "href=", &n);
	if (address)
		markup_address(m, address, n);
	const char *text = notebook_attribute(tag, length, "alt=", &n);
	if (!markup_is_inner_tag(tag))
		g_string_append_c(out, ' ');
	if (text)
		g_string_append_len(out, text, n);
}

static void notebook_strip_tags(Markup *m, GString *string)
{
	g_autoptr(GString) out = g_string_sized_new(string->len);
	for (const char *at = string->str, *end = at + string->len; at < end;) {
		size_t tag = *at == '<' ? markup_tag_length(at, end) : 0;
		size_t entity = *at == '&' ? markup_add_entity(out, at, end) : 0;
		if (tag > 0)
			notebook_take_tag(m, out, at, tag);
		else if (entity == 0)
			g_string_append_c(out, *at);
		at += MAX(tag + entity, 1);
	}
	g_string_assign(string, out->str);
}

/* html_r: are the strings after the key HTML? */
static void notebook_take_key(Markup *m, const GString *key, bool *is_prose_r, bool *html_r)
{
	*html_r = strcmp(key->str, "text/html") == 0;
	static const char prose[] = "\"markdown\"";
	if (strcmp(key->str, "cell_type") == 0) {
		markup_flush(m, TAG_BODY);
		const char *value = memchr(m->at, '"', m->end - m->at);
		*is_prose_r = value && (size_t)(m->end - value) > strlen(prose) &&
		              memcmp(value, prose, strlen(prose)) == 0;
		json_skip_any(m);
	} else if (notebook_hides(key) || notebook_is_table(m, key)) {
		json_skip_any(m);
	} else if (json_names_bytes(key)) {
		json_skip_value(m);
	}
}

/* A heading of Markdown is the first line of a string. */
static void notebook_put_prose(Markup *m, GString *string)
{
	notebook_strip_tags(m, string);
	markup_join_word(string, "**", "**", true);
	markup_join_word(string, "~~", "~~", true);
	markup_join_word(string, "*", "*", false);
	size_t level = strspn(string->str, "#");
	if (level > 0 && level <= 6 && string->str[level] == ' ') {
		size_t length = strcspn(string->str, "\n\v");
		markup_heading(m, level, string->str + level + 1, length - level - 1);
		g_string_erase(string, 0, length);
	}
	json_put_string(m, string);
}

static void notebook_put_output(Markup *m, GString *string, bool is_html)
{
	if (is_html)
		notebook_strip_tags(m, string);
	json_put_string(m, string);
}

void notebook_read(Markup *m)
{
	g_autoptr(GString) string = g_string_new(NULL);
	bool is_prose = false, is_html = false;
	while (m->at < m->end && !m->full) {
		if (*m->at != '"') {
			notebook_skip_run(m);
			continue;
		}
		g_string_set_size(string, 0);
		m->at = json_read_string(string, m->at + 1, m->end);
		if (json_is_key(m))
			notebook_take_key(m, string, &is_prose, &is_html);
		else if (is_prose)
			notebook_put_prose(m, string);
		else
			notebook_put_output(m, string, is_html);
	}
}
