/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/print.h"
#include "common/sandbox/converter.h"
#include "common/base/text.h"
#include <string.h>

static void print_append(GString *line, const uint8_t *bytes, size_t length)
{
	g_string_append_c(line, '"');
	text_append_escaped(line, (const char *)bytes, length);
	g_string_append_c(line, '"');
}

static void print_append_document(GString *line, const WireFrame *frame)
{
	int64_t numbers[2] = {0};
	if (frame->length < sizeof numbers)
		return;
	memcpy(numbers, frame->bytes, sizeof numbers);
	g_string_append_printf(line, "DOC %" G_GINT64_FORMAT " bytes ", numbers[0]);
	print_append(line, frame->bytes + sizeof numbers, frame->length - sizeof numbers);
}

static void append_type(GString *line, const WireFrame *frame)
{
	uint32_t version = 0;
	if (frame->length < sizeof version)
		return;
	memcpy(&version, frame->bytes, sizeof version);
	g_string_append_printf(line, "TYPE version %u ", version);
	print_append(line, frame->bytes + sizeof version, frame->length - sizeof version);
}

static void append_break(GString *line, const WireFrame *frame)
{
	uint32_t number = 0;
	if (frame->length < sizeof number || frame->a >= N_BREAKS)
		return;
	memcpy(&number, frame->bytes, sizeof number);
	g_string_append_printf(line, "BREAK %s %u ", document_break_name(frame->a), number);
	print_append(line, frame->bytes + sizeof number, frame->length - sizeof number);
}

static void append_link(GString *line, const WireFrame *frame)
{
	size_t href = MIN(frame->b, frame->length);
	unsigned kind = frame->a & 0xf;
	g_string_append(line, "LINK ");
	if (kind != LINK_ANCHOR)
		g_string_append_printf(
		        line, "%s ", kind < N_LINK_KINDS ? document_link_name(kind) : "?");
	if (frame->a >> 4 & DOC_LINK_NOFOLLOW)
		g_string_append(line, "nofollow ");
	print_append(line, frame->bytes, href);
	g_string_append_c(line, ' ');
	print_append(line, frame->bytes + href, frame->length - href);
}

static void append_end(GString *line, const WireFrame *frame)
{
	unsigned reason = frame->b & 0x7fff;
	g_string_append_printf(line, "END %s %s%s ",
	        frame->a < N_STATES ? document_state_name(frame->a) : "?",
	        reason < N_REASONS ? document_reason_name(reason) : "?",
	        frame->b & 0x8000 ? " truncated" : "");
	print_append(line, frame->bytes, frame->length);
}

/* The size, and the sum of the pixels. */
static void append_picture(GString *line, const WireFrame *frame)
{
	WirePicture head = {0};
	memcpy(&head, frame->bytes, MIN(frame->length, sizeof head));
	g_autofree char *sum =
	        g_compute_checksum_for_data(G_CHECKSUM_SHA256, frame->bytes, frame->length);
	g_string_append_printf(line, "PICTURE %ux%u %s", head.width, head.height, sum);
}

static void append_frame(GString *line, const WireFrame *frame)
{
	switch (frame->kind) {
	case WIRE_DOC:
		print_append_document(line, frame);
		break;
	case WIRE_TYPE:
		append_type(line, frame);
		break;
	case WIRE_FIELD:
		g_string_append_printf(line, "FIELD %s ",
		        frame->a < N_FIELDS ? document_field_name(frame->a) : "?");
		print_append(line, frame->bytes, frame->length);
		break;
	case WIRE_TEXT:
		g_string_append_printf(line, "TEXT %s%s ",
		        frame->a < N_TAGS ? document_tag_name(frame->a) : "?",
		        frame->b & DOC_RUN_BLOCK ? " block" : "");
		print_append(line, frame->bytes, frame->length);
		break;
	case WIRE_BREAK:
		append_break(line, frame);
		break;
	case WIRE_LINK:
		append_link(line, frame);
		break;
	case WIRE_END:
		append_end(line, frame);
		break;
	case WIRE_PICTURE:
		append_picture(line, frame);
		break;
	case WIRE_OTHER_LANE:
		g_string_append_printf(line, "OTHER_LANE %u", frame->a);
		break;
	default:
		break;
	}
}

void print_frame(FILE *file, const WireFrame *frame, unsigned *depth)
{
	g_autoptr(GString) line = g_string_new(NULL);
	if (frame->kind == WIRE_END && *depth > 0)
		(*depth)--;
	append_frame(line, frame);
	if (line->len > 0)
		fprintf(file, "%*s%s\n", (int)*depth * 2, "", line->str);
	if (frame->kind == WIRE_DOC)
		(*depth)++;
}
