/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/extractors/converter-test.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fixture_up(Fixture *f, gconstpointer data)
{
	const ConverterOptions options = {.children = data ? GPOINTER_TO_UINT(data) : 2};
	g_autoptr(GError) error = NULL;
	f->converter = converter_start(&options, &error);
	g_assert_no_error(error);
}

void fixture_down(Fixture *f, gconstpointer data)
{
	converter_free(f->converter);
}

static int file_of(const char *text, size_t length)
{
	int fd = memfd_create("input", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(write(fd, text, length), ==, (ssize_t)length);
	g_assert_cmpint(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW), ==, 0);
	return fd;
}

ConvertRequest request_of(const char *verb, const char *name)
{
	return request_of_bytes(verb, strlen(verb), name);
}

ConvertRequest request_of_bytes(const char *bytes, size_t length, const char *name)
{
	ConvertRequest request = {.fd = file_of(bytes, length),
	        .size = length,
	        .name = name,
	        .limits = EXTRACT_LIMITS_DEFAULT};
	request.limits.wall_ms = 20000;
	return request;
}

Document *convert(Fixture *f, const char *verb, const char *name)
{
	ConvertRequest request = request_of(verb, name);
	return converter_run(f->converter, &request, NULL);
}

void assert_fine(Fixture *f)
{
	g_autoptr(Document) cheap = convert(f, "fine", "x.txt");
	g_autoptr(Document) own = convert(f, "fine", "x.md");
	g_assert_cmpint(cheap->state, ==, STATE_OK);
	g_assert_cmpint(own->state, ==, STATE_OK);
	g_assert_cmpstr(cheap->text->str, ==, "all is fine");
	g_assert_cmpstr(own->text->str, ==, "all is fine");
}

char *layout_of(Fixture *f)
{
	g_autoptr(Document) doc = convert(f, "placed", "x.md");
	g_assert_cmpint(doc->state, ==, STATE_OK);
	return g_strdup(doc->text->str);
}

char *new_layout(Fixture *f, const char *before)
{
	int64_t deadline_us = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
	char *after = layout_of(f);
	while (strcmp(before, after) == 0 && g_get_monotonic_time() < deadline_us) {
		g_free(after);
		after = layout_of(f);
	}
	return after;
}

bool has_random_layout(void)
{
	g_autofree char *mode = NULL;
#ifdef __SANITIZE_ADDRESS__
	g_test_skip("the address sanitizer has addresses of its own");
	return false;
#endif
	if (g_file_get_contents("/proc/sys/kernel/randomize_va_space", &mode, NULL, NULL) &&
	        *mode == '2')
		return true;
	g_test_skip("this kernel gives no random addresses");
	return false;
}

bool sandboxed(Fixture *f)
{
	if (converter_info(f->converter)->level >= SANDBOX_SECCOMP)
		return true;
	g_test_skip("this kernel gives no sandbox");
	return false;
}

void converter_test_init(int *argc, char ***argv)
{
	g_test_init(argc, argv, NULL);
	g_autofree char *plugins = g_test_build_filename(G_TEST_BUILT, ".libs", NULL);
	g_setenv("TARSIER_PLUGINS", plugins, TRUE);
}
