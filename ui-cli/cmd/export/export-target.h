/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-target.h - what a module for a target offers: LIBDIR/tarsier/targets/NAME.so
 *
 * Modules keep the libraries of the targets out of the client. A target learns in three steps. It
 * is told of every content, with its documents and places and without texts. It applies what that
 * changes: documents and permissions that went, and those that came. Then it asks for the contents
 * whose documents it lacks. A document never changes, so no text is sent twice. A target that has
 * nothing of the index yet may take documents and places at once instead.
 *
 * An export that follows the changes tells it later of single contents, and stores in it how far it
 * has come. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { EXPORT_TARGET_VERSION = 7 };

/* EXPORT_ERROR_REFUSED: the caller must do something first, as the message tells.
 * EXPORT_ERROR_UNAVAILABLE: the target failed, or cannot be reached; try again later. */
#define EXPORT_ERROR (g_quark_from_static_string("tarsier-export-error"))
typedef enum { EXPORT_ERROR_REFUSED, EXPORT_ERROR_UNAVAILABLE } ExportError;

typedef struct ExportTarget ExportTarget;

/* How the target is told who we are; NULL: nothing. */
typedef struct {
	char *user, *password, *api_key;
} ExportCredentials;

typedef struct {
	const char *target;
	const ExportCredentials *credentials;
	bool setup; /* make first what is needed there */
	bool search; /* only search() is called */
	const char *certificates; /* file of those that are trusted; NULL: those of the system */
	/* Confines a process that the target has forked, and that does nothing but make
	 * connections. readable: a file besides those of the system, or NULL. */
	bool (*confine)(const char *readable);
} ExportOpening;

typedef struct {
	const char *instance; /* reader_identity() */
	const char *host;
	const char *origin; /* the place of the index: whatever else came from there is an index
	                       that was replaced; NULL: not known */
	bool verify; /* nothing is to be changed */
} ExportSource;

typedef struct {
	uint64_t documents_gone, places_gone, places_come; /* places whose permissions differ count
	                                                      in both */
	uint64_t documents_missing;
} ExportDifferences;

typedef struct {
	const char *query; /* JSON (at-query.h) */
	unsigned most, skip; /* hits; most 0: they are counted only */
} ExportSearch;

typedef struct {
	char *total; /* the number of all hits, as the target tells it: a text that is not
	                checked, which the caller frees; NULL: it does not */
	bool at_most; /* there may be fewer */
	bool partial; /* a part of the target did not answer, so that hits may be missing */
} ExportAnswer;

/* The values of a hit. HIT_PATH: base64 of the bytes; HIT_COPIES: of more paths, parted by
 * blanks. Dates are seconds since 1970. In HIT_SNIPPET, what matches stands between U+0002 and
 * U+0003. */
typedef enum {
	HIT_PATH,
	HIT_SOURCE,
	HIT_COPIES,
	HIT_MEMBER,
	HIT_KIND,
	HIT_MIME,
	HIT_TITLE,
	HIT_AUTHOR,
	HIT_LANG,
	HIT_DATE,
	HIT_MTIME,
	HIT_SIZE,
	HIT_STATE,
	HIT_PAGES,
	HIT_SECONDS,
	HIT_SCORE,
	HIT_SNIPPET,
	HIT_HOST,
	N_HIT_VALUES
} HitValue;
/* Takes the values of one hit, any of which may be NULL. They come from the target, unchecked, and
 * end with NUL. False with error. */
typedef bool (*ExportHitFunc)(const char *const values[N_HIT_VALUES], void *data, GError **error);

/* How long a target may take to answer a search, and how many hits it tells at a time. */
enum { EXPORT_SEARCH_SECONDS = 30, EXPORT_CONNECT_SECONDS = 10, EXPORT_MOST_HITS = 10000 };
/* The longest path in base64, in bytes: the kernel takes 4 KiB, URLs are longer. */
enum { EXPORT_MOST_PATH = 64 << 10 };

/* Texts are UTF-8, lines as in docs/EXPORT.md. Functions that return bool or int return false or -1
 * with error; then only close() makes sense. */
typedef struct {
	unsigned version; /* EXPORT_TARGET_VERSION */
	/* Connects, while the process is not confined yet and has a single thread. NULL with error.
	 */
	ExportTarget *(*open)(const ExportOpening *opening, GError **error);
	void (*close)(ExportTarget *target);
	/* Begins an export. *seq_r: the number that the last end() stored; -1: none, or what is
	 * there may differ. */
	bool (*begin)(
	        ExportTarget *target, const ExportSource *source, int64_t *seq_r, GError **error);
	/* *empty_r: nothing is there, and put() takes the places of each document too, until end();
	 * see(), compare() and next_missing() are not called then. NULL: this target is always
	 * compared. */
	bool (*begin_first)(ExportTarget *target, bool *empty_r, GError **error);
	/* {"content":N,"documents":[N, …],"places":[…]}, in the order of their numbers. The target
	 * may change already what differs. */
	bool (*see)(ExportTarget *target, const char *line, GError **error);
	/* Compares all that was seen with what is there. Unless it was to verify only, it makes it
	 * so, permissions first, and forgets the number. */
	bool (*compare)(ExportTarget *target, ExportDifferences *out, GError **error);
	/* Takes contents as they are now: their places replace the former ones, and documents that
	 * are not listed go. Readers see it when the call returns. lines: char *, as for see().
	 * missing: the contents that lack documents are appended (int64_t). */
	bool (*change)(
	        ExportTarget *target, const GPtrArray *lines, GArray *missing, GError **error);
	/* 1: the next content that lacked documents in the comparison; 0: none is left. */
	int (*next_missing)(ExportTarget *target, int64_t *content_r, GError **error);
	/* A line of the stream. The target commits when it likes. */
	bool (*put)(ExportTarget *target, int64_t document, const char *line, GError **error);
	/* The number of documents so far that have a value which the target cannot hold. They were
	 * left out, and are missing in the next export too. */
	uint64_t (*refused)(const ExportTarget *target);
	/* Commits everything, and notes that the target is in step. seq: all changes up to this one
	 * are there; -1: not known. */
	bool (*end)(ExportTarget *target, int64_t seq, GError **error);
	/* The lines have the words of documents and names (export-words.h). */
	bool wants_words;
	/* Calls f for each hit in order. answer: zeroed before. NULL: this target cannot be
	 * searched from here. */
	bool (*search)(ExportTarget *target, const ExportSearch *search, ExportAnswer *answer,
	        ExportHitFunc f, void *data, GError **error);
} ExportTargetFunctions;

/* The symbol of the module. */
#define EXPORT_TARGET_SYMBOL "export_target"
