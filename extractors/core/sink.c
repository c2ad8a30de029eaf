/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/sink.h"
#include "common/base/paths.h"
#include "extractors/core/addresses.h"
#include "common/base/media-type.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "extractors/charset/charset.h"
#include "extractors/charset/language.h"
#include <string.h>

enum {
	ALIVE_US = G_USEC_PER_SEC,
	MAX_INLINE = 8, /* nesting of sink_inline() within one document */
	RATIO_FROM = 16 << 20, /* the ratio is checked from this many unpacked bytes on */
	MAX_HREF = 2 << 10, /* of an anchor, and of the text of a link */
	MAX_TARGET = 56 << 10, /* of other links: a pattern of robots.txt */
	MAX_LABEL = 1 << 10,
};

struct Sink {
	Conversion *conversion;
	Sink *parent; /* NULL: this is the file itself */
	const char *path; /* member path; "" for the file itself */
	char *own_path; /* the same if this owns it, or NULL */
	const Extractor *extractor; /* what fills the document; NULL: none */
	unsigned depth, inlined;
	bool new_block; /* the next text begins a new block */
	bool full, truncated;
	char language[36]; /* the first declared language; "": none */
	uint64_t text_bytes;
	DocTag last_tag; /* tag of the last run */
	unsigned facts, links, breaks, runs;
	DocReason reason;
	char detail[DOC_MAX_DETAIL_BYTES];
	char sample[LANGUAGE_SAMPLE_BYTES]; /* start of the prose, to detect its language */
	size_t sampled;
	Addresses *addresses; /* of links, sent at the end; NULL: none */
};

static bool sink_is_open(Sink *sink)
{
	Conversion *c = sink->conversion;
	if (c->out->broken)
		c->stopped = true;
	return !sink->full && !c->stopped && !c->found;
}

/* Sends WIRE_ALIVE if nothing has been sent for a while, or at once. */
static void sink_heartbeat(Conversion *c, bool at_once)
{
	int64_t now_us = g_get_monotonic_time();
	if (!at_once && now_us - c->alive_us < ALIVE_US)
		return;
	c->alive_us = now_us;
	out_put(c->out, WIRE_ALIVE, 0, 0, &c->members, sizeof c->members, NULL, 0);
	out_flush(c->out);
}

static void set_detail(Sink *sink, const char *detail)
{
	g_autofree char *clean = text_to_utf8(detail ? detail : "", -1);
	size_t n = text_clip(clean, strlen(clean), sizeof sink->detail - 1);
	memcpy(sink->detail, clean, n);
	sink->detail[n] = '\0';
}

void sink_truncated(Sink *sink, DocReason reason, const char *detail)
{
	if (sink->truncated)
		return;
	sink->truncated = true;
	sink->reason = reason;
	set_detail(sink, detail);
}

ExtractResult sink_fail(Sink *sink, DocReason reason, const char *detail)
{
	if (sink->inlined > 0) {
		sink_truncated(sink, reason, detail);
		return EXTRACT_FAILED;
	}
	sink->reason = reason;
	set_detail(sink, detail);
	return EXTRACT_FAILED;
}

/* ---- text */

static bool sink_text_is_clean(const char *text, size_t length)
{
	return utf8_has_no_controls(text, length) && utf8_is_valid(text, length);
}

/* Every kind of line end becomes a newline; all other control characters but tab become spaces. */
static char *replace_controls(const char *text, size_t length, size_t *length_r)
{
	char *copy = g_malloc(length + 1);
	size_t used = 0;
	for (size_t i = 0; i < length; i++) {
		char byte = text[i];
		if (byte == '\r' && i + 1 < length && text[i + 1] == '\n')
			continue;
		if ((uint8_t)byte < 0x20 && byte != '\n' && byte != '\t')
			byte = byte == '\r' ? '\n' : ' ';
		copy[used++] = byte;
	}
	*length_r = used;
	return copy;
}

/* Returns valid UTF-8 without control characters: the text itself, or a repaired copy in *copy. */
static const char *sink_cleaned(const char *text, size_t *length, char **copy)
{
	if (sink_text_is_clean(text, *length))
		return text;
	*copy = replace_controls(text, *length, length);
	if (utf8_is_valid(*copy, *length))
		return *copy;
	char *repaired = text_to_utf8(*copy, *length);
	g_free(*copy);
	*copy = repaired;
	*length = strlen(repaired);
	return repaired;
}

static size_t sink_length_of(const char *text, ssize_t length)
{
	if (!text)
		return 0;
	return length < 0 ? strlen(text) : (size_t)length;
}

bool sink_block(Sink *sink, DocTag tag)
{
	(void)tag; /* the runs carry the tag */
	sink->new_block = true;
	return sink_is_open(sink);
}

/* Adds a text to the sample, followed by a space. */
static void take_sample(Sink *sink, DocTag tag, const char *text, size_t length)
{
	size_t room = sizeof sink->sample - sink->sampled;
	if (room < 2 || tag == TAG_CODE || tag == TAG_NOISE)
		return;
	size_t n = text_clip(text, length, room - 1);
	memcpy(sink->sample + sink->sampled, text, n);
	sink->sampled += n;
	sink->sample[sink->sampled++] = ' ';
}

bool sink_text(Sink *sink, DocTag tag, const char *text, ssize_t length)
{
	size_t n = sink_length_of(text, length);
	g_autofree char *copy = NULL;
	if (!sink_is_open(sink))
		return false;
	if (n == 0 || (unsigned)tag >= N_TAGS)
		return true;
	text = sink_cleaned(text, &n, &copy);
	uint64_t room = sink->conversion->limits.text_bytes - sink->text_bytes;
	if (n > room) {
		n = text_clip(text, n, room);
		sink->full = true;
		sink_truncated(sink, REASON_LIMIT_TEXT, NULL);
	}
	if (sink->runs == 0 || sink->new_block || tag != sink->last_tag)
		sink->runs++;
	sink->last_tag = tag;
	if (sink->runs >= DOC_MAX_RUNS) {
		sink->full = true;
		sink_truncated(sink, REASON_LIMIT_TEXT, NULL);
	}
	take_sample(sink, tag, text, n);
	out_text(sink->conversion->out, tag, sink->new_block ? DOC_RUN_BLOCK : 0, text, n);
	sink->new_block = false;
	sink->text_bytes += n;
	sink_heartbeat(sink->conversion, false);
	return sink_is_open(sink);
}

bool sink_has_text(const Sink *sink)
{
	return sink->runs > 0;
}

/* ---- facts, breaks, links */

/* The language is sent at the end, when the text is known. */
static void keep_language(Sink *sink, const char *value, size_t n)
{
	if (*sink->language == '\0')
		g_strlcpy(sink->language, value, MIN(n + 1, sizeof sink->language));
}

enum { MOST_OF_FACT = MIN((int)DOC_MAX_FACT_BYTES, WIRE_PACKET_BYTES - WIRE_HEADER_BYTES) };

bool sink_field(Sink *sink, DocField field, const char *value, ssize_t length)
{
	size_t n = sink_length_of(value, length);
	g_autofree char *copy = NULL;
	if (!sink_is_open(sink))
		return false;
	/* the title of an inner part is not the document's title, but its language counts */
	if ((unsigned)field >= N_FIELDS || (sink->inlined > 0 && field != FIELD_LANGUAGE))
		return true;
	value = n > 0 ? sink_cleaned(value, &n, &copy) : value;
	while (n > 0 && g_ascii_isspace(value[n - 1]))
		n--;
	while (n > 0 && g_ascii_isspace(*value)) {
		value++;
		n--;
	}
	if (n == 0)
		return true;
	size_t kept = text_clip(value, n, MOST_OF_FACT);
	if (field == FIELD_LANGUAGE) {
		keep_language(sink, value, kept);
		return true;
	}
	/* the last slot is reserved for the language */
	bool full = sink->facts >= DOC_MAX_FACTS - 1;
	if (full || kept < n)
		sink_truncated(sink, REASON_LIMIT_TEXT, NULL);
	if (full)
		return true;
	sink->facts++;
	out_put(sink->conversion->out, WIRE_FIELD, field, 0, value, kept, NULL, 0);
	return sink_is_open(sink);
}

bool sink_break(Sink *sink, DocBreakKind kind, unsigned number, const char *label)
{
	size_t n = sink_length_of(label, -1);
	uint32_t number32 = number;
	g_autofree char *copy = NULL;
	sink->new_block = true;
	if (!sink_is_open(sink))
		return false;
	if ((unsigned)kind >= N_BREAKS || sink->breaks >= DOC_MAX_BREAKS)
		return true;
	label = n > 0 ? sink_cleaned(label, &n, &copy) : label;
	n = n > 0 ? text_clip(label, n, MAX_LABEL) : 0;
	sink->breaks++;
	out_put(sink->conversion->out, WIRE_BREAK, kind, 0, &number32, sizeof number32, label, n);
	sink_heartbeat(sink->conversion, false);
	return sink_is_open(sink);
}

void sink_address(Sink *sink, const char *href, const char *text)
{
	const Conversion *c = sink->conversion;
	/* links of the pages and feeds of sites are followed, and are many */
	bool is_file = c->purpose == JOB_FILE && (!c->url || !*c->url);
	if (href && is_file)
		addresses_add(&sink->addresses, href, text);
}

bool sink_link(Sink *sink, const char *href, const char *text)
{
	sink_address(sink, href, text);
	return sink_link_kind(sink, LINK_ANCHOR, 0, href, text);
}

bool sink_link_kind(
        Sink *sink, DocLinkKind kind, unsigned flags, const char *href, const char *text)
{
	size_t href_length = sink_length_of(href, -1), text_length = sink_length_of(text, -1);
	g_autofree char *href_copy = NULL, *text_copy = NULL;
	if (!sink_is_open(sink))
		return false;
	if ((unsigned)kind >= N_LINK_KINDS || flags > DOC_LINK_NOFOLLOW || href_length == 0 ||
	        href_length > (kind == LINK_ANCHOR ? MAX_HREF : MAX_TARGET) ||
	        sink->links >= DOC_MAX_LINKS)
		return true;
	href = sink_cleaned(href, &href_length, &href_copy);
	if (text_length > 0)
		text = sink_cleaned(text, &text_length, &text_copy);
	text_length = text_length > 0 ? text_clip(text, text_length, MAX_HREF) : 0;
	if (href_length > UINT16_MAX)
		return true;
	sink->links++;
	out_put(sink->conversion->out, WIRE_LINK, kind | flags << 4, href_length, href, href_length,
	        text, text_length);
	return sink_is_open(sink);
}

static void sink_put_addresses(Sink *sink)
{
	if (!sink->addresses)
		return;
	const GString *text = addresses_text(sink->addresses);
	sink->new_block = true;
	sink_text(sink, TAG_NOISE, text->str, text->len);
}

bool sink_unpacked(Sink *sink, size_t bytes)
{
	Conversion *c = sink->conversion;
	c->unpacked_bytes += bytes;
	sink_heartbeat(c, false);
	bool too_much = c->unpacked_bytes > c->limits.unpacked_bytes ||
	                (c->unpacked_bytes > RATIO_FROM &&
	                        c->unpacked_bytes / c->limits.ratio > c->packed_bytes);
	if (too_much)
		sink_truncated(sink, REASON_LIMIT_UNPACKED, NULL);
	return !too_much && sink_is_open(sink);
}

bool sink_picture(Sink *sink, unsigned width, unsigned height, const uint8_t *pixels)
{
	const WirePicture head = {width, height};
	Conversion *c = sink->conversion;
	if (!sink_is_open(sink) || sink->parent || c->purpose != JOB_PICTURE || c->drawn ||
	        width < 1 || width > WIRE_PICTURE_SIDE || height < 1 || height > WIRE_PICTURE_SIDE)
		return false;
	c->drawn = true;
	out_put(c->out, WIRE_PICTURE, 0, 0, &head, sizeof head, pixels,
	        (size_t)WIRE_PIXEL_BYTES * width * height);
	return sink_is_open(sink);
}

/* ---- documents */

/* A container may declare any type. One that is none would break the protocol, and lose the whole
 * job. */
static void put_type(Conversion *c, const char *mime, const Extractor *extractor)
{
	const char *type = media_type_is_valid(mime) ? mime : "application/octet-stream";
	char bytes[256];
	uint32_t version = extractor ? registry_version(c->registry, extractor) : 0;
	int n = g_snprintf(
	        bytes, sizeof bytes, "%s%c%s", type, '\1', extractor ? extractor->name : "");
	n = MIN(n, (int)sizeof bytes - 1);
	*strchr(bytes, '\1') = '\0';
	out_put(c->out, WIRE_TYPE, 0, 0, &version, sizeof version, bytes, n);
}

static void put_language(Sink *sink)
{
	const char *told = *sink->language ? sink->language : NULL;
	const char *language = language_decide(told, sink->sample, sink->sampled);
	if (language)
		out_put(sink->conversion->out, WIRE_FIELD, FIELD_LANGUAGE, 0, language,
		        strlen(language), NULL, 0);
}

static void put_end(Sink *sink, DocState state)
{
	unsigned b = sink->reason | (sink->truncated && state == STATE_OK ? 0x8000 : 0);
	out_put(sink->conversion->out, WIRE_END, state, b, sink->detail, strlen(sink->detail), NULL,
	        0);
}

static DocState sink_state_of(const Sink *sink, ExtractResult result)
{
	switch (result) {
	case EXTRACT_DONE:
		return STATE_OK;
	case EXTRACT_NOTHING:
		return sink->truncated ? STATE_OK : STATE_NOTHING;
	default:
		return STATE_FAILED;
	}
}

/* A type without a plugin is not a failure, unless a plugin for it exists but is unusable. */
static DocState state_without_plugin(Sink *sink, const char *mime, const char *missing)
{
	if (missing) {
		sink->reason = REASON_MISSING;
		set_detail(sink, missing);
		return STATE_FAILED;
	}
	if (strcmp(mime, "inode/x-empty") != 0)
		sink->reason = REASON_UNSUPPORTED;
	return STATE_NOTHING;
}

/* A container must be converted where all its members can be. */
static WireLane lane_with_member(WireLane container, WireLane member)
{
	return container == LANE_CHEAP && member == LANE_OWN ? LANE_OWN : LANE_ALL;
}

static void request_lane(Conversion *c, WireLane lane, const char *mime)
{
	out_put(c->out, WIRE_OTHER_LANE, lane, 0, mime, strlen(mime), NULL, 0);
	c->stopped = true;
}

/* False: what the job asked for may have been sent, and cannot be taken back. */
static bool sink_can_move(const Conversion *c)
{
	return !c->found && !c->stopped && c->purpose != JOB_PICTURE;
}

/* The type by which the purpose of the job chooses the plugin, else what the content is. Plugins
 * name theirs in small letters. */
static char *sink_type_of(Conversion *c, const Input *in, const char *declared)
{
	static const char *const types[N_JOB_PURPOSES] = {
	        [JOB_ROBOTS] = ROBOTS_TYPE, [JOB_SITEMAP] = SITEMAP_TYPE, [JOB_FEED] = FEED_TYPE};
	g_autofree char *small = declared ? g_ascii_strdown(declared, -1) : NULL;
	const char *type = types[in->purpose];
	return g_strdup(type ? type : sniff_type(c->sniffer, in->data, in->size, in->name, small));
}

/* The extractor converts the file, or draws it. */
static ExtractResult sink_run(Sink *sink, const Extractor *extractor, const Input *in)
{
	const Conversion *c = sink->conversion;
	if (c->purpose != JOB_PICTURE)
		return extractor->extract(in, sink);
	if (extractor->draw && registry_draws(c->registry))
		return extractor->draw(in, sink);
	sink->reason = REASON_UNSUPPORTED;
	return EXTRACT_NOTHING;
}

/* Sends the frames from WIRE_TYPE to WIRE_END. */
static void sink_convert(Sink *sink, const Input *in, const char *declared)
{
	Conversion *c = sink->conversion;
	const char *missing;
	g_autofree char *mime = sink_type_of(c, in, declared);
	const Extractor *extractor = registry_find(c->registry, mime, &missing);
	WireLane lane;
	if (registry_is_elsewhere(c->registry, mime, &lane)) {
		request_lane(c, sink->parent ? lane_with_member(c->lane, lane) : lane, mime);
		return;
	}
	put_type(c, mime, extractor);
	Input typed = *in;
	typed.mime = mime;
	typed.limits = &c->limits;
	if (!extractor) {
		put_end(sink, state_without_plugin(sink, mime, missing));
		return;
	}
	if (sink->parent)
		sink_heartbeat(c, true); /* a crash is then attributed to this member */
	sink->extractor = extractor;
	ExtractResult result = sink_run(sink, extractor, &typed);
	if (charset_was_missing() && sink_can_move(c))
		request_lane(c, LANE_ALL, mime);
	if (c->stopped)
		return;
	if (result == EXTRACT_DONE)
		sink_put_addresses(sink);
	put_language(sink);
	put_end(sink, sink_state_of(sink, result));
}

static void put_document(Conversion *c, const char *path, int64_t size, int64_t mtime_ns)
{
	int64_t numbers[2] = {size, mtime_ns};
	c->documents++;
	out_put(c->out, WIRE_DOC, 0, 0, numbers, sizeof numbers, path, strlen(path));
}

/* Path of a member: the path of its container, '|', its own name; cut if it is too long. */
static char *member_path(const Sink *sink, const char *name)
{
	char *path = *sink->path ? g_strconcat(sink->path, "|", name, NULL) : g_strdup(name);
	if (strlen(path) > DOC_MAX_MEMBER_BYTES)
		path[DOC_MAX_MEMBER_BYTES] = '\0';
	return path;
}

static bool member_allowed(Sink *sink)
{
	Conversion *c = sink->conversion;
	if (!sink_is_open(sink))
		return false;
	if (c->members >= c->limits.members)
		sink_truncated(sink, REASON_LIMIT_MEMBERS, NULL);
	else if (sink->depth >= c->limits.depth)
		sink_truncated(sink, REASON_LIMIT_DEPTH, NULL);
	else
		return true;
	return false;
}

/* Is the member the wanted one, or a container that may hold it? */
static bool leads_to_wanted(const Conversion *c, const char *path)
{
	size_t length = strlen(path);
	return strncmp(c->wanted, path, length) == 0 &&
	       (c->wanted[length] == '\0' || c->wanted[length] == '|');
}

static void send_wanted(Sink *inner, const SinkMember *member)
{
	Conversion *c = inner->conversion;
	put_type(c, "application/octet-stream", NULL);
	for (size_t done = 0, n; done < member->size && !c->out->broken; done += n) {
		n = MIN(member->size - done, WIRE_PACKET_BYTES - WIRE_HEADER_BYTES);
		out_put(c->out, WIRE_BYTES, 0, 0, member->data + done, n, NULL, 0);
	}
	put_end(inner, STATE_OK);
	c->found = true;
}

/* Begins the document of a member. NULL: it is not wanted, or not allowed. */
static Sink *sink_open_member(Sink *sink, const SinkMember *member)
{
	Conversion *c = sink->conversion;
	if (!member_allowed(sink))
		return NULL;
	g_autofree char *path =
	        member_path(sink, member->name && *member->name ? member->name : "?");
	if (c->wanted && !leads_to_wanted(c, path)) {
		sink_heartbeat(c, false);
		return NULL;
	}
	Sink *inner = g_new0(Sink, 1);
	*inner = (Sink){
	        .conversion = c, .parent = sink, .depth = sink->depth + 1, .new_block = true};
	inner->path = inner->own_path = g_steal_pointer(&path);
	c->members++;
	put_document(c, inner->path, member->size == SIZE_MAX ? -1 : (int64_t)member->size,
	        member->mtime_ns);
	return inner;
}

static void sink_close_member(Sink *sink, Sink *inner)
{
	sink->new_block = true;
	sink_heartbeat(sink->conversion, false);
	addresses_free(inner->addresses);
	g_free(inner->own_path);
	g_free(inner);
}

/* Ends the document if the member is skipped, only listed, or asked for. */
static bool sink_settles_member(Sink *inner, const SinkMember *member)
{
	Conversion *c = inner->conversion;
	if (c->members == c->skip_member) {
		inner->reason = REASON_CRASHED;
		put_end(inner, STATE_FAILED);
	} else if (!member->data) {
		inner->reason = member->reason;
		put_end(inner, member->reason ? STATE_FAILED : STATE_NOTHING);
	} else if (c->wanted && strcmp(c->wanted, inner->path) == 0) {
		send_wanted(inner, member);
	} else {
		return false;
	}
	return true;
}

bool sink_member(Sink *sink, const SinkMember *member)
{
	if (!member_allowed(sink))
		return false;
	Sink *inner = sink_open_member(sink, member);
	if (!inner)
		return true;
	if (!sink_settles_member(inner, member)) {
		Input in = {.data = member->data,
		        .size = member->size,
		        .name = path_base_name(member->name ? member->name : ""),
		        .charset = member->charset,
		        .purpose = JOB_FILE,
		        .url = ""};
		sink_convert(inner, &in, member->mime);
	}
	sink_close_member(sink, inner);
	return sink_is_open(sink);
}

Sink *sink_begin_member(Sink *sink, const SinkMember *member)
{
	Sink *inner = sink_open_member(sink, member);
	if (!inner)
		return NULL;
	if (sink_settles_member(inner, member)) {
		sink_close_member(sink, inner);
		return NULL;
	}
	put_type(sink->conversion, member->mime, sink->extractor);
	inner->extractor = sink->extractor;
	sink_heartbeat(sink->conversion, false);
	return inner;
}

void sink_end_member(Sink *inner)
{
	if (!inner->conversion->stopped) {
		sink_put_addresses(inner);
		put_language(inner);
		put_end(inner, STATE_OK);
	}
	sink_close_member(inner->parent, inner);
}

unsigned sink_ocr_ms(const Sink *sink)
{
	const Conversion *c = sink->conversion;
	int64_t used_us = g_get_monotonic_time() - c->started_us;
	return MAX((int64_t)c->limits.wall_ms / 3 * 2 - used_us / 1000, 0);
}

bool sink_wants_ocr(Sink *sink)
{
	Conversion *c = sink->conversion;
	if (!registry_find(c->registry, OCR_TYPE, NULL))
		return false;
	c->left_out |= !c->slow;
	if (c->slow && sink_ocr_ms(sink) == 0)
		sink_truncated(sink, REASON_LIMIT_TIME, "not all pictures were recognised");
	return c->slow && sink_ocr_ms(sink) > 0;
}

bool sink_inline(
        Sink *sink, const char *mime, const char *charset, const uint8_t *data, size_t size)
{
	Conversion *c = sink->conversion;
	const Extractor *extractor = registry_find(c->registry, mime, NULL);
	if (!sink_is_open(sink))
		return false;
	if (!extractor || sink->inlined >= MAX_INLINE)
		return true;
	if (strcmp(mime, OCR_TYPE) == 0 && !sink_wants_ocr(sink))
		return true;
	Input in = {.data = data,
	        .size = size,
	        .name = "",
	        .mime = mime,
	        .charset = charset,
	        .purpose = JOB_FILE,
	        .url = "",
	        .limits = &c->limits};
	sink->new_block = true;
	sink->inlined++;
	extractor->extract(&in, sink);
	sink->inlined--;
	sink->new_block = true;
	return sink_is_open(sink);
}

ExtractResult sink_draw(Sink *sink, const uint8_t *data, size_t size)
{
	Conversion *c = sink->conversion;
	/* copy it: the next call of the sniffer overwrites it */
	g_autofree char *mime = g_strdup(sniff_type(c->sniffer, data, size, "", NULL));
	const Extractor *extractor = registry_find(c->registry, mime, NULL);
	Input in = {.data = data,
	        .size = size,
	        .name = "",
	        .mime = mime,
	        .purpose = JOB_PICTURE,
	        .url = "",
	        .limits = &c->limits};
	if (extractor && extractor->lane == LANE_IMAGE && sink_is_open(sink))
		return sink_run(sink, extractor, &in);
	sink->reason = REASON_UNSUPPORTED;
	return EXTRACT_NOTHING;
}

void conversion_run(Conversion *conversion, const uint8_t *data, size_t size, const char *name)
{
	g_autofree Sink *sink = g_new0(Sink, 1);
	*sink = (Sink){.conversion = conversion, .path = "", .new_block = true};
	conversion->packed_bytes = size;
	conversion->started_us = conversion->alive_us = g_get_monotonic_time();
	put_document(conversion, "", size, 0);
	Input in = {.data = data,
	        .size = size,
	        .name = name,
	        .charset = conversion->charset,
	        .purpose = conversion->purpose,
	        .url = conversion->url ? conversion->url : ""};
	sink_convert(sink, &in, NULL);
	addresses_free(sink->addresses);
}
