/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/real-title.h"
#include "index/text/tokenizer.h"
#include "common/base/doctype.h"
#include <string.h>

/* A heading that begins after so many bytes, or is longer, is not a title. */
enum { MOST_BYTES_BEFORE = 16 << 10, MOST_TITLE_BYTES = 200 };
/* A name of fewer words says no more than the name of the file itself. */
enum { FEWEST_WORDS_OF_NAME = 3 };

/* With a number or without. Signs do not count, and neither do case and accents. */
static const char *const placeholders[] = {"untitled", "untitled document", "untitled page",
        "untitled presentation", "untitled spreadsheet", "untitled project", "untitled design",
        "untitled normal page", "unnamed", "no title", "notitle", "title", "title here",
        "page title", "your title here", "insert title here", "new document", "new page",
        "new microsoft word document", "document", "document title", "doc", "presentation",
        "presentation title", "slide title", "default", "template", "normal", "blank", "unknown",
        "undefined", "null", "none", "nil", "n a", "scan", "scanned document", "scanned image",
        "image", "print", "full page photo", "package version", "powerpoint presentation",
        "microsoft powerpoint presentation", "microsoft word document",
        "microsoft office word document", "microsoft word", "microsoft excel",
        "microsoft powerpoint", "microsoft publisher", "microsoft office word",
        "libreoffice writer", "libreoffice calc", "libreoffice impress", "libreoffice draw",
        "openoffice org writer", "openoffice org calc", "openoffice org impress", "openoffice org",
        "libreoffice", "adobe indesign", "adobe pagemaker", "pagemaker", "quarkxpress", "scribus",
        "coreldraw", "wordpad", "word", "unbenannt", "unbenanntes dokument",
        "unbenannte präsentation", "ohne titel", "ohne namen", "kein titel", "titel", "dokument",
        "neues dokument", "neues textdokument", "neues microsoft word dokument",
        "microsoft word dokument", "präsentation", "powerpoint präsentation",
        "microsoft powerpoint präsentation", "vorlage", "standard", "gescanntes dokument",
        "sans titre", "sans nom", "document sans titre", "document sans nom", "titre",
        "nouveau document", "présentation", "présentation powerpoint", "modèle", "sin título",
        "sin nombre", "documento", "documento sin título", "documento nuevo", "título",
        "presentación", "presentación de powerpoint", "plantilla", "senza titolo", "senza nome",
        "documento senza titolo", "titolo", "nuovo documento", "presentazione",
        "presentazione di powerpoint", "presentazione standard di powerpoint", "sem título",
        "sem nome", "documento sem título", "apresentação", "apresentação do powerpoint",
        "naamloos", "naamloos document", "zonder titel", "geen titel", "presentatie",
        "powerpoint presentatie", "namnlös", "namnlöst dokument", "utan titel", "uten navn",
        "uten tittel", "unavngivet", "ikke navngivet", "uden titel", "dokument uden titel",
        "nimetön", "otsikoton", "asiakirja", "bez tytułu", "bez nazwy",
        "prezentacja programu "
        "powerpoint",
        "prezentacja", "bez názvu", "prezentace aplikace powerpoint",
        "prezentácia programu powerpoint", "névtelen", "cím nélkül", "dokumentum", "fără titlu",
        "fără nume", "bez naslova", "без имени", "без названия", "безымянный", "документ",
        "документ без названия", "новый документ", "презентация", "презентация powerpoint",
        "презентация microsoft powerpoint", "без назви", "презентація powerpoint", "без заглавие",
        "χωρίς τίτλο", "ανώνυμο", "başlıksız", "adsız", "adsız belge", "belge", "powerpoint sunusu",
        "بدون عنوان", "ללא כותרת", "ללא שם", "無題", "名称未設定", "無題ドキュメント", "文書",
        "プレゼンテーション", "powerpoint プレゼンテーション", "无标题", "无标题文档", "未命名",
        "文档", "powerpoint 演示文稿", "演示文稿", "無標題", "未命名文件", "powerpoint 簡報",
        "제목 없음", "무제", "powerpoint 프레젠테이션"};
/* Only with a number. */
static const char *const parts[] = {"page", "slide", "layout", "sheet", "table", "book", "drawing",
        "chart", "figure", "picture", "photo", "track", "img", "dsc", "seite", "folie", "blatt",
        "tabelle", "mappe", "zeichnung", "diagramm", "bild", "foto", "spur", "diagrama",
        "diapositive", "feuille", "classeur", "dessin", "graphique", "piste", "diapositiva", "hoja",
        "libro", "página", "pagina", "dibujo", "foglio", "cartella", "diapositivo", "folha",
        "livro", "blad", "bladsida", "slajd", "arkusz", "zeszyt", "strona", "sešit", "snímek",
        "munkafüzet", "слайд", "лист", "книга", "страница", "рисунок", "スライド", "シート",
        "ページ", "幻灯片", "工作簿", "投影片", "슬라이드"};
/* Programs that printed the file that follows: "Microsoft Word - x.doc". */
static const char *const programs[] = {"microsoft word", "microsoft office word", "microsoft excel",
        "microsoft powerpoint", "microsoft publisher", "microsoft outlook", "microsoft visio",
        "microsoft project", "microsoft wordpad", "libreoffice writer", "openoffice.org",
        "notepad++", "wordperfect", "word pro", "quarkxpress", "pagemaker", "corel ventura"};
/* Endings of names, which no title has. */
static const char *const title_endings[] = {"doc", "docx", "docm", "dot", "dotx", "dotm", "odt",
        "ott", "sxw", "rtf", "wpd", "wps", "lwp", "pages", "txt", "md", "tex", "dvi", "ps", "eps",
        "pdf", "fm", "indd", "qxd", "qxp", "pmd", "p65", "pub", "cdr", "ai", "psd", "vsd", "vsdx",
        "xls", "xlsx", "xlsm", "xlsb", "ods", "sxc", "csv", "ppt", "pptx", "pptm", "pps", "ppsx",
        "pot", "potx", "odp", "sxi", "odg", "html", "htm", "xhtml", "shtml", "php", "asp", "aspx",
        "jsp", "xml", "tmp", "bak", "jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "svg", "dwg",
        "dxf", "mp3", "wav", "zip"};

/* ---- words of a title */

/* Folded, with one blank for all between its letters and digits. */
static char *title_normal(const char *title)
{
	g_autofree char *folded = tokenize_fold(title, strlen(title));
	GString *out = g_string_new(NULL);
	for (const char *s = folded; *s; s = g_utf8_next_char(s)) {
		gunichar c = g_utf8_get_char(s);
		if (g_unichar_isalnum(c))
			g_string_append_unichar(out, c);
		else if (out->len > 0 && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	if (out->len > 0 && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, FALSE);
}

/* Cuts the number at the end. Returns the count of its digits. */
static size_t title_cut_number(char *normal)
{
	size_t length = strlen(normal), end = length;
	while (end > 0 && g_ascii_isdigit(normal[end - 1]))
		end--;
	size_t digits = length - end;
	normal[end > 0 && normal[end - 1] == ' ' ? end - 1 : end] = '\0';
	return digits;
}

static GHashTable *title_set(const char *const *titles, size_t n)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (size_t i = 0; i < n; i++)
		g_hash_table_add(set, title_normal(titles[i]));
	return set;
}

typedef struct {
	GHashTable *placeholders, *parts;
} TitleSets;

/* They are folded once and kept. */
static const TitleSets *title_sets(void)
{
	static TitleSets sets;
	static gsize made;
	if (g_once_init_enter(&made)) {
		sets.placeholders = title_set(placeholders, G_N_ELEMENTS(placeholders));
		sets.parts = title_set(parts, G_N_ELEMENTS(parts));
		g_once_init_leave(&made, 1);
	}
	return &sets;
}

static bool title_is_placeholder(const char *title)
{
	enum { YEAR_DIGITS = 4 };
	const TitleSets *sets = title_sets();
	g_autofree char *normal = title_normal(title);
	size_t digits = title_cut_number(normal);
	if (!*normal)
		return digits != YEAR_DIGITS;
	return strlen(title) == 1 || g_hash_table_contains(sets->placeholders, normal) ||
	       (digits > 0 && g_hash_table_contains(sets->parts, normal));
}

/* ---- names of files, and what else programs write */

static bool title_has_ending(const char *title, size_t length)
{
	const char *dot = g_strrstr_len(title, (gssize)length, ".");
	if (!dot || dot == title)
		return false;
	g_autofree char *ending = g_ascii_strdown(dot + 1, title + length - dot - 1);
	for (size_t i = 0; i < G_N_ELEMENTS(title_endings); i++)
		if (strcmp(title_endings[i], ending) == 0)
			return true;
	return false;
}

static bool title_is_place(const char *title)
{
	bool blank = strpbrk(title, " \t\r\n");
	bool drive = g_ascii_isalpha(title[0]) && title[1] == ':' &&
	             (title[2] == '\\' || title[2] == '/');
	bool path = *title == '/' && strchr(title + 1, '/') && !blank;
	bool url = !blank && (strstr(title, "://") || g_str_has_prefix(title, "www.") ||
	                             g_str_has_prefix(title, "about:"));
	return drive || path || url || g_str_has_prefix(title, "file:") ||
	       g_str_has_prefix(title, "\\\\");
}

static bool title_is_identifier(const char *title)
{
	enum { FEWEST_DIGITS = 16 };
	unsigned digits = 0, decimal = 0;
	for (const char *s = title; *s; s++) {
		if (!g_ascii_isxdigit(*s) && !strchr("-_{}", *s))
			return false;
		digits += g_ascii_isxdigit(*s) != 0;
		decimal += g_ascii_isdigit(*s) != 0;
	}
	return digits >= FEWEST_DIGITS && decimal > 0;
}

/* Bytes of the program and of the dash after it; 0: there is none. */
static size_t title_program_length(const char *title)
{
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		size_t length = strlen(programs[i]);
		if (g_ascii_strncasecmp(title, programs[i], length) == 0 &&
		        g_str_has_prefix(title + length, " - "))
			return length + strlen(" - ");
	}
	return 0;
}

static bool title_is_file_name(const char *title)
{
	return title_program_length(title) > 0 || title_has_ending(title, strlen(title));
}

static bool title_is_message(const char *mime)
{
	return mime && strcmp(doctype_of(mime), "message") == 0;
}

static bool title_is_chosen(const char *title)
{
	return !title_is_placeholder(title) && !title_is_place(title) &&
	       !title_is_identifier(title) && !title_is_file_name(title);
}

bool title_says_nothing(const char *title, const char *mime)
{
	g_autofree char *stripped = g_strstrip(g_strdup(title));
	return !title_is_message(mime) && !title_is_chosen(stripped);
}

/* ---- what takes its place */

static bool title_fits(const char *text, size_t length)
{
	g_autofree char *title = g_strstrip(g_strndup(text, length));
	return length <= MOST_TITLE_BYTES && title_is_chosen(title);
}

/* The runs of a heading follow each other up to the next block. */
static size_t title_heading_length(const Document *doc, guint first)
{
	const DocRun *runs = (const DocRun *)(void *)doc->runs->data;
	guint next = first + 1;
	while (next < doc->runs->len && !(runs[next].flags & DOC_RUN_BLOCK))
		next++;
	return runs[next - 1].offset + (size_t)runs[next - 1].length - runs[first].offset;
}

/* Of the headings of the highest level, the first one. */
static RealTitle title_of_headings(const Document *doc)
{
	const DocRun *runs = (const DocRun *)(void *)doc->runs->data;
	RealTitle best = {0};
	uint8_t level = TAG_HEADING6 + 1;
	for (guint i = 0; i < doc->runs->len && runs[i].offset < MOST_BYTES_BEFORE; i++) {
		if (runs[i].tag < TAG_HEADING1 || runs[i].tag >= level ||
		        !(runs[i].flags & DOC_RUN_BLOCK))
			continue;
		const char *text = doc->text->str + runs[i].offset;
		size_t length = title_heading_length(doc, i);
		if (title_fits(text, length)) {
			best = (RealTitle){text, length, false};
			level = runs[i].tag;
		}
	}
	return best;
}

static int title_count_word(void *data, const char *token, int length, int start, int end)
{
	(void)start, (void)end;
	*(unsigned *)data += length > 1 && !g_ascii_isdigit(*token);
	return 0;
}

static RealTitle title_of_file_name(const char *name)
{
	unsigned words = 0;
	if (!title_is_file_name(name) || title_is_place(name))
		return (RealTitle){0};
	const char *begin = name + title_program_length(name);
	size_t length = strlen(begin);
	if (title_has_ending(begin, length))
		length = g_strrstr_len(begin, (gssize)length, ".") - begin;
	tokenize_phrase(begin, length, title_count_word, &words);
	bool enough = words >= FEWEST_WORDS_OF_NAME && title_fits(begin, length);
	return enough ? (RealTitle){begin, length, false} : (RealTitle){0};
}

RealTitle real_title_of(const Document *doc)
{
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field == FIELD_TITLE && !title_says_nothing(fact->value, doc->mime))
			return (RealTitle){fact->value, strlen(fact->value), true};
	}
	const char *first = document_fact(doc, FIELD_TITLE);
	RealTitle title = title_is_message(doc->mime) ? (RealTitle){0} : title_of_headings(doc);
	return title.length == 0 && first ? title_of_file_name(first) : title;
}

char *real_title_text(const Document *doc)
{
	RealTitle title = real_title_of(doc);
	if (title.length == 0)
		return NULL;
	GString *out = g_string_new(NULL);
	for (const char *s = title.text; s < title.text + title.length; s++) {
		bool blank = g_ascii_isspace(*s);
		if (!blank)
			g_string_append_c(out, *s);
		else if (out->len > 0 && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	return g_strchomp(g_string_free(out, FALSE));
}
