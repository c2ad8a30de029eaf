/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trec.c - collections in the format of the Text REtrieval Conference: a sequence of <DOC> ...
 * </DOC> */
#include <config.h>
#include "extractors/shared/extractor.h"
#include <string.h>

enum { MAX_NUMBER_BYTES = 256, HEAD_BYTES = 4096 };

typedef struct {
	const char *begin, *end;
} TrecSpan;

static const char *trec_find(TrecSpan where, const char *what)
{
	return memmem(where.begin, where.end - where.begin, what, strlen(what));
}

/* Returns the span between the first pair of these tags; both NULL: there is none. */
static TrecSpan trec_between(TrecSpan where, const char *open, const char *close)
{
	const char *begin = trec_find(where, open);
	if (!begin)
		return (TrecSpan){NULL, NULL};
	begin += strlen(open);
	const char *end = trec_find((TrecSpan){begin, where.end}, close);
	return end ? (TrecSpan){begin, end} : (TrecSpan){NULL, NULL};
}

/* "AP880212-0001", or else the document's number. The caller frees it. */
static char *trec_name_of(TrecSpan document, unsigned number)
{
	TrecSpan head = {document.begin, MIN(document.end, document.begin + HEAD_BYTES)};
	TrecSpan name = trec_between(head, "<DOCNO>", "</DOCNO>");
	if (!name.begin || name.end - name.begin > MAX_NUMBER_BYTES)
		return g_strdup_printf("%u", number);
	g_autofree char *text = g_strndup(name.begin, name.end - name.begin);
	g_strstrip(text);
	return *text ? g_strdelimit(g_steal_pointer(&text), "/|", '_')
	             : g_strdup_printf("%u", number);
}

static bool trec_send(Sink *sink, TrecSpan document, unsigned number)
{
	g_autofree char *name = trec_name_of(document, number);
	TrecSpan head = trec_between(document, "<DOCHDR>", "</DOCHDR>");
	if (head.begin)
		document.begin = head.end + strlen("</DOCHDR>");
	SinkMember member = {.name = name,
	        .data = (const uint8_t *)document.begin,
	        .size = document.end - document.begin,
	        .mime = "text/html"};
	return sink_member(sink, &member);
}

static ExtractResult trec_extract(const Input *in, Sink *sink)
{
	TrecSpan rest = {(const char *)in->data, (const char *)in->data + in->size};
	unsigned number = 0;

	for (;;) {
		const char *begin = trec_find(rest, "<DOC>");
		if (!begin)
			break;
		begin += strlen("<DOC>");
		const char *end = trec_find((TrecSpan){begin, rest.end}, "</DOC>");
		if (!end)
			end = rest.end;
		if (!trec_send(sink, (TrecSpan){begin, end}, ++number))
			break;
		rest.begin = end;
	}
	return number > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static const char *const mime_types[] = {"application/x-trec", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "trec",
        .version = 1,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = trec_extract,
};
