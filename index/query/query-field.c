/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-field.c - the values of fields: what is allowed, and the node of each */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/doctype.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include <grp.h>
#include <pwd.h>
#include <string.h>

/* ---- lists */

/* Splits at a separator and keeps positions. Returns an array of QueryValue; NULL with fault if an
 * element is empty. */
static GArray *split_list(QueryParse *p, const QueryValue *value, char separator)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(QueryValue));
	const char *begin = value->text;
	for (;;) {
		const char *end = strchr(begin, separator);
		size_t length = end ? (size_t)(end - begin) : strlen(begin);
		size_t position = value->position + value->quoted + (begin - value->text);
		if (length == 0) {
			for (guint i = 0; i < list->len; i++)
				g_free(g_array_index(list, QueryValue, i).text);
			query_fail(p, position, 1, NULL, _("The list lacks a value"));
			return NULL;
		}
		QueryValue part = {
		        .text = g_strndup(begin, length), .position = position, .length = length};
		g_array_append_val(list, part);
		if (!end)
			return g_steal_pointer(&list);
		begin = end + 1;
	}
}

typedef QueryNode *(*ValueFunc)(QueryParse *p, const QueryField *field, const QueryValue *value);

/* Returns a node for each element, joined. */
static QueryNode *list_node(QueryParse *p, const QueryField *field, const QueryValue *value,
        char separator, QueryOp join, ValueFunc make)
{
	g_autoptr(GArray) list = split_list(p, value, separator);
	if (!list)
		return NULL;
	QueryNode *node = query_node_new(join, value->position, value->length);
	for (guint i = 0; i < list->len; i++) {
		QueryValue *part = &g_array_index(list, QueryValue, i);
		QueryNode *child = node ? make(p, field, part) : NULL;
		if (child)
			query_node_add(node, child);
		else
			g_clear_pointer(&node, query_node_free);
		g_free(part->text);
	}
	if (!node || node->children->len > 1)
		return node;
	QueryNode *only = g_ptr_array_steal_index(node->children, 0);
	query_node_free(node);
	return only;
}

static QueryNode *field_word(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	return query_words_node(p, field->scope, value);
}

static QueryNode *text_field_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	bool both = strchr(value->text, ',') != NULL, either = strchr(value->text, '/') != NULL;
	if (value->quoted || (!both && !either))
		return query_words_node(p, field->scope, value);
	if (both && either) {
		query_fail(p, value->position, value->length,
		        g_strdup_printf(_("Use parentheses: %s:(one OR two) %s:three."),
		                field->name, field->name),
		        _("A list uses either commas (all of them) or slashes (any of them)"));
		return NULL;
	}
	return list_node(
	        p, field, value, both ? ',' : '/', both ? QUERY_AND : QUERY_OR, field_word);
}

/* ---- exact values */

static QueryNode *query_field_filter_node(const QueryField *field, const QueryValue *value)
{
	QueryNode *node = query_node_new(QUERY_FILTER, value->position, value->length);
	node->filter = field->filter;
	return node;
}

static bool check_ext(QueryParse *p, QueryValue *value)
{
	size_t before = strspn(value->text, value->text[0] == '*' ? "*." : ".");
	memmove(value->text, value->text + before, strlen(value->text + before) + 1);
	if (value->text[0] && !strpbrk(value->text, "*?/"))
		return true;
	return query_fail(p, value->position, value->length,
	        g_strdup(_("Write ext:pdf or ext:pdf,odt.")),
	        _("This is not a file name extension"));
}

static bool check_mime(QueryParse *p, QueryValue *value)
{
	const char *slash = strchr(value->text, '/'), *star = strchr(value->text, '*');
	bool right = slash && slash > value->text && slash[1] && !strchr(slash + 1, '/') &&
	             !strpbrk(value->text, "?[") && (!star || (star > slash && star[1] == '\0'));
	if (right)
		return true;
	return query_fail(p, value->position, value->length,
	        g_strdup(_("Write mime:text/html or mime:text/*.")), _("This is not a MIME type"));
}

static bool query_is_type(const char *name)
{
	for (size_t i = 0; i < n_doctypes; i++)
		if (strcmp(doctypes[i].type, name) == 0)
			return true;
	return false;
}

static bool check_type(QueryParse *p, QueryValue *value)
{
	if (query_is_type(value->text))
		return true;
	return query_fail(p, value->position, value->length,
	        g_strdup(_("Types are document, text, spreadsheet, presentation, message, image, "
	                   "audio, video, archive, code, folder, other.")),
	        _("Unknown type \"%s\""), value->text);
}

static bool check_is(QueryParse *p, QueryValue *value)
{
	static const char *const states[] = {"file", "dir", "member", "hidden", "failed", "pending",
	        "truncated", "duplicate", "offline", "unread", "flagged", "answered", "replied",
	        NULL};
	if (g_strv_contains(states, value->text))
		return true;
	return query_fail(p, value->position, value->length,
	        g_strdup(_("States are file, dir, member, hidden, failed, pending, truncated, "
	                   "duplicate, offline, unread, flagged, answered.")),
	        _("Unknown state \"%s\""), value->text);
}

static bool check_has(QueryParse *p, QueryValue *value)
{
	if (strcmp(value->text, "attachment") == 0)
		return true;
	return query_fail(p, value->position, value->length, g_strdup(_("Write has:attachment.")),
	        _("Unknown value \"%s\""), value->text);
}

static bool check_lang(QueryParse *p, QueryValue *value)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
	size_t code = strcspn(value->text, "-_");
	if (strspn(value->text, letters) == strlen(value->text) && code >= 2 && code <= 3)
		return true;
	return query_fail(p, value->position, value->length,
	        g_strdup(_("Write lang:en or lang:de,fr.")), _("This is not a language code"));
}

static bool check_sum(QueryParse *p, QueryValue *value)
{
	if (strlen(value->text) == 32 && strspn(value->text, "0123456789abcdef") == 32)
		return true;
	return query_fail(p, value->position, value->length,
	        g_strdup(_("A checksum has 32 hexadecimal digits; \"tarsier info\" shows it.")),
	        _("This is not a checksum"));
}

/* For a list of strings, one node holds all alternatives. */
static QueryNode *strings_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	static bool (*const checks[N_FILTERS])(QueryParse *, QueryValue *) = {
	        [FILTER_EXT] = check_ext,
	        [FILTER_MIME] = check_mime,
	        [FILTER_TYPE] = check_type,
	        [FILTER_IS] = check_is,
	        [FILTER_LANG] = check_lang,
	        [FILTER_HAS] = check_has,
	        [FILTER_SUM] = check_sum};
	g_autoptr(GArray) list = split_list(p, value, ',');
	if (!list)
		return NULL;
	QueryNode *node = query_field_filter_node(field, value);
	bool ok = query_count_terms(p, value, list->len);
	node->values = g_new0(char *, list->len + 1);
	for (guint i = 0; i < list->len; i++) {
		QueryValue *part = &g_array_index(list, QueryValue, i);
		g_autofree char *lower = g_utf8_strdown(part->text, -1);
		g_free(part->text);
		part->text = node->values[i] = g_strdup(query_value_written(field->filter, lower));
		ok = ok && checks[field->filter](p, part);
	}
	if (!ok)
		g_clear_pointer(&node, query_node_free);
	return node;
}

static QueryNode *other_strings_node(
        QueryParse *p, const QueryValue *value, const char *field, const char *values)
{
	QueryValue meant = *value;
	meant.text = (char *)values;
	return strings_node(p, query_field_find(field, strlen(field)), &meant);
}

/* One type, or what stands for it: "pdf", ".pdf", "images", "text/html". */
static QueryNode *type_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	g_autofree char *lower = g_utf8_strdown(value->text, -1);
	char *name = lower + (*lower == '.');
	size_t length = strlen(name);
	const char *meant, *values;
	if (query_type_written(name, &meant, &values))
		return other_strings_node(p, value, meant, values);
	if (length > 3 && name[length - 1] == 's')
		name[length - 1] = '\0';
	if (query_is_type(name))
		return other_strings_node(p, value, "type", name);
	return strings_node(p, field, value);
}

static bool has_only_types(const QueryValue *value)
{
	g_auto(GStrv) parts = g_strsplit(value->text, ",", -1);
	for (char **part = parts; *part; part++) {
		g_autofree char *name = g_utf8_strdown(*part, -1);
		if (!query_is_type(name))
			return false;
	}
	return true;
}

static QueryNode *owner_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	bool user = field->filter == FILTER_OWNER;
	char *end;
	uint64_t id = g_ascii_strtoull(value->text, &end, 10);
	if (!g_ascii_isdigit(value->text[0]) || *end || id > UINT32_MAX) {
		const struct passwd *passwd = user ? getpwnam(value->text) : NULL;
		const struct group *group = user ? NULL : getgrnam(value->text);
		if (!passwd && !group) {
			query_fail(p, value->position, value->length,
			        g_strdup(_("Give a name or a number.")),
			        user ? _("There is no user \"%s\"") : _("There is no group \"%s\""),
			        value->text);
			return NULL;
		}
		id = user ? passwd->pw_uid : group->gr_gid;
	}
	QueryNode *node = query_field_filter_node(field, value);
	node->values = g_strdupv((char *[]){value->text, NULL});
	node->low = node->high = id;
	return node;
}

/* Parses "o+r", "ug-w". low receives the mask, high the required bits. */
static bool parse_symbolic(const char *s, int64_t *mask, int64_t *bits)
{
	unsigned who = 0, what = 0;
	for (; *s && strchr("ugoa", *s); s++)
		who |= *s == 'u' ? 0700 : *s == 'g' ? 0070 : *s == 'o' ? 0007 : 0777;
	char sign = *s;
	if (who == 0 || (sign != '+' && sign != '-') || !s[1])
		return false;
	for (s++; *s && strchr("rwx", *s); s++)
		what |= *s == 'r' ? 0444 : *s == 'w' ? 0222 : 0111;
	*mask = who & what;
	*bits = sign == '+' ? *mask : 0;
	return *s == '\0';
}

static QueryNode *perm_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	g_autoptr(QueryNode) node = query_field_filter_node(field, value);
	char *end;
	uint64_t mode = g_ascii_strtoull(value->text, &end, 8);
	node->values = g_strdupv((char *[]){value->text, NULL});
	if (g_ascii_isdigit(value->text[0]) && *end == '\0' && mode <= 07777) {
		node->low = 07777;
		node->high = mode;
	} else if (!parse_symbolic(value->text, &node->low, &node->high)) {
		query_fail(p, value->position, value->length,
		        g_strdup(_("Write perm:644 or perm:o+r.")), _("These are not permissions"));
		return NULL;
	}
	return g_steal_pointer(&node);
}

/* An absolute path, or consecutive components anywhere ("a/b"). "~", "." and ".." begin a path. */
static char *directory_value(QueryParse *p, const QueryField *field, const char *text)
{
	const char *cwd = p->options->cwd ? p->options->cwd : "/";
	bool home = text[0] == '~' && (text[1] == '/' || text[1] == '\0');
	bool relative = text[0] == '.' && (text[1] == '\0' || text[1] == '/' || text[1] == '.');
	if (home) {
		g_autofree char *path = g_strconcat(g_get_home_dir(), text + 1, NULL);
		return paths_absolute(path);
	}
	if (text[0] == '/' || relative || field->filter == FILTER_IN)
		return g_canonicalize_filename(text, cwd);
	g_autofree char *path = g_canonicalize_filename(text, "/");
	return g_strdup(path + 1);
}

/* The pages of a site have no directories: below a URL is what its path begins. */
static QueryNode *directory_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	if (path_is_web(value->text))
		return query_site_node(p, value);
	QueryNode *node = query_field_filter_node(field, value);
	node->values = g_new0(char *, 2);
	node->values[0] = directory_value(p, field, value->text);
	return node;
}

typedef bool (*ParseSpanFunc)(QueryParse *, QueryOperator, const QueryValue *, QuerySpan *);

/* Leaves out the bounds of "{2020 TO 2021}". The range has been parsed. */
static bool leave_out_bounds(
        QueryParse *p, ParseSpanFunc parse, const QueryValue *value, QuerySpan *span)
{
	const char *middle = strstr(value->text, "..");
	g_autofree char *low = g_strndup(value->text, middle ? middle - value->text : 0);
	QueryValue bound = *value;
	QuerySpan beyond;
	if (!value->low_open && !value->high_open)
		return true;
	bound.text = low;
	if (value->low_open && !parse(p, OPERATOR_MORE, &bound, &beyond))
		return false;
	if (value->low_open)
		span->low = beyond.low;
	bound.text = (char *)(middle ? middle + 2 : "");
	if (value->high_open && !parse(p, OPERATOR_LESS, &bound, &beyond))
		return false;
	if (value->high_open)
		span->high = beyond.high;
	return span->low <= span->high || query_fail(p, value->position, value->length,
	                                          g_strdup(_("Braces leave out the bounds; "
	                                                     "brackets include them.")),
	                                          _("There is nothing between the bounds"));
}

static QueryNode *span_node(
        QueryParse *p, const QueryField *field, QueryOperator op, const QueryValue *value)
{
	QuerySpan span;
	ParseSpanFunc parse = field->filter == FILTER_SIZE       ? query_size_parse
	                      : field->filter == FILTER_DURATION ? query_duration_parse
	                      : field->filter == FILTER_PAGES    ? query_count_parse
	                                                         : query_date_parse;
	if (!parse(p, op, value, &span) || !leave_out_bounds(p, parse, value, &span))
		return NULL;
	QueryNode *node = query_field_filter_node(field, value);
	node->low = span.low;
	node->high = span.high;
	return node;
}

static bool has_order(const QueryField *field)
{
	return !field->text && (query_is_date(field->filter) || query_is_number(field->filter));
}

/* "size:>1M", as other programs write "size>1M". */
static QueryNode *compared_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	QueryOperator op;
	QueryValue rest = *value;
	size_t width = query_operator_at(value->text, &op);
	rest.text += width;
	rest.position += width;
	rest.length -= width;
	if (op == OPERATOR_IS && strchr("<>=", rest.text[0]) && rest.text[0])
		return span_node(p, field, op, &rest);
	return query_field_node(p, field, op, &rest);
}

QueryNode *query_field_node(
        QueryParse *p, const QueryField *field, QueryOperator op, const QueryValue *value)
{
	if (!field)
		return query_words_node(p, SCOPE_ANY, value);
	if (op != OPERATOR_IS && !has_order(field)) {
		query_fail(p, value->position, value->length,
		        g_strdup_printf(_("Write %s:value."), field->name),
		        _("The field \"%s\" does not support comparisons"), field->name);
		return NULL;
	}
	if (value->text[0] == '\0') {
		query_fail(p, value->position, value->length, NULL,
		        _("The field \"%s\" has no value"), field->name);
		return NULL;
	}
	if (field->text)
		return text_field_node(p, field, value);
	if (field->filter == FILTER_EXT || field->filter == FILTER_TYPE)
		g_strdelimit(value->text, ";|", ',');
	if (op == OPERATOR_IS && !value->quoted && has_order(field) &&
	        strchr("<>=", value->text[0]))
		return compared_node(p, field, value);
	if (field->filter == FILTER_OWNER || field->filter == FILTER_GROUP)
		return list_node(p, field, value, ',', QUERY_OR, owner_node);
	if (field->filter == FILTER_PERM)
		return list_node(p, field, value, ',', QUERY_OR, perm_node);
	if (field->filter == FILTER_SAVED)
		return query_saved_node(p, value);
	if (query_is_web_field(field->filter))
		return query_web_node(p, field->filter, value);
	if (field->filter == FILTER_TYPE && !has_only_types(value))
		return list_node(p, field, value, ',', QUERY_OR, type_node);
	if (!query_count_terms(p, value, 1))
		return NULL;
	if (has_order(field))
		return span_node(p, field, op, value);
	if (field->filter == FILTER_DIR || field->filter == FILTER_IN)
		return directory_node(p, field, value);
	if (field->filter == FILTER_NEAR)
		return query_near_node(p, field, value);
	if (field->filter == FILTER_RELATED || field->filter == FILTER_THREAD)
		return query_file_node(field->filter, value);
	if (field->filter == FILTER_DUP)
		return query_dup_node(p, field, value);
	return strings_node(p, field, value);
}
