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
        {"after", "date", OPERATOR_MORE},
        {"allintext", "body", OPERATOR_IS},
        {"allintitle", "title", OPERATOR_IS},
        {"artist", "author", OPERATOR_IS},
        {"before", "date", OPERATOR_LESS},
        {"bigger", "size", OPERATOR_AT_LEAST},
        {"category", "keyword", OPERATOR_IS},
        {"checksum", "sum", OPERATOR_IS},
        {"content", "body", OPERATOR_IS},
        {"contents", "body", OPERATOR_IS},
        {"contenttype", "mime", OPERATOR_IS},
        {"creator", "author", OPERATOR_IS},
        {"datecreated", "created", OPERATOR_IS},
        {"datemodified", "modified", OPERATOR_IS},
        {"directory", "dir", OPERATOR_IS},
        {"domain", "site", OPERATOR_IS},
        {"extension", "ext", OPERATOR_IS},
        {"filesize", "size", OPERATOR_IS},
        {"filetype", "type", OPERATOR_IS},
        {"folder", "dir", OPERATOR_IS},
        {"format", "type", OPERATOR_IS},
        {"inanchor", "anchor", OPERATOR_IS},
        {"inbody", "body", OPERATOR_IS},
        {"infolder", "dir", OPERATOR_IS},
        {"intext", "body", OPERATOR_IS},
        {"intitle", "title", OPERATOR_IS},
        {"keywords", "keyword", OPERATOR_IS},
        {"kind", "type", OPERATOR_IS},
        {"label", "keyword", OPERATOR_IS},
        {"language", "lang", OPERATOR_IS},
        {"larger", "size", OPERATOR_AT_LEAST},
        {"larger_than", "size", OPERATOR_AT_LEAST},
        {"lastmodified", "modified", OPERATOR_IS},
        {"mimetype", "mime", OPERATOR_IS},
        {"mode", "perm", OPERATOR_IS},
        {"mtime", "modified", OPERATOR_IS},
        {"newer", "date", OPERATOR_MORE},
        {"newer_than", "date", OPERATOR_AT_LEAST},
        {"older", "date", OPERATOR_LESS},
        {"older_than", "date", OPERATOR_LESS},
        {"parent", "dir", OPERATOR_IS},
        {"path", "dir", OPERATOR_IS},
        {"received", "date", OPERATOR_IS},
        {"recipient", "to", OPERATOR_IS},
        {"sender", "from", OPERATOR_IS},
        {"since", "date", OPERATOR_AT_LEAST},
        {"smaller", "size", OPERATOR_AT_MOST},
        {"smaller_than", "size", OPERATOR_AT_MOST},
        {"tags", "tag", OPERATOR_IS},
        {"text", "body", OPERATOR_IS},
        {"until", "date", OPERATOR_AT_MOST},
        {"user", "owner", OPERATOR_IS},
        {"year", "date", OPERATOR_IS},
};

const QueryField *query_field_written(const char *name, size_t length, QueryOperator *op)
{
	const QueryField *field = query_field_find(name, length);
	for (size_t i = 0; !field && name[length] == ':' && i < G_N_ELEMENTS(aliases); i++) {
		if (strlen(aliases[i].name) != length ||
		        g_ascii_strncasecmp(aliases[i].name, name, length) != 0)
			continue;
		*op = aliases[i].op;
		field = query_field_find(aliases[i].field, strlen(aliases[i].field));
	}
	return field;
}

static const struct {
	QueryFilter filter;
	const char *name, *value;
} value_aliases[] = {
        {FILTER_HAS, "attach", "attachment"},
        {FILTER_HAS, "attachments", "attachment"},
        {FILTER_IS, "directory", "dir"},
        {FILTER_IS, "folder", "dir"},
        {FILTER_IS, "starred", "flagged"},
        {FILTER_LANG, "arabic", "ar"},
        {FILTER_LANG, "chinese", "zh"},
        {FILTER_LANG, "czech", "cs"},
        {FILTER_LANG, "danish", "da"},
        {FILTER_LANG, "deutsch", "de"},
        {FILTER_LANG, "dutch", "nl"},
        {FILTER_LANG, "english", "en"},
        {FILTER_LANG, "español", "es"},
        {FILTER_LANG, "finnish", "fi"},
        {FILTER_LANG, "français", "fr"},
        {FILTER_LANG, "french", "fr"},
        {FILTER_LANG, "german", "de"},
        {FILTER_LANG, "greek", "el"},
        {FILTER_LANG, "hungarian", "hu"},
        {FILTER_LANG, "italian", "it"},
        {FILTER_LANG, "italiano", "it"},
        {FILTER_LANG, "japanese", "ja"},
        {FILTER_LANG, "korean", "ko"},
        {FILTER_LANG, "norwegian", "no"},
        {FILTER_LANG, "polish", "pl"},
        {FILTER_LANG, "portuguese", "pt"},
        {FILTER_LANG, "romanian", "ro"},
        {FILTER_LANG, "russian", "ru"},
        {FILTER_LANG, "spanish", "es"},
        {FILTER_LANG, "swedish", "sv"},
        {FILTER_LANG, "turkish", "tr"},
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
        {"book", "type", "document"},
        {"dir", "type", "folder"},
        {"directory", "type", "folder"},
        {"djvu", "ext", "djvu,djv"},
        {"ebook", "type", "document"},
        {"email", "type", "message"},
        {"emails", "type", "message"},
        {"excel", "ext", "xls,xlsx"},
        {"gif", "mime", "image/gif"},
        {"htm", "mime", "text/html"},
        {"html", "mime", "text/html"},
        {"jpeg", "mime", "image/jpeg"},
        {"jpg", "mime", "image/jpeg"},
        {"mail", "type", "message"},
        {"mails", "type", "message"},
        {"markdown", "ext", "md,markdown"},
        {"md", "ext", "md,markdown"},
        {"movie", "type", "video"},
        {"movies", "type", "video"},
        {"music", "type", "audio"},
        {"pdf", "mime", "application/pdf"},
        {"photo", "type", "image"},
        {"photos", "type", "image"},
        {"picture", "type", "image"},
        {"pictures", "type", "image"},
        {"powerpoint", "ext", "ppt,pptx"},
        {"png", "mime", "image/png"},
        {"song", "type", "audio"},
        {"songs", "type", "audio"},
        {"source", "type", "code"},
        {"tiff", "mime", "image/tiff"},
        {"word", "ext", "doc,docx"},
        {"yaml", "ext", "yaml,yml"},
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
