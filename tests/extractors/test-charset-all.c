/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-charset-all.c - every charset that iconv lists is decoded as iconv decodes it */
#include <config.h>
#include "extractors/charset/charset.h"
#include "extractors/shared/extractor.h"
#include <iconv.h>
#include <stdio.h>
#include <string.h>

/* Characters that a charset cannot encode are left out. */
static const char pool[] =
        "the quick brown fox jumps over the lazy dog THE QUICK BROWN FOX 0123456789 "
        "äöüßéèàçñåæøáíóúýðþ čšžćđřěůňť ąęłńśźż ăâîșțşţ ğışİ āēīūģķļņ ĉĝĥĵŝŭ ċġħ "
        "абвгдежзийклмнопрстуфхцчшщъыьэюя АБВГДЕЖЗ іїєґў ђјљњћџ әғқңөұүһ αβγδεζηθικλμνξοπρστυφχψω "
        "άέή אבגדהוזחטיכלמנסעפצקרשת ابتثجحخدذرزسشصضطظعغفقكلمنهوي پچگ กขคงจฉชซ ăđơư աբգդեզէ აბგდევ "
        "的一是不了人我在有他这中大来上国 這個們來國說時 あいうえおかきくけこ アイウエオカキクケコ "
        "日本語漢字 가나다라마바사아자차카타파하 அஆஇ";

enum { BYTES_MAX = 4 * sizeof pool, LETTERS_MIN = 8 };

typedef struct {
	char bytes[BYTES_MAX];
	size_t size;
} Encoded;

static bool encode(const char *label, Encoded *encoded)
{
	iconv_t descriptor = iconv_open(label, "UTF-8");
	if (descriptor == (iconv_t)-1)
		return false;
	char *to = encoded->bytes;
	size_t room = sizeof encoded->bytes;
	for (const char *p = pool; *p; p = g_utf8_next_char(p)) {
		char *from = (char *)p;
		size_t left = g_utf8_next_char(p) - p;
		iconv(descriptor, &from, &left, &to, &room);
	}
	iconv(descriptor, NULL, NULL, &to, &room);
	iconv_close(descriptor);
	encoded->size = sizeof encoded->bytes - room;
	return true;
}

/* Returns the letters only: the signs differ between charsets that have one label. */
static GString *letters_of(const char *text)
{
	GString *letters = g_string_new(NULL);
	for (const char *p = text; *p; p = g_utf8_next_char(p))
		if (g_unichar_isalpha(g_utf8_get_char(p)))
			g_string_append_unichar(letters, g_utf8_get_char(p));
	return letters;
}

static GString *read_by_iconv(const char *label, const Encoded *encoded)
{
	g_autofree char *text =
	        g_convert(encoded->bytes, encoded->size, "UTF-8", label, NULL, NULL, NULL);
	return text ? letters_of(text) : NULL;
}

static void test_label(gconstpointer label)
{
	Encoded encoded;
	if (!encode(label, &encoded)) {
		g_test_skip("not to be written");
		return;
	}
	g_autoptr(GString) wanted = read_by_iconv(label, &encoded);
	if (!wanted || g_utf8_strlen(wanted->str, -1) < LETTERS_MIN) {
		g_test_skip("no letters");
		return;
	}
	size_t length;
	g_autofree char *text =
	        decode_text((const uint8_t *)encoded.bytes, encoded.size, label, &length, NULL);
	g_autoptr(GString) letters = letters_of(text);
	g_assert_cmpstr(letters->str, ==, wanted->str);
}

static void add_labels(FILE *list)
{
	char name[256];
	while (fscanf(list, "%255s", name) == 1) {
		char *slashes = strstr(name, "//");
		if (slashes)
			*slashes = '\0';
		g_autofree char *path = g_strdelimit(g_strdup(name), "/", '_');
		g_autofree char *test = g_strconcat("/extractors/charset-all/", path, NULL);
		g_test_add_data_func_full(test, g_strdup(name), test_label, g_free);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	charset_preload(true);
	FILE *list = popen("iconv -l", "r");
	g_assert_nonnull(list);
	add_labels(list);
	pclose(list);
	return g_test_run();
}
