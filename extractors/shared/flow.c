/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/flow.h"
#include <string.h>

enum { RUN_BYTES = 32 << 10, INSET_BYTES = 1 << 20, ANCHOR_BYTES = 4 << 10 };

typedef struct {
	size_t offset;
	DocTag tag;
} InsetMark;

typedef struct {
	DocTag tag;
	int inline_tag;
	bool pending, space;
} InsetOuter;

void flow_init(Flow *flow, Sink *sink)
{
	*flow = (Flow){.sink = sink, .tag = TAG_BODY, .inline_tag = -1, .pending = true};
	flow->run = g_string_sized_new(1024);
	flow->inset = g_string_new(NULL);
	flow->inset_marks = g_array_new(FALSE, FALSE, sizeof(InsetMark));
	flow->inset_stack = g_array_new(FALSE, FALSE, sizeof(InsetOuter));
	flow->anchor = g_string_new(NULL);
}

static bool is_inset(const Flow *flow)
{
	return flow->inset_stack->len > 0;
}

static void flush_run(Flow *flow)
{
	if (flow->run->len > 0 && !flow->full)
		flow->full = !sink_text(flow->sink, flow->run_tag, flow->run->str, flow->run->len);
	g_string_truncate(flow->run, 0);
}

static void send_insets(Flow *flow)
{
	GArray *marks = flow->inset_marks;
	for (guint i = 0; i < marks->len && !flow->full; i++) {
		const InsetMark *mark = &g_array_index(marks, InsetMark, i);
		size_t end = i + 1 < marks->len ? g_array_index(marks, InsetMark, i + 1).offset
		                                : flow->inset->len;
		flow->full = !sink_block(flow->sink, mark->tag) ||
		             !sink_text(flow->sink, mark->tag, flow->inset->str + mark->offset,
		                     end - mark->offset);
	}
	g_array_set_size(marks, 0);
	g_string_truncate(flow->inset, 0);
}

static void flow_end_block(Flow *flow)
{
	flush_run(flow);
	send_insets(flow);
}

void flow_finish(Flow *flow)
{
	flow_end_block(flow);
	g_string_free(flow->run, TRUE);
	g_string_free(flow->inset, TRUE);
	g_string_free(flow->anchor, TRUE);
	g_array_unref(flow->inset_marks);
	g_array_unref(flow->inset_stack);
	g_free(flow->href);
}

void flow_block(Flow *flow, DocTag tag)
{
	if (!is_inset(flow))
		flow_end_block(flow);
	flow->tag = tag;
	flow->inline_tag = -1;
	flow->pending = true;
	flow->space = false;
}

void flow_retag(Flow *flow, DocTag tag)
{
	if (flow->pending)
		flow->tag = tag;
}

/* White space between two runs belongs to the first one. */
static void flow_end_run(Flow *flow)
{
	if (flow->space)
		g_string_append_c(flow->run, ' ');
	flush_run(flow);
	if (flow->space && flow->anchor->len > 0)
		g_string_append_c(flow->anchor, ' ');
	flow->space = false;
}

static DocTag run_tag(const Flow *flow)
{
	bool plain = flow->tag == TAG_BODY || flow->tag == TAG_TABLE;
	return plain && flow->inline_tag >= 0 ? (DocTag)flow->inline_tag : flow->tag;
}

/* Returns the string for the next text, after opening its block; NULL if the sink is full. */
static GString *open_run(Flow *flow)
{
	flow->any = true;
	if (is_inset(flow)) {
		InsetMark mark = {flow->inset->len, flow->tag};
		if (flow->pending)
			g_array_append_val(flow->inset_marks, mark);
		flow->pending = false;
		return flow->inset;
	}
	DocTag tag = run_tag(flow);
	if (flow->pending && flow->anchor->len > 0)
		g_string_append_c(flow->anchor, ' ');
	if (flow->pending)
		flow->full = !sink_block(flow->sink, flow->tag);
	else if (tag != flow->run_tag || flow->run->len >= RUN_BYTES)
		flow_end_run(flow);
	flow->pending = false;
	flow->run_tag = tag;
	return flow->full ? NULL : flow->run;
}

static bool flow_is_white(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static void put_word(Flow *flow, GString *run, const char *word, size_t length)
{
	g_string_append_len(run, word, length);
	bool is_start = flow->anchor->len == 0 && *word == ' ';
	if (flow->href && !is_start && flow->anchor->len + length < ANCHOR_BYTES)
		g_string_append_len(flow->anchor, word, length);
}

/* Sends the insets early because they have grown too long. The interrupted text continues in a new
 * block. */
static void flow_send_insets_early(Flow *flow)
{
	flow_end_block(flow);
	flow->pending = true;
	for (guint i = 0; i < flow->inset_stack->len; i++)
		g_array_index(flow->inset_stack, InsetOuter, i).pending = true;
}

bool flow_text(Flow *flow, const char *text, size_t length)
{
	for (size_t i = 0; i < length && !flow->full;) {
		size_t begin = i;
		while (i < length && flow_is_white(text[i]))
			i++;
		if (i > begin)
			flow_space(flow);
		for (begin = i; i < length && !flow_is_white(text[i]);)
			i++;
		GString *run = i > begin ? open_run(flow) : NULL;
		if (!run)
			continue;
		if (flow->space)
			put_word(flow, run, " ", 1);
		flow->space = false;
		put_word(flow, run, text + begin, i - begin);
	}
	if (flow->inset->len > INSET_BYTES)
		flow_send_insets_early(flow);
	return !flow->full;
}

void flow_space(Flow *flow)
{
	flow->space = !flow->pending;
}

void flow_inline(Flow *flow, int tag)
{
	flow->inline_tag = tag;
}

bool flow_line(Flow *flow, DocTag tag, const char *text, ssize_t length)
{
	flow_block(flow, tag);
	flow_text(flow, text, length < 0 ? strlen(text) : (size_t)length);
	flow_block(flow, TAG_BODY);
	return !flow->full;
}

void flow_inset(Flow *flow, DocTag tag)
{
	InsetOuter outer = {flow->tag, flow->inline_tag, flow->pending, flow->space};
	g_array_append_val(flow->inset_stack, outer);
	flow->tag = tag;
	flow->inline_tag = -1;
	flow->pending = true;
	flow->space = false;
}

void flow_inset_end(Flow *flow)
{
	GArray *stack = flow->inset_stack;
	if (stack->len == 0)
		return;
	const InsetOuter *outer = &g_array_index(stack, InsetOuter, stack->len - 1);
	flow->tag = outer->tag;
	flow->inline_tag = outer->inline_tag;
	/* Text of an outer inset after an inner one needs a block of its own, or it would join the
	 * inner one. */
	flow->pending = outer->pending || stack->len > 1;
	flow->space = outer->space;
	g_array_set_size(stack, stack->len - 1);
}

void flow_inset_text(Flow *flow, DocTag tag, const char *text)
{
	if (!text)
		return;
	flow_inset(flow, tag);
	flow_text(flow, text, strlen(text));
	flow_inset_end(flow);
}

void flow_link(Flow *flow, char *href)
{
	flow_link_end(flow);
	flow->href = href;
	if (href && flow->inline_tag < 0)
		flow->inline_tag = TAG_LINK;
}

void flow_link_end(Flow *flow)
{
	if (!flow->href)
		return;
	if (!flow->full && *flow->href)
		flow->full = !sink_link(flow->sink, flow->href, flow->anchor->str);
	g_clear_pointer(&flow->href, g_free);
	g_string_truncate(flow->anchor, 0);
	if (flow->inline_tag == TAG_LINK)
		flow->inline_tag = -1;
}

bool flow_break(Flow *flow, DocBreakKind kind, unsigned number, const char *label)
{
	flow_end_block(flow);
	flow->pending = true;
	flow->space = false;
	flow->full = flow->full || !sink_break(flow->sink, kind, number, label);
	return !flow->full;
}

bool flow_sheet(Flow *flow, unsigned number, const char *name)
{
	if (!flow_break(flow, BREAK_SHEET, number, name))
		return false;
	return !name || flow_line(flow, TAG_CAPTION, name, -1);
}
