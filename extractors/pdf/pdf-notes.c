/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pdf/pdf-notes.h"
#include "common/base/time-ns.h"
#include <string.h>

enum { MAX_ATTACHMENTS = 1000 };

static bool send_note(Sink *sink, const char *text, const char *page_text)
{
	if (!text || !*text || !g_utf8_validate(text, -1, NULL) || strstr(page_text, text))
		return true;
	return sink_block(sink, TAG_COMMENT) && sink_text(sink, TAG_COMMENT, text, -1);
}

typedef struct {
	GByteArray *bytes;
	Sink *sink;
	uint64_t max;
} Attached;

static gboolean keep_bytes(const char *data, gsize size, gpointer user_data, GError **error)
{
	Attached *attached = user_data;

	if (!sink_unpacked(attached->sink, size) || attached->bytes->len + size > attached->max) {
		g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "too large");
		return FALSE;
	}
	g_byte_array_append(attached->bytes, (const guint8 *)data, size);
	return TRUE;
}

static int64_t pdf_mtime_of(PopplerAttachment *attachment)
{
	GDateTime *time = poppler_attachment_get_mtime(attachment);

	return time ? time_ns(g_date_time_to_unix(time), 0) : 0;
}

static bool send_attachment(Sink *sink, PopplerAttachment *attachment, const ExtractLimits *limits)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autoptr(GError) error = NULL;
	Attached attached = {bytes, sink, MIN(limits->unpacked_bytes, limits->memory_bytes / 4)};
	const char *name = poppler_attachment_get_name(attachment);
	SinkMember member = {
	        .name = name && *name ? name : "attachment", .mtime_ns = pdf_mtime_of(attachment)};

	if (poppler_attachment_save_to_callback(attachment, keep_bytes, &attached, &error)) {
		member.data = bytes->len > 0 ? bytes->data : (const uint8_t *)"";
		member.size = bytes->len;
	} else {
		member.size = (size_t)-1;
		member.reason = g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC)
		                        ? REASON_LIMIT_UNPACKED
		                        : REASON_DAMAGED;
	}
	return sink_member(sink, &member);
}

/* Free text and filled-in fields are usually drawn on the page, so they are in its text already. */
static bool send_annotation(
        Sink *sink, PopplerAnnot *annot, const char *page_text, const ExtractLimits *limits)
{
	switch (poppler_annot_get_annot_type(annot)) {
	case POPPLER_ANNOT_LINK:
	case POPPLER_ANNOT_WIDGET:
	case POPPLER_ANNOT_POPUP:
		return true;
	case POPPLER_ANNOT_FILE_ATTACHMENT: {
		PopplerAttachment *file = poppler_annot_file_attachment_get_attachment(
		        POPPLER_ANNOT_FILE_ATTACHMENT(annot));
		bool more = !file || send_attachment(sink, file, limits);
		g_clear_object(&file);
		return more;
	}
	default: {
		g_autofree char *contents = poppler_annot_get_contents(annot);
		return send_note(sink, contents, page_text);
	}
	}
}

static bool send_choices(Sink *sink, PopplerFormField *field, const char *page_text)
{
	int n = poppler_form_field_choice_get_n_items(field);

	for (int i = 0; i < n; i++) {
		if (!poppler_form_field_choice_is_item_selected(field, i))
			continue;
		g_autofree char *item = poppler_form_field_choice_get_item(field, i);
		if (!send_note(sink, item, page_text))
			return false;
	}
	return true;
}

static bool send_field(Sink *sink, PopplerFormField *field, const char *page_text)
{
	switch (poppler_form_field_get_field_type(field)) {
	case POPPLER_FORM_FIELD_TEXT: {
		g_autofree char *value = poppler_form_field_text_is_password(field)
		                                 ? NULL
		                                 : poppler_form_field_text_get_text(field);
		return send_note(sink, value, page_text);
	}
	case POPPLER_FORM_FIELD_CHOICE:
		return send_choices(sink, field, page_text);
	default:
		return true;
	}
}

/* A link that spans two lines is two annotations. */
static bool send_links(Sink *sink, PopplerPage *page)
{
	bool more = true;
	const char *last = "";
	GList *links = poppler_page_get_link_mapping(page);

	for (GList *i = links; i && more; i = i->next) {
		const PopplerAction *action = ((PopplerLinkMapping *)i->data)->action;
		if (!action || action->type != POPPLER_ACTION_URI || !action->uri.uri ||
		        strcmp(action->uri.uri, last) == 0)
			continue;
		last = action->uri.uri;
		more = sink_link(sink, last, NULL);
	}
	poppler_page_free_link_mapping(links);
	return more;
}

bool pdf_notes_send(
        Sink *sink, PopplerPage *page, const char *page_text, const ExtractLimits *limits)
{
	bool more = true;
	GList *annots = poppler_page_get_annot_mapping(page);
	GList *fields = poppler_page_get_form_field_mapping(page);

	for (GList *i = annots; i && more; i = i->next)
		more = send_annotation(
		        sink, ((PopplerAnnotMapping *)i->data)->annot, page_text, limits);
	for (GList *i = fields; i && more; i = i->next)
		more = send_field(sink, ((PopplerFormFieldMapping *)i->data)->field, page_text);
	poppler_page_free_annot_mapping(annots);
	poppler_page_free_form_field_mapping(fields);
	return more && send_links(sink, page);
}

bool pdf_attachments_send(Sink *sink, PopplerDocument *document, const ExtractLimits *limits)
{
	bool more = true;
	GList *files = NULL;

	if (poppler_document_get_n_attachments(document) <= MAX_ATTACHMENTS)
		files = poppler_document_get_attachments(document);
	for (GList *i = files; i && more; i = i->next)
		more = send_attachment(sink, i->data, limits);
	g_list_free_full(files, g_object_unref);
	return more;
}
