/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/charset/charset.h"
#include "extractors/shared/extractor.h"
#include <iconv.h>
#include <string.h>

typedef struct {
	const char *label; /* as a document declares it */
	const char *iconv_name;
	const char *text;
	bool detected; /* also without the declaration */
} Sample;

static const Sample samples[] = {
        {"UTF-8", "UTF-8", "Grüße, Привет, 日本語, 😀", true},
        {"utf-16le", "UTF-16LE", "plain words in two bytes each: größe 😀", true},
        {"utf-16be", "UTF-16BE", "plain words in two bytes each: größe 😀", true},
        {"utf-32le", "UTF-32LE", "Grüße 😀", false},
        {"utf-32be", "UTF-32BE", "Grüße 😀", false},
        {"US-ASCII", "US-ASCII", "nothing but plain words", true},
        {"ISO-8859-1", "ISO-8859-1", "Wir bestätigen, dass die Prüfung größere Mängel zeigte.",
                true},
        {"latin1", "ISO-8859-1", "El niño comió una piña en la mañana", true},
        {"iso_8859-1", "ISO-8859-1", "Le café était fermé à cause de la grève", true},
        {"Windows-1252", "CP1252", "„Anführung“ – und 5 €", false},
        {"ISO-8859-2", "ISO-8859-2", "Příliš žluťoučký kůň úpěl ďábelské ódy", true},
        {"ISO-8859-3", "ISO-8859-3", "Ĉu vi ŝatas ĵurnalojn", false},
        {"ISO-8859-4", "ISO-8859-4", "šķērsiela ņem", false},
        {"ISO-8859-5", "ISO-8859-5", "Съешь же ещё этих мягких булок", false},
        {"ISO-8859-6", "ISO-8859-6", "مرحبا بالعالم", false},
        {"ISO-8859-7", "ISO-8859-7", "Η γρήγορη καφέ αλεπού πηδάει πάνω από το σκυλί", true},
        {"ISO-8859-8-I", "ISO-8859-8", "שלום עולם", false},
        {"ISO-8859-9", "CP1254", "Türkçe bir deneme metni: çığ, şeker", false},
        {"ISO-8859-15", "ISO-8859-15", "cœur, 5 €", false},
        {"iso8859-3", "ISO-8859-3",
                "Ĉiumatene la havenestro iras laŭ la kajo kaj nombras la ŝipojn, kiuj revenis "
                "antaŭ "
                "la ŝtormo. Li skribas iliajn nomojn en libron apud la veteron, kaj kiam "
                "krepuskiĝas "
                "li ŝaltas la lumon.",
                true},
        {"latin3", "ISO-8859-3",
                "Kull filgħodu l-kaptan tal-port jimxi tul il-moll u jgħodd id-dgħajjes li reġgħu "
                "lura qabel il-maltempata. Hu jikteb isimhom fil-ktieb ħdejn it-temp u jixgħel "
                "id-dawl.",
                true},
        {"iso8859-15", "ISO-8859-15",
                "Igal hommikul käib sadamakapten mööda kaid ja loeb üle paadid, mis enne tormi "
                "tagasi "
                "jõudsid. Šoti ja soome žürii küsib nende nimesid, ning õhtul süütab ta tule.",
                true},
        {"cp1257", "CP1257",
                "Kiekvieną rytą uosto kapitonas eina krantine ir skaičiuoja valtis, kurios grįžo "
                "prieš audrą.",
                true},
        {"latin7", "ISO-8859-13",
                "Katru rītu ostas kapteinis iet gar piestātni un skaita laivas, kas atgriezušās "
                "pirms "
                "vētras.",
                true},
        {"latin4", "ISO-8859-4",
                "Katru rītu ostas kapteinis iet gar piestātni un skaita laivas, kas atgriezušās "
                "pirms "
                "vētras.",
                true},
        {"775", "CP775",
                "Kiekvieną rytą uosto kapitonas eina krantine ir skaičiuoja valtis, kurios grįžo "
                "prieš audrą.",
                true},
        {"xcp1252", "CP1252", "Then he said, “The names: Bod, Bond.”\nThey’re “spam” – beans.",
                true},
        {"ansi", "CP1252",
                "Havnefogden skriver «båtene» og «navnene» i boka, og sier: «Det er været.»", true},
        {"ibm819", "CP1252", "¿Qué barcos? ¡Los de «La Mañana»!", true},
        {"cp819", "CP1252", "Çdo mëngjes kapiteni i portit ecën përgjatë molit dhe numëron varkat",
                true},
        {"iso-8859-1:1987", "CP1252", "cada matí «el capità» passeja i compta les barques · 5º",
                true},
        {"1125", "CP1125",
                "Щоранку начальник порту йде вздовж причалу й лічить човни, що повернулися до "
                "бурі. "
                "Він записує їхні назви в книгу поруч із погодою.",
                true},
        {"latin6", "ISO-8859-10", "Hvern morgun gengur hafnarvörður", false},
        {"windows-1250", "CP1250", "Příliš žluťoučký kůň úpěl ďábelské ódy", true},
        {"cp1251", "CP1251", "Съешь же ещё этих мягких французских булок", true},
        {"windows-1255", "CP1255", "שלום עולם זה מבחן של טקסט בעברית", true},
        {"windows-1256", "CP1256", "مرحبا بالعالم هذا نص تجريبي باللغة العربية", true},
        {"windows-1257", "CP1257", "Lietuvių kalba: ąžuolas, šviesa", false},
        {"windows-874", "CP874", "ภาษาไทย", false},
        {"KOI8-R", "KOI8-R", "Съешь же ещё этих мягких французских булок", true},
        {"koi8-u", "KOI8-U", "Україна, ґанок, її", false},
        {"KOI8-U", "KOI8-U", "Усі люди народжуються вільними і рівними у своїй гідності", true},
        {"IBM437", "IBM437", "Äpfel und Öl", false},
        {"cp850", "IBM850", "Äpfel und Öl", false},
        {"ibm850", "IBM850", "Wir bestätigen, dass die Prüfung größere Mängel zeigte.", true},
        {"850", "IBM850", "Le café était fermé à cause de la grève", true},
        {"cp852", "IBM852", "Zażółć gęślą jaźń, pchnąć w tę łódź jeża", true},
        {"cp866", "IBM866", "Съешь же ещё этих мягких французских булок", true},
        {"macintosh", "MACINTOSH", "Äpfel und Öl", false},
        {"x-mac-roman", "MACINTOSH", "Wir bestätigen, dass die Prüfung größere Mängel zeigte.",
                true},
        {"cp1250", "CP1250", "Domnul şi-a luat maşina şi a plecat în oraş dimineaţă", true},
        {"Shift_JIS", "SHIFT_JIS", "これは日本語の文章です。検索のために使います。", true},
        {"EUC-JP", "EUC-JP", "これは日本語の文章です。検索のために使います。", true},
        {"ujis", "EUC-JP", "<html>\n<body>\nログイン\n</body>\n</html>\n", true},
        {"ISO-2022-JP", "ISO-2022-JP", "これは日本語の文章です。", true},
        {"gb2312", "GB2312", "这是一个中文文本文件，用于测试编码检测。", true},
        {"gb18030", "GB18030", "这是一个中文文本文件，用于测试编码检测。", true},
        {"Big5", "BIG5", "這是一個中文文本文件，用於測試編碼偵測。", true},
        {"ks_c_5601-1987", "EUC-KR", "이것은 한국어 텍스트 파일입니다. 인코딩 테스트.", true},
        {"iso-2022-kr", "ISO-2022-KR", "이것은 한국어 텍스트 파일입니다. 인코딩 테스트.", true},
        {"UTF-7", "UTF-7", "Grüße", false},
        {"UCS-4", "UTF-32LE", "Kapitan idzie po nabrzeżu i liczy łodzie, które wróciły przed burzą",
                true},
        {"utf32be", "UTF-32BE", "船の名前を　帳面に書き込みます。", true},
        {"l1", "ISO-8859-1",
                "Hafnarvörðurinn gengur út á bryggjuna og telur bátana sem komu fyrir óveðrið. "
                "Hann "
                "skrifar nöfn þeirra í bók við hliðina á veðrinu, og þegar fellur að kveikir hann "
                "á "
                "ljósinu svo að enginn sigli fram hjá. Síðan fær hann te og það er gott.",
                true},
        {"x-cp1250", "CP1250",
                "Svađaju se oko ribe i međutim zapisuje njihova imena, tuđe čamce i žurbu", true},
        {"ibm775", "IBM775", "Lietuvių kalba: ąžuolas, šviesa", false},
        {"cp860", "IBM860", "Não há razão para preocupações", false},
        {"ibm861", "IBM861", "Hafnarvörðurinn og þeirra bók", false},
        {"cp863", "IBM863", "Où étaient-ils, ces pêcheurs dévoués", false},
        {"ibm869", "IBM869", "Κάθε πρωί ο λιμενάρχης περπατά", false},
        {"cp866u", "CP1125", "Щоранку їхні назви, ґанок, її", false},
        {"koi8-t", "KOI8-T", "Ҳар саҳар сардори бандар", false},
        {"armscii-8", "ARMSCII-8", "Ամեն առավոտ", false},
        {"georgian-ps", "GEORGIAN-PS", "ყოველ დილით", false},
        {"georgian-academy", "GEORGIAN-ACADEMY", "ყოველ დილით", false},
        {"tcvn-5712", "TCVN5712-1", "Mỗi buổi sáng, người quản lý bến cảng", false},
        {"IBM273", "IBM273", "Äpfel und Öl, größere Mängel", false},
        {"ebcdic-cp-dk", "IBM277", "både og øl", false},
        {"ibm278", "IBM278", "båtar och öl", false},
        {"cp280", "IBM280", "perché è così", false},
        {"ibm284", "IBM284", "mañana del señor", false},
        {"ibm1146", "IBM285", "five £ a boat", false},
        {"ibm297", "IBM297", "été à la grève", false},
        {"cp870", "IBM870", "Zażółć gęślą jaźń", false},
        {"ibm871", "IBM871", "það er veðrið", false},
        {"cp875", "IBM875", "Κάθε πρωί", false},
        {"ibm1025", "IBM1025", "Каждое утро", false},
        {"ibm1026", "IBM1026", "çığ ve şeker", false},
        {"iso-2022-cn", "ISO-2022-CN", "这是一个中文文本文件", true},
        {"ISO-2022-CN-EXT", "ISO-2022-CN-EXT", "boats: 这是一个\n中文文本文件", true},
        {"johab", "JOHAB", "이것은 한국어 텍스트 파일입니다.", true},
};

/* Encodes the sample's text in its charset; at most 1000 bytes. */
static size_t encode(const Sample *sample, char *out)
{
	char *from = (char *)sample->text, *to = out;
	size_t in_left = strlen(from), out_left = 1000;
	iconv_t descriptor = iconv_open(sample->iconv_name, "UTF-8");
	g_assert_true(descriptor != (iconv_t)-1);
	g_assert_cmpuint(iconv(descriptor, &from, &in_left, &to, &out_left), !=, (size_t)-1);
	iconv(descriptor, NULL, NULL, &to, &out_left);
	iconv_close(descriptor);
	return to - out;
}

static char *decode(const char *bytes, size_t size, const char *declared)
{
	/* of exactly its size, to detect reading past its end */
	g_autofree uint8_t *exact = g_memdup2(bytes, size);
	size_t length;
	char *text = decode_text(exact, size, declared, &length, NULL);
	g_assert_cmpuint(strlen(text), ==, length);
	g_assert_true(g_utf8_validate_len(text, length, NULL));
	return text;
}

static void test_declared(gconstpointer data)
{
	const Sample *sample = data;
	char bytes[1000];
	size_t size = encode(sample, bytes);
	g_autofree char *text = decode(bytes, size, sample->label);
	g_assert_cmpstr(text, ==, sample->text);
}

static void test_detected(gconstpointer data)
{
	const Sample *sample = data;
	char bytes[1000];
	size_t size = encode(sample, bytes);
	g_autofree char *text = decode(bytes, size, NULL);
	g_assert_cmpstr(text, ==, sample->text);
}

/* A damaged byte does not make the declaration or the other bytes wrong. */
static void test_damaged(void)
{
	static const struct {
		const char *label, *bytes, *text;
	} damaged[] = {
	        {"windows-1255",
	                "\xf9\xec\xe5\xed \xf2\xe5\xec\xed \xe6\xe4 \xee\xe1\xe7\xef \xf9\xec "
	                "\xe8\xf7\xf1\xe8 \xe1\xf2\xe1\xf8\xe9\xfa \xff",
	                "שלום עולם זה מבחן של טקסט בעברית \ufffd"},
	        {"euc-kr",
	                "\xc0\xcc\xb0\xcd\xc0\xba \xc7\xd1\xb1\xb9\xbe\xee "
	                "\xc5\xd8\xbd\xba\xc6\xae \xc6\xc4\xc0\xcf\xc0\xd4\xb4\xcf\xb4\xd9 \xff",
	                "이것은 한국어 텍스트 파일입니다 \ufffd"},
	        {NULL, "Съешь же ещё этих мягких булок \xff",
	                "Съешь же ещё этих мягких булок \ufffd"},
	        {"iso-8859-1", "Съешь же ещё этих мягких булок \xd0.",
	                "Съешь же ещё этих мягких булок \ufffd."},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(damaged); i++) {
		g_autofree char *text =
		        decode(damaged[i].bytes, strlen(damaged[i].bytes), damaged[i].label);
		g_assert_cmpstr(text, ==, damaged[i].text);
	}
}

/* The bytes that distinguish charsets may come late. */
static void test_late(void)
{
	static const char end[] = "El ni\xf1o comi\xf3 una pi\xf1"
	                          "a en la ma\xf1"
	                          "ana";
	g_autofree char *bytes = g_malloc(100000 + sizeof end);
	memset(bytes, 'a', 100000);
	memcpy(bytes + 100000, end, sizeof end);
	g_autofree char *text = decode(bytes, 100000 + sizeof end - 1, NULL);
	g_assert_cmpstr(text + 100000, ==, "El niño comió una piña en la mañana");
}

/* iconv does not know HZ. */
static void test_hz(void)
{
	static const char bytes[] = "Boats: ~{4,~}, ~~ and ~\n~{C{~}.\n~{VP\nplain ~x\n~{VP";
	g_autofree char *text = decode(bytes, sizeof bytes - 1, "HZ-GB-2312");
	g_assert_cmpstr(text, ==, "Boats: 船, ~ and 名.\n中\nplain ~x\n中");
}

/* iconv does not know these charsets either. */
static void test_old_macs(void)
{
	static const struct {
		const char *label, *bytes, *text;
	} old[] = {
	        {"x-mac-greek",
	                "\xca"
	                "\xba\xe1\xec\xe8\xed\x20\xc7 m\x8e",
	                "\u00a0Καλημ « mé"},
	        {"x-mac-turkish", "\xdd\xda\xdb\xdc\xdf", "ıĞğİş"},
	        {"x-mac-croatian", "\xe8\xe6\xf0\xb9\xbe \xa9", "čćđšž Š"},
	        {"x-mac-romanian", "\xbe\xbf\xdf\x89\x94", "ășțâî"},
	        {"X-Mac-Icelandic", "\xdd\xdf\xe0 \xae", "ðþý Æ"},
	        {"x-mac-arabic", "\xe5\xd1\xcd\xc8\xc7", "مرحبا"},
	        {"x-mac-farsi", "\xf3\xe8\xf8 \xb1", "پوگ ۱"},
	        {"x-mac-hebrew", "\xf9\xec\xe5\xed", "שלום"},
	        {"x-mac-thai", "\xe4\xb7\xc2", "ไทย"},
	        {"x-mac-japanese", "\x93\xfa\x96\x7b", "日本"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(old); i++) {
		g_autofree char *text = decode(old[i].bytes, strlen(old[i].bytes), old[i].label);
		g_assert_cmpstr(text, ==, old[i].text);
	}
}

/* The other order of the bytes often gives Chinese or Korean characters. */
static void test_wide_without_mark(void)
{
	static const char *const orders[] = {"UTF-16LE", "UTF-16BE"};
	static const char *const texts[] = {
	        "کتاب‌های فارسی می‌خوانم. نمی‌دانم چرا",
	        "ภาษาไทยเขียนติดกัน ไม่มีช่องว่าง", "ພາສາລາວ ນ້ຳຕານ ໝາ ໜູ", "ភាសាខ្មែរ ភ្នំពេញជារាជធានី",
	        "မြန်မာဘာသာစကား ရန်ကုန်မြို့", "አማርኛ የኢትዮጵያ ቋንቋ ነው",
	        "ශ්‍රී ලංකාව ළමයි පාසල් ගියා",
	        "საქართველოს დედაქალაქი თბილისია", "བོད་ཡིག་ནི་སྐད་ཡིག ལྷ་ས",
	        "Bakıda yağış yağır, gözəl dil", "오늘 진짜 재밌다 ㅋㅋㅋ"};
	for (size_t i = 0; i < G_N_ELEMENTS(orders) * G_N_ELEMENTS(texts); i++) {
		const char *wanted = texts[i / 2];
		gsize size;
		g_autofree char *bytes =
		        g_convert(wanted, -1, orders[i % 2], "UTF-8", NULL, &size, NULL);
		g_autofree char *text = decode(bytes, size, NULL);
		g_assert_cmpstr(text, ==, wanted);
	}
}

static void test_hz_detected(void)
{
	static const char bytes[] = "Notes:\n~{5Z6~KR;r5ZH}Qy~} (~~60) ~{5D4,~}.\nlast line\n";
	g_autofree char *text = decode(bytes, sizeof bytes - 1, NULL);
	g_assert_cmpstr(text, ==, "Notes:\n第二艘或第三样 (~60) 的船.\nlast line\n");
}

/* Program text and terminal output contain byte sequences of these charsets. */
static void test_no_escapes(void)
{
	static const char *const texts[] = {
	        "(format t \"~{~A~^, ~}~%\" names)\n",
	        "(format nil \"~{abc~}~{def~}\" list)\n",
	        "cp ~{alice,bobby}/x . && ls ~}\n",
	        "see Fig.~{1} and Tab.~{23~}\n",
	        "class A { ~A(); }; if (~{0}) {}\n",
	        "$s =~{0a0b0c0d0e~}; # \n",
	        "{\"key\": \"~{x~}\", \"other\": \"~~{\"}\n",
	        "\x1b(B\x1b[mgreen\x1b[0m \x1b(B\n",
	        "printf '\x1b$)C'; echo \x0eodd\x0f\n",
	        "\x1b$Bx\x1b(B is how Japanese begins\n",
	        "~{VPND~} ist größer\n",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *text = decode(texts[i], strlen(texts[i]), NULL);
		g_assert_cmpstr(text, ==, texts[i]);
	}
}

static void test_marks(void)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *charset;
	} marked[] = {
	        {"\xef\xbb\xbfhi", 5, "utf-8"},
	        {"\xff\xfeh\0i\0", 6, "utf-16le"},
	        {"\xfe\xff\0h\0i", 6, "utf-16be"},
	        {"\xff\xfe\0\0h\0\0\0i\0\0\0", 12, "utf-32le"},
	        {"\0\0\xfe\xff\0\0\0h\0\0\0i", 12, "utf-32be"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(marked); i++) {
		const char *charset;
		/* the byte-order mark overrides a wrong declaration */
		g_autofree char *text = decode_text((const uint8_t *)marked[i].bytes,
		        marked[i].size, "iso-8859-1", NULL, &charset);
		g_assert_cmpstr(text, ==, "hi");
		g_assert_cmpstr(charset, ==, marked[i].charset);
	}
}

static void test_wrong_declaration(void)
{
	g_autofree char *utf8 = decode("Größe", strlen("Größe"), "iso-8859-1");
	g_assert_cmpstr(utf8, ==, "Größe");
	g_autofree char *latin = decode("Gr\xf6\xdf"
	                                "e der Kisten",
	        16, "utf-8");
	g_assert_cmpstr(latin, ==, "Größe der Kisten");
	g_autofree char *unknown = decode("plain", 5, "x-nobody-knows");
	g_assert_cmpstr(unknown, ==, "plain");
}

/* uchardet takes this text for damaged UTF-8. */
static void test_not_utf8(void)
{
	static const Sample sample = {"", "CP1251",
	        "Лімпопа Элемент забаронены на верхнім узроўні сне Петравец Пуэбла Трашыганг Не "
	        "ўдалося выключыць опцыю Чын Наўкшэнскі край Нэвіс Годанін Выкарыстаньне ФАЙЛ1 "
	        "ФАЙЛ2 "
	        "ці ВЫБАР Таўрырт Укаялі Калі вы выдаліце гэты",
	        true};
	test_detected(&sample);
}

static void test_bad_bytes(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const Charset *utf8 = charset_find("utf-8");
	g_assert_cmpuint(charset_decode(utf8,
	                         (const uint8_t *)"a\xe2\x82"
	                                          "b\xff"
	                                          "c",
	                         6, out),
	        ==, 2);
	g_assert_cmpstr(out->str, ==,
	        "a\xef\xbf\xbd"
	        "b\xef\xbf\xbd"
	        "c");
	g_string_truncate(out, 0);
	g_assert_cmpuint(charset_decode(charset_find("shift_jis"),
	                         (const uint8_t *)"\x82\xa0\xfd\xfd\x82", 5, out),
	        >, 0);
	g_assert_true(g_str_has_prefix(out->str, "あ\xef\xbf\xbd"));
	g_string_truncate(out, 0);
	/* half a surrogate pair, and half a unit */
	g_assert_cmpuint(charset_decode(charset_find("utf-16le"),
	                         (const uint8_t *)"\x3d\xd8"
	                                          "a\0b",
	                         5, out),
	        ==, 2);
	g_assert_cmpstr(out->str, ==,
	        "\xef\xbf\xbd"
	        "a");
}

/* Words in Latin-1 between others in UTF-8, and sequences that were cut. */
static void test_stray_latin1(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (unsigned i = 0; i < 20; i++)
		g_string_append(text, "süße Grüße, ");
	gsize prose = text->len;
	g_string_append(text, "Gr\xfc\xdf"
	                      "e, \xdc"
	                      "bung, \xe9t\xe9. Stra\xc3, \xe3\x81, あ\xe3, \xff \xc3");
	size_t length;
	const char *charset;
	g_autofree char *out =
	        decode_text((const uint8_t *)text->str, text->len, NULL, &length, &charset);
	g_assert_cmpstr(charset, ==, "utf-8");
	g_assert_cmpstr(
	        out + prose, ==, "Grüße, Übung, été. Stra\ufffd, \ufffd, あ\ufffd, \ufffd \ufffd");
}

static void test_nul(void)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_assert_cmpuint(
	        charset_decode(charset_find("utf-8"), (const uint8_t *)"a\0b", 3, out), ==, 0);
	g_assert_cmpstr(out->str, ==, "a b");
}

static void test_empty(void)
{
	size_t length = 1;
	g_autofree char *text = decode_text(NULL, 0, NULL, &length, NULL);
	g_assert_cmpuint(length, ==, 0);
	g_assert_cmpstr(text, ==, "");
}

static void test_labels(void)
{
	static const char *const same[][2] = {{"UTF8", "utf-8"}, {"l1", "windows-1252"},
	        {"GBK", "gb18030"}, {"x-sjis", "shift_jis"}, {"KS_C_5601-1987", "euc-kr"},
	        {"CP_1251", "windows-1251"}};
	for (size_t i = 0; i < G_N_ELEMENTS(same); i++)
		g_assert_cmpstr(charset_name(charset_find(same[i][0])), ==, same[i][1]);
	g_assert_null(charset_find(""));
	g_assert_null(charset_find(NULL));
	g_assert_null(charset_find("--"));
	g_assert_null(charset_find("utf"));
	g_assert_null(charset_find(
	        "a-label-that-is-much-longer-than-any-charset-could-have-as-its-name"));
}

/* A rare charset is not found before all are loaded, and it is known that it was looked for. */
static void test_left_out(void)
{
	g_assert_nonnull(charset_find("shift_jis"));
	g_assert_null(charset_find("no such charset"));
	g_assert_false(charset_was_missing());
	g_assert_null(charset_find("euc-tw"));
	g_assert_true(charset_was_missing());
	g_assert_false(charset_was_missing());
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	charset_preload(false);
	test_left_out();
	charset_preload(true);
	for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
		g_autofree char *declared = g_strconcat(
		        "/extractors/charset/decoded-as-declared/", samples[i].label, NULL);
		g_autofree char *detected =
		        g_strconcat("/extractors/charset/detected-without-declaration/",
		                samples[i].label, NULL);
		g_test_add_data_func(declared, &samples[i], test_declared);
		if (samples[i].detected)
			g_test_add_data_func(detected, &samples[i], test_detected);
	}
	g_test_add_func("/extractors/charset/byte-order-marks-decide", test_marks);
	g_test_add_func("/extractors/charset/damaged-text-is-decoded", test_damaged);
	g_test_add_func("/extractors/charset/a-charset-shows-late-in-the-text", test_late);
	g_test_add_func("/extractors/charset/hz-is-decoded", test_hz);
	g_test_add_func("/extractors/charset/mac-charsets-are-decoded", test_old_macs);
	g_test_add_func("/extractors/charset/utf-16-needs-no-mark", test_wide_without_mark);
	g_test_add_func("/extractors/charset/hz-is-detected", test_hz_detected);
	g_test_add_func("/extractors/charset/escapes-do-not-reach-the-text", test_no_escapes);
	g_test_add_func(
	        "/extractors/charset/a-wrong-declaration-is-overruled", test_wrong_declaration);
	g_test_add_func(
	        "/extractors/charset/text-that-is-not-utf8-is-not-taken-for-it", test_not_utf8);
	g_test_add_func(
	        "/extractors/charset/bad-bytes-become-replacement-characters", test_bad_bytes);
	g_test_add_func(
	        "/extractors/charset/letters-of-latin1-in-utf8-are-letters", test_stray_latin1);
	g_test_add_func("/extractors/charset/nul-bytes-do-not-end-the-text", test_nul);
	g_test_add_func("/extractors/charset/empty-text-is-utf8", test_empty);
	g_test_add_func("/extractors/charset/labels-have-aliases", test_labels);
	return g_test_run();
}
