/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xmlread.h - reads XML as a stream of events, with known names as numbers
 *
 * A thin layer over libxml2's SAX2 interface for hostile input. Nothing outside of the text is
 * loaded. Only the five predefined entities and character references have a value. libxml2 limits
 * nesting to 256. Damaged input is read as far as possible. A format lists the namespaces and
 * elements that it needs in tables; all other elements are number 0. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
	const char *uri;
	uint8_t ns; /* the format's own number, from 1; several URIs may share one */
} XmlNamespace;

typedef struct {
	const char *name; /* local name */
	uint8_t ns; /* 0: no namespace; XML_ANY_NS: any namespace that is not listed */
	uint8_t element; /* the format's own number, from 1 */
} XmlElement;

enum { XML_ANY_NS = 255 };

typedef struct {
	const XmlNamespace *namespaces; /* ends with a NULL uri */
	const XmlElement *elements; /* ends with a NULL name; at most 254 */
	bool any_namespace; /* ignore namespaces: all are number 0 */
} XmlVocabulary;

typedef struct XmlAttributes XmlAttributes;

/* Each handler returns false to stop reading. end and text may be NULL. text comes in pieces. */
typedef struct {
	bool (*start)(void *user, unsigned element, const XmlAttributes *attributes);
	bool (*end)(void *user, unsigned element);
	bool (*text)(void *user, const char *text, size_t length);
} XmlEvents;

typedef ssize_t (*XmlRead)(void *source, void *buffer, size_t size);

typedef enum {
	XML_READ_WHOLE,
	XML_READ_DAMAGED, /* not well-formed; the readable parts were delivered */
	XML_READ_STOPPED, /* by a handler */
} XmlResult;

XmlResult xml_read(const XmlVocabulary *vocabulary, const XmlEvents *events, void *user,
        XmlRead read, void *source);
XmlResult xml_read_memory(const XmlVocabulary *vocabulary, const XmlEvents *events, void *user,
        const void *data, size_t size);

/* The local name of the element that starts, its prefix and its namespace; NULL: none. Valid during
 * the call. */
const char *xml_element(const XmlAttributes *attributes, const char **prefix_r, const char **uri_r);
/* Returns the value of an attribute, valid during the call and not NUL-terminated; ns as in
 * XmlElement. NULL if there is none. */
const char *xml_attribute(
        const XmlAttributes *attributes, unsigned ns, const char *name, size_t *length_r);
/* Returns the value and local name of attribute number i (from 0), of any namespace. NULL: there
 * are no more. */
const char *xml_attribute_at(
        const XmlAttributes *attributes, unsigned i, const char **name_r, size_t *length_r);
/* Like xml_attribute(), but returns a copy. The caller frees it. */
char *xml_attribute_dup(const XmlAttributes *attributes, unsigned ns, const char *name);
/* Parses the attribute as a decimal number within 0..max; returns fallback if it is none. */
unsigned xml_attribute_number(const XmlAttributes *attributes, unsigned ns, const char *name,
        unsigned max, unsigned fallback);
bool xml_attribute_is(
        const XmlAttributes *attributes, unsigned ns, const char *name, const char *value);
