/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter.h - client of the sandboxed converter program, tarsier-extract
 *
 * Starts the program, asks it for children, hands each child one open file at a time and turns the
 * frames that come back into Documents. Everything received is hostile until checked here: framing,
 * order, UTF-8, caps, job numbers. Death, deadline and bad frames all end in ONE place, which calls
 * done() with the reason. Works in the thread-default GMainContext of the thread that called
 * converter_start(); all callbacks come from there. Not thread-safe. */
#pragma once
#include "common/base/document.h"
#include "common/ipc/wire.h"

typedef struct Converter Converter;

/* How tight the sandbox is, found out by trying (never by kernel version). */
typedef enum {
	SANDBOX_NONE, /* neither: only the built-in plain-text plugin runs, unless allow_unsandboxed
	               */
	SANDBOX_LANDLOCK, /* Landlock alone does not confine: treated as SANDBOX_NONE */
	SANDBOX_SECCOMP, /* system calls filtered, no Landlock */
	SANDBOX_FULL, /* both */
	N_SANDBOX_LEVELS
} SandboxLevel;
const char *sandbox_level_name(SandboxLevel level); /* "none", "landlock", "seccomp", "full" */

typedef struct {
	char *name, *library;
	char *missing; /* why it is not usable ("off: ...": it was not asked for), or NULL */
	uint32_t version;
	bool usable;
	WireLane lane;
	char **mime_types;
} ConverterPlugin;

/* Not usable because the configuration says so, which is no trouble. */
bool converter_plugin_is_off(const ConverterPlugin *plugin);

typedef struct {
	SandboxLevel level;
	const ConverterPlugin *plugins;
	size_t n_plugins;
} ConverterInfo;

typedef struct {
	unsigned children; /* at once; at least 1 */
	bool allow_unsandboxed;
	char ocr[16]; /* language of text in pictures, as tesseract names it; "": none is looked for
	               */
	bool background; /* SCHED_IDLE and idle I/O */
	/* Names of the plugins that will probably do (of the cheap lane: "text", "html", "mail"),
	 * NULL-terminated, copied: the start takes a third of the time; what they cannot convert
	 * starts the whole. NULL: all at once. */
	const char *const *only;
	unsigned rest_ms; /* a program that nobody needs ends after this; 0: 10 s, the light one 60
	                     s */
} ConverterOptions;

/* Starts the program and waits for its greeting (at most 10 s). The program is
 * PKGLIBEXECDIR/tarsier-extract, or $TARSIER_EXTRACT; plugins come from EXTRACTORDIR, or
 * $TARSIER_PLUGINS. Nothing runs while nothing is converted: it ends by itself and is started again
 * on demand. */
Converter *converter_start(const ConverterOptions *options, GError **error);
/* Kills what runs (their done() is not called) and frees. */
void converter_free(Converter *converter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Converter, converter_free)

/* Borrowed; lives as long as the converter. Of all plugins, or of those of options.only as long as
 * these were enough. */
const ConverterInfo *converter_info(const Converter *converter);

typedef struct {
	int fd; /* regular file or sealed memfd, read from offset 0; taken over */
	uint64_t size;
	const char *name; /* last component, a hint (extension); copied */
	/* Cheap files share a child only within one scope: what took a child over can give false
	 * answers about nothing else. Any string; NULL is "". Copied. */
	const char *scope;
	ExtractLimits limits;
	/* With what takes long, text in pictures: it may take all the time there is, and gives way
	 * to whatever else waits for a child. Else that is left out, and the result says so. */
	bool slow;
	bool urgent; /* begins before those that are not */
} ConvertRequest;

typedef struct {
	DocState state; /* of the whole: as the outermost document, or FAILED */
	DocReason reason;
	char *detail; /* or NULL */
	const char *mime, *extractor; /* of the outermost document; may be NULL */
	uint32_t version;
	uint32_t documents; /* delivered */
	uint64_t cpu_us, wall_us, maxrss_bytes;
	bool left_out; /* something that takes long */
	bool given_up; /* a slow one that gave way: nothing of it counts */
} ConvertResult;

typedef struct {
	/* A document is complete; it is yours. Members come before their container, which comes
	 * last. */
	void (*document)(Document *doc, void *data);
	/* The conversion begins anew without a member that killed it: what was delivered so far is
	 * void. */
	void (*restart)(void *data);
	/* Always called once, last. When the converter failed, no outermost document was delivered
	 * and what members were delivered is to be kept. result is borrowed. */
	void (*done)(const ConvertResult *result, void *data);
} ConvertCallbacks;

/* True if a submit would start at once. */
bool converter_has_room(const Converter *converter);
/* Number of jobs submitted and not done. */
unsigned converter_in_work(const Converter *converter);
/* Queues the conversion; a crash caused by a member is retried once without that member. */
void converter_submit(Converter *converter, const ConvertRequest *request,
        const ConvertCallbacks *callbacks, void *data);
/* Stops the children that are at work, until they are let go on; the time does not count as theirs.
 * Jobs that are submitted meanwhile start. */
void converter_hold(Converter *converter, bool hold);
/* All slow conversions are given up. */
void converter_yield(Converter *converter);
/* Submits and runs the main context until it is done; returns the outermost document (state FAILED
 * with a reason if it could not be converted; never NULL). members may be NULL, else it receives
 * the others. */
Document *converter_run(Converter *converter, const ConvertRequest *request, GPtrArray *members);
