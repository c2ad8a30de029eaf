/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-element.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* Sorted by strcmp(). */
static const Element elements[] = {
        {"a", ELEMENT_LINK},
        {"address", ELEMENT_BLOCK},
        {"area", ELEMENT_IMAGE},
        {"article", ELEMENT_ARTICLE},
        {"aside", ELEMENT_NOISE},
        {"b", ELEMENT_EMPHASIS},
        {"base", ELEMENT_BASE},
        {"blockquote", ELEMENT_PARAGRAPH},
        {"body", ELEMENT_BLOCK},
        {"br", ELEMENT_BREAK},
        {"button", ELEMENT_BLOCK},
        {"caption", ELEMENT_CAPTION},
        {"center", ELEMENT_BLOCK},
        {"code", ELEMENT_CODE},
        {"dd", ELEMENT_BLOCK},
        {"details", ELEMENT_BLOCK},
        {"dialog", ELEMENT_BLOCK},
        {"dir", ELEMENT_PARAGRAPH},
        {"div", ELEMENT_BLOCK},
        {"dl", ELEMENT_PARAGRAPH},
        {"dt", ELEMENT_BLOCK},
        {"em", ELEMENT_EMPHASIS},
        {"fieldset", ELEMENT_BLOCK},
        {"figcaption", ELEMENT_CAPTION},
        {"figure", ELEMENT_BLOCK},
        {"footer", ELEMENT_FOOTER},
        {"form", ELEMENT_BLOCK},
        {"frame", ELEMENT_FRAME},
        {"h1", ELEMENT_HEADING, 1},
        {"h2", ELEMENT_HEADING, 2},
        {"h3", ELEMENT_HEADING, 3},
        {"h4", ELEMENT_HEADING, 4},
        {"h5", ELEMENT_HEADING, 5},
        {"h6", ELEMENT_HEADING, 6},
        {"head", ELEMENT_BLOCK},
        {"header", ELEMENT_HEADER},
        {"hgroup", ELEMENT_BLOCK},
        {"hr", ELEMENT_PARAGRAPH},
        {"html", ELEMENT_ROOT},
        {"i", ELEMENT_EMPHASIS},
        {"iframe", ELEMENT_FRAME},
        {"image", ELEMENT_IMAGE},
        {"img", ELEMENT_IMAGE},
        {"input", ELEMENT_IMAGE},
        {"kbd", ELEMENT_CODE},
        {"legend", ELEMENT_CAPTION},
        {"li", ELEMENT_BLOCK},
        {"listing", ELEMENT_PRE},
        {"main", ELEMENT_ARTICLE},
        {"mark", ELEMENT_EMPHASIS},
        {"menu", ELEMENT_PARAGRAPH},
        {"meta", ELEMENT_META},
        {"nav", ELEMENT_NOISE},
        {"noembed", ELEMENT_SKIPPED},
        {"noscript", ELEMENT_NOISE},
        {"ol", ELEMENT_PARAGRAPH},
        {"optgroup", ELEMENT_BLOCK},
        {"option", ELEMENT_BLOCK},
        {"p", ELEMENT_PARAGRAPH},
        {"plaintext", ELEMENT_PRE},
        {"pre", ELEMENT_PRE},
        {"samp", ELEMENT_CODE},
        {"script", ELEMENT_SKIPPED},
        {"section", ELEMENT_PARAGRAPH},
        {"select", ELEMENT_NOISE},
        {"strong", ELEMENT_EMPHASIS},
        {"style", ELEMENT_SKIPPED},
        {"summary", ELEMENT_BLOCK},
        {"svg", ELEMENT_DRAWING},
        {"table", ELEMENT_PARAGRAPH},
        {"tbody", ELEMENT_BLOCK},
        {"td", ELEMENT_CELL},
        {"template", ELEMENT_TEMPLATE},
        {"textarea", ELEMENT_AREA},
        {"tfoot", ELEMENT_BLOCK},
        {"th", ELEMENT_CELL},
        {"thead", ELEMENT_BLOCK},
        {"title", ELEMENT_TITLE},
        {"tr", ELEMENT_BLOCK},
        {"tt", ELEMENT_CODE},
        {"u", ELEMENT_EMPHASIS},
        {"ul", ELEMENT_PARAGRAPH},
        {"xmp", ELEMENT_AREA},
};

static int html_compare(const void *name, const void *element)
{
	return strcmp(name, ((const Element *)element)->name);
}

const Element *element_find(const char *name)
{
	static const Element unknown = {"", ELEMENT_INLINE};
	const Element *found =
	        bsearch(name, elements, G_N_ELEMENTS(elements), sizeof(elements[0]), html_compare);

	return found ? found : &unknown;
}
