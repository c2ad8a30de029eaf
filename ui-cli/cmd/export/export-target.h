/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-target.h - what a module for a target offers: LIBDIR/tarsier/targets/NAME.so
 *
 * Modules keep the libraries of the targets out of the client. A target learns in three steps. It
 * is told of every content, with its documents and places and without texts. It applies what that
 * changes: documents and permissions that went, and those that came. Then it asks for the contents
 * whose documents it lacks. A document never changes, so no text is sent twice. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { EXPORT_TARGET_VERSION = 1 };

/* EXPORT_ERROR_REFUSED: the caller must do something first, as the message tells.
 * EXPORT_ERROR_UNAVAILABLE: the target failed, or cannot be reached; try again later. */
#define EXPORT_ERROR (g_quark_from_static_string("tarsier-export-error"))
typedef enum { EXPORT_ERROR_REFUSED, EXPORT_ERROR_UNAVAILABLE } ExportError;

typedef struct ExportTarget ExportTarget;

typedef struct {
	uint64_t documents_gone, places_gone, places_come; /* places whose permissions differ count
	                                                      in both */
	uint64_t documents_missing;
} ExportDifferences;

/* Texts are UTF-8, lines as in docs/EXPORT.md. Functions that return bool or int return false or -1
 * with error; then only close() makes sense. */
typedef struct {
	unsigned version; /* EXPORT_TARGET_VERSION */
	/* Connects. setup: make what is needed there first. NULL with error. */
	ExportTarget *(*open)(const char *target, bool setup, GError **error);
	void (*close)(ExportTarget *target);
	/* Begins an export. instance: reader_identity(). */
	bool (*begin)(ExportTarget *target, const char *instance, const char *host, GError **error);
	/* {"content":N,"documents":[N, …],"places":[…]} */
	bool (*see)(ExportTarget *target, const char *line, GError **error);
	/* Compares all that was seen with what is there; apply: makes it so, permissions first. */
	bool (*compare)(ExportTarget *target, bool apply, ExportDifferences *out, GError **error);
	/* 1: the next content that lacks documents; 0: none is left. */
	int (*next_missing)(ExportTarget *target, int64_t *content_r, GError **error);
	/* A line of the stream. The target commits when it likes. */
	bool (*put)(ExportTarget *target, int64_t document, const char *line, GError **error);
	/* The number of documents so far that have a value which the target cannot hold. They were
	 * left out, and are missing in the next export too. */
	uint64_t (*refused)(const ExportTarget *target);
	/* Commits everything, and notes that the export came to its end. */
	bool (*end)(ExportTarget *target, GError **error);
} ExportTargetFunctions;

/* The symbol of the module. */
#define EXPORT_TARGET_SYMBOL "export_target"
