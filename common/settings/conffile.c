/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/settings/conffile.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/settings/settings.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static bool fail_file(GError **error, const char *path, const char *why)
{
	g_autofree char *shown = g_filename_display_name(path);
	g_set_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE, "%s: %s", shown, why);
	return false;
}

static bool check_file(int fd, const char *path, GError **error)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return fail_file(error, path, g_strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail_file(error, path, _("not a regular file"));
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return fail_file(error, path, _("the file belongs to another user"));
	if (st.st_mode & S_IWOTH)
		return fail_file(error, path, _("every user can write to the file; try chmod o-w"));
	if (st.st_size > CONFFILE_MAX_BYTES)
		return fail_file(error, path, _("the file is too large"));
	return true;
}

static int (*conffile_opener)(const char *path, int flags);

void conffile_open_by(int (*function)(const char *path, int flags))
{
	conffile_opener = function;
}

int conffile_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);
	if (fd >= 0 || errno != EACCES || !conffile_opener)
		return fd;
	return conffile_opener(path, flags);
}

/* Editors of other systems put it at the beginning. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Reads up to one byte more than the limit, so that a file that grows meanwhile is noticed. */
static bool conffile_read_all(int fd, GString *text)
{
	char buffer[8192];
	while (text->len <= CONFFILE_MAX_BYTES) {
		ssize_t n = read(fd, buffer, sizeof(buffer));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		g_string_append_len(text, buffer, n);
	}
	return true;
}

bool conffile_read(const char *path, GString **text_r, GError **error)
{
	*text_r = NULL;
	autofd fd = conffile_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return true;
	if (fd < 0)
		return fail_file(error, path, g_strerror(errno));
	if (!check_file(fd, path, error))
		return false;
	g_autoptr(GString) text = g_string_new(NULL);
	if (!conffile_read_all(fd, text))
		return fail_file(error, path, g_strerror(errno));
	if (text->len > CONFFILE_MAX_BYTES)
		return fail_file(error, path, _("the file is too large"));
	if (g_str_has_prefix(text->str, BYTE_ORDER_MARK))
		g_string_erase(text, 0, strlen(BYTE_ORDER_MARK));
	*text_r = g_steal_pointer(&text);
	return true;
}

static void line_clear(gpointer item)
{
	ConfLine *line = item;
	g_free(line->section);
	g_free(line->name);
	g_free(line->value);
}

/* Parses "[section]" into line->section. */
static bool parse_section(char *text, ConfLine *line)
{
	size_t length = strlen(text);
	if (length < 3 || text[length - 1] != ']')
		return false;
	g_autofree char *name = g_strndup(text + 1, length - 2);
	line->kind = CONF_SECTION;
	line->section = conffile_unescape(name, NULL);
	return line->section != NULL;
}

/* "name = value" */
static bool parse_entry(char *text, ConfLine *line)
{
	char *equals = strchr(text, '=');
	if (!equals || equals == text)
		return false;
	line->kind = CONF_ENTRY;
	line->name = g_strchomp(g_strndup(text, equals - text));
	line->value = g_strstrip(g_strdup(equals + 1));
	return *line->name != '\0';
}

static bool conffile_parse_line(
        const char *bytes, size_t length, const char *section, ConfLine *line)
{
	if (memchr(bytes, '\0', length))
		return false;
	g_autofree char *text = g_strndup(bytes, length);
	g_strstrip(text);
	if (*text == '[')
		return parse_section(text, line);
	line->section = g_strdup(section);
	if (*text == '\0' || *text == '#')
		return true;
	return section && parse_entry(text, line);
}

static char *syntax_fault(const char *path, unsigned number)
{
	g_autofree char *shown = g_filename_display_name(path);
	return g_strdup_printf(
	        _("%s:%u: expected [section], name = value or # comment"), shown, number);
}

static bool begins_section(const char *bytes, gsize length)
{
	gsize i = 0;
	while (i < length && g_ascii_isspace(bytes[i]))
		i++;
	return i < length && bytes[i] == '[';
}

GArray *conffile_parse_all(const char *path, const char *text, gsize length, GPtrArray *faults)
{
	GArray *lines = g_array_new(FALSE, TRUE, sizeof(ConfLine));
	g_array_set_clear_func(lines, line_clear);
	const char *section = NULL;
	bool skips = false; /* the header of this section is a fault */
	for (gsize offset = 0; offset < length;) {
		const char *start = text + offset;
		const char *newline = memchr(start, '\n', length - offset);
		gsize bytes = newline ? (gsize)(newline - start) : length - offset;
		bool header = begins_section(start, bytes);
		ConfLine line = {.number = lines->len + 1, .offset = offset};
		line.length = bytes + (newline != NULL);
		skips = skips && !header;
		if (!skips && !conffile_parse_line(start, bytes, section, &line)) {
			g_ptr_array_add(faults, syntax_fault(path, line.number));
			line.kind = CONF_NOTHING;
			skips = header;
		}
		g_array_append_val(lines, line);
		if (header)
			section = line.section;
		offset += line.length;
	}
	return lines;
}

GArray *conffile_parse(const char *path, const char *text, gsize length, GError **error)
{
	g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) lines = conffile_parse_all(path, text, length, faults);
	if (faults->len == 0)
		return g_steal_pointer(&lines);
	g_set_error_literal(error, SETTINGS_ERROR, SETTINGS_ERROR_SYNTAX, faults->pdata[0]);
	return NULL;
}

/* Pairs of the letter of an escape and its character. */
static const char escapes[] = "s n\nt\tr\r\\\\;;";

/* Appends one character or escape at *p to out and moves *p past it. */
static bool unescape_one(const char **p, GString *out, GError **error)
{
	if (**p != '\\') {
		g_string_append_c(out, *(*p)++);
		return true;
	}
	for (const char *pair = escapes; *pair; pair += 2) {
		if ((*p)[1] == *pair) {
			g_string_append_c(out, pair[1]);
			*p += 2;
			return true;
		}
	}
	g_set_error_literal(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE,
	        _("a backslash must be followed by s, n, t, r, ; or another backslash"));
	return false;
}

char *conffile_unescape(const char *value, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);
	while (*value) {
		if (!unescape_one(&value, out, error))
			return NULL;
	}
	return g_string_free(g_steal_pointer(&out), FALSE);
}

/* Adds the first solid bytes of the item: the rest is white space before a ";" or the end. */
static void add_item(GPtrArray *items, GString *item, size_t solid)
{
	if (solid > 0)
		g_ptr_array_add(items, g_strndup(item->str, solid));
	g_string_truncate(item, 0);
}

char **conffile_unescape_list(const char *value, GError **error)
{
	g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) item = g_string_new(NULL);
	size_t solid = 0; /* bytes of the item up to its last escape or non-space character */
	while (*value) {
		bool space = g_ascii_isspace(*value);
		if (*value == ';') {
			add_item(items, item, solid);
			solid = 0;
			value++;
		} else if (space && solid == 0) {
			value++;
		} else if (!unescape_one(&value, item, error)) {
			return NULL;
		} else if (!space) {
			solid = item->len;
		}
	}
	add_item(items, item, solid);
	g_ptr_array_add(items, NULL);
	g_ptr_array_set_free_func(items, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&items), FALSE);
}

char *conffile_escape(const char *item)
{
	GString *out = g_string_new(NULL);
	size_t length = strlen(item);
	for (size_t i = 0; i < length; i++) {
		const char *pair = escapes;
		bool edge = i == 0 || i + 1 == length;
		while (*pair && (pair[1] != item[i] || (item[i] == ' ' && !edge)))
			pair += 2;
		if (*pair)
			g_string_append_c(out, '\\');
		g_string_append_c(out, *pair ? *pair : item[i]);
	}
	return g_string_free(out, FALSE);
}
