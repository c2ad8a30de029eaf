/* SPDX-License-Identifier: GPL-3.0-or-later */
/* video.c - the plugin for films: tags, duration, chapters and tracks */
#include <config.h>
#include "extractors/shared/chapters.h"
#include "extractors/shared/extractor.h"
#include "extractors/shared/seconds.h"
#include "extractors/video/media-info.h"
#include <string.h>

#ifdef HAVE_MEDIAINFO
enum { NOT_A_FIELD = -1 };

static char library[32]; /* set by video_preload() */

static const struct {
	const char *key;
	int field;
} fields[] = {
        {"Title", FIELD_TITLE},
        {"Movie", FIELD_TITLE},
        {"Track", FIELD_TITLE},
        {"Performer", FIELD_AUTHOR},
        {"Album/Performer", FIELD_AUTHOR},
        {"Director", FIELD_AUTHOR},
        {"Composer", FIELD_AUTHOR},
        {"ARTIST", FIELD_AUTHOR},
        {"ACTOR", FIELD_AUTHOR},
        {"DIRECTOR", FIELD_AUTHOR},
        {"DATE_RELEASED", FIELD_CREATED},
        {"KEYWORDS", FIELD_KEYWORD},
        {"SUBJECT", FIELD_KEYWORD},
        {"Genre", FIELD_KEYWORD},
        {"Subject", FIELD_KEYWORD},
        {"Keywords", FIELD_KEYWORD},
        {"Comment", FIELD_COMMENT},
        {"Description", FIELD_COMMENT},
        {"Encoded_Application", FIELD_GENERATOR},
        {"Released_Date", FIELD_CREATED},
        {"Recorded_Date", FIELD_CREATED},
        {"Original/Released_Date", FIELD_CREATED},
        {"Encoded_Date", FIELD_CREATED},
};

typedef struct {
	Sink *sink;
	char *title; /* a value that several keys repeat is sent once */
	GPtrArray *chapters; /* of char *, "" for one without a name; sent after the tags */
	bool dated, any;
} Film;

/* accepts "2026", "2026-03-01", "2026-03-01 10:00:00 UTC" and "UTC 2026-03-01 10:00:00" */
static void video_put_date(Film *film, const char *value)
{
	if (g_str_has_prefix(value, "UTC "))
		value += 4;
	size_t digits = strspn(value, "0123456789-");
	if (film->dated || (digits != 4 && digits != 7 && digits != 10))
		return;
	bool time = digits == 10 && strspn(value, "0123456789-: ") >= 19;
	g_autofree char *date =
	        time ? g_strdup_printf("%.10sT%.8sZ", value, value + 11) : g_strndup(value, digits);
	film->dated = true;
	sink_field(film->sink, FIELD_CREATED, date, -1);
}

static void video_put_field(Film *film, DocField field, const char *value)
{
	if (field == FIELD_CREATED) {
		video_put_date(film, value);
	} else if (field == FIELD_TITLE) {
		if (!film->title)
			sink_field(film->sink, field, film->title = g_strdup(value), -1);
	} else {
		sink_field(film->sink, field, value, -1);
	}
}

/* Without the language: "en:Departure". */
static const char *chapter_name(const char *value)
{
	bool language = strlen(value) > 3 && value[2] == ':' && g_ascii_islower(value[0]) &&
	                g_ascii_islower(value[1]);
	return value + (language ? 3 : 0);
}

static void video_put(void *user, MediaPart part, const char *key, const char *value)
{
	Film *film = user;
	if (part == MEDIA_CHAPTER) {
		g_ptr_array_add(film->chapters, g_strdup(chapter_name(value)));
		film->any |= *value != '\0';
		return;
	}
	film->any = true;
	for (size_t i = 0; part == MEDIA_GENERAL && i < G_N_ELEMENTS(fields); i++) {
		if (strcmp(fields[i].key, key) == 0) {
			video_put_field(film, fields[i].field, value);
			return;
		}
	}
	if (sink_block(film->sink, TAG_BODY))
		sink_text(film->sink, TAG_BODY, value, -1);
}

static ExtractResult video_extract(const Input *in, Sink *sink)
{
	g_autoptr(GPtrArray) chapters = g_ptr_array_new_with_free_func(g_free);
	Film film = {.sink = sink, .chapters = chapters};
	double seconds = 0;
	bool known = media_read(in->data, in->size, video_put, &film, &seconds);
	g_free(film.title);
	chapters_send(sink, chapters);
	if (known && seconds > 0)
		seconds_send(sink, seconds);
	return known && (film.any || seconds > 0) ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static const char *video_preload(void)
{
	media_version(library, sizeof library);
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(video, "MediaInfo", false)
#endif

/* The types of MP4 and ASF are in the audio plugin too, because TagLib knows their tags. */
static const char *const mime_types[] = {
        "video/x-matroska",
        "audio/x-matroska",
        "video/webm",
        "audio/webm",
        "video/x-msvideo",
        "video/mp4",
        "video/x-m4v",
        "video/quicktime",
        "video/3gpp",
        "video/3gpp2",
        "audio/mp4",
        "audio/x-m4a",
        "video/mpeg",
        "video/mp2t",
        "video/mpeg4-generic",
        "video/x-flv",
        "video/x-ms-asf",
        "video/x-ms-wmv",
        "video/ogg",
        "video/x-mng",
        "application/vnd.rn-realmedia",
        "application/mxf",
        "audio/x-pn-realaudio",
        "audio/basic",
        "audio/amr",
        "audio/ac3",
        "audio/x-caf",
        "audio/x-adpcm",
        "audio/x-dec-basic",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "video",
        .version = 2,
#ifdef HAVE_MEDIAINFO
        .library = library,
#endif
        .lane = LANE_MEDIA,
        .mime_types = mime_types,
        .preload = video_preload,
        .extract = video_extract,
};
