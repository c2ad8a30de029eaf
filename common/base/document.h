/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - the converted document: the one type that passes between extractors, index and
 * client
 *
 * A Document is the tagged text of one file or of one member of a container (an archive member, a
 * mail attachment, a message of an mbox). All text is valid UTF-8 without NUL. It is plain data:
 * every owner may read every field, but only the functions below change it. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The facts of a document. Each field may occur several times (authors, keywords). Values are
 * UTF-8. The text cache and the protocol of the children hold the number: append new fields only at
 * the end. */
typedef enum {
	FIELD_TITLE, /* title or mail subject */
	FIELD_AUTHOR, /* author or From */
	FIELD_TO,
	FIELD_CC,
	FIELD_KEYWORD,
	FIELD_COMMENT, /* subject, description or abstract in the metadata */
	FIELD_DATE, /* the best known date: ISO 8601 in UTC, "2026-03-01T10:00:00Z", or in the zone
	               of whoever reads it, "2026-03-01T10:00:00", also less precise:
	               "2026-03-01", "2026-03", "2026" */
	FIELD_CREATED, /* same format as FIELD_DATE */
	FIELD_LANGUAGE, /* BCP 47, lower case */
	FIELD_PAGES, /* decimal count of pages, slides or sheets */
	FIELD_MESSAGE_ID,
	FIELD_GENERATOR, /* the program that wrote the document */
	FIELD_CHARSET, /* charset that the text was decoded from */
	FIELD_DURATION, /* length of a recording in seconds, decimal */
	FIELD_THREAD, /* a word for a Message-ID that the message has or refers to */
	FIELD_URL, /* the address of the live page or item, absolute where a base is known */
	FIELD_UPDATED, /* the last change of an item of a feed, same format as FIELD_DATE */
	FIELD_IDENTIFIER, /* what an item of a feed is known by: its guid or id, as written */
	FIELD_ROBOTS, /* directives of a page for robots: "noindex,nofollow" */
	FIELD_KIND, /* of a feed: "rss 2.0", "atom 1.0", "json 1.1"; the version may be missing */
	/* When a feed changes, as it says itself: "ttl 60" (minutes that it may be kept), "period
	 * 3600" (seconds between changes), "skip-hours 0 1 2" (UTC), "skip-days saturday sunday" */
	FIELD_SCHEDULE,
	N_FIELDS
} DocField;

/* The role of a run of text. A run with DOC_RUN_BLOCK starts a new block, which separates words; an
 * inline run does not. */
typedef enum {
	TAG_BODY,
	TAG_HEADING1,
	TAG_HEADING2,
	TAG_HEADING3,
	TAG_HEADING4,
	TAG_HEADING5,
	TAG_HEADING6,
	TAG_EMPHASIS,
	TAG_TABLE, /* one cell */
	TAG_CAPTION,
	TAG_LINK, /* anchor text of a link; it is also part of the running text */
	TAG_CODE,
	TAG_COMMENT, /* annotations, notes and comments inside the document */
	TAG_NOISE, /* navigation and boilerplate: searchable with a low weight */
	N_TAGS
} DocTag;

/* BREAK_CHAPTER: of a recording; a book has headings. The text cache keeps the numbers. */
typedef enum { BREAK_PAGE, BREAK_SLIDE, BREAK_SHEET, BREAK_CHAPTER, N_BREAKS } DocBreakKind;

/* STATE_NOTHING: the type has no text or no extractor. The file is still found by its name and
 * metadata. */
typedef enum { STATE_OK, STATE_NOTHING, STATE_FAILED, N_STATES } DocState;

/* Why a conversion failed or was cut short. The index stores the number: append new reasons only at
 * the end. */
typedef enum {
	REASON_NONE,
	REASON_UNSUPPORTED, /* no extractor for the type */
	REASON_ENCRYPTED, /* needs a password */
	REASON_DAMAGED, /* the parser could not read it */
	REASON_LIMIT_FILE, /* the file is larger than the limit */
	REASON_LIMIT_TEXT, /* the text was cut at the limit */
	REASON_LIMIT_TIME, /* wall clock or CPU time */
	REASON_LIMIT_MEMORY,
	REASON_LIMIT_UNPACKED, /* bytes after unpacking, or their ratio to the packed bytes */
	REASON_LIMIT_DEPTH, /* containers inside containers */
	REASON_LIMIT_MEMBERS,
	REASON_CRASHED, /* a signal killed the extractor */
	REASON_FORBIDDEN, /* the extractor tried something that the sandbox forbids */
	REASON_PROTOCOL, /* the extractor's reply was malformed */
	REASON_UNREADABLE, /* permission denied */
	REASON_IO, /* read error */
	REASON_UNSTABLE, /* the file changed during every attempt to read it */
	REASON_MISSING, /* the extractor needs a library or program that is not installed */
	REASON_SANDBOX, /* the sandbox could not be set up */
	REASON_PART, /* a part of a split archive; the other parts are separate files */
	REASON_LIMIT_WORDS, /* words that were new after the limit were left out */
	REASON_COMPRESSION, /* the bytes are compressed in a way that no library here unpacks */
	REASON_LIMIT_DAY, /* its directory has brought as much text as it may in a day */
	N_REASONS
} DocReason;

enum { DOC_RUN_BLOCK = 1 }; /* the run starts a new block */

typedef struct {
	uint32_t offset, length; /* in bytes of Document.text */
	uint8_t tag; /* DocTag */
	uint8_t flags;
} DocRun;

typedef struct {
	uint32_t offset; /* byte of Document.text where the page, slide or sheet begins */
	uint32_t number; /* from 1 */
	uint8_t kind; /* DocBreakKind */
	char *label; /* sheet name or page label; may be NULL */
} DocBreak;

typedef struct {
	uint8_t field; /* DocField */
	char *value;
} DocFact;

/* The purpose of a link. The text cache and the protocol of the children hold the number (at most
 * 15): append new kinds only at the end. Texts of links besides anchor text are described here. */
typedef enum {
	LINK_ANCHOR, /* a link in the text, with its anchor text */
	LINK_CANONICAL, /* the address that a page prefers for itself; no text */
	LINK_FEED, /* a feed of the page; text: its title */
	LINK_ENCLOSURE, /* a file that belongs to an item of a feed; text: type TAB size in bytes */
	LINK_PAGE, /* an entry of a sitemap; text: lastmod TAB changefreq TAB priority */
	LINK_SITEMAP, /* a sitemap, in an index of sitemaps (text as for LINK_PAGE) or robots.txt */
	/* robots.txt; text: number of the group, which several agents may share */
	LINK_AGENT, /* href: product token in lower case, or "*" */
	LINK_ALLOW, /* href: pattern of paths */
	LINK_DISALLOW, /* the same */
	LINK_DELAY, /* href: seconds between requests, decimal */
	N_LINK_KINDS
} DocLinkKind;

enum { DOC_LINK_NOFOLLOW = 1 }; /* the page asks robots not to follow the link */

typedef struct {
	char *href; /* as written, or resolved against the base that the document names */
	char *text;
	uint8_t kind; /* DocLinkKind */
	uint8_t flags;
} DocLink;

typedef struct {
	char *member; /* path inside the container, raw bytes, levels joined by '|'; NULL for the
	                 file itself */
	int64_t member_size; /* bytes; -1 if unknown */
	int64_t member_mtime_ns; /* 0 if unknown */
	char *mime;
	char *extractor; /* name of the plugin; NULL if none */
	uint32_t version; /* version of the plugin */
	DocState state;
	DocReason reason;
	bool truncated; /* some text is missing; reason tells why */
	char *detail; /* text for the user; may be NULL */
	GArray *facts; /* DocFact */
	GString *text; /* all runs, concatenated without separators */
	GArray *runs; /* DocRun, ascending and without gaps */
	GArray *breaks; /* DocBreak, ascending */
	GArray *links; /* DocLink */
} Document;

/* Limits on everything that one file produces. 0 never means "unlimited". */
typedef struct {
	uint64_t text_bytes; /* of one document */
	uint64_t unpacked_bytes; /* of all members together */
	uint32_t members;
	uint32_t depth; /* containers inside containers */
	uint32_t ratio; /* unpacked to packed size; checked once more than 16 MiB are unpacked */
	uint32_t wall_ms;
	uint64_t memory_bytes; /* address space of the child that converts */
	uint64_t memory_pdf_bytes; /* the same for PDF files */
} ExtractLimits;

#define EXTRACT_LIMITS_DEFAULT                                                                     \
	{                                                                                          \
		10u << 20, 2ull << 30, 20000, 5, 200, 60000, 512ull << 20, 1ull << 30              \
	}

enum {
	DOC_MAX_FACTS = 256,
	DOC_MAX_FACT_BYTES = 64 << 10,
	DOC_MAX_LINKS = 50000,
	DOC_MAX_BREAKS = 100000,
	DOC_MAX_RUNS = 2 << 20,
	DOC_MAX_MEMBER_BYTES = 16 << 10,
	DOC_MAX_DETAIL_BYTES = 1 << 10,
};

/* Returns a new, empty document in STATE_OK. member may be NULL and is copied. */
Document *document_new(const char *member);
void document_free(Document *doc);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Document, document_free)

/* These functions copy their text, which must be valid UTF-8. They add nothing and return false if
 * a limit above would be exceeded. */
bool document_add_fact(Document *doc, DocField field, const char *value, size_t length);
bool document_add_text(Document *doc, DocTag tag, unsigned flags, const char *text, size_t length);
bool document_add_break(Document *doc, DocBreakKind kind, uint32_t number, const char *label);
bool document_add_link(
        Document *doc, DocLinkKind kind, unsigned flags, const char *href, const char *text);

/* The first value of a field, or NULL. Borrowed. */
const char *document_fact(const Document *doc, DocField field);
/* All values of a field, joined by separator, or NULL if there are none. The caller frees the
 * result. */
char *document_facts_joined(const Document *doc, DocField field, const char *separator);

/* Stable lower-case names for JSON, XML and messages: "title", "heading1", "page", "anchor",
 * "failed", "encrypted". document_reason_text() returns a translated clause for the user. The
 * argument must be below the N_ constant. All results are static. */
const char *document_field_name(DocField field);
const char *document_tag_name(DocTag tag);
const char *document_break_name(DocBreakKind kind);
const char *document_link_name(DocLinkKind kind);
const char *document_state_name(DocState state);
const char *document_reason_name(DocReason reason);
const char *document_reason_text(DocReason reason);
