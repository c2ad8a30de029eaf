/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/language.h"
#include <glib.h>
#include <string.h>

/* Article 1 of the Universal Declaration of Human Rights, United Nations, and texts without a
 * language. */
static const struct {
	const char *name, *code, *text;
} samples[] = {
        {"english", "en",
                "All human beings are born free and equal in dignity and rights. They are endowed "
                "with "
                "reason and conscience and should act towards one another in a spirit of "
                "brotherhood."},
        {"german", "de",
                "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit "
                "Vernunft "
                "und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen."},
        {"french", "fr",
                "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont "
                "doués "
                "de raison et de conscience et doivent agir les uns envers les autres."},
        {"spanish", "es",
                "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados "
                "como "
                "están de razón y conciencia, deben comportarse fraternalmente los unos con los "
                "otros."},
        {"dutch", "nl",
                "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn "
                "begiftigd "
                "met verstand en geweten, en behoren zich jegens elkander te gedragen."},
        {"polish", "pl",
                "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. "
                "Są oni "
                "obdarzeni rozumem i sumieniem i powinni postępować w duchu braterstwa."},
        {"russian", "ru",
                "Все люди рождаются свободными и равными в своем достоинстве и правах. Они "
                "наделены "
                "разумом и совестью и должны поступать в отношении друг друга как братья, но не за "
                "что."},
        {"greek", "el", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια"},
        {"japanese", "ja",
                "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である"
                "。"},
        {"chinese", "zh",
                "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对"
                "待。"},
        {"korean", "ko", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."},
        /* clang-format does not settle on where to break this string. */
        /* clang-format off */
        {"persian", "fa",
                "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند. "
                "گفتگو"},
        /* clang-format on */
        {"norwegian", "nb",
                "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De "
                "er utstyrt med fornuft og samvittighet og bør handle mot hverandre i brorskapets "
                "ånd. Enhver har krav på alle de rettigheter og friheter som er nevnt i denne "
                "erklæring, uten forskjell av noen art, og det skal ikke være noen forskjell."},
        {"croatian", "hr",
                "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima. Ona su "
                "obdarena razumom i sviješću i trebaju jedna prema drugima postupati u duhu "
                "bratstva. Svakome su dostupna sva prava i slobode koje su navedene u ovoj "
                "deklaraciji bez razlike bilo koje vrste, kao što je rasa, boja, spol ili jezik."},
        {"code", NULL,
                "int x = y->next ? f(x, 3) : g(y); while (x--) { buffer[x] ^= 0x5a; emit(buffer, "
                "x); } "
                "return x;"},
        {"table", NULL,
                "Berlin 3755251 Hamburg 1892122 München 1512491 Köln 1084831 Frankfurt 773068 "
                "Stuttgart 632865 Düsseldorf 629047 Leipzig 616093 Dortmund 593317 Essen 584580"},
        {"little", NULL, "the end of it"},
        {"nothing", NULL, ""},
};

static void test_sample(gconstpointer data)
{
	const char *text = data, *code = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(samples); i++)
		if (samples[i].text == text)
			code = samples[i].code;
	g_assert_cmpstr(language_decide(NULL, text, strlen(text)), ==, code);
}

/* A sample may end within a character. */
static void test_cut(void)
{
	const char *text = samples[1].text;
	for (size_t length = 0; length < strlen(text); length++) {
		g_autofree char *exact = g_memdup2(text, length);
		const char *code = language_decide(NULL, exact, length);
		g_assert_true(!code || strcmp(code, "de") == 0);
	}
}

static const char *sample_in(const char *code)
{
	for (size_t i = 0; i < G_N_ELEMENTS(samples); i++)
		if (g_strcmp0(samples[i].code, code) == 0)
			return samples[i].text;
	g_assert_not_reached();
}

/* told: the language that the file declares; NULL: none. */
static void settles(const char *told, const char *text, const char *wanted)
{
	g_assert_cmpstr(language_decide(told, text, strlen(text)), ==, wanted);
}

static void test_settled(void)
{
	settles(NULL, sample_in("de"), "de");
	settles("de-at", sample_in("de"), "de-at");
	settles("en-us", sample_in("de"), "de");
	settles("de", sample_in("en"), "en");
	settles("ru", sample_in("en"), "en");
	settles("gsw", sample_in("de"), "gsw"); /* the declared language is unknown to us and may be
	                                           right */
	settles("no", sample_in("nb"), "no");
	settles("da", sample_in("nb"), "da"); /* the two languages share most small words */
	settles("sr-latn", sample_in("hr"), "sr-latn");
	settles("ja", sample_in("zh"), "ja");
	settles("en", "1 2 3", "en");
	settles(NULL, "1 2 3", NULL);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	language_preload();
	for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
		g_autofree char *path = g_strdup_printf("/extractors/language/%s", samples[i].name);
		g_test_add_data_func(path, samples[i].text, test_sample);
	}
	g_test_add_func("/extractors/language/a-cut-text-has-a-language", test_cut);
	g_test_add_func("/extractors/language/declaration-and-detection-are-weighed", test_settled);
	return g_test_run();
}
