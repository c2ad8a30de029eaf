/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document-problem.h - why a document failed or was cut, as people read it
 *
 * The index, the sandbox's protocol and JSON hold the detail of a failure in English. It is either
 * one of the sentences of this file, or it has the words of a library or the system, or the name of
 * a part of the file. */
#pragma once
#include "common/base/document.h"

/* The stored details of children that ended. The number follows. */
#define PROBLEM_EXIT "it exited early with status "
#define PROBLEM_SIGNAL "signal "
#define PROBLEM_CLOSED "it closed the connection"
/* Those of a tarsier-extract that ended, or did not start. */
#define PROBLEM_STOPPED "tarsier-extract stopped unexpectedly"
#define PROBLEM_NOT_RUN "tarsier-extract cannot be run"
#define PROBLEM_SILENT "it does not respond"
#define PROBLEM_SELF_TEST "the sandbox failed its self-test"
#define PROBLEM_EARLY "it exited immediately"

/* Returns the detail in the user's language; the words of others stay as they are, in quotation
 * marks. NULL if the detail is NULL or empty. Control characters are not escaped. The caller frees
 * it. */
char *document_detail_text(const char *detail);
/* Returns "REASON: DETAIL", or "REASON" if there is no detail. NULL for REASON_NONE. The caller
 * frees it. */
char *document_problem_text(DocReason reason, const char *detail);
