/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/converter-identity.h"
#include "common/sandbox/extract-host.h"
#include "common/base/text.h"
#include <sys/stat.h>
#include <sys/utsname.h>

enum { HEX_DIGITS = 15 }; /* digits of a checksum that fit into a positive int64_t */

static void identity_add_file(GString *facts, const char *path)
{
	struct stat info = {0};
	if (stat(path, &info) < 0)
		g_string_append(facts, "none ");
	g_string_append_printf(facts, "%s %lu %lu %ld %ld.%09ld %ld.%09ld\n", path,
	        (unsigned long)info.st_dev, (unsigned long)info.st_ino, (long)info.st_size,
	        (long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec, (long)info.st_ctim.tv_sec,
	        info.st_ctim.tv_nsec);
}

static void add_files(GString *facts, const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	const char *name;
	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".so"))
			g_ptr_array_add(paths, g_build_filename(directory, name, NULL));
	g_ptr_array_sort(paths, text_compare_elements);
	for (guint i = 0; i < paths->len; i++)
		identity_add_file(facts, paths->pdata[i]);
}

int64_t converter_files_identity(const ConverterOptions *options)
{
	g_autoptr(GString) facts = g_string_new(options->allow_unsandboxed ? "unsandboxed\n" : "");
	g_autofree char *program = host_program();
	struct utsname system = {0};

	uname(&system);
	g_string_append_printf(
	        facts, "%s %s %s\n", PACKAGE_VERSION, system.release, system.version);
	identity_add_file(facts, program);
	add_files(facts, host_plugin_directory());
	identity_add_file(facts, "/etc/ld.so.cache");
	g_autofree char *sum =
	        g_compute_checksum_for_string(G_CHECKSUM_SHA256, facts->str, facts->len);
	sum[HEX_DIGITS] = '\0';
	return (int64_t)MAX(g_ascii_strtoull(sum, NULL, 16), 1);
}

int64_t converter_identity(const ConverterOptions *options)
{
	return options->ocr[0] ? 0 : converter_files_identity(options);
}
