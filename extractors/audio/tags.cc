/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extractors/audio/tags.h"
#include <fileref.h>
#include <id3v2framefactory.h>
#include <memory>
#include <mpegfile.h>
#include <tbytevectorstream.h>
#include <tpropertymap.h>

namespace
{

/* A stream that has no name: then the content decides, or the given format. */
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
		*seconds_r = seconds_of(file.audioProperties());
		return 1;
	}
	TagLib::ByteVectorStream again(whole);
	auto tagged = open_tagged(&again, bytes, size);
	if (!tagged || !tagged->isValid())
		return 0;
	put_all(tagged->properties(), put, user);
	*seconds_r = 0;
	return 1;
} catch (...) {
	return 0;
}
