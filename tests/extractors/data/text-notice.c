/* Copyright (C) 2026 the makers of nothing.
 * You may use this under any licence that you like. */
/* sum.c - adds two numbers */
#include "sum.h"

/* No licence here: this comment stays. */
int sum(int a, int b)
{
	return a + b;
}
