/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/document.h"
#include <string.h>

static void test_pieces_join_runs(void)
{
	g_autoptr(Document) doc = document_new(NULL);
	g_assert_true(document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, "one ", 4));
	g_assert_true(document_add_text(doc, TAG_BODY, 0, "two", 3));
	g_assert_true(document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, "three", 5));
	g_assert_cmpuint(doc->runs->len, ==, 2);
	g_assert_cmpuint(g_array_index(doc->runs, DocRun, 0).length, ==, 7);
	g_assert_cmpuint(g_array_index(doc->runs, DocRun, 1).offset, ==, 7);
	g_assert_cmpstr(doc->text->str, ==, "one twothree");
}

static void test_facts_are_capped(void)
{
	g_autoptr(Document) doc = document_new("a/b");
	for (int i = 0; i < DOC_MAX_FACTS; i++)
		g_assert_true(document_add_fact(doc, FIELD_AUTHOR, "Ada", 3));
	g_assert_false(document_add_fact(doc, FIELD_AUTHOR, "Ada", 3));
	g_autofree char *joined = document_facts_joined(doc, FIELD_AUTHOR, "");
	g_assert_cmpuint(strlen(joined), ==, 3 * DOC_MAX_FACTS);
	g_assert_null(document_fact(doc, FIELD_TITLE));
}

static void test_every_name_is_known(void)
{
	for (int i = 0; i < N_FIELDS; i++)
		g_assert_nonnull(document_field_name(i));
	for (int i = 0; i < N_TAGS; i++)
		g_assert_nonnull(document_tag_name(i));
	for (int i = 0; i < N_LINK_KINDS; i++)
		g_assert_nonnull(document_link_name(i));
	for (int i = 0; i < N_REASONS; i++) {
		g_assert_nonnull(document_reason_name(i));
		g_assert_nonnull(document_reason_text(i));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/document/pieces-join-runs", test_pieces_join_runs);
	g_test_add_func("/common/document/facts-are-capped", test_facts_are_capped);
	g_test_add_func("/common/document/every-name-is-known", test_every_name_is_known);
	return g_test_run();
}
