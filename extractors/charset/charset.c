/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/charset.h"
#include "extractors/charset/charset-label.h"
#include "extractors/charset/charset-table.h"
#include "common/base/utf8.h"
#include <errno.h>
#include <iconv.h>
#include <string.h>

typedef enum {
	KIND_UTF8,
	KIND_UTF16LE,
	KIND_UTF16BE,
	KIND_UTF32LE,
	KIND_UTF32BE,
	KIND_SINGLE, /* one byte for each character, ASCII below 0x80 */
	KIND_BYTES, /* one byte for each character */
	KIND_MULTI,
	KIND_RARE, /* the same, in hardly any file */
	KIND_HZ,
} CharsetKind;

struct Charset {
	const char *name; /* preferred MIME name */
	const char *iconv_name; /* the name in glibc; NULL: decoded here */
	CharsetKind kind;
	const char *labels; /* further labels, normalised, each between two spaces */
	/* set only by charset_preload() */
	bool ready;
	const uint16_t *units; /* for the 256 bytes; 0: undefined */
	iconv_t descriptor;
};

/* The charsets that files really use. Their order matters only to readers of this table. */
static Charset charsets[] = {
        {"utf-8", NULL, KIND_UTF8, " utf8 unicode11utf8 osf05010001 isoir193 iso10646utf8 "},
        {"utf-16le", NULL, KIND_UTF16LE,
                " utf16le utf16 unicode ucs2 iso10646ucs2 csunicode ucs2le unicodelittle "},
        {"utf-16be", NULL, KIND_UTF16BE,
                " utf16be unicodefffe ucs2be unicodebig osf00010100 osf00010101 osf00010102 "},
        {"utf-32le", NULL, KIND_UTF32LE, " utf32le utf32 ucs4 ucs4le wchart "},
        {"utf-32be", NULL, KIND_UTF32BE,
                " utf32be ucs4be osf00010104 osf00010105 osf00010106 csucs4 1064611993 "
                "1064611993ucs4 iso10646 iso10646ucs4 "},
        {"windows-1252", "CP1252", KIND_SINGLE,
                " windows1252 cp1252 xcp1252 ansi iso88591 latin1 l1 isolatin1 ibm819 cp819 "
                "iso885911987 "
                "usascii ascii ansix341968 iso646us us ansix341986 646 "},
        {"iso-8859-2", "ISO-8859-2", KIND_SINGLE, " iso88592 latin2 l2 isolatin2 iso885921987 "},
        {"iso-8859-3", "ISO-8859-3", KIND_SINGLE, " iso88593 latin3 l3 "},
        {"iso-8859-4", "ISO-8859-4", KIND_SINGLE, " iso88594 latin4 l4 "},
        {"iso-8859-5", "ISO-8859-5", KIND_SINGLE, " iso88595 cyrillic "},
        {"iso-8859-6", "ISO-8859-6", KIND_SINGLE, " iso88596 arabic asmo708 "},
        {"iso-8859-7", "ISO-8859-7", KIND_SINGLE, " iso88597 greek greek8 "},
        {"iso-8859-8", "ISO-8859-8", KIND_SINGLE,
                " iso88598 iso88598i iso88598e hebrew visual logical macheb machebrew xmachebrew "},
        {"iso-8859-10", "ISO-8859-10", KIND_SINGLE, " iso885910 latin6 l6 "},
        {"iso-8859-13", "ISO-8859-13", KIND_SINGLE, " iso885913 latin7 l7 "},
        {"iso-8859-14", "ISO-8859-14", KIND_SINGLE, " iso885914 latin8 l8 "},
        {"iso-8859-15", "ISO-8859-15", KIND_SINGLE, " iso885915 latin9 l9 latin0 "},
        {"iso-8859-16", "ISO-8859-16", KIND_SINGLE, " iso885916 latin10 l10 "},
        {"windows-874", "CP874", KIND_SINGLE,
                " windows874 cp874 tis620 iso885911 dos874 xmacthai macthai "},
        {"windows-1250", "CP1250", KIND_SINGLE, " windows1250 cp1250 xcp1250 "},
        {"windows-1251", "CP1251", KIND_SINGLE, " windows1251 cp1251 xcp1251 "},
        {"windows-1253", "CP1253", KIND_SINGLE, " windows1253 cp1253 "},
        {"windows-1254", "CP1254", KIND_SINGLE, " windows1254 cp1254 iso88599 latin5 l5 "},
        {"windows-1255", "CP1255", KIND_MULTI, " windows1255 cp1255 mshebr "},
        {"windows-1256", "CP1256", KIND_SINGLE, " windows1256 cp1256 "},
        {"windows-1257", "CP1257", KIND_SINGLE, " windows1257 cp1257 "},
        {"windows-1258", "CP1258", KIND_MULTI, " windows1258 cp1258 "},
        {"viscii", "VISCII", KIND_MULTI, " viscii csviscii "},
        {"ibm737", "CP737", KIND_SINGLE, " ibm737 cp737 737 "},
        {"ibm857", "IBM857", KIND_SINGLE, " ibm857 cp857 857 "},
        {"ibm037", "IBM037", KIND_MULTI, " ibm037 cp037 037 ebcdiccpus ebcdiccpca "},
        {"ibm500", "IBM500", KIND_MULTI, " ibm500 cp500 500 ebcdiccpbe ebcdiccpch ebcdic "},
        {"ibm273", "IBM273", KIND_MULTI, " ibm273 cp273 273 ebcdiccpde "},
        {"ibm277", "IBM277", KIND_MULTI, " ibm277 cp277 277 ebcdiccpdk ebcdiccpno "},
        {"ibm278", "IBM278", KIND_MULTI, " ibm278 cp278 278 ebcdiccpfi ebcdiccpse "},
        {"ibm280", "IBM280", KIND_MULTI, " ibm280 cp280 280 ebcdiccpit "},
        {"ibm284", "IBM284", KIND_MULTI, " ibm284 cp284 284 ebcdiccpes "},
        {"ibm285", "IBM285", KIND_MULTI, " ibm285 cp285 285 ebcdiccpgb "},
        {"ibm297", "IBM297", KIND_MULTI, " ibm297 cp297 297 ebcdiccpfr "},
        {"ibm870", "IBM870", KIND_MULTI, " ibm870 cp870 870 ebcdiccproece ebcdiccpyu "},
        {"ibm871", "IBM871", KIND_MULTI, " ibm871 cp871 871 ebcdiccpis "},
        {"ibm875", "IBM875", KIND_MULTI, " ibm875 cp875 875 "},
        {"ibm1025", "IBM1025", KIND_MULTI, " ibm1025 cp1025 1025 "},
        {"ibm1026", "IBM1026", KIND_MULTI, " ibm1026 cp1026 1026 "},
        {"koi8-r", "KOI8-R", KIND_SINGLE, " koi8r koi8 koi "},
        {"koi8-u", "KOI8-U", KIND_SINGLE, " koi8u "},
        {"ibm437", "IBM437", KIND_SINGLE, " ibm437 cp437 437 "},
        {"ibm850", "IBM850", KIND_SINGLE, " ibm850 cp850 850 "},
        {"ibm852", "IBM852", KIND_SINGLE, " ibm852 cp852 852 "},
        {"ibm855", "IBM855", KIND_SINGLE, " ibm855 cp855 855 "},
        {"ibm775", "IBM775", KIND_SINGLE, " ibm775 cp775 775 "},
        {"ibm860", "IBM860", KIND_SINGLE, " ibm860 cp860 860 "},
        {"ibm861", "IBM861", KIND_SINGLE, " ibm861 cp861 861 cpis "},
        {"ibm862", "IBM862", KIND_SINGLE, " ibm862 cp862 862 "},
        {"ibm863", "IBM863", KIND_SINGLE, " ibm863 cp863 863 "},
        {"ibm864", "IBM864", KIND_SINGLE, " ibm864 cp864 864 "},
        {"ibm865", "IBM865", KIND_SINGLE, " ibm865 cp865 865 "},
        {"ibm866", "IBM866", KIND_SINGLE, " ibm866 cp866 866 "},
        {"ibm869", "IBM869", KIND_SINGLE, " ibm869 cp869 869 cpgr "},
        {"cp1125", "CP1125", KIND_SINGLE, " cp1125 ibm1125 1125 cp866u "},
        {"pt154", "PT154", KIND_SINGLE, " pt154 ptcp154 cp154 csptcp154 cyrillicasian "},
        {"rk1048", "RK1048", KIND_SINGLE, " rk1048 strk10482002 kz1048 cskz1048 "},
        {"koi8-t", "KOI8-T", KIND_SINGLE, " koi8t "},
        {"armscii-8", "ARMSCII-8", KIND_SINGLE, " armscii8 "},
        {"georgian-ps", "GEORGIAN-PS", KIND_SINGLE, " georgianps "},
        {"georgian-academy", "GEORGIAN-ACADEMY", KIND_SINGLE, " georgianacademy "},
        {"tcvn", "TCVN5712-1", KIND_RARE, " tcvn tcvn5712 tcvn57121 tcvn571211993 vscii "},
        {"macintosh", "MACINTOSH", KIND_SINGLE, " macintosh mac macroman xmacroman "},
        {"x-mac-cyrillic", "MAC-CYRILLIC", KIND_SINGLE, " xmaccyrillic maccyrillic xmacukrainian "},
        {"x-mac-ce", "MAC-CENTRALEUROPE", KIND_SINGLE,
                " xmacce maccentraleurope xmaccentraleurroman "},
        {"shift_jis", "CP932", KIND_MULTI,
                " shiftjis sjis xsjis mskanji windows31j cp932 ms932 sjisopen sjiswin cswindows31j "
                "csshiftjis xmacjapanese ibm932 csibm932 ibm943 csibm943 "},
        {"euc-jp", "EUC-JP-MS", KIND_MULTI,
                " eucjp xeucjp ujis eucjpms cseucpkdfmtjapanese osf00030010 eucjpopen eucjpwin "},
        {"iso-2022-jp", "ISO-2022-JP-3", KIND_MULTI, " iso2022jp iso2022jp3 jis csiso2022jp "},
        {"iso-2022-jp-2", "ISO-2022-JP-2", KIND_RARE, " iso2022jp2 iso2022jp1 csiso2022jp2 "},
        {"gb18030", "GB18030", KIND_MULTI,
                " gb18030 gbk gb2312 gb231280 xgbk cp936 ms936 windows936 euccn csgb2312 chinese "
                "cngb gb13000 xmacchinesesimp "},
        {"big5", "BIG5-HKSCS", KIND_MULTI,
                " big5 big5hkscs cnbig5 xxbig5 cp950 windows950 csbig5 bigfive xmacchinesetrad "},
        {"euc-kr", "UHC", KIND_MULTI,
                " euckr uhc cp949 windows949 ksc56011987 ksc5601 ksc56011989 korean cseuckr "
                "mscp949 osf100203b5 osf0004000a xmackorean "},
        {"euc-tw", "EUC-TW", KIND_RARE, " euctw xeuctw cseuctw osf0005000a "},
        {"iso-2022-kr", "ISO-2022-KR", KIND_RARE, " iso2022kr csiso2022kr "},
        {"iso-2022-cn", "ISO-2022-CN-EXT", KIND_RARE, " iso2022cn iso2022cnext csiso2022cn "},
        {"johab", "JOHAB", KIND_MULTI, " johab cp1361 ms1361 ksc5601johab mscp1361 "},
        {"hz-gb-2312", NULL, KIND_HZ, " hzgb2312 hz "},
        {"shift_jisx0213", "SHIFT_JISX0213", KIND_RARE, " shiftjisx0213 shiftjis2004 "},
        {"euc-jisx0213", "EUC-JISX0213", KIND_RARE, " eucjisx0213 eucjis2004 "},
        {"ibm930", "IBM930", KIND_RARE, " ibm930 cp930 csibm930 "},
        {"ibm933", "IBM933", KIND_RARE, " ibm933 cp933 csibm933 "},
        {"ibm935", "IBM935", KIND_RARE, " ibm935 cp935 csibm935 "},
        {"ibm937", "IBM937", KIND_RARE, " ibm937 cp937 csibm937 "},
        {"ibm939", "IBM939", KIND_RARE, " ibm939 cp939 csibm939 "},
        {"ibm1364", "IBM1364", KIND_RARE, " ibm1364 cp1364 csibm1364 "},
        {"ibm1371", "IBM1371", KIND_RARE, " ibm1371 cp1371 csibm1371 "},
        {"ibm1388", "IBM1388", KIND_RARE, " ibm1388 cp1388 csibm1388 "},
        {"ibm1390", "IBM1390", KIND_RARE, " ibm1390 cp1390 csibm1390 "},
        {"ibm1399", "IBM1399", KIND_RARE, " ibm1399 cp1399 csibm1399 "},
        {"iso-6937", "ISO_6937", KIND_RARE, " iso6937 iso69371992 isoir156 "},
        {"iso-6937-2", "ISO_6937-2", KIND_RARE, " iso69372 iso693721983 isoir90 csiso90 "},
        {"t.61", "T.61-8BIT", KIND_RARE, " t61 t618bit isoir103 csiso103t618bit "},
        {"naplps", "ANSI_X3.110", KIND_RARE,
                " naplps ansix3110 ansix31101983 csat500 csat5001983 isoir99 csiso99naplps "},
        {"tscii", "TSCII", KIND_RARE, " tscii "},
        {"utf-7-imap", "UTF-7-IMAP", KIND_RARE, " utf7imap "},
        {"utf-7", "UTF-7", KIND_RARE, " utf7 unicode11utf7 csunicode11utf7 "},
};

/* The other single-byte charsets, by the number of their tables. Each is made at its first use. */
static Charset others[CHARSET_TABLES];

/* A rare charset that is left out was looked for. */
static bool rare_was_missing;

/* In other programs the five bytes that windows-1252 does not define are controls. */
static const uint16_t *without_gaps(const uint16_t *units)
{
	static uint16_t filled[256];
	for (unsigned byte = 0; byte < 256; byte++)
		filled[byte] = units[byte] ? units[byte] : byte;
	return filled;
}

/* A charset without a table needs iconv, which opens files. A rare one that is left out stays
 * KIND_RARE. */
static void charset_prepare(Charset *charset, bool rare)
{
	char label[LABEL_SIZE];
	CharsetTable table;
	if (!charset->iconv_name) {
		charset->ready = true;
		return;
	}
	if (label_normalise(charset->iconv_name, label) && charset_table_find(label, &table)) {
		bool has_gaps = strcmp(charset->name, "windows-1252") == 0;
		charset->units = has_gaps ? without_gaps(table.units) : table.units;
		if (charset->kind == KIND_MULTI || charset->kind == KIND_RARE)
			charset->kind = table.ascii ? KIND_SINGLE : KIND_BYTES;
		charset->ready = true;
		return;
	}
	if (charset->kind == KIND_RARE && !rare)
		return;
	charset->kind = KIND_MULTI;
	charset->descriptor = iconv_open("UTF-8", charset->iconv_name);
	charset->ready = charset->descriptor != (iconv_t)-1;
}

void charset_preload(bool rare)
{
	for (size_t i = 0; i < G_N_ELEMENTS(charsets); i++)
		if (!charsets[i].ready)
			charset_prepare(&charsets[i], rare);
}

bool charset_was_missing(void)
{
	bool was_missing = rare_was_missing;
	rare_was_missing = false;
	return was_missing;
}

static const Charset *find_by_table(const char *label)
{
	CharsetTable table;
	if (!charset_table_find(label, &table))
		return NULL;
	Charset *charset = &others[table.number];
	if (!charset->units) {
		charset->name = table.name;
		charset->kind = table.ascii ? KIND_SINGLE : KIND_BYTES;
		charset->units = table.units;
	}
	return charset;
}

const Charset *charset_find(const char *label)
{
	char plain[LABEL_SIZE];
	if (!label || !label_normalise(label, plain))
		return NULL;
	char wanted[LABEL_SIZE + 2];
	g_snprintf(wanted, sizeof wanted, " %s ", plain);
	for (size_t i = 0; i < G_N_ELEMENTS(charsets); i++) {
		if (!strstr(charsets[i].labels, wanted))
			continue;
		rare_was_missing = rare_was_missing || charsets[i].kind == KIND_RARE;
		return charsets[i].ready ? &charsets[i] : NULL;
	}
	return find_by_table(plain);
}

bool charset_is_single(const Charset *charset)
{
	return charset->kind == KIND_SINGLE;
}

const char *charset_name(const Charset *charset)
{
	return charset->name;
}

static void put_bad(GString *out)
{
	g_string_append_len(out, "\xef\xbf\xbd", 3);
}

/* Appends bytes that need no conversion, except that NUL becomes a space. */
static void append_ascii(GString *out, const uint8_t *bytes, size_t length)
{
	gsize from = out->len;
	g_string_append_len(out, (const char *)bytes, length);
	for (char *nul = memchr(out->str + from, 0, length); nul;
	        nul = memchr(nul, 0, out->str + out->len - nul))
		*nul = ' ';
}

/* A letter of Latin-1 in a text that otherwise is UTF-8, as logs of several programs have. Beside
 * it is no byte of a sequence, which would be one that was cut. A letter must follow a capital,
 * because most sequences begin with such a byte. */
static bool is_latin1_letter(const uint8_t *data, size_t size, size_t at)
{
	uint8_t byte = data[at], next = at + 1 < size ? data[at + 1] : 0x80;
	bool before = at == 0 || data[at - 1] < 0x80 || data[at - 1] >= 0xc0;
	bool behind = byte < 0xdf ? g_ascii_isalpha(next) : next < 0x80 || next >= 0xc0;
	return byte >= 0xc0 && byte < 0xff && byte != 0xd7 && byte != 0xf7 && before && behind;
}

static size_t decode_utf8(const uint8_t *data, size_t size, GString *out)
{
	size_t bad = 0;
	while (size > 0) {
		size_t good = utf8_valid_prefix((const char *)data, size);
		if (out)
			g_string_append_len(out, (const char *)data, good);
		if (good == size)
			return bad;
		if (data[good] == 0) {
			if (out)
				g_string_append_c(out, ' ');
			data += good + 1;
			size -= good + 1;
			continue;
		}
		bad++;
		if (!out)
			return bad;
		if (is_latin1_letter(data, size, good))
			g_string_append_unichar(out, data[good]);
		else
			put_bad(out);
		/* one replacement character for the whole of a truncated sequence */
		size_t skip = 1;
		while (skip < 4 && good + skip < size && (data[good + skip] & 0xc0) == 0x80 &&
		        data[good] >= 0xc0)
			skip++;
		data += good + skip;
		size -= good + skip;
	}
	return bad;
}

static uint32_t unit_at(CharsetKind kind, const uint8_t *p)
{
	switch (kind) {
	case KIND_UTF16LE:
		return p[0] | p[1] << 8;
	case KIND_UTF16BE:
		return p[0] << 8 | p[1];
	case KIND_UTF32LE:
		return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
	default:
		return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
	}
}

static size_t decode_wide(CharsetKind kind, const uint8_t *data, size_t size, GString *out)
{
	size_t width = kind == KIND_UTF16LE || kind == KIND_UTF16BE ? 2 : 4;
	size_t bad = 0, i = 0;
	while (i + width <= size) {
		uint32_t c = unit_at(kind, data + i);
		i += width;
		if (width == 2 && c >= 0xd800 && c < 0xdc00 && i + 2 <= size) {
			uint32_t low = unit_at(kind, data + i);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				i += 2;
			}
		}
		bool good = c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000);
		bad += !good;
		if (out)
			g_string_append_unichar(out, c == 0 ? ' ' : good ? c : 0xfffd);
		else if (!good)
			return bad;
	}
	return bad + (i < size);
}

static size_t decode_single(
        const uint16_t units[256], const uint8_t *data, size_t size, GString *out)
{
	size_t bad = 0, i = 0;
	while (i < size) {
		size_t from = i;
		while (i < size && data[i] < 0x80)
			i++;
		if (out && i > from)
			append_ascii(out, data + from, i - from);
		if (i == size)
			break;
		uint16_t c = units[data[i++]];
		bad += c == 0;
		if (out)
			g_string_append_unichar(out, c ? c : 0xfffd);
		else if (c == 0)
			return bad;
	}
	return bad;
}

static size_t decode_bytes(
        const uint16_t units[256], const uint8_t *data, size_t size, GString *out)
{
	size_t bad = 0;
	for (size_t i = 0; i < size; i++) {
		uint16_t c = data[i] ? units[data[i]] : ' ';
		bad += c == 0;
		if (out)
			g_string_append_unichar(out, c ? c : 0xfffd);
		else if (c == 0)
			return bad;
	}
	return bad;
}

static size_t decode_multi(iconv_t descriptor, const uint8_t *data, size_t size, GString *out)
{
	char *from = (char *)data;
	size_t bad = 0;
	iconv(descriptor, NULL, NULL, NULL, NULL);
	while (size > 0) {
		char buffer[4096], *to = buffer;
		size_t room = sizeof buffer;
		size_t result = iconv(descriptor, &from, &size, &to, &room);
		int reason = errno;
		if (out)
			append_ascii(out, (const uint8_t *)buffer, to - buffer);
		if (result != (size_t)-1 || reason == E2BIG)
			continue;
		bad++;
		if (!out)
			return bad;
		put_bad(out);
		if (reason == EINVAL || size == 0)
			break;
		from++;
		size--;
	}
	char rest[64], *to = rest;
	size_t room = sizeof rest;
	if (iconv(descriptor, NULL, NULL, &to, &room) != (size_t)-1 && out)
		g_string_append_len(out, rest, to - rest);
	return bad;
}

/* Between "~{" and "~}", or the end of the line, are pairs of 7-bit bytes (RFC 1843). With their
 * high bits set they are GB 2312. */
static size_t decode_hz(const uint8_t *data, size_t size, GString *out)
{
	const Charset *gb = charset_find("gb18030");
	g_autoptr(GByteArray) bytes = g_byte_array_sized_new(size);
	bool pairs = false;
	if (!gb)
		return decode_utf8(data, size, out);
	for (size_t i = 0; i < size; i++) {
		uint8_t byte = data[i], next = i + 1 < size ? data[i + 1] : 0;
		bool is_mark =
		        byte == '~' && (next == '{' || next == '}' || next == '~' || next == '\n');
		if (is_mark && !(pairs && next == '~')) {
			pairs = next == '{' || (next == '~' && pairs);
			i++;
			if (next == '~')
				g_byte_array_append(bytes, &next, 1);
			continue;
		}
		pairs = pairs && byte != '\n';
		uint8_t shown = pairs && byte > ' ' ? byte | 0x80 : byte;
		g_byte_array_append(bytes, &shown, 1);
	}
	return charset_decode(gb, bytes->data, bytes->len, out);
}

size_t charset_decode(const Charset *charset, const uint8_t *data, size_t size, GString *out)
{
	switch (charset->kind) {
	case KIND_UTF8:
		return decode_utf8(data, size, out);
	case KIND_SINGLE:
		return decode_single(charset->units, data, size, out);
	case KIND_BYTES:
		return decode_bytes(charset->units, data, size, out);
	case KIND_MULTI:
		return decode_multi(charset->descriptor, data, size, out);
	case KIND_HZ:
		return decode_hz(data, size, out);
	default:
		return decode_wide(charset->kind, data, size, out);
	}
}
