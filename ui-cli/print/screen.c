/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/screen.h"
#include "ui-cli/print/terminal-charset.h"
#include "ui-cli/print/text-fold.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH_UNKNOWN = 80, WIDTH_TEXT_MIN = 16 };

static const char *const styles[N_STYLES] = {
        [STYLE_TITLE] = "\033[1m",
        [STYLE_PATH] = "\033[36m",
        [STYLE_DIM] = "\033[2m",
        [STYLE_MARK] = "\033[1;33m",
        [STYLE_GOOD] = "\033[32m",
        [STYLE_BAD] = "\033[31m",
};

static unsigned terminal_width(int fd)
{
	struct winsize size;
	const char *columns = g_getenv("COLUMNS");
	guint64 width;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	if (columns && g_ascii_string_to_unsigned(columns, 10, 1, 10000, &width, NULL))
		return (unsigned)width;
	return WIDTH_UNKNOWN;
}

static bool is_dumb(void)
{
	const char *term = g_getenv("TERM");
	return !term || !*term || strcmp(term, "dumb") == 0;
}

static bool wants_color(bool terminal, ColorMode mode)
{
	const char *no_color = g_getenv("NO_COLOR");
	if (mode != COLOR_AUTO)
		return mode == COLOR_ALWAYS;
	return terminal && !(no_color && *no_color) && !is_dumb();
}

void screen_init(Screen *screen, FILE *file, ColorMode mode)
{
	bool terminal = isatty(fileno(file)) == 1;
	screen->file = file;
	screen->exact = false;
	screen->recoded = terminal && !g_get_charset(NULL);
	screen->terminal = terminal || mode == COLOR_ALWAYS;
	screen->color = wants_color(terminal, mode);
	screen_resize(screen);
}

void screen_resize(Screen *screen)
{
	screen->width = screen->terminal ? terminal_width(fileno(screen->file)) : WIDTH_UNKNOWN;
}

bool screen_redraws(const Screen *screen)
{
	return isatty(fileno(screen->file)) == 1 && !is_dumb();
}

void screen_set_long(Screen *screen)
{
	if (screen->terminal)
		return;
	screen->terminal = true;
	screen->width = terminal_width(STDERR_FILENO);
}

const char *screen_on(const Screen *screen, Style style)
{
	return screen->color ? styles[style] : "";
}

const char *screen_off(const Screen *screen)
{
	return screen->color ? "\033[0m" : "";
}

/* Output that does not go to a terminal may hold NUL. */
static void screen_write_text(FILE *file, const char *text, size_t length)
{
	g_autofree char *shown = isatty(fileno(file)) == 1 ? charset_text(text, length) : NULL;
	if (shown)
		fputs(shown, file);
	else
		fwrite(text, 1, length, file);
}

void screen_write(FILE *file, const char *text)
{
	screen_write_text(file, text, strlen(text));
}

void screen_put(const Screen *screen, GString *text)
{
	if (screen->exact)
		fwrite(text->str, 1, text->len, screen->file);
	else
		screen_write_text(screen->file, text->str, text->len);
	g_string_truncate(text, 0);
}

void screen_put_now(const Screen *screen, GString *text)
{
	screen_put(screen, text);
	fflush(screen->file);
}

char *screen_escaped(const char *bytes)
{
	GString *out = g_string_new(NULL);
	text_append_escaped(out, bytes, -1);
	return g_string_free(out, FALSE);
}

void screen_append(const Screen *screen, GString *out, Style style, const char *bytes)
{
	g_string_append(out, screen_on(screen, style));
	text_append_escaped(out, bytes, -1);
	g_string_append(out, screen_off(screen));
}

/* The target of a link: a path with the host, a URL as it is. NULL: none. The caller frees it. */
static char *screen_uri(const char *target)
{
	if (!path_is_web(target))
		return g_filename_to_uri(target, g_get_host_name(), NULL);
	for (const char *s = target; *s; s++)
		if (*s <= ' ' || *s > '~')
			return NULL; /* it is in no canonical form, and may control the terminal */
	return g_strdup(target);
}

/* The format of OSC 8 links: https://gist.github.com/egmontob/eb114294efbcd5adb1944c9f3cb5feda. The
 * URI is percent-encoded and includes the host. */
void screen_append_link(
        const Screen *screen, GString *out, Style style, const char *bytes, const char *target)
{
	g_autofree char *uri = screen->color && target ? screen_uri(target) : NULL;
	if (uri)
		g_string_append_printf(out, "\033]8;;%s\033\\", uri);
	if (!screen->recoded || screen->exact) {
		screen_append(screen, out, style, bytes);
	} else {
		g_autofree char *escaped = screen_escaped(bytes);
		g_autofree char *name = charset_name(escaped);
		g_string_append_printf(
		        out, "%s%s%s", screen_on(screen, style), name, screen_off(screen));
	}
	if (uri)
		g_string_append(out, "\033]8;;\033\\");
}

static unsigned screen_text_width(const Screen *screen, unsigned indent)
{
	return screen->width > indent + WIDTH_TEXT_MIN ? screen->width - indent : WIDTH_TEXT_MIN;
}

/* Number of bytes up to the last of these signs whose text, with it, has at most so many cells; 0:
 * there is none. */
static size_t path_break(const char *path, const char *signs, unsigned cells)
{
	size_t best = 0;
	for (size_t i = 0; path[i] && path[i + 1]; i++) {
		if (!strchr(signs, path[i]))
			continue;
		g_autofree char *part = g_strndup(path, i + 1);
		g_autofree char *escaped = screen_escaped(part);
		if (text_cells(escaped, strlen(escaped)) > cells)
			break;
		best = i + 1;
	}
	return best;
}

/* Number of bytes of a path that stand on a line. */
static size_t path_line_length(const char *path, unsigned cells)
{
	g_autofree char *escaped = screen_escaped(path);
	if (text_cells(escaped, strlen(escaped)) <= cells)
		return strlen(path);
	size_t length = path_break(path + 1, "/", cells - 1);
	if (length > 0)
		return length + 1;
	length = path_break(path, "| ", cells);
	if (length > 0)
		return length;
	length = strcspn(path + 1, "/| ") + 2;
	return MIN(length, strlen(path));
}

void screen_append_path(
        const Screen *screen, GString *out, const char *path, const char *target, unsigned indent)
{
	unsigned cells = screen_text_width(screen, indent);
	while (*path) {
		size_t length = path_line_length(path, cells);
		g_autofree char *part = g_strndup(path, length);
		g_string_append_printf(out, "%*s", (int)indent, "");
		screen_append_link(screen, out, STYLE_PATH, part, target);
		g_string_append_c(out, '\n');
		path += length;
	}
}

/* Appends text[start, end) with its marks. */
static void append_marked(
        const Screen *screen, GString *out, const FoldText *escaped, size_t start, size_t end)
{
	size_t position = start;

	for (guint i = 0; i + 1 < escaped->marks->len; i += 2) {
		size_t from = g_array_index(escaped->marks, uint32_t, i);
		size_t to = g_array_index(escaped->marks, uint32_t, i + 1);
		from = MAX(from, position);
		to = MIN(to, end);
		if (from >= to)
			continue;
		g_string_append_len(out, escaped->text->str + position, from - position);
		g_string_append(out, screen_on(screen, STYLE_MARK));
		g_string_append_len(out, escaped->text->str + from, to - from);
		g_string_append(out, screen_off(screen));
		position = to;
	}
	g_string_append_len(out, escaped->text->str + position, end - position);
}

void screen_append_folded(const Screen *screen, GString *out, const char *text, const GArray *marks,
        unsigned indent, unsigned max_lines)
{
	unsigned width = screen_text_width(screen, indent);
	FoldText escaped;
	size_t start = 0;

	fold_text_init(&escaped, text, marks);
	for (unsigned line = 1; line <= max_lines && start < escaped.text->len; line++) {
		bool last = line == max_lines;
		size_t end = fold_line_end(escaped.text, start, last ? width - 1 : width);
		size_t shown = end;
		while (shown > start && escaped.text->str[shown - 1] == ' ')
			shown--;
		g_string_append_printf(out, "%*s", (int)indent, "");
		append_marked(screen, out, &escaped, start, shown);
		g_string_append(out, last && end < escaped.text->len ? "…\n" : "\n");
		start = end;
	}
	fold_text_clear(&escaped);
}

void screen_append_styled(
        const Screen *screen, GString *out, Style style, const char *text, unsigned indent)
{
	g_string_append(out, screen_on(screen, style));
	screen_append_folded(screen, out, text, NULL, indent, G_MAXUINT);
	g_string_insert(out, (gssize)out->len - 1, screen_off(screen));
}

char *screen_time(int64_t seconds)
{
	time_t when = seconds;
	struct tm parts;
	char buffer[64];

	if (!localtime_r(&when, &parts) ||
	        strftime(buffer, sizeof(buffer), "%Y-%m-%d %H:%M", &parts) == 0)
		return g_strdup("?");
	return g_strdup(buffer);
}
