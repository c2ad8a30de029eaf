/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/query/query.h"
#include <locale.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Wednesday, 2026-05-20 12:00:00 UTC */
#define NOW 1779278400
#define DAY 86400

static const QueryOptions plain = {.now = NOW, .cwd = "/home/u/here"};

static const char *const scopes[N_SCOPES] = {"any", "title", "author", "to", "cc", "keyword",
        "heading", "body", "anchor", "filename", "comment"};
static const char *const filters[N_FILTERS] = {"ext", "mime", "type", "dir", "in", "date",
        "modified", "size", "duration", "pages", "owner", "is", "lang", "sum", "group", "perm",
        "created", "sent", "has", "dup", "near", "related", "thread", "site", "source", "url",
        "inurl", "all"};

static void append_bound(GString *out, int64_t bound)
{
	if (bound == INT64_MIN)
		g_string_append(out, "-");
	else if (bound == INT64_MAX)
		g_string_append(out, "+");
	else
		g_string_append_printf(out, "%" G_GINT64_FORMAT, bound);
}

/* Writes a tree as text: (and any:a =title:"b c" (not ext[pdf odt])); "=" marks exact, "|" two
 * words as one. */
static void append_tree(GString *out, const QueryNode *node)
{
	static const char *const names[] = {"and", "or", "not"};
	if (node->op == QUERY_WORDS) {
		g_autofree char *words = g_strjoinv(" ", node->tokens);
		g_string_append_printf(out, "%s%s:%s%s%s", node->exact ? "=" : "",
		        scopes[node->scope],
		        node->names_only ? "!"
		        : node->pattern  ? "?"
		                         : "",
		        words, node->prefix ? "*" : "");
		for (char **joined = node->joined; joined && *joined; joined++)
			g_string_append_printf(out, "|%s", *joined);
		if (node->edits > 0)
			g_string_append_printf(out, "~%u", node->edits);
		if (node->parts)
			g_string_append_printf(out, "/%u%s", node->gap, node->ordered ? "!" : "");
		return;
	}
	if (node->op == QUERY_FILTER) {
		g_autofree char *values = node->values ? g_strjoinv(" ", node->values) : NULL;
		g_string_append_printf(out, "%s[%s", filters[node->filter], values ? values : "");
		if (!values) {
			append_bound(out, node->low);
			g_string_append(out, "..");
			append_bound(out, node->high);
		}
		g_string_append(out, "]");
		return;
	}
	g_string_append_printf(out, "(%s", names[node->op]);
	for (guint i = 0; i < node->children->len; i++) {
		g_string_append_c(out, ' ');
		append_tree(out, node->children->pdata[i]);
	}
	g_string_append_c(out, ')');
}

static void assert_reads(const char *text, const QueryOptions *options, const char *expected)
{
	QueryFault fault;
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = query_parse(text, options, &fault, &error);
	if (!query)
		g_error("\"%s\": %s at %zu", text, error->message, fault.position);
	g_autoptr(GString) tree = g_string_new(NULL);
	append_tree(tree, query->root);
	if (strcmp(tree->str, expected) != 0)
		g_error("\"%s\" is read as %s, not %s", text, tree->str, expected);
}

typedef struct {
	const char *text, *tree;
} Reading;

static const Reading words[] = {
        {"report", "any:report"},
        {"  report\t", "any:report"},
        {"report 2023", "(and any:report any:2023)"},
        {"Über", "any:uber"},
        {"naïve", "any:naive"},
        {"\"report\"", "=any:report"},
        {"=Report", "=any:report"},
        {"=\"annual report\"", "=any:annual report"},
        {"\"annual report\"", "=any:annual report"},
        {"\"annual report\"x", "=any:annual report"},
        {"\"annual report\"l next", "(and =any:annual report any:next)"},
        {"\"say \\\"yes\\\" now\"", "=any:say yes now"},
        {"\"what? [is] it\"", "=any:what is it"},
        {"a-b", "=any:a b|ab"},
        {"Wi-Fi, title:E\u2011Mail -covid-19",
                "(and =any:wi fi|wifi =title:e mail|email (not =any:covid 19|covid19))"},
        {"\"wi-fi\" =wi-fi wi-fi*", "(and =any:wi fi =any:wi fi =any:wi fi*)"},
        {"state-of-the-art x-y.txt lib_x-y",
                "(and =any:state of the art =any:x y txt =any:lib x y)"},
        {"well-known file_name.txt", "(and =any:well known|wellknown =any:file name txt)"},
        {"pre*", "any:pre*"},
        {"\"annual rep*\"", "=any:annual rep*"},
        {"a b OR c", "(and any:a (or any:b any:c))"},
        {"a OR b c", "(and (or any:a any:b) any:c)"},
        {"a OR b OR c", "(or any:a any:b any:c)"},
        {"a||b", "(or any:a any:b)"},
        {"a AND b", "(and any:a any:b)"},
        {"a AND b OR c", "(and any:a (or any:b any:c))"},
        {"(a b) OR c", "(or (and any:a any:b) any:c)"},
        {"(a OR b)OR c", "(or any:a any:b any:c)"},
        {"and or not", "(and any:and any:or any:not)"},
        {"\"AND\"", "=any:and"},
        {"ANDROID NOTE ORDER", "(and any:android any:note any:order)"},
        {"a -b", "(and any:a (not any:b))"},
        {"a -2023*", "(and any:a (not any:2023*))"},
        {"a !b", "(and any:a (not any:b))"},
        {"a NOT b", "(and any:a (not any:b))"},
        {"NOT b", "(not any:b)"},
        {"NOT FOUND", "(and any:not any:found)"},
        {"NOT \"FOUND\"", "(not =any:found)"},
        {"NOT \"2023\"", "(not =any:2023)"},
        {"NOT 東京", "(not any:東京)"},
        {"NOT (A OR 3)", "(not (or any:a any:3))"},
        {"NOT EXT:TXT", "(not ext[txt])"},
        {"\"a-b: c\" OR d", "(or =any:a b c any:d)"},
        {"title:\"a-b: c\" OR d", "(or =title:a b c any:d)"},
        {"--b", "any:b"},
        {"NOT -b", "any:b"},
        {"-(a b)", "(not (and any:a any:b))"},
        {"a OR -b", "(or any:a (not any:b))"},
        {"foo(bar)", "(and any:foo any:bar)"},
        {"日本語", "=any:日本 本語"},
        {"日", "any:日*"},
        {"日本2020年", "=any:日本 本 2020 年*"},
        {"\"日本 本 本語\"", "=any:日本 本 本 本語"},
        {"\"ab b 日本語\"", "=any:ab b 日本 本語"},
        {"http://example.org/a", "=any:http example org a"},
        {"https://example.org/~ann/a?b=[1]", "=any:https example org ann a b 1"},
        {"https://example.org/~2", "=any:https example org 2"},
        {"mid:17.x*y$z@example.org", "=any:17 x y z example org"},
        {"MAILTO:ann@example.org", "=any:ann example org"},
        {"at 12:30", "(and any:at =any:12 30)"},
        {"std::vector", "=any:std vector"},
};

/* Text that is typed or pasted without a thought of the language. */
static const Reading typed[] = {
        {"Smith & Sons", "(and any:smith any:sons)"},
        {"a - b", "(and any:a any:b)"},
        {"a -", "any:a"},
        {"a ... b", "(and any:a any:b)"},
        {"- & a", "any:a"},
        {"1.234,56 €", "=any:1 234 56"},
        {"smile 😀", "any:smile"},
        {"😀", "any:!*😀*"},
        {"name:😀", "filename:!*😀*"},
        {"name:&", "filename:!*&*"},
        {"name:*&*", "filename:!*&*"},
        {"Re: lunch", "any:lunch"},
        {"subject: lunch", "any:lunch"},
        {"From: Ann B <a@b.c>", "(and any:ann any:b =any:a b c)"},
        {"Von: Ann", "any:ann"},
        {"To: do", "(and any:to any:do)"},
        {"To: a@b.c", "=any:a b c"},
        {"from: ann", "(and any:from any:ann)"},
        {"Message-ID: <c1@b.c>", "=any:c1 b c"},
        {"date: 2025", "(and any:date any:2025)"},
        {"TODO: fix", "(and any:todo any:fix)"},
        {"[PATCH 1/2] x: y", "(and any:patch =any:1 2 any:x any:y)"},
        {"[PATCH] x", "(and any:patch any:x)"},
        {"sshd[12]: gone", "(and =any:sshd 12 any:gone)"},
        {"argv[1]", "(or any:?argv[1] =any:argv 1)"},
        {"5*3", "=any:5 3"},
        {"60*60*24=86400", "=any:60 60 24 86400"},
        {"0170*567", "any:?0170*567"},
        {"20250*14", "any:?20250*14"},
        {"[5]*3", "any:?[5]*3"},
        {"title:5*3", "title:?5*3"},
        {"5*3b", "any:?5*3b"},
        {"[ab", "any:ab"},
        {"[]c", "any:c"},
        {"why?", "any:why"},
        {"/a?b=c", "=any:a b c"},
        {"main()", "any:main"},
        {"f(x", "(and any:f any:x)"},
        {"a) x b) y", "(and any:a any:x any:b any:y)"},
        {":-) a", "any:a"},
        {"a b) c", "(and any:a any:b any:c)"},
        {"12\" vinyl", "(and any:12 any:vinyl)"},
        {"\"name\":\"value\"", "(and =any:name =any:value)"},
        {"\"a b\", c", "(and =any:a b any:c)"},
        {"\"a b\"~5", "=any:a b/5"},
        {"\"\" a", "any:a"},
        {"localhost:8080", "=any:localhost 8080"},
        {"main.c:12:5: error:", "(or (and =any:main c 12 5 any:error) =filename:main c)"},
        {"src/a.c:4:int x", "(or (and =any:src a c 4 int any:x) =filename:src a c)"},
        {"../b/a.zzz:12:5: x", "(or (and =any:b a zzz 12 5 any:x) =filename:b a zzz)"},
        {"core.c:4", "(or =any:core c 4 =filename:core c)"},
        {"src/a.c:12", "=any:src a c 12"},
        {"example.org:80 x", "(and =any:example org 80 any:x)"},
        {"TCP/IP:80 x", "(and =any:tcp ip 80 any:x)"},
        {"http://a.org/b.c:12 x", "(and =any:http a org b c 12 any:x)"},
        {"C:\\windows", "=any:c windows"},
        {"color:red;", "=any:color red"},
        {"urn:isbn:123", "=any:urn isbn 123"},
        {"user=root x", "(and =any:user root any:x)"},
        {"uid=0(root)", "(and =any:uid 0 any:root)"},
        {"type=submit", "=any:type submit"},
        {"title>x", "=any:title x"},
        {"größe>5", "size[6..+]"},
        {"filesize>5", "=any:filesize 5"},
        {"a->b", "=any:a b"},
        {"x != y", "(and any:x any:y)"},
        {"a && b", "(and any:a any:b)"},
        {"a |", "any:a"},
        {"a || ", "any:a"},
        {"|| a", "any:a"},
        {"- [x] pay a", "(and any:pay any:a)"},
        {"* [X] pay", "any:pay"},
        {"[x] pay", "(and any:x any:pay)"},
        {"a - [x] b", "(and any:a any:x any:b)"},
        {"tel:+491701234567", "any:491701234567"},
        {"TEL:0170-1234567 a", "(and =any:0170 1234567 any:a)"},
        {"-5 \u00b0C", "(and any:5 any:c)"},
        {"-20 % a", "(and any:20 any:a)"},
        {"GMT -5", "(and any:gmt any:5)"},
        {"(UTC -0500)", "(and any:utc any:0500)"},
        {"report -2023", "(and any:report (not any:2023))"},
        {"-5 C", "(and (not any:5) any:c)"},
        {"-----BEGIN KEY-----", "(and any:begin any:key)"},
        {"char *p;", "(and any:char any:p)"},
        {"*p = q;", "(and any:p any:q)"},
        {"char *p", "(and any:char any:?*p)"},
        {"***bold***", "any:?*bold*"},
        {"main.c~", "=any:main c"},
        {"git reset HEAD~3", "(and any:git any:reset =any:head 3)"},
        {"12.4~2", "=any:12 4 2"},
        {"grep -n word~1", "(and any:grep any:n =any:word 1)"},
        {"word~1 b", "(and any:word~1 any:b)"},
        {"OR GATE", "(and any:or any:gate)"},
        {"THIS AND", "(and any:this any:and)"},
        {"a\u00a0b\u3000c", "(and any:a any:b any:c)"},
        {"«a»", "any:a"},
        {"(?ingo)", "any:??ingo"},
        {"a (?ingo OR b)", "(and any:a (or any:??ingo any:b))"},
        {"title:(?ingo)", "title:??ingo"},
        {"(?sum OR b)", "(or any:??sum any:b)"},
        {"(?max) OR b", "(or any:??max any:b)"},
        {"(?i)a OR b", "(and any:i any:a any:or any:b)"},
        {"(?imx)a OR b", "(and any:imx any:a any:or any:b)"},
        {"(?s-m:a OR b)", "(and =any:s m a any:or any:b)"},
        {"(?:a OR b)", "(and any:a any:or any:b)"},
        {"a(?!b OR c)", "(and any:a any:b any:or any:c)"},
        {"(?<=a)b OR c", "(and any:a any:b any:or any:c)"},
        {"(?P<a>b OR c)", "(and =any:p a b any:or any:c)"},
        {"{\"a\": [1, 2]}", "(and =any:a any:1 any:2)"},
};

/* A pasted command has options, a query exclusions. */
static const Reading commands[] = {
        {"find . -name \"*.log\" -mtime +7 -delete",
                "(and any:find any:name =any:log any:mtime any:7 any:delete)"},
        {"openssl x509 -in a.pem -noout -text",
                "(and any:openssl any:x509 any:in =any:a pem any:noout any:text)"},
        {"java -jar server.jar -nogui", "(and any:java any:jar =any:server jar any:nogui)"},
        {"gcc -Wall -Wextra main.c", "(and any:gcc any:wall any:wextra =any:main c)"},
        {"netstat -tulpen", "(and any:netstat any:tulpen)"},
        {"git commit -am \"fix typo\"", "(and any:git any:commit any:am =any:fix typo)"},
        {"terraform apply -auto-approve",
                "(and any:terraform any:apply =any:auto approve|autoapprove)"},
        {"xset -dpms", "(and any:xset any:dpms)"},
        {"sudo tar -xzf a.tar.gz", "(and any:sudo any:tar any:xzf =any:a tar gz)"},
        {"/bin/tar -cf backup home", "(and =any:bin tar any:cf any:backup any:home)"},
        {"make -j4", "(and any:make any:j4)"},
        {"docker run -it alpine", "(and any:docker any:run any:it any:alpine)"},
        {"return -EINVAL;", "(and any:return any:einval)"},
        {"goto err; return -ENOMEM;", "(and any:goto any:err any:return any:enomem)"},
        {"find recipe -name", "(and any:find any:recipe (not any:name))"},
        {"find \"blue whale\" -type", "(and any:find =any:blue whale (not any:type))"},
        {"find recipe -chicken -rice",
                "(and any:find any:recipe (not any:chicken) (not any:rice))"},
        {"openssl book -key", "(and any:openssl any:book (not any:key))"},
        {"openssl x509 -text", "(and any:openssl any:x509 any:text)"},
        {"netstat port -open", "(and any:netstat any:port (not any:open))"},
        {"tail -n20 -f a", "(and any:tail any:n20 any:f any:a)"},
        {"kill -HUP 12", "(and any:kill any:hup any:12)"},
        {"openssl -heartbleed", "(and any:openssl (not any:heartbleed))"},
        {"java -island", "(and any:java (not any:island))"},
        {"tar -craft -pitch", "(and any:tar (not any:craft) (not any:pitch))"},
        {"go -game", "(and any:go (not any:game))"},
        {"python -snake", "(and any:python (not any:snake))"},
        {"find report -name ext:pdf", "(and any:find any:report (not any:name) ext[pdf])"},
        {"find . -name ext:pdf", "(and any:find (not any:name) ext[pdf])"},
        {"report -2023", "(and any:report (not any:2023))"},
};

/* The spellings of other programs. */
static const Reading others[] = {
        {"size:>1M", "size[1000001..+]"},
        {"size:<=1M", "size[-..1000000]"},
        {"larger:5M", "size[5000000..+]"},
        {"gr\u00f6\u00dfer:1M groesser:1M", "(and size[1000000..+] size[1000000..+])"},
        {"kleiner:10k", "size[-..10000]"},
        {"\u00e4lter:2025 aelter:2025", "(and date[-..1735689599] date[-..1735689599])"},
        {"\u00c4lter:3t", "date[-..1779019199]"},
        {"\u00e4lter:30d", "date[-..1776686399]"},
        {"neuer:2025", "date[1735689600..+]"},
        {"alter:3t", "=any:alter 3t"},
        {"date:juni 2026", "date[1780272000..1782863999]"},
        {"date:June 2026 report", "(and date[1780272000..1782863999] any:report)"},
        {"datum:m\u00e4rz 2026", "date[1772323200..1775001599]"},
        {"date:\"14. m\u00e4rz 2026\"", "date[1773446400..1773532799]"},
        {"date:14. m\u00e4rz 2026 x", "(and date[1773446400..1773532799] any:x)"},
        {"date:\"March 14, 2026\"", "date[1773446400..1773532799]"},
        {"date:March 14th, 2026", "date[1773446400..1773532799]"},
        {"(date:14 de marzo de 2026)", "date[1773446400..1773532799]"},
        {"date:june 2026..July 2026 a", "(and date[1780272000..1785542399] any:a)"},
        {"date:june 2026.. a", "(and date[1780272000..+] any:a)"},
        {"date:2026 june", "(and date[1767225600..1798761599] any:june)"},
        {"before:2025", "date[-..1735689599]"},
        {"after:2025", "date[1767225600..+]"},
        {"since:2025", "date[1735689600..+]"},
        {"until:2025", "date[-..1767225599]"},
        {"newer_than:1d", "date[1779192000..+]"},
        {"date:>2025", "date[1767225600..+]"},
        {"date:14.03.2025", "date[1741910400..1741996799]"},
        {"date:14/03/2025", "date[1741910400..1741996799]"},
        {"date:03/14/2025", "date[1741910400..1741996799]"},
        {"date:2025/03/14", "date[1741910400..1741996799]"},
        {"date:1.3.2025..14.03.2025", "date[1740787200..1741996799]"},
        {"folder:/a", "dir[/a]"},
        {"path:a/b", "dir[a/b]"},
        {"type:pdf", "mime[application/pdf]"},
        {"type:Document", "type[document]"},
        {"filetype:docx", "ext[docx]"},
        {"kind:music", "type[audio]"},
        {"type:pdf,image", "(or mime[application/pdf] type[image])"},
        {"sender:ada", "author:ada"},
        {"intitle:report", "title:report"},
};

static const Reading fields[] = {
        {"title:report", "title:report"},
        {"subject:report", "title:report"},
        {"caption:x", "title:x"},
        {"TITLE=report", "title:report"},
        {"title:\"annual report\"", "=title:annual report"},
        {"title:(a OR b) c", "(and (or title:a title:b) any:c)"},
        {"from:ada to:bob cc:carl", "(and author:ada to:bob cc:carl)"},
        {"author:john,lennon", "(and author:john author:lennon)"},
        {"author:john/ringo", "(or author:john author:ringo)"},
        {"author:\"john,lennon\"", "=author:john lennon"},
        {"-author:john", "(not author:john)"},
        {"keyword:a tag:b", "(and keyword:a keyword:b)"},
        {"heading:a body:b anchor:c comment:d", "(and heading:a body:b anchor:c comment:d)"},
        {"filename:a name:b*", "(and filename:a filename:b*)"},
        {"ext:pdf,ODT", "ext[pdf odt]"},
        {"ext:.tar.gz", "ext[tar.gz]"},
        {"ext:(pdf OR odt)", "(or ext[pdf] ext[odt])"},
        {"mime:text/* x", "(and mime[text/*] any:x)"},
        {"type:document,folder", "type[document folder]"},
        {"lang:en,de", "lang[en de]"},
        {"is:dir", "is[dir]"},
        {"sum:00112233445566778899AABBCCDDEEFF", "sum[00112233445566778899aabbccddeeff]"},
        {"owner:0", "owner[0]"},
        {"owner:0,1", "(or owner[0] owner[1])"},
        {"perm:644", "perm[644]"},
        {"perm:o+r", "perm[o+r]"},
        {"dir:/a/b/", "dir[/a/b]"},
        {"dir:\"/a b/c\"", "dir[/a b/c]"},
        {"dir:a/b", "dir[a/b]"},
        {"dir:./x", "dir[/home/u/here/x]"},
        {"dir:..", "dir[/home/u]"},
        {"in:x", "in[/home/u/here/x]"},
        {"a OR ext:pdf", "(or any:a ext[pdf])"},
        {"has:attachment", "has[attachment]"},
        {"is:offline", "is[offline]"},
        {"near:a.txt", "near[a.txt]"},
        {"near:a~b.txt~5 x", "(and near[a~b.txt] any:x)"},
        {"near:\"a~5\"", "near[a~5]"},
        {"related:a~5 x", "(and related[a~5] any:x)"},
        {"-related:\"a b.txt\"", "(not related[a b.txt])"},
};

static const Reading apart[] = {
        {"a NEAR b", "any:a b/10"},
        {"a NEAR/5 b c", "(and any:a b/5 any:c)"},
        {"a ADJ/3 b", "any:a b/3!"},
        {"a NEAR/4 b NEAR/4 c", "any:a b c/4"},
        {"\"a b\" NEAR c", "=any:a b c/10"},
        {"title:(a NEAR b)", "title:a b/10"},
        {"a NEAR b*", "any:a b*/10"},
        {"a NEAR (b OR c)", "(or any:a b/10 any:a c/10)"},
        {"(a OR b) NEAR/3 (c OR \"d e\")", "(or any:a c/3 =any:a d e/3 any:b c/3 =any:b d e/3)"},
        {"a NEAR (b OR c) NEAR d", "(or any:a b d/10 any:a c d/10)"},
        {"NEAREST near/x ADJ-x", "(and any:nearest =any:near x =any:adj x|adjx)"},
        {"\"NEAR/x\"", "=any:near x"},
        {"\"a b\"p", "=any:a b/10"},
        {"\"a b c\"p3", "=any:a b c/3"},
        {"\"a b\"o", "=any:a b/10!"},
        {"\"a b\"o5", "=any:a b/5!"},
        {"\"a b\"xl", "=any:a b"},
        {"\"a\"p", "=any:a"},
        {"*mid*", "any:?*mid*"},
        {"*port-20*", "=any:?*port 20*"},
        {"Re?ort-20?3", "=any:?re?ort 20?3"},
        {"*port-", "any:?*port"},
        {"filename:*Baz.c", "=filename:?*baz c"},
        {"*.c", "any:!*.c"},
        {"filename:[-_]x*", "filename:![-_]x*"},
        {"*日本語*", "any:!*日本語*"},
        {"W?rd", "any:?w?rd"},
        {"[ab]C", "any:?[ab]c"},
        {"[!a-c]\xc3\xa4x", "any:?[^a-c]ax"},
        {"helo~", "any:helo~1"},
        {"hellos~", "any:hellos~2"},
        {"hello~2", "any:hello~2"},
        {"title:helo~1", "title:helo~1"},
        {"\"helo~\"", "=any:helo"},
};

static const Reading spans[] = {
        {"size:10k..2M", "size[10000..2000000]"},
        {"size>1M", "size[1000001..+]"},
        {"size > 1M", "size[1000001..+]"},
        {"size>=1MiB", "size[1048576..+]"},
        {"size<1.5k", "size[-..1499]"},
        {"size<=2Gi", "size[-..2147483648]"},
        {"size:0", "size[0..0]"},
        {"duration:90", "duration[90..90]"},
        {"duration:90s..1h30min", "duration[90..5400]"},
        {"duration>10min", "duration[601..+]"},
        {"pages:12", "pages[12..12]"},
        {"pages>=100", "pages[100..+]"},
        {"size:..64Ki", "size[-..65536]"},
        {"size:9007199254740993", "size[9007199254740993..9007199254740993]"},
        {"date:2026", "date[1767225600..1798761599]"},
        {"date:2026-03", "date[1772323200..1775001599]"},
        {"date:2026-03-01", "date[1772323200..1772409599]"},
        {"date:2024-02-29", "date[1709164800..1709251199]"},
        {"date:2025..2026-03", "date[1735689600..1775001599]"},
        {"date:2025/2026-03", "date[1735689600..1775001599]"},
        {"date:2026..", "date[1767225600..+]"},
        {"date:..2025", "date[-..1767225599]"},
        {"date>2025", "date[1767225600..+]"},
        {"date>=2025", "date[1735689600..+]"},
        {"date<2026", "date[-..1767225599]"},
        {"date<=2026", "date[-..1798761599]"},
        {"date:today", "date[1779235200..1779321599]"},
        {"date:yesterday", "date[1779148800..1779235199]"},
        {"date:thisweek", "date[1779062400..1779667199]"},
        {"date:lastweek", "date[1778457600..1779062399]"},
        {"date:lastmonth", "date[1775001600..1777593599]"},
        {"date:lastyear", "date[1735689600..1767225599]"},
        {"modified:30d", "modified[1776686400..+]"},
        {"modified:30d..", "modified[1776686400..+]"},
        {"modified:2w..1w", "modified[1778068800..1778673600]"},
        {"modified:36h", "modified[1779148800..+]"},
        {"modified:90min", "modified[1779273000..+]"},
        {"modified:3mo", "modified[1771588800..+]"},
        {"modified:1y", "modified[1747742400..+]"},
        {"modified<1d", "modified[-..1779191999]"},
        {"modified:yesterday..today", "modified[1779148800..1779321599]"},
};

static const Reading web[] = {
        {"site:Example.ORG", "site[example.org]"},
        {"site:*.example.org", "site[example.org]"},
        {"site:.example.org:8080", "site[example.org:8080]"},
        {"site:example.org/docs/", "site[example.org/docs]"},
        {"site:example.org/a/../b/./c", "site[example.org/b/c]"},
        {"site:b\xc3\xbc\x63her.example", "site[xn--bcher-kva.example]"},
        {"site:https://example.org/docs", "site[https://example.org/docs]"},
        {"site:localhost x", "(and site[localhost] any:x)"},
        {"site:a.org,b.org/c", "(or site[a.org] site[b.org/c])"},
        {"site:(a.org OR b.org)", "(or site[a.org] site[b.org])"},
        {"site:\"a.org/x,y z\"", "site[a.org/x,y%20z]"},
        {"-site:a.org", "(not site[a.org])"},
        {"source:Feed", "source[feed]"},
        {"source:web,file -source:site", "(and (or source[web] source[file]) (not source[web]))"},
        {"url:HTTPS://Example.org:443/a/./b#c", "url[https://example.org/a/b]"},
        {"url:https://a.org/x,y?b=1&a=2", "url[https://a.org/x,y?a=2&b=1]"},
        {"url:https://a.org/x,http://b.org", "(or url[https://a.org/x] url[http://b.org/])"},
        {"url:a.org/x", "(or url[http://a.org/x] url[https://a.org/x])"},
        {"inurl:HowTo", "inurl[howto]"},
        {"inurl:*man/*.1*", "inurl[man/*.1]"},
        {"inurl:\xc3\x84rger,page=2", "(or inurl[arger] inurl[page=2])"},
        {"dir:https://example.org/docs/", "site[https://example.org/docs]"},
        {"in:http://example.org", "site[http://example.org]"},
        {"url: x source: y", "(and any:url any:x any:source any:y)"},
};

/* A query that names a page says so beside its words. */
static void test_pasted_url(void)
{
	static const char *const texts[][2] = {
	        {"https://Example.org/a/../b?x#y", "https://example.org/b?x"},
	        {"\"http://example.org/b\"", "http://example.org/b"},
	        {"https://example.org/~ann/*", NULL},
	        {"src/main.c", "src/main.c"},
	        {"https://", NULL},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		QueryFault fault;
		g_autoptr(Query) query = query_parse(texts[i][0], &plain, &fault, NULL);
		g_assert_nonnull(query);
		g_assert_cmpstr(query->root->path, ==, texts[i][1]);
	}
}

static void test_wrong_web_values(void)
{
	static const char *const texts[] = {"site:", "site:\"a b\"", "site:ftp://a.org",
	        "site:a,,b", "source:book", "url:\"a b\"", "url:mailto:a@b", "url:https://",
	        "inurl:*", "site:[::1", "inurl:a,"};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		QueryFault fault;
		g_autoptr(GError) error = NULL;
		g_autoptr(Query) query = query_parse(texts[i], &plain, &fault, &error);
		if (query)
			g_error("\"%s\" is not a fault", texts[i]);
		g_assert_error(error, QUERY_ERROR, 0);
		g_assert_cmpuint(fault.position + fault.length, <=, strlen(texts[i]));
		g_free(fault.hint);
	}
}

static void test_readings(const void *data)
{
	const Reading *table = data;
	for (; table->text; table++)
		assert_reads(table->text, &plain, table->tree);
}

static void test_dates_of_mails(void)
{
	static const Reading dates[] = {
	        {"Date: Tue, 3 Mar 2026 10:00:00 +0100",
	                "(or =any:tue 3 mar 2026 10 00 00 0100 sent[1772528400..1772528400])"},
	        {"Date: 3 Mar 2026 02:00:01 -0700 (MST)",
	                "(or =any:3 mar 2026 02 00 01 0700 mst sent[1772528401..1772528401])"},
	        {"Sent: Tuesday, March 3, 2026 9:00 PM",
	                "(or =any:tuesday march 3 2026 9 00 pm sent[1772571600..1772571659])"},
	        {"Gesendet: Dienstag, 3. M\u00e4rz 2026 10:00",
	                "(or =any:dienstag 3 marz 2026 10 00 sent[1772532000..1772532059])"},
	        {"Datum: 3. M\u00e4rz 2026", "(or =any:3 marz 2026 sent[1772496000..1772582399])"},
	        {"Date: 3 Mar 2026 10:00:00:00:00",
	                "(or =any:3 mar 2026 10 00 00 00 00 sent[1772496000..1772582399])"},
	        {"Date: tomorrow", "(and any:date any:tomorrow)"},
	        {"Date: 30 Feb 2026", "(and any:date any:30 any:feb any:2026)"},
	        {"Update: 3 Mar 2026", "(and any:update any:3 any:mar any:2026)"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(dates); i++)
		assert_reads(dates[i].text, &plain, dates[i].tree);
}

static void test_first_names(void)
{
	g_assert_null(query_scope_name(SCOPE_ANY));
	for (int scope = SCOPE_ANY + 1; scope < N_SCOPES; scope++)
		g_assert_cmpstr(query_scope_name(scope), ==, scopes[scope]);
	g_assert_null(query_filter_name(FILTER_ALL));
	for (int filter = 0; filter < FILTER_ALL; filter++)
		g_assert_cmpstr(query_filter_name(filter), ==, filters[filter]);
}

static void test_options(void)
{
	QueryOptions any = plain, exact = plain, names = plain;
	any.any = true;
	exact.exact = true;
	names.filenames = true;
	assert_reads("a b ext:pdf -c", &any, "(and ext[pdf] (not any:c) (or any:a any:b))");
	assert_reads("a AND b c", &any, "(or (and any:a any:b) any:c)");
	assert_reads("ext:pdf", &any, "ext[pdf]");
	assert_reads("a", &exact, "=any:a");
	assert_reads("a title:b", &names, "(and filename:a title:b)");
}

static void test_owner_by_name(void)
{
	const struct passwd *root = getpwuid(0);
	if (!root) {
		g_test_skip("no user 0");
		return;
	}
	g_autofree char *text = g_strconcat("owner:", root->pw_name, NULL);
	QueryFault fault;
	g_autoptr(Query) query = query_parse(text, &plain, &fault, NULL);
	g_assert_cmpint(query->root->low, ==, 0);
}

static void test_permission_bits(void)
{
	QueryFault fault;
	g_autoptr(Query) octal = query_parse("perm:640", &plain, &fault, NULL);
	g_assert_cmpint(octal->root->low, ==, 07777);
	g_assert_cmpint(octal->root->high, ==, 0640);
	g_autoptr(Query) without = query_parse("perm:go-w", &plain, &fault, NULL);
	g_assert_cmpint(without->root->low, ==, 022);
	g_assert_cmpint(without->root->high, ==, 0);
}

static char *tree_of(const char *text)
{
	QueryFault fault = {0};
	g_autoptr(GError) error = NULL;
	GString *out = g_string_new(NULL);
	g_autoptr(Query) query = query_parse(text, &plain, &fault, &error);
	if (!query)
		g_error("\"%s\": %s", text, error->message);
	append_tree(out, query->root);
	return g_string_free(out, FALSE);
}

/* A query in its normal form is parsed to the same tree. Ages become points in time, which the
 * language cannot write. */
static void test_normal_reads_the_same(gconstpointer data)
{
	for (const Reading *r = data; r->text; r++) {
		QueryFault fault;
		g_autoptr(Query) query = query_parse(r->text, &plain, &fault, NULL);
		g_autofree char *normal = query_normal(query);
		if (strchr(r->text, '?') || strstr(r->text, "argv[") ||
		        g_regex_match_simple("[0-9]T[0-9]", normal, 0, 0))
			continue;
		g_autofree char *tree = tree_of(normal);
		if (strcmp(tree, r->tree) != 0)
			g_error("\"%s\", in full \"%s\": %s, not %s", r->text, normal, tree,
			        r->tree);
	}
}

static void test_normal(void)
{
	static const char *const texts[][2] = {
	        {"a b OR c", "a AND (b OR c)"},
	        {"(=A a) OR -b", "(\"a\" AND a) OR NOT b"},
	        {"title:(a NEAR b*)", "title:(a NEAR/10 b*)"},
	        {"東京都タワー", "\"東京都タワー\""},
	        {"\"東京 都 x\" 日本2020年", "\"東京 都 x\" AND \"日本 2020 年*\""},
	        {"size>1k date:2026-03", "size:1001.. AND date:2026-03-01..2026-03-31"},
	        {"modified:35h", "modified:2026-05-19T01:00:00.."},
	        {"dir:\"/a b\" -ext:pdf,ODT", "dir:\"/a b\" AND NOT ext:pdf,odt"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		QueryFault fault;
		g_autoptr(Query) query = query_parse(texts[i][0], &plain, &fault, NULL);
		g_autofree char *normal = query_normal(query);
		g_assert_cmpstr(normal, ==, texts[i][1]);
	}
}

static void test_explain_names_every_condition(void)
{
	QueryFault fault;
	g_autoptr(Query) query = query_parse("a -title:b* ext:pdf size>1k", &plain, &fault, NULL);
	g_autofree char *text = query_explain(query);
	g_assert_nonnull(strstr(text, "\"a\""));
	g_assert_nonnull(strstr(text, "not:\n    the word \"b*\" in the title"));
	g_assert_nonnull(strstr(text, "extension pdf"));
	g_assert_nonnull(strstr(text, "size from 1001"));
}

#define ADD_TABLE(path, table)                                                                     \
	do {                                                                                       \
		static Reading ended[G_N_ELEMENTS(table) + 1];                                     \
		memcpy(ended, table, sizeof table);                                                \
		g_test_add_data_func(path, ended, test_readings);                                  \
		g_test_add_data_func(path "-in-full", ended, test_normal_reads_the_same);          \
	} while (0)

int main(int argc, char **argv)
{
	setenv("TZ", "UTC", 1);
	g_test_init(&argc, &argv, NULL);
	ADD_TABLE("/index/query/words-and-operators", words);
	ADD_TABLE("/index/query/fields-and-values", fields);
	ADD_TABLE("/index/query/typed-text-is-text", typed);
	ADD_TABLE("/index/query/commands-have-options", commands);
	ADD_TABLE("/index/query/spellings-of-other-programs", others);
	ADD_TABLE("/index/query/sites-and-sources", web);
	g_test_add_func("/index/query/pasted-url-names-its-page", test_pasted_url);
	g_test_add_func("/index/query/wrong-values-of-sites-are-faults", test_wrong_web_values);
	ADD_TABLE("/index/query/spans-of-time-and-size", spans);
	ADD_TABLE("/index/query/punctuation-between-words", apart);
	g_test_add_func("/index/query/normal-form-is-written-in-full", test_normal);
	g_test_add_func("/index/query/dates-of-mails-are-read", test_dates_of_mails);
	g_test_add_func("/index/query/fields-have-a-first-name", test_first_names);
	g_test_add_func("/index/query/options-become-conditions", test_options);
	g_test_add_func("/index/query/owner-can-be-a-name", test_owner_by_name);
	g_test_add_func("/index/query/permission-bits-are-read", test_permission_bits);
	g_test_add_func(
	        "/index/query/explain-names-every-condition", test_explain_names_every_condition);
	return g_test_run();
}
