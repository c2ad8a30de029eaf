#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Who may include whom: common <- index <- {daemon, ui-cli}; common <- extractors. Nothing else.
. "$abs_top_srcdir/tests/lib.sh"
cd "$abs_top_srcdir" || exit 99

foreign() { # foreign FOLDER ALLOWED...: includes of other folders that are not allowed
	_folder=$1; shift
	_allowed=$(echo "$_folder $*" | tr ' ' '|')
	find "$_folder" -name '*.[ch]' -exec grep -HnE '^#include "' {} + |
		grep -vE "#include \"($_allowed)/" || true
}

is "common includes only common" "$(foreign common)" ""
is "index includes common" "$(foreign index common)" ""
is "extractors include common" "$(foreign extractors common)" ""
is "daemon includes common and index" "$(foreign daemon common index)" ""
is "ui-cli includes common and index" "$(foreign ui-cli common index)" ""
is "SQL is spoken in index alone" "$(grep -lE 'sqlite3_(prepare|exec|step)' -r --include='*.[ch]' common extractors daemon ui-cli)" ""
is "every source names its licence" "$(find common index extractors daemon ui-cli tests bench data build-aux m4 -type f \
	\( -name '*.[ch]' -o -name '*.sql' -o -name '*.inc' -o -name 'tarsier-*.m4' -o -name '*.sh' -o -name '*.py' \) \
	! -path '*/data/*' ! -name '*-sql.h' ! -name fold-table.h ! -name 'install-sh' ! -name tap-driver.sh ! -name ltmain.sh \
	-exec grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' {} +)" ""
done_testing
