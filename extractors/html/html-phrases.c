/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-phrases.h"
#include <glib.h>
#include <string.h>

enum { LONGEST_SERVICE = 110, LONGEST_HEADING = 60, LONGEST_BYLINE_WORDS = 9 };

/* ---- phrases, in lower case, sorted by language */

static const char *const headings[] = {
        /* en */
        "related", "more from ", "more on this", "more stories", "more news", "more in ",
        "you may also", "you might also", "you may like", "recommended", "most read",
        "most popular", "most viewed", "most shared", "popular posts", "trending", "read more",
        "read next", "read also", "also read", "up next", "what to read", "latest news",
        "latest stories", "latest posts", "recent posts", "recent articles", "recent comments",
        "share this", "comments", "leave a reply", "leave a comment", "post a comment",
        "add a comment", "add comment", "write a comment", "join the conversation",
        "join the discussion", "sign up", "newsletter", "subscribe", "about the author",
        "advertisement", "sponsored", "promoted", "editors' picks", "editor's picks", "don't miss",
        "top stories", "follow us", "similar articles", "similar posts", "get the newsletter",
        "get our newsletter", "tags", "post navigation", "about reader comments", "keep reading",
        "people also", "readers also", "customers who", "customers also",
        "frequently bought together", "explore more", "about author", "featured posts",
        "trackbacks", "pingbacks", "continue reading", "to continue reading", "unlock ",
        /* de */
        "mehr zum thema", "mehr zu diesem thema", "das könnte", "auch interessant", "ähnliche",
        "weitere artikel", "weitere beiträge", "weitere meldungen", "weitere nachrichten",
        "weitere themen", "lesen sie auch", "lesen sie mehr", "meistgelesen", "meist gelesen",
        "kommentare", "kommentar schreiben", "kommentar verfassen", "schreibe einen kommentar",
        "schreiben sie einen kommentar", "hinterlasse einen kommentar",
        "hinterlassen sie einen kommentar", "neueste", "letzte beiträge", "aktuelle beiträge",
        "verwandte", "teilen", "über den autor", "über die autorin", "anzeige", "beliebte",
        "schlagwörter", "zum weiterlesen", "beitragsnavigation", "beitrags-navigation",
        "empfohlene", "empfehlungen", "antwort abbrechen", "newsletter",
        /* fr */
        "à lire aussi", "lire aussi", "sur le même sujet", "articles liés", "articles similaires",
        "commentaires", "les plus lus", "partager", "laisser un commentaire", "à découvrir",
        /* es, pt */
        "te puede interesar", "también te puede", "noticias relacionadas", "relacionado",
        "artículos relacionados", "lo más", "comentarios", "compartir", "deja un comentario",
        "leia também", "leia mais", "veja também", "compartilhe", "comentários",
        /* it */
        "leggi anche", "potrebbe interessarti", "ti potrebbe", "articoli correlati", "commenti",
        "condividi", "lascia un commento",
        /* nl, sv, pl */
        "lees ook", "gerelateerd", "reacties", "läs mer", "läs också", "kommentarer",
        "zobacz także", "zobacz też", "czytaj też", "czytaj także", "komentarze", "lees verder",
        "bekijk ook", "geef een reactie", "powiązane", "podobne artykuły", "dodaj komentarz",
        "relaterade", "läs även",
        /* fr, es, pt, it: more */
        "sur le même thème", "dans la même rubrique", "voir aussi", "à voir aussi",
        "les plus consultés", "lee también", "le puede interesar", "te recomendamos",
        "más noticias", "más leídas", "más leídos", "mais lidas", "notícias relacionadas",
        "artigos relacionados", "veja mais", "deixe um comentário", "deixe o seu comentário",
        "leggi altro", "articoli simili", "i più letti", "le più lette",
        /* da, no, fi, cs, hu, ro, tr, el, id, vi */
        "læs også", "les også", "lue myös", "kommentit", "čtěte také", "související", "diskuse",
        "kapcsolódó", "hozzászólások", "citește și", "comentarii", "ilginizi çekebilir",
        "ilgili haberler", "yorumlar", "διαβάστε επίσης", "σχετικά άρθρα", "baca juga",
        "artikel terkait", "tin liên quan", "bình luận",
        /* ru, uk, bg, ar, fa, he */
        "читайте также", "похожие статьи", "похожие материалы", "комментарии",
        "оставить комментарий", "добавить комментарий", "читайте також", "коментарі",
        "още по темата", "коментари", "اقرأ أيضا", "اقرأ أيضًا", "مواضيع ذات صلة", "تعليقات",
        "مطالب مرتبط", "כתבות נוספות", "תגובות",
        /* zh, ja, ko */
        "相关阅读", "相关新闻", "相关报道", "相关文章", "推荐阅读", "延伸阅读", "网友评论",
        "相關新聞", "相關文章", "延伸閱讀", "関連記事", "関連ニュース", "あわせて読みたい",
        "おすすめ記事", "人気記事", "コメント", "관련기사", "관련 기사", "댓글", NULL};

static const char *const services[] = {
        /* en */
        "published", "first published", "updated:", "updated on", "last updated", "last modified",
        "posted on", "posted by", "posted in", "posted at", "written by", "words by", "reported by",
        "filed under", "tags:", "tagged",
        "topics:", "categories:", "category:", "keywords:", "read more", "read next", "read also",
        "read full", "read or share", "also read", "see also:", "related:", "continue reading",
        "story continues", "article continues", "advertisement", "sponsored", "share this",
        "share on", "share via", "tweet this", "email this", "print this", "follow us",
        "like us on", "find us on", "sign up", "subscribe", "copyright", "©", "(c) 20",
        "all rights reserved", "click here", "photo:", "photos:", "photo by",
        "photograph:", "photograph by", "(photo", "image:", "image credit", "images:", "(image",
        "credit:", "(credit", "picture:", "video:", "getty images", "text size", "powered by",
        "blog comments powered", "comments (", "comments are closed", "no comments",
        "leave a comment", "leave a reply", "view comments", "show comments",
        "be the first to comment", "skip to", "jump to", "download pdf", "reading time",
        "estimated reading", "loading", "watch more", "watch:", "view gallery", "see all",
        "view all", "more:", "follow @", "send us", "have a tip", "courtesy", "illustration by",
        "illustration:", "related article", "get alerts", "contact the writer", "email the author",
        "write to ", "joined:", "member since", "posts:", "add to cart", "in stock", "price incl",
        "prices incl", "plus shipping", "free shipping", "delivery time", "click to enlarge",
        "[+] enlarge", "enlarge image", "autoplay", "show thumbnails", "show captions",
        "hide caption", "toggle caption", "last slide", "next slide", "previous slide",
        "play video", "twitter: @", "skip advertisement", "listen to this article",
        "gift this article", "save article", "report an error", "report a typo", "report this ad",
        "was this article", "was this page", "load more", "back to top", "edit this page",
        "to contact the reporter", "to contact the editor", "already a subscriber",
        "already have an account", "already a member", "not a subscriber", "enter your email",
        "please enter ", "thank you for subscribing", "thank you for signing up",
        "thanks for subscribing", "thanks for signing up", "check your inbox",
        "unsubscribe at any time", "view this post on ", "a post shared by",
        "our standards:", "your browser does", "please enable javascript", "scroll to continue",
        "open image in gallery", "view image in fullscreen", "this content is not available",
        /* de */
        "veröffentlicht", "aktualisiert", "erstellt am", "stand:", "geschrieben von", "verfasst",
        "autor:", "autorin:", "tags:", "schlagwörter", "schlagworte", "kategorie", "abgelegt",
        "thema:", "themen:", "mehr zum thema", "mehr dazu", "mehr lesen", "mehr zu:", "lesen sie",
        "lesen sie auch", "weiterlesen", "auch interessant", "anzeige", "werbung", "teilen",
        "drucken", "artikel drucken", "artikel versenden", "artikel teilen", "folgen sie",
        "folge uns", "newsletter", "abonnieren", "alle rechte",
        "foto:", "fotos:", "bild:", "bilder:", "(foto", "(bild", "quelle: ", "bildquelle",
        "bildnachweis", "kommentar ", "kommentare", "keine kommentare", "zur startseite",
        "zurück zur", "lesezeit", "lesedauer", "zuletzt aktualisiert", "zuletzt geändert",
        "diesen artikel", "diesen beitrag", "gefällt mir", "zum kommentieren", "permalink",
        "dieser beitrag wurde", "dieser eintrag wurde", "dieser artikel wurde", "hier klicken",
        "registriert:", "mitglied seit", "beiträge:", "in den warenkorb", "sofort lieferbar",
        "lieferzeit", "preis inkl", "preise inkl", "inkl. mwst", "zzgl. versand", "auf lager",
        "artikel anhören", "artikel merken", "fehler melden", "nach oben", "zum seitenanfang",
        /* fr */
        "publié", "mis à jour", "par la rédaction", "lire aussi", "à lire aussi", "partager",
        "crédit", "mots-clés", "commentaires", "s'abonner", "abonnez-vous",
        /* es, pt */
        "publicado", "actualizado", "atualizado", "compartir", "etiquetas", "más información",
        "leer más", "lea también", "leia também", "leia mais", "comentarios", "suscríbete",
        "compartilhe", "foto :",
        /* it, nl, pl */
        "pubblicato", "aggiornato", "leggi anche", "condividi", "lees ook", "gepubliceerd",
        "gedeeld", "czytaj też", "czytaj także", "zobacz też", "zobacz także", "opublikowano",
        "advertentie", "lees meer", "lees verder", "reklama", "udostępnij", "data publikacji",
        "źródło:",
        /* fr, es, pt, it: more */
        "publicité", "lire la suite", "voir aussi", "photo :", "temps de lecture", "suivez-nous",
        "lee también", "lea más", "publicidad", "síguenos", "tiempo de lectura", "archivado en",
        "publicidade", "continua depois da publicidade", "veja também", "siga-nos",
        "tempo de leitura", "pubblicità", "leggi tutto", "riproduzione riservata",
        "tempo di lettura", "argomenti:",
        /* da, no, sv, fi, cs, hu, ro, tr, el, id */
        "annonce", "læs også", "offentliggjort", "annonse", "les også", "publisert", "annons",
        "läs även", "läs mer", "publicerad", "uppdaterad", "mainos", "lue myös", "julkaistu",
        "čtěte také", "zdroj:", "hirdetés", "forrás:", "címkék", "publicitate", "citește și",
        "distribuie", "sursa:", "kaynak:", "paylaş", "yayınlanma", "διαβάστε", "baca juga",
        /* ru, uk, bg, ar, he */
        "читайте также", "реклама", "поделиться", "опубликовано", "обновлено",
        "теги:", "метки:", "источник:", "фото:", "подписывайтесь", "читайте також",
        "джерело:", "снимка:", "източник:", "اقرأ أيضا", "اقرأ أيضًا", "شارك",
        "المصدر:", "تاريخ النشر", "פורסם",
        /* zh, ja, ko */
        "相关阅读", "责任编辑", "责编", "原标题", "来源：", "来源:", "编辑：", "分享到", "上一篇",
        "下一篇", "責任編輯", "來源：", "関連記事", "あわせて読みたい", "続きを読む", "シェアする",
        "写真：", "최종수정", "기사입력", "무단전재", "저작권자", NULL};

static const char *const bylines[] = {"by ", "by: ", "von ", "von: ", "par ", "por ", "di ",
        "door ", "autor: ", "author: ", "text: ", "автор: ", "текст: ", "tekst: ", "szerző: ",
        "auteur : ", "autore: ", "作者：", NULL};

static const char *const networks[] = {"learn", "facebook", "twitter", "tweet", "google+",
        "linkedin", "pinterest", "whatsapp", "reddit", "email", "e-mail", "xing", "telegram",
        "flipboard", "instagram", "print", "drucken", "share", "teilen", "like", "pocket", "tumblr",
        "copy link", "mail", "save", "reset", "more", "comment", "comments", "kommentare", "rss",
        "me2day", "cyworld", "naver", "google", "digg", "delicious", "stumbleupon", "vk", "youtube",
        "bluesky", "mastodon", "messenger", "viber", "imprimer", "partager", "envoyer", "imprimir",
        "compartir", "compartilhar", "stampa", "condividi", "drukuj", "udostępnij", "печать",
        "поделиться", "вконтакте", "одноклассники", "delen", "dela", "tisk", "微信", "微博",
        "ツイート", "シェア", "공유", NULL};

static const char *const agencies[] = {"getty images", "/ap", "(ap)", "reuters", "/afp", "afp",
        "/dpa", "dpa", "picture alliance", "shutterstock", "istock", "wireimage", "imago",
        "ap photo", "epa", "photography)", "corbis", "alamy", NULL};

/* Names of months and days by their first three letters, and words between the numbers. */
static const char *const calendar[] = {"jan", "feb", "mar", "mär", "mrz", "apr", "may", "mai",
        "jun", "jul", "aug", "sep", "oct", "okt", "nov", "dec", "dez", "déc", "fév", "avr", "jui",
        "aoû", "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug", "set", "ott", "mon", "tue",
        "wed", "thu", "fri", "sat", "sun", "mo", "die", "di", "mit", "mi", "don", "do", "fre", "fr",
        "sam", "sa", "son", "so", "lun", "mar", "mer", "jeu", "ven", "dim", "mié", "jue", "vie",
        "sáb", "dom", "maa", "mei", "maj", "sty", "lut", "kwi", "cze", "lip", "sie", "wrz", "paź",
        "lis", "gru", "oca", "şub", "nis", "haz", "tem", "ağu", "eyl", "eki", "kas", "ara", "янв",
        "фев", "мар", "апр", "мая", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек", "年",
        "月", "日", "时", "時", "分", "년", "월", "일", NULL};
static const char *const fillers[] = {"am", "pm", "a", "p", "m", "um", "uhr", "at", "on", "et",
        "est", "edt", "gmt", "utc", "pst", "pdt", "bst", "cet", "cest", "mez", "mesz", "updated",
        "posted", "published", "the", "of", "de", "à", "h", "le", "il", "del", "th", "st", "nd",
        "rd", "den", "vom", "ist", "pt", "ct", "last", "hour", "hours", "minutes", "days", "ago",
        "vor", "stunden", "minuten", "tagen", NULL};

/* Notices of any length: copyright, rules of comments, cookies. */
static const char *const notices[] = {"©", "&copy;", "&#169;", "copyright ©", "copyright &copy;",
        "copyright &#169;", "copyright (c)", "copyright 19", "copyright 20", "(c) 20",
        "comments are filtered", "comments are moderated", "comments are subject", "by posting ",
        "note: by posting ", "please note that comments", "we use cookies", "you can unsubscribe",
        "you may unsubscribe", "this site is protected by", "we may earn ", "when you buy through",
        "if you buy something", "the views expressed",
        "disclaimer: ", "this article was originally published", "this article originally appeared",
        "this story originally appeared", "this material may not be published", "il vous reste ",
        "la suite est réservée", "this site uses cookies", "this website uses cookies",
        "wir verwenden cookies", "diese website verwendet cookies", "nous utilisons des cookies",
        "utilizamos cookies", NULL};

/* ---- tests */

static bool phrase_begins(const char *line, const char *const *phrases)
{
	for (; *phrases; phrases++)
		if (g_str_has_prefix(line, *phrases))
			return true;
	return false;
}

static bool phrase_ends_sentence(const char *line)
{
	size_t length = strlen(line);
	const char *last = length > 0 ? g_utf8_find_prev_char(line, line + length) : NULL;
	return last && strchr(".!?\"", *last) != NULL;
}

static unsigned phrase_count_words(const char *line)
{
	unsigned words = *line != '\0';
	for (; *line; line++)
		words += *line == ' ';
	return words;
}

static bool ends_with_agency(const char *line)
{
	for (const char *const *agency = agencies; *agency; agency++) {
		size_t length = strlen(*agency);
		const char *found = g_strrstr(line, *agency);
		if (found && strlen(found) <= length + 2 &&
		        (found == line || !g_ascii_isalpha(found[-1])))
			return true;
	}
	return false;
}

/* "{ "name": ...": data that a script reads. */
static bool phrase_is_data(const char *line)
{
	const char *p = line + strspn(line, "[{ ");
	return p > line && *p == '"' && strstr(p, "\":");
}

static bool phrase_is_address(const char *line)
{
	const char *at = strchr(line, '@');
	return at && at > line && strchr(at, '.') && !strchr(line, ' ');
}

static bool is_calendar_word(const char *word)
{
	if (g_strv_contains(fillers, word))
		return true;
	for (const char *const *name = calendar; *name; name++)
		if (g_str_has_prefix(word, *name) && g_utf8_strlen(word, -1) <= 10)
			return true;
	return false;
}

static bool begins_byline(const char *line)
{
	return phrase_begins(line, bylines) && phrase_count_words(line) <= LONGEST_BYLINE_WORDS &&
	       !phrase_ends_sentence(line);
}

/* Only numbers, names of months and days, and what stands between them; at least one number. The
 * name of an author may follow. */
static bool phrase_is_date(const char *line)
{
	unsigned digits = 0;
	bool ago = strstr(line, " ago") || g_str_has_prefix(line, "vor ");
	g_autoptr(GString) word = g_string_new(NULL);
	for (const char *p = line;; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		digits += c < 128 && g_ascii_isdigit(c);
		if (c != 0 && g_unichar_isalpha(c)) {
			g_string_append_unichar(word, c);
			continue;
		}
		if (word->len > 0 && !is_calendar_word(word->str))
			return digits >= 3 && begins_byline(p - word->len);
		g_string_truncate(word, 0);
		if (c == 0)
			break;
	}
	return digits >= (ago ? 1 : 3);
}

/* Only names of networks and what buttons say. */
static bool phrase_is_buttons(const char *line)
{
	g_auto(GStrv) words = g_strsplit_set(line, " |,·•/()0123456789+-", -1);
	unsigned known = 0;
	for (char **word = words; *word; word++) {
		if (**word == '\0')
			continue;
		if (!g_strv_contains(networks, *word))
			return false;
		known++;
	}
	return known > 0;
}

/* "12 March 2021 | Opinion": parts of which one is a date. */
static bool phrase_has_dated_part(const char *lower)
{
	g_autofree char *marked = g_strdup(lower);
	static const char *const bars[] = {"·", "•", "»", NULL};
	for (const char *const *bar = bars; *bar; bar++)
		for (char *at = marked; (at = strstr(at, *bar));)
			memset(at, '|', strlen(*bar));
	g_auto(GStrv) parts = g_strsplit(marked, "|", -1);
	bool dated = false;
	for (char **part = parts; parts[0] && parts[1] && *part && !dated; part++)
		dated = phrase_is_date(*part);
	return dated;
}

/* "Follow the author on Twitter." */
static bool phrase_is_following(const char *lower)
{
	static const char *const places[] = {"twitter", "facebook", "instagram", "google+",
	        "newsletter", "youtube", "whatsapp", "telegram", "linkedin", NULL};
	static const char *const verbs[] = {"follow ", "like ", "find ", "join ", "get ", "see ",
	        "sign ", "subscribe", "folgen ", "folge ", "jetzt ", NULL};
	if (!phrase_begins(lower, verbs))
		return false;
	for (const char *const *place = places; *place; place++)
		if (strstr(lower, *place))
			return true;
	return false;
}

static bool is_counted_heading(const char *line)
{
	static const char *const counted[] = {"comment", "kommentar", "response", "antwort", "repl",
	        "commentaire", "thought", "gedanke", "reaktion", "share", NULL};
	const char *p = line;
	while (g_ascii_isdigit(*p) || *p == '.' || *p == ',')
		p++;
	return p > line && *p == ' ' && phrase_begins(p + 1, counted);
}

bool phrase_begins_comments(const char *line)
{
	static const char *const counted[] = {"comment", "kommentar", "response", "commentaire",
	        "comentario", "commenti", "reactie", "thought", "gedanke", "reaktion", NULL};
	static const char *const alone[] = {"comments", "kommentare", "commentaires", "comentarios",
	        "comentários", "commenti", "reacties", "kommentarer", "komentarze", "комментарии",
	        "reader comments", "leave a comment", "leave a reply", NULL};
	size_t length = strlen(line);
	if (length == 0 || length > LONGEST_SERVICE)
		return false;
	g_autofree char *lower = g_utf8_strdown(line, -1);
	const char *word = lower + strspn(lower, "0123456789.,");
	if (word > lower && *word == ' ' && phrase_begins(word + 1, counted))
		return true;
	lower[strcspn(lower, "(:0123456789")] = '\0';
	return g_strv_contains(alone, g_strchomp(lower));
}

bool phrase_ends_text(const char *line)
{
	if (*line == '\0' || strlen(line) > LONGEST_HEADING)
		return false;
	g_autofree char *lower = g_utf8_strdown(line, -1);
	return phrase_begins(lower, headings) || is_counted_heading(lower);
}

bool phrase_is_service(const char *line)
{
	size_t length = strlen(line);
	if (length == 0 || length > LONGEST_SERVICE)
		return false;
	g_autofree char *lower = g_utf8_strdown(line, -1);
	if (phrase_is_date(lower) || phrase_is_buttons(lower) || ends_with_agency(lower) ||
	        phrase_is_following(lower) || phrase_is_address(lower))
		return true;
	if (phrase_ends_sentence(line) && phrase_count_words(line) > LONGEST_BYLINE_WORDS)
		return false;
	if (phrase_has_dated_part(lower) && !phrase_ends_sentence(line))
		return true;
	const char *bare = lower + (*lower == '(');
	if (phrase_begins(bare, services) || phrase_begins(lower, services) ||
	        is_counted_heading(lower))
		return true;
	return begins_byline(lower);
}

/* "By signing up, you agree to our terms." */
static bool phrase_is_agreement(const char *lower)
{
	return g_str_has_prefix(lower, "by ") && strstr(lower, " you agree");
}

bool phrase_is_notice(const char *line)
{
	g_autofree char *lower = g_utf8_strdown(line, -1);
	return phrase_begins(lower, notices) || phrase_is_agreement(lower) || phrase_is_data(lower);
}
