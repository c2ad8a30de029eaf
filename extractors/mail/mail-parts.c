/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/mail/mail-parts.h"
#include "extractors/mail/body-letters.h"
#include "extractors/mail/mail-body.h"
#include "extractors/mail/cms.h"
#include "extractors/mail/mail-header.h"
#include "extractors/mail/uuencoded.h"
#include <string.h>

enum {
	MAX_WEIGHED = 32 << 20, /* bytes of text that are compared in a message */
	STUB_SHARE = 2, /* a plain text is a stub if the HTML has more than twice its letters */
};
enum { PARTS_DEPTH = 64, MAX_PARTS = 10000, MAX_NAME = 200 };

/* The parts of a branch of the tree to take. */
typedef enum {
	WANT_ALL,
	WANT_FILES, /* another branch has the better text */
} Want;

static void mail_walk(Parts *parts, GMimeObject *object, Want want, unsigned depth);

void parts_init(Parts *parts, Sink *sink, const ExtractLimits *limits)
{
	*parts = (Parts){.sink = sink,
	        .limits = limits,
	        .names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	        .attachments = g_ptr_array_new_with_free_func(g_free)};
}

void parts_clear(Parts *parts)
{
	g_hash_table_unref(parts->names);
	g_ptr_array_unref(parts->attachments);
}

static bool mail_is_type(GMimeObject *object, const char *type, const char *subtype)
{
	GMimeContentType *content_type = g_mime_object_get_content_type(object);
	return content_type && g_mime_content_type_is_type(content_type, type, subtype);
}

static char *raw_header(GMimeObject *object, const char *name)
{
	GMimeHeader *header =
	        g_mime_header_list_get_header(g_mime_object_get_header_list(object), name);
	const char *raw = header ? g_mime_header_get_raw_value(header) : NULL;
	return g_strdup(raw ? raw : "");
}

static char *mail_parameter(GMimeObject *object, const char *header, const char *name)
{
	g_autofree char *raw = raw_header(object, header);
	return header_parameter(raw, name);
}

/* ---- bytes of a part */

static GByteArray *mail_decoded(GMimePart *part)
{
	GMimeDataWrapper *content = g_mime_part_get_content(part);
	GByteArray *bytes = g_byte_array_new();

	if (!content)
		return bytes;
	GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(bytes);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	g_mime_data_wrapper_write_to_stream(content, stream);
	g_object_unref(stream);
	return bytes;
}

static GByteArray *mail_serialised(GMimeMessage *message)
{
	GByteArray *bytes = g_byte_array_new();
	GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(bytes);

	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	g_mime_object_write_to_stream(GMIME_OBJECT(message), NULL, stream);
	g_object_unref(stream);
	return bytes;
}

static const uint8_t *non_null_data(const GByteArray *bytes)
{
	return bytes->len > 0 ? bytes->data : (const uint8_t *)"";
}

/* ---- members */

static char *file_name(GMimeObject *object)
{
	char *name = mail_parameter(object, "Content-Disposition", "filename");

	if (name && *name)
		return name;
	g_free(name);
	name = mail_parameter(object, "Content-Type", "name");
	if (name && *name)
		return name;
	g_free(name);
	return NULL;
}

static char *clean_name(char *name)
{
	g_strdelimit(name, "/\\|", '_');
	for (char *p = name; *p; p++) {
		if (g_ascii_iscntrl(*p))
			*p = ' ';
	}
	if (*g_strstrip(name))
		return name;
	g_free(name);
	return g_strdup("part");
}

static char *numbered_name(const char *name, unsigned number)
{
	const char *dot = strrchr(name, '.');

	if (!dot)
		return g_strdup_printf("%s (%u)", name, number);
	return g_strdup_printf("%.*s (%u)%s", (int)(dot - name), name, number, dot);
}

/* Makes a name without slashes and control characters that no other member of the message has.
 * Takes ownership of name. The table counts how often each name was requested, so a thousand equal
 * names take linear time. */
static char *unique_name(Parts *parts, char *name)
{
	g_autofree char *base = clean_name(name);
	char *unique = g_strdup(base);
	unsigned taken = GPOINTER_TO_UINT(g_hash_table_lookup(parts->names, base));

	while (taken > 0 && g_hash_table_contains(parts->names, unique)) {
		g_free(unique);
		unique = numbered_name(base, ++taken);
	}
	g_hash_table_insert(parts->names, g_strdup(base), GUINT_TO_POINTER(MAX(taken, 1)));
	if (taken > 0)
		g_hash_table_insert(parts->names, g_strdup(unique), GUINT_TO_POINTER(1));
	return unique;
}

static void mail_send_member(
        Parts *parts, char *name, const GByteArray *bytes, const char *mime, const char *charset)
{
	g_autofree char *unique = unique_name(parts, name);
	SinkMember member = {.name = unique,
	        .mtime_ns = parts->mtime_ns,
	        .data = non_null_data(bytes),
	        .size = bytes->len,
	        .mime = mime,
	        .charset = charset};

	parts->any = true;
	if (!sink_unpacked(parts->sink, bytes->len) || !sink_member(parts->sink, &member))
		parts->full = true;
}

static char *default_name(const Parts *parts, const char *mime)
{
	static const char *const extensions[][2] = {{"text/html", "html"}, {"text/plain", "txt"},
	        {"text/calendar", "ics"}, {"application/pdf", "pdf"}, {"image/jpeg", "jpg"},
	        {"image/png", "png"}};

	for (size_t i = 0; i < G_N_ELEMENTS(extensions); i++) {
		if (g_ascii_strcasecmp(mime, extensions[i][0]) == 0)
			return g_strdup_printf("part %u.%s", parts->parts, extensions[i][1]);
	}
	return g_strdup_printf("part %u", parts->parts);
}

/* Pictures within a text, as logos are, have names that say nothing. */
static bool is_within_text(GMimeObject *object)
{
	GMimeContentDisposition *disposition = g_mime_object_get_content_disposition(object);
	bool attached = disposition && g_mime_content_disposition_is_attachment(disposition);
	return mail_is_type(object, "image", "*") && !attached;
}

static void send_file(Parts *parts, GMimePart *part)
{
	GMimeObject *object = GMIME_OBJECT(part);
	GMimeContentType *type = g_mime_object_get_content_type(object);
	g_autofree char *mime = g_mime_content_type_get_mime_type(type);
	g_autofree char *charset = mail_parameter(object, "Content-Type", "charset");
	g_autoptr(GByteArray) bytes = mail_decoded(part);
	char *name = file_name(object);

	if (name && !is_within_text(object))
		g_ptr_array_add(parts->attachments, clean_name(g_strdup(name)));
	mail_send_member(parts, name ? name : default_name(parts, mime), bytes, mime, charset);
}

static void send_message(Parts *parts, GMimeMessagePart *part)
{
	GMimeMessage *message = g_mime_message_part_get_message(part);

	if (!message)
		return;
	g_autofree char *raw = raw_header(GMIME_OBJECT(message), "Subject");
	g_autofree char *subject = header_text(raw);
	g_autoptr(GByteArray) bytes = mail_serialised(message);
	size_t cut = MIN(strlen(subject), MAX_NAME);
	while (cut > 0 && (subject[cut] & 0xc0) == 0x80)
		cut--;
	subject[cut] = '\0';
	char *name = g_strdup_printf("%s.eml", *subject ? subject : "message");
	mail_send_member(parts, name, bytes, "message/rfc822", NULL);
}

/* ---- texts */

static bool is_true(GMimeObject *object, const char *name, const char *value)
{
	g_autofree char *found = mail_parameter(object, "Content-Type", name);
	return found && g_ascii_strcasecmp(found, value) == 0;
}

static bool send_encoded(char *name, const GByteArray *bytes, void *data)
{
	Parts *parts = data;
	if (++parts->parts > MAX_PARTS) {
		sink_truncated(parts->sink, REASON_LIMIT_MEMBERS, NULL);
		parts->full = true;
	}
	g_autofree char *text = decode_text((const uint8_t *)name, strlen(name), NULL, NULL, NULL);
	g_free(name);
	if (!parts->full)
		mail_send_member(parts, g_steal_pointer(&text), bytes, NULL, NULL);
	return !parts->full;
}

void parts_send_plain(Parts *parts, GByteArray *bytes, const char *charset, BodyForm form)
{
	size_t length;
	parts->any = true;
	uu_take(bytes, send_encoded, parts);
	g_autofree char *text =
	        decode_text(non_null_data(bytes), bytes->len, charset, &length, NULL);
	if (body_is_encrypted(text))
		sink_truncated(parts->sink, REASON_ENCRYPTED, "the text is encrypted");
	else if (!parts->full)
		parts->full = !body_send(parts->sink, text, length, form.flowed, form.delsp);
}

static void mail_parts_send_text(Parts *parts, GMimePart *part)
{
	GMimeObject *object = GMIME_OBJECT(part);
	g_autofree char *charset = mail_parameter(object, "Content-Type", "charset");
	g_autoptr(GByteArray) bytes = mail_decoded(part);

	parts->any = true;
	if (mail_is_type(object, "text", "html")) {
		parts->full = !sink_inline(
		        parts->sink, "text/html", charset, non_null_data(bytes), bytes->len);
		return;
	}
	BodyForm form = {is_true(object, "format", "flowed"), is_true(object, "delsp", "yes")};
	parts_send_plain(parts, bytes, charset, form);
}

/* True for text that belongs to the message itself. */
static bool is_body(GMimeObject *object)
{
	GMimeContentDisposition *disposition = g_mime_object_get_content_disposition(object);

	if (disposition && g_mime_content_disposition_is_attachment(disposition))
		return false;
	if (mail_is_type(object, "message", "delivery-status") ||
	        mail_is_type(object, "message", "disposition-notification"))
		return true;
	if (!mail_is_type(object, "text", "*") || mail_is_type(object, "text", "calendar") ||
	        mail_is_type(object, "text", "rtf") || mail_is_type(object, "text", "css") ||
	        mail_is_type(object, "text", "javascript"))
		return false;
	g_autofree char *name = file_name(object);
	return !name || (disposition == NULL && (mail_is_type(object, "text", "plain") ||
	                                                mail_is_type(object, "text", "html")));
}

/* A picture or style sheet of a saved page, which users do not search for by itself. */
static bool is_page_resource(GMimeObject *object)
{
	g_autofree char *name = file_name(object);

	return !name && g_mime_object_get_header(object, "Content-Location") &&
	       (mail_is_type(object, "image", "*") || mail_is_type(object, "text", "css") ||
	               mail_is_type(object, "*", "javascript") ||
	               mail_is_type(object, "font", "*"));
}

static bool is_signature(GMimeObject *object)
{
	return mail_is_type(object, "application", "pgp-signature") ||
	       mail_is_type(object, "application", "pkcs7-signature") ||
	       mail_is_type(object, "application", "x-pkcs7-signature");
}

static bool mail_is_cms(GMimeObject *object)
{
	return mail_is_type(object, "application", "pkcs7-mime") ||
	       mail_is_type(object, "application", "x-pkcs7-mime");
}

/* True for a signed file ("contract.pdf.p7m"), false for a signed body ("smime.p7m" or no name). */
static bool is_signed_file(GMimeObject *object)
{
	g_autofree char *name = file_name(object);
	return name && g_ascii_strcasecmp(name, "smime.p7m") != 0;
}

/* The signed content is a MIME entity itself. */
static void walk_signed(Parts *parts, GByteArray *content, Want want, unsigned depth)
{
	GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(content);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	GMimeParser *parser = g_mime_parser_new_with_stream(stream);
	GMimeObject *object = g_mime_parser_construct_part(parser, NULL);
	g_object_unref(parser);
	g_object_unref(stream);
	if (!object)
		return;
	mail_walk(parts, object, want, depth + 1);
	g_object_unref(object);
}

static void send_cms(Parts *parts, GMimePart *part, Want want, unsigned depth)
{
	g_autoptr(GByteArray) bytes = mail_decoded(part), content = NULL;
	CmsKind kind = cms_read(non_null_data(bytes), bytes->len, &content);

	bool sealed = is_true(GMIME_OBJECT(part), "smime-type", "enveloped-data");
	if (kind == CMS_ENCRYPTED || (kind == CMS_NOTHING && sealed))
		sink_truncated(parts->sink, REASON_ENCRYPTED, "the body is encrypted");
	else if (kind == CMS_SIGNED && is_signed_file(GMIME_OBJECT(part)))
		send_file(parts, part);
	else if (kind == CMS_SIGNED && sink_unpacked(parts->sink, content->len))
		walk_signed(parts, content, want, depth);
}

static void mail_send_part(Parts *parts, GMimePart *part, Want want, unsigned depth)
{
	GMimeObject *object = GMIME_OBJECT(part);

	if (++parts->parts > MAX_PARTS) {
		sink_truncated(parts->sink, REASON_LIMIT_MEMBERS, NULL);
		parts->full = true;
	} else if (is_signature(object) || is_page_resource(object)) {
		return;
	} else if (mail_is_cms(object)) {
		send_cms(parts, part, want, depth);
	} else if (!is_body(object)) {
		send_file(parts, part);
	} else if (want == WANT_ALL) {
		mail_parts_send_text(parts, part);
	}
}

/* ---- multiparts */

/* Approximate size of the texts of a subtype in a branch, as encoded in the message. */
static size_t text_size(GMimeObject *object, const char *subtype, unsigned depth)
{
	size_t sum = 0;

	if (depth > PARTS_DEPTH)
		return 0;
	if (GMIME_IS_MULTIPART(object)) {
		int n = g_mime_multipart_get_count(GMIME_MULTIPART(object));
		for (int i = 0; i < n; i++)
			sum += text_size(g_mime_multipart_get_part(GMIME_MULTIPART(object), i),
			        subtype, depth + 1);
	} else if (GMIME_IS_PART(object) && mail_is_type(object, "text", subtype) &&
	           is_body(object)) {
		GMimeDataWrapper *content = g_mime_part_get_content(GMIME_PART(object));
		GMimeStream *stream = content ? g_mime_data_wrapper_get_stream(content) : NULL;
		gint64 length = stream ? g_mime_stream_length(stream) : 0;
		sum = MAX(length, 0);
	}
	return sum;
}

/* Letters of the texts of a subtype in a branch. */
static size_t text_letters(Parts *parts, GMimeObject *object, const char *subtype, unsigned depth)
{
	size_t sum = 0;

	if (depth > PARTS_DEPTH || parts->weighed > MAX_WEIGHED)
		return 0;
	if (GMIME_IS_MULTIPART(object)) {
		int n = g_mime_multipart_get_count(GMIME_MULTIPART(object));
		for (int i = 0; i < n; i++)
			sum += text_letters(parts,
			        g_mime_multipart_get_part(GMIME_MULTIPART(object), i), subtype,
			        depth + 1);
	} else if (text_size(object, subtype, depth) > 0) {
		g_autoptr(GByteArray) bytes = mail_decoded(GMIME_PART(object));
		const uint8_t *text = non_null_data(bytes);
		parts->weighed += bytes->len;
		sum = strcmp(subtype, "html") == 0 ? body_letters_html(text, bytes->len)
		                                   : body_letters_plain(text, bytes->len);
	}
	return sum;
}

/* True if the plain text is a stub: a note that there is HTML, or the beginning of the letter. */
static bool is_stub(Parts *parts, GMimeObject *plain, GMimeObject *html, unsigned depth)
{
	size_t letters = text_letters(parts, plain, "plain", depth);
	return text_letters(parts, html, "html", depth) > STUB_SHARE * letters;
}

/* Chooses the branch with the best text: plain text, unless it is a stub of the HTML. */
static int best_branch(Parts *parts, GMimeMultipart *multipart, unsigned depth)
{
	int n = MIN(g_mime_multipart_get_count(multipart), 16), plain = -1, html = -1;
	size_t plain_size = 0, html_size = 0;

	for (int i = 0; i < n; i++) {
		GMimeObject *part = g_mime_multipart_get_part(multipart, i);
		size_t as_plain = text_size(part, "plain", depth),
		       as_html = text_size(part, "html", depth);
		if (as_plain > plain_size && as_html == 0) {
			plain = i;
			plain_size = as_plain;
		} else if (as_html > html_size) {
			html = i;
			html_size = as_html;
		}
	}
	if (plain < 0 || html < 0)
		return MAX(plain, html);
	bool stub = html_size > plain_size &&
	            is_stub(parts, g_mime_multipart_get_part(multipart, plain),
	                    g_mime_multipart_get_part(multipart, html), depth);
	return stub ? html : plain;
}

static void walk_multipart(Parts *parts, GMimeMultipart *multipart, Want want, unsigned depth)
{
	int n = g_mime_multipart_get_count(multipart);
	bool alternative = mail_is_type(GMIME_OBJECT(multipart), "multipart", "alternative");
	int best = alternative ? best_branch(parts, multipart, depth) : -1;

	for (int i = 0; i < n && !parts->full; i++) {
		bool told = alternative && best >= 0 && i != best;
		mail_walk(parts, g_mime_multipart_get_part(multipart, i), told ? WANT_FILES : want,
		        depth + 1);
	}
}

static void mail_walk(Parts *parts, GMimeObject *object, Want want, unsigned depth)
{
	if (!object || parts->full)
		return;
	if (depth > PARTS_DEPTH) {
		sink_truncated(parts->sink, REASON_LIMIT_DEPTH, NULL);
	} else if (GMIME_IS_MULTIPART_ENCRYPTED(object)) {
		sink_truncated(parts->sink, REASON_ENCRYPTED, "the body is encrypted");
	} else if (GMIME_IS_MULTIPART(object)) {
		walk_multipart(parts, GMIME_MULTIPART(object), want, depth);
	} else if (GMIME_IS_MESSAGE_PART(object)) {
		send_message(parts, GMIME_MESSAGE_PART(object));
	} else if (GMIME_IS_PART(object)) {
		mail_send_part(parts, GMIME_PART(object), want, depth);
	}
}

void parts_send(Parts *parts, GMimeObject *root)
{
	mail_walk(parts, root, WANT_ALL, 0);
}

void parts_send_attachments(Parts *parts)
{
	for (guint i = 0; i < parts->attachments->len && !parts->full; i++) {
		const char *name = parts->attachments->pdata[i];
		parts->full = !sink_block(parts->sink, TAG_BODY) ||
		              !sink_text(parts->sink, TAG_BODY, name, -1);
	}
}
