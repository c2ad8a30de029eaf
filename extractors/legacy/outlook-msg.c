/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outlook-msg.c - a mail saved by Outlook (MS-OXMSG)
 *
 * Each property is a stream, named by its number and type. Recipients and attachments are storages.
 * The body is taken from the first form that exists: plain text, HTML, compressed RTF. */
#include <config.h>
#include "extractors/legacy/lzfu.h"
#include "extractors/legacy/legacy.h"
#include "extractors/shared/contactfields.h"
#include <stdio.h>

enum {
	P_SUBJECT = 0x0037,
	P_SENDER = 0x0c1a,
	P_SENDER_ADDRESS = 0x0c1f,
	P_SENDER_SMTP = 0x5d01,
	P_TO = 0x0e04,
	P_CC = 0x0e03,
	P_BODY = 0x1000,
	P_RTF = 0x1009,
	P_HTML = 0x1013,
	P_MESSAGE_ID = 0x1035,
	P_NAME = 0x3001,
	P_ADDRESS = 0x3003,
	P_SMTP = 0x39fe,
	P_DATA = 0x3701,
	P_SHORT_NAME = 0x3704,
	P_LONG_NAME = 0x3707,
	P_MIME = 0x370e,
	P_CODE_PAGE = 0x3ffd,
	P_INTERNET_CODE_PAGE = 0x3fde,
	P_SUBMITTED = 0x0039,
	P_DELIVERED = 0x0e06,
	P_RECIPIENT_TYPE = 0x0c15,
	P_FIRST_NAMED = 0x8000,
	P_LOCATION = 0x8208, /* of an appointment: its number in MS-OXPROPS */
};

enum { TYPE_STRING8 = 0x1e, TYPE_UNICODE = 0x1f, TYPE_BINARY = 0x102, TYPE_OBJECT = 0x0d };
enum { NAMED_BYTES = 8, NAMED_BY_TEXT = 1 };
enum { MAX_DEPTH = 5, ROOT_HEADER = 32, INNER_HEADER = 24, OTHER_HEADER = 8, PROPERTY_BYTES = 16 };

typedef struct {
	Ole *ole;
	GsfInfile *storage;
	unsigned depth;
	const Charset *charset;
	Bytes named; /* of the file: 8 bytes for each property whose number differs between files */
	Bytes fixed; /* properties of a fixed size */
	size_t fixed_from;
} Message;

static Bytes msg_property(GsfInfile *storage, unsigned number, unsigned type)
{
	char name[32];
	snprintf(name, sizeof name, "__substg1.0_%04X%04X", number, type);
	return ole_stream(storage, name);
}

/* NULL if it is missing or empty. The caller frees it. */
static char *msg_string_property(const Message *message, GsfInfile *storage, unsigned number)
{
	g_autoptr(GString) text = g_string_new(NULL);
	Bytes wide = msg_property(storage, number, TYPE_UNICODE);
	Bytes narrow = wide.data ? (Bytes){NULL, 0} : msg_property(storage, number, TYPE_STRING8);
	put_utf16(text, wide);
	put_encoded(text, narrow, message->charset);
	g_free((void *)wide.data);
	g_free((void *)narrow.data);
	return text->len > 0 ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

/* Value of a fixed-size property; 0 if it is missing. */
static uint64_t fixed_property(Bytes fixed, size_t from, unsigned number)
{
	for (size_t at = from; at + PROPERTY_BYTES <= fixed.size; at += PROPERTY_BYTES)
		if (le16(fixed, at + 2) == number)
			return le64(fixed, at + 8);
	return 0;
}

static void find_charset(Message *message)
{
	uint32_t page = fixed_property(message->fixed, message->fixed_from, P_CODE_PAGE);
	if (page == 0 || page == 1200)
		page = fixed_property(message->fixed, message->fixed_from, P_INTERNET_CODE_PAGE);
	message->charset = code_page(page ? page : 1252);
}

static void msg_put_person(const Message *message, GsfInfile *storage, DocField field,
        const char *name, unsigned smtp, unsigned address)
{
	g_autofree char *mail = msg_string_property(message, storage, smtp);
	if (!mail)
		mail = msg_string_property(message, storage, address);
	bool has_mail = mail && strchr(mail, '@') && !(name && strstr(name, mail));
	g_autofree char *both = name && has_mail ? g_strdup_printf("%s <%s>", name, mail)
	                                         : g_strdup(name ? name : mail);
	if (both)
		sink_field(message->ole->sink, field, both, -1);
}

static void msg_put_date(const Message *message)
{
	uint64_t time = fixed_property(message->fixed, message->fixed_from, P_SUBMITTED);
	if (time == 0)
		time = fixed_property(message->fixed, message->fixed_from, P_DELIVERED);
	g_autofree char *date = filetime_text(time);
	if (date)
		sink_field(message->ole->sink, FIELD_DATE, date, -1);
}

static void put_recipient(const Message *message, GsfInfile *storage)
{
	Bytes fixed = ole_stream(storage, "__properties_version1.0");
	uint32_t type = fixed_property(fixed, OTHER_HEADER, P_RECIPIENT_TYPE);
	g_autofree char *name = msg_string_property(message, storage, P_NAME);
	msg_put_person(message, storage, type == 1 ? FIELD_TO : FIELD_CC, name, P_SMTP, P_ADDRESS);
	g_free((void *)fixed.data);
}

static void msg_put_facts(const Message *message)
{
	static const struct {
		unsigned number;
		DocField field;
	} plain[] = {{P_SUBJECT, FIELD_TITLE}, {P_MESSAGE_ID, FIELD_MESSAGE_ID}};
	for (size_t i = 0; i < G_N_ELEMENTS(plain); i++) {
		g_autofree char *value =
		        msg_string_property(message, message->storage, plain[i].number);
		if (value)
			sink_field(message->ole->sink, plain[i].field, value, -1);
	}
	g_autofree char *sender = msg_string_property(message, message->storage, P_SENDER);
	msg_put_person(
	        message, message->storage, FIELD_AUTHOR, sender, P_SENDER_SMTP, P_SENDER_ADDRESS);
	msg_put_date(message);
}

static void put_paragraphs(const Message *message, const char *text)
{
	Flow *flow = &message->ole->flow;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	flow_block(flow, TAG_BODY);
	for (char **line = lines; *line && !flow->full; line++) {
		flow_text(flow, g_strstrip(*line), strlen(*line));
		if (**line)
			flow_space(flow);
		else
			flow_block(flow, TAG_BODY);
	}
}

static bool put_html(const Message *message)
{
	Bytes html = msg_property(message->storage, P_HTML, TYPE_BINARY);
	if (!html.data)
		html = msg_property(message->storage, P_HTML, TYPE_STRING8);
	if (html.data)
		sink_inline(message->ole->sink, "text/html", charset_name(message->charset),
		        html.data, html.size);
	g_free((void *)html.data);
	return html.data != NULL;
}

static void put_rtf(const Message *message)
{
	Bytes packed = msg_property(message->storage, P_RTF, TYPE_BINARY);
	g_autoptr(GByteArray) rtf = lzfu_unpack(packed);
	if (rtf && sink_unpacked(message->ole->sink, rtf->len))
		sink_inline(message->ole->sink, "application/rtf", NULL, rtf->data, rtf->len);
	g_free((void *)packed.data);
}

static void msg_put_body(const Message *message)
{
	g_autofree char *text = msg_string_property(message, message->storage, P_BODY);
	if (text)
		put_paragraphs(message, text);
	else if (!put_html(message))
		put_rtf(message);
}

static void msg_put_line(const Message *message, unsigned number)
{
	g_autofree char *text = msg_string_property(message, message->storage, number);
	if (text)
		flow_line(&message->ole->flow, TAG_BODY, text, -1);
}

/* Puts a property that the file gives a number of its own (MS-OXMSG 2.2.3.1.2). */
static void msg_put_named(const Message *message, unsigned number)
{
	Bytes named = message->named;
	for (size_t at = 0; at + NAMED_BYTES <= named.size; at += NAMED_BYTES)
		if (le32(named, at) == number && !(le16(named, at + 4) & NAMED_BY_TEXT))
			msg_put_line(message, P_FIRST_NAMED + le16(named, at + 6));
}

/* Puts what a contact or appointment has beside its body. */
static void msg_put_item(const Message *message)
{
	for (size_t i = 0; i < G_N_ELEMENTS(contact_fields); i++)
		msg_put_line(message, contact_fields[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(contact_mails); i++)
		msg_put_named(message, contact_mails[i]);
	msg_put_named(message, P_LOCATION);
}

static void put_message(Message *message);

/* The text of an attached message becomes part of this document. */
static void put_inner(const Message *outer, GsfInfile *attachment)
{
	char name[32];
	snprintf(name, sizeof name, "__substg1.0_%04X%04X", P_DATA, TYPE_OBJECT);
	GsfInfile *storage = outer->depth < MAX_DEPTH ? ole_storage(attachment, name) : NULL;
	Message inner = {.ole = outer->ole,
	        .storage = storage,
	        .depth = outer->depth + 1,
	        .named = outer->named,
	        .fixed_from = INNER_HEADER};
	if (!storage)
		return;
	flow_block(&outer->ole->flow, TAG_BODY);
	put_message(&inner);
	g_object_unref(storage);
}

/* Outlook numbers the pictures within a text: image001.png. */
static void put_attachment_name(const Message *message, const char *name)
{
	if (name && !g_str_has_prefix(name, "image0"))
		flow_line(&message->ole->flow, TAG_BODY, name, -1);
}

static void msg_put_attachment(const Message *message, GsfInfile *storage)
{
	g_autofree char *name = msg_string_property(message, storage, P_LONG_NAME);
	g_autofree char *mime = msg_string_property(message, storage, P_MIME);
	Bytes data = msg_property(storage, P_DATA, TYPE_BINARY);
	if (!name)
		name = msg_string_property(message, storage, P_SHORT_NAME);
	if (!name)
		name = msg_string_property(message, storage, P_NAME);
	SinkMember member = {.name = name ? name : "1",
	        .data = data.data,
	        .size = data.data ? data.size : (size_t)-1,
	        .mime = mime};
	if (data.data) {
		sink_member(message->ole->sink, &member);
		put_attachment_name(message, name);
	} else {
		put_inner(message, storage);
	}
	g_free((void *)data.data);
}

static void each_storage(const Message *message, const char *prefix,
        void (*put)(const Message *message, GsfInfile *storage))
{
	int count = gsf_infile_num_children(message->storage);
	for (int i = 0; i < count; i++) {
		const char *name = gsf_infile_name_by_index(message->storage, i);
		GsfInfile *storage = name && g_str_has_prefix(name, prefix)
		                             ? ole_storage(message->storage, name)
		                             : NULL;
		if (!storage)
			continue;
		put(message, storage);
		g_object_unref(storage);
	}
}

static void put_message(Message *message)
{
	message->fixed = ole_stream(message->storage, "__properties_version1.0");
	find_charset(message);
	if (message->depth == 0) {
		msg_put_facts(message);
	} else {
		g_autofree char *subject =
		        msg_string_property(message, message->storage, P_SUBJECT);
		if (subject)
			flow_line(&message->ole->flow, TAG_HEADING1, subject, -1);
	}
	if (message->depth == 0)
		each_storage(message, "__recip_version1.0_", put_recipient);
	msg_put_item(message);
	msg_put_body(message);
	each_storage(message, "__attach_version1.0_", msg_put_attachment);
	g_free((void *)message->fixed.data);
}

ExtractResult message_extract(Ole *ole)
{
	GsfInfile *names = ole_storage(ole->root, "__nameid_version1.0");
	Message message = {.ole = ole, .storage = ole->root, .fixed_from = ROOT_HEADER};
	if (names)
		message.named = ole_stream(names, "__substg1.0_00030102");
	put_message(&message);
	g_free((void *)message.named.data);
	g_clear_object(&names);
	return EXTRACT_DONE;
}
