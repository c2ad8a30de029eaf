/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - tarsier-extract: converts files in sandboxed children, for tarsierd and tarsier */
#include <config.h>
#include "common/base/autofd.h"
#include "common/sandbox/extract-host.h"
#include "common/base/log.h"
#include "extractors/charset/charset.h"
#include "extractors/core/sandbox.h"
#include "extractors/charset/language.h"
#include "extractors/core/parent.h"
#include "extractors/core/print.h"
#include "extractors/core/registry.h"
#include "extractors/core/sink.h"
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CONTROL_FD = 3 };

typedef struct {
	char **files; /* to convert and print; NULL: serve the control socket */
	gboolean no_sandbox; /* only with files */
	char *page; /* address of the page that each file is; NULL: it is a file; only with files */
	gboolean background, unsandboxed, debug, draw;
	char *only; /* comma-separated list; see common/sandbox/extract-host.h */
	char *ocr; /* OCR language; NULL: no OCR */
} ExtractOptions;

static bool extract_main_parse(int argc, char **argv, ExtractOptions *options, GError **error)
{
	const GOptionEntry entries[] = {
	        {"file", 'f', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files,
	                "Convert this file and print the frames", "FILE"},
	        {"no-sandbox", 0, 0, G_OPTION_ARG_NONE, &options->no_sandbox,
	                "Without the sandbox (with --file)", NULL},
	        {"page", 0, 0, G_OPTION_ARG_STRING, &options->page,
	                "The file is a page of a site (with --file)", "URL"},
	        {"background", 0, 0, G_OPTION_ARG_NONE, &options->background,
	                "Run at idle priority", NULL},
	        {"unsandboxed", 0, 0, G_OPTION_ARG_NONE, &options->unsandboxed,
	                "Use all plugins even without a sandbox", NULL},
	        {"draw", 0, 0, G_OPTION_ARG_NONE, &options->draw,
	                "Draw small pictures too (with --file: nothing else)", NULL},
	        {"debug", 0, 0, G_OPTION_ARG_NONE, &options->debug, "Keep standard error", NULL},
	        {"only", 0, 0, G_OPTION_ARG_STRING, &options->only, "Load only these plugins",
	                "NAME,..."},
	        {"ocr", 0, 0, G_OPTION_ARG_STRING, &options->ocr, "Recognise text in pictures",
	                "LANGUAGE"},
	        {NULL},
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_option_context_add_main_entries(context, entries, NULL);
	return g_option_context_parse(context, &argc, &argv, error);
}

static bool print_packet(WirePacket *packet, void *data)
{
	WireFrame frame;
	size_t position = 0;
	while (wire_next(packet->bytes, packet->used, &position, &frame) > 0)
		print_frame(stdout, &frame, data);
	packet->used = 0;
	return true;
}

static Sandbox *sandbox_for(const Registry *registry)
{
	g_autofree const char **readable = registry_reads(registry);
	return sandbox_new(readable);
}

static bool sandbox_this_process(const Registry *registry)
{
	g_autoptr(Sandbox) sandbox = sandbox_for(registry);
	const SandboxLimits limits = {.parent = getppid(), .may_write = true};
	if (sandbox_enter_parent(sandbox) < SANDBOX_SECCOMP) {
		fprintf(stderr,
		        "tarsier-extract: no sandbox is available; --no-sandbox converts without "
		        "one\n");
		return false;
	}
	return sandbox_enter_child(sandbox, &limits);
}

/* Converts one file in this process, for authors of plugins. The process enters a child's sandbox
 * unless no_sandbox is set. */
static int convert_file(
        const Registry *registry, Sniffer *sniffer, const ExtractOptions *options, const char *path)
{
	struct stat info;
	autofd fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) < 0) {
		perror(path);
		return 1;
	}
	void *data =
	        info.st_size > 0 ? mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	if (data == MAP_FAILED) {
		perror(path);
		return 1;
	}
	if (!options->no_sandbox && !sandbox_this_process(registry))
		return WIRE_EXIT_SANDBOX;
	g_autofree Out *out = g_new(Out, 1);
	unsigned depth = 0;
	out_init(out, print_packet, &depth);
	Conversion conversion = {.out = out,
	        .registry = registry,
	        .sniffer = sniffer,
	        .limits = EXTRACT_LIMITS_DEFAULT,
	        .lane = LANE_ALL,
	        .purpose = options->draw   ? JOB_PICTURE
	                   : options->page ? JOB_PAGE
	                                   : JOB_FILE,
	        .url = options->page,
	        .slow = true};
	g_autofree char *name = g_path_get_basename(path);
	conversion_run(&conversion, data, info.st_size, name);
	out_flush(out);
	if (data)
		munmap(data, info.st_size);
	return 0;
}

/* Converts each file in a process of its own. A line before its frames names it. */
static int convert_each(const Registry *registry, Sniffer *sniffer, const ExtractOptions *options)
{
	int worst = 0;
	for (char **path = options->files; *path; path++) {
		printf("==> %s <==\n", *path);
		fflush(stdout);
		pid_t pid = fork();
		if (pid == 0) {
			int own = convert_file(registry, sniffer, options, *path);
			fflush(stdout);
			_exit(own);
		}
		int status;
		bool ended = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status);
		worst = MAX(worst, ended ? WEXITSTATUS(status) : 1);
	}
	return worst;
}

static int convert_asked(const Registry *registry, Sniffer *sniffer, const ExtractOptions *options)
{
	return options->files[1] ? convert_each(registry, sniffer, options)
	                         : convert_file(registry, sniffer, options, options->files[0]);
}

/* Redirects standard error: messages of libraries about a hostile file must not reach a
 * terminal. */
static void extract_main_silence(void)
{
#ifndef __SANITIZE_ADDRESS__
	autofd null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
#endif
}

/* Enters the sandbox after everything is loaded. Exits if the self-test fails. */
static SandboxLevel close_sandbox(
        Sandbox *sandbox, Registry *registry, const ExtractOptions *options)
{
	SandboxLevel level = sandbox_enter_parent(sandbox);
	if (level >= SANDBOX_SECCOMP && !sandbox_self_test(sandbox)) {
		fprintf(stderr, "tarsier-extract: the sandbox failed its self-test\n");
		exit(WIRE_EXIT_SANDBOX);
	}
	if (level < SANDBOX_SECCOMP && !options->unsandboxed)
		registry_keep_only(registry, "text");
	return level;
}

static int extract_main_serve(Registry *registry, Sniffer *sniffer, const ExtractOptions *options)
{
	g_autoptr(Sandbox) sandbox = sandbox_for(registry);
	if (!options->debug)
		extract_main_silence();
	SandboxLevel level = close_sandbox(sandbox, registry, options);
	ParentSetup setup = {CONTROL_FD, sandbox, level, registry, sniffer};
	return parent_run(&setup);
}

/* Types whose files are sent back, for another lane. */
static bool extract_main_read_elsewhere(Registry *registry)
{
	const char *list = g_getenv(HOST_ELSEWHERE);
	g_auto(GStrv) elsewhere = list ? g_strsplit(list, ",", -1) : NULL;
	bool good = !elsewhere || registry_set_elsewhere(registry, elsewhere);
	if (!good)
		fprintf(stderr, "tarsier-extract: " HOST_ELSEWHERE ": not TYPE=LANE,...\n");
	g_unsetenv(HOST_ELSEWHERE);
	return good;
}

static int extract_main_run(const ExtractOptions *options)
{
	g_autoptr(GError) error = NULL;
	/* a file that needs a rare charset is converted where all plugins are, too */
	charset_preload(options->files || !g_getenv(HOST_ELSEWHERE));
	language_preload();
	g_auto(GStrv) only = options->only ? g_strsplit(options->only, ",", -1) : NULL;
	g_autoptr(Registry) registry = registry_load(host_plugin_directory(), only, &error);
	if (!registry) {
		fprintf(stderr, "tarsier-extract: %s\n", error->message);
		return 1;
	}
	if (!extract_main_read_elsewhere(registry))
		return 2;
	if (options->draw)
		registry_prepare_drawing(registry);
	Sniffer *sniffer = sniffer_new();
	int status = options->files ? convert_asked(registry, sniffer, options)
	                            : extract_main_serve(registry, sniffer, options);
	sniffer_free(sniffer);
	return status;
}

int main(int argc, char **argv)
{
	ExtractOptions options = {NULL};
	g_autoptr(GError) error = NULL;
	setlocale(LC_ALL, "C.UTF-8");
	if (!extract_main_parse(argc, argv, &options, &error)) {
		fprintf(stderr, "tarsier-extract: %s\n", error->message);
		return 2;
	}
	if (!options.files)
		sandbox_harden(CONTROL_FD + 1, options.background);
	log_init("tarsier-extract", FALSE);
	/* without TZ, the C library looks at this file whenever a time is converted */
	g_setenv("TZ", ":/etc/localtime", FALSE);
	tzset();
	g_unsetenv("TARSIER_OCR");
	if (options.ocr) {
		g_setenv("TARSIER_OCR", options.ocr, TRUE);
		g_setenv("OMP_THREAD_LIMIT", "1", TRUE);
	}
	int status = extract_main_run(&options);
	g_strfreev(options.files);
	g_free(options.only);
	g_free(options.ocr);
	/* _exit() skips the exit handlers of libraries */
	fflush(stdout);
	_exit(status);
}
