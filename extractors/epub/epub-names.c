/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/epub/epub-names.h"

static const XmlNamespace namespaces[] = {
        {"urn:oasis:names:tc:opendocument:xmlns:container", NS_CONTAINER},
        {"http://www.idpf.org/2007/opf", NS_OPF},
        {"http://openebook.org/namespaces/oeb-package/1.0/", NS_OPF},
        {"http://purl.org/dc/elements/1.1/", NS_DC},
        {"http://purl.org/dc/elements/1.0/", NS_DC},
        {"http://www.w3.org/2001/04/xmlenc#", NS_ENC},
        {NULL, 0},
};

static const XmlElement elements[] = {
        {"rootfile", NS_CONTAINER, CONTAINER_ROOTFILE},
        {"CipherReference", NS_ENC, ENC_REFERENCE},
        {"item", NS_OPF, OPF_ITEM},
        {"itemref", NS_OPF, OPF_ITEMREF},
        {"meta", NS_OPF, OPF_META},
        /* some files omit the namespace */
        {"rootfile", 0, CONTAINER_ROOTFILE},
        {"item", 0, OPF_ITEM},
        {"itemref", 0, OPF_ITEMREF},
        {"title", NS_DC, DC_TITLE},
        {"creator", NS_DC, DC_CREATOR},
        {"subject", NS_DC, DC_SUBJECT},
        {"description", NS_DC, DC_DESCRIPTION},
        {"date", NS_DC, DC_DATE},
        {"language", NS_DC, DC_LANGUAGE},
        {"publisher", NS_DC, DC_PUBLISHER},
        /* spelling before 2007 */
        {"Title", NS_DC, DC_TITLE},
        {"Creator", NS_DC, DC_CREATOR},
        {"Subject", NS_DC, DC_SUBJECT},
        {"Description", NS_DC, DC_DESCRIPTION},
        {"Date", NS_DC, DC_DATE},
        {"Language", NS_DC, DC_LANGUAGE},
        {"Publisher", NS_DC, DC_PUBLISHER},
        {NULL, 0, 0},
};

const XmlVocabulary epub_vocabulary = {.namespaces = namespaces, .elements = elements};
