/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dbf.c - tables of dBase and related programs (Library of Congress fdd000325; not dBase 7, whose
 * field descriptors have 48 bytes) */
#include <config.h>
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"
#include <string.h>

enum {
	HEADER_BYTES = 32,
	FIELD_BYTES = 32,
	NAME_BYTES = 11,
	MAX_FIELDS = 2048,
	FIELDS_END = 0x0d,
	DELETED = '*',
	END_OF_FILE = 0x1a
};

typedef struct {
	char name[NAME_BYTES + 1];
	char type;
	size_t from, length; /* position in a record */
} Field;

typedef struct {
	const uint8_t *data;
	size_t size;
	size_t header_bytes, record_bytes, records;
	Field fields[MAX_FIELDS];
	size_t n_fields;
} Table;

/* Language driver numbers of FoxPro. */
static const char *charset_of(uint8_t driver)
{
	static const struct {
		uint8_t driver;
		const char *charset;
	} drivers[] = {{0x01, "cp437"}, {0x02, "cp850"}, {0x03, "windows-1252"}, {0x08, "cp865"},
	        {0x09, "cp437"}, {0x0a, "cp850"}, {0x13, "shift_jis"}, {0x1f, "cp852"},
	        {0x26, "cp866"}, {0x4d, "gbk"}, {0x4e, "euc-kr"}, {0x4f, "big5"},
	        {0x50, "windows-874"}, {0x57, "windows-1252"}, {0x58, "windows-1252"},
	        {0x64, "cp852"}, {0x65, "cp866"}, {0x66, "cp865"}, {0x78, "big5"}, {0x79, "euc-kr"},
	        {0x7a, "gbk"}, {0x7b, "shift_jis"}, {0x7c, "windows-874"}, {0x7d, "windows-1255"},
	        {0x7e, "windows-1256"}, {0x87, "cp852"}, {0xc8, "windows-1250"},
	        {0xc9, "windows-1251"}, {0xca, "windows-1254"}, {0xcb, "windows-1253"},
	        {0xcc, "windows-1257"}};
	for (size_t i = 0; i < G_N_ELEMENTS(drivers); i++)
		if (drivers[i].driver == driver)
			return drivers[i].charset;
	return NULL;
}

static bool read_fields(Table *table)
{
	size_t from = 1, end = MIN(table->header_bytes, table->size);
	for (size_t at = HEADER_BYTES; at + FIELD_BYTES <= end && table->data[at] != FIELDS_END;
	        at += FIELD_BYTES) {
		const uint8_t *entry = table->data + at;
		Field field = {.type = entry[11], .from = from, .length = entry[16]};
		/* for texts, the byte for decimals is the high byte of the length */
		if (field.type == 'C')
			field.length |= entry[17] << 8;
		memcpy(field.name, entry, NAME_BYTES);
		from += field.length;
		if (from > table->record_bytes || table->n_fields >= MAX_FIELDS)
			return false;
		table->fields[table->n_fields++] = field;
	}
	return table->n_fields > 0;
}

static bool open_table(Table *table, const Input *in)
{
	table->data = in->data;
	table->size = in->size;
	if (in->size < HEADER_BYTES + FIELD_BYTES)
		return false;
	Bytes file = {in->data, in->size};
	table->records = le32(file, 4);
	table->header_bytes = le16(file, 8);
	table->record_bytes = le16(file, 10);
	return table->header_bytes >= HEADER_BYTES && table->record_bytes > 0 && read_fields(table);
}

static bool dbf_is_readable(const Field *field)
{
	return strchr("CNFDLV", field->type) != NULL && field->type;
}

/* Ends a cell with a tab; tabs in values are replaced. */
static void append_cell(GString *out, const Field *field, const uint8_t *value)
{
	size_t begin = out->len, length = field->length;
	while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\0'))
		length--;
	while (length > 0 && *value == ' ') {
		value++;
		length--;
	}
	if (field->type == 'D' && length == 8)
		g_string_append_printf(out, "%.4s-%.2s-%.2s", value, value + 4, value + 6);
	else
		g_string_append_len(out, (const char *)value, length);
	for (char *c = out->str + begin; c < out->str + out->len; c++)
		if (*c == '\t' || *c == '\n' || *c == '\r' || *c == '\0')
			*c = ' ';
	g_string_append_c(out, '\t');
}

static GString *all_cells(const Table *table, size_t max)
{
	GString *out = g_string_new(NULL);
	size_t at = table->header_bytes;
	for (size_t i = 0; i < table->n_fields; i++)
		if (dbf_is_readable(&table->fields[i]))
			g_string_append_printf(out, "%s\t", table->fields[i].name);
	for (size_t n = 0; n < table->records && out->len < max; n++, at += table->record_bytes) {
		if (at > table->size || table->size - at < table->record_bytes ||
		        table->data[at] == END_OF_FILE)
			break;
		for (size_t i = 0; table->data[at] != DELETED && i < table->n_fields; i++)
			if (dbf_is_readable(&table->fields[i]))
				append_cell(out, &table->fields[i],
				        table->data + at + table->fields[i].from);
	}
	return out;
}

static void send_cells(Sink *sink, const char *text)
{
	for (const char *cell = text; *cell;) {
		size_t length = strcspn(cell, "\t");
		if (length > 0 &&
		        (!sink_block(sink, TAG_TABLE) || !sink_text(sink, TAG_TABLE, cell, length)))
			return;
		cell += length + (cell[length] == '\t');
	}
}

static ExtractResult dbf_extract(const Input *in, Sink *sink)
{
	g_autofree Table *table = g_new0(Table, 1);
	const char *charset = NULL;

	if (!open_table(table, in))
		return sink_fail(sink, REASON_DAMAGED, "the fields do not fit into the records");
	g_autoptr(GString) cells = all_cells(table, in->limits->text_bytes);
	g_autofree char *text = decode_text(
	        (const uint8_t *)cells->str, cells->len, charset_of(in->data[29]), NULL, &charset);
	if (charset)
		sink_field(sink, FIELD_CHARSET, charset, -1);
	send_cells(sink, text);
	return EXTRACT_DONE;
}

static const char *const mime_types[] = {
        "application/x-dbf", "application/dbf", "application/dbase", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "dbf",
        .version = 2,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = dbf_extract,
};
