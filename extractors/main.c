/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - tarsier-extract: converts files in jailed children for tarsierd and tarsier */
#include <config.h>
#include "common/autofd.h"
#include "common/log.h"
#include "extractors/charset.h"
#include "extractors/print.h"
#include "extractors/registry.h"
#include "extractors/sink.h"
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

typedef struct {
	char *file; /* to convert and print; NULL: serve on standard input */
	gboolean no_jail;
} Options;

static bool parse(int argc, char **argv, Options *options, GError **error)
{
	const GOptionEntry entries[] = {
		{"file", 'f', 0, G_OPTION_ARG_FILENAME, &options->file, "Convert one file and print the frames", "FILE"},
		{"no-jail", 0, 0, G_OPTION_ARG_NONE, &options->no_jail, "Without the jail (with --file)", NULL},
		{NULL},
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_option_context_add_main_entries(context, entries, NULL);
	return g_option_context_parse(context, &argc, &argv, error);
}

static const char *plugin_directory(void)
{
	const char *directory = g_getenv("TARSIER_PLUGINS");
	return directory && *directory ? directory : EXTRACTORDIR;
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

static int convert_file(const Registry *registry, Sniffer *sniffer, const char *path)
{
	struct stat info;
	autofd fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) < 0) {
		perror(path);
		return 1;
	}
	void *data = info.st_size > 0 ? mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	if (data == MAP_FAILED) {
		perror(path);
		return 1;
	}
	g_autofree Out *out = g_new(Out, 1);
	unsigned depth = 0;
	out_init(out, print_packet, &depth);
	Conversion conversion = {.out = out,
		.registry = registry,
		.sniffer = sniffer,
		.limits = EXTRACT_LIMITS_DEFAULT,
		.lane = LANE_OWN};
	g_autofree char *name = g_path_get_basename(path);
	conversion_run(&conversion, data, info.st_size, name);
	out_flush(out);
	if (data)
		munmap(data, info.st_size);
	return 0;
}

int main(int argc, char **argv)
{
	Options options = {NULL};
	g_autoptr(GError) error = NULL;
	setlocale(LC_ALL, "C.UTF-8");
	if (!parse(argc, argv, &options, &error)) {
		fprintf(stderr, "tarsier-extract: %s\n", error->message);
		return 2;
	}
	log_init("tarsier-extract", FALSE);
	charset_preload();
	g_autoptr(Registry) registry = registry_load(plugin_directory(), &error);
	if (!registry) {
		fprintf(stderr, "tarsier-extract: %s\n", error->message);
		return 1;
	}
	Sniffer *sniffer = sniffer_new();
	int status = options.file ? convert_file(registry, sniffer, options.file) : 2;
	sniffer_free(sniffer);
	g_free(options.file);
	return status;
}
