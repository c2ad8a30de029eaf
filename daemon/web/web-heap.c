/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/web-heap.h"

static HeapNode *heap_at(const WebHeap *heap, unsigned place)
{
	return heap->nodes->pdata[place - 1];
}

static bool heap_is_before(const HeapNode *a, const HeapNode *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void heap_set(WebHeap *heap, unsigned place, HeapNode *node)
{
	heap->nodes->pdata[place - 1] = node;
	node->place = place;
}

static void heap_rise(WebHeap *heap, HeapNode *node)
{
	unsigned place = node->place;
	for (; place > 1 && heap_is_before(node, heap_at(heap, place / 2)); place /= 2)
		heap_set(heap, place, heap_at(heap, place / 2));
	heap_set(heap, place, node);
}

static void heap_sink(WebHeap *heap, HeapNode *node)
{
	unsigned place = node->place, n = heap->nodes->len;
	while (2 * place <= n) {
		unsigned child = 2 * place;
		if (child < n && heap_is_before(heap_at(heap, child + 1), heap_at(heap, child)))
			child++;
		if (!heap_is_before(heap_at(heap, child), node))
			break;
		heap_set(heap, place, heap_at(heap, child));
		place = child;
	}
	heap_set(heap, place, node);
}

void web_heap_put(WebHeap *heap, HeapNode *node, int64_t at)
{
	if (!heap->nodes)
		heap->nodes = g_ptr_array_new();
	node->at = at;
	if (node->place == 0) {
		g_ptr_array_add(heap->nodes, node);
		node->place = heap->nodes->len;
	}
	heap_rise(heap, node);
	heap_sink(heap, node);
}

void web_heap_remove(WebHeap *heap, HeapNode *node)
{
	if (node->place == 0)
		return;
	HeapNode *last = heap_at(heap, heap->nodes->len);
	unsigned place = node->place;
	g_ptr_array_set_size(heap->nodes, heap->nodes->len - 1);
	node->place = 0;
	if (last == node)
		return;
	heap_set(heap, place, last);
	heap_rise(heap, last);
	heap_sink(heap, last);
}

HeapNode *web_heap_first(const WebHeap *heap)
{
	return heap->nodes && heap->nodes->len > 0 ? heap->nodes->pdata[0] : NULL;
}

void web_heap_clear(WebHeap *heap)
{
	g_clear_pointer(&heap->nodes, g_ptr_array_unref);
}
