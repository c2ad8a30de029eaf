/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.c QUERY: prints the paths of the ten best hits, each with a passage
 *
 *     cc search.c $(pkg-config --cflags --libs tarsier) -o search */
#include <locale.h>
#include <stdio.h>
#include <tarsier.h>

static void print_hit(tarsier *index)
{
	const char *member = tarsier_field(index, "member");
	const char *passage = tarsier_snippet(index, 0);
	printf("%s%s%s\n", tarsier_field(index, "path"), member ? "|" : "", member ? member : "");
	if (passage)
		printf("    %s\n", passage);
}

int main(int argc, char **argv)
{
	tarsier *index;
	setlocale(LC_ALL, "");
	int code = tarsier_open(NULL, &index);
	if (code == TARSIER_OK)
		code = tarsier_query(index, argc > 1 ? argv[1] : "", 0, 0, 10);
	if (code != TARSIER_OK)
		fprintf(stderr, "%s\n", tarsier_error(index));
	while (tarsier_next(index) == TARSIER_OK)
		print_hit(index);
	tarsier_close(index);
	return code;
}
