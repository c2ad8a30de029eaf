/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter.h - client of the sandboxed program tarsier-extract
 *
 * A Converter starts the program, asks it for children, hands each child one open file at a time,
 * or some small files together, and turns the received frames into Documents. Everything received
 * is hostile until it is checked here: framing, order, UTF-8, limits, job numbers. Crashes,
 * deadlines and malformed frames all end in one place, which calls done() with the reason. A
 * Converter works in the thread-default GMainContext of the thread that called converter_start()
 * and makes all callbacks there. It is not thread-safe. */
#pragma once
#include "common/base/document.h"
#include "common/ipc/wire.h"

typedef struct Converter Converter;

/* How strict the sandbox is. The program finds out by trying, never by the kernel's version. */
typedef enum {
	SANDBOX_NONE, /* neither mechanism: only the built-in plain-text plugin runs, unless
	                 allow_unsandboxed */
	SANDBOX_LANDLOCK, /* Landlock alone does not confine; treated as SANDBOX_NONE */
	SANDBOX_SECCOMP, /* system calls are filtered, no Landlock */
	SANDBOX_FULL, /* both */
	N_SANDBOX_LEVELS
} SandboxLevel;
const char *sandbox_level_name(SandboxLevel level); /* "none", "landlock", "seccomp", "full" */

typedef struct {
	char *name, *library;
	char *missing; /* why it is not usable; begins with "off:" if the configuration turned it
	                  off. NULL if usable */
	uint32_t version;
	bool usable;
	WireLane lane;
	char **mime_types;
} ConverterPlugin;

/* Raised when tarsier-extract recognizes files that were application/octet-stream before
 * (extractors/sniff): those of an older index are read again. */
enum { SNIFF_VERSION = 1 };

/* True if the plugin is unusable only because the configuration turned it off, which is no
 * problem. */
bool converter_plugin_is_off(const ConverterPlugin *plugin);

typedef struct {
	SandboxLevel level;
	const ConverterPlugin *plugins;
	size_t n_plugins;
} ConverterInfo;

typedef struct {
	unsigned children; /* concurrent jobs; at least 1 */
	bool allow_unsandboxed;
	char ocr[16]; /* OCR language in tesseract's naming; "" turns OCR off */
	bool draws; /* the program can draw (JOB_PICTURE); for that, it may read the system's fonts
	             */
	bool background; /* run with SCHED_IDLE and idle I/O priority */
	/* Names of the plugins that are probably enough, all of the cheap lane ("text", "html",
	 * "mail"): the start then takes a third of the time. The first file that they cannot
	 * convert starts the program with all plugins. NULL-terminated, copied. NULL: start that
	 * program at once. */
	const char *const *light_plugins;
	/* The name of the first of few files: only the program for its lane is started then, with
	 * the plugins that are probably in it. NULL: see light_plugins. */
	const char *first_name;
	unsigned idle_ms; /* an idle program ends after this time; 0: 10 s, or 60 s for the cheap
	                     lane */
} ConverterOptions;

/* Starts the program and waits for its handshake (at most 10 s). The program is
 * PKGLIBEXECDIR/tarsier-extract or $TARSIER_EXTRACT; plugins come from EXTRACTORDIR or
 * $TARSIER_PLUGINS. An idle program ends by itself and is started again on demand. NULL with error
 * on failure. */
Converter *converter_start(const ConverterOptions *options, GError **error);
/* Kills all children without calling done() for their jobs, and frees the converter. NULL is
 * fine. */
void converter_free(Converter *converter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Converter, converter_free)

/* The plugins and the sandbox level. As long as the plugins of options.light_plugins were enough,
 * only those are listed. Borrowed; valid as long as the converter. */
const ConverterInfo *converter_info(const Converter *converter);

typedef struct {
	int fd; /* a regular file or a sealed memfd, read from offset 0; the converter closes it */
	/* Instead of fd, which is -1 then: the bytes of a file of at most WIRE_ENCLOSED_BYTES,
	 * whose jobs may share a message to their child. NULL: see fd, or the file is empty. The
	 * converter takes a reference. */
	GBytes *bytes;
	uint64_t size;
	const char *name; /* last component of the path, used as a hint (extension); copied */
	/* Files of the cheap lane share a child only within one scope: a file that takes control of
	 * the child cannot forge results for other scopes. Any string; NULL means "". Copied.
	 * converter_file_scope() gives that of a file. */
	const char *scope;
	ExtractLimits limits;
	/* Include slow work, which is OCR. A slow job may take ten times as long as others, and
	 * gives way to any other waiting job. If false, slow work is left out and the result says
	 * so. */
	bool slow;
	bool urgent; /* starts before jobs that are not urgent */
	const char *member; /* path of the only member whose bytes are wanted; NULL: convert
	                       everything. Copied. */
	JobPurpose purpose; /* JOB_FILE, unless the file comes from the network */
	/* The absolute address that the file was fetched from, against which its links are
	 * resolved; at most CONVERT_MAX_URL bytes, longer ones are left out. NULL: none. Copied. */
	const char *url;
	/* The charset that the server declared for it; NULL: none. Copied. */
	const char *charset;
} ConvertRequest;

enum { CONVERT_MAX_URL = 8 << 10 };

typedef struct {
	DocState state; /* state of the outermost document, or STATE_FAILED */
	DocReason reason;
	char *detail; /* may be NULL */
	const char *mime, *extractor; /* of the outermost document; may be NULL */
	uint32_t version;
	uint32_t documents; /* number of documents delivered */
	uint64_t cpu_us;
	bool left_out; /* slow work was left out */
	bool given_up; /* a slow job gave way to others: ignore all its documents */
} ConvertResult;

typedef struct {
	/* A document is complete; the callee frees it. Members come first; their container comes
	 * last. */
	void (*document)(Document *doc, void *data);
	/* The conversion starts again without a member that killed the child: drop all documents
	 * delivered so far. */
	void (*restart)(void *data);
	/* Always called once, as the last callback. If the child failed, the outermost document was
	 * not delivered; members that were delivered stay valid. result is borrowed. */
	void (*done)(const ConvertResult *result, void *data);
	/* Bytes of the wanted member; false if they cannot be kept, which ends the job. NULL if no
	 * member is wanted. */
	bool (*bytes)(const uint8_t *bytes, size_t length, void *data);
	/* The picture of a job of JOB_PICTURE: red, green and blue of each pixel, by rows from the
	 * top; width and height are 1 to WIRE_PICTURE_SIDE. It is valid only if done() tells of
	 * STATE_OK. NULL for other jobs. */
	void (*picture)(unsigned width, unsigned height, const uint8_t *pixels, void *data);
} ConvertCallbacks;

/* The scope of a file: its owner and its directory right below the root. Downloads are usually in
 * other directories there than the user's own files. relative: its path below the root. The caller
 * frees it. */
char *converter_file_scope(unsigned uid, const char *root, const char *relative);
/* The number of jobs that are submitted and not yet done. */
unsigned converter_in_work(const Converter *converter);
/* Queues a conversion. If a member crashes the child, the job is retried once without that
 * member. */
void converter_submit(Converter *converter, const ConvertRequest *request,
        const ConvertCallbacks *callbacks, void *data);
/* collect: jobs that are submitted from now on start together, when it is called again without. */
void converter_collect(Converter *converter, bool collect);
/* hold: suspends all running children, and their deadlines with them. Jobs submitted meanwhile
 * still start. Otherwise resumes the suspended children. */
void converter_hold(Converter *converter, bool hold);
/* Gives running jobs more time: the caller has just taken no answers for so long, which is not
 * their fault. */
void converter_add_time(Converter *converter, int64_t us);
/* Gives up all slow conversions. */
void converter_yield(Converter *converter);
/* Submits a job and runs the main context until it is done. Returns the outermost document, which
 * the caller frees; never NULL. If the conversion failed, it is in STATE_FAILED with a reason.
 * members: receives the other documents; may be NULL. */
Document *converter_run(Converter *converter, const ConvertRequest *request, GPtrArray *members);
/* Writes the bytes of request->member to the empty file output. Returns true if the member was
 * found and is complete as far as the container tells. False with G_FILE_ERROR if output could not
 * be written; else *reason_r says why there is no such member: REASON_NONE if the file does not
 * have it. */
bool converter_copy_member(Converter *converter, const ConvertRequest *request, int output,
        DocReason *reason_r, GError **error);
