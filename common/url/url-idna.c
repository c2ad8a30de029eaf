/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-idna.h"
#include "common/base/i18n.h"
#if HAVE_ICU
#include "common/base/utf8.h"
#include <gmodule.h>
#include <unicode/uidna.h>

/* The headers rename functions after ICU's version; the library's name has it too. */
#define ICU_LIBRARY "libicuuc.so." G_STRINGIFY(U_ICU_VERSION_MAJOR_NUM)
#define ICU_NAME(function) G_STRINGIFY(function)

enum { IDNA_MAX_BYTES = 16 << 10 };

static struct {
	UIDNA *tables;
	UIDNA *(*open)(uint32_t options, UErrorCode *status);
	int32_t (*to_ascii)(const UIDNA *tables, const char *name, int32_t length, char *result,
	        int32_t capacity, UIDNAInfo *info, UErrorCode *status);
} idna;

/* Characters that Unicode 16 maps, and older tables forbid or map otherwise. to 0: removed. */
static const struct {
	gunichar first, last, to;
} idna_newer[] = {
        {0x04c0, 0x04c0, 0x04cf},
        {0x10a0, 0x10c5, 0x2d00},
        {0x115f, 0x1160, 0},
        {0x17b4, 0x17b5, 0},
        {0x180e, 0x180e, 0},
        {0x1e9e, 0x1e9e, 0x00df},
        {0x206a, 0x206f, 0},
        {0x2132, 0x2132, 0x214e},
        {0x2183, 0x2183, 0x2184},
        {0x3164, 0x3164, 0},
        {0xffa0, 0xffa0, 0},
        {0x1d173, 0x1d17a, 0},
        {0x2f868, 0x2f868, 0x36fc},
        {0x2f874, 0x2f874, 0x5f53},
        {0x2f91f, 0x2f91f, 0x243ab},
        {0x2f95f, 0x2f95f, 0x7aee},
        {0x2f9bf, 0x2f9bf, 0x45d7},
};

static gunichar idna_map(gunichar c)
{
	for (size_t i = 0; i < G_N_ELEMENTS(idna_newer); i++) {
		if (c >= idna_newer[i].first && c <= idna_newer[i].last)
			return idna_newer[i].to ? idna_newer[i].to + (c - idna_newer[i].first) : 0;
	}
	return c;
}

/* NULL if the name is not valid UTF-8 or has NUL. */
static GString *idna_map_all(const char *domain, size_t length)
{
	GString *out = NULL;

	if (!utf8_is_valid(domain, length))
		return NULL;
	out = g_string_sized_new(length);
	for (const char *at = domain; at < domain + length; at = g_utf8_next_char(at)) {
		gunichar c = idna_map(g_utf8_get_char(at));
		if (c)
			g_string_append_unichar(out, c);
	}
	return out;
}

static UIDNA *idna_open(void)
{
	UErrorCode status = U_ZERO_ERROR;
	GModule *library = g_module_open(ICU_LIBRARY, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);

	if (!library ||
	        !g_module_symbol(library, ICU_NAME(uidna_openUTS46), (gpointer *)&idna.open) ||
	        !g_module_symbol(
	                library, ICU_NAME(uidna_nameToASCII_UTF8), (gpointer *)&idna.to_ascii))
		return NULL;
	g_module_make_resident(library);
	return idna.open(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII |
	                         UIDNA_NONTRANSITIONAL_TO_UNICODE,
	        &status);
}

bool url_idna_load(void)
{
	static gsize once;

	if (g_once_init_enter(&once)) {
		idna.tables = idna_open();
		g_once_init_leave(&once, 1);
	}
	return idna.tables;
}

char *url_idna_to_ascii(const char *domain, size_t length, const char **reason_r)
{
	enum {
		IGNORED = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
		          UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
		          UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4
	};
	UIDNAInfo info = UIDNA_INFO_INITIALIZER;
	UErrorCode status = U_ZERO_ERROR;

	if (!url_idna_load()) {
		*reason_r = N_("this host needs the library ICU, which is missing");
		return NULL;
	}
	*reason_r = N_("the host is not a domain name");
	g_autoptr(GString) mapped = idna_map_all(domain, length);
	g_autofree char *name = g_malloc(IDNA_MAX_BYTES);
	if (!mapped)
		return NULL;
	int32_t n = idna.to_ascii(
	        idna.tables, mapped->str, mapped->len, name, IDNA_MAX_BYTES, &info, &status);
	if (U_FAILURE(status) || n >= IDNA_MAX_BYTES || (info.errors & ~IGNORED))
		return NULL;
	return g_strndup(name, n);
}
#else
bool url_idna_load(void)
{
	return false;
}

char *url_idna_to_ascii(const char *domain, size_t length, const char **reason_r)
{
	*reason_r = N_("this host needs the library ICU, which this program was built without");
	return NULL;
}
#endif
