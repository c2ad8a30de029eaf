/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/web.h"
#include "common/base/text.h"

enum { LINE_BYTES = 1 << 20, PUT_BYTES = 64 << 10 };

/* False at the end of the input. */
static bool web_read_line(FILE *in, GString *line)
{
	int c;

	g_string_truncate(line, 0);
	while ((c = getc_unlocked(in)) != EOF && c != '\n') {
		if (line->len < LINE_BYTES)
			g_string_append_c(line, c);
	}
	if (line->len > 0 && line->str[line->len - 1] == '\r')
		g_string_truncate(line, line->len - 1);
	return c != EOF || line->len > 0;
}

void web_each_line(Cli *cli, FILE *in, WebLineFunc answer, void *data)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	bool more = true;

	while (more && web_read_line(in, line)) {
		more = answer(cli, line, out, data);
		if (cli->quiet)
			g_string_truncate(out, 0);
		else if (cli->out.terminal)
			screen_put_now(&cli->out, out);
		else if (out->len >= PUT_BYTES)
			screen_put(&cli->out, out);
	}
	screen_put(&cli->out, out);
}

void web_append(const Cli *cli, GString *out, const char *bytes, gssize length)
{
	if (cli->out.terminal)
		text_append_escaped(out, bytes, length);
	else if (length < 0)
		g_string_append(out, bytes);
	else
		g_string_append_len(out, bytes, length);
}
