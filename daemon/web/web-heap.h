/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-heap.h - a binary heap of moments, from which a member can be taken out */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The first member of what is in a heap. */
typedef struct {
	int64_t at;
	unsigned place; /* in the heap, from 1; 0: in none */
	unsigned order; /* decides between equal moments: the smaller one first */
} HeapNode;

/* A zeroed WebHeap is empty. The nodes belong to the caller. */
typedef struct {
	GPtrArray *nodes; /* of HeapNode */
} WebHeap;

/* Puts the node in, or moves it to another moment. */
void web_heap_put(WebHeap *heap, HeapNode *node, int64_t at);
void web_heap_remove(WebHeap *heap, HeapNode *node); /* that is in none: nothing happens */
/* The earliest node, or NULL. */
HeapNode *web_heap_first(const WebHeap *heap);
void web_heap_clear(WebHeap *heap);
