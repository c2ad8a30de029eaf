/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-mail.c - what mail programs put before the subject of an answer or a forwarded mail, and
 * the names of headers
 *
 * A person pastes "AW: Travel expenses" and looks for the mail "Travel expenses", or the other way
 * round. RFC 5322, 3.6.5 knows only "Re: "; programs translate it. The labels are those of Outlook,
 * Thunderbird, Apple Mail, Gmail, Lotus Notes and mutt in the languages that they come in. */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/i18n.h"
#include <string.h>

/* Before the subject of an answer or a forwarded mail, in capitals. */
static const char *const answers[] = {
        /* English */
        "RE", "FW", "FWD",
        /* German: Antwort, weitergeleitet; Danish and Norwegian: svar, videresendt */
        "AW", "WG", "ANTW", "SV", "VS", "VB", "VL",
        /* French, Dutch */
        "TR", "REP", "RÉF", "RÉP", "DOORST",
        /* Spanish, Portuguese, Italian */
        "RV", "RES", "ENC", "R", "I", "RIF",
        /* Polish, Czech, Hungarian, Turkish, Indonesian, Welsh */
        "ODP", "PD", "VÁ", "TOVÁBBÍTÁS", "YNT", "İLT", "ILT", "BLS", "TRS", "ATB", "YML",
        /* Greek, Russian, Ukrainian */
        "ΑΠ", "ΣΧΕΤ", "ΠΡΘ", "ОТВ", "ВІДП",
        /* Chinese, Japanese, Korean */
        "回复", "回覆", "答复", "转发", "轉寄", "返信", "転送", "회신", "전달", NULL};

/* Names of the line of the subject. */
static const char *const labels[] = {"SUBJECT", "BETREFF", "BETR", "OBJET", "ASUNTO", "ASSUNTO",
        "OGGETTO", "ONDERWERP", "ÄMNE", "EMNE", "AIHE", "TEMAT", "PŘEDMĚT", "TÁRGY", "KONU", "ТЕМА",
        "ΘΕΜΑ", "主题", "主旨", "件名", "제목", NULL};

/* Names of the lines of people and identifiers, as they are pasted: with a capital. */
static const char *const headers[] = {"From", "Von", "Absender", "De", "Da", "Van", "Från", "Fra",
        "Od", "От", "Sender", "To", "An", "Empfänger", "À", "Para", "Aan", "Til", "Кому", "Cc",
        "CC", "Kopie", "Bcc", "BCC", "Reply-To", "Antwort an", "Delivered-To", "Return-Path",
        "Message-ID", "Message-Id", "In-Reply-To", "References", NULL};

/* Passes over blanks, a no-break space (French) among them. */
static const char *skip_blanks(const char *s)
{
	while (*s && g_unichar_isspace(g_utf8_get_char(s)))
		s = g_utf8_next_char(s);
	return s;
}

/* "[2]", "(2)", "^2" and "-2" count answers: "Re[2]:". */
static const char *skip_count(const char *s)
{
	if (!*s || !strchr("[(^-", *s))
		return s;
	size_t digits = strspn(s + 1, "0123456789");
	const char *end = s + 1 + digits;
	if (digits == 0 || digits > 3)
		return s;
	return *s == '[' ? end + (*end == ']') : *s == '(' ? end + (*end == ')') : end;
}

/* The text after one prefix, or NULL: none is here. One letter must be a capital, and a name that
 * may be a field must be followed by a blank. */
static const char *skip_mail_prefix(const char *s)
{
	const char *end = s;
	while (*end && query_is_of_words(g_utf8_get_char(end)))
		end = g_utf8_next_char(end);
	g_autofree char *word = g_strndup(s, end - s);
	g_autofree char *capitals = g_utf8_strup(word, -1);
	bool label = g_strv_contains(labels, capitals);
	if (!label && !g_strv_contains(answers, capitals))
		return NULL;
	const char *colon = skip_blanks(skip_count(end)), *wide = "：";
	bool is_wide = g_str_has_prefix(colon, wide);
	if (!is_wide && (*colon != ':' || colon[1] == ':'))
		return NULL;
	const char *rest = colon + (is_wide ? strlen(wide) : 1);
	bool short_name = g_utf8_strlen(word, -1) == 1;
	if (short_name && strcmp(word, capitals) != 0)
		return NULL;
	if ((label || short_name) && !is_wide && skip_blanks(rest) == rest)
		return NULL;
	return skip_blanks(rest);
}

/* The text after "From: " and the like, or NULL. A name that may be a word ("To: do") needs more
 * than a word after it: another word, or an address. */
static const char *skip_mail_header(const char *s)
{
	size_t length = strcspn(s, ":");
	g_autofree char *name = g_strchomp(g_strndup(s, length));
	const char *rest = s + length + (s[length] == ':');
	const char *value = skip_blanks(rest);
	if (!g_strv_contains(headers, name) || value == rest)
		return NULL;
	return strlen(name) > 2 || strpbrk(value, "@ ") ? value : NULL;
}

size_t query_mail_prefix(const char *text)
{
	const char *begin = skip_blanks(text), *end = begin, *next = skip_mail_header(begin);
	if (next)
		return query_has_word(next, strlen(next)) ? next - text : 0;
	while ((next = skip_mail_prefix(end)))
		end = next;
	if (end == begin || !query_has_word(end, strlen(end)))
		return 0;
	return end - text;
}

void query_note_mail_prefix(QueryParse *p, size_t length)
{
	g_autofree char *prefix = g_strndup(p->text, length);
	query_note(p, _("Left out, because the mail itself may lack it: %s"), g_strstrip(prefix));
}
