/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/markup/accent.h"

bool accent_append(GString *out, char sign, gunichar letter)
{
	static const struct {
		char sign;
		gunichar combining;
	} accents[] = {{'`', 0x300}, {'\'', 0x301}, {'^', 0x302}, {'~', 0x303}, {'=', 0x304},
	        {'u', 0x306}, {'.', 0x307}, {'"', 0x308}, {':', 0x308}, {'r', 0x30a}, {'H', 0x30b},
	        {'v', 0x30c}, {'d', 0x323}, {'c', 0x327}, {',', 0x327}, {'k', 0x328}, {'b', 0x331}};
	for (size_t i = 0; i < G_N_ELEMENTS(accents); i++) {
		gunichar composed;
		if (accents[i].sign != sign)
			continue;
		if (g_unichar_compose(letter, accents[i].combining, &composed)) {
			g_string_append_unichar(out, composed);
		} else {
			g_string_append_unichar(out, letter);
			g_string_append_unichar(out, accents[i].combining);
		}
		return true;
	}
	return false;
}
