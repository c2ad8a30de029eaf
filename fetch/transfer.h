/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transfer.h - one request with libcurl: its settings, what is read, and the answer
 *
 * Redirects are not followed, and there are no cookies, no referrer, no proxy, no netrc, no other
 * protocol than HTTP, and no certificate that is not verified. */
#pragma once
#include "common/ipc/fetch-wire.h"
#include <curl/curl.h>

typedef struct Transfer Transfer;

/* easy: a handle without settings; transfer_free() leaves it to the caller. The request is taken
 * over. certificates: a file instead of the system's, or NULL; must outlive the transfer. Never
 * NULL: if the request cannot be made, transfer_is_ready() is false. */
Transfer *transfer_new(
        CURL *easy, uint32_t serial, FetchRequest *request, const char *certificates);
void transfer_free(Transfer *transfer);
/* False: end it at once with transfer_end(transfer, CURLE_OK). */
bool transfer_is_ready(const Transfer *transfer);

CURL *transfer_easy(const Transfer *transfer);
uint32_t transfer_serial(const Transfer *transfer);
/* The transfer of a handle; NULL if it has none. */
Transfer *transfer_of(CURL *easy);

/* Makes the answer, of which the transfer stays the owner. */
void transfer_end(Transfer *transfer, CURLcode result);
/* Has the way to the address that it connects to, or is connected to, gone? */
bool transfer_is_cut_off(const Transfer *transfer);
/* As transfer_end(), for a transfer that is cut off. */
void transfer_end_cut_off(Transfer *transfer);
const FetchAnswer *transfer_answer(const Transfer *transfer);
/* The sealed memfd of an answer with bytes, else -1. It belongs to the transfer. */
int transfer_body(const Transfer *transfer);
