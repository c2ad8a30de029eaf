/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-alias.c - what other programs call fields and values, where it can mean one thing */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

/* Names of fields. */
static const struct {
	const char *name, *field;
	QueryOperator op; /* that the name implies */
} aliases[] = {
        {"absender", "author", OPERATOR_IS},
        {"aelter", "date", OPERATOR_LESS},
        {"after", "date", OPERATOR_MORE},
        {"allintext", "body", OPERATOR_IS},
        {"allintitle", "title", OPERATOR_IS},
        {"allinurl", "inurl", OPERATOR_IS},
        {"an", "to", OPERATOR_IS},
        {"artist", "author", OPERATOR_IS},
        {"auteur", "author", OPERATOR_IS},
        {"autor", "author", OPERATOR_IS},
        {"before", "date", OPERATOR_LESS},
        {"betreff", "title", OPERATOR_IS},
        {"bigger", "size", OPERATOR_AT_LEAST},
        {"bis", "date", OPERATOR_AT_MOST},
        {"category", "keyword", OPERATOR_IS},
        {"checksum", "sum", OPERATOR_IS},
        {"content", "body", OPERATOR_IS},
        {"contents", "body", OPERATOR_IS},
        {"contenttype", "mime", OPERATOR_IS},
        {"creator", "author", OPERATOR_IS},
        {"datecreated", "created", OPERATOR_IS},
        {"datei", "filename", OPERATOR_IS},
        {"dateiendung", "ext", OPERATOR_IS},
        {"dateiname", "filename", OPERATOR_IS},
        {"dateityp", "type", OPERATOR_IS},
        {"datemodified", "modified", OPERATOR_IS},
        {"datetaken", "date", OPERATOR_IS},
        {"datum", "date", OPERATOR_IS},
        {"dauer", "duration", OPERATOR_IS},
        {"deliveredto", "to", OPERATOR_IS},
        {"directory", "dir", OPERATOR_IS},
        {"domain", "site", OPERATOR_IS},
        {"dossier", "dir", OPERATOR_IS},
        {"eigentümer", "owner", OPERATOR_IS},
        {"empfangen", "date", OPERATOR_IS},
        {"empfänger", "to", OPERATOR_IS},
        {"endung", "ext", OPERATOR_IS},
        {"erstellt", "created", OPERATOR_IS},
        {"extension", "ext", OPERATOR_IS},
        {"fichier", "filename", OPERATOR_IS},
        {"filesize", "size", OPERATOR_IS},
        {"filetype", "type", OPERATOR_IS},
        {"folder", "dir", OPERATOR_IS},
        {"format", "type", OPERATOR_IS},
        {"gesendet", "sent", OPERATOR_IS},
        {"geändert", "modified", OPERATOR_IS},
        {"groesse", "size", OPERATOR_IS},
        {"groesser", "size", OPERATOR_AT_LEAST},
        {"gruppe", "group", OPERATOR_IS},
        {"größe", "size", OPERATOR_IS},
        {"größer", "size", OPERATOR_AT_LEAST},
        {"hat", "has", OPERATOR_IS},
        {"inanchor", "anchor", OPERATOR_IS},
        {"inbody", "body", OPERATOR_IS},
        {"infolder", "dir", OPERATOR_IS},
        {"inhalt", "body", OPERATOR_IS},
        {"intext", "body", OPERATOR_IS},
        {"intitle", "title", OPERATOR_IS},
        {"ist", "is", OPERATOR_IS},
        {"kategorie", "keyword", OPERATOR_IS},
        {"keywords", "keyword", OPERATOR_IS},
        {"kind", "type", OPERATOR_IS},
        {"kleiner", "size", OPERATOR_AT_MOST},
        {"kommentar", "comment", OPERATOR_IS},
        {"kopie", "cc", OPERATOR_IS},
        {"label", "keyword", OPERATOR_IS},
        {"language", "lang", OPERATOR_IS},
        {"larger", "size", OPERATOR_AT_LEAST},
        {"larger_than", "size", OPERATOR_AT_LEAST},
        {"lastmod", "modified", OPERATOR_IS},
        {"lastmodified", "modified", OPERATOR_IS},
        {"messagesize", "size", OPERATOR_IS},
        {"mimetype", "mime", OPERATOR_IS},
        {"mode", "perm", OPERATOR_IS},
        {"mtime", "modified", OPERATOR_IS},
        {"nach", "date", OPERATOR_MORE},
        {"neuer", "date", OPERATOR_AT_LEAST},
        {"newer", "date", OPERATOR_MORE},
        {"newer_than", "date", OPERATOR_AT_LEAST},
        {"objet", "title", OPERATOR_IS},
        {"older", "date", OPERATOR_LESS},
        {"older_than", "date", OPERATOR_LESS},
        {"ordner", "dir", OPERATOR_IS},
        {"parent", "dir", OPERATOR_IS},
        {"path", "dir", OPERATOR_IS},
        {"pfad", "dir", OPERATOR_IS},
        {"quelle", "source", OPERATOR_IS},
        {"received", "date", OPERATOR_IS},
        {"rechte", "perm", OPERATOR_IS},
        {"recipient", "to", OPERATOR_IS},
        {"schlagwort", "keyword", OPERATOR_IS},
        {"seit", "date", OPERATOR_AT_LEAST},
        {"seiten", "pages", OPERATOR_IS},
        {"sender", "from", OPERATOR_IS},
        {"since", "date", OPERATOR_AT_LEAST},
        {"smaller", "size", OPERATOR_AT_MOST},
        {"smaller_than", "size", OPERATOR_AT_MOST},
        {"sprache", "lang", OPERATOR_IS},
        {"stichwort", "keyword", OPERATOR_IS},
        {"tags", "tag", OPERATOR_IS},
        {"taken", "date", OPERATOR_IS},
        {"text", "body", OPERATOR_IS},
        {"titel", "title", OPERATOR_IS},
        {"titre", "title", OPERATOR_IS},
        {"typ", "type", OPERATOR_IS},
        {"until", "date", OPERATOR_AT_MOST},
        {"user", "owner", OPERATOR_IS},
        {"verzeichnis", "dir", OPERATOR_IS},
        {"von", "from", OPERATOR_IS},
        {"vor", "date", OPERATOR_LESS},
        {"year", "date", OPERATOR_IS},
        {"älter", "date", OPERATOR_LESS},
        {"überschrift", "heading", OPERATOR_IS},
        {"автор", "author", OPERATOR_IS},
        {"папка", "dir", OPERATOR_IS},
        {"тема", "title", OPERATOR_IS},
};

/* Names that other programs have for what is not known here. */
static const char *const unknown[] = {"album", "alter", "attachment", "attrib", "bcc", "cache",
        "case", "contact", "define", "dupe", "flag", "followupflag", "genre", "height",
        "importance", "info", "isattachment", "link", "list", "participants", "priority", "rating",
        "rclcat", "regex", "runcount", "wholeword", "width", NULL};

/* The same with their values. */
static const char *const unknown_values[] = {"has:document", "has:drive", "has:nouserlabels",
        "has:presentation", "has:spreadsheet", "has:star", "has:userlabels", "has:youtube",
        "is:chat", "is:important", "is:muted", "is:snoozed", NULL};

/* Conditions of other programs, as queries. The values of a name may be any of a list. */
static const struct {
	const char *name, *values, *query;
} conditions[] = {
        {"flagged", "yes true 1 ja", "is:flagged"},
        {"flagged", "no false 0 nein", "(type:message -is:flagged)"},
        {"hasattach", "yes true 1 ja", "has:attachment"},
        {"hasattach", "no false 0 nein", "(type:message -has:attachment)"},
        {"hasattachment", "yes true 1 ja", "has:attachment"},
        {"hasattachment", "no false 0 nein", "(type:message -has:attachment)"},
        {"hasattachments", "yes true 1 ja", "has:attachment"},
        {"hasattachments", "no false 0 nein", "(type:message -has:attachment)"},
        {"is", "new unseen", "is:unread"},
        {"is", "read seen", "(type:message -is:unread)"},
        {"is", "unanswered unreplied", "(type:message -is:answered)"},
        {"is", "unflagged unstarred", "(type:message -is:flagged)"},
        {"isflagged", "yes true 1 ja", "is:flagged"},
        {"isflagged", "no false 0 nein", "(type:message -is:flagged)"},
        {"isread", "yes true 1 ja", "(type:message -is:unread)"},
        {"isread", "no false 0 nein", "is:unread"},
        {"read", "yes true ja", "(type:message -is:unread)"},
        {"read", "no false nein", "is:unread"},
        {"size", "empty", "size:0"},
        {"unread", "yes true ja", "is:unread"},
        {"unread", "no false nein", "(type:message -is:unread)"},
};

/* Capitals do not count. */
static bool is_alias(const char *text, size_t length, const char *name)
{
	if (strlen(name) != length)
		return false;
	g_autofree char *small = g_utf8_strdown(text, (gssize)length);
	return strcmp(small, name) == 0;
}

const char *query_condition_written(const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);
	if (!colon)
		return NULL;
	g_autofree char *value = g_ascii_strdown(colon + 1, text + length - colon - 1);
	for (size_t i = 0; *value && i < G_N_ELEMENTS(conditions); i++) {
		g_auto(GStrv) values = g_strsplit(conditions[i].values, " ", -1);
		if (is_alias(text, colon - text, conditions[i].name) &&
		        g_strv_contains((const char *const *)values, value))
			return conditions[i].query;
	}
	return NULL;
}

/* Is it the whole condition at the beginning of the text? */
static bool begins_with_condition(const char *text, const char *condition)
{
	size_t length = strlen(condition);
	return g_ascii_strncasecmp(text, condition, length) == 0 &&
	       (text[length] == '\0' || strchr(" \t\n)", text[length]));
}

bool query_is_unknown_here(const char *name, size_t length)
{
	bool found = false;
	if (name[length] != ':')
		return false;
	for (size_t i = 0; unknown_values[i] && !found; i++)
		found = begins_with_condition(name, unknown_values[i]);
	for (size_t i = 0; unknown[i] && !found; i++)
		found = is_alias(name, length, unknown[i]);
	/* a name that is not a field: "hasattachments:perhaps" */
	for (size_t i = 0; i < G_N_ELEMENTS(conditions) && !found; i++)
		found = is_alias(name, length, conditions[i].name) &&
		        !query_field_find(name, length);
	return found;
}

bool query_name_is_of_order(const char *name, size_t length)
{
	static const char *const names[] = {"sort", "sortby", "sortiert", "sortierung", "order",
	        "orderby", "reihenfolge", "tri"};
	bool found = false;
	for (size_t i = 0; i < G_N_ELEMENTS(names) && !found; i++)
		found = is_alias(name, length, names[i]);
	return found;
}

bool query_name_has_months(const char *name, size_t length)
{
	static const char *const names[] = {"older_than", "newer_than", "älter", "aelter", "neuer"};
	bool found = false;
	for (size_t i = 0; i < G_N_ELEMENTS(names) && !found; i++)
		found = is_alias(name, length, names[i]);
	return found;
}

/* Names that no program has for a variable, so that "größe>1M" is a condition. */
static bool alias_compares(const char *name)
{
	static const char *const names[] = {
	        "dauer", "datum", "geändert", "groesse", "größe", "seiten", NULL};
	return g_strv_contains(names, name);
}

/* The bytes of "System." before the name of a field. */
static size_t system_prefix(const char *name, size_t length)
{
	static const char prefix[] = "system.";
	size_t n = strlen(prefix);
	return length > n && name[length] == ':' && g_ascii_strncasecmp(name, prefix, n) == 0 ? n
	                                                                                      : 0;
}

const QueryField *query_field_written(const char *name, size_t length, QueryOperator *op)
{
	size_t prefix = system_prefix(name, length);
	name += prefix;
	length -= prefix;
	const QueryField *field = query_field_find(name, length);
	for (size_t i = 0; !field && i < G_N_ELEMENTS(aliases); i++) {
		if (!is_alias(name, length, aliases[i].name) ||
		        (name[length] != ':' && !alias_compares(aliases[i].name)))
			continue;
		if (name[length] == ':')
			*op = aliases[i].op;
		field = query_field_find(aliases[i].field, strlen(aliases[i].field));
	}
	return field;
}

static const struct {
	QueryFilter filter;
	const char *name, *value;
} value_aliases[] = {
        {FILTER_HAS, "anhang", "attachment"},
        {FILTER_HAS, "anhänge", "attachment"},
        {FILTER_HAS, "anlage", "attachment"},
        {FILTER_HAS, "anlagen", "attachment"},
        {FILTER_HAS, "attach", "attachment"},
        {FILTER_HAS, "attachments", "attachment"},
        {FILTER_IS, "beantwortet", "answered"},
        {FILTER_IS, "datei", "file"},
        {FILTER_IS, "directory", "dir"},
        {FILTER_IS, "doppelt", "duplicate"},
        {FILTER_IS, "fehlgeschlagen", "failed"},
        {FILTER_IS, "folder", "dir"},
        {FILTER_IS, "markiert", "flagged"},
        {FILTER_IS, "ordner", "dir"},
        {FILTER_IS, "starred", "flagged"},
        {FILTER_IS, "ungelesen", "unread"},
        {FILTER_IS, "versteckt", "hidden"},
        {FILTER_IS, "verzeichnis", "dir"},
        {FILTER_LANG, "arabic", "ar"},
        {FILTER_LANG, "chinese", "zh"},
        {FILTER_LANG, "chinesisch", "zh"},
        {FILTER_LANG, "czech", "cs"},
        {FILTER_LANG, "danish", "da"},
        {FILTER_LANG, "deutsch", "de"},
        {FILTER_LANG, "dutch", "nl"},
        {FILTER_LANG, "dänisch", "da"},
        {FILTER_LANG, "englisch", "en"},
        {FILTER_LANG, "english", "en"},
        {FILTER_LANG, "español", "es"},
        {FILTER_LANG, "finnish", "fi"},
        {FILTER_LANG, "französisch", "fr"},
        {FILTER_LANG, "français", "fr"},
        {FILTER_LANG, "french", "fr"},
        {FILTER_LANG, "german", "de"},
        {FILTER_LANG, "greek", "el"},
        {FILTER_LANG, "hungarian", "hu"},
        {FILTER_LANG, "italian", "it"},
        {FILTER_LANG, "italiano", "it"},
        {FILTER_LANG, "italienisch", "it"},
        {FILTER_LANG, "japanese", "ja"},
        {FILTER_LANG, "japanisch", "ja"},
        {FILTER_LANG, "korean", "ko"},
        {FILTER_LANG, "niederländisch", "nl"},
        {FILTER_LANG, "norwegian", "no"},
        {FILTER_LANG, "polish", "pl"},
        {FILTER_LANG, "polnisch", "pl"},
        {FILTER_LANG, "portugiesisch", "pt"},
        {FILTER_LANG, "portuguese", "pt"},
        {FILTER_LANG, "romanian", "ro"},
        {FILTER_LANG, "russian", "ru"},
        {FILTER_LANG, "russisch", "ru"},
        {FILTER_LANG, "schwedisch", "sv"},
        {FILTER_LANG, "spanisch", "es"},
        {FILTER_LANG, "spanish", "es"},
        {FILTER_LANG, "swedish", "sv"},
        {FILTER_LANG, "tschechisch", "cs"},
        {FILTER_LANG, "turkish", "tr"},
        {FILTER_LANG, "türkisch", "tr"},
        {FILTER_LANG, "ukrainian", "uk"},
        {FILTER_LANG, "русский", "ru"},
};

const char *query_value_written(QueryFilter filter, const char *value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(value_aliases); i++)
		if (value_aliases[i].filter == filter && strcmp(value_aliases[i].name, value) == 0)
			return value_aliases[i].value;
	return value;
}

/* Formats that other programs take for types; each is its own extension. */
static const char *const formats[] = {"avi", "csv", "doc", "docx", "eml", "epub", "flac", "ics",
        "json", "mkv", "mobi", "mp3", "mp4", "odp", "ods", "odt", "ogg", "ppt", "pptx", "ps", "rtf",
        "svg", "tex", "txt", "vcf", "wav", "webp", "xls", "xlsx", "xml", "zip", NULL};

/* Other names of types and formats. */
static const struct {
	const char *name, *field, *values;
} type_aliases[] = {
        {"andere", "type", "other"},
        {"archiv", "type", "archive"},
        {"bild", "type", "image"},
        {"bilder", "type", "image"},
        {"book", "type", "document"},
        {"buch", "type", "document"},
        {"bücher", "type", "document"},
        {"courriel", "type", "message"},
        {"dir", "type", "folder"},
        {"directory", "type", "folder"},
        {"djvu", "ext", "djvu,djv"},
        {"dokument", "type", "document"},
        {"dokumente", "type", "document"},
        {"dossier", "type", "folder"},
        {"ebook", "type", "document"},
        {"email", "type", "message"},
        {"emails", "type", "message"},
        {"excel", "ext", "xls,xlsx"},
        {"film", "type", "video"},
        {"filme", "type", "video"},
        {"folien", "type", "presentation"},
        {"foto", "type", "image"},
        {"fotos", "type", "image"},
        {"gif", "mime", "image/gif"},
        {"grafik", "type", "image"},
        {"htm", "mime", "text/html"},
        {"html", "mime", "text/html"},
        {"jpeg", "mime", "image/jpeg"},
        {"jpg", "mime", "image/jpeg"},
        {"lied", "type", "audio"},
        {"lieder", "type", "audio"},
        {"mail", "type", "message"},
        {"mails", "type", "message"},
        {"markdown", "ext", "md,markdown"},
        {"md", "ext", "md,markdown"},
        {"movie", "type", "video"},
        {"movies", "type", "video"},
        {"music", "type", "audio"},
        {"musik", "type", "audio"},
        {"nachricht", "type", "message"},
        {"nachrichten", "type", "message"},
        {"ordner", "type", "folder"},
        {"pdf", "mime", "application/pdf"},
        {"photo", "type", "image"},
        {"photos", "type", "image"},
        {"picture", "type", "image"},
        {"pictures", "type", "image"},
        {"png", "mime", "image/png"},
        {"powerpoint", "ext", "ppt,pptx"},
        {"präsentation", "type", "presentation"},
        {"präsentationen", "type", "presentation"},
        {"quelltext", "type", "code"},
        {"song", "type", "audio"},
        {"songs", "type", "audio"},
        {"source", "type", "code"},
        {"tabelle", "type", "spreadsheet"},
        {"tabellen", "type", "spreadsheet"},
        {"tiff", "mime", "image/tiff"},
        {"ton", "type", "audio"},
        {"verzeichnis", "type", "folder"},
        {"vidéo", "type", "video"},
        {"vidéos", "type", "video"},
        {"word", "ext", "doc,docx"},
        {"yaml", "ext", "yaml,yml"},
        {"документ", "type", "document"},
        {"картинка", "type", "image"},
        {"папка", "type", "folder"},
        {"письмо", "type", "message"},
        {"фото", "type", "image"},
};

bool query_type_written(const char *name, const char **field_r, const char **values_r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(type_aliases); i++) {
		if (strcmp(type_aliases[i].name, name) != 0)
			continue;
		*field_r = type_aliases[i].field;
		*values_r = type_aliases[i].values;
		return true;
	}
	*field_r = strchr(name, '/') ? "mime" : "ext";
	*values_r = name;
	return strchr(name, '/') || g_strv_contains(formats, name);
}
