/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/charset-table.h"
#include "extractors/charset/charset-label.h"
#include "extractors/charset/charset-tables.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* Apple's tables (unicode.org, VENDORS/APPLE), without the direction of signs. */
static const char mac_greek[] = "Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦€ùûü"
                                "†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩ"
                                "άΝ¬ΟΡ≈Τ«»…\xc2\xa0"
                                "ΥΧΆΈœ–―“”‘’÷ΉΊΌΎέήίόΏ"
                                "ύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ\xc2\xad"
                                "";
static const char mac_arabic[] = "Ä\xc2\xa0"
                                 "ÇÉÑÖÜáàâäں«çéèêëí…îïñó»ôö÷úùûü"
                                 " !\"#$٪&'()*+،-./٠١٢٣٤٥٦٧٨٩:؛<=>؟"
                                 "❊ءآأؤإئابةتثجحخدذرزسشصضطظعغ[\\]^_"
                                 "ـفقكلمنهوىيًٌٍَُِّْپٹچەڤگڈڑ{|}ژے";

/* Charsets that differ from another one in a few bytes. */
static const struct {
	const char *name, *label, *like;
	const char *bytes; /* NULL: all bytes from 0x80 on */
	const char *letters;
} macs[] = {
        {"x-mac-greek", "macgreek", "macintosh", NULL, mac_greek},
        {"x-mac-arabic", "macarabic", "macintosh", NULL, mac_arabic},
        {"x-mac-farsi", "macfarsi", "macarabic", "\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9",
                "۰۱۲۳۴۵۶۷۸۹"},
        {"x-mac-turkish", "macturkish", "macintosh", "\xda\xdb\xdc\xdd\xde\xdf", "ĞğİıŞş"},
        {"x-mac-croatian", "maccroatian", "macintosh",
                "\xa9\xae\xb9\xbe\xc6\xc8\xd0\xde\xe6\xe8\xf0\xf9\xfa\xfd\xfe", "ŠŽšžĆČĐÆćčđπËÊæ"},
        {"x-mac-romanian", "macromanian", "macintosh", "\xae\xaf\xbe\xbf\xde\xdf", "ĂȘășȚț"},
        {"x-mac-icelandic", "macicelandic", "macintosh", "\xa0\xdc\xdd\xde\xdf\xe0", "ÝÐðÞþý"},
};
enum { MADE = G_N_ELEMENTS(made_tables), MACS = G_N_ELEMENTS(macs) };
G_STATIC_ASSERT(MADE + MACS <= CHARSET_TABLES);

static uint16_t mac_units[MACS][256];

static void fill_mac(size_t i)
{
	CharsetTable like;
	if (charset_table_find(macs[i].like, &like))
		memcpy(mac_units[i], like.units, sizeof mac_units[i]);
	const char *p = macs[i].letters;
	for (size_t k = 0; *p; k++, p = g_utf8_next_char(p)) {
		uint8_t byte = macs[i].bytes ? (uint8_t)macs[i].bytes[k] : 0x80 + k;
		mac_units[i][byte] = g_utf8_get_char(p);
	}
}

static bool find_mac(const char *label, CharsetTable *table)
{
	if (g_str_has_prefix(label, "xmac"))
		label++;
	for (size_t i = 0; i < MACS; i++) {
		if (strcmp(label, macs[i].label) != 0)
			continue;
		if (mac_units[i]['a'] == 0)
			fill_mac(i);
		*table = (CharsetTable){macs[i].name, mac_units[i], true, MADE + i};
		return true;
	}
	return false;
}

static int compare_label(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

bool charset_table_find(const char *label, CharsetTable *table)
{
	const void *found = bsearch(
	        label, made_labels, G_N_ELEMENTS(made_labels), sizeof *made_labels, compare_label);
	if (!found)
		return find_mac(label, table);
	unsigned i =
	        made_labels[((const char *)found - (const char *)made_labels) / sizeof *made_labels]
	                .table;
	*table = (CharsetTable){made_tables[i].name, made_units[i], made_tables[i].ascii, i};
	return true;
}
