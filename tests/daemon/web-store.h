/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-store.h - a site with pages and their store, without a network */
#pragma once
#include "daemon/web/web-crawl-private.h"
#include "tests/index/index-test.h"

#define SITE "https://a.example/"

typedef struct {
	Fixture base;
	WebCrawl *crawl;
	int64_t now_s; /* the date of records */
} StoreTest;

/* keep: "page", "text" or "nothing". The fixture is up. */
void store_test_open(StoreTest *t, const char *keep);
void store_test_close(StoreTest *t);
WebSource *store_test_source(const StoreTest *t);
/* A page is fetched with this body; NULL: it has not changed. */
WebKept store_test_keep(StoreTest *t, const char *url, const void *body, size_t length);
/* The site answers that the page is gone. */
void store_test_gone(StoreTest *t, const char *url);
void store_test_commit(StoreTest *t);
/* Compacts to the end. */
void store_test_compact(StoreTest *t, bool all);
/* 1: found, the caller clears the row; 0: none. */
int store_test_page(StoreTest *t, const char *url, WebPageRow *row);
/* The body that the row refers to, or NULL. The caller unrefs it. */
GBytes *store_test_body(StoreTest *t, const char *url);
/* Bytes of the store. */
uint64_t store_test_bytes(const StoreTest *t);
/* length bytes that do not compress, of a seed. The caller frees them. */
uint8_t *store_test_noise(uint32_t seed, size_t length);
