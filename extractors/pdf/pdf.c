/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf.c - the plugin for PDF: text by page, facts, outline, annotations and attached files */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/pdf/pdf-arabic.h"
#include "extractors/pdf/pdf-colour.h"
#include "extractors/pdf/pdf-draw.h"
#include "extractors/pdf/pdf-facts.h"
#include "extractors/pdf/pdf-flow.h"
#include "extractors/pdf/pdf-notes.h"
#include "extractors/pdf/pdf-outline.h"
#include "extractors/pdf/pdf-repair.h"
#include "extractors/pdf/pdf-scan.h"
#include "extractors/pdf/pdf-text.h"
#include "extractors/pdf/pdf-title.h"
#include <iconv.h>
#include <libxml/parser.h>
#include <string.h>
#include <time.h>

static const char *const mime_types[] = {"application/pdf", "application/x-pdf", NULL};

/* poppler loads its tables with the first document and frees them with the last, so this document
 * stays open. */
static const char smallest_pdf[] =
        "%PDF-1.4\n"
        "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n"
        "4 0 obj<</Length 0>>stream\n\nendstream endobj\n"
        "trailer<</Root 1 0 R/Size 5>>\n";

typedef struct {
	const Input *in;
	Sink *sink;
	PopplerDocument *document;
	PdfText *text;
	Outline *outline;
	bool found; /* some text was found */
	PdfVain vain; /* suspected pages since the last repair */
	int unread; /* number of pages that poppler could not read */
} PdfDocument;

static PopplerDocument *open_document(const uint8_t *data, size_t size, GError **error)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);

	return poppler_document_new_from_bytes(bytes, NULL, error);
}

static char library[32]; /* set by pdf_preload() */

static const char *pdf_preload(void)
{
	static PopplerDocument *kept;
	static volatile iconv_t to_utf16, to_utf8; /* volatile, because they are never read */

	g_snprintf(library, sizeof(library), "poppler %s", poppler_get_version());
	tzset();
	xmlInitParser();
	kept = open_document((const uint8_t *)smallest_pdf, sizeof(smallest_pdf) - 1, NULL);
	if (!kept)
		return "poppler cannot open a PDF";
	/* poppler-cpp opens these two converters for every page; their tables stay loaded while
	 * these descriptors are open */
	to_utf16 = iconv_open("UTF-16", "UTF-8");
	to_utf8 = iconv_open("UTF-8", "UTF-16");
	if (to_utf16 == (iconv_t)-1 || to_utf8 == (iconv_t)-1)
		return "iconv lacks UTF-16";
	PdfText *text = pdf_text_open((const uint8_t *)smallest_pdf, sizeof(smallest_pdf) - 1);
	if (!text)
		return "poppler cannot open a PDF";
	free(pdf_text_page(text, 0));
	pdf_text_close(text);
	return NULL;
}

/* poppler-cpp returns nothing for a page that contains an invalid character; poppler-glib is used
 * then. */
static char *page_text(PdfDocument *job, PopplerPage *page, int index)
{
	g_autofree char *plain = NULL;
	char *text = job->text ? pdf_text_page(job->text, index) : NULL;

	if (text && *text)
		return text;
	free(text);
	plain = poppler_page_get_text(page);
	return strdup(plain ? plain : "");
}

/* NULL if the label is just the number of the page. */
static char *page_label(PopplerPage *page, int number)
{
	g_autofree char *label = poppler_page_get_label(page);
	g_autofree char *plain = g_strdup_printf("%d", number);

	if (!label || !*label || strcmp(label, plain) == 0)
		return NULL;
	return g_steal_pointer(&label);
}

/* Without an outline, what stands largest on the first page is a heading. */
static void guess_title(PdfDocument *job, PopplerPage *page, const char *text)
{
	g_autofree char *title = pdf_title_guess(job->document, page, text);
	if (title)
		outline_guess(job->outline, title, 1);
}

static bool send_page(PdfDocument *job, PopplerPage *page, int number)
{
	g_autofree char *label = page_label(page, number);
	char *text = page_text(job, page, number - 1);
	g_autofree char *valid =
	        g_utf8_validate(text, -1, NULL) ? NULL : g_utf8_make_valid(text, -1);
	char *good = valid ? valid : text;
	if (job->text)
		pdf_repair_page(job->text, number - 1, good, &job->vain);
	pdf_arabic_spell(good);

	if (good[strspn(good, " \t\n\f")])
		job->found = true;
	if (number == 1 && job->outline->entries->len == 0)
		guess_title(job, page, good);
	bool more = sink_break(job->sink, BREAK_PAGE, number, label) &&
	            pdf_notes_send(job->sink, page, good, job->in->limits) &&
	            pdf_page_send(job->sink, good, job->outline, number) &&
	            pdf_scan_send(job->sink, page, good);
	free(text);
	return more;
}

static bool send_pages(PdfDocument *job)
{
	int n = poppler_document_get_n_pages(job->document);
	bool more = true;

	for (int i = 0; i < n && more; i++) {
		PopplerPage *page = poppler_document_get_page(job->document, i);
		if (!page) {
			job->unread++;
			continue;
		}
		more = send_page(job, page, i + 1);
		g_object_unref(page);
	}
	return more;
}

static ExtractResult pdf_convert(PdfDocument *job)
{
	pdf_facts_send(job->sink, job->document, job->text);
	if (send_pages(job))
		pdf_attachments_send(job->sink, job->document, job->in->limits);
	int n = poppler_document_get_n_pages(job->document);
	if (job->unread == n) /* and if there is none */
		return sink_fail(job->sink, REASON_DAMAGED, "no page can be read");
	if (job->unread > 0)
		sink_truncated(job->sink, REASON_DAMAGED, "some pages cannot be read");
	bool found = job->found || sink_has_text(job->sink);
	return found || job->unread > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static ExtractResult pdf_refuse(Sink *sink, const GError *error)
{
	bool locked = g_error_matches(error, POPPLER_ERROR, POPPLER_ERROR_ENCRYPTED);
	return sink_fail(sink, locked ? REASON_ENCRYPTED : REASON_DAMAGED, error->message);
}

static ExtractResult pdf_extract(const Input *in, Sink *sink)
{
	g_autoptr(GError) error = NULL;
	PdfDocument job = {
	        .in = in, .sink = sink, .document = open_document(in->data, in->size, &error)};

	if (!job.document)
		return pdf_refuse(sink, error);
	job.text = pdf_text_open(in->data, in->size);
	job.outline = outline_read(job.document);
	ExtractResult result = pdf_convert(&job);
	outline_free(job.outline);
	if (job.text)
		pdf_text_close(job.text);
	g_object_unref(job.document);
	return result;
}

/* ---- the picture of the first page */

/* A page with a font that the file does not have: poppler then looks for one of the system, and
 * reads the list of them. */
static const char font_pdf[] =
        "%PDF-1.4\n"
        "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R"
        "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
        "4 0 obj<</Length 20>>stream\nBT/F 9 Tf(a)Tj ET   \nendstream endobj\n"
        "trailer<</Root 1 0 R/Size 5>>\n";

static void pdf_draw_preload(void)
{
	PopplerDocument *document =
	        open_document((const uint8_t *)font_pdf, sizeof(font_pdf) - 1, NULL);
	if (document)
		pdf_draw_page(document, NULL);
	g_clear_object(&document);
}

static ExtractResult pdf_draw(const Input *in, Sink *sink)
{
	g_autoptr(GError) error = NULL;
	PopplerDocument *document = open_document(in->data, in->size, &error);
	if (!document)
		return pdf_refuse(sink, error);
	pdf_colour_use(true);
	bool drawn = pdf_draw_page(document, sink);
	pdf_colour_use(false);
	g_object_unref(document);
	return drawn ? EXTRACT_DONE : sink_fail(sink, REASON_DAMAGED, "no page can be read");
}

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "pdf",
        .version = 8,
        .library = library,
        .lane = LANE_PDF,
        .mime_types = mime_types,
        .preload = pdf_preload,
        .extract = pdf_extract,
        .reads = "/usr/share/poppler", /* character maps, when a font needs them */
        .draw = pdf_draw,
        .draw_preload = pdf_draw_preload,
        .draw_reads = "/usr/share/fonts", /* those that a file does not have */
};
