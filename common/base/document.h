/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - the converted document: the one type that travels between converter, index and
 * client
 *
 * A Document is the tagged text of one file or of one member of a container (an archive member, a
 * mail attachment, a message of an mbox). All text is valid UTF-8 without NUL. Plain data: whoever
 * holds it may read every field; only the functions below change it. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Facts about a document. Each may occur several times (authors, keywords); values are UTF-8. */
typedef enum {
	FIELD_TITLE, /* title or mail subject */
	FIELD_AUTHOR, /* author or From */
	FIELD_TO,
	FIELD_CC,
	FIELD_KEYWORD,
	FIELD_COMMENT, /* subject, description, abstract of the metadata */
	FIELD_DATE, /* best date of the document: ISO 8601 in UTC, "2026-03-01T10:00:00Z" or
	               "2026-03-01" */
	FIELD_CREATED, /* the same form */
	FIELD_LANGUAGE, /* BCP 47, lower case */
	FIELD_PAGES, /* decimal count of pages, slides or sheets */
	FIELD_MESSAGE_ID,
	FIELD_GENERATOR, /* program that wrote it */
	FIELD_CHARSET, /* charset that the text was decoded from */
	FIELD_DURATION, /* of a recording: decimal seconds */
	N_FIELDS
} DocField;

/* What a run of text is. A block tag (see DOC_RUN_BLOCK) separates words; inline tags do not. */
typedef enum {
	TAG_BODY,
	TAG_HEADING1,
	TAG_HEADING2,
	TAG_HEADING3,
	TAG_HEADING4,
	TAG_HEADING5,
	TAG_HEADING6,
	TAG_EMPHASIS,
	TAG_TABLE, /* a cell */
	TAG_CAPTION,
	TAG_LINK, /* anchor text of a link; also part of the running text */
	TAG_CODE,
	TAG_COMMENT, /* annotations, notes, comments in the document */
	TAG_NOISE, /* navigation, boilerplate: findable at low weight */
	N_TAGS
} DocTag;

typedef enum { BREAK_PAGE, BREAK_SLIDE, BREAK_SHEET, N_BREAKS } DocBreakKind;

/* STATE_NOTHING: a type that has no text or no converter; the file is found by its name and facts.
 */
typedef enum { STATE_OK, STATE_NOTHING, STATE_FAILED, N_STATES } DocState;

/* Why a conversion failed or was cut short. Stored in the index by number: append only. */
typedef enum {
	REASON_NONE,
	REASON_UNSUPPORTED, /* no converter for the type */
	REASON_ENCRYPTED, /* needs a password */
	REASON_DAMAGED, /* the library could not read it */
	REASON_LIMIT_FILE, /* file larger than the limit */
	REASON_LIMIT_TEXT, /* text cut at the limit */
	REASON_LIMIT_TIME, /* wall clock or CPU */
	REASON_LIMIT_MEMORY,
	REASON_LIMIT_UNPACKED, /* unpacked bytes or ratio */
	REASON_LIMIT_DEPTH, /* containers in containers */
	REASON_LIMIT_MEMBERS,
	REASON_CRASHED, /* the converter died of a signal */
	REASON_FORBIDDEN, /* the converter tried what the sandbox forbids */
	REASON_PROTOCOL, /* the converter's reply was malformed */
	REASON_UNREADABLE, /* permission denied */
	REASON_IO, /* read error */
	REASON_UNSTABLE, /* changed while it was read, again and again */
	REASON_MISSING, /* a library or program the converter needs is not there */
	REASON_SANDBOX, /* the sandbox could not be set up */
	REASON_PART, /* of a split archive; the other parts are files of their own */
	N_REASONS
} DocReason;

enum { DOC_RUN_BLOCK = 1 }; /* the run starts a new block */

typedef struct {
	uint32_t offset, length; /* bytes in Document.text */
	uint8_t tag; /* DocTag */
	uint8_t flags;
} DocRun;

typedef struct {
	uint32_t offset; /* byte of Document.text at which the page, slide or sheet begins */
	uint32_t number; /* from 1 */
	uint8_t kind; /* DocBreakKind */
	char *label; /* sheet name, page label; or NULL */
} DocBreak;

typedef struct {
	uint8_t field; /* DocField */
	char *value;
} DocFact;

typedef struct {
	char *href; /* as written, or seen from the base that the document names */
	char *text;
} DocLink;

typedef struct {
	char *member; /* path inside the container, raw bytes, levels joined by '|'; NULL: the file
	                 itself */
	int64_t member_size; /* bytes; -1 unknown */
	int64_t member_mtime_ns; /* 0 unknown */
	char *mime;
	char *extractor; /* name of the plugin, NULL if none */
	uint32_t version; /* of the plugin */
	DocState state;
	DocReason reason;
	bool truncated; /* some text is missing; reason says why */
	char *detail; /* for a person; or NULL */
	GArray *facts; /* DocFact */
	GString *text; /* all runs, one after the other, no separators added */
	GArray *runs; /* DocRun, ascending, without gaps */
	GArray *breaks; /* DocBreak, ascending */
	GArray *links; /* DocLink */
} Document;

/* Caps on everything that comes from one file. 0 is never "unlimited". */
typedef struct {
	uint64_t text_bytes; /* of one document */
	uint64_t unpacked_bytes; /* of all members together */
	uint32_t members;
	uint32_t depth; /* containers in containers */
	uint32_t ratio; /* unpacked : packed, once more than 16 MiB are unpacked */
	uint32_t wall_ms;
	uint64_t memory_bytes; /* address space of the converting child */
	uint64_t memory_pdf_bytes; /* the same for PDF */
} ExtractLimits;

#define EXTRACT_LIMITS_DEFAULT                                                                     \
	{                                                                                          \
		10u << 20, 2ull << 30, 20000, 5, 200, 60000, 512ull << 20, 1ull << 30              \
	}

enum {
	DOC_MAX_FACTS = 256,
	DOC_MAX_FACT_BYTES = 64 << 10,
	DOC_MAX_LINKS = 10000,
	DOC_MAX_BREAKS = 100000,
	DOC_MAX_RUNS = 2 << 20,
	DOC_MAX_MEMBER_BYTES = 16 << 10,
	DOC_MAX_DETAIL_BYTES = 1 << 10,
};

/* A new, empty document in STATE_OK. member may be NULL; it is copied. */
Document *document_new(const char *member);
void document_free(Document *doc);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Document, document_free)

/* All of these copy their text, which must be valid UTF-8, and return false when a cap above would
 * be passed (nothing is added then). */
bool document_add_fact(Document *doc, DocField field, const char *value, size_t length);
bool document_add_text(Document *doc, DocTag tag, unsigned flags, const char *text, size_t length);
bool document_add_break(Document *doc, DocBreakKind kind, uint32_t number, const char *label);
bool document_add_link(Document *doc, const char *href, const char *text);

/* First value of a field, or NULL. Borrowed. */
const char *document_fact(const Document *doc, DocField field);
/* All values of a field joined by separator, or NULL if there is none. Yours. */
char *document_facts_joined(const Document *doc, DocField field, const char *separator);

/* Stable lower-case names, for JSON, XML and messages: "title", "heading1", "page", "failed",
 * "encrypted". reason_text() is a translated sentence for a person. The argument must
 * be below the N_ constant. */
const char *document_field_name(DocField field);
const char *document_tag_name(DocTag tag);
const char *document_break_name(DocBreakKind kind);
const char *document_state_name(DocState state);
const char *document_reason_name(DocReason reason);
const char *document_reason_text(DocReason reason);
