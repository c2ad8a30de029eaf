/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/mail/cms.h"
#include <string.h>

enum { MAX_DEPTH = 32 };
enum {
	T_OCTETS = 0x04,
	T_OID = 0x06,
	T_OCTETS_IN_PIECES = 0x24,
	T_SEQUENCE = 0x30,
	T_SET = 0x31,
	T_0 = 0xa0
};

typedef struct {
	const uint8_t *at, *end;
} Ber;

static bool cms_next(Ber *in, uint8_t *tag, Ber *body, unsigned depth);

/* Finds the two zero bytes that end an element of indefinite length. */
static bool cms_find_end(Ber *in, Ber *body, unsigned depth)
{
	body->at = in->at;
	while (in->end - in->at >= 2) {
		uint8_t tag;
		Ber inner;
		if (in->at[0] == 0 && in->at[1] == 0) {
			body->end = in->at;
			in->at += 2;
			return true;
		}
		if (depth >= MAX_DEPTH || !cms_next(in, &tag, &inner, depth + 1))
			return false;
	}
	return false;
}

/* Takes the next element; a cut one keeps the bytes that are there. */
static bool cms_next(Ber *in, uint8_t *tag, Ber *body, unsigned depth)
{
	enum { INDEFINITE = 0x80, LONG_FORM = 0x80, MANY_TAGS = 0x1f };
	if (in->end - in->at < 2 || (*in->at & MANY_TAGS) == MANY_TAGS)
		return false;
	*tag = *in->at++;
	uint64_t length = *in->at++;
	if (length == INDEFINITE)
		return cms_find_end(in, body, depth);
	if (length & LONG_FORM) {
		unsigned bytes = length & 0x7f;
		length = 0;
		if (bytes > 6 || in->end - in->at < bytes)
			return false;
		while (bytes-- > 0)
			length = length << 8 | *in->at++;
	}
	size_t there = MIN(length, (uint64_t)(in->end - in->at));
	*body = (Ber){in->at, in->at + there};
	in->at = body->end;
	return true;
}

static bool cms_enter(Ber *in, uint8_t wanted, Ber *body)
{
	uint8_t tag;
	return cms_next(in, &tag, body, 0) && tag == wanted;
}

static void add_octets(Ber in, GByteArray *content, unsigned depth)
{
	uint8_t tag;
	Ber body;
	while (depth < MAX_DEPTH && cms_next(&in, &tag, &body, depth)) {
		if (tag == T_OCTETS)
			g_byte_array_append(content, body.at, body.end - body.at);
		else if (tag == T_OCTETS_IN_PIECES)
			add_octets(body, content, depth + 1);
	}
}

/* SignedData: version, digest algorithms, the signed content, and more that is not read. */
static GByteArray *signed_content(Ber in)
{
	uint8_t tag;
	Ber data, body, skipped;
	if (!cms_enter(&in, T_SEQUENCE, &data) || !cms_next(&data, &tag, &skipped, 0) ||
	        !cms_enter(&data, T_SET, &skipped) || !cms_enter(&data, T_SEQUENCE, &in) ||
	        !cms_enter(&in, T_OID, &skipped) || !cms_enter(&in, T_0, &body))
		return NULL;
	GByteArray *content = g_byte_array_new();
	add_octets(body, content, 0);
	return content;
}

static CmsKind read_ber(Ber in, GByteArray **content_r)
{
	static const uint8_t types[] = {0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07};
	enum { SIGNED = 2, ENVELOPED = 3, ENCRYPTED = 6 };
	Ber info, type, body;
	if (!cms_enter(&in, T_SEQUENCE, &info) || !cms_enter(&info, T_OID, &type) ||
	        !cms_enter(&info, T_0, &body) || type.end - type.at != sizeof types + 1 ||
	        memcmp(type.at, types, sizeof types) != 0)
		return CMS_NOTHING;
	uint8_t kind = type.at[sizeof types];
	if (kind == ENVELOPED || kind == ENCRYPTED)
		return CMS_ENCRYPTED;
	*content_r = kind == SIGNED ? signed_content(body) : NULL;
	return *content_r ? CMS_SIGNED : CMS_NOTHING;
}

/* Ignores the lines around the Base64 text. NULL: it is not Base64. The caller frees it. */
static uint8_t *from_base64(const uint8_t *data, size_t size, gsize *length)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	char *at = text;
	if (g_str_has_prefix(at, "-----BEGIN "))
		at += strcspn(at, "\n");
	at[strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r\n")] =
	        '\0';
	g_strchug(at);
	/* a DER sequence begins with 'M' in Base64 */
	return *at == 'M' ? g_base64_decode(at, length) : NULL;
}

CmsKind cms_read(const uint8_t *data, size_t size, GByteArray **content_r)
{
	*content_r = NULL;
	if (size == 0)
		return CMS_NOTHING;
	if (*data == T_SEQUENCE)
		return read_ber((Ber){data, data + size}, content_r);
	gsize length = 0;
	g_autofree uint8_t *bytes = from_base64(data, size, &length);
	return bytes ? read_ber((Ber){bytes, bytes + length}, content_r) : CMS_NOTHING;
}
