/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xmlread.h - XML as a stream of events, with known names as numbers
 *
 * A thin layer over libxml2's SAX2 interface for hostile input: nothing outside the text is ever
 * loaded, no entity but the five predefined ones and character references has a value, nesting is
 * capped by the library (256), and damaged input is read as far as it makes sense. A format names
 * the namespaces and elements it cares about in tables; all others are element 0. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
	const char *uri;
	uint8_t ns; /* number of ours, from 1; several URIs may share one */
} XmlNamespace;

typedef struct {
	const char *name; /* local name */
	uint8_t ns; /* 0: in no namespace; XML_ANY_NS: in any that is not listed */
	uint8_t element; /* number of ours, from 1 */
} XmlElement;

enum { XML_ANY_NS = 255 };

typedef struct {
	const XmlNamespace *namespaces; /* ends with a NULL uri */
	const XmlElement *elements; /* ends with a NULL name; at most 254 */
	bool any_namespace; /* local names decide: all namespaces are number 0 */
} XmlVocabulary;

typedef struct XmlAttributes XmlAttributes;

/* Each returns false to stop reading; end and text may be NULL. text comes in pieces. */
typedef struct {
	bool (*start)(void *user, unsigned element, const XmlAttributes *attributes);
	bool (*end)(void *user, unsigned element);
	bool (*text)(void *user, const char *text, size_t length);
} XmlEvents;

typedef ssize_t (*XmlRead)(void *source, void *buffer, size_t size);

typedef enum {
	XML_READ_WHOLE,
	XML_READ_DAMAGED, /* not well-formed; what was read before and around it was handed out */
	XML_READ_STOPPED, /* by a handler */
} XmlResult;

XmlResult xml_read(const XmlVocabulary *vocabulary, const XmlEvents *events, void *user,
        XmlRead read, void *source);
XmlResult xml_read_memory(const XmlVocabulary *vocabulary, const XmlEvents *events, void *user,
        const void *data, size_t size);

/* Value of an attribute; ns as in XmlElement. Not NUL-terminated, valid during the call;
 * NULL if it is not there. */
const char *xml_attribute(
        const XmlAttributes *attributes, unsigned ns, const char *name, size_t *length_r);
/* The one of this number, from 0 on, of any namespace, with its local name; NULL: there are no
 * more.
 */
const char *xml_attribute_at(
        const XmlAttributes *attributes, unsigned i, const char **name_r, size_t *length_r);
/* The same as xml_attribute() as a copy; NULL if it is not there. Yours. */
char *xml_attribute_dup(const XmlAttributes *attributes, unsigned ns, const char *name);
/* As a decimal number within 0..max; otherwise fallback. */
unsigned xml_attribute_number(const XmlAttributes *attributes, unsigned ns, const char *name,
        unsigned max, unsigned fallback);
bool xml_attribute_is(
        const XmlAttributes *attributes, unsigned ns, const char *name, const char *value);
