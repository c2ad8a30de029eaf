/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ocr.c - text in pictures, read with tesseract; loaded only if a language is set (TARSIER_OCR, set
 * by main.c) */
#include <config.h>
#include "extractors/shared/extractor.h"
#include <glib.h>
#ifdef HAVE_TESSERACT
#include <gmodule.h>
#include <string.h>
#include <tesseract/capi.h>

enum {
	MAX_PIXELS = 40 * 1000 * 1000,
	LEAST_SIDE = 24,
	LINE_RESOLUTION = 70,
	PICTURE_MS = 40 * 1000, /* most time for one picture */
	MOST_PAGES = 1000, /* of a TIFF file */
};

/* Functions looked up in the libraries; tesseract brings Leptonica's. */
#define FUNCTIONS(X)                                                                               \
	X(TessBaseAPICreate)                                                                       \
	X(TessBaseAPIInit5)                                                                        \
	X(TessBaseAPISetImage2)                                                                    \
	X(TessBaseAPISetSourceResolution)                                                          \
	X(TessBaseAPIRecognize)                                                                    \
	X(TessBaseAPIGetUTF8Text)                                                                  \
	X(TessDeleteText)                                                                          \
	X(TessMonitorCreate)                                                                       \
	X(TessMonitorDelete)                                                                       \
	X(TessMonitorSetDeadlineMSecs)                                                             \
	X(TessVersion)

/* Set by ocr_preload() only. */
static struct {
#define MEMBER(name) __typeof__(&name) name;
	FUNCTIONS(MEMBER)
	struct Pix *(*pixReadMem)(const uint8_t *data, size_t size);
	struct Pix *(*pixReadMemFromMultipageTiff)(
	        const uint8_t *data, size_t size, size_t *offset);
	void (*pixDestroy)(struct Pix **pix);
	int (*pixGetDimensions)(const struct Pix *pix, int *width, int *height, int *depth);
	int (*pixGetXRes)(const struct Pix *pix);
	int (*setMsgSeverity)(int severity);
	char *model; /* trained data of the language */
	gsize model_bytes;
	char language[16];
	char name[64];
} tess;

static const char *load_library(void)
{
	GModule *module =
	        g_module_open("libtesseract.so.5", G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
	bool good = module != NULL;
	if (!module)
		return "libtesseract.so.5 is not installed";
	g_module_make_resident(module);
#define FIND(name) good &= g_module_symbol(module, #name, (gpointer *)&tess.name);
	FUNCTIONS(FIND)
	FIND(pixReadMem)
	FIND(pixReadMemFromMultipageTiff)
	FIND(pixDestroy)
	FIND(pixGetDimensions)
	FIND(pixGetXRes)
	FIND(setMsgSeverity)
	return good ? NULL : "libtesseract.so.5 lacks functions";
}

static bool load_model(void)
{
	static const char *const data_dirs[] = {"/usr/share/tesseract-ocr/5/tessdata",
	        "/usr/share/tessdata", "/usr/local/share/tessdata"};
	for (size_t i = 0; i < G_N_ELEMENTS(data_dirs); i++) {
		g_autofree char *file = g_strconcat(tess.language, ".traineddata", NULL);
		g_autofree char *path = g_build_filename(data_dirs[i], file, NULL);
		if (g_file_get_contents(path, &tess.model, &tess.model_bytes, NULL))
			return true;
	}
	return false;
}

static const char *ocr_preload(void)
{
	const char *language = g_getenv("TARSIER_OCR");
	if (!language || !*language)
		return "off: daemon.ocr is not set";
	if (strlen(language) >= sizeof tess.language || strpbrk(language, "/.+"))
		return "daemon.ocr is not a language name of tesseract";
	g_strlcpy(tess.language, language, sizeof tess.language);
	const char *missing = load_library();
	if (missing)
		return missing;
	if (!load_model())
		return "tesseract has no data for the language in daemon.ocr";
	g_snprintf(
	        tess.name, sizeof tess.name, "tesseract %s, %s", tess.TessVersion(), tess.language);
	return NULL;
}

static bool ocr_is_readable(struct Pix *picture)
{
	int width = 0, height = 0, depth = 0;
	tess.pixGetDimensions(picture, &width, &height, &depth);
	return width >= LEAST_SIDE && height >= LEAST_SIDE && (int64_t)width * height <= MAX_PIXELS;
}

/* Empty lines separate paragraphs. */
static bool ocr_put_text(Sink *sink, const char *text)
{
	g_auto(GStrv) paragraphs = g_strsplit(text, "\n\n", -1);
	bool any = false;
	for (char **paragraph = paragraphs; *paragraph; paragraph++) {
		g_strdelimit(g_strstrip(*paragraph), "\n\f", ' ');
		if (!**paragraph)
			continue;
		any = true;
		if (!sink_block(sink, TAG_BODY) || !sink_text(sink, TAG_BODY, *paragraph, -1))
			break;
	}
	return any;
}

static bool ocr_recognise(TessBaseAPI *api, struct Pix *picture, Sink *sink)
{
	ETEXT_DESC *monitor = tess.TessMonitorCreate();
	tess.TessMonitorSetDeadlineMSecs(monitor, MIN(sink_ocr_ms(sink), PICTURE_MS));
	tess.TessBaseAPISetImage2(api, picture);
	if (tess.pixGetXRes(picture) < LINE_RESOLUTION)
		tess.TessBaseAPISetSourceResolution(api, LINE_RESOLUTION);
	bool any = false;
	if (tess.TessBaseAPIRecognize(api, monitor) == 0) {
		char *text = tess.TessBaseAPIGetUTF8Text(api);
		any = text && ocr_put_text(sink, text);
		if (text)
			tess.TessDeleteText(text);
	}
	tess.TessMonitorDelete(monitor);
	return any;
}

/* Its start reads the model, which takes longer than a short line of text. So the process, which
 * converts one file, keeps it for all pages. NULL: there is none. */
static TessBaseAPI *ocr_start(void)
{
	static TessBaseAPI *api;
	static bool started;
	if (!api)
		api = tess.TessBaseAPICreate();
	if (!started)
		started = api &&
		          tess.TessBaseAPIInit5(api, tess.model, tess.model_bytes, tess.language,
		                  OEM_LSTM_ONLY, NULL, 0, NULL, NULL, 0, FALSE) == 0;
	return started ? api : NULL;
}

/* Takes the picture. */
static bool ocr_read_picture(struct Pix *picture, Sink *sink)
{
	TessBaseAPI *api = picture && ocr_is_readable(picture) ? ocr_start() : NULL;
	bool any = api && ocr_recognise(api, picture, sink);
	if (picture)
		tess.pixDestroy(&picture);
	return any;
}

static bool ocr_is_tiff(const Input *in)
{
	return in->size > 4 &&
	       (memcmp(in->data, "II*", 4) == 0 || memcmp(in->data, "MM\0*", 4) == 0);
}

/* A fax or a scan may have several pages. */
static bool ocr_read_pages(const Input *in, Sink *sink)
{
	bool any = false;
	size_t at = 0;
	unsigned page = 1;
	do {
		struct Pix *picture = tess.pixReadMemFromMultipageTiff(in->data, in->size, &at);
		if (at > 0 || page > 1)
			sink_break(sink, BREAK_PAGE, page, NULL);
		any |= ocr_read_picture(picture, sink);
	} while (at > 0 && ++page <= MOST_PAGES && sink_wants_ocr(sink));
	return any;
}

static ExtractResult ocr_extract(const Input *in, Sink *sink)
{
	enum { LEPTONICA_SILENT = 6 };
	tess.setMsgSeverity(LEPTONICA_SILENT);
	bool any = ocr_is_tiff(in) ? ocr_read_pages(in, sink)
	                           : ocr_read_picture(tess.pixReadMem(in->data, in->size), sink);
	return any ? EXTRACT_DONE : EXTRACT_NOTHING;
}
#else
EXTRACTOR_BUILT_WITHOUT(ocr, "tesseract", !g_getenv("TARSIER_OCR"))
#endif

static const char *const mime_types[] = {OCR_TYPE, NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "ocr",
        .version = 1,
#ifdef HAVE_TESSERACT
        .library = tess.name,
#endif
        .lane = LANE_IMAGE,
        .mime_types = mime_types,
        .preload = ocr_preload,
        .extract = ocr_extract,
};
