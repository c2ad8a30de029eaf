/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/pack.h"
#include <string.h>

/* Version 1 has no kinds and flags of links: all are anchors. */
enum { PACK_VERSION = 2, PACK_VERSION_KINDS = 2 };

/* ---- writing */

static void pack_put_number(GByteArray *out, uint64_t number)
{
	uint8_t bytes[10];
	unsigned n = 0;
	do {
		bytes[n++] = (number & 0x7f) | (number > 0x7f ? 0x80 : 0);
		number >>= 7;
	} while (number > 0);
	g_byte_array_append(out, bytes, n);
}

static void pack_put_bytes(GByteArray *out, const char *bytes, size_t length)
{
	pack_put_number(out, length);
	g_byte_array_append(out, (const uint8_t *)bytes, length);
}

static void pack_put_string(GByteArray *out, const char *string)
{
	pack_put_bytes(out, string ? string : "", string ? strlen(string) : 0);
}

static void put_head(GByteArray *out, const Document *doc)
{
	pack_put_number(out, PACK_VERSION);
	pack_put_string(out, doc->member);
	pack_put_number(out, (uint64_t)doc->member_size);
	pack_put_number(out, (uint64_t)doc->member_mtime_ns);
	pack_put_string(out, doc->mime);
	pack_put_string(out, doc->extractor);
	pack_put_number(out, doc->version);
	pack_put_number(out, doc->state);
	pack_put_number(out, doc->reason);
	pack_put_number(out, doc->truncated);
	pack_put_string(out, doc->detail);
}

static void put_marks(GByteArray *out, const Document *doc)
{
	pack_put_number(out, doc->breaks->len);
	for (guint i = 0; i < doc->breaks->len; i++) {
		const DocBreak *mark = &g_array_index(doc->breaks, DocBreak, i);
		pack_put_number(out, mark->offset);
		pack_put_number(out, mark->number);
		pack_put_number(out, mark->kind);
		pack_put_string(out, mark->label);
	}
	pack_put_number(out, doc->links->len);
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *item = &g_array_index(doc->links, DocLink, i);
		pack_put_string(out, item->href);
		pack_put_string(out, item->text);
		pack_put_number(out, item->kind);
		pack_put_number(out, item->flags);
	}
}

GByteArray *pack_document(const Document *doc)
{
	GByteArray *out = g_byte_array_sized_new(doc->text->len + 1024);
	put_head(out, doc);
	pack_put_number(out, doc->facts->len);
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		pack_put_number(out, fact->field);
		pack_put_string(out, fact->value);
	}
	pack_put_bytes(out, doc->text->str, doc->text->len);
	pack_put_number(out, doc->runs->len);
	for (guint i = 0; i < doc->runs->len; i++) {
		const DocRun *run = &g_array_index(doc->runs, DocRun, i);
		pack_put_number(out, run->length);
		pack_put_number(out, run->tag);
		pack_put_number(out, run->flags);
	}
	put_marks(out, doc);
	return out;
}

/* ---- reading: after the first error every field reads as empty, and the end reports the error */

typedef struct {
	const uint8_t *at, *end;
	bool bad;
	unsigned version;
} PackInput;

static uint64_t get_number(PackInput *in, uint64_t max)
{
	uint64_t number = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (in->bad || in->at >= in->end)
			break;
		uint8_t byte = *in->at++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (number <= max)
			return number;
		break;
	}
	in->bad = true;
	return 0;
}

/* UTF-8 without NUL; with raw, any bytes without NUL. */
static const char *get_bytes(PackInput *in, size_t max, bool raw, size_t *length_r)
{
	*length_r = get_number(in, max);
	if (*length_r > (size_t)(in->end - in->at)) {
		in->bad = true;
		*length_r = 0;
	}
	if (*length_r == 0)
		return "";
	const char *bytes = (const char *)in->at;
	if (memchr(bytes, 0, *length_r) || (!raw && !g_utf8_validate(bytes, *length_r, NULL))) {
		in->bad = true;
		*length_r = 0;
	}
	in->at += *length_r;
	return bytes;
}

static char *get_string(PackInput *in, size_t max, bool raw)
{
	size_t length;
	const char *bytes = get_bytes(in, max, raw, &length);
	return length > 0 ? g_strndup(bytes, length) : NULL;
}

static void get_head(PackInput *in, Document *doc)
{
	in->version = get_number(in, PACK_VERSION);
	if (in->version == 0)
		in->bad = true;
	doc->member = get_string(in, DOC_MAX_MEMBER_BYTES, true);
	doc->member_size = (int64_t)get_number(in, UINT64_MAX);
	doc->member_mtime_ns = (int64_t)get_number(in, UINT64_MAX);
	doc->mime = get_string(in, 1024, false);
	doc->extractor = get_string(in, 1024, false);
	doc->version = get_number(in, UINT32_MAX);
	doc->state = get_number(in, N_STATES - 1);
	doc->reason = get_number(in, N_REASONS - 1);
	doc->truncated = get_number(in, 1);
	doc->detail = get_string(in, DOC_MAX_DETAIL_BYTES, false);
}

static void get_facts(PackInput *in, Document *doc)
{
	for (uint64_t n = get_number(in, DOC_MAX_FACTS); n > 0 && !in->bad; n--) {
		size_t length;
		DocField field = get_number(in, N_FIELDS - 1);
		const char *value = get_bytes(in, DOC_MAX_FACT_BYTES, false, &length);
		if (!in->bad)
			document_add_fact(doc, field, value, length);
	}
}

/* The runs must cover the text exactly, each with a whole number of characters. */
static void get_text(PackInput *in, Document *doc)
{
	size_t length;
	const char *text = get_bytes(in, G_MAXINT32, false, &length);
	size_t offset = 0;
	for (uint64_t n = get_number(in, G_MAXINT32); n > 0 && !in->bad; n--) {
		DocRun run = {offset, get_number(in, length - offset), 0, 0};
		run.tag = get_number(in, N_TAGS - 1);
		run.flags = get_number(in, DOC_RUN_BLOCK);
		offset += run.length;
		if (offset < length && (text[offset] & 0xc0) == 0x80)
			in->bad = true;
		g_array_append_val(doc->runs, run);
	}
	if (offset != length)
		in->bad = true;
	if (!in->bad)
		g_string_append_len(doc->text, text, length);
}

static void get_marks(PackInput *in, Document *doc)
{
	uint32_t last = 0;
	for (uint64_t n = get_number(in, DOC_MAX_BREAKS); n > 0 && !in->bad; n--) {
		DocBreak mark = {.offset = get_number(in, doc->text->len)};
		mark.number = get_number(in, UINT32_MAX);
		mark.kind = get_number(in, N_BREAKS - 1);
		mark.label = get_string(in, DOC_MAX_DETAIL_BYTES, false);
		if (mark.offset < last)
			in->bad = true;
		last = mark.offset;
		g_array_append_val(doc->breaks, mark);
	}
	for (uint64_t n = get_number(in, DOC_MAX_LINKS); n > 0 && !in->bad; n--) {
		g_autofree char *href = get_string(in, G_MAXINT32, false);
		g_autofree char *text = get_string(in, G_MAXINT32, false);
		bool has_kind = in->version >= PACK_VERSION_KINDS;
		DocLinkKind kind = has_kind ? get_number(in, N_LINK_KINDS - 1) : LINK_ANCHOR;
		unsigned flags = has_kind ? get_number(in, DOC_LINK_NOFOLLOW) : 0;
		document_add_link(doc, kind, flags, href ? href : "", text ? text : "");
	}
}

Document *unpack_document(const uint8_t *bytes, size_t length)
{
	PackInput in = {bytes, bytes + length, false, 0};
	g_autoptr(Document) doc = document_new(NULL);
	get_head(&in, doc);
	get_facts(&in, doc);
	get_text(&in, doc);
	get_marks(&in, doc);
	return in.bad || in.at != in.end ? NULL : g_steal_pointer(&doc);
}
