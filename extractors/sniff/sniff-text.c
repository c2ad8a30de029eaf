/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/sniff/sniff-text.h"
#include "common/base/utf8.h"
#include "extractors/charset/charset-asian.h"
#include "extractors/charset/charset-shape.h"
#include "extractors/sniff/sniff-mail.h"
#include <glib.h>
#include <string.h>

enum {
	LOOK_BYTES = 64 << 10, /* most bytes that are checked for controls */
	BYTES_A_CONTROL = 256, /* a text may have one stray control for this many bytes */
	BYTES_A_SEPARATOR = 6, /* or one that means something, in UTF-8 */
	DOS_END = 0x1a, /* the last byte of old DOS files */
	HEAD_BYTES = 4096, /* most bytes that are searched for mark-up */
	NUL_RUNS = 16, /* most runs of NUL bytes in a text */
	LEAST_TEXT = 16, /* least bytes that are text beside NUL bytes or many controls */
	UTF8_CUT = 3, /* most bytes of a character that was cut */
	MUCH_TEXT = 512, /* so many bytes without a control are text in any charset */
};

typedef struct {
	const char *key, *mime;
} Pair;

/* In alphabetical order, without case. */
static const Pair extensions[] = {
        {"adoc", "text/asciidoc"},
        {"asciidoc", "text/asciidoc"},
        {"asm", "text/x-asm"},
        {"ass", "text/x-ssa"},
        {"awk", "text/x-awk"},
        {"bib", "text/x-bibtex"},
        {"c", "text/x-c"},
        {"canvas", "application/json"},
        {"cc", "text/x-c++"},
        {"cfg", "text/plain"},
        {"cpp", "text/x-c++"},
        {"creole", "text/x-wiki"},
        {"cs", "text/x-csharp"},
        {"css", "text/css"},
        {"csv", "text/csv"},
        {"cxx", "text/x-c++"},
        {"diff", "text/x-diff"},
        {"dokuwiki", "text/x-wiki"},
        {"el", "text/x-lisp"},
        {"excalidraw", "application/json"},
        {"go", "text/x-go"},
        {"h", "text/x-c"},
        {"hpp", "text/x-c++"},
        {"hs", "text/x-haskell"},
        {"htm", "text/html"},
        {"html", "text/html"},
        {"ics", "text/calendar"},
        {"ipynb", "application/x-ipynb+json"},
        {"java", "text/x-java"},
        {"js", "text/javascript"},
        {"json", "application/json"},
        {"jsonl", "application/json"},
        {"kt", "text/x-kotlin"},
        {"latex", "text/x-tex"},
        {"ldif", "text/x-ldif"},
        {"lisp", "text/x-lisp"},
        {"log", "text/x-log"},
        {"lua", "text/x-lua"},
        {"m4", "text/x-m4"},
        {"markdown", "text/markdown"},
        {"md", "text/markdown"},
        {"mediawiki", "text/x-wiki"},
        {"mjs", "text/javascript"},
        {"mkd", "text/markdown"},
        {"ml", "text/x-ocaml"},
        {"ndjson", "application/json"},
        {"org", "text/x-org"},
        {"pas", "text/x-pascal"},
        {"patch", "text/x-diff"},
        {"php", "text/x-php"},
        {"pl", "text/x-perl"},
        {"pm", "text/x-perl"},
        {"po", "text/x-gettext-translation"},
        {"pot", "text/x-gettext-translation"},
        {"py", "text/x-python"},
        {"r", "text/x-r"},
        {"rb", "text/x-ruby"},
        {"rs", "text/x-rust"},
        {"rst", "text/x-rst"},
        {"s", "text/x-asm"},
        {"scala", "text/x-scala"},
        {"sh", "text/x-shellscript"},
        {"sql", "text/x-sql"},
        {"srt", "application/x-subrip"},
        {"ssa", "text/x-ssa"},
        {"swift", "text/x-swift"},
        {"tcl", "text/x-tcl"},
        {"tex", "text/x-tex"},
        {"texi", "text/x-texinfo"},
        {"texinfo", "text/x-texinfo"},
        {"textile", "text/x-textile"},
        {"tikiwiki", "text/x-wiki"},
        {"toml", "application/toml"},
        {"ts", "text/x-typescript"},
        {"tsv", "text/tab-separated-values"},
        {"twiki", "text/x-wiki"},
        {"txi", "text/x-texinfo"},
        {"uu", "text/x-uuencode"},
        {"uue", "text/x-uuencode"},
        {"vcf", "text/vcard"},
        {"vcs", "text/calendar"},
        {"vim", "text/x-vim"},
        {"wiki", "text/x-wiki"},
        {"xhtml", "application/xhtml+xml"},
        {"xml", "application/xml"},
        {"yaml", "application/yaml"},
        {"yml", "application/yaml"},
};

/* Words in the first line of a script. */
static const Pair interpreters[] = {
        {"python", "text/x-python"},
        {"perl", "text/x-perl"},
        {"ruby", "text/x-ruby"},
        {"node", "text/javascript"},
        {"awk", "text/x-awk"},
        {"lua", "text/x-lua"},
        {"tclsh", "text/x-tcl"},
        {"wish", "text/x-tcl"},
        {"php", "text/x-php"},
        {"make", "text/x-makefile"},
        {"sh", "text/x-shellscript"},
};

/* Text formats with a type of their own, by their first bytes. */
static const Pair beginnings[] = {
        {"{\\rtf", "application/rtf"},
        {"%!PS", "application/postscript"},
        {".\\\"", "text/troff"},
        {"'\\\"", "text/troff"},
        {"WEBVTT", "text/vtt"},
        {"[Script Info]", "text/x-ssa"},
        {"\\input texinfo", "text/x-texinfo"},
        {"begin 600 ", "text/x-uuencode"},
        {"begin 644 ", "text/x-uuencode"},
        {"begin 664 ", "text/x-uuencode"},
        {"begin 666 ", "text/x-uuencode"},
        {"begin 755 ", "text/x-uuencode"},
        {"begin-base64 ", "text/x-uuencode"},
        {"BEGIN:VCARD", "text/vcard"},
        {"BEGIN:VCALENDAR", "text/calendar"},
        {"-----BEGIN PGP MESSAGE-----", "application/pgp-encrypted"},
        {"<?php", "text/x-php"},
        {"WARC/1.", "application/warc"},
        {"!<arch>\n", "application/x-archive"},
        {"070701", "application/x-cpio"},
        {"/* XPM */", "image/x-xpixmap"},
};

/* First elements of HTML, as the MIME sniffing standard lists them; lower case. */
static const char *const html_starts[] = {"<!doctype html", "<html", "<head", "<body", "<title",
        "<script", "<iframe", "<h1", "<div", "<font", "<table", "<style", "<meta", "<center", "<p>",
        "<br>", "<sami", "<ul", "<ol", "<dl", "<span", "<form", "<pre", "<blockquote", "<h2", "<h3",
        "<a "};

/* Root elements of XML. */
static const Pair xml_roots[] = {
        {"<svg", "image/svg+xml"},
        {"<html", "application/xhtml+xml"},
        {"<rss", "application/rss+xml"},
        {"<feed", "application/atom+xml"},
        {"<abiword", "application/x-abiword"},
        {"<FictionBook", "application/x-fictionbook+xml"},
        {"<x:xmpmeta", "application/xml"},
        {"<w:wordDocument", "application/vnd.ms-wordml"},
};

/* True for UTF-16 or UTF-32 without a byte-order mark if the text is mostly Latin: NUL bytes in a
 * fixed pattern, and no other controls. */
static bool is_wide_text(const uint8_t *data, size_t size)
{
	size_t n = MIN(size, 1024) & ~(size_t)3, zeros[4] = {0};
	if (n < 16 || size % 2 != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (data[i] == 0)
			zeros[i % 4]++;
		else if (data[i] < 0x20 && !(data[i] >= '\t' && data[i] <= '\r') && data[i] > 0x10)
			return false;
	}
	size_t quarter = n / 4, most = quarter - quarter / 8;
	bool le16 = zeros[1] >= most && zeros[3] >= most && zeros[0] == 0 && zeros[2] == 0;
	bool be16 = zeros[0] >= most && zeros[2] >= most && zeros[1] == 0 && zeros[3] == 0;
	bool le32 = zeros[3] == quarter && zeros[2] == quarter && zeros[0] == 0;
	bool be32 = zeros[0] == quarter && zeros[1] == quarter && zeros[3] == 0;
	return le16 || be16 || le32 || be32;
}

/* A control separates the nodes of Info. */
static bool is_info(const uint8_t *data, size_t size)
{
	return memmem(data, MIN(size, LOOK_BYTES), "\x1f\nFile:", 7) ||
	       memmem(data, MIN(size, LOOK_BYTES), "\x1f\nIndirect:", 11);
}

/* True for concatenated documents of a TREC collection. */
static bool is_trec(const char *head)
{
	return g_str_has_prefix(head, "<DOC>") && strstr(head, "<DOCNO>");
}

/* White space, overprinting and escapes belong to texts. */
static bool sniff_is_control(uint8_t byte)
{
	bool blank = byte >= '\b' && byte <= '\r';
	return (byte < 0x20 && !blank && byte != 0x1b) || byte == 0x7f;
}

bool sniff_is_text(const uint8_t *data, size_t size)
{
	if (size >= 2 &&
	        ((data[0] == 0xff && data[1] == 0xfe) || (data[0] == 0xfe && data[1] == 0xff)))
		return true;
	if (size >= 4 && (memcmp(data, "\0\0\xfe\xff", 4) == 0 || is_wide_text(data, size) ||
	                         looks_utf32(data, size)))
		return true;
	if (looks_ebcdic(data, size) || starts_ebcdic_xml(data, size) ||
	        starts_ebcdic_html(data, size))
		return true;
	bool info = is_info(data, size);
	bool shifts = names_shifted_set(data, MIN(size, LOOK_BYTES));
	size_t n = MIN(size, LOOK_BYTES), controls = 0;
	if (!info && memchr(data, 0, n) && looks_utf16(data, size))
		return true;
	for (size_t i = 0; i < n; i++) {
		bool shift = shifts && (data[i] == 0x0e || data[i] == 0x0f);
		controls += sniff_is_control(data[i]) && !shift && !(info && data[i] == 0x1f);
	}
	if (n == size && data[n - 1] == DOS_END)
		controls--;
	return info || controls <= n / BYTES_A_CONTROL;
}

/* A stretch of text between NUL bytes: no other controls, and UTF-8 if it is not ASCII. */
static bool is_clean_text(const uint8_t *text, size_t length, bool any_charset)
{
	bool ascii = true;
	for (size_t i = 0; i < length; i++) {
		if (sniff_is_control(text[i]))
			return false;
		ascii = ascii && text[i] < 0x80;
	}
	return ascii || any_charset || utf8_is_valid((const char *)text, length);
}

bool sniff_is_text_with_nuls(const uint8_t *data, size_t size)
{
	size_t n = MIN(size, LOOK_BYTES), length = 0, blanks = 0, runs = 0;
	for (size_t i = 0; i < n; i++) {
		length += data[i] != 0;
		blanks += data[i] == ' ' || data[i] == '\n';
		runs += data[i] == 0 && (i == 0 || data[i - 1] != 0);
	}
	if (runs > NUL_RUNS || length < LEAST_TEXT || blanks == 0)
		return false;
	for (size_t at = 0, step; at < n; at += step + 1) {
		step = strnlen((const char *)data + at, n - at);
		if (!is_clean_text(data + at, step, length >= MUCH_TEXT))
			return false;
	}
	return true;
}

bool sniff_is_text_with_controls(const uint8_t *data, size_t size)
{
	size_t n = MIN(size, LOOK_BYTES), controls = 0;
	const char *end, *last = (const char *)data + n - (n < size ? UTF8_CUT : 0);
	if (n < LEAST_TEXT || (!g_utf8_validate_len((const char *)data, n, &end) && end < last))
		return false;
	for (size_t i = 0; i < n; i++)
		controls += sniff_is_control(data[i]);
	return controls <= n / BYTES_A_SEPARATOR;
}

static const char *by_interpreter(const char *head)
{
	g_autofree char *line = g_strndup(head, strcspn(head, "\r\n"));
	for (size_t i = 0; i < G_N_ELEMENTS(interpreters); i++)
		if (strstr(line, interpreters[i].key))
			return interpreters[i].mime;
	return NULL;
}

/* A document type declaration may contain other declarations in brackets. */
static const char *doctype_end(const char *head)
{
	const char *end = strchr(head, '>'), *bracket = strchr(head, '[');
	if (!end || !bracket || bracket > end)
		return end;
	bracket = strchr(bracket, ']');
	return bracket ? strchr(bracket, '>') : NULL;
}

/* Returns the first element after the XML declaration, comments and the document type. */
static const char *skip_prolog(const char *head)
{
	for (;;) {
		const char *end = NULL;
		head += strspn(head, " \t\r\n");
		if (g_str_has_prefix(head, "<?"))
			end = strstr(head, "?>");
		else if (g_str_has_prefix(head, "<!--"))
			end = strstr(head, "-->");
		else if (g_ascii_strncasecmp(head, "<!doctype", 9) == 0)
			end = doctype_end(head);
		if (!end)
			return head;
		head = strchr(end, '>') + 1;
	}
}

/* The name of the tag must end where the prefix ends; else "<header>" would count as "<head". */
static bool starts_tag(const char *at, const char *tag)
{
	size_t n = strlen(tag);
	return g_ascii_strncasecmp(at, tag, n) == 0 &&
	       (tag[n - 1] == '>' || at[n] == '>' || g_ascii_isspace(at[n]) || at[n] == '/');
}

/* The namespace distinguishes RSS 0.9 and 1.0 from other RDF. */
static bool is_rdf_feed(const char *root)
{
	return g_str_has_prefix(root, "<rdf:RDF") &&
	       (strstr(root, "\"http://purl.org/rss/1.0/\"") ||
	               strstr(root, "\"http://my.netscape.com/rdf/simple/0.9/\""));
}

/* The kind of a flat OpenDocument file comes after many namespace declarations. */
static const char *flat_kind(const char *root)
{
	static const Pair kinds[] = {
	        {".spreadsheet", "application/vnd.oasis.opendocument.spreadsheet-flat-xml"},
	        {".presentation", "application/vnd.oasis.opendocument.presentation-flat-xml"},
	        {".graphics", "application/vnd.oasis.opendocument.graphics-flat-xml"},
	};
	static const char attribute[] = "office:mimetype=\"application/vnd.oasis.opendocument";
	const char *kind = strstr(root, attribute);
	for (size_t i = 0; kind && i < G_N_ELEMENTS(kinds); i++)
		if (g_str_has_prefix(kind + strlen(attribute), kinds[i].key))
			return kinds[i].mime;
	return "application/vnd.oasis.opendocument.text-flat-xml";
}

/* Office writes its program before the root element, whose name may have any prefix. */
static const char *by_office(const char *head, const char *root)
{
	const char *program = strstr(head, "<?mso-application");
	if (g_str_has_prefix(root, "<pkg:package"))
		return program && strstr(program, "progid=\"Word.Document\"")
		               ? "application/vnd.ms-word2006ml"
		               : NULL;
	if (program && strstr(program, "progid=\"Word.Document\""))
		return "application/vnd.ms-wordml";
	bool book = g_str_has_prefix(root, "<Workbook") || g_str_has_prefix(root, "<ss:Workbook");
	return book && strstr(root, "\"urn:schemas-microsoft-com:office:spreadsheet\"")
	               ? "application/vnd.ms-spreadsheetml"
	               : NULL;
}

static const char *by_xml(const char *head)
{
	const char *root = skip_prolog(head);
	bool declared = g_str_has_prefix(head, "<?xml");
	/* without an XML declaration it is read as HTML, whatever its document type says */
	if (!declared && starts_tag(root, "<html"))
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(xml_roots); i++)
		if (g_str_has_prefix(root, xml_roots[i].key))
			return xml_roots[i].mime;
	if (g_str_has_prefix(root, "<office:document"))
		return flat_kind(root);
	if (is_rdf_feed(root))
		return "application/rss+xml";
	const char *office = by_office(head, root);
	if (office)
		return office;
	return declared ? "application/xml" : NULL;
}

static const char *by_html(const char *head)
{
	while (g_str_has_prefix(head, "<!--") && strstr(head, "-->")) {
		head = strstr(head, "-->") + 3;
		head += strspn(head, " \t\r\n");
	}
	for (size_t i = 0; i < G_N_ELEMENTS(html_starts); i++)
		if (starts_tag(head, html_starts[i]))
			return "text/html";
	return NULL;
}

static int compare_extension(const void *key, const void *item)
{
	return g_ascii_strcasecmp(key, ((const Pair *)item)->key);
}

static const char *sniff_text_by_name(const char *name)
{
	const char *dot = strrchr(name, '.');
	if (g_str_has_prefix(name, "Makefile") || g_str_has_suffix(name, ".mk"))
		return "text/x-makefile";
	if (!dot)
		return NULL;
	const Pair *pair = bsearch(dot + 1, extensions, G_N_ELEMENTS(extensions),
	        sizeof *extensions, compare_extension);
	return pair ? pair->mime : NULL;
}

static const char *by_prefix(const char *head)
{
	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++)
		if (g_str_has_prefix(head, beginnings[i].key))
			return beginnings[i].mime;
	if (g_str_has_prefix(head, "#!"))
		return by_interpreter(head);
	head += strspn(head, " \t\r\n");
	if (*head != '<')
		return NULL;
	const char *xml = by_xml(head);
	return xml ? xml : by_html(head);
}

/* Some manual pages have comments or definitions before their title. */
static bool is_manual(const char *head)
{
	static const char *const requests[] = {".TH ", ".Dd ", ".SH ", ".Sh "};
	head += strspn(head, " \r\n\t");
	if (*head != '.' && *head != '\'')
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(requests); i++) {
		const char *found = strstr(head, requests[i]);
		if (found && (found == head || found[-1] == '\n'))
			return true;
	}
	return false;
}

/* True for "<name ...>" ... "</name>": XML without a declaration, or SGML. */
static bool is_one_element(const char *head, const char *text, size_t size)
{
	const char *root = skip_prolog(head);
	size_t length = *root == '<' ? strcspn(root + 1, " \t\r\n/>") : 0;
	while (size > 0 && g_ascii_isspace(text[size - 1]))
		size--;
	const char *end = text + size;
	return length > 0 && g_ascii_isalpha(root[1]) && size > 2 * length + 5 && end[-1] == '>' &&
	       memcmp(end - length - 1, root + 1, length) == 0 &&
	       memcmp(end - length - 3, "</", 2) == 0;
}

/* Judges mark-up that begins like HTML: Markdown, wiki texts and Textile may begin so too. */
static bool may_hold_tags(const char *head, const char *named)
{
	static const char *const types[] = {"text/markdown", "text/x-wiki", "text/x-textile", NULL};
	head += strspn(head, " \t\r\n");
	return named && g_strv_contains(types, named) && !starts_tag(head, "<html") &&
	       g_ascii_strncasecmp(head, "<!doctype", 9) != 0;
}

const char *sniff_text_type(const uint8_t *data, size_t size, const char *name)
{
	size_t mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	const char *text = (const char *)data + mark;
	g_autofree char *head = g_strndup(text, MIN(size - mark, HEAD_BYTES));
	if (is_info(data, size))
		return "text/x-info";
	if (is_trec(head))
		return "application/x-trec";
	if (starts_ebcdic_xml(data, size))
		return "application/xml";
	if (starts_ebcdic_html(data, size))
		return "text/html";
	const char *named = sniff_text_by_name(name);
	const char *type = by_prefix(head);
	if (type)
		return strcmp(type, "text/html") == 0 && may_hold_tags(head, named) ? named : type;
	if (!named && is_one_element(head, text, size - mark))
		return "application/xml";
	if (is_manual(head))
		return "text/troff";
	/* the keys of a file of translations may look like mail headers */
	bool is_yaml = named && strcmp(named, "application/yaml") == 0;
	type = is_yaml ? NULL : sniff_mail_type(data + mark, size - mark, name);
	if (!type)
		type = named;
	return type ? type : "text/plain";
}
