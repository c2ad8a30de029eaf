/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make-charsets.c - run by the build: prints tables of all single-byte charsets
 *
 * Reads the list of "iconv -l". At run time, opening all of these charsets would take ten times as
 * long as the rest of the start of a child, so the tables are constants. Charsets in which a byte
 * alone has no fixed meaning are left out. */
#include <config.h>
#include "extractors/charset/charset-label.h"
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_MAX = 400, LABELS_MAX = 4000 };

typedef struct {
	uint16_t unit[256];
	char name[LABEL_SIZE * 2];
	bool named_well;
} Table;

typedef struct {
	char text[LABEL_SIZE];
	unsigned table;
} Label;

static Table tables[TABLES_MAX];
static Label labels[LABELS_MAX];
static unsigned n_tables, n_labels;

/* Returns 0 if the byte has no meaning, and -1 if it has several units or more bytes must
 * follow. */
static int unit_of(iconv_t descriptor, unsigned byte)
{
	char in = (char)byte, *from = &in;
	uint16_t units[4] = {0};
	char *to = (char *)units;
	size_t in_left = 1, out_left = sizeof units;
	iconv(descriptor, NULL, NULL, NULL, NULL);
	size_t result = iconv(descriptor, &from, &in_left, &to, &out_left);
	if (result == (size_t)-1)
		return errno == EILSEQ ? 0 : -1;
	return to == (char *)(units + 1) ? units[0] : -1;
}

static bool make_charsets_fill(iconv_t descriptor, Table *table)
{
	unsigned known = 0;
	for (unsigned byte = 0; byte < 256; byte++) {
		int unit = unit_of(descriptor, byte);
		if (unit < 0)
			return false;
		table->unit[byte] = (uint16_t)unit;
		known += unit != 0;
	}
	return known > 32;
}

static unsigned same_as(const Table *table)
{
	unsigned i = 0;
	while (i < n_tables && memcmp(tables[i].unit, table->unit, sizeof table->unit) != 0)
		i++;
	return i;
}

/* Registered numbers and abbreviations tell people less. */
static bool is_good_name(const char *name)
{
	return !isdigit((unsigned char)*name) && strncmp(name, "CS", 2) != 0 &&
	       strncmp(name, "OSF", 3) != 0 && strncmp(name, "ISO-IR", 6) != 0 && strlen(name) > 2;
}

static void set_name(Table *table, const char *name)
{
	size_t i = 0;
	for (; name[i] && i + 1 < sizeof table->name; i++)
		table->name[i] = (char)tolower((unsigned char)name[i]);
	table->name[i] = '\0';
}

static void make_charsets_take(char *name)
{
	Table table = {.name = ""};
	size_t length = strlen(name);
	if (length > 2 && strcmp(name + length - 2, "//") == 0)
		name[length - 2] = '\0';
	iconv_t descriptor = *name ? iconv_open("UTF-16LE", name) : (iconv_t)-1;
	if (descriptor == (iconv_t)-1)
		return;
	bool good = make_charsets_fill(descriptor, &table);
	iconv_close(descriptor);
	if (!good || n_tables == TABLES_MAX || n_labels == LABELS_MAX ||
	        !label_normalise(name, labels[n_labels].text))
		return;
	unsigned at = same_as(&table);
	if (at == n_tables)
		tables[n_tables++] = table;
	if (!tables[at].named_well) {
		tables[at].named_well = is_good_name(name);
		set_name(&tables[at], name);
	}
	labels[n_labels++].table = at;
}

static int make_charsets_compare(const void *a, const void *b)
{
	return strcmp(((const Label *)a)->text, ((const Label *)b)->text);
}

static bool is_ascii(const Table *table)
{
	for (unsigned byte = 0; byte < 128; byte++)
		if (table->unit[byte] != byte)
			return false;
	return true;
}

static void print_all(void)
{
	puts("/* Made by make-charsets. */\nstatic const uint16_t made_units[][256] = {");
	for (unsigned i = 0; i < n_tables; i++)
		for (unsigned byte = 0; byte < 256; byte++)
			printf("%s%u%s", byte ? "," : "{", tables[i].unit[byte],
			        byte == 255 ? "},\n" : "");
	puts("};\nstatic const struct {\n\tbool ascii;\n\tconst char *name;\n} made_tables[] = {");
	for (unsigned i = 0; i < n_tables; i++)
		printf("{%d, \"%s\"},\n", is_ascii(&tables[i]), tables[i].name);
	puts("};\nstatic const struct {\n\tconst char *label;\n\tunsigned table;\n} made_labels[] "
	     "= {");
	for (unsigned i = 0; i < n_labels; i++)
		if (i == 0 || strcmp(labels[i].text, labels[i - 1].text) != 0)
			printf("{\"%s\", %u},\n", labels[i].text, labels[i].table);
	puts("};");
}

int main(void)
{
	char name[256];
	while (scanf("%255s", name) == 1)
		make_charsets_take(name);
	if (n_tables == 0) {
		fputs("make-charsets: iconv tells no charset\n", stderr);
		return 1;
	}
	qsort(labels, n_labels, sizeof *labels, make_charsets_compare);
	print_all();
	return 0;
}
