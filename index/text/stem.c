/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/stem.h"
#include <libstemmer.h>
#include <stdbool.h>
#include <string.h>

enum { WORD_MAX_BYTES = 64, FORM_MIN_BYTES = 3 };

typedef struct {
	const char *code, *stemmer;
	const char *endings; /* separated by blanks; the empty ending is implied; NULL: not known */
	bool prefixes; /* forms may begin differently; only for languages without endings */
	GUnicodeScript script; /* of its words; 0: Latin; UNKNOWN: several */
} Language;

/* Inflections come first, then the derivations that the stemmer also removes. */
static const Language languages[] = {
        {"en", "english",
                "s es e ed d ing ings er ers est y ies ied ier iest ily ly al als ally ation "
                "ations ational ative atives "
                "ate ates ated ating ator ators ion ions ional able ably ability abilities ible "
                "ibly ibility ity ities ic "
                "ics ical ically icate icated ism isms ist ists istic ize izes ized izing izer "
                "ization izations ise ises "
                "ised ising iser isation ful fully fulness less ous ously ousness ive ives ively "
                "iveness ance ances ence "
                "ences ency encies ancy ent ents ently ant ants ment ments ness nesses eed eedly "
                "edly ingly ely ement "
                "ements ately ivity ivities alization alizations alized alize alizes alizing "
                "alizer alizers ication "
                "ications icates icative ality alities ered ering erly ionally icity icities eness "
                "eable eably eability "
                "or ors eous eously ioned ioning ionals antly entatively atively eful efully ented "
                "enting entative "
                "entatives lying lies eing izers ancies ibilities ables ableness erative eratively "
                "ativeness ateness "
                "ativity alism alisms ationally eering eered eer eers icality icals eity ionality "
                "alness entedly entation "
                "entations ential entially enced menting mented eated eation eement eements iced "
                "icing eal eally"},
        {"de", "german",
                "e en em er ern es s st est n ens ere eren erem erer eres ste sten ster stes end "
                "ende "
                "enden ender endes ung ungen lich liche lichen licher liches lichem ig ige igen "
                "iger "
                "iges igem igkeit igkeiten isch ische ischen ischer isches heit heiten keit keiten "
                "lichkeit lichkeiten"},
        {"fr", "french",
                "e s es ee ees er ez ent ant ante ants antes ais ait aient ai as a ons ions iez "
                "era "
                "erai eras erez eront erons erait eraient eur eurs euse euses ement ements ation "
                "ations ateur ateurs atrice atrices ment aux al ale ales alement if ifs ive ives "
                "ivement ite ites ivite ique iques iquement isme ismes iste istes able ables ance "
                "ances ence ences ir i is it ies issent issant issons issez ira iront irait x eux "
                "ux"},
        {"es", "spanish",
                "s es a as o os e ar er ir ado ada ados adas ido ida idos idas ando iendo an en "
                "amos "
                "emos imos aba abas aban aron ieron io aria arian ara aran era ere eran iria cion "
                "ciones acion aciones ador adora adores idad idades mente amente ista istas ismo "
                "ismos able ables ible ibles ico ica icos icas oso osa osos osas ivo iva ivos ivas "
                "ito ita encia encias anza ante antes ancia"},
        {"it", "italian",
                "i e a o are ere ire ato ata ati ate uto uta uti ute ito ita iti ite ando endo ano "
                "ono iamo ava avano eva evano iva ivano era eranno ara aranno azione azioni atore "
                "atori mente amente ista isti iste ismo ismi abile abili ibile ibili ico ica ici "
                "iche "
                "oso osa osi ose ivo ive anza anze enza enze ita"},
        {"pt", "portuguese",
                "s es a as o os e ar er ir ado ada ados adas ido ida idos idas ando endo indo am "
                "em "
                "amos emos imos ava avam aram eram iram aria ariam ara acao acoes ador adora "
                "adores "
                "idade idades mente amente ista istas ismo ismos avel aveis ivel iveis ico ica "
                "icos "
                "icas oso osa osos osas ivo iva ivos ivas encia encias ancia ao oes ais"},
        {"nl", "dutch",
                "e en s er ers ing ingen heid heden lijk lijke t te ten de den d je jes se ig ige "
                "igen "
                "baar bare end ende ene"},
        {"sv", "swedish",
                "a ar arna arnas arne en ens er erna ernas or orna et ets e es s ade ades ande "
                "andes "
                "at ast aste are arens n t het heten heter lig liga ligt"},
        {"da", "danish",
                "e en ene enes ens er erne ernes ers et ets s es te ede ende endes n t hed heden "
                "heder "
                "ere eres erede lig lige ligt ig ige"},
        {"nb", "norwegian",
                "e en ene enes ens er erne ers et ets a s ane ast ede ende te t het heten heter "
                "hetens "
                "lig lige ig ige ert erte"},
        {"fi", "finnish",
                "a t n na ssa sta lla lta lle ksi an en in ia ien jen iden ten issa ista illa ilta "
                "ille "
                "iksi ina i ita ja tta ni si nsa mme nne kin ko han seen sen den siin"},
        {"ru", "russian",
                "а я ы и о е у ю ь й ой ей ом ем ам ям ами ями ах ях ов ев ый ий ая яя ое ее ые ие "
                "ого "
                "его ому ему ым им ых их ую юю ть ти л ла ло ли ет ют ит ят ут ат ешь ишь ете ите "
                "ся сь "
                "лся лась лись ться ость ости остью ия ии ию ией иям иях ение ения ений ству ство",
                false, G_UNICODE_SCRIPT_CYRILLIC},
        {"ar", "arabic", NULL, true, G_UNICODE_SCRIPT_ARABIC},
        {"ca", "catalan", NULL, false},
        {"el", "greek", NULL, false, G_UNICODE_SCRIPT_GREEK},
        {"eu", "basque", NULL, false},
        {"ga", "irish", NULL, true},
        {"hi", "hindi", NULL, false, G_UNICODE_SCRIPT_DEVANAGARI},
        {"hu", "hungarian", NULL, false},
        {"hy", "armenian", NULL, false, G_UNICODE_SCRIPT_ARMENIAN},
        {"id", "indonesian", NULL, true},
        {"lt", "lithuanian", NULL, false},
        {"ne", "nepali", NULL, false, G_UNICODE_SCRIPT_DEVANAGARI},
        {"ro", "romanian", NULL, false},
        {"sr", "serbian", NULL, false, G_UNICODE_SCRIPT_UNKNOWN},
        {"ta", "tamil", NULL, false, G_UNICODE_SCRIPT_TAMIL},
        {"tr", "turkish", NULL, false},
        {"yi", "yiddish", NULL, false, G_UNICODE_SCRIPT_HEBREW},
};

/* Tells by its first letter whether it can be a word of that language. */
static bool is_in_script(const Language *known, const char *word)
{
	GUnicodeScript wanted = known->script ? known->script : G_UNICODE_SCRIPT_LATIN;
	return wanted == G_UNICODE_SCRIPT_UNKNOWN ||
	       g_unichar_get_script(g_utf8_get_char(word)) == wanted;
}

static const Language *stem_find(const char *language)
{
	for (size_t i = 0; language && i < G_N_ELEMENTS(languages); i++) {
		size_t length = strlen(languages[i].code);
		bool same = g_ascii_strncasecmp(language, languages[i].code, length) == 0;
		if (same && !g_ascii_isalnum(language[length]))
			return &languages[i];
	}
	return language && g_ascii_strncasecmp(language, "no", 2) == 0 &&
	                       !g_ascii_isalnum(language[2])
	               ? stem_find("nb")
	               : NULL;
}

G_STATIC_ASSERT(G_N_ELEMENTS(languages) <= 32);

uint32_t stem_language(const char *language)
{
	const Language *known = stem_find(language);
	return known ? UINT32_C(1) << (known - languages) : 0;
}

bool stem_has_own_script(const char *language)
{
	const Language *known = stem_find(language);
	return known && known->script && known->script != G_UNICODE_SCRIPT_UNKNOWN;
}

char *stem_language_names(uint32_t set)
{
	GString *out = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(languages); i++)
		if (set >> i & 1)
			g_string_append_printf(
			        out, "%s%s", out->len > 0 ? " " : "", languages[i].code);
	return g_string_free(out, FALSE);
}

typedef struct {
	struct sb_stemmer *stemmer;
	const Language *language;
	const char *word;
	char stem[WORD_MAX_BYTES + 1];
	GPtrArray *forms;
} Maker;

/* Length of the word as it is stemmed. The German stemmer of libstemmer 2 leaves the n of the
 * dative plural after "el": Äpfeln, Vögeln, Regeln. */
static size_t stem_length_of(const Language *language, const char *word)
{
	enum { SHORTEST = 6 };
	size_t length = strlen(word);
	bool dative = strcmp(language->code, "de") == 0 && length >= SHORTEST &&
	              g_str_has_suffix(word, "eln");
	return length - dative;
}

static const sb_symbol *stem_word(
        struct sb_stemmer *stemmer, const Language *language, const char *word)
{
	return sb_stemmer_stem(
	        stemmer, (const sb_symbol *)word, (int)stem_length_of(language, word));
}

static bool leads_back(const Maker *maker, const char *candidate)
{
	const sb_symbol *stem = stem_word(maker->stemmer, maker->language, candidate);
	return stem && strcmp((const char *)stem, maker->stem) == 0;
}

static bool is_known(const Maker *maker, const char *candidate)
{
	for (guint i = 0; i < maker->forms->len; i++)
		if (strcmp(maker->forms->pdata[i], candidate) == 0)
			return true;
	return strcmp(maker->word, candidate) == 0;
}

static void try_ending(Maker *maker, const char *base, const char *ending, size_t length)
{
	char candidate[2 * WORD_MAX_BYTES];
	size_t size = strlen(base) + length;
	if (size < FORM_MIN_BYTES || size > WORD_MAX_BYTES)
		return;
	g_snprintf(candidate, sizeof candidate, "%s%.*s", base, (int)length, ending);
	if (!is_known(maker, candidate) && leads_back(maker, candidate))
		g_ptr_array_add(maker->forms, g_strdup(candidate));
}

static void try_base(Maker *maker, const char *base, const char *endings)
{
	try_ending(maker, base, "", 0);
	for (const char *s = endings; *s;) {
		size_t length = strcspn(s, " ");
		try_ending(maker, base, s, length);
		s += length + (s[length] == ' ');
	}
}

static void try_changed(Maker *maker, size_t kept, const char *added, const char *endings)
{
	char base[WORD_MAX_BYTES + 4];
	g_snprintf(base, sizeof base, "%.*s%s", (int)kept, maker->stem, added);
	try_base(maker, base, endings);
}

/* Tries what may precede an ending: the stem; the stem with its last letter doubled (run, running);
 * with an i that was a y (happi, happy); without an e (use, using); with a y that became ie (die,
 * dying); and with a bl that was a bil (visibl, visibility). */
static void try_bases(Maker *maker, const char *endings)
{
	const char *stem = maker->stem;
	size_t length = strlen(stem);
	char last[2] = {stem[length - 1], '\0'};
	try_base(maker, stem, endings);
	if (strchr("bdfglmnprt", *last))
		try_changed(maker, length, last, endings);
	if (*last == 'i')
		try_changed(maker, length - 1, "y", endings);
	if (*last == 'e')
		try_changed(maker, length - 1, "", endings);
	if (g_str_has_suffix(stem, "ie"))
		try_changed(maker, length - 2, "y", endings);
	if (g_str_has_suffix(stem, "bl"))
		try_changed(maker, length - 1, "il", endings);
}

void stem_append_forms(GPtrArray *forms, const char *word, const char *language)
{
	const Language *known = stem_find(language);
	Maker maker = {.language = known, .word = word, .forms = forms};
	if (!known || !known->endings || !is_in_script(known, word) ||
	        strlen(word) > WORD_MAX_BYTES ||
	        !(maker.stemmer = sb_stemmer_new(known->stemmer, "UTF_8")))
		return;
	const sb_symbol *stem = stem_word(maker.stemmer, known, word);
	if (stem && *stem && strlen((const char *)stem) < sizeof maker.stem) {
		g_strlcpy(maker.stem, (const char *)stem, sizeof maker.stem);
		try_bases(&maker, known->endings);
	}
	sb_stemmer_delete(maker.stemmer);
}

/* ---- forms found in the index */

enum { SPELLINGS = 3 };

/* The stems of a word, one for each way it may have been spelt before folding. */
typedef struct {
	char stems[SPELLINGS][2 * WORD_MAX_BYTES];
	unsigned n;
} Stems;

struct StemMatcher {
	struct sb_stemmer *stemmer;
	const Language *language;
	bool harmony; /* Turkish */
	char *word, *start;
	const char *starts[3];
	Stems stems;
};

/* The vowels of a Turkish suffix follow the last vowel before it, and the stemmer relies on that:
 * gözler, kızlar. Folding has removed the distinction, so the word is tried as it is, with the
 * front vowels (ö ü) and with the back one (ı). */
static void append_spelt(GString *out, const char *word, unsigned spelling)
{
	static const char *const letters[SPELLINGS][3] = {
	        {"o", "u", "i"}, {"ö", "ü", "i"}, {"o", "u", "ı"}};
	static const char folded[] = "oui";
	for (; *word; word++) {
		const char *vowel = strchr(folded, *word);
		if (vowel)
			g_string_append(out, letters[spelling][vowel - folded]);
		else
			g_string_append_c(out, *word);
	}
}

static void fold_turkish(char *stem)
{
	static const char *const pairs[][2] = {
	        {"ö", "o"}, {"ü", "u"}, {"ı", "i"}, {"ç", "c"}, {"ğ", "g"}};
	char *out = stem;
	while (*stem) {
		size_t length = 1;
		char c = *stem;
		for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++)
			if (g_str_has_prefix(stem, pairs[i][0])) {
				length = strlen(pairs[i][0]);
				c = *pairs[i][1];
			}
		*out++ = c;
		stem += length;
	}
	*out = '\0';
}

static bool add_stem(const StemMatcher *matcher, Stems *stems, const char *word)
{
	char *stem = stems->stems[stems->n];
	const sb_symbol *symbols = stem_word(matcher->stemmer, matcher->language, word);
	if (!symbols || !*symbols ||
	        g_strlcpy(stem, (const char *)symbols, sizeof stems->stems[0]) >=
	                sizeof stems->stems[0])
		return false;
	if (matcher->harmony)
		fold_turkish(stem);
	stems->n++;
	return true;
}

static bool find_stems(const StemMatcher *matcher, Stems *stems, const char *word)
{
	stems->n = 0;
	if (!matcher->harmony)
		return add_stem(matcher, stems, word);
	g_autoptr(GString) spelt = g_string_new(NULL);
	for (unsigned i = 0; i < SPELLINGS; i++) {
		g_string_truncate(spelt, 0);
		append_spelt(spelt, word, i);
		add_stem(matcher, stems, spelt->str);
	}
	return stems->n > 0;
}

/* The stem without its last letter, or without two of a long stem, because some languages change
 * them. It is made of the letters of the word, since the stem may be in another script. It has at
 * least two letters. */
static char *start_of(const char *word, const char *stem)
{
	enum { LEAST = 2, LONG = 6 };
	glong letters = MIN(g_utf8_strlen(word, -1), g_utf8_strlen(stem, -1));
	letters -= letters >= LONG ? 2 : 1;
	return letters >= LEAST ? g_utf8_substring(word, 0, letters) : NULL;
}

/* For English its endings suffice. The endings of other languages miss some forms (cheval, chevaux;
 * boom, bomen), but they suffice for short words, which share their beginning with half of the
 * index. */
static bool is_looked_up(const Language *known, const char *word)
{
	enum { SHORT = 4 };
	return known && known != languages && is_in_script(known, word) &&
	       (!known->endings || g_utf8_strlen(word, -1) >= SHORT);
}

/* Forms may begin with any letter. Arabic letters, U+0600 to U+067F, begin with one of two bytes in
 * UTF-8. */
static void set_all_starts(StemMatcher *matcher)
{
	bool arabic = matcher->language->script == G_UNICODE_SCRIPT_ARABIC;
	matcher->starts[0] = arabic ? "\xd8" : "";
	matcher->starts[1] = arabic ? "\xd9" : NULL;
}

StemMatcher *stem_matcher_new(const char *word, const char *language)
{
	const Language *known = stem_find(language);
	if (strlen(word) > WORD_MAX_BYTES || !is_looked_up(known, word))
		return NULL;
	g_autoptr(StemMatcher) matcher = g_new0(StemMatcher, 1);
	matcher->stemmer = sb_stemmer_new(known->stemmer, "UTF_8");
	matcher->language = known;
	matcher->harmony = strcmp(known->code, "tr") == 0;
	if (!matcher->stemmer || !find_stems(matcher, &matcher->stems, word))
		return NULL;
	matcher->word = g_strdup(word);
	const char *shortest = matcher->stems.stems[0];
	for (unsigned i = 1; i < matcher->stems.n; i++)
		if (strlen(matcher->stems.stems[i]) < strlen(shortest))
			shortest = matcher->stems.stems[i];
	matcher->start = start_of(word, shortest);
	if (!matcher->start)
		return NULL;
	matcher->starts[0] = matcher->start;
	if (known->prefixes)
		set_all_starts(matcher);
	return g_steal_pointer(&matcher);
}

void stem_matcher_free(StemMatcher *matcher)
{
	if (!matcher)
		return;
	sb_stemmer_delete(matcher->stemmer);
	g_free(matcher->word);
	g_free(matcher->start);
	g_free(matcher);
}

const char *const *stem_matcher_starts(const StemMatcher *matcher)
{
	return matcher->starts;
}

/* When all words of the index are examined: false if stemming this one is pointless. Indonesian
 * changes at most the first letter of a stem (memukul, pukul). */
static bool may_match(const StemMatcher *matcher, const char *term)
{
	if (!matcher->language->prefixes)
		return true;
	bool ascii = (unsigned char)*term < 0x80;
	if (matcher->language->script)
		return !ascii;
	return strcmp(matcher->language->code, "id") != 0 ||
	       strstr(term, g_utf8_next_char(matcher->stems.stems[0]));
}

bool stem_matcher_matches(StemMatcher *matcher, const char *term)
{
	size_t length = strlen(term);
	Stems stems;
	if (!may_match(matcher, term))
		return false;
	if (length > WORD_MAX_BYTES || !g_utf8_validate(term, length, NULL) ||
	        strcmp(term, matcher->word) == 0)
		return false;
	if (!find_stems(matcher, &stems, term))
		return false;
	for (unsigned i = 0; i < stems.n; i++)
		for (unsigned k = 0; k < matcher->stems.n; k++)
			if (strcmp(stems.stems[i], matcher->stems.stems[k]) == 0)
				return true;
	return false;
}
