/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audio.c - the plugin for recordings: their tags */
#include <config.h>
#include "extractors/audio/audio-tags.h"
#include "extractors/shared/chapters.h"
#include "extractors/shared/extractor.h"
#include "extractors/shared/seconds.h"
#include <string.h>

#ifdef HAVE_TAGLIB
typedef struct {
	Sink *sink;
	GPtrArray *chapters; /* of char *, "" for one without a name; sent after the tags */
	bool any;
} Recording;

static const struct {
	const char *key;
	DocField field;
} fields[] = {{"TITLE", FIELD_TITLE}, {"ARTIST", FIELD_AUTHOR}, {"ALBUMARTIST", FIELD_AUTHOR},
        {"COMPOSER", FIELD_AUTHOR}, {"GENRE", FIELD_KEYWORD}, {"COMMENT", FIELD_COMMENT},
        {"DESCRIPTION", FIELD_COMMENT}, {"LANGUAGE", FIELD_LANGUAGE}, {"DATE", FIELD_CREATED},
        {"ENCODEDBY", FIELD_GENERATOR}, {"ENCODING", FIELD_GENERATOR}};

static bool is_chapter_time(const char *key)
{
	return g_str_has_prefix(key, "CHAPTER") && key[7] != '\0' &&
	       strspn(key + 7, "0123456789") == strlen(key + 7);
}

/* Values for programs: counts, identifiers, loudness. */
static bool is_technical_key(const char *key)
{
	return g_str_has_prefix(key, "MUSICBRAINZ_") || g_str_has_prefix(key, "REPLAYGAIN_") ||
	       g_str_has_suffix(key, "NUMBER") || g_str_has_prefix(key, "ACOUSTID_") ||
	       strcmp(key, "LENGTH") == 0 || is_chapter_time(key) || strcmp(key, "BPM") == 0 ||
	       strcmp(key, "COMPATIBLE_BRANDS") == 0;
}

/* A chapter name: in ID3 the key of audio-tags.cc, in Vorbis comments "CHAPTER001NAME". */
static bool audio_is_chapter(const char *key)
{
	return strcmp(key, TAGS_CHAPTER) == 0 ||
	       (g_str_has_prefix(key, "CHAPTER") && g_str_has_suffix(key, "NAME"));
}

/* True for a year, a month or a day. */
static bool is_date(const char *value)
{
	size_t length = strspn(value, "0123456789-");
	return value[length] == '\0' && (length == 10 || length == 4 || length == 7);
}

static void audio_put_field(Recording *recording, DocField field, const char *value)
{
	if (field != FIELD_CREATED || is_date(value))
		sink_field(recording->sink, field, value, -1);
}

static void audio_put(void *user, const char *key, const char *value)
{
	Recording *recording = user;
	if (audio_is_chapter(key)) {
		g_ptr_array_add(recording->chapters, g_strdup(value));
		recording->any |= *value != '\0';
		return;
	}
	if (*value == '\0' || is_technical_key(key))
		return;
	recording->any = true;
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		if (strcmp(fields[i].key, key) == 0) {
			audio_put_field(recording, fields[i].field, value);
			return;
		}
	}
	if (sink_block(recording->sink, TAG_BODY))
		sink_text(recording->sink, TAG_BODY, value, -1);
}

static ExtractResult audio_extract(const Input *in, Sink *sink)
{
	g_autoptr(GPtrArray) chapters = g_ptr_array_new_with_free_func(g_free);
	Recording recording = {.sink = sink, .chapters = chapters};
	int seconds = 0;
	if (!tags_read(in->data, in->size, audio_put, &recording, &seconds))
		return EXTRACT_NOTHING;
	chapters_send(sink, chapters);
	seconds_send(sink, seconds);
	return recording.any || seconds > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static const char *audio_preload(void)
{
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(audio, "TagLib", false)
#endif

static const char *const mime_types[] = {
        "audio/mpeg",
        "audio/mp3",
        "audio/x-mpeg",
        "audio/aac",
        "audio/x-hx-aac-adts",
#ifndef HAVE_MEDIAINFO /* MediaInfo also knows their chapters */
        "audio/mp4",
        "audio/x-m4a",
        "video/mp4",
        "video/x-m4v",
        "video/quicktime",
        "video/x-ms-asf",
        "video/x-ms-wmv",
#endif
        "audio/flac",
        "audio/x-flac",
        "application/ogg",
        "audio/ogg",
        "audio/opus",
        "audio/x-speex",
        "audio/x-wav",
        "audio/wav",
        "audio/vnd.wave",
        "audio/x-aiff",
        "audio/aiff",
        "audio/x-ms-wma",
        "audio/x-ape",
        "audio/x-musepack",
        "audio/x-wavpack",
        "audio/x-tta",
        "audio/x-mod",
        "audio/x-s3m",
        "audio/x-it",
        "audio/x-xm",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "audio",
        .version = 3,
#ifdef HAVE_TAGLIB
        .library = "TagLib " TAGLIB_VERSION,
#endif
        .lane = LANE_MEDIA,
        .mime_types = mime_types,
        .preload = audio_preload,
        .extract = audio_extract,
};
