/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extractors/audio/audio-tags.h"
#include <chapterframe.h>
#include <fileref.h>
#include <id3v2framefactory.h>
#include <id3v2tag.h>
#include <memory>
#include <mpegfile.h>
#include <tbytevectorstream.h>
#include <tpropertymap.h>

namespace
{

/* The stream has no name, so the content decides, or the given format. */
std::unique_ptr<TagLib::File> open_tagged(TagLib::IOStream *stream, const char *head, size_t size)
{
	bool id3 = size > 3 && head[0] == 'I' && head[1] == 'D' && head[2] == '3';
	if (!id3)
		return nullptr;
	return std::make_unique<TagLib::MPEG::File>(
	        stream, TagLib::ID3v2::FrameFactory::instance());
}

void put_all(const TagLib::PropertyMap &properties, TagsPut put, void *user)
{
	for (const auto &property : properties)
		for (const auto &value : property.second)
			put(user, property.first.to8Bit(true).c_str(), value.to8Bit(true).c_str());
}

/* Chapters of ID3 (addendum of 2005): frames with nested frames, one of which is the title. */
void put_chapters(TagLib::File *file, TagsPut put, void *user)
{
	auto mpeg = dynamic_cast<TagLib::MPEG::File *>(file);
	if (!mpeg || !mpeg->hasID3v2Tag())
		return;
	for (const auto *frame : mpeg->ID3v2Tag()->frameList("CHAP")) {
		auto chapter = dynamic_cast<const TagLib::ID3v2::ChapterFrame *>(frame);
		const auto titles =
		        chapter ? chapter->embeddedFrameList("TIT2") : TagLib::ID3v2::FrameList();
		std::string name = titles.isEmpty() ? "" : titles.front()->toString().to8Bit(true);
		put(user, TAGS_CHAPTER, name.c_str());
	}
}

int seconds_of(const TagLib::AudioProperties *audio)
{
	return audio ? audio->lengthInSeconds() : 0;
}

} // namespace

int tags_read(const uint8_t *data, size_t size, TagsPut put, void *user, int *seconds_r)
try {
	const char *bytes = reinterpret_cast<const char *>(data);
	TagLib::ByteVector whole(bytes, size);
	TagLib::ByteVectorStream stream(whole);
	TagLib::FileRef file(&stream);
	if (!file.isNull()) {
		put_all(file.file()->properties(), put, user);
		put_chapters(file.file(), put, user);
		*seconds_r = seconds_of(file.audioProperties());
		return 1;
	}
	TagLib::ByteVectorStream again(whole);
	auto tagged = open_tagged(&again, bytes, size);
	if (!tagged || !tagged->isValid())
		return 0;
	put_all(tagged->properties(), put, user);
	put_chapters(tagged.get(), put, user);
	*seconds_r = 0;
	return 1;
} catch (...) {
	return 0;
}
