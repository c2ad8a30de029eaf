/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/rtf/words.h"
#include "common/document.h"
#include <stdlib.h>
#include <string.h>

/* Sorted. */
static const WordEntry words[] = {
        {"annotation", W_ASIDE, TAG_COMMENT},
        {"ansicpg", W_ANSI_PAGE, 0},
        {"atnauthor", W_SKIP, 0},
        {"atndate", W_SKIP, 0},
        {"atnid", W_SKIP, 0},
        {"atnparent", W_SKIP, 0},
        {"atnref", W_SKIP, 0},
        {"atntime", W_SKIP, 0},
        {"author", W_FIELD, FIELD_AUTHOR},
        {"b", W_BOLD, 0},
        {"bin", W_BINARY, 0},
        {"bkmkend", W_SKIP, 0},
        {"bkmkstart", W_SKIP, 0},
        {"bullet", W_CHARACTER, 0x2022},
        {"cell", W_CELL, 0},
        {"colortbl", W_SKIP, 0},
        {"company", W_SKIP, 0},
        {"cpg", W_FONT_PAGE, 0},
        {"creatim", W_DATE, FIELD_CREATED},
        {"datafield", W_SKIP, 0},
        {"datastore", W_SKIP, 0},
        {"deff", W_DEFAULT_FONT, 0},
        {"deleted", W_HIDDEN, 0},
        {"do", W_OPEN, 0},
        {"doccomm", W_FIELD, FIELD_COMMENT},
        {"dptxbxtext", W_BOX, 0},
        {"dy", W_DAY, 0},
        {"emdash", W_CHARACTER, 0x2014},
        {"emspace", W_SPACE, 0},
        {"endash", W_CHARACTER, 0x2013},
        {"enspace", W_SPACE, 0},
        {"f", W_FONT, 0},
        {"falt", W_SKIP, 0},
        {"fcharset", W_FONT_CHARSET, 0},
        {"fldinst", W_INSTRUCTION, 0},
        {"fldrslt", W_RESULT, 0},
        {"fontemb", W_SKIP, 0},
        {"fontfile", W_SKIP, 0},
        {"fonttbl", W_FONT_TABLE, 0},
        {"footer", W_ASIDE, TAG_NOISE},
        {"footerf", W_ASIDE, TAG_NOISE},
        {"footerl", W_ASIDE, TAG_NOISE},
        {"footerr", W_ASIDE, TAG_NOISE},
        {"footnote", W_ASIDE, TAG_COMMENT},
        {"ftncn", W_SKIP, 0},
        {"ftnsep", W_SKIP, 0},
        {"ftnsepc", W_SKIP, 0},
        {"generator", W_FIELD, FIELD_GENERATOR},
        {"header", W_ASIDE, TAG_NOISE},
        {"headerf", W_ASIDE, TAG_NOISE},
        {"headerl", W_ASIDE, TAG_NOISE},
        {"headerr", W_ASIDE, TAG_NOISE},
        {"hr", W_HOUR, 0},
        {"info", W_INFO, 0},
        {"intbl", W_IN_TABLE, 0},
        {"keywords", W_FIELD, FIELD_KEYWORD},
        {"latentstyles", W_SKIP, 0},
        {"ldblquote", W_CHARACTER, 0x201c},
        {"line", W_SPACE, 0},
        {"listoverridetable", W_SKIP, 0},
        {"listtable", W_SKIP, 0},
        {"lquote", W_CHARACTER, 0x2018},
        {"mac", W_PAGE_OF_SET, 10000},
        {"manager", W_SKIP, 0},
        {"min", W_MINUTE, 0},
        {"mo", W_MONTH, 0},
        {"nestcell", W_CELL, 0},
        {"nestrow", W_PARAGRAPH, 0},
        {"nonshppict", W_REPEATED, 0},
        {"objdata", W_OBJECT, 0},
        {"operator", W_SKIP, 0},
        {"outlinelevel", W_OUTLINE, 0},
        {"page", W_PAGE, 0},
        {"panose", W_SKIP, 0},
        {"par", W_PARAGRAPH, 0},
        {"pard", W_RESET, 0},
        {"pc", W_PAGE_OF_SET, 437},
        {"pca", W_PAGE_OF_SET, 850},
        {"pict", W_SKIP, 0},
        {"plain", W_PLAIN, 0},
        {"pntext", W_SKIP, 0},
        {"pntxta", W_SKIP, 0},
        {"pntxtb", W_SKIP, 0},
        {"printim", W_SKIP, 0},
        {"private", W_SKIP, 0},
        {"propname", W_SKIP, 0},
        {"qmspace", W_SPACE, 0},
        {"rdblquote", W_CHARACTER, 0x201d},
        {"revtbl", W_SKIP, 0},
        {"revtim", W_DATE, FIELD_DATE},
        {"row", W_PARAGRAPH, 0},
        {"rquote", W_CHARACTER, 0x2019},
        {"rsidtbl", W_SKIP, 0},
        {"rxe", W_SKIP, 0},
        {"s", W_STYLE, 0},
        {"sect", W_PARAGRAPH, 0},
        {"shpinst", W_OPEN, 0},
        {"shprslt", W_REPEATED, 0},
        {"shptxt", W_BOX, 0},
        {"sn", W_PROPERTY_NAME, 0},
        {"sp", W_SKIP, 0},
        {"staticval", W_FIELD, FIELD_COMMENT},
        {"stylesheet", W_STYLES, 0},
        {"subject", W_FIELD, FIELD_COMMENT},
        {"sv", W_PROPERTY, 0},
        {"tab", W_SPACE, 0},
        {"tc", W_SKIP, 0},
        {"themedata", W_SKIP, 0},
        {"title", W_FIELD, FIELD_TITLE},
        {"trowd", W_IN_TABLE, 0},
        {"txe", W_SKIP, 0},
        {"u", W_UNICODE, 0},
        {"uc", W_UNICODE_SKIP, 0},
        {"userprops", W_INFO, 0},
        {"xe", W_SKIP, 0},
        {"xmlnstbl", W_SKIP, 0},
        {"yr", W_YEAR, 0},
        {"zwj", W_CHARACTER, 0x200d},
        {"zwnj", W_CHARACTER, 0x200c},
};

typedef struct {
	const char *name;
	size_t length;
} Key;

static int compare(const void *key, const void *item)
{
	const Key *wanted = key;
	const char *name = ((const WordEntry *)item)->name;
	int order = strncmp(wanted->name, name, wanted->length);
	return order != 0 ? order : -(int)(name[wanted->length] != '\0');
}

const WordEntry *word_find(const char *name, size_t length)
{
	Key key = {name, length};
	return bsearch(&key, words, sizeof words / sizeof *words, sizeof *words, compare);
}
