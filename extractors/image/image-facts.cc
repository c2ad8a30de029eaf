/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extractors/image/image-facts.h"
#include <algorithm>
#include <cstring>
#include <exiv2/exiv2.hpp>

namespace
{

template <typename Data> void put_all(const Data &data, FactsPut put, void *user)
{
	for (const auto &datum : data) {
		for (long i = 0; i < (long)datum.count() && i < 256; i++) {
			bool whole =
			        datum.typeId() != Exiv2::xmpBag && datum.typeId() != Exiv2::xmpSeq;
			std::string value = whole ? datum.toString() : datum.toString(i);
			put(user, datum.key().c_str(), value.data(), value.size());
			if (whole)
				break;
		}
	}
}

/* A text may begin with its language, a comment with its charset; only the text is sent. */
void put_exif(const Exiv2::ExifData &data, FactsPut put, void *user)
{
	for (const auto &datum : data) {
		if (datum.size() > 65536)
			continue;
		/* How angles are printed differs between releases of Exiv2. */
		bool place = datum.key().rfind("Exif.GPSInfo.GPSL", 0) == 0;
		std::string value = place ? datum.toString() : datum.print(&data);
		put(user, datum.key().c_str(), value.data(), value.size());
	}
}

} // namespace

void image_facts_preload(void)
{
	Exiv2::XmpParser::initialize();
	Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute);
#if defined EXV_ENABLE_BMFF && !EXIV2_TEST_VERSION(0, 28, 3)
	Exiv2::enableBMFF(true); /* HEIF, AVIF, CR3; later versions always read them */
#endif
}

namespace
{

/* Reads the first valid XMP packet in a file of a type that Exiv2 does not know. */
int read_packet(const uint8_t *data, size_t size, FactsPut put, void *user)
{
	static const char start[] = "<x:xmpmeta", end[] = "</x:xmpmeta>";
	const size_t max_bytes = 1 << 20;
	for (int tries = 0; tries < 8; tries++) {
		auto from = (const uint8_t *)memmem(data, size, start, sizeof start - 1);
		size_t rest = from ? data + size - from : 0;
		auto to = from ? (const uint8_t *)memmem(from, rest, end, sizeof end - 1) : nullptr;
		if (!to)
			return 0;
		size_t length = to - from + sizeof end - 1;
		Exiv2::XmpData facts;
		std::string packet((const char *)from, std::min(length, max_bytes));
		if (Exiv2::XmpParser::decode(facts, packet) == 0 && !facts.empty()) {
			put_all(facts, put, user);
			return 1;
		}
		size -= to - data;
		data = to;
	}
	return 0;
}

/* Reads the first Exif block in such a file: its name, then a TIFF file. */
int read_block(const uint8_t *data, size_t size, FactsPut put, void *user)
{
	static const char name[] = "Exif\0";
	auto from = (const uint8_t *)memmem(data, size, name, sizeof name);
	for (int tries = 0; from && tries < 8; tries++) {
		const uint8_t *tiff = from + sizeof name;
		size_t rest = data + size - tiff;
		bool begins = rest > 8 &&
		              (memcmp(tiff, "II*\0", 4) == 0 || memcmp(tiff, "MM\0*", 4) == 0);
		Exiv2::ExifData facts;
		if (begins) {
			Exiv2::ExifParser::decode(facts, tiff, std::min(rest, (size_t)1 << 20));
			put_exif(facts, put, user);
			return !facts.empty();
		}
		from = (const uint8_t *)memmem(tiff, rest, name, sizeof name);
	}
	return 0;
}

bool is_gif(const uint8_t *data, size_t size)
{
	return size > 3 && memcmp(data, "GIF", 3) == 0;
}

/* Returns 0 if nothing was found. */
int read_known(const uint8_t *data, size_t size, FactsPut put, void *user)
try {
	if (Exiv2::ImageFactory::getType(data, size) == Exiv2::ImageType::none ||
	        is_gif(data, size))
		return 0;
	auto image = Exiv2::ImageFactory::open(data, size);
	if (image.get() == nullptr)
		return 0;
	image->readMetadata();
	put_all(image->xmpData(), put, user);
	put_all(image->iptcData(), put, user);
	put_exif(image->exifData(), put, user);
	if (!image->comment().empty())
		put(user, "comment", image->comment().data(), image->comment().size());
	return !image->xmpData().empty() || !image->iptcData().empty() ||
	       !image->exifData().empty();
} catch (...) {
	return 0;
}

} // namespace

int image_facts_read(const uint8_t *data, size_t size, FactsPut put, void *user)
try {
	if (read_known(data, size, put, user))
		return 1;
	int block = is_gif(data, size) ? 0 : read_block(data, size, put, user);
	return read_packet(data, size, put, user) || block;
} catch (...) {
	return 0;
}
