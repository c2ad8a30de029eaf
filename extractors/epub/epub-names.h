/* SPDX-License-Identifier: GPL-3.0-or-later */
/* epub-names.h - the elements that matter, of the package documents of EPUB 2 and 3 */
#pragma once
#include "extractors/shared/xmlread.h"

enum { NS_CONTAINER = 1, NS_OPF, NS_DC, NS_ENC };

typedef enum {
	OTHER_ELEMENT,
	CONTAINER_ROOTFILE,
	ENC_REFERENCE,
	OPF_ITEM,
	OPF_ITEMREF,
	OPF_META,
	DC_TITLE,
	DC_CREATOR,
	DC_SUBJECT,
	DC_DESCRIPTION,
	DC_DATE,
	DC_LANGUAGE,
	DC_PUBLISHER,
} EpubElement;

extern const XmlVocabulary epub_vocabulary;
