/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests jobs that ask for a picture, with a plugin that lies about them and attacks the program. */
#include <config.h>
#include "tests/extractors/converter-test.h"
#include <string.h>

typedef struct {
	ConvertResult result;
	bool done;
	unsigned pictures, width, height;
	uint8_t pixels[12];
} Drawing;

static void drawing_up(Fixture *f, gconstpointer data)
{
	const ConverterOptions options = {.children = 2, .draws = true};
	g_autoptr(GError) error = NULL;
	f->converter = converter_start(&options, &error);
	g_assert_no_error(error);
}

static void on_document(Document *doc, void *data)
{
	document_free(doc);
}

static void on_picture(unsigned width, unsigned height, const uint8_t *pixels, void *data)
{
	Drawing *drawing = data;
	drawing->pictures++;
	drawing->width = width;
	drawing->height = height;
	memcpy(drawing->pixels, pixels, MIN((size_t)3 * width * height, sizeof drawing->pixels));
}

static void on_done(const ConvertResult *result, void *data)
{
	Drawing *drawing = data;
	drawing->result = *result;
	drawing->done = true;
}

static Drawing draw_for(Fixture *f, const char *verb, const char *name, JobPurpose purpose)
{
	static const ConvertCallbacks callbacks = {
	        .document = on_document, .picture = on_picture, .done = on_done};
	ConvertRequest request = request_of(verb, name);
	Drawing drawing = {.done = false};
	request.purpose = purpose;
	converter_submit(f->converter, &request, &callbacks, &drawing);
	while (!drawing.done)
		g_main_context_iteration(NULL, TRUE);
	return drawing;
}

static void assert_drawn(Fixture *f)
{
	static const char *const names[] = {"x.txt", "x.md"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		Drawing drawing = draw_for(f, "fine", names[i], JOB_PICTURE);
		g_assert_cmpint(drawing.result.state, ==, STATE_OK);
		g_assert_cmpuint(drawing.pictures, ==, 1);
		g_assert_cmpuint(drawing.width, ==, 2);
		g_assert_cmpuint(drawing.height, ==, 1);
		g_assert_cmpmem(drawing.pixels, 6, "\1\2\3\4\5\6", 6);
	}
}

/* The text of the same file comes without a picture. */
static void test_drawn(Fixture *f, gconstpointer data)
{
	assert_drawn(f);
	assert_fine(f);
	g_assert_cmpuint(draw_for(f, "fine", "x.txt", JOB_FILE).pictures, ==, 0);
}

/* A program that was not told to draw does not. */
static void test_not_drawing(Fixture *f, gconstpointer data)
{
	Drawing drawing = draw_for(f, "fine", "x.txt", JOB_PICTURE);
	g_assert_cmpint(drawing.result.state, ==, STATE_NOTHING);
	g_assert_cmpint(drawing.result.reason, ==, REASON_UNSUPPORTED);
	g_assert_cmpuint(drawing.pictures, ==, 0);
}

static void test_lie(Fixture *f, gconstpointer verb)
{
	static const char *const names[] = {"x.txt", "x.md"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		Drawing drawing = draw_for(f, verb, names[i], JOB_PICTURE);
		g_assert_cmpint(drawing.result.state, ==, STATE_FAILED);
		g_assert_cmpint(drawing.result.reason, ==, REASON_PROTOCOL);
		assert_drawn(f);
	}
}

static void test_unasked(Fixture *f, gconstpointer data)
{
	Drawing drawing = draw_for(f, "picture", "x.txt", JOB_FILE);
	g_assert_cmpint(drawing.result.reason, ==, REASON_PROTOCOL);
	g_assert_cmpuint(drawing.pictures, ==, 0);
	assert_fine(f);
}

static void test_death(Fixture *f, gconstpointer data)
{
	Drawing drawing = draw_for(f, "segv", "x.md", JOB_PICTURE);
	g_assert_cmpint(drawing.result.reason, ==, REASON_CRASHED);
	drawing = draw_for(f, "allocate", "x.md", JOB_PICTURE);
#ifndef __SANITIZE_ADDRESS__
	g_assert_cmpint(drawing.result.reason, ==, REASON_LIMIT_MEMORY);
#endif
	assert_drawn(f);
}

/* Fonts can be read, and nothing else. */
static void test_confined(Fixture *f, gconstpointer name)
{
	static const char *const refused[] = {"open", "open-directory", "open2", "write",
	        "nameless", "stat", "inet", "bus", "fork", "thread", "exec", "signal-all"};
	static const char *const forbidden[] = {
	        "executable-memory", "ptrace", "process", "unshare", "filter"};
	if (!sandboxed(f))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
		g_autoptr(Document) doc = convert(f, refused[i], name);
		g_assert_cmpstr(doc->text->str, ==, "refused");
	}
	for (size_t i = 0; i < G_N_ELEMENTS(forbidden); i++) {
		Drawing drawing = draw_for(f, forbidden[i], name, JOB_PICTURE);
		g_assert_cmpint(drawing.result.reason, ==, REASON_FORBIDDEN);
	}
}

int main(int argc, char **argv)
{
	static const char *const lies[] = {
	        "picture-large", "picture-short", "pictures", "utf8", "kind"};
	converter_test_init(&argc, &argv);
	g_test_add(
	        "/extractors/drawing/drawn", Fixture, NULL, drawing_up, test_drawn, fixture_down);
	g_test_add("/extractors/drawing/only-where-it-is-wanted", Fixture, NULL, fixture_up,
	        test_not_drawing, fixture_down);
	for (size_t i = 0; i < G_N_ELEMENTS(lies); i++) {
		g_autofree char *path = g_strconcat("/extractors/drawing/lie/", lies[i], NULL);
		g_test_add(path, Fixture, lies[i], drawing_up, test_lie, fixture_down);
	}
	g_test_add("/extractors/drawing/unasked", Fixture, NULL, drawing_up, test_unasked,
	        fixture_down);
	g_test_add(
	        "/extractors/drawing/death", Fixture, NULL, drawing_up, test_death, fixture_down);
	g_test_add("/extractors/drawing/confined/shared-lane", Fixture, "x.txt", drawing_up,
	        test_confined, fixture_down);
	g_test_add("/extractors/drawing/confined/own-lane", Fixture, "x.md", drawing_up,
	        test_confined, fixture_down);
	return g_test_run();
}
