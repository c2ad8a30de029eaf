/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extractor.h - the interface of a format plugin
 *
 * A plugin is a loadable module in its own folder that exports one constant:
 *
 *	const Extractor tarsier_extractor = { EXTRACTOR_ABI, "html", 3, ... };
 *
 * It runs in a sandboxed child: no file system, no network, no exec, no threads. If a library loads
 * something late (tables, data files, charset converters), preload() must load it: preload() runs
 * in the parent before the parent enters the sandbox. Memory and time are limited from outside. A
 * plugin may crash, but it must not invent text: it sends text through the Sink as the file has
 * it. */
#pragma once
#include "common/base/document.h"
#include "common/ipc/wire.h"

#define EXTRACTOR_ABI 4

/* A file or a member, in memory as a whole (a private read-only mapping or the heap). */
typedef struct {
	const uint8_t *data;
	size_t size;
	/* last component of the path, raw bytes; "" if unknown; a hint, never trusted */
	const char *name;
	const char *mime; /* sniffed, or declared by the container */
	const char *charset; /* declared by the container (for example a mail part), or NULL */
	JobPurpose purpose; /* JOB_FILE for members */
	const char *url; /* absolute address that the file was fetched from; "": none */
	const ExtractLimits *limits;
} Input;

typedef struct Sink Sink;

/* EXTRACT_DONE: everything readable was sent. EXTRACT_NOTHING: the file has no text (a picture).
 * EXTRACT_FAILED: sink_fail() was called. Text that was sent before a failure is kept. */
typedef enum { EXTRACT_DONE, EXTRACT_NOTHING, EXTRACT_FAILED } ExtractResult;

typedef struct {
	unsigned abi; /* EXTRACTOR_ABI */
	const char *name; /* stable: stored with each document */
	unsigned version; /* raise it to convert this plugin's documents again */
	/* "poppler-glib 22.12.0", for display; preload() may fill it, in static storage */
	const char *library;
	WireLane lane;
	const char *const
	        /* NULL-terminated; "text/" + '*' matches a family; an exact match wins */
	        *mime_types;
	/* May be NULL. Returns NULL, or a static message that says what is missing; the plugin is
	 * then listed as unusable. */
	const char *(*preload)(void);
	ExtractResult (*extract)(const Input *in, Sink *sink);
	/* A directory of public tables that the library reads in the sandbox; NULL: none, which is
	 * better: children of programs without such a plugin cannot open anything. */
	const char *reads;
	/* Draws the file, or its first page, with sink_picture(). NULL: it cannot. */
	ExtractResult (*draw)(const Input *in, Sink *sink);
	/* As preload() and reads, for draw(): only programs that draw call it, and may read there.
	 * Either may be NULL. */
	void (*draw_preload)(void);
	const char *draw_reads;
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

/* ---- the sink
 *
 * Text is UTF-8. Invalid sequences are repaired; NUL and C0 controls other than tab and newline
 * become spaces. length -1: NUL-terminated. Every function returns false once a limit of the
 * document is reached: then stop and return EXTRACT_DONE. */

/* Sends a fact about the document. Leading and trailing white space is cut; an empty value is
 * ignored. */
bool sink_field(Sink *sink, DocField field, const char *value, ssize_t length);
/* Begins a new block with this tag. Its first word is not adjacent to the word before it. */
bool sink_block(Sink *sink, DocTag tag);
/* Sends text of the current block; tag is the block's own or an inline tag (emphasis, link,
 * code). */
bool sink_text(Sink *sink, DocTag tag, const char *text, ssize_t length);
/* Begins a page, slide, sheet or chapter of a recording, and a new block. label may be NULL. */
bool sink_break(Sink *sink, DocBreakKind kind, unsigned number, const char *label);
/* Sends the target of a link, as a browser would resolve it, with its anchor text. The anchor is
 * not added to the text. Calls sink_address(). */
bool sink_link(Sink *sink, const char *href, const char *text);
/* The address of a link becomes noise at the end of the text, unless text shows it; see
 * extractors/core/addresses.h. text may be NULL. */
void sink_address(Sink *sink, const char *href, const char *text);
/* Sends a link of any kind; flags: those of DocLink; text may be NULL. */
bool sink_link_kind(
        Sink *sink, DocLinkKind kind, unsigned flags, const char *href, const char *text);

/* Converts a member as a document of its own: sniffs its type and runs the plugin for that type.
 *
 * name is the raw path in the container. The data is read only during the call. mime and charset
 * are as the container declares them, or NULL; if the content contradicts a declared type, the
 * content decides. Unknown: size SIZE_MAX, mtime_ns 0. data NULL: the member cannot be read for
 * this reason and is only listed by name. */
typedef struct {
	const char *name;
	const uint8_t *data;
	size_t size;
	int64_t mtime_ns;
	const char *mime, *charset;
	DocReason reason;
} SinkMember;
bool sink_member(Sink *sink, const SinkMember *member);

/* Begins a member that this plugin fills itself through the sink that is returned, up to
 * sink_end_member(). mime is what the member is; data is what a user gets who asks for the bytes of
 * the member, and is read only during the call. NULL: leave this member out. */
Sink *sink_begin_member(Sink *sink, const SinkMember *member);
void sink_end_member(Sink *inner);

/* Counts unpacked bytes; unpackers call it before they keep the bytes. False once the total or the
 * compression ratio exceeds its limit. */
bool sink_unpacked(Sink *sink, size_t bytes);

/* Sends an inner part to the plugin of another type, into the same document (an HTML part of a
 * mail, the XML of an e-book). A block ends before and after it. Without a plugin for the type it
 * does nothing. */
bool sink_inline(
        Sink *sink, const char *mime, const char *charset, const uint8_t *data, size_t size);

/* Sends the picture of the file: red, green and blue of each pixel, by rows from the top. width and
 * height: 1 to WIRE_PICTURE_SIDE. Only within draw(), once. */
bool sink_picture(Sink *sink, unsigned width, unsigned height, const uint8_t *pixels);

/* Draws a picture that the file has of itself, in the place of the file: the bytes of a file of a
 * type in LANE_IMAGE. Only within draw() of another lane. Returns what draw() should. */
ExtractResult sink_draw(Sink *sink, const uint8_t *data, size_t size);

/* The type by which a plugin asks for OCR of a picture, with sink_inline(). */
#define OCR_TYPE "image/x-ocr"
/* True if that would read the picture now. If it would at another time, when there is nothing else
 * to do, the document is marked to be converted again then. If too much of the time for this
 * conversion has passed, the text counts as truncated. */
bool sink_wants_ocr(Sink *sink);
/* The time that this conversion has left for OCR, in milliseconds: it may take two thirds of what
 * the limits allow. */
unsigned sink_ocr_ms(const Sink *sink);
/* The types that stand for purposes of jobs: no content is sniffed as one of them. */
#define ROBOTS_TYPE "application/x-robots"
#define SITEMAP_TYPE "application/x-sitemap"
#define FEED_TYPE "application/x-feed"
/* True if text was sent, by this plugin or by one that sink_inline() called. */
bool sink_has_text(const Sink *sink);

/* Records why the document could not be read. detail may be NULL. Returns EXTRACT_FAILED. */
ExtractResult sink_fail(Sink *sink, DocReason reason, const char *detail);
/* Records why some text is missing; the text that was sent is good. Only the first call counts.
 * detail may be NULL. */
void sink_truncated(Sink *sink, DocReason reason, const char *detail);

/* ---- helpers for plugins (extractors/core/help.c) */

/* Decodes bytes to UTF-8. The charset is the first that applies: the byte-order mark; the declared
 * one, if it is known and the bytes are valid in it; UTF-8, if valid; detection. *charset_r gets
 * its name (static); charset_r and length_r may be NULL. Invalid sequences become U+FFFD, except
 * letters of Latin-1 in UTF-8. Never NULL; the caller frees it. */
char *decode_text(const uint8_t *data, size_t size, const char *declared, size_t *length_r,
        const char **charset_r);
