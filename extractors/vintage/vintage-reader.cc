/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extractors/vintage/vintage-reader.h"
#include <cstring>
#include <librevenge-generators/librevenge-generators.h>
#include <librevenge-stream/librevenge-stream.h>
#include <librevenge/librevenge.h>
#include <libabw/libabw.h>
#include <libetonyek/libetonyek.h>
#include <libmspub/libmspub.h>
#include <libmwaw/libmwaw.hxx>
#include <libstaroffice/libstaroffice.hxx>
#include <libvisio/libvisio.h>
#include <libwpd/libwpd.h>
#include <libwps/libwps.h>
#include <new>

using namespace librevenge;

namespace
{

/* A plain-text generator that forwards the facts too. */
template <class Generator> class WithFacts : public Generator
{
      public:
	template <class Text>
	WithFacts(Text &text, const VintageOut *out) : Generator(text), m_out(out)
	{
	}

	void setDocumentMetaData(const RVNGPropertyList &facts) override
	{
		RVNGPropertyList::Iter fact(facts);
		for (fact.rewind(); fact.next();)
			if (fact())
				m_out->fact(m_out->user, fact.key(), fact()->getStr().cstr());
	}

      private:
	const VintageOut *m_out;
};

void put_parts(const VintageOut *out, VintageKind kind, const RVNGStringVector &parts)
{
	for (unsigned i = 0; i < parts.size(); i++)
		out->part(out->user, kind, i + 1, parts[i].cstr());
}

/* ---- one document; parse calls its library */

template <class Parse> VintageResult read_text(const VintageOut *out, Parse parse)
{
	RVNGString text;
	WithFacts<RVNGTextTextGenerator> generator(text, out);
	bool good = parse(&generator);
	out->part(out->user, VINTAGE_TEXT, 1, text.cstr());
	return good ? VINTAGE_OK : VINTAGE_DAMAGED;
}

template <class Generator, class Parse>
VintageResult read_parts(const VintageOut *out, VintageKind kind, Parse parse)
{
	RVNGStringVector parts;
	WithFacts<Generator> generator(parts, out);
	bool good = parse(&generator);
	put_parts(out, kind, parts);
	return good ? VINTAGE_OK : VINTAGE_DAMAGED;
}

template <class Parse> VintageResult read_drawing(const VintageOut *out, Parse parse)
{
	return read_parts<RVNGTextDrawingGenerator>(out, VINTAGE_PAGE, parse);
}

template <class Parse> VintageResult read_slides(const VintageOut *out, Parse parse)
{
	return read_parts<RVNGTextPresentationGenerator>(out, VINTAGE_SLIDE, parse);
}

template <class Parse> VintageResult read_sheets(const VintageOut *out, Parse parse)
{
	return read_parts<RVNGTextSpreadsheetGenerator>(out, VINTAGE_SHEET, parse);
}

/* ---- libraries */

VintageResult read_wordperfect(RVNGInputStream *in, const VintageOut *out)
{
	using namespace libwpd;
	WPDConfidence confidence = WPDocument::isFileFormatSupported(in);
	if (confidence == WPD_CONFIDENCE_UNSUPPORTED_ENCRYPTION ||
	        confidence == WPD_CONFIDENCE_SUPPORTED_ENCRYPTION)
		return VINTAGE_ENCRYPTED;
	if (confidence == WPD_CONFIDENCE_NONE)
		return VINTAGE_DAMAGED;
	return read_text(out, [in](RVNGTextInterface *text) {
		return WPDocument::parse(in, text, nullptr) == WPD_OK;
	});
}

VintageResult read_mac(RVNGInputStream *in, const VintageOut *out)
{
	using Mac = MWAWDocument;
	Mac::Type type = Mac::MWAW_T_UNKNOWN;
	Mac::Kind kind = Mac::MWAW_K_UNKNOWN;
	Mac::Confidence confidence = Mac::isFileFormatSupported(in, type, kind);
	if (confidence == Mac::MWAW_C_SUPPORTED_ENCRYPTION)
		return VINTAGE_ENCRYPTED;
	auto parse = [in](auto *generator) { return Mac::parse(in, generator) == Mac::MWAW_R_OK; };
	if (confidence == Mac::MWAW_C_NONE)
		return VINTAGE_DAMAGED;
	switch (kind) {
	case Mac::MWAW_K_DRAW:
	case Mac::MWAW_K_PAINT:
		return read_drawing(out, [&](RVNGDrawingInterface *pages) { return parse(pages); });
	case Mac::MWAW_K_PRESENTATION:
		return read_slides(
		        out, [&](RVNGPresentationInterface *slides) { return parse(slides); });
	case Mac::MWAW_K_SPREADSHEET:
	case Mac::MWAW_K_DATABASE:
		return read_sheets(
		        out, [&](RVNGSpreadsheetInterface *sheets) { return parse(sheets); });
	default:
		return read_text(out, [&](RVNGTextInterface *text) { return parse(text); });
	}
}

VintageResult read_publisher(RVNGInputStream *in, const VintageOut *out)
{
	using libmspub::MSPUBDocument;
	if (!MSPUBDocument::isSupported(in))
		return VINTAGE_DAMAGED;
	return read_drawing(
	        out, [in](RVNGDrawingInterface *pages) { return MSPUBDocument::parse(in, pages); });
}

/* Works, Write, Lotus 1-2-3, Quattro Pro, Multiplan. Publisher 97 and Works for Macintosh look the
 * same. */
VintageResult read_works(RVNGInputStream *in, const VintageOut *out)
{
	using namespace libwps;
	WPSKind kind = WPS_TEXT;
	WPSCreator creator = WPS_MSWORKS;
	bool needs_charset = false;
	WPSConfidence confidence =
	        WPSDocument::isFileFormatSupported(in, kind, creator, needs_charset);
	if (confidence == WPS_CONFIDENCE_SUPPORTED_ENCRYPTION)
		return VINTAGE_ENCRYPTED;
	if (confidence == WPS_CONFIDENCE_NONE)
		return libmspub::MSPUBDocument::isSupported(in) ? read_publisher(in, out)
		                                                : read_mac(in, out);
	if (kind == WPS_TEXT)
		return read_text(out, [in](RVNGTextInterface *text) {
			return WPSDocument::parse(in, text) == WPS_OK;
		});
	return read_sheets(out, [in](RVNGSpreadsheetInterface *sheets) {
		return WPSDocument::parse(in, sheets) == WPS_OK;
	});
}

template <class Parse>
VintageResult read_star_kind(STOFFDocument::Kind kind, const VintageOut *out, Parse parse)
{
	using Star = STOFFDocument;
	switch (kind) {
	case Star::STOFF_K_DRAW:
	case Star::STOFF_K_BITMAP:
	case Star::STOFF_K_GRAPHIC:
	case Star::STOFF_K_CHART:
	case Star::STOFF_K_MATH:
		return read_drawing(out, [&](RVNGDrawingInterface *pages) { return parse(pages); });
	case Star::STOFF_K_PRESENTATION:
		return read_slides(
		        out, [&](RVNGPresentationInterface *slides) { return parse(slides); });
	case Star::STOFF_K_SPREADSHEET:
	case Star::STOFF_K_DATABASE:
		return read_sheets(
		        out, [&](RVNGSpreadsheetInterface *sheets) { return parse(sheets); });
	default:
		return read_text(out, [&](RVNGTextInterface *text) { return parse(text); });
	}
}

VintageResult read_staroffice(RVNGInputStream *in, const VintageOut *out)
{
	using Star = STOFFDocument;
	Star::Kind kind = Star::STOFF_K_UNKNOWN;
	Star::Confidence confidence = Star::isFileFormatSupported(in, kind);
	if (confidence == Star::STOFF_C_NONE)
		return VINTAGE_DAMAGED;
	/* the confidence reports encryption for unencrypted files too */
	Star::Result status = Star::STOFF_R_OK;
	auto parse = [in, &status](auto *generator) {
		status = Star::parse(in, generator);
		return status == Star::STOFF_R_OK;
	};
	VintageResult result = read_star_kind(kind, out, parse);
	return status == Star::STOFF_R_PASSWORD_MISSMATCH_ERROR ? VINTAGE_ENCRYPTED : result;
}

/* Keynote, Pages, Numbers. */
VintageResult read_iwork(RVNGInputStream *in, const VintageOut *out)
{
	using IWork = libetonyek::EtonyekDocument;
	IWork::Type type = IWork::TYPE_UNKNOWN;
	if (IWork::isSupported(in, &type) == IWork::CONFIDENCE_NONE)
		return VINTAGE_DAMAGED;
	switch (type) {
	case IWork::TYPE_KEYNOTE:
		return read_slides(out, [in](RVNGPresentationInterface *slides) {
			return IWork::parse(in, slides);
		});
	case IWork::TYPE_NUMBERS:
		return read_sheets(out, [in](RVNGSpreadsheetInterface *sheets) {
			return IWork::parse(in, sheets);
		});
	default:
		return read_text(
		        out, [in](RVNGTextInterface *text) { return IWork::parse(in, text); });
	}
}

VintageResult read_visio(RVNGInputStream *in, const VintageOut *out)
{
	using libvisio::VisioDocument;
	if (!VisioDocument::isSupported(in))
		return VINTAGE_DAMAGED;
	return read_drawing(
	        out, [in](RVNGDrawingInterface *pages) { return VisioDocument::parse(in, pages); });
}

VintageResult read_abiword(RVNGInputStream *in, const VintageOut *out)
{
	using libabw::AbiDocument;
	if (!AbiDocument::isFileFormatSupported(in))
		return VINTAGE_DAMAGED;
	return read_text(
	        out, [in](RVNGTextInterface *text) { return AbiDocument::parse(in, text); });
}

/* ---- */

typedef VintageResult (*ReadFormatFunc)(RVNGInputStream *in, const VintageOut *out);

/* Chosen by a prefix of the type; the first match counts. */
const struct {
	const char *start;
	ReadFormatFunc read;
} readers[] = {
        {"application/vnd.wordperfect", read_wordperfect},
        {"application/x-wordperfect", read_wordperfect},
        {"application/vnd.stardivision.", read_staroffice},
        {"application/vnd.apple.", read_iwork},
        {"application/vnd.visio", read_visio},
        {"application/vnd.ms-visio.", read_visio},
        {"application/x-mspublisher", read_publisher},
        {"application/vnd.ms-publisher", read_publisher},
        {"application/x-abiword", read_abiword},
        {"application/clarisworks", read_mac},
        {"application/x-macword", read_mac},
        {"application/x-macwrite", read_mac},
        {"application/vnd.ms-powerpoint.95", read_mac},
        {"", read_works},
};

ReadFormatFunc find_reader(const char *mime)
{
	size_t i = 0;
	while (std::strncmp(mime, readers[i].start, std::strlen(readers[i].start)) != 0)
		i++;
	return readers[i].read;
}

} // namespace

VintageResult vintage_read(
        const char *mime, const uint8_t *data, size_t size, const VintageOut *out)
{
	try {
		RVNGStringStream in(data, size);
		return find_reader(mime)(&in, out);
	} catch (const std::bad_alloc &) {
		return VINTAGE_MEMORY;
	} catch (...) {
		return VINTAGE_DAMAGED;
	}
}
