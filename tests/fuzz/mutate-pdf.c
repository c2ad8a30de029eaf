/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mutate-pdf.c - mutates an object of a PDF, below the compression of its stream
 *
 * The length of a changed stream is corrected and a new table of all objects is written, so that
 * the file is not taken for damaged. Source: ISO 32000-1, sections 7.3.8 (streams) and 7.5.4
 * (table). */
#include <config.h>
#include "tests/fuzz/mutate.h"
#include <stdio.h>
#include <string.h>

typedef struct {
	unsigned number;
	size_t at, body, end; /* places of "1 0 obj", of what follows it, and after "endobj" */
} PdfObject;

/* The place of a word at or after a place; the file's size if there is none. */
static size_t pdf_find(Bytes file, size_t at, const char *word)
{
	const uint8_t *found =
	        at < file.size ? memmem(file.data + at, file.size - at, word, strlen(word)) : NULL;
	return found ? (size_t)(found - file.data) : file.size;
}

static GArray *pdf_objects(Bytes file)
{
	GArray *objects = g_array_new(FALSE, FALSE, sizeof(PdfObject));
	size_t end = 0;
	for (size_t at; (at = pdf_find(file, end, " obj")) < file.size;) {
		size_t start = at;
		while (start > end && file.data[start - 1] != '\n' && file.data[start - 1] != '\r')
			start--;
		g_autofree char *head = g_strndup((const char *)file.data + start, at - start);
		PdfObject object = {.at = start, .body = at + strlen(" obj")};
		end = pdf_find(file, object.body, "endobj");
		if (end == file.size)
			break;
		object.end = end += strlen("endobj");
		if (sscanf(head, "%u", &object.number) == 1 && object.number > 0)
			g_array_append_val(objects, object);
	}
	return objects;
}

static GByteArray *pdf_copy(Bytes part)
{
	return g_byte_array_append(g_byte_array_new(), part.data, part.size);
}

/* Writes a dictionary with the length of its stream, and without the filter if it was unpacked. */
static void pdf_put_dictionary(GByteArray *out, Bytes dictionary, size_t length, bool unpacked)
{
	g_autofree char *text = g_strndup((const char *)dictionary.data, dictionary.size);
	g_autoptr(GString) changed = g_string_new(text);
	char *found = strstr(changed->str, "/Length ");
	size_t at = found ? (size_t)(found - changed->str) + strlen("/Length ") : 0;
	size_t digits = strspn(changed->str + at, "0123456789");
	if (found && !g_str_has_prefix(changed->str + at + digits, " 0 R")) {
		g_autofree char *number = g_strdup_printf("%zu", length);
		g_string_erase(changed, at, digits);
		g_string_insert(changed, at, number);
	}
	if (unpacked)
		g_string_replace(changed, "/FlateDecode", "[]", 0);
	g_byte_array_append(out, (const uint8_t *)changed->str, changed->len);
}

/* Returns the body of a stream object with a change in the stream. */
static GByteArray *pdf_change_stream(Bytes body, size_t stream)
{
	size_t start = stream + strlen("stream");
	start += start < body.size && body.data[start] == '\r';
	start += start < body.size && body.data[start] == '\n';
	size_t end = pdf_find(body, start, "endstream");
	Bytes dictionary = bytes_part(body, 0, stream);
	Bytes packed = bytes_part(body, start, end - MIN(start, end));
	bool unpack = pdf_find(dictionary, 0, "/FlateDecode") < dictionary.size &&
	              pdf_find(dictionary, 0, "/DecodeParms") == dictionary.size;
	g_autoptr(GByteArray) bytes = unpack ? mutate_inflate(packed, false) : pdf_copy(packed);
	mutate_bytes(bytes);
	GByteArray *out = g_byte_array_new();
	pdf_put_dictionary(out, dictionary, bytes->len, unpack);
	g_byte_array_append(out, (const uint8_t *)"stream\n", strlen("stream\n"));
	g_byte_array_append(out, bytes->data, bytes->len);
	g_byte_array_append(
	        out, (const uint8_t *)"\nendstream\nendobj", strlen("\nendstream\nendobj"));
	return out;
}

/* Changes a number: a reference, a size, a kind. */
static GByteArray *pdf_change_number(GRand *random, Bytes body)
{
	GByteArray *out = g_byte_array_new();
	size_t at = g_rand_int_range(random, 0, body.size), end;
	while (at < body.size && !g_ascii_isdigit(body.data[at]))
		at++;
	for (end = at; end < body.size && g_ascii_isdigit(body.data[end]);)
		end++;
	g_autofree char *number = g_strdup_printf("%d", (int)mutate_edge(random, 12));
	g_byte_array_append(out, body.data, at);
	g_byte_array_append(out, (const uint8_t *)number, strlen(number));
	return g_byte_array_append(out, body.data + end, body.size - end);
}

/* Returns a changed body of an object: another's, or its own with a change. */
static GByteArray *pdf_change_body(
        GRand *random, Bytes file, const GArray *objects, const PdfObject *object)
{
	Bytes body = bytes_part(file, object->body, object->end - object->body);
	size_t stream = pdf_find(body, 0, "stream");
	if (mutate_chance(random, 8)) {
		const PdfObject *other = &g_array_index(
		        objects, PdfObject, g_rand_int_range(random, 0, objects->len));
		return pdf_copy(bytes_part(file, other->body, other->end - other->body));
	}
	if (stream < body.size && !mutate_chance(random, 3))
		return pdf_change_stream(body, stream);
	if (mutate_chance(random, 2))
		return pdf_change_number(random, body);
	size_t kept = MIN(stream, body.size - strlen("endobj"));
	GByteArray *out = pdf_copy(bytes_part(body, 0, kept));
	mutate_bytes(out);
	return g_byte_array_append(out, body.data + kept, body.size - kept);
}

/* Writes a table of the objects and the file's own trailer. */
static void pdf_put_table(GByteArray *out, Bytes file)
{
	g_autoptr(GArray) objects = pdf_objects((Bytes){out->data, out->len});
	size_t trailer = pdf_find(file, 0, "trailer"), place = out->len;
	size_t end = pdf_find(file, trailer, "startxref");
	g_autoptr(GString) table = g_string_new("xref\n0 1\n0000000000 65535 f \n");
	for (guint i = 0; i < objects->len; i++) {
		const PdfObject *object = &g_array_index(objects, PdfObject, i);
		g_string_append_printf(
		        table, "%u 1\n%010zu 00000 n \n", object->number, object->at);
	}
	g_string_append_len(table, (const char *)file.data + trailer, end - trailer);
	g_string_append_printf(table, "startxref\n%zu\n%%%%EOF\n", place);
	g_byte_array_append(out, (const uint8_t *)table->str, table->len);
}

GByteArray *mutate_format(GRand *random, Bytes file)
{
	g_autoptr(GArray) objects = pdf_objects(file);
	if (objects->len == 0)
		return NULL;
	guint chosen = g_rand_int_range(random, 0, objects->len);
	const PdfObject *object = &g_array_index(objects, PdfObject, chosen);
	const PdfObject *last = &g_array_index(objects, PdfObject, objects->len - 1);
	g_autoptr(GByteArray) body = pdf_change_body(random, file, objects, object);
	GByteArray *out = pdf_copy(bytes_part(file, 0, object->body));
	g_byte_array_append(out, body->data, body->len);
	g_byte_array_append(out, file.data + object->end, last->end - object->end);
	g_byte_array_append(out, (const uint8_t *)"\n", 1);
	/* A file without a trailer has its table in a stream: it is searched for objects. */
	if (pdf_find(file, 0, "trailer") < file.size)
		pdf_put_table(out, file);
	else
		g_byte_array_append(out, file.data + last->end, file.size - last->end);
	return out;
}
