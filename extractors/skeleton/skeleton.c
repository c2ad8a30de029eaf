/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skeleton.c - a format to copy; docs/formats.md explains it step by step
 *
 * The format is invented. A file begins with the line "%SKELETON"; every other line is a heading
 * ("= words"), a keyword ("# word") or text. "make check" builds and fuzzes this plugin; it is
 * never installed. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include <string.h>

static const char mark[] = "%SKELETON";

/* Sends one line without its end. False: the sink is full. */
static bool skeleton_put_line(Sink *sink, const char *line, bool *is_titled)
{
	if (g_str_has_prefix(line, "# "))
		return sink_field(sink, FIELD_KEYWORD, line + 2, -1);
	if (!g_str_has_prefix(line, "= "))
		return sink_block(sink, TAG_BODY) && sink_text(sink, TAG_BODY, line, -1);
	if (!*is_titled && !sink_field(sink, FIELD_TITLE, line + 2, -1))
		return false;
	*is_titled = true;
	return sink_block(sink, TAG_HEADING1) && sink_text(sink, TAG_HEADING1, line + 2, -1);
}

static ExtractResult skeleton_extract(const Input *in, Sink *sink)
{
	bool is_titled = false, has_text = false;
	const char *charset;
	g_autofree char *text = decode_text(in->data, in->size, in->charset, NULL, &charset);
	if (!g_str_has_prefix(text, mark))
		return sink_fail(sink, REASON_DAMAGED, NULL);
	sink_field(sink, FIELD_CHARSET, charset, -1);

	char *rest = text, *line = strsep(&rest, "\n"); /* the signature */
	while ((line = strsep(&rest, "\n"))) {
		if (*g_strstrip(line) == '\0')
			continue;
		has_text = true;
		if (!skeleton_put_line(sink, line, &is_titled))
			break; /* a limit was reached: the text sent before is kept */
	}
	return has_text ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static const char *const mime_types[] = {"text/x-skeleton", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "skeleton",
        .version = 1,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = skeleton_extract,
};
