/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/language.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum {
	MIN_WORDS = 12, /* fewer words tell nothing */
	MIN_HITS = 5,
	MIN_SHARE = 12, /* at least one word in this many must be a small word of the language */
	MIN_LETTERS = 16, /* of one script */
	MAX_WORD_BYTES = 24,
	WEIGHT = 60, /* of a word of one language; languages that have the same word share it */
};

static const struct {
	const char *code, *words;
} languages[] = {
        {"en", "the of and to in is that it for was on are as with be at by this have from or an "
               "not "
               "but which you they we can will if their has been were more when there its may"},
        {"de", "der die und das in den von zu mit sich des auf für ist im dem nicht ein eine als "
               "auch "
               "es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem "
               "über so "
               "zum haben nur oder aber vor zur bis mehr durch sein kann"},
        {"fr", "le la les de des du et un une en à dans que qui est pour par sur au aux avec ne "
               "pas ce "
               "se sont plus cette ou il elle vous nous son ses mais être ont comme été leur ces "
               "si "
               "fait peut l'on d'un d'une"},
        {"es", "el la los las de del y en un una que es por para con no se su al lo como más o "
               "pero sus "
               "le ha si sobre este entre cuando todo esta son también fue hay ser está muy sin "
               "desde"},
        {"it", "il lo la i gli le di del della dei delle e in un una che è per con non si su al "
               "alla da "
               "dal come più o ma sono anche questo nel nella se ha essere dalla ai ci loro cui "
               "stato"},
        {"pt", "o a os as de do da dos das e em um uma que é para com não se no na por mais ao "
               "como mas "
               "ou seu sua foi são nos nas pelo pela também ser quando muito há já está isso este "
               "essa"},
        {"nl", "de het een en van in is dat op te voor met zijn die niet aan er om als ook door "
               "naar bij "
               "maar uit worden wordt heeft over of dan nog kan deze meer hebben was dit tot u "
               "geen"},
        {"sv", "och i att det som en på är av för med till den har de inte om ett man var från men "
               "så kan "
               "jag eller vid också när ska alla efter nu under där hade sig ut mot bara"},
        {"da", "og i at det som en på er af for med til den har de ikke om et der var fra men så "
               "kan jeg "
               "eller ved også når skal alle efter nu under hvor havde sig ud mod kun blev blive "
               "denne"},
        {"nb", "og i å det som en på er av for med til den har de ikke om et var fra men så kan "
               "jeg eller "
               "ved også når skal alle etter nå under hvor hadde seg ut mot bare ble denne dette "
               "være"},
        {"fi", "ja on ei se että oli hän mutta ovat kun niin tai myös kuin joka jos ole vain voi "
               "sekä sen "
               "tämä mukaan olla ollut mitä jonka nyt sitä tämän ne siitä voidaan"},
        {"et", "ja on ei see et oli kui ta ka ning mis või aga oma siis seda kes selle nii pole "
               "olid "
               "võib üks välja mille tema kuid juba saab"},
        {"pl", "i w na z do nie się że to jest o od za po przez a ale jak dla co są tym tego być "
               "oraz "
               "lub jego które który może przy czy tylko już pod ich było ze"},
        {"cs", "a v na se je že to s z do o ve pro i za jako by po k ale od byl jsou který které "
               "jeho nebo "
               "také může být však tak jen při ze až co aby"},
        {"sk", "a v na sa je že to s z do o vo pre aj za ako by po k ale od bol sú ktorý ktoré "
               "jeho alebo "
               "tiež môže byť však tak len pri zo až čo aby"},
        {"sl", "in je v na se da za so z s pa ki ne od po ali tudi kot pri kako bi ni še lahko bo "
               "tega "
               "več jih iz do med"},
        {"hr", "i je u na se da za su od s ne koji koje kao iz bi ili po ali do to što samo biti "
               "može "
               "prema više te kako nije nakon uz"},
        {"hu", "a az és hogy nem is egy ez van volt de meg csak el ha mint vagy még már ki kell "
               "lehet "
               "mert után amely ezt azt minden pedig lesz itt"},
        {"ro", "și şi de la în a o să cu pe nu este un din pentru ce mai care sau prin fi au ca "
               "sunt "
               "dar al ale lui fost după aceasta poate fie către"},
        {"ca", "el la els les de del i en un una que és per amb no es al com més o però seva seu "
               "aquesta "
               "aquest també són ha va si entre quan sobre dels fer pels ser"},
        {"tr", "ve bir bu da de için ile olarak çok daha gibi olan kadar ya en ne sonra ancak her "
               "değil "
               "var veya ki olduğu ise mi şekilde tarafından"},
        {"id", "yang dan di untuk dari dengan ini pada tidak adalah dalam itu akan ke atau oleh "
               "sebagai "
               "juga dapat telah anda bisa karena saat ada"},
        {"lt", "ir yra kad į iš su tai ne buvo bet kaip į už apie ar jo nuo jau tik dar bei gali "
               "prie "
               "arba būti šis kuris taip pat savo"},
        {"lv", "un ir no ar par uz kas lai ka bet kā arī tā nav tika var pēc vai šo savu gan tas "
               "tiek "
               "būt kad šī viņa pie vēl"},
        {"vi", "và của là có trong được cho không các một những với người này để khi đã về từ như "
               "ra nhưng đến sẽ tại bạn"},
        {"ru", "и в не на что с по как это из для к от но а его за же все так или бы то был до при "
               "если у о можно быть только они мы вы также"},
        {"uk", "і в не на що з та як це до для від але його за же так або був при якщо у про бути "
               "тільки вони ми ви також та й ж щоб"},
        {"bg", "и на в не да за се от с е че са като по но този която който до това или при си ще "
               "след може беше те бъде има"},
        {"sr", "и у је на се да за су од са не који које као из би или по али до то што само бити "
               "може према"},
};

/* Scripts that tell the language. The first two rows are kana. */
static const struct {
	GUnicodeScript script;
	const char *code;
} scripts[] = {
        {G_UNICODE_SCRIPT_HIRAGANA, "ja"},
        {G_UNICODE_SCRIPT_KATAKANA, "ja"},
        {G_UNICODE_SCRIPT_HANGUL, "ko"},
        {G_UNICODE_SCRIPT_HAN, "zh"},
        {G_UNICODE_SCRIPT_THAI, "th"},
        {G_UNICODE_SCRIPT_GREEK, "el"},
        {G_UNICODE_SCRIPT_HEBREW, "he"},
        {G_UNICODE_SCRIPT_ARABIC, "ar"},
        {G_UNICODE_SCRIPT_DEVANAGARI, "hi"},
        {G_UNICODE_SCRIPT_GEORGIAN, "ka"},
        {G_UNICODE_SCRIPT_ARMENIAN, "hy"},
};

G_STATIC_ASSERT(G_N_ELEMENTS(languages) <= 32);

/* word -> bits of the languages that have it; language_preload() fills it once */
static GHashTable *small_words;

void language_preload(void)
{
	if (small_words)
		return;
	small_words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(languages); i++) {
		g_auto(GStrv) words = g_strsplit(languages[i].words, " ", -1);
		for (char **word = words; *word; word++) {
			unsigned bits = GPOINTER_TO_UINT(g_hash_table_lookup(small_words, *word));
			g_hash_table_insert(
			        small_words, g_strdup(*word), GUINT_TO_POINTER(bits | 1u << i));
		}
	}
}

/* ---- counting */

typedef struct {
	unsigned words, letters;
	unsigned by_script[G_N_ELEMENTS(scripts)];
	unsigned hits[G_N_ELEMENTS(languages)], weights[G_N_ELEMENTS(languages)];
	unsigned persian; /* letters that Persian has and Arabic has not */
} Counts;

static void language_count_word(Counts *counts, const char *word)
{
	unsigned bits = GPOINTER_TO_UINT(g_hash_table_lookup(small_words, word));
	unsigned sharing = __builtin_popcount(bits);
	counts->words++;
	for (unsigned i = 0; bits; i++, bits >>= 1) {
		if (!(bits & 1))
			continue;
		counts->hits[i]++;
		counts->weights[i] += WEIGHT / sharing;
	}
}

static void count_letter(Counts *counts, gunichar c)
{
	counts->letters++;
	if (c < 0x370)
		return;
	counts->persian += c == 0x067e || c == 0x0686 || c == 0x06af || c == 0x06cc || c == 0x06a9;
	GUnicodeScript script = g_unichar_get_script(c);
	for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++)
		counts->by_script[i] += scripts[i].script == script;
}

static void language_count(Counts *counts, const char *text, size_t length)
{
	char word[MAX_WORD_BYTES + 8];
	size_t used = 0;
	const char *end = text + length;
	for (const char *p = text; p < end; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char_validated(p, end - p);
		if (c == (gunichar)-1 || c == (gunichar)-2)
			break;
		if (g_unichar_isalpha(c) || g_unichar_ismark(c)) {
			count_letter(counts, c);
			if (used <= MAX_WORD_BYTES)
				used += g_unichar_to_utf8(g_unichar_tolower(c), word + used);
			continue;
		}
		word[used] = '\0';
		if (used > 0)
			language_count_word(counts, word);
		used = 0;
	}
}

/* ---- judging */

/* Kana distinguish Japanese from Chinese, though most of its characters are Chinese too. */
static const char *by_script(const Counts *counts)
{
	unsigned script_letters = 0, best = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++) {
		script_letters += counts->by_script[i];
		if (counts->by_script[i] > counts->by_script[best])
			best = i;
	}
	if (script_letters < MIN_LETTERS || script_letters * 4 < counts->letters)
		return NULL;
	if ((counts->by_script[0] + counts->by_script[1]) * 10 > script_letters)
		return "ja";
	if (strcmp(scripts[best].code, "ar") == 0 && counts->persian * 50 > script_letters)
		return "fa";
	return scripts[best].code;
}

static const char *by_words(const Counts *counts)
{
	size_t best = 0, second = 1;
	for (size_t i = 1; i < G_N_ELEMENTS(languages); i++) {
		if (counts->weights[i] > counts->weights[best]) {
			second = best;
			best = i;
		} else if (counts->weights[i] > counts->weights[second] || second == best) {
			second = i;
		}
	}
	bool enough = counts->words >= MIN_WORDS && counts->hits[best] >= MIN_HITS &&
	              counts->hits[best] * MIN_SHARE >= counts->words;
	bool clear = counts->weights[best] * 10 >= counts->weights[second] * 12;
	return enough && clear ? languages[best].code : NULL;
}

static const char *language_judge(const Counts *counts)
{
	const char *code = by_script(counts);
	return code ? code : by_words(counts);
}

/* Returns the index among the languages that small words tell; -1: it is none of them. */
static int index_of(const char *told)
{
	for (size_t i = 0; i < G_N_ELEMENTS(languages); i++) {
		size_t length = strlen(languages[i].code);
		if (g_ascii_strncasecmp(told, languages[i].code, length) == 0 &&
		        !g_ascii_isalnum(told[length]))
			return (int)i;
	}
	return -1;
}

/* Serbian is written in Latin letters too, and then it has the small words of Croatian. */
static bool are_alike(const char *told, const char *seen)
{
	return strcmp(seen, "hr") == 0 && g_ascii_strncasecmp(told, "sr", 2) == 0;
}

const char *language_decide(const char *told, const char *text, size_t length)
{
	Counts counts = {0};
	language_count(&counts, text, length);
	const char *seen = language_judge(&counts);
	int own = told ? index_of(told) : -1, other = seen ? index_of(seen) : -1;
	if (!told || !seen)
		return told ? told : seen;
	if (own < 0 || other < 0 || are_alike(told, seen))
		return told;
	return counts.hits[own] * 2 < counts.hits[other] ? seen : told;
}
