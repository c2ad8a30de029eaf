/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image.c - the plugin for pictures: Exif, IPTC, XMP */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/shared/isodate.h"
#include "extractors/image/image-draw.h"
#include "extractors/image/image-facts.h"
#include "extractors/image/metafile.h"
#include "extractors/image/pngtext.h"
#include <math.h>
#include <string.h>

#ifdef HAVE_EXIV2
typedef struct {
	Sink *sink;
	GHashTable
	        /* values already sent: the three kinds of metadata often repeat one another */
	        *seen;
	bool any, camera; /* camera: a camera took the picture */
	double place[2]; /* latitude and longitude in degrees; NAN: unknown */
	bool negative[2]; /* south, west */
	char *taken, *made; /* dates in the form of a fact; NULL: unknown */
} Picture;

#define CAMERA_KEY "Exif.Image.Make"
enum { NOT_A_FIELD = -1, VALUE_BYTES = 32 << 10 };

static const struct {
	const char *key;
	int field; /* DocField; NOT_A_FIELD: send it as text */
} keys[] = {
        {"Xmp.dc.title", FIELD_TITLE},
        {"Xmp.dc.creator", FIELD_AUTHOR},
        {"Xmp.dc.subject", FIELD_KEYWORD},
        {"Xmp.dc.description", FIELD_COMMENT},
        {"Xmp.dc.rights", NOT_A_FIELD},
        {"Xmp.lr.hierarchicalSubject", FIELD_KEYWORD},
        {"Xmp.digiKam.TagsList", FIELD_KEYWORD},
        {"Xmp.iptcExt.PersonInImage", FIELD_KEYWORD},
        {"Xmp.photoshop.Headline", FIELD_TITLE},
        {"Xmp.photoshop.City", NOT_A_FIELD},
        {"Xmp.photoshop.State", NOT_A_FIELD},
        {"Xmp.photoshop.Country", NOT_A_FIELD},
        {"Xmp.photoshop.Credit", NOT_A_FIELD},
        {"Xmp.photoshop.Source", NOT_A_FIELD},
        {"Xmp.photoshop.Instructions", NOT_A_FIELD},
        {"Xmp.photoshop.CaptionWriter", NOT_A_FIELD},
        {"Xmp.photoshop.SupplementalCategories", FIELD_KEYWORD},
        {"Xmp.photoshop.TransmissionReference", NOT_A_FIELD},
        {"Xmp.iptc.Location", NOT_A_FIELD},
        {"Xmp.dc.publisher", NOT_A_FIELD},
        {"Xmp.dc.contributor", FIELD_AUTHOR},
        {"Xmp.xmpRights.Owner", NOT_A_FIELD},
        {"Xmp.xmpRights.UsageTerms", NOT_A_FIELD},
        {"Xmp.xmpRights.WebStatement", NOT_A_FIELD},
        {"Xmp.xmp.Label", FIELD_KEYWORD},
        {"Xmp.tiff.Artist", FIELD_AUTHOR},
        {"Xmp.tiff.ImageDescription", FIELD_COMMENT},
        {"Xmp.tiff.Copyright", NOT_A_FIELD},
        {"Xmp.tiff.Make", FIELD_KEYWORD},
        {"Xmp.tiff.Model", FIELD_KEYWORD},
        {"Xmp.aux.OwnerName", NOT_A_FIELD},
        {"Xmp.aux.Lens", FIELD_KEYWORD},
        {"Xmp.acdsee.caption", FIELD_TITLE},
        {"Xmp.acdsee.author", FIELD_AUTHOR},
        {"Xmp.acdsee.notes", FIELD_COMMENT},
        {"Xmp.acdsee.keywords", FIELD_KEYWORD},
        {"Xmp.MicrosoftPhoto.LastKeywordXMP", FIELD_KEYWORD},
        {"Xmp.pdf.Author", FIELD_AUTHOR},
        {"Xmp.pdf.Title", FIELD_TITLE},
        {"Xmp.xmp.CreateDate", FIELD_CREATED},
        {"Xmp.xmp.CreatorTool", FIELD_GENERATOR},
        {"Xmp.exif.UserComment", FIELD_COMMENT},
        {"Xmp.pdf.Keywords", FIELD_KEYWORD},
        {"Png.Title", FIELD_TITLE},
        {"Png.Author", FIELD_AUTHOR},
        {"Png.Description", FIELD_COMMENT},
        {"Png.Comment", FIELD_COMMENT},
        {"Png.Copyright", NOT_A_FIELD},
        {"Png.Software", FIELD_GENERATOR},
        {"Png.parameters", NOT_A_FIELD}, /* prompt of an image generator */
        {"Iptc.Application2.ObjectName", FIELD_TITLE},
        {"Iptc.Application2.Headline", FIELD_TITLE},
        {"Iptc.Application2.Keywords", FIELD_KEYWORD},
        {"Iptc.Application2.Byline", FIELD_AUTHOR},
        {"Iptc.Application2.Caption", FIELD_COMMENT},
        {"Iptc.Application2.City", NOT_A_FIELD},
        {"Iptc.Application2.SubLocation", NOT_A_FIELD},
        {"Iptc.Application2.ProvinceState", NOT_A_FIELD},
        {"Iptc.Application2.CountryName", NOT_A_FIELD},
        {"Iptc.Application2.Copyright", NOT_A_FIELD},
        {"Iptc.Application2.Credit", NOT_A_FIELD},
        {"Iptc.Application2.Source", NOT_A_FIELD},
        {"Iptc.Application2.SpecialInstructions", NOT_A_FIELD},
        {"Iptc.Application2.SuppCategory", FIELD_KEYWORD},
        {"Iptc.Application2.Category", FIELD_KEYWORD},
        {"Iptc.Application2.Writer", NOT_A_FIELD},
        {"Iptc.Application2.BylineTitle", NOT_A_FIELD},
        {"Iptc.Application2.Contact", NOT_A_FIELD},
        {"Iptc.Application2.TransmissionReference", NOT_A_FIELD},
        {"Exif.Image.ImageDescription", FIELD_COMMENT},
        {"Exif.Image.Artist", FIELD_AUTHOR},
        {"Exif.Image.Copyright", NOT_A_FIELD},
        {CAMERA_KEY, FIELD_KEYWORD},
        {"Exif.Image.Model", FIELD_KEYWORD},
        {"Exif.Image.Software", FIELD_GENERATOR},
        {"Exif.Image.XPTitle", FIELD_TITLE},
        {"Exif.Image.XPComment", FIELD_COMMENT},
        {"Exif.Image.XPAuthor", FIELD_AUTHOR},
        {"Exif.Image.XPKeywords", FIELD_KEYWORD},
        {"Exif.Image.XPSubject", FIELD_COMMENT},
        {"Exif.Photo.UserComment", FIELD_COMMENT},
        {"Exif.Photo.DateTimeOriginal", FIELD_CREATED},
        {"Exif.Photo.LensModel", FIELD_KEYWORD},
        {"Exif.Photo.CameraOwnerName", NOT_A_FIELD},
        {"Exif.Canon.OwnerName", NOT_A_FIELD},
        {"Exif.Image.DocumentName", FIELD_TITLE},
        {"Exif.Image.HostComputer", NOT_A_FIELD},
        {"Exif.GPSInfo.GPSAreaInformation", NOT_A_FIELD},
        {"comment", FIELD_COMMENT},
};

/* Converts Exif's "2026:03:01 10:00:00", or ISO 8601, to the form of a fact; of any other time only
 * the day is taken. */
static char *image_date_text(const char *value)
{
	enum { DAY = 10 };
	if (strlen(value) < DAY || strspn(value, "0123456789:-") < DAY ||
	        g_str_has_prefix(value, "0000"))
		return NULL;
	g_autofree char *text = g_strdup(value);
	for (unsigned i = 0; i < DAY; i++)
		text[i] = text[i] == ':' ? '-' : text[i];
	text[DAY] = text[DAY] == ' ' ? 'T' : text[DAY];
	char *date = iso_date(text, -1);
	return date ? date : iso_date(text, DAY);
}

/* When it was taken comes before when the file was made. */
static void put_dates(Picture *picture)
{
	char *const dates[] = {picture->taken, picture->made};
	for (size_t i = 0; i < G_N_ELEMENTS(dates); i++)
		if (dates[i] && (i == 0 || g_strcmp0(dates[0], dates[1]) != 0)) {
			picture->any = true;
			sink_field(picture->sink, FIELD_CREATED, dates[i], -1);
		}
}

static void note_date(Picture *picture, const char *key, const char *value)
{
	char **date = g_str_has_prefix(key, "Exif.") ? &picture->taken : &picture->made;
	if (!*date)
		*date = image_date_text(value);
}

static void image_put_value(Picture *picture, int field, char *value)
{
	if (*value == '\0' || !g_hash_table_add(picture->seen, g_strdup(value)))
		return;
	picture->any = true;
	if (field != NOT_A_FIELD)
		sink_field(picture->sink, field, value, -1);
	else if (sink_block(picture->sink, TAG_BODY))
		sink_text(picture->sink, TAG_BODY, value, -1);
}

/* Strips the prefix: 'lang="x-default" The title', 'charset=Unicode The comment'. */
static const char *image_text_of(const char *value)
{
	if (g_str_has_prefix(value, "lang=\"") || g_str_has_prefix(value, "charset=")) {
		const char *space = strchr(value, ' ');
		return space ? space + 1 : "";
	}
	return value;
}

/* Names of people on faces are deep in a tree. */
static bool is_face(const char *key)
{
	return (g_str_has_prefix(key, "Xmp.mwg-rs.Regions/") &&
	               g_str_has_suffix(key, "/mwg-rs:Name")) ||
	       (g_str_has_prefix(key, "Xmp.MP.RegionInfo/") &&
	               g_str_has_suffix(key, "/MPReg:PersonDisplayName"));
}

/* Parses degrees, minutes and seconds, "59/1 54/1 50040/1000"; NAN: not an angle. */
static double image_degrees(const char *value)
{
	double sum = 0;
	char *end;
	for (int unit = 1; unit <= 3600; unit *= 60, value = end) {
		double number = g_ascii_strtod(value, &end), parts = 0;
		if (end > value && *end == '/')
			parts = g_ascii_strtod(end + 1, &end);
		if (parts <= 0)
			return unit == 1 ? NAN : sum;
		sum += number / parts / unit;
	}
	return sum;
}

/* Records the GPS position. */
static void note_place(Picture *picture, const char *key, const char *value)
{
	static const char *const names[] = {
	        "Exif.GPSInfo.GPSLatitude", "Exif.GPSInfo.GPSLongitude"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (!g_str_has_prefix(key, names[i]))
			continue;
		const char *rest = key + strlen(names[i]);
		if (*rest == '\0')
			picture->place[i] = image_degrees(value);
		else if (strcmp(rest, "Ref") == 0)
			picture->negative[i] = *value == 'S' || *value == 'W';
	}
}

static void put_place(Picture *picture)
{
	double north = picture->place[0], east = picture->place[1];
	if (isnan(north) || isnan(east) || !sink_block(picture->sink, TAG_BODY))
		return;
	char texts[2][G_ASCII_DTOSTR_BUF_SIZE];
	g_ascii_formatd(texts[0], sizeof *texts, "%.4f", picture->negative[0] ? -north : north);
	g_ascii_formatd(texts[1], sizeof *texts, "%.4f", picture->negative[1] ? -east : east);
	g_autofree char *text = g_strdup_printf("GPS %s, %s", texts[0], texts[1]);
	sink_text(picture->sink, TAG_BODY, text, -1);
	picture->any = true;
}

static void image_put(void *user, const char *key, const char *value, size_t length)
{
	Picture *picture = user;
	if (g_str_has_prefix(key, "Exif.GPSInfo.GPSL") && length < VALUE_BYTES) {
		g_autofree char *text = g_strndup(value, length);
		note_place(picture, key, text);
		return;
	}
	if (is_face(key))
		key = "Xmp.iptcExt.PersonInImage";
	for (size_t i = 0; i < G_N_ELEMENTS(keys) && length < VALUE_BYTES; i++) {
		if (strcmp(keys[i].key, key) != 0)
			continue;
		g_autofree char *text =
		        decode_text((const uint8_t *)value, length, NULL, NULL, NULL);
		g_autofree char *cleaned = g_strstrip(g_strdup(image_text_of(text)));
		picture->camera = picture->camera || strcmp(key, CAMERA_KEY) == 0;
		if (keys[i].field == FIELD_CREATED)
			note_date(picture, key, cleaned);
		else
			image_put_value(picture, keys[i].field, cleaned);
		return;
	}
}

/* Reads the comments of a GIF: blocks with their lengths in front (GIF89a, 15 and 24). */
static void put_gif_comments(Picture *picture, const uint8_t *data, size_t size)
{
	enum { HEADER = 13, EXTENSION = 0x21, COMMENT = 0xfe, PICTURE = 0x2c, TABLE = 0x80 };
	size_t at = HEADER;
	if (size > at && data[10] & TABLE)
		at += 3u << ((data[10] & 7) + 1);
	while (at + 10 < size) {
		g_autoptr(GString) text = g_string_new(NULL);
		bool comment = data[at] == EXTENSION && data[at + 1] == COMMENT;
		if (data[at] == PICTURE)
			at += 11 + (data[at + 9] & TABLE ? 3u << ((data[at + 9] & 7) + 1) : 0);
		else if (data[at] == EXTENSION)
			at += 2;
		else
			return;
		for (; at < size && data[at] > 0; at += 1 + data[at])
			if (comment && data[at] < size - at && text->len < VALUE_BYTES)
				g_string_append_len(text, (const char *)data + at + 1, data[at]);
		at++;
		if (comment)
			image_put(picture, "comment", text->str, text->len);
	}
}

static ExtractResult image_extract(const Input *in, Sink *sink)
{
	if (strcmp(in->mime, "image/emf") == 0 || strcmp(in->mime, "image/wmf") == 0)
		return metafile_read(in, sink);
	Picture picture = {.sink = sink,
	        .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	        .place = {NAN, NAN}};
	image_facts_read(in->data, in->size, image_put, &picture);
	if (strcmp(in->mime, "image/png") == 0)
		png_texts_read(in->data, in->size, image_put, &picture);
	if (strcmp(in->mime, "image/gif") == 0)
		put_gif_comments(&picture, in->data, in->size);
	put_dates(&picture);
	put_place(&picture);
	g_free(picture.taken);
	g_free(picture.made);
	g_hash_table_unref(picture.seen);
	if (!picture.camera)
		sink_inline(sink, OCR_TYPE, NULL, in->data, in->size);
	return picture.any || sink_has_text(sink) ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static const char *image_preload(void)
{
	image_facts_preload();
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(image, "Exiv2", false)
#endif

static const char *const mime_types[] = {
        "image/jpeg",
        "image/png",
        "image/tiff",
        "image/webp",
        "image/vnd.adobe.photoshop",
        "image/jp2",
        "image/gif",
        "image/bmp",
        "image/emf",
        "image/wmf",
        "image/x-ms-bmp",
        "image/x-portable-bitmap",
        "image/x-portable-arbitrarymap",
        "image/x-portable-graymap",
        "image/x-portable-greymap",
        "image/x-portable-pixmap",
        "image/heic",
        "image/heif",
        "image/avif",
        "image/x-canon-cr2",
        "image/x-canon-crw",
        "image/x-canon-cr3",
        "application/x-indesign",
        "image/jxl",
        "image/x-nikon-nef",
        "image/x-sony-arw",
        "image/x-olympus-orf",
        "image/x-panasonic-rw2",
        "image/x-fuji-raf",
        "image/x-pentax-pef",
        "image/x-minolta-mrw",
        "image/x-adobe-dng",
        "image/x-samsung-srw",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "image",
        .version = 10,
#ifdef HAVE_EXIV2
        .library = "Exiv2 " EXIV2_VERSION_TEXT,
#endif
        .lane = LANE_IMAGE,
        .mime_types = mime_types,
        .preload = image_preload,
        .extract = image_extract,
        .draw = image_draw,
};
