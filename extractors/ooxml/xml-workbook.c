/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml-workbook.c - workbooks of Excel 2002 and 2003 in one XML file (SpreadsheetML) */
#include <config.h>
#include "extractors/ooxml/ooxml.h"
#include <string.h>

typedef struct {
	Flow *flow;
	unsigned sheets;
	unsigned data; /* number of open elements from the cell's value on; 0: none */
	bool comment, date;
} FlatBook;

static bool data_start(FlatBook *book, const XmlAttributes *attributes)
{
	book->data = 1;
	book->date = xml_attribute_is(attributes, NS_SS, "Type", "DateTime");
	flow_block(book->flow, book->comment ? TAG_COMMENT : TAG_TABLE);
	return true;
}

static bool xml_workbook_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	FlatBook *book = user;

	if (book->data > 0) {
		book->data++;
	} else if (element == SS_SHEET) {
		g_autofree char *name = xml_attribute_dup(attributes, NS_SS, "Name");
		return flow_sheet(book->flow, ++book->sheets, name);
	} else if (element == SS_DATA) {
		return data_start(book, attributes);
	} else if (element == SS_COMMENT) {
		book->comment = true;
	}
	return true;
}

static bool xml_workbook_on_end(void *user, unsigned element)
{
	FlatBook *book = user;

	if (book->data > 0)
		book->data--;
	else if (element == SS_COMMENT)
		book->comment = false;
	return !book->flow->full;
}

/* A date without a time is written with midnight. */
static bool xml_workbook_on_text(void *user, const char *text, size_t length)
{
	static const char midnight[] = "T00:00:00.000";
	FlatBook *book = user;

	if (book->data == 0)
		return true;
	if (book->date && length > strlen(midnight) &&
	        memcmp(text + length - strlen(midnight), midnight, strlen(midnight)) == 0)
		length -= strlen(midnight);
	return flow_text(book->flow, text, length);
}

void flat_book_read(Ooxml *ooxml)
{
	static const XmlEvents events = {
	        xml_workbook_on_start, xml_workbook_on_end, xml_workbook_on_text};
	FlatBook book = {.flow = &ooxml->flow};

	ooxml_read_flat(ooxml, &events, &book);
	ooxml_count(ooxml, book.sheets);
}
