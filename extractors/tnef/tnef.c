/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tnef.c - the plugin for winmail.dat, in which Outlook packs a mail's body and attachments
 * (MS-OXTNEF) */
#include <config.h>
#include "extractors/shared/extractor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBYTNEF
#include <ytnef.h>

static const variableLength *tnef_find(MAPIProps *properties, unsigned type, unsigned number)
{
	const variableLength *value = MAPIFindProperty(properties, (int)PROP_TAG(type, number));
	return value == MAPI_UNDEFINED || !value || !value->data || value->size <= 0 ? NULL : value;
}

/* Returns UTF-8; libytnef has converted Unicode strings already. The caller frees it. */
static char *tnef_text_of(const variableLength *value)
{
	return decode_text(
	        value->data, strnlen((const char *)value->data, value->size), NULL, NULL, NULL);
}

static char *tnef_string_property(MAPIProps *properties, unsigned number)
{
	const variableLength *value = tnef_find(properties, PT_UNICODE, number);
	if (!value)
		value = tnef_find(properties, PT_STRING8, number);
	return value ? tnef_text_of(value) : NULL;
}

static void tnef_put_body(TNEFStruct *tnef, Sink *sink)
{
	g_autofree char *text = tnef_string_property(&tnef->MapiProperties, PR_BODY);
	const variableLength *html = tnef_find(&tnef->MapiProperties, PT_BINARY, PR_BODY_HTML);
	variableLength *rtf =
	        (variableLength *)tnef_find(&tnef->MapiProperties, PT_BINARY, PR_RTF_COMPRESSED);
	if (text && sink_block(sink, TAG_BODY)) {
		sink_text(sink, TAG_BODY, text, -1);
		return;
	}
	if (html) {
		sink_inline(sink, "text/html", NULL, html->data, html->size);
		return;
	}
	int size = 0;
	unsigned char *plain = rtf ? DecompressRTF(rtf, &size) : NULL;
	if (plain && size > 0 && sink_unpacked(sink, size))
		sink_inline(sink, "application/rtf", NULL, plain, size);
	free(plain);
}

static bool tnef_put_attachment(Attachment *attachment, Sink *sink)
{
	g_autofree char *name = tnef_string_property(&attachment->MAPI, PR_ATTACH_LONG_FILENAME);
	if (!name && attachment->Title.data && attachment->Title.size > 0)
		name = tnef_text_of(&attachment->Title);
	variableLength data = attachment->FileData;
	const variableLength *object = tnef_find(&attachment->MAPI, PT_OBJECT, PR_ATTACH_DATA_OBJ);
	if ((!data.data || data.size <= 0) && object)
		data = *object;
	SinkMember member = {.name = name && *name ? name : "1",
	        .data = data.size > 0 ? data.data : NULL,
	        .size = data.data && data.size > 0 ? (size_t)data.size : (size_t)-1,
	        .reason = REASON_DAMAGED};
	if (member.data)
		member.reason = REASON_NONE;
	return sink_member(sink, &member);
}

static ExtractResult tnef_extract(const Input *in, Sink *sink)
{
	TNEFStruct tnef;
	memset(&tnef, 0, sizeof tnef);
	TNEFInitialize(&tnef);
	int status =
	        in->size < G_MAXINT32 ? TNEFParseMemory((BYTE *)in->data, in->size, &tnef) : -1;
	if (tnef.subject.data && tnef.subject.size > 0) {
		g_autofree char *subject = tnef_text_of(&tnef.subject);
		sink_field(sink, FIELD_TITLE, subject, -1);
	}
	tnef_put_body(&tnef, sink);
	for (Attachment *a = tnef.starting_attach.next; a; a = a->next)
		if (!tnef_put_attachment(a, sink))
			break;
	TNEFFree(&tnef);
	if (status < 0)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	return EXTRACT_DONE;
}

static const char *tnef_preload(void)
{
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(tnef, "libytnef", false)
#endif

static const char *const mime_types[] = {
        "application/vnd.ms-tnef", "application/ms-tnef", "application/x-tnef", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "tnef",
        .version = 3,
#ifdef HAVE_LIBYTNEF
        .library = "libytnef " LIBYTNEF_VERSION_TEXT,
#endif
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = tnef_preload,
        .extract = tnef_extract,
};
