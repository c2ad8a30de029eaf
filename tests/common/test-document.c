/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/document-problem.h"
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

/* Stored reasons do not depend on the language; texts of others are told from ours. */
static void test_details_are_told(void)
{
	static const char *const details[][2] = {
	        {"no page can be read", "no page can be read"},
	        {PROBLEM_EXIT "3", "it exited early with status 3"},
	        {PROBLEM_SIGNAL "11", "signal 11 (Segmentation fault)"},
	        {PROBLEM_CLOSED, "it closed the connection"},
	        {PROBLEM_STOPPED, "tarsier-extract stopped unexpectedly"},
	        {PROBLEM_NOT_RUN, "tarsier-extract cannot be run"},
	        {PROBLEM_SELF_TEST, "the sandbox failed its self-test"},
	        {PROBLEM_SIGNAL "of a library", "\"signal of a library\""},
	        {PROBLEM_SIGNAL "-1", "\"signal -1\""},
	        {"gzip decompression failed", "\"gzip decompression failed\""},
	        {"100%s", "\"100%s\""},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(details); i++) {
		g_autofree char *text = document_detail_text(details[i][0]);
		g_assert_cmpstr(text, ==, details[i][1]);
	}
	g_autofree char *empty = document_detail_text(""), *none = document_detail_text(NULL);
	g_assert_null(empty);
	g_assert_null(none);
}

static void test_problems_are_told(void)
{
	g_autofree char *both = document_problem_text(REASON_DAMAGED, "content.xml"),
	                *reason = document_problem_text(REASON_DAMAGED, ""),
	                *none = document_problem_text(REASON_NONE, "content.xml");
	g_assert_cmpstr(both, ==, "it is damaged: \"content.xml\"");
	g_assert_cmpstr(reason, ==, "it is damaged");
	g_assert_null(none);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/document/pieces-join-runs", test_pieces_join_runs);
	g_test_add_func("/common/document/facts-are-capped", test_facts_are_capped);
	g_test_add_func("/common/document/every-name-is-known", test_every_name_is_known);
	g_test_add_func("/common/document/details-are-told", test_details_are_told);
	g_test_add_func("/common/document/problems-are-told", test_problems_are_told);
	return g_test_run();
}
