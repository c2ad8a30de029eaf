/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extractor.h - the interface of a format plugin
 *
 * A plugin is a loadable module in its own folder that exports one constant:
 *
 *	const Extractor tarsier_extractor = { EXTRACTOR_ABI, "html", 3, ... };
 *
 * It runs in a sandboxed child: no file system, no network, no exec, threads in LANE_THREADS only.
 *What a library needs later (tables, data files, converters) it must load in preload(), which runs
 *in the parent before the sandbox closes. Memory and time are limited from outside; a plugin may
 *crash, it may not lie: text leaves through the Sink as it is found. */
#pragma once
#include "common/base/document.h"
#include "common/ipc/wire.h"

#define EXTRACTOR_ABI 1

/* A file or a member, wholly readable in memory (a private read-only mapping or the heap). */
typedef struct {
	const uint8_t *data;
	size_t size;
	const char *name; /* last component of the path, raw bytes; "" if unknown. A hint, never
	                     trusted */
	const char *mime; /* as sniffed or declared by the container */
	const char *charset; /* declared by the container (a mail part), or NULL */
	const ExtractLimits *limits;
} Input;

typedef struct Sink Sink;

/* EXTRACT_DONE: all that could be read was sent. EXTRACT_NOTHING: nothing to read in it (a picture
 * without text). EXTRACT_FAILED: sink_fail() was called. What was sent before a failure is kept. */
typedef enum { EXTRACT_DONE, EXTRACT_NOTHING, EXTRACT_FAILED } ExtractResult;

typedef struct {
	unsigned abi; /* EXTRACTOR_ABI */
	const char *name; /* stable, stored with each document */
	unsigned version; /* raise it and the documents of this plugin are converted again */
	const char *library; /* "poppler-glib 22.12.0", for people; may be filled by preload into
	                        static storage */
	WireLane lane;
	const char *const
	        *mime_types; /* NULL-terminated; "text/" + '*' matches a family; exact wins */
	/* May be NULL. Returns NULL or a static message saying what is missing (then the plugin is
	 * listed as unusable). */
	const char *(*preload)(void);
	ExtractResult (*extract)(const Input *in, Sink *sink);
} Extractor;

/* Defines NAME_extract() and NAME_preload() of a plugin whose optional library was missing when it
 * was built. The plugin is then listed as unusable, or as switched off if off is true. */
#define EXTRACTOR_BUILT_WITHOUT(name, library_name, off)                                           \
	static ExtractResult name##_extract(const Input *in, Sink *sink)                           \
	{                                                                                          \
		return EXTRACT_NOTHING;                                                            \
	}                                                                                          \
	static const char *name##_preload(void)                                                    \
	{                                                                                          \
		return (off) ? "off: built without " library_name : "built without " library_name; \
	}

/* ---- the sink: all text UTF-8; invalid sequences are repaired, NUL and C0 controls other than tab
 * and newline become spaces. length -1: NUL-terminated. Every function returns false once the
 * document's limit is reached: then stop and return EXTRACT_DONE. */

/* A fact. Leading and trailing white space is cut; an empty value is ignored. */
bool sink_field(Sink *sink, DocField field, const char *value, ssize_t length);
/* Begins a new block with this tag: words before and after are apart. */
bool sink_block(Sink *sink, DocTag tag);
/* Text inside the current block; tag is the block's own or an inline one (emphasis, link, code). */
bool sink_text(Sink *sink, DocTag tag, const char *text, ssize_t length);
/* A page, slide or sheet begins; also a block boundary. label may be NULL. */
bool sink_break(Sink *sink, DocBreakKind kind, unsigned number, const char *label);
/* Target of a link, as a browser would see it, with its anchor text; does not add to the text. */
bool sink_link(Sink *sink, const char *href, const char *text);

/* Converts a member as a document of its own: sniffs its type, runs the plugin for it, nested. name
 * is the raw path in the container; the data is read only during the call. mime and charset: as the
 * container declares them, or NULL (a declared type is a hint: the content decides where they
 * contradict). size -1 and mtime_ns 0: unknown. data NULL: a member that cannot be read; reason
 * then says why and it is listed by name. */
typedef struct {
	const char *name;
	const uint8_t *data;
	size_t size;
	int64_t mtime_ns;
	const char *mime, *charset;
	DocReason reason;
} SinkMember;
bool sink_member(Sink *sink, const SinkMember *member);

/* For unpackers: counts bytes before they are kept; false when the totals or the ratio pass the
 * limits. */
bool sink_unpacked(Sink *sink, size_t bytes);

/* Sends a document nested in this input to the plugin of another type, into the SAME document (an
 * HTML part of a mail, the XML of an e-book). The block boundary is implied. */
bool sink_inline(
        Sink *sink, const char *mime, const char *charset, const uint8_t *data, size_t size);

/* The type by which a picture's plugin asks for the text in it, with sink_inline(). */
#define OCR_TYPE "image/x-ocr"
/* Some text was sent, by this plugin or one that sink_inline() called. */
bool sink_has_text(const Sink *sink);

/* Records why the document could not be read or was cut. detail may be NULL. Returns
 * EXTRACT_FAILED. */
ExtractResult sink_fail(Sink *sink, DocReason reason, const char *detail);
/* Some text is missing for this reason, what there is is good. */
void sink_truncated(Sink *sink, DocReason reason, const char *detail);

/* ---- helpers for plugins (extractors/core/help.c) */

/* Decodes bytes to UTF-8: byte-order mark, else declared if it is known and the bytes are valid in
 * it, else valid UTF-8, else detection. *charset_r gets the name used (static), may be NULL. Never
 * NULL: bad sequences become U+FFFD. Yours. */
char *decode_text(const uint8_t *data, size_t size, const char *declared, size_t *length_r,
        const char **charset_r);
