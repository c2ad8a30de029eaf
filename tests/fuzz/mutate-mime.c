/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mutate-mime.c - mutates headers, boundaries and encoded parts of a mail
 *
 * Source: RFC 5322 (headers), RFC 2045 and 2046 (types, encodings, boundaries). */
#include <config.h>
#include "tests/fuzz/mutate.h"
#include <string.h>

/* Lines that decide how what follows is read. */
static const char *const headers[] = {"Content-Type: text/html; charset=utf-7",
        "Content-Type: text/plain; charset=iso-2022-jp; format=flowed; delsp=yes",
        "Content-Type: multipart/mixed; boundary=\"b\"",
        "Content-Type: multipart/alternative; boundary=b", "Content-Type: multipart/related",
        "Content-Type: multipart/signed; protocol=\"application/pkcs7-signature\"; boundary=b",
        "Content-Type: message/rfc822", "Content-Type: message/delivery-status",
        "Content-Type: message/partial; number=1; total=2; id=x",
        "Content-Type: application/octet-stream; name*0*=utf-8''%61; name*1=b",
        "Content-Type: application/ms-tnef", "Content-Transfer-Encoding: base64",
        "Content-Transfer-Encoding: quoted-printable", "Content-Transfer-Encoding: x-uuencode",
        "Content-Transfer-Encoding: binary",
        "Content-Disposition: attachment; filename=\"=?utf-8?B?w6Q=?=\"",
        "Content-Disposition: attachment; filename*=iso-8859-1'de'%e4",
        "Subject: =?iso-2022-jp?B?GyRC?= =?utf-8?Q?=C3?= =?utf-8?Q?=A4?=",
        "From: \"a\\\" b\" (c (d)) <e@f>, g: h@i;", "Date: Tue, 99 Xxx 20260 25:61:61 +9999",
        "From a Thu Jan  1 00:00:00 1970", "begin 644 a.txt", "--b", "--b--", ""};

static void mime_add_line(GPtrArray *lines, guint at, const char *line)
{
	g_ptr_array_insert(lines, at, g_bytes_new(line, strlen(line)));
}

static GPtrArray *mime_split(Bytes file)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	while (file.size > 0) {
		const uint8_t *end = memchr(file.data, '\n', file.size);
		size_t length = end ? (size_t)(end - file.data) : file.size;
		g_ptr_array_add(lines, g_bytes_new(file.data, length));
		file = bytes_part(file, length + 1, file.size);
	}
	return lines;
}

static GByteArray *mime_join(const GPtrArray *lines)
{
	GByteArray *out = g_byte_array_new();
	for (guint i = 0; i < lines->len; i++) {
		gsize length;
		const void *data = g_bytes_get_data(lines->pdata[i], &length);
		g_byte_array_append(out, data, length);
		g_byte_array_append(out, (const uint8_t *)"\n", 1);
	}
	return out;
}

/* Returns the line as text, which the caller frees. */
static char *mime_line(const GPtrArray *lines, guint i)
{
	gsize length;
	const char *data = g_bytes_get_data(lines->pdata[i], &length);
	return g_strndup(data ? data : "", length);
}

/* The place of any line that begins with the text, or of any line if there is none. */
static guint mime_find(GRand *random, const GPtrArray *lines, const char *begin)
{
	guint start = g_rand_int_range(random, 0, lines->len);
	for (guint i = 0; i < lines->len; i++) {
		guint at = (start + i) % lines->len;
		g_autofree char *line = mime_line(lines, at);
		if (g_ascii_strncasecmp(line, begin, strlen(begin)) == 0)
			return at;
	}
	return start;
}

static void mime_replace(GPtrArray *lines, guint at, const void *data, size_t size)
{
	g_bytes_unref(lines->pdata[at]);
	lines->pdata[at] = g_bytes_new(data, size);
}

/* Changes a line after its first word. */
static void mime_change_value(GPtrArray *lines, guint at)
{
	g_autofree char *line = mime_line(lines, at);
	size_t name = strcspn(line, ":; =") + 1, length = strlen(line);
	if (name >= length)
		return;
	g_autoptr(GByteArray) value = g_byte_array_append(
	        g_byte_array_new(), (const uint8_t *)line + name, length - name);
	mutate_bytes(value);
	g_byte_array_prepend(value, (const uint8_t *)line, name);
	mime_replace(lines, at, value->data, value->len);
}

/* Changes the bytes that a line of base64 stands for. */
static void mime_change_base64(GRand *random, GPtrArray *lines)
{
	guint at = mime_find(random, lines, "Content-Transfer-Encoding: base64");
	while (at + 1 < lines->len && g_bytes_get_size(lines->pdata[at]) > 1)
		at++;
	at = MIN(at + 1, lines->len - 1);
	g_autofree char *line = mime_line(lines, at);
	gsize size = 0;
	g_autofree guchar *data = g_base64_decode(line, &size);
	g_autoptr(GByteArray) bytes = g_byte_array_append(g_byte_array_new(), data, size);
	mutate_bytes(bytes);
	g_autofree char *coded = g_base64_encode(bytes->data, bytes->len);
	mime_replace(lines, at, coded, strlen(coded));
}

/* Copies a boundary and some lines after it to another place. */
static void mime_copy_part(GRand *random, GPtrArray *lines)
{
	enum { MAX_COPIED = 16 };
	guint from = mime_find(random, lines, "--");
	guint to = g_rand_int_range(random, 0, lines->len);
	guint most = g_rand_int_range(random, 1, MAX_COPIED), n = MIN(most, lines->len - from);
	g_autoptr(GPtrArray) part = g_ptr_array_new();
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(part, g_bytes_ref(lines->pdata[from + i]));
	for (guint i = 0; i < n; i++)
		g_ptr_array_insert(lines, to + i, part->pdata[i]);
}

GByteArray *mutate_format(GRand *random, Bytes file)
{
	static const char *const begins[] = {"Content-", "--", "Subject", "From", " ", "\t"};
	g_autoptr(GPtrArray) lines = mime_split(file);
	if (lines->len < 2)
		return NULL;
	const char *header = headers[g_rand_int_range(random, 0, G_N_ELEMENTS(headers))];
	const char *begin = begins[g_rand_int_range(random, 0, G_N_ELEMENTS(begins))];
	guint at = mime_find(random, lines, begin);
	switch (g_rand_int_range(random, 0, 6)) {
	case 0:
		mime_add_line(lines, at, header);
		break;
	case 1:
		mime_replace(lines, at, header, strlen(header));
		break;
	case 2:
		g_ptr_array_remove_index(lines, at);
		break;
	case 3:
		mime_change_value(lines, at);
		break;
	case 4:
		mime_copy_part(random, lines);
		break;
	default:
		mime_change_base64(random, lines);
	}
	return mime_join(lines);
}
