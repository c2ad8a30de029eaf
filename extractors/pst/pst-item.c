/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/pst/pst-item.h"
#include "extractors/pst/pst-eml.h"
#include "extractors/shared/contactfields.h"
#include <string.h>

enum {
	P_SUBJECT = 0x0037,
	P_SENDER = 0x0c1a,
	P_SENDER_ADDRESS = 0x0c1f,
	P_SENDER_SMTP = 0x5d01,
	P_TO = 0x0e04,
	P_CC = 0x0e03,
	P_MESSAGE_ID = 0x1035,
	MAX_BODY = 32 << 20,
	MAX_TEXT = 1 << 20,
};

char *item_text(libpff_item_t *item, unsigned property)
{
	size_t size = 0;
	if (libpff_message_get_entry_value_utf8_string_size(item, property, &size, NULL) != 1 ||
	        size < 2 || size > MAX_TEXT)
		return NULL;
	char *text = g_malloc0(size + 1);
	if (libpff_message_get_entry_value_utf8_string(
	            item, property, (uint8_t *)text, size, NULL) == 1 &&
	        *text)
		return text;
	g_free(text);
	return NULL;
}

/* A subject may begin with byte 1 and the length of its prefix. */
static const char *strip_subject_prefix_mark(const char *subject)
{
	return subject && subject[0] == 1 && subject[1] ? subject + 2 : subject;
}

static void put_headers(libpff_item_t *item, GString *out)
{
	g_autofree char *subject = item_text(item, P_SUBJECT), *to = item_text(item, P_TO),
	                *cc = item_text(item, P_CC), *sender = item_text(item, P_SENDER),
	                *address = item_text(item, P_SENDER_SMTP),
	                *id = item_text(item, P_MESSAGE_ID);
	uint64_t sent = 0, delivered = 0;
	if (!address)
		address = item_text(item, P_SENDER_ADDRESS);
	eml_text(out, "Subject", strip_subject_prefix_mark(subject));
	eml_person(out, sender, address, "From");
	eml_text(out, "To", to);
	eml_text(out, "Cc", cc);
	eml_id(out, id);
	if (libpff_message_get_client_submit_time(item, &sent, NULL) == 1 && sent != 0)
		eml_date(out, sent);
	else if (libpff_message_get_delivery_time(item, &delivered, NULL) == 1)
		eml_date(out, delivered);
}

typedef int (*TextSizeFunc)(libpff_item_t *item, size_t *size, libpff_error_t **error);
typedef int (*ReadTextFunc)(
        libpff_item_t *item, uint8_t *text, size_t size, libpff_error_t **error);

static bool pst_put_body(libpff_item_t *item, const char *type, TextSizeFunc size_of,
        ReadTextFunc read, GString *out)
{
	size_t size = 0;
	if (size_of(item, &size, NULL) != 1 || size < 2 || size > MAX_BODY)
		return false;
	g_autofree uint8_t *body = g_malloc0(size + 1);
	if (read(item, body, size, NULL) != 1)
		return false;
	eml_body(out, type, body, strlen((const char *)body));
	return true;
}

static void put_line(libpff_item_t *item, unsigned property, GString *lines)
{
	g_autofree char *text = item_text(item, property);
	if (text)
		g_string_append_printf(lines, "%s\n", text);
}

/* Puts what a contact or appointment has beside its body. Returns true if there is anything. */
static bool put_texts(libpff_item_t *item, GString *out)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(contact_fields); i++)
		put_line(item, contact_fields[i], lines);
	for (size_t i = 0; i < G_N_ELEMENTS(contact_mails); i++)
		put_line(item, contact_mails[i], lines);
	put_line(item, LIBPFF_ENTRY_TYPE_APPOINTMENT_LOCATION, lines);
	if (lines->len > 0)
		eml_text_part(out, lines->str, lines->len);
	return lines->len > 0;
}

GString *item_message(libpff_item_t *item)
{
	GString *out = g_string_new(NULL);
	put_headers(item, out);
	bool has_headers = out->len > 0, has_texts = put_texts(item, out);
	bool has_body = pst_put_body(item, "text/plain; charset=utf-8",
	                        libpff_message_get_plain_text_body_size,
	                        libpff_message_get_plain_text_body, out) ||
	                pst_put_body(item, "text/html", libpff_message_get_html_body_size,
	                        libpff_message_get_html_body, out) ||
	                pst_put_body(item, "application/rtf", libpff_message_get_rtf_body_size,
	                        libpff_message_get_rtf_body, out);
	if (!has_body && !has_texts)
		eml_body(out, "text/plain; charset=utf-8", NULL, 0);
	if (has_headers || has_texts || has_body)
		return out;
	g_string_free(out, TRUE);
	return NULL;
}
