/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/target-output.h"
#include "common/base/i18n.h"
#include "index/read/reader-contents.h"
#include "ui-cli/app/hang-up.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>
#include <unistd.h>

typedef struct {
	Cli *cli;
	int64_t since;
	int64_t after; /* the last content of the whole stream; -1: there is none under way */
} OutputTarget;

static OutputTarget *output_of(ExportTarget *target)
{
	return (OutputTarget *)target;
}

ExportTarget *export_output_new(Cli *cli, int64_t since)
{
	OutputTarget *target = g_new0(OutputTarget, 1);
	target->cli = cli;
	target->since = since;
	target->after = -1;
	return (ExportTarget *)target;
}

static void export_output_close(ExportTarget *target)
{
	g_free(target);
}

static bool export_output_begin(
        ExportTarget *target, const ExportSource *source, int64_t *seq_r, GError **error)
{
	*seq_r = output_of(target)->since;
	return true;
}

static bool export_output_see(ExportTarget *target, const char *line, GError **error)
{
	return true;
}

/* Nobody knows what the reader has, so everything is written. */
static bool export_output_compare(ExportTarget *target, ExportDifferences *out, GError **error)
{
	g_autoptr(GString) line = g_string_new("{\"type\":\"all\"}\n");
	output_of(target)->after = 0;
	screen_put_now(&output_of(target)->cli->out, line);
	return true;
}

static int export_output_next(ExportTarget *output, int64_t *content_r, GError **error)
{
	OutputTarget *target = output_of(output);
	ContentRow row;
	if (target->after < 0)
		return 0;
	int found = reader_next_content(target->cli->reader, target->after, &row, NULL, error);
	*content_r = target->after = found > 0 ? row.content : -1;
	return found;
}

static bool export_output_is_read(const OutputTarget *target, GError **error)
{
	if (!ferror(target->cli->out.file) && !hang_up_wait(STDOUT_FILENO, 0))
		return true;
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
	        _("nobody reads the output any more"));
	return false;
}

static bool export_output_change(
        ExportTarget *target, const GPtrArray *lines, GArray *missing, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);
	for (guint i = 0; i < lines->len; i++) {
		const char *line = lines->pdata[i], *number = strchr(line, ':');
		int64_t content = number ? g_ascii_strtoll(number + 1, NULL, 10) : 0;
		g_string_append_printf(out, "{\"type\":\"content\",%s", line + 1);
		g_array_append_val(missing, content);
	}
	screen_put_now(&output_of(target)->cli->out, out);
	return export_output_is_read(output_of(target), error);
}

static bool export_output_put(
        ExportTarget *target, int64_t document, const char *line, GError **error)
{
	g_autoptr(GString) out = g_string_new(line);
	screen_put(&output_of(target)->cli->out, out);
	return export_output_is_read(output_of(target), error);
}

static uint64_t export_output_refused(const ExportTarget *target)
{
	return 0;
}

static bool export_output_end(ExportTarget *target, int64_t seq, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);
	json_open(out, NULL, '{');
	json_text(out, "type", "reached");
	json_int(out, "seq", seq);
	json_close(out, '}');
	g_string_append_c(out, '\n');
	screen_put_now(&output_of(target)->cli->out, out);
	return export_output_is_read(output_of(target), error);
}

const ExportTargetFunctions export_output = {
        .version = EXPORT_TARGET_VERSION,
        .begin = export_output_begin,
        .close = export_output_close,
        .see = export_output_see,
        .compare = export_output_compare,
        .change = export_output_change,
        .next_missing = export_output_next,
        .put = export_output_put,
        .refused = export_output_refused,
        .end = export_output_end,
};
