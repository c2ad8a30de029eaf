/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extractors/video/media-info.h"
#include <MediaInfo/MediaInfo.h>
#include <ZenLib/Ztring.h>
#include <algorithm>
#include <cstdlib>
#include <cstdio>

using MediaInfoLib::MediaInfo;

namespace
{

const size_t chunk_bytes = 1 << 20;
const size_t max_items = 1000; /* limit of chapters, and of tracks of one kind */

std::string utf8(const MediaInfoLib::String &text)
{
	return ZenLib::Ztring(text).To_UTF8();
}

/* Feeds the parts that the library asks for; of most files it needs only the head and the end. */
bool feed(MediaInfo &media, const uint8_t *data, size_t size)
{
	uint64_t at = 0;
	media.Open_Buffer_Init(size, 0);
	while (at < size) {
		size_t n = std::min<uint64_t>(chunk_bytes, size - at);
		if (media.Open_Buffer_Continue(data + at, n) & 0x08)
			break;
		at += n;
		uint64_t wanted = media.Open_Buffer_Continue_GoTo_Get();
		if (wanted == (uint64_t)-1)
			continue;
		if (wanted >= size)
			break;
		at = wanted;
		media.Open_Buffer_Init(size, at);
	}
	media.Open_Buffer_Finalize();
	return !media.Get(MediaInfoLib::Stream_General, 0, __T("Format")).empty();
}

void put_one(MediaInfo &media, MediaInfoLib::stream_t kind, size_t number, const char *key,
        MediaPart part, MediaPut put, void *user)
{
	std::string value = utf8(media.Get(kind, number, ZenLib::Ztring().From_UTF8(key)));
	if (!value.empty())
		put(user, part, key, value.c_str());
}

void put_general(MediaInfo &media, MediaPut put, void *user)
{
	static const char *const keys[] = {"Title", "Movie", "Track", "Album", "Collection",
	        "Season", "Part", "Chapter", "Performer", "Album/Performer", "Director", "Composer",
	        "ScreenplayBy", "Actor", "Producer", "Lyricist", "Genre", "Subject", "Keywords",
	        "Comment", "Description", "Title_More", "Synopsis", "Summary", "Lyrics",
	        "Copyright", "Publisher", "Released_Date", "Recorded_Date",
	        "Original/Released_Date", "Encoded_Date", "Encoded_Application",
	        "Recorded_Location", "Attachments"};
	for (const char *key : keys)
		put_one(media, MediaInfoLib::Stream_General, 0, key, MEDIA_GENERAL, put, user);
}

/* Sends the file's own tags ("ARTIST", "SYNOPSIS"). They follow the library's fields and are all in
 * capitals, which the library's are not. */
void put_own_tags(MediaInfo &media, MediaPut put, void *user)
{
	size_t n = media.Count_Get(MediaInfoLib::Stream_General, 0);
	for (size_t i = n - std::min(n, max_items); i < n; i++) {
		std::string name = utf8(
		        media.Get(MediaInfoLib::Stream_General, 0, i, MediaInfoLib::Info_Name));
		if (name.size() < 3 ||
		        name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != std::string::npos)
			continue;
		std::string value = utf8(
		        media.Get(MediaInfoLib::Stream_General, 0, i, MediaInfoLib::Info_Text));
		if (!value.empty())
			put(user, MEDIA_GENERAL, name.c_str(), value.c_str());
	}
}

void put_tracks(MediaInfo &media, MediaPut put, void *user)
{
	static const MediaInfoLib::stream_t kinds[] = {
	        MediaInfoLib::Stream_Video, MediaInfoLib::Stream_Audio, MediaInfoLib::Stream_Text};
	for (MediaInfoLib::stream_t kind : kinds) {
		size_t n = std::min(media.Count_Get(kind), max_items);
		for (size_t i = 0; i < n; i++)
			put_one(media, kind, i, "Title", MEDIA_TRACK, put, user);
	}
}

void put_chapters(MediaInfo &media, MediaPut put, void *user)
{
	size_t n = std::min(media.Count_Get(MediaInfoLib::Stream_Menu), max_items);
	for (size_t i = 0; i < n; i++) {
		size_t at = std::strtoul(
		        utf8(media.Get(MediaInfoLib::Stream_Menu, i, __T("Chapters_Pos_Begin")))
		                .c_str(),
		        nullptr, 10);
		size_t end = std::strtoul(
		        utf8(media.Get(MediaInfoLib::Stream_Menu, i, __T("Chapters_Pos_End")))
		                .c_str(),
		        nullptr, 10);
		for (end = std::min(end, at + max_items); at < end; at++) {
			std::string name = utf8(media.Get(
			        MediaInfoLib::Stream_Menu, i, at, MediaInfoLib::Info_Name));
			std::string text = utf8(media.Get(
			        MediaInfoLib::Stream_Menu, i, at, MediaInfoLib::Info_Text));
			put(user, MEDIA_CHAPTER, name.c_str(), text.c_str());
		}
	}
}

void configure(MediaInfo &media)
{
	media.Option(__T("Internet"), __T("No"));
	media.Option(__T("ParseSpeed"), __T("0"));
	media.Option(__T("Language"), __T("raw"));
}

} // namespace

void media_version(char *out, size_t size)
{
	std::string version =
	        utf8(MediaInfo::Option_Static(__T("Info_Version"))); /* "MediaInfoLib - v23.04" */
	size_t at = version.find(" - v");
	std::snprintf(
	        out, size, "MediaInfo %s", at == std::string::npos ? "" : version.c_str() + at + 4);
}

int media_read(const uint8_t *data, size_t size, MediaPut put, void *user, double *seconds_r)
try {
	MediaInfo media;
	configure(media);
	if (!feed(media, data, size))
		return 0;
	put_general(media, put, user);
	put_own_tags(media, put, user);
	put_chapters(media, put, user);
	put_tracks(media, put, user);
	*seconds_r =
	        std::strtod(
	                utf8(media.Get(MediaInfoLib::Stream_General, 0, __T("Duration"))).c_str(),
	                nullptr) /
	        1000;
	return 1;
} catch (...) {
	return 0;
}
