#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The migrations become a table in their order, and only files named NNNN-WHAT.sql are taken.
tool=$abs_top_srcdir/build-aux/migrations2h.sh
echo 1..3
cd "$TEST_TMP" || exit 99
printf -- '-- a comment\nALTER TABLE t ADD COLUMN b;\nINSERT INTO t VALUES("x\\\\y");\n' >0002-add-b.sql
printf 'DROP TABLE t;\n' >0010-drop.sql
cat >main.c <<'END'
#include <stdio.h>
typedef struct {
	int to;
	const char *sql;
} Migration;
#include "out.h"
int main(void)
{
	for (const Migration *step = migrations; step->sql; step++)
		printf("%d:%s", step->to, step->sql);
	return 0;
}
END

sh "$tool" 0002-add-b.sql 0010-drop.sql >out.h && ${CC:-cc} -o main main.c && ./main >got
printf '2:ALTER TABLE t ADD COLUMN b;\nINSERT INTO t VALUES("x\\\\y");\n10:DROP TABLE t;\n' >expected
if cmp -s got expected; then echo "ok 1 - steps in order"; else echo "not ok 1 - steps in order"; sed 's/^/# /' got; fi

sh "$tool" >out.h && ${CC:-cc} -o main main.c && ./main >got
if [ -s got ]; then echo "not ok 2 - no steps"; else echo "ok 2 - no steps"; fi

printf 'SELECT 1;\n' >add-c.sql
if sh "$tool" add-c.sql >out.h 2>/dev/null; then echo "not ok 3 - wrong name"; else echo "ok 3 - wrong name"; fi
