/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ppt.c - PowerPoint 97 to 2003 (MS-PPT)
 *
 * A file that was saved often holds old versions of its slides; the current ones are found through
 * the object directory, newest edit first. The outline text of each slide is in the document
 * container, its other text in the slide's own container. Notes follow their slides. */
#include <config.h>
#include "extractors/legacy/legacy.h"
#include "extractors/shared/oleobject.h"
#include <stdio.h>

enum {
	T_DOCUMENT = 1000,
	T_SLIDE_PERSIST = 1011,
	T_MASTER = 1016,
	T_OBJECT_LIST = 1033,
	T_PLACEHOLDER = 3011,
	T_TEXT_HEADER = 3999,
	T_TEXT_CHARS = 4000,
	T_TEXT_BYTES = 4008,
	T_CSTRING = 4026,
	T_OBJECT = 4113,
	T_LINK = 4055,
	T_MARGINS = 4057, /* texts in headers and footers */
	T_SLIDE_LIST = 4080,
	T_USER_EDIT = 4085,
	/* of later versions: contains records although it is not marked as a container */
	T_EXTENSION = 5003,
	T_DIRECTORY = 6002,
	T_COMMENT = 12000,
	T_SHAPE = 0xf004,
	T_PROPERTIES = 0xf00b, /* properties of a shape */
};

enum {
	HEADER_BYTES = 8,
	MAX_DEPTH = 32,
	MAX_EDITS = 10000,
	LIST_SLIDES = 0,
	LIST_MASTERS = 1,
	LIST_NOTES = 2
};

enum { PLACE_FOOTER = 9, PLACE_HEADER = 10 }; /* placeholders of masters */

typedef struct {
	unsigned version, instance, type;
	Bytes body;
} PptRecord;

typedef struct {
	Ole *ole;
	GsfInfile *root; /* has the streams of the slides */
	Bytes stream;
	GHashTable *objects; /* id -> offset */
	DocTag tag; /* tag of the text that follows */
	unsigned slides;
	uint32_t document; /* object id of the document */
	bool encrypted;
	bool fixed; /* keep the tag whatever type the text declares */
} Show;

/* False if there is no record. */
static bool record_at(Bytes bytes, size_t at, PptRecord *record)
{
	if (bytes.size < HEADER_BYTES || at > bytes.size - HEADER_BYTES)
		return false;
	unsigned head = le16(bytes, at);
	*record = (PptRecord){head & 0xf, head >> 4, le16(bytes, at + 2),
	        bytes_part(bytes, at + HEADER_BYTES, le32(bytes, at + 4))};
	return true;
}

/* Looks an object up in the directory. */
static bool object_at(const Show *show, uint32_t id, PptRecord *record)
{
	gpointer offset;
	return g_hash_table_lookup_extended(show->objects, GUINT_TO_POINTER(id), NULL, &offset) &&
	       record_at(show->stream, GPOINTER_TO_UINT(offset), record);
}

static void set_tag(Show *show, uint32_t kind)
{
	if (show->fixed)
		return;
	show->tag = kind == 0 || kind == 6 ? TAG_HEADING1 : kind == 2 ? TAG_COMMENT : TAG_BODY;
}

/* Sends a block for each paragraph; a vertical tab is a line break within one. */
static void ppt_put_text(Show *show, const PptRecord *record, DocTag tag)
{
	g_autoptr(GString) text = g_string_new(NULL);
	if (record->type == T_TEXT_BYTES)
		put_encoded(text, record->body, charset_find("iso-8859-1"));
	else
		put_utf16(text, record->body);
	g_auto(GStrv) lines = g_strsplit(g_strdelimit(text->str, "\v", ' '), "\r", -1);
	for (char **line = lines; *line && !show->ole->flow.full; line++)
		if (strcmp(*line, "*") != 0) /* "*" is the placeholder of a number or a date */
			flow_line(&show->ole->flow, tag, *line, -1);
}

static void put_margins(Show *show, Bytes margins)
{
	PptRecord record;
	for (size_t at = 0; record_at(margins, at, &record); at += HEADER_BYTES + record.body.size)
		if (record.type == T_CSTRING)
			ppt_put_text(show, &record, TAG_NOISE);
}

static void ppt_walk(Show *show, Bytes bytes, unsigned depth, bool comment)
{
	PptRecord record;
	for (size_t at = 0; record_at(bytes, at, &record) && !show->ole->flow.full;
	        at += HEADER_BYTES + record.body.size) {
		if (record.type == T_TEXT_HEADER)
			set_tag(show, le32(record.body, 0));
		else if (record.type == T_TEXT_CHARS || record.type == T_TEXT_BYTES)
			ppt_put_text(show, &record, show->tag);
		else if (record.type == T_CSTRING && comment)
			ppt_put_text(show, &record, TAG_COMMENT);
		else if (record.type == T_MARGINS)
			put_margins(show, record.body);
		else if (record.type == T_PROPERTIES)
			drawing_properties(show->ole, record.instance, record.body);
		else if ((record.version == 0xf || record.type == T_EXTENSION) &&
		         record.type != T_MASTER && depth < MAX_DEPTH)
			ppt_walk(show, record.body, depth + 1, record.type == T_COMMENT);
	}
}

/* Walks the container of an object, if the directory knows the object. */
static void walk_object(Show *show, uint32_t id, DocTag tag)
{
	PptRecord record;
	show->tag = tag;
	show->fixed = tag == TAG_COMMENT;
	if (object_at(show, id, &record))
		ppt_walk(show, record.body, 0, false);
	show->fixed = false;
}

/* Placeholder type of a shape; 0: none. */
static unsigned ppt_place_of(Bytes shape, unsigned depth)
{
	PptRecord record;
	unsigned place = 0;
	for (size_t at = 0; place == 0 && record_at(shape, at, &record);
	        at += HEADER_BYTES + record.body.size) {
		if (record.type == T_PLACEHOLDER && record.body.size > 4)
			place = record.body.data[4];
		else if (record.version == 0xf && depth < MAX_DEPTH)
			place = ppt_place_of(record.body, depth + 1);
	}
	return place;
}

/* Walks the shapes of a master except for those with instructions to the author. */
static void walk_master(Show *show, Bytes bytes, unsigned depth)
{
	PptRecord record;
	for (size_t at = 0; record_at(bytes, at, &record) && !show->ole->flow.full;
	        at += HEADER_BYTES + record.body.size) {
		if (record.type == T_SHAPE) {
			unsigned place = ppt_place_of(record.body, 0);
			if (place == 0 || place == PLACE_FOOTER || place == PLACE_HEADER)
				ppt_walk(show, record.body, depth + 1, false);
		} else if (record.version == 0xf && depth < MAX_DEPTH) {
			walk_master(show, record.body, depth + 1);
		}
	}
}

/* Sends the text that appears on every slide. */
static void walk_masters(Show *show, Bytes list)
{
	PptRecord record, master;
	show->tag = TAG_NOISE;
	show->fixed = true;
	for (size_t at = 0; record_at(list, at, &record); at += HEADER_BYTES + record.body.size)
		if (record.type == T_SLIDE_PERSIST &&
		        object_at(show, le32(record.body, 0), &master))
			walk_master(show, master.body, 0);
	show->fixed = false;
}

/* The outline text of a slide follows its entry in the list. */
static void walk_list(Show *show, Bytes list, bool notes)
{
	PptRecord record;
	uint32_t open = 0;
	for (size_t at = 0; record_at(list, at, &record) && !show->ole->flow.full;
	        at += HEADER_BYTES + record.body.size) {
		if (record.type == T_SLIDE_PERSIST) {
			if (open)
				walk_object(show, open, notes ? TAG_COMMENT : TAG_BODY);
			open = le32(record.body, 0);
			if (!notes)
				flow_break(&show->ole->flow, BREAK_SLIDE, ++show->slides, NULL);
			show->tag = notes ? TAG_COMMENT : TAG_BODY;
		} else if (record.type == T_TEXT_HEADER) {
			set_tag(show, le32(record.body, 0));
		} else if (record.type == T_TEXT_CHARS || record.type == T_TEXT_BYTES) {
			ppt_put_text(show, &record, show->tag);
		}
	}
	if (open)
		walk_object(show, open, notes ? TAG_COMMENT : TAG_BODY);
}

/* A link has its text and its target as strings 0 and 1. Links to other slides have no target. */
static void ppt_put_link(Show *show, Bytes link)
{
	g_autoptr(GString) shown = g_string_new(NULL);
	g_autoptr(GString) target = g_string_new(NULL);
	PptRecord record;
	for (size_t at = 0; record_at(link, at, &record); at += HEADER_BYTES + record.body.size)
		if (record.type == T_CSTRING && record.instance <= 1)
			put_utf16(record.instance == 1 ? target : shown, record.body);
	if (target->len > 0 && !sink_link(show->ole->sink, target->str, shown->str))
		show->ole->flow.full = true;
}

static void ppt_put_links(Show *show, Bytes objects)
{
	PptRecord record;
	for (size_t at = 0; record_at(objects, at, &record) && !show->ole->flow.full;
	        at += HEADER_BYTES + record.body.size)
		if (record.type == T_LINK)
			ppt_put_link(show, record.body);
}

static bool walk_document(Show *show)
{
	PptRecord document, record;
	if (!object_at(show, show->document, &document) || document.type != T_DOCUMENT)
		return false;
	static const unsigned lists[] = {LIST_SLIDES, LIST_NOTES, LIST_MASTERS};
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		for (size_t at = 0; record_at(document.body, at, &record);
		        at += HEADER_BYTES + record.body.size) {
			if (record.type == T_MARGINS && lists[i] == LIST_MASTERS)
				put_margins(show, record.body);
			if (record.type == T_OBJECT_LIST && lists[i] == LIST_SLIDES)
				ppt_put_links(show, record.body);
			if (record.type != T_SLIDE_LIST || record.instance != lists[i])
				continue;
			if (lists[i] == LIST_MASTERS)
				walk_masters(show, record.body);
			else
				walk_list(show, record.body, lists[i] == LIST_NOTES);
		}
	return true;
}

/* Runs of objects: one word with the first id and the count, then their offsets. */
static void read_directory(Show *show, Bytes body)
{
	for (size_t at = 0; at + 4 <= body.size;) {
		uint32_t word = le32(body, at), id = word & 0xfffff, count = word >> 20;
		at += 4;
		for (uint32_t i = 0; i < count && at + 4 <= body.size; i++, at += 4)
			if (!g_hash_table_contains(show->objects, GUINT_TO_POINTER(id + i)))
				g_hash_table_insert(show->objects, GUINT_TO_POINTER(id + i),
				        GUINT_TO_POINTER(le32(body, at)));
	}
}

/* Reads the edits from the newest to the first. */
static void read_edits(Show *show, uint32_t at)
{
	PptRecord edit, directory;
	for (unsigned n = 0; n < MAX_EDITS && at > 0; n++) {
		if (!record_at(show->stream, at, &edit) || edit.type != T_USER_EDIT)
			return;
		if (record_at(show->stream, le32(edit.body, 12), &directory) &&
		        directory.type == T_DIRECTORY)
			read_directory(show, directory.body);
		if (n == 0)
			show->document = le32(edit.body, 16);
		show->encrypted = show->encrypted || edit.body.size >= 32;
		uint32_t before = le32(edit.body, 8);
		at = before < at ? before : 0;
	}
}

/* The object is a compound file, mostly deflated, after its size. */
static bool send_object(Show *show, uint32_t id, const PptRecord *record)
{
	g_autoptr(GByteArray) unpacked = g_byte_array_new();
	Bytes object = record->body;
	char name[32];
	snprintf(name, sizeof name, "object %u", id);
	if (record->instance == 1) {
		unpack_zlib(show->ole, bytes_part(object, 4, object.size), false, unpacked);
		object = (Bytes){unpacked->data, unpacked->len};
	}
	return ole_object_send(show->ole->sink, name, object);
}

static gint by_id(gconstpointer a, gconstpointer b)
{
	return GPOINTER_TO_UINT(a) < GPOINTER_TO_UINT(b) ? -1 : 1;
}

/* Sends the documents that slides embed. */
static void ppt_send_objects(Show *show)
{
	GList *ids = g_list_sort(g_hash_table_get_keys(show->objects), by_id);
	PptRecord record;
	bool more = !show->ole->flow.full;
	flow_block(&show->ole->flow, TAG_BODY);
	for (GList *id = ids; id && more; id = id->next) {
		if (object_at(show, GPOINTER_TO_UINT(id->data), &record) && record.type == T_OBJECT)
			more = send_object(show, GPOINTER_TO_UINT(id->data), &record);
	}
	g_list_free(ids);
}

static ExtractResult read_show(Show *show)
{
	Bytes user = ole_stream(show->root, "Current User");
	show->encrypted = le32(user, 12) == 0xf3d1c4df;
	read_edits(show, le32(user, 16));
	g_free((void *)user.data);
	if (show->encrypted)
		return sink_fail(show->ole->sink, REASON_ENCRYPTED, NULL);
	if (!walk_document(show))
		ppt_walk(show, show->stream, 0, false);
	ppt_send_objects(show);
	if (show->slides > 0) {
		g_autofree char *count = g_strdup_printf("%u", show->slides);
		sink_field(show->ole->sink, FIELD_PAGES, count, -1);
	}
	return EXTRACT_DONE;
}

static ExtractResult extract_from(Ole *ole, GsfInfile *root)
{
	Show show = {.ole = ole,
	        .root = root,
	        .stream = ole_stream(root, "PowerPoint Document"),
	        .objects = g_hash_table_new(NULL, NULL)};
	ExtractResult result = read_show(&show);
	g_hash_table_unref(show.objects);
	g_free((void *)show.stream.data);
	return result;
}

ExtractResult slides_extract(Ole *ole)
{
	return extract_from(ole, ole->root);
}

/* Saved as "97-2003 & 95": the root has the slides in the format of PowerPoint 95. */
ExtractResult slides_extract_dual(Ole *ole)
{
	GsfInfile *newer = ole_storage(ole->root, "PP97_DUALSTORAGE");
	ExtractResult result = extract_from(ole, newer ? newer : ole->root);
	if (newer)
		g_object_unref(newer);
	return result;
}
