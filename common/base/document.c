/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/document.h"
#include "common/base/i18n.h"
#include <string.h>

static const char *const field_names[N_FIELDS] = {
        [FIELD_TITLE] = "title",
        [FIELD_AUTHOR] = "author",
        [FIELD_TO] = "to",
        [FIELD_CC] = "cc",
        [FIELD_KEYWORD] = "keyword",
        [FIELD_COMMENT] = "comment",
        [FIELD_DATE] = "date",
        [FIELD_CREATED] = "created",
        [FIELD_LANGUAGE] = "lang",
        [FIELD_PAGES] = "pages",
        [FIELD_MESSAGE_ID] = "message-id",
        [FIELD_GENERATOR] = "generator",
        [FIELD_CHARSET] = "charset",
        [FIELD_DURATION] = "duration",
        [FIELD_THREAD] = "thread",
        [FIELD_URL] = "url",
        [FIELD_UPDATED] = "updated",
        [FIELD_IDENTIFIER] = "identifier",
        [FIELD_ROBOTS] = "robots",
        [FIELD_KIND] = "kind",
        [FIELD_SCHEDULE] = "schedule",
};

static const char *const tag_names[N_TAGS] = {
        [TAG_BODY] = "body",
        [TAG_HEADING1] = "heading1",
        [TAG_HEADING2] = "heading2",
        [TAG_HEADING3] = "heading3",
        [TAG_HEADING4] = "heading4",
        [TAG_HEADING5] = "heading5",
        [TAG_HEADING6] = "heading6",
        [TAG_EMPHASIS] = "emphasis",
        [TAG_TABLE] = "table",
        [TAG_CAPTION] = "caption",
        [TAG_LINK] = "link",
        [TAG_CODE] = "code",
        [TAG_COMMENT] = "comment",
        [TAG_NOISE] = "noise",
};

static const char *const break_names[N_BREAKS] = {
        [BREAK_PAGE] = "page",
        [BREAK_SLIDE] = "slide",
        [BREAK_SHEET] = "sheet",
        [BREAK_CHAPTER] = "chapter",
};

static const char *const link_names[N_LINK_KINDS] = {
        [LINK_ANCHOR] = "anchor",
        [LINK_CANONICAL] = "canonical",
        [LINK_FEED] = "feed",
        [LINK_ENCLOSURE] = "enclosure",
        [LINK_PAGE] = "page",
        [LINK_SITEMAP] = "sitemap",
        [LINK_AGENT] = "agent",
        [LINK_ALLOW] = "allow",
        [LINK_DISALLOW] = "disallow",
        [LINK_DELAY] = "delay",
};

static const char *const state_names[N_STATES] = {
        [STATE_OK] = "ok",
        [STATE_NOTHING] = "nothing",
        [STATE_FAILED] = "failed",
};

static const struct {
	const char *name, *text;
} reasons[N_REASONS] = {
        [REASON_NONE] = {"none", N_("no error")},
        [REASON_UNSUPPORTED] = {"unsupported", N_("no extractor for this type")},
        [REASON_ENCRYPTED] = {"encrypted", N_("it is encrypted and needs a password")},
        [REASON_DAMAGED] = {"damaged", N_("it is damaged")},
        [REASON_LIMIT_FILE] = {"too-large", N_("the file exceeds the size limit")},
        [REASON_LIMIT_TEXT] = {"text-limit", N_("the text was cut at the size limit")},
        [REASON_LIMIT_TIME] = {"time-limit", N_("the conversion took too long")},
        [REASON_LIMIT_MEMORY] = {"memory-limit", N_("the conversion needed too much memory")},
        [REASON_LIMIT_UNPACKED] = {"unpacked-limit", N_("its unpacked size exceeds the limit")},
        [REASON_LIMIT_DEPTH] = {"depth-limit", N_("containers are nested too deeply")},
        [REASON_LIMIT_MEMBERS] = {"members-limit", N_("it has too many members")},
        [REASON_CRASHED] = {"crashed", N_("the extractor crashed")},
        [REASON_FORBIDDEN] = {"forbidden",
                N_("the extractor tried something that the sandbox forbids")},
        [REASON_PROTOCOL] = {"protocol", N_("the extractor sent a malformed reply")},
        [REASON_UNREADABLE] = {"unreadable", N_("permission denied")},
        [REASON_IO] = {"io-error", N_("it could not be read from the disk")},
        [REASON_UNSTABLE] = {"unstable", N_("it kept changing while it was read")},
        [REASON_MISSING] = {"missing",
                N_("the extractor needs a library or program that is missing")},
        [REASON_SANDBOX] = {"sandbox", N_("the sandbox could not be set up")},
        [REASON_PART] = {"part", N_("one part of a split archive; the rest is in other files")},
        [REASON_LIMIT_WORDS] = {"words-limit",
                N_("it has too many different words; the last ones are not found")},
        [REASON_COMPRESSION] = {"compression", N_("its compression is not supported")},
        [REASON_LIMIT_DAY] = {"day-limit",
                N_("its directory has reached the limit of new text for a day; it will be read "
                   "tomorrow")},
};

static void fact_clear(gpointer item)
{
	g_free(((DocFact *)item)->value);
}

static void break_clear(gpointer item)
{
	g_free(((DocBreak *)item)->label);
}

static void document_link_clear(gpointer item)
{
	g_free(((DocLink *)item)->href);
	g_free(((DocLink *)item)->text);
}

static GArray *array_of(guint size, GDestroyNotify clear)
{
	GArray *array = g_array_new(FALSE, FALSE, size);
	g_array_set_clear_func(array, clear);
	return array;
}

Document *document_new(const char *member)
{
	Document *doc = g_new0(Document, 1);
	doc->member = g_strdup(member);
	doc->member_size = -1;
	doc->text = g_string_new(NULL);
	doc->runs = g_array_new(FALSE, FALSE, sizeof(DocRun));
	doc->facts = array_of(sizeof(DocFact), fact_clear);
	doc->breaks = array_of(sizeof(DocBreak), break_clear);
	doc->links = array_of(sizeof(DocLink), document_link_clear);
	return doc;
}

void document_free(Document *doc)
{
	if (!doc)
		return;
	g_free(doc->member);
	g_free(doc->mime);
	g_free(doc->extractor);
	g_free(doc->detail);
	g_string_free(doc->text, TRUE);
	g_array_unref(doc->runs);
	g_array_unref(doc->facts);
	g_array_unref(doc->breaks);
	g_array_unref(doc->links);
	g_free(doc);
}

bool document_add_fact(Document *doc, DocField field, const char *value, size_t length)
{
	if (doc->facts->len >= DOC_MAX_FACTS || length > DOC_MAX_FACT_BYTES)
		return false;
	DocFact fact = {field, g_strndup(value, length)};
	g_array_append_val(doc->facts, fact);
	return true;
}

/* Can the new text be appended to the last run? Long texts arrive in many pieces. */
static bool continues_run(const Document *doc, DocTag tag, unsigned flags)
{
	return doc->runs->len > 0 && flags == 0 &&
	       g_array_index(doc->runs, DocRun, doc->runs->len - 1).tag == tag;
}

bool document_add_text(Document *doc, DocTag tag, unsigned flags, const char *text, size_t length)
{
	if (length > G_MAXUINT32 - doc->text->len)
		return false;
	if (continues_run(doc, tag, flags)) {
		g_array_index(doc->runs, DocRun, doc->runs->len - 1).length += length;
	} else if (doc->runs->len >= DOC_MAX_RUNS) {
		return false;
	} else {
		DocRun run = {doc->text->len, length, tag, flags};
		g_array_append_val(doc->runs, run);
	}
	g_string_append_len(doc->text, text, length);
	return true;
}

bool document_add_break(Document *doc, DocBreakKind kind, uint32_t number, const char *label)
{
	if (doc->breaks->len >= DOC_MAX_BREAKS)
		return false;
	DocBreak mark = {doc->text->len, number, kind, g_strdup(label)};
	g_array_append_val(doc->breaks, mark);
	return true;
}

bool document_add_link(
        Document *doc, DocLinkKind kind, unsigned flags, const char *href, const char *text)
{
	if (doc->links->len >= DOC_MAX_LINKS)
		return false;
	DocLink item = {g_strdup(href), g_strdup(text), kind, flags};
	g_array_append_val(doc->links, item);
	return true;
}

const char *document_fact(const Document *doc, DocField field)
{
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field == field)
			return fact->value;
	}
	return NULL;
}

char *document_facts_joined(const Document *doc, DocField field, const char *separator)
{
	GString *joined = NULL;
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field != field)
			continue;
		if (joined)
			g_string_append(joined, separator);
		else
			joined = g_string_new(NULL);
		g_string_append(joined, fact->value);
	}
	return joined ? g_string_free(joined, FALSE) : NULL;
}

const char *document_field_name(DocField field)
{
	g_assert(field < N_FIELDS);
	return field_names[field];
}

const char *document_tag_name(DocTag tag)
{
	g_assert(tag < N_TAGS);
	return tag_names[tag];
}

const char *document_break_name(DocBreakKind kind)
{
	g_assert(kind < N_BREAKS);
	return break_names[kind];
}

const char *document_link_name(DocLinkKind kind)
{
	g_assert(kind < N_LINK_KINDS);
	return link_names[kind];
}

const char *document_state_name(DocState state)
{
	g_assert(state < N_STATES);
	return state_names[state];
}

const char *document_reason_name(DocReason reason)
{
	g_assert(reason < N_REASONS);
	return reasons[reason].name;
}

const char *document_reason_text(DocReason reason)
{
	g_assert(reason < N_REASONS);
	return _(reasons[reason].text);
}
