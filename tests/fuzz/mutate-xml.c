/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mutate-xml.c - copies, replaces and removes elements and values of XML, which stays well-formed
 */
#include <config.h>
#include "tests/fuzz/mutate.h"
#include <string.h>

typedef struct {
	size_t at, end;
} XmlSpan;

static size_t xml_find(Bytes xml, size_t at, const char *any)
{
	while (at < xml.size && !strchr(any, xml.data[at]))
		at++;
	return at;
}

/* The place after an element, which may be empty; the end of the file if it is not closed. */
static size_t xml_element_end(Bytes xml, size_t at)
{
	int depth = 0;
	do {
		size_t tag = xml_find(xml, at, "<");
		at = xml_find(xml, tag, ">");
		if (at >= xml.size || tag + 1 >= xml.size)
			return xml.size;
		if (xml.data[tag + 1] == '/')
			depth--;
		else if (xml.data[at - 1] != '/' && g_ascii_isalpha(xml.data[tag + 1]))
			depth++;
		at++;
	} while (depth > 0);
	return at;
}

/* Any element after the first, which is the root; at is the file's size if there is none. */
static XmlSpan xml_any_element(GRand *random, Bytes xml)
{
	size_t root = 0, at;
	do
		root = xml_find(xml, root, "<") + 1;
	while (root < xml.size && !g_ascii_isalpha(xml.data[root]));
	if (root >= xml.size)
		return (XmlSpan){xml.size, xml.size};
	at = g_rand_int_range(random, root, xml.size);
	do
		at = xml_find(xml, at + 1, "<");
	while (at + 1 < xml.size && !g_ascii_isalpha(xml.data[at + 1]));
	if (at + 1 >= xml.size)
		return (XmlSpan){xml.size, xml.size};
	return (XmlSpan){at, xml_element_end(xml, at)};
}

/* Any value of an attribute, without its quotes. */
static XmlSpan xml_any_value(GRand *random, Bytes xml)
{
	size_t at = g_rand_int_range(random, 0, xml.size);
	do
		at = xml_find(xml, at + 1, "=");
	while (at + 1 < xml.size && xml.data[at + 1] != '"' && xml.data[at + 1] != '\'');
	if (at + 1 >= xml.size)
		return (XmlSpan){xml.size, xml.size};
	const char quote[] = {xml.data[at + 1], '\0'};
	return (XmlSpan){at + 2, xml_find(xml, at + 2, quote)};
}

static void xml_replace(GByteArray *bytes, XmlSpan span, const void *with, size_t size)
{
	g_autofree uint8_t *copy = g_memdup2(with, size);
	g_autofree uint8_t *behind = g_memdup2(bytes->data + span.end, bytes->len - span.end);
	size_t n_behind = bytes->len - span.end;
	g_byte_array_set_size(bytes, span.at);
	g_byte_array_append(bytes, copy, size);
	g_byte_array_append(bytes, behind, n_behind);
}

static bool xml_change_value(GRand *random, GByteArray *bytes)
{
	static const char *const edges[] = {"", "0", "-1", "1", "65536", "4294967295", "1e999",
	        "true", "../../x", "#x", "&lt;"};
	Bytes xml = {bytes->data, bytes->len};
	XmlSpan value = xml_any_value(random, xml), other = xml_any_value(random, xml);
	const char *edge = edges[g_rand_int_range(random, 0, G_N_ELEMENTS(edges))];
	if (value.at >= xml.size)
		return false;
	if (other.at < xml.size && mutate_chance(random, 2))
		xml_replace(bytes, value, xml.data + other.at, other.end - other.at);
	else
		xml_replace(bytes, value, edge, strlen(edge));
	return true;
}

bool mutate_xml(GRand *random, GByteArray *bytes)
{
	enum { MAX_COPIED = 4096 };
	Bytes xml = {bytes->data, bytes->len};
	if (xml.size < 2 || xml.data[0] != '<')
		return false;
	if (mutate_chance(random, 2))
		return xml_change_value(random, bytes);
	XmlSpan one = xml_any_element(random, xml), other = xml_any_element(random, xml);
	if (one.at >= xml.size || other.at >= xml.size || other.end - other.at > MAX_COPIED)
		return false;
	if (mutate_chance(random, 4))
		xml_replace(bytes, one, "", 0);
	else if (mutate_chance(random, 2))
		xml_replace(bytes, one, xml.data + other.at, other.end - other.at);
	else
		xml_replace(bytes, (XmlSpan){one.at, one.at}, xml.data + other.at,
		        other.end - other.at);
	return true;
}
