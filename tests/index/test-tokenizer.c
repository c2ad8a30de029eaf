/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/tokenizer.h"
#include <string.h>

static int append(void *data, const char *token, int length, int start, int end)
{
	GString *out = data;
	if (out->len > 0)
		g_string_append_c(out, ' ');
	g_string_append_len(out, token, length);
	return 0;
}

static const struct {
	const char *name, *text, *terms, *query; /* query NULL: the text is tokenized as an indexed
	                                            one */
} cases[] = {
        {"words", "Hello, World-wide foo_bar.c a@b.org",
                "hello world worldwide wide foo bar c a b org",
                "hello world wide foo bar c a b org"},
        {"empty", "", ""},
        {"separators", " \t\n.,;-_/()[]{}'\"\x7f", ""},
        {"digits", "v2 3.14 ٣٤ ४२ ０１", "v2 3 14 34 42 01"},
        {"accents", "Ångström café naïve Dvořák", "angstrom cafe naive dvorak"},
        {"decomposed", "A\u030angstro\u0308m cafe\u0301", "angstrom cafe"},
        {"german", "Straße STRASSE ẞ Über", "strasse strasse ss uber"},
        {"turkish", "İstanbul ışık IŞIK", "istanbul isik isik"},
        {"resemble", "Ørsted Łódź Ðorđe Þór Æsir œuvre", "orsted lodz dorde thor aesir oeuvre"},
        {"greek", "Οδυσσέας ΟΔΥΣΣΈΑΣ", "οδυσσεασ οδυσσεασ"},
        {"cyrillic", "Ёлка ЙОД", "елка иод"},
        {"ligatures", "ﬁnd oﬀice ĳs", "find office ijs"},
        {"fullwidth", "ＡＢＣ１", "abc1 abc", "abc1"},
        {"superscript", "m² H₂O", "m2 h2o"},
        {"fraction", "1½ cups", "1 cups"},
        {"soft hyphen", "in\u00adter\u00adnet", "internet"},
        {"joiners", "می\u200cخواهم a\u200db", "میخواهم ab"},
        {"zero width space", "one\u200btwo", "one two"},
        {"catalan", "col·lecció coŀlecció", "col leccio colleccio"},
        {"arabic", "مُحَمَّد كـــتاب أحمد", "محمد كتاب احمد"},
        {"hebrew", "שָׁלוֹם", "שלום"},
        {"devanagari", "हिन्दी में", "हिन्दी में"},
        {"combining alone", "\u0301 a\u0301", "a"},
        {"han", "東京都", "東京 京都 都", "東京 京都"},
        {"han alone", "犬", "犬"},
        {"han and latin", "漢字kanji漢", "漢字 字 kanji 漢"},
        {"han compatibility", "\uf900\uf901", "豈更 更", "豈更"},
        {"kana", "ひらがな", "ひら らが がな な", "ひら らが がな"},
        {"kana decomposed", "か\u3099は\u309a", "がぱ ぱ", "がぱ"},
        {"kana half width", "ｶﾞｷﾞ ﾊﾟ", "ガギ ギ パ"},
        {"hangul", "한국어 말", "한국 국어 어 말"},
        {"hangul at the end", "a 한국어", "a 한국 국어 어", "a 한국 국어"},
        {"hangul decomposed", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국 국", "한국"},
        {"thai", "ที่นี่", "ที่นี่ นี่", "ที่นี่"},
        {"astral han", "\U00020000\U00020001", "\U00020000\U00020001 \U00020001",
                "\U00020000\U00020001"},
        {"deseret", "\U00010400", "\U00010428"},
        {"private use", "a\ue000b", "a b"},
        {"emoji", "I 💚 it", "i it"},
        {"invalid",
                "a\xff"
                "b\xc3(c\xe2\x82 d\xed\xa0\x80"
                "e\xf4\x90\x80\x80"
                "f\xc0\x80g",
                "a b c d e f g"},
        {"parts", "QuarterlyReport readXMLFile iPhone ABC",
                "quarterlyreport quarterly report readxmlfile read xml file iphone phone abc",
                "quarterlyreport readxmlfile iphone abc"},
        {"parts with digits", "QuarterlyReport2023v1 2023report getMD5Hash covid19 ٢٠٢٣taqrir",
                "quarterlyreport2023v1 quarterly report 2023 2023report 2023 report "
                "getmd5hash get md hash covid19 covid 19 2023taqrir 2023 taqrir",
                "quarterlyreport2023v1 2023report getmd5hash covid19 2023taqrir"},
        {"codes", "mp3 S01E02 10th x86 deadbeef1a2b3c 20230105",
                "mp3 s01e02 10th x86 deadbeef1a2b3c 20230105"},
        {"parts of any letters", "ÜbersichtÄnderung U\u0308berA\u0308ra ДокладЗаМай2023 ŽivotĐ",
                "ubersichtanderung ubersicht anderung uberara uber ara "
                "докладзамаи2023 доклад за маи 2023 zivotd zivot",
                "ubersichtanderung uberara докладзамаи2023 zivotd"},
        {"plus", "C++ g++, (C++) C++17 Gtk+-2.0 a+! TurboC++",
                "c c++ g g++ c c++ c c++ 17 gtk gtk+ 2 0 a a+ turboc turbo turboc++",
                "c++ g++ c++ c++ 17 gtk+ 2 0 a+ turboc++"},
        {"plus in brackets", "(g++) and (gcc, g++) or libstdc++)",
                "g g++ and gcc g g++ or libstdc libstdc++", "g++ and gcc g++ or libstdc++"},
        {"plus of code",
                "a+b i++; f(i++) (;; i++) v[n++] c++x x+=1 \\w+ $i++ a+++b abcdefghijklmnopq++",
                "a b i f i i v n c x x 1 w i a b abcdefghijklmnopq"},
        {"plus at other letters", "用C++写 Б++ cafe+Å a+б GTK+写 GTK+…",
                "用 c c++ 写 б cafe a a б gtk gtk+ 写 gtk gtk+",
                "用 c++ 写 б cafe a a б gtk+ 写 gtk+"},
        {"sharp", "C# F#. c#8 #include issue #12 xml# C## a#b &a#",
                "c c# f f# c c# 8 include issue 12 xml c a b a",
                "c# f# c# 8 include issue 12 xml c a b a"},
        {"dot", ".NET (.net) ASP.NET example.net ...net .deb",
                "net .net net .net asp net .net example net net deb",
                ".net .net asp .net example net net deb"},
        {"and", "AT&T q&a, R & D; AT&T labs", "at at&t t q q&a a r r&d d at at&t t labs",
                "at&t t q&a a r&d d at&t t labs"},
        {"and of code", "x=a&b=2 &nbsp;a&amp; r & d a&&b ABCD&E a&b_c",
                "x a b 2 nbsp a amp r d a b abcd e a b c"},
        {"hyphens", "Wi-Fi. e-mail: UTF-8, 7-Zip (covid-19)",
                "wi wifi fi e email mail utf utf8 8 7 7zip zip covid covid19 19",
                "wi fi e mail utf 8 7 zip covid 19"},
        {"other hyphens", "Groß-Auftrag, п\u2010р \"x\u2011y\"",
                "gross grossauftrag auftrag п пр р x xy y", "gross auftrag п р x y"},
        {"parts before hyphens", "iPad-App", "ipad pad ipadapp app", "ipad app"},
        {"divided by a line", "infor-\nmation out-\r\n  side",
                "infor information mation out outside side", "infor mation out side"},
        {"hyphens that join nothing",
                "a-b-c --dry-run /x-y/z p-q.txt r-s@t l -m n- 1-2 u-12345 "
                "Dr-\nNo v-w1 X_y-z a-b:80 c--d",
                "a b c dry run x y z p q txt r s t l m n 1 2 u 12345 dr no v w1 x y z a b 80 c "
                "d",
                "a b c dry run x y z p q txt r s t l m n 1 2 u 12345 dr no v w1 x y z a b 80 c d"},
        {"truncated at end", "abc\xe6\x9d", "abc"},
};

static void test_case(gconstpointer data)
{
	const size_t i = GPOINTER_TO_SIZE(data);
	g_autoptr(GString) terms = g_string_new(NULL);
	g_autoptr(GString) query = g_string_new(NULL);

	g_assert_cmpint(tokenize(cases[i].text, strlen(cases[i].text), append, terms), ==, 0);
	g_assert_cmpstr(terms->str, ==, cases[i].terms);
	tokenize_phrase(cases[i].text, strlen(cases[i].text), append, query);
	g_assert_cmpstr(query->str, ==, cases[i].query ? cases[i].query : cases[i].terms);
	g_autoptr(GString) again = g_string_new(NULL);
	tokenize_query(query->str, query->len, append, again);
	g_assert_cmpstr(again->str, ==, query->str);
}

static void test_fold(void)
{
	static const char *const texts[][2] = {
	        {"Report-2023 (Ångström).ODT", "report-2023 (angstrom).odt"},
	        {"Straße_Łódź", "strasse_lodz"},
	        {"in\u00adter – ＡＢ", "inter – ab"},
	        {"ｶﾞ\u1112\u1161\u11ab東京", "ガ한東京"},
	        {"a\xff"
	         "b\xc3\x81",
	                "ayba"},
	        {"", ""},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *folded = tokenize_fold(texts[i][0], strlen(texts[i][0]));
		g_assert_cmpstr(folded, ==, texts[i][1]);
	}
}

static void test_grams(void)
{
	static const char *const texts[][2] = {{"", ""}, {"ab", ""}, {"abc", "abc"},
	        {"a-b.c", "a-b -b. b.c"}, {"é東京x", "é東京 東京x"}};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GString) grams = g_string_new(NULL);
		g_assert_cmpint(tokenize_grams(texts[i][0], append, grams), ==, 0);
		g_assert_cmpstr(grams->str, ==, texts[i][1]);
	}
}

static void test_long_word(void)
{
	g_autofree char *text = g_malloc(1 << 20);
	g_autoptr(GString) out = g_string_new(NULL);
	memset(text, 'X', 1 << 20);
	tokenize(text, 1 << 20, append, out);
	g_assert_cmpuint(out->len, ==, TOKEN_MAX_BYTES);

	/* no letter is cut in two, and nothing after the first letter that does not fit is taken */
	g_autoptr(GString) word = g_string_new(NULL);
	for (unsigned i = 0; i < TOKEN_MAX_BYTES - 1; i++)
		g_string_append_c(word, 'a');
	g_string_append(word, "жb");
	g_string_truncate(out, 0);
	tokenize(word->str, word->len, append, out);
	g_assert_cmpuint(out->len, ==, TOKEN_MAX_BYTES - 1);
	g_assert_true(g_utf8_validate(out->str, -1, NULL));
}

/* Two words are one term if it is not cut. */
static void test_long_hyphen(void)
{
	for (unsigned more = 0; more < 2; more++) {
		g_autofree char *first = g_strnfill(TOKEN_MAX_BYTES / 2, 'a');
		g_autofree char *second = g_strnfill(TOKEN_MAX_BYTES / 2 - 1 + more, 'b');
		g_autofree char *text = g_strconcat(first, "-", second, NULL);
		g_autofree char *terms =
		        more ? g_strjoin(" ", first, second, NULL)
		             : g_strdup_printf("%s %s%s %s", first, first, second, second);
		g_autoptr(GString) out = g_string_new(NULL);
		tokenize(text, strlen(text), append, out);
		g_assert_cmpstr(out->str, ==, terms);
	}
}

static void test_many_marks(void)
{
	g_autoptr(GString) text = g_string_new("ก");
	g_autoptr(GString) out = g_string_new(NULL);
	for (unsigned i = 0; i < 1000; i++)
		g_string_append(text, "\u0e48");
	g_string_append(text, "ข");
	tokenize(text->str, text->len, append, out);
	g_assert_true(g_utf8_validate(out->str, -1, NULL));
	g_assert_cmpuint(out->len, <=, 2 * TOKEN_MAX_BYTES + 1);
}

typedef struct {
	const char *text;
	int expected[8][2];
	unsigned n;
} Offsets;

static int check_offsets(void *data, const char *token, int length, int start, int end)
{
	Offsets *offsets = data;
	g_assert_cmpint(start, ==, offsets->expected[offsets->n][0]);
	g_assert_cmpint(end, ==, offsets->expected[offsets->n][1]);
	offsets->n++;
	return 0;
}

static void test_offsets(void)
{
	Offsets offsets = {" Straße, 東京x Wi-Fi",
	        {{1, 8}, {10, 16}, {13, 16}, {16, 17}, {18, 20}, {18, 23}, {21, 23}}, 0};
	tokenize(offsets.text, strlen(offsets.text), check_offsets, &offsets);
	g_assert_cmpuint(offsets.n, ==, 7);
}

static int stop_at_second(void *data, const char *token, int length, int start, int end)
{
	return ++*(int *)data == 2 ? 7 : 0;
}

static void test_stop(void)
{
	int seen = 0;
	g_assert_cmpint(tokenize("a b c", 5, stop_at_second, &seen), ==, 7);
	g_assert_cmpint(seen, ==, 2);
	seen = 0;
	g_assert_cmpint(tokenize("一二三", 9, stop_at_second, &seen), ==, 7);
}

/* For any bytes, tokens are valid UTF-8, within bounds and in order. */
static int check_sane(void *data, const char *token, int length, int start, int end)
{
	int *last = data;
	g_assert_cmpint(length, >, 0);
	g_assert_cmpint(length, <=, TOKEN_MAX_BYTES);
	g_assert_true(g_utf8_validate(token, length, NULL));
	g_assert_cmpint(start, >=, *last);
	g_assert_cmpint(end, >, start);
	g_assert_cmpint(end, <=, 4096);
	*last = start;
	return 0;
}

static void test_random(void)
{
	static const char *const pieces[] = {"\xe6\x9d\xb1", "\u0e01", "\u0e48", "\u3099", "か",
	        "\u1112", "\u1161", "\u11ab", "ß", "\u0301", "a", " ", "\xff", "\ufdfa", "\uff9e"};
	for (unsigned round = 0; round < 300; round++) {
		char text[4096];
		size_t used = 0;
		while (used < sizeof(text) - 4) {
			if (g_test_rand_bit()) {
				text[used++] = g_test_rand_int_range(0, 256);
				continue;
			}
			const char *piece = pieces[g_test_rand_int_range(0, G_N_ELEMENTS(pieces))];
			memcpy(text + used, piece, strlen(piece));
			used += strlen(piece);
		}
		/* an allocation of its own, so that the sanitizer detects reading past the end */
		g_autofree char *exact = g_memdup2(text, used);
		int last = 0;
		tokenize(exact, used, check_sane, &last);
		last = 0;
		tokenize_query(exact, used, check_sane, &last);
		last = 0;
		tokenize_phrase(exact, used, check_sane, &last);
	}
}

/* Bytes that are not UTF-8 are characters of Windows-1252 in names; in texts they separate words.
 */
static void test_names(void)
{
	static const char *const names[][3] = {
	        {"gr\xfc\xdf"
	         "e-\x8a\xe9\x9c.txt",
	                "grusse grusseseoe seoe txt", "grusse-seoe.txt"},
	        {"\x81"
	         "a\x80\xff",
	                "a y",
	                "\xef\xbf\xbd"
	                "a€y"},
	        {"ü\xfc.c", "uu c", "uu.c"},
	        {"my_E-Mail-1_b-c.txt", "my e mail 1 b bc c txt", "my_e-mail-1_b-c.txt"},
	        {"QuarterlyR\xe9port", "quarterlyreport quarterly report", "quarterlyreport"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *name = names[i][0];
		g_autoptr(GString) terms = g_string_new(NULL);
		g_autofree char *folded = tokenize_fold(name, strlen(name));
		g_assert_cmpint(tokenize_name(name, strlen(name), append, terms), ==, 0);
		g_assert_cmpstr(terms->str, ==, names[i][1]);
		g_assert_cmpstr(folded, ==, names[i][2]);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = g_strdup_printf("/index/tokenizer/%s", cases[i].name);
		g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_case);
	}
	g_test_add_func("/index/tokenizer/letters-are-folded", test_fold);
	g_test_add_func("/index/tokenizer/names-in-other-charsets", test_names);
	g_test_add_func("/index/tokenizer/scripts-without-spaces-give-bigrams", test_grams);
	g_test_add_func("/index/tokenizer/long-words-are-cut", test_long_word);
	g_test_add_func("/index/tokenizer/long-hyphened-words", test_long_hyphen);
	g_test_add_func("/index/tokenizer/many-combining-marks-end-in-time", test_many_marks);
	g_test_add_func("/index/tokenizer/offsets-lie-in-the-text", test_offsets);
	g_test_add_func("/index/tokenizer/a-callback-can-stop", test_stop);
	g_test_add_func("/index/tokenizer/random-text-ends", test_random);
	return g_test_run();
}
