/* SPDX-License-Identifier: GPL-3.0-or-later */
/* enex.c - exported notes of Evernote
 *
 * The content of a note is a document of its own (ENML, nearly XHTML) in a CDATA section. */
#include <config.h>
#include "extractors/xml/enex.h"
#include "extractors/shared/isodate.h"
#include "extractors/shared/xmlread.h"
#include <string.h>

enum { HEAD_BYTES = 1 << 10, MAX_FILES = 1000 };

/* Elements with text. Of a note the first of each counts, except tags and the titles of tasks. */
enum {
	ENEX_TITLE = 1,
	ENEX_CREATED,
	ENEX_UPDATED,
	ENEX_AUTHOR,
	ENEX_SOURCE,
	ENEX_CONTENT,
	ENEX_TAG,
	/* of an attachment */
	ENEX_RESOURCE,
	ENEX_DATA,
	ENEX_MIME,
	ENEX_FILE,
	ENEX_KINDS
};

static const XmlElement elements[] = {
        {"title", 0, ENEX_TITLE},
        {"created", 0, ENEX_CREATED},
        {"updated", 0, ENEX_UPDATED},
        {"author", 0, ENEX_AUTHOR},
        {"source-url", 0, ENEX_SOURCE},
        {"content", 0, ENEX_CONTENT},
        {"tag", 0, ENEX_TAG},
        {"resource", 0, ENEX_RESOURCE},
        {"data", 0, ENEX_DATA},
        {"mime", 0, ENEX_MIME},
        {"file-name", 0, ENEX_FILE},
        {NULL, 0, 0},
};

static const XmlNamespace namespaces[] = {{NULL, 0}};

static const XmlVocabulary vocabulary = {
        .namespaces = namespaces, .elements = elements, .any_namespace = true};

typedef struct {
	char *mime, *name;
	GByteArray *data;
} EnexFile;

typedef struct {
	unsigned kind; /* of the innermost element that is known */
	GString *text; /* of that element */
	char *values[ENEX_KINDS];
	GPtrArray *tags, *tasks;
	GArray *files;
	bool in_file;
} EnexNote;

static void enex_file_clear(void *data)
{
	EnexFile *file = data;
	g_free(file->mime);
	g_free(file->name);
	g_clear_pointer(&file->data, g_byte_array_unref);
}

static void enex_note_init(EnexNote *note)
{
	*note = (EnexNote){.text = g_string_new(NULL),
	        .tags = g_ptr_array_new_with_free_func(g_free),
	        .tasks = g_ptr_array_new_with_free_func(g_free),
	        .files = g_array_new(FALSE, TRUE, sizeof(EnexFile))};
	g_array_set_clear_func(note->files, enex_file_clear);
}

static void enex_note_clear(EnexNote *note)
{
	for (size_t i = 0; i < ENEX_KINDS; i++)
		g_free(note->values[i]);
	g_string_free(note->text, TRUE);
	g_ptr_array_unref(note->tags);
	g_ptr_array_unref(note->tasks);
	g_array_unref(note->files);
}

static bool enex_on_start(void *user, unsigned kind, const XmlAttributes *attributes)
{
	EnexNote *note = user;
	note->kind = kind;
	g_string_truncate(note->text, 0);
	if (kind != ENEX_RESOURCE)
		return true;
	note->in_file = note->files->len < MAX_FILES;
	if (note->in_file)
		g_array_set_size(note->files, note->files->len + 1);
	return note->in_file;
}

static bool enex_on_text(void *user, const char *text, size_t length)
{
	EnexNote *note = user;
	if (note->kind != 0)
		g_string_append_len(note->text, text, length);
	return true;
}

static void enex_end_in_file(EnexNote *note, unsigned kind)
{
	EnexFile *file = &g_array_index(note->files, EnexFile, note->files->len - 1);
	if (kind == ENEX_MIME && !file->mime)
		file->mime = g_strdup(note->text->str);
	else if (kind == ENEX_FILE && !file->name)
		file->name = g_strdup(note->text->str);
	else if (kind == ENEX_DATA && !file->data) {
		gsize size;
		guchar *data = g_base64_decode(note->text->str, &size);
		file->data = g_byte_array_new_take(data, size);
	}
}

static bool enex_on_end(void *user, unsigned kind)
{
	EnexNote *note = user;
	if (kind == ENEX_RESOURCE)
		note->in_file = false;
	else if (kind != note->kind || kind == 0)
		return true;
	else if (note->in_file)
		enex_end_in_file(note, kind);
	else if (kind == ENEX_TAG)
		g_ptr_array_add(note->tags, g_strdup(note->text->str));
	else if (kind == ENEX_TITLE && note->values[kind])
		g_ptr_array_add(note->tasks, g_strdup(note->text->str));
	else if (!note->values[kind])
		note->values[kind] = g_strdup(note->text->str);
	note->kind = 0;
	return true;
}

static void enex_send_date(Sink *sink, DocField field, const char *value)
{
	g_autofree char *date = value ? iso_date(value, -1) : NULL;
	if (date)
		sink_field(sink, field, date, -1);
}

static void enex_send_facts(const EnexNote *note, Sink *sink)
{
	const char *title = note->values[ENEX_TITLE], *created = note->values[ENEX_CREATED],
	           *updated = note->values[ENEX_UPDATED], *source = note->values[ENEX_SOURCE];
	sink_field(sink, FIELD_TITLE, title, -1);
	sink_field(sink, FIELD_AUTHOR, note->values[ENEX_AUTHOR], -1);
	enex_send_date(sink, FIELD_CREATED, created);
	enex_send_date(sink, FIELD_DATE, updated ? updated : created);
	for (guint i = 0; i < note->tags->len; i++)
		sink_field(sink, FIELD_KEYWORD, note->tags->pdata[i], -1);
	if (source)
		sink_link(sink, source, "");
	if (title && sink_block(sink, TAG_HEADING1))
		sink_text(sink, TAG_HEADING1, title, -1);
}

static void enex_send_files(const EnexNote *note, Sink *sink)
{
	for (guint i = 0; i < note->files->len; i++) {
		const EnexFile *file = &g_array_index(note->files, EnexFile, i);
		g_autofree char *number = g_strdup_printf("%u", i + 1);
		SinkMember member = {.name = file->name ? file->name : number,
		        .data = file->data && file->data->data ? file->data->data
		                                               : (const uint8_t *)"",
		        .size = file->data ? file->data->len : 0,
		        .mime = file->mime};
		if (!sink_member(sink, &member))
			break;
	}
}

static void enex_send(const EnexNote *note, Sink *sink)
{
	const char *content = note->values[ENEX_CONTENT];
	enex_send_facts(note, sink);
	if (content)
		sink_inline(sink, "text/html", "utf-8", (const uint8_t *)content, strlen(content));
	for (guint i = 0; i < note->tasks->len; i++)
		if (sink_block(sink, TAG_BODY))
			sink_text(sink, TAG_BODY, note->tasks->pdata[i], -1);
	enex_send_files(note, sink);
}

/* data: from the start tag of the note to its end tag. */
static void enex_read_note(Sink *sink, unsigned number, const uint8_t *data, size_t size)
{
	static const XmlEvents events = {enex_on_start, enex_on_end, enex_on_text};
	char name[32];
	EnexNote note;
	enex_note_init(&note);
	XmlResult result = xml_read_memory(&vocabulary, &events, &note, data, size);
	const char *content = note.values[ENEX_CONTENT] ? note.values[ENEX_CONTENT] : "";
	g_snprintf(name, sizeof name, "%u.html", number);
	SinkMember member = {.name = name,
	        .data = (const uint8_t *)content,
	        .size = strlen(content),
	        .mime = "text/html"};
	Sink *inner = sink_begin_member(sink, &member);
	if (inner) {
		enex_send(&note, inner);
		if (result != XML_READ_WHOLE)
			sink_truncated(inner, REASON_DAMAGED, NULL);
		sink_end_member(inner);
	}
	enex_note_clear(&note);
}

bool enex_is(const uint8_t *data, size_t size)
{
	return memmem(data, MIN(size, (size_t)HEAD_BYTES), "<en-export", strlen("<en-export"));
}

/* An export can have the size of all notes: it is read note by note. */
ExtractResult enex_extract(const Input *in, Sink *sink)
{
	static const char begin[] = "<note>", close[] = "</note>";
	const uint8_t *at = in->data, *end = in->data + in->size;
	unsigned number = 0;
	while ((at = memmem(at, end - at, begin, strlen(begin))) && sink_block(sink, TAG_BODY)) {
		const uint8_t *last = memmem(at, end - at, close, strlen(close));
		last = last ? last + strlen(close) : end;
		enex_read_note(sink, ++number, at, last - at);
		at = last;
	}
	return number > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}
