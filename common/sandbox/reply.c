/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/reply.h"
#include "common/base/media-type.h"
#include "common/base/utf8.h"
#include <string.h>

enum {
	TRUNCATED = 0x8000,
	/* bytes of metadata, labels and links beside the text of a document */
	DOCUMENT_EXTRA = 32 << 20,
	JOB_EXTRA = 64 << 20,
	BREAK_COST = 64, /* memory that a short frame takes */
};

typedef struct {
	Document *doc;
	bool typed;
	uint32_t number; /* number of the member; 0 for the file itself */
	uint64_t bytes; /* received for this document, without its text */
} Level;

struct Reply {
	ReplySetup setup;
	ExtractLimits limits;
	GArray *open; /* Level; the last one is being filled */
	uint32_t n_documents;
	Document *outermost; /* complete, but delivered only after the job ended well */
	uint64_t bytes; /* received for all documents */
	WireDone done;
	bool left_out, drawn;
	WireLane lane;
};

static void level_clear(gpointer item)
{
	document_free(((Level *)item)->doc);
}

Reply *reply_new(const ReplySetup *setup)
{
	Reply *reply = g_new0(Reply, 1);
	reply->setup = *setup;
	reply->limits = *setup->limits;
	reply->setup.limits = &reply->limits;
	reply->open = g_array_new(FALSE, FALSE, sizeof(Level));
	g_array_set_clear_func(reply->open, level_clear);
	return reply;
}

void reply_free(Reply *reply)
{
	if (!reply)
		return;
	g_array_unref(reply->open);
	document_free(reply->outermost);
	g_free(reply);
}

static void reply_deliver(Reply *reply, Document *doc)
{
	reply->setup.document(doc, reply->setup.data);
}

static Level *reply_current(Reply *reply)
{
	return reply->open->len > 0 ? &g_array_index(reply->open, Level, reply->open->len - 1)
	                            : NULL;
}

/* Counts bytes against the limits of the document and of the job. False if one is exceeded. */
static bool reply_charge(Reply *reply, Level *level, uint64_t bytes)
{
	uint64_t whole = reply->limits.unpacked_bytes + 4 * reply->setup.size + JOB_EXTRA;
	level->bytes += bytes;
	reply->bytes += bytes;
	return level->bytes <= DOCUMENT_EXTRA && reply->bytes <= whole;
}

static bool is_text(const uint8_t *bytes, size_t length)
{
	return utf8_is_valid((const char *)bytes, length);
}

/* ---- one function for each kind of frame; false if the frame breaks the protocol */

static bool reply_begin(Reply *reply, const WireFrame *frame)
{
	int64_t numbers[2];
	if (frame->length < sizeof numbers || frame->length - sizeof numbers > DOC_MAX_MEMBER_BYTES)
		return false;
	memcpy(numbers, frame->bytes, sizeof numbers);
	size_t length = frame->length - sizeof numbers;
	const char *path = (const char *)frame->bytes + sizeof numbers;
	bool outermost = reply->open->len == 0;
	if (outermost != (length == 0) || memchr(path, 0, length) || numbers[0] < -1 ||
	        (outermost && reply->n_documents > 0) || reply->open->len > reply->limits.depth ||
	        reply->n_documents > reply->limits.members)
		return false;
	if (!outermost && !reply_current(reply)->typed)
		return false;
	g_autofree char *member = outermost ? NULL : g_strndup(path, length);
	Level level = {.doc = document_new(member), .number = reply->n_documents};
	level.doc->member_size = numbers[0];
	level.doc->member_mtime_ns = numbers[1];
	reply->n_documents++;
	g_array_append_val(reply->open, level);
	return reply_charge(reply, reply_current(reply), length + sizeof *level.doc);
}

/* The payload is "MIME NUL plugin", not NUL-terminated. */
static bool set_type(Reply *reply, Level *level, const WireFrame *frame)
{
	uint32_t version;
	if (level->typed || frame->length <= sizeof version ||
	        frame->length > sizeof version + 2 * MEDIA_TYPE_BYTES + 2)
		return false;
	g_autofree char *mime = g_strndup(
	        (const char *)frame->bytes + sizeof version, frame->length - sizeof version);
	size_t used = strlen(mime) + 1;
	if (used > frame->length - sizeof version || !media_type_is_valid(mime))
		return false;
	g_autofree char *name = g_strndup((const char *)frame->bytes + sizeof version + used,
	        frame->length - sizeof version - used);
	const char *known = *name ? reply->setup.plugin(name, &version, reply->setup.data) : NULL;
	if (*name && !known)
		return false;
	level->typed = true;
	level->doc->mime = g_ascii_strdown(mime, -1);
	level->doc->extractor = g_strdup(known);
	level->doc->version = known ? version : 0;
	return true;
}

static bool add_field(Reply *reply, Level *level, const WireFrame *frame)
{
	return frame->a < N_FIELDS && frame->length > 0 && is_text(frame->bytes, frame->length) &&
	       reply_charge(reply, level, frame->length) &&
	       document_add_fact(level->doc, frame->a, (const char *)frame->bytes, frame->length);
}

static bool reply_add_text(Reply *reply, Level *level, const WireFrame *frame)
{
	Document *doc = level->doc;
	if (frame->a >= N_TAGS || frame->b > DOC_RUN_BLOCK || frame->length == 0 ||
	        !is_text(frame->bytes, frame->length) ||
	        frame->length > reply->limits.text_bytes - doc->text->len)
		return false;
	reply->bytes += frame->length;
	return reply_charge(reply, level, 0) && document_add_text(doc, frame->a, frame->b,
	                                                (const char *)frame->bytes, frame->length);
}

static bool reply_add_break(Reply *reply, Level *level, const WireFrame *frame)
{
	uint32_t number;
	if (frame->a >= N_BREAKS || frame->length < sizeof number)
		return false;
	memcpy(&number, frame->bytes, sizeof number);
	size_t length = frame->length - sizeof number;
	const uint8_t *bytes = frame->bytes + sizeof number;
	if (!is_text(bytes, length) || !reply_charge(reply, level, length + BREAK_COST))
		return false;
	g_autofree char *label = length > 0 ? g_strndup((const char *)bytes, length) : NULL;
	return document_add_break(level->doc, frame->a, number, label);
}

static bool reply_add_link(Reply *reply, Level *level, const WireFrame *frame)
{
	unsigned kind = frame->a & 0xf, flags = frame->a >> 4;
	if (kind >= N_LINK_KINDS || flags > DOC_LINK_NOFOLLOW || frame->b == 0 ||
	        frame->b > frame->length || !is_text(frame->bytes, frame->b) ||
	        !is_text(frame->bytes + frame->b, frame->length - frame->b) ||
	        !reply_charge(reply, level, frame->length + BREAK_COST))
		return false;
	g_autofree char *href = g_strndup((const char *)frame->bytes, frame->b);
	g_autofree char *text =
	        g_strndup((const char *)frame->bytes + frame->b, frame->length - frame->b);
	return document_add_link(level->doc, kind, flags, href, text);
}

/* They are counted like text: against the limit of what is unpacked. */
static bool reply_pass_bytes(Reply *reply, Level *level, const WireFrame *frame)
{
	reply->bytes += frame->length;
	return reply->setup.bytes && level->doc->member && frame->length > 0 &&
	       reply_charge(reply, level, 0) &&
	       reply->setup.bytes(frame->bytes, frame->length, reply->setup.data);
}

/* Numbers and colours need no further check: any pixels are a picture. */
static bool reply_pass_picture(Reply *reply, Level *level, const WireFrame *frame)
{
	WirePicture head;
	if (!reply->setup.picture || reply->drawn || level->doc->member ||
	        frame->length < sizeof head)
		return false;
	memcpy(&head, frame->bytes, sizeof head);
	if (head.width < 1 || head.width > WIRE_PICTURE_SIDE || head.height < 1 ||
	        head.height > WIRE_PICTURE_SIDE ||
	        frame->length - sizeof head != (size_t)WIRE_PIXEL_BYTES * head.width * head.height)
		return false;
	reply->drawn = true;
	reply->setup.picture(
	        head.width, head.height, frame->bytes + sizeof head, reply->setup.data);
	return true;
}

static bool reply_end(Reply *reply, Level *level, const WireFrame *frame)
{
	Document *doc = level->doc;
	unsigned reason = frame->b & ~TRUNCATED;
	if (frame->a >= N_STATES || reason >= N_REASONS || frame->length >= DOC_MAX_DETAIL_BYTES ||
	        !is_text(frame->bytes, frame->length) || (!level->typed && frame->a == STATE_OK) ||
	        (frame->a == STATE_FAILED && reason == REASON_NONE))
		return false;
	doc->state = frame->a;
	doc->reason = reason;
	doc->truncated = (frame->b & TRUNCATED) != 0;
	doc->detail =
	        frame->length > 0 ? g_strndup((const char *)frame->bytes, frame->length) : NULL;
	level->doc = NULL;
	g_array_set_size(reply->open, reply->open->len - 1);
	if (doc->member)
		reply_deliver(reply, doc);
	else
		reply->outermost = doc;
	return true;
}

static ReplyState reply_finish(Reply *reply, const WireFrame *frame)
{
	if (!reply->outermost || frame->length != sizeof reply->done)
		return REPLY_BAD;
	memcpy(&reply->done, frame->bytes, sizeof reply->done);
	if (reply->done.job != reply->setup.job)
		return REPLY_BAD;
	reply->left_out = frame->a != 0;
	reply_deliver(reply, g_steal_pointer(&reply->outermost));
	return REPLY_DONE;
}

static ReplyState reply_change_lane(Reply *reply, const WireFrame *frame)
{
	if (reply->open->len == 0 || frame->a >= N_LANES || frame->a == reply->setup.lane)
		return REPLY_BAD;
	reply->lane = frame->a;
	return REPLY_OTHER_LANE;
}

/* Handles frames that belong to the open document. */
static bool reply_fill(Reply *reply, const WireFrame *frame)
{
	Level *level = reply_current(reply);
	if (!level)
		return false;
	if (frame->kind == WIRE_TYPE)
		return set_type(reply, level, frame);
	if (frame->kind == WIRE_END)
		return reply_end(reply, level, frame);
	if (!level->typed)
		return false;
	switch (frame->kind) {
	case WIRE_FIELD:
		return add_field(reply, level, frame);
	case WIRE_TEXT:
		return reply_add_text(reply, level, frame);
	case WIRE_BREAK:
		return reply_add_break(reply, level, frame);
	case WIRE_LINK:
		return reply_add_link(reply, level, frame);
	case WIRE_PICTURE:
		return reply_pass_picture(reply, level, frame);
	case WIRE_BYTES:
		return reply_pass_bytes(reply, level, frame);
	default:
		return false;
	}
}

static ReplyState reply_take(Reply *reply, const WireFrame *frame)
{
	switch (frame->kind) {
	case WIRE_DOC:
		return reply_begin(reply, frame) ? REPLY_MORE : REPLY_BAD;
	case WIRE_ALIVE:
		return frame->length == sizeof(uint32_t) ? REPLY_MORE : REPLY_BAD;
	case WIRE_OTHER_LANE:
		return reply_change_lane(reply, frame);
	case WIRE_DONE:
		return reply_finish(reply, frame);
	default:
		return reply_fill(reply, frame) ? REPLY_MORE : REPLY_BAD;
	}
}

ReplyState reply_packet(Reply *reply, const uint8_t *packet, size_t length, size_t *position)
{
	WireFrame frame;
	int more;
	while ((more = wire_next(packet, length, position, &frame)) > 0) {
		ReplyState state = reply_take(reply, &frame);
		/* The final frame of the last job must be the last one of its packet. */
		if (state != REPLY_MORE)
			return *position == length || reply->setup.followed ? state : REPLY_BAD;
	}
	return more < 0 ? REPLY_BAD : REPLY_MORE;
}

/* A container is delivered for its members, even without text of its own. */
static void reply_fail(Reply *reply, Document *doc, DocReason reason, const char *detail)
{
	bool holds_members = !doc->member && reply->n_documents > 1;
	if (!doc->mime || (doc->text->len == 0 && !holds_members)) {
		document_free(doc);
		return;
	}
	doc->state = STATE_FAILED;
	doc->reason = reason;
	g_free(doc->detail);
	doc->detail = g_strdup(detail);
	reply_deliver(reply, doc);
}

void reply_fail_open(Reply *reply, DocReason reason, const char *detail)
{
	while (reply->open->len > 0) {
		Document *doc = g_steal_pointer(&reply_current(reply)->doc);
		g_array_set_size(reply->open, reply->open->len - 1);
		reply_fail(reply, doc, reason, detail);
	}
	if (reply->outermost)
		reply_fail(reply, g_steal_pointer(&reply->outermost), reason, detail);
}

uint32_t reply_open_member(const Reply *reply)
{
	guint depth = reply->open->len;
	return depth > 0 ? g_array_index(reply->open, Level, depth - 1).number : 0;
}

const WireDone *reply_result(const Reply *reply)
{
	return &reply->done;
}

bool reply_left_out(const Reply *reply)
{
	return reply->left_out;
}

WireLane reply_lane(const Reply *reply)
{
	return reply->lane;
}
