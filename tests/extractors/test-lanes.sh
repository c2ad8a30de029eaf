#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-lanes.sh: a child has the plugins of its lane only, and the content decides which lane that is
. "$abs_top_srcdir/tests/lib.sh"
data=$abs_top_srcdir/tests/extractors/data
cache=$HOME/.cache/tarsier # where the daemon may write
mkdir -p -m 700 "$cache"
starts=$cache/starts
program=$TARSIER_EXTRACT
cat >"$TEST_TMP/extract" <<EOF
#!/bin/sh
only=all
for argument; do
	case \$argument in --only=*) only=\${argument#--only=} ;; esac
done
echo "\$only" >>'$starts'
exec '$program' "\$@"
EOF
chmod 755 "$TEST_TMP/extract"

# convert FILE NAME: prints what FILE gives under that name; $starts gets the plugins of each program that was started
convert() {
	cp "$1" "$TEST_TMP/$2"
	: >"$starts"
	TARSIER_EXTRACT=$TEST_TMP/extract tarsier extract "$TEST_TMP/$2"
}

# lane FILE NAME: the plugins of the last program, which is that of the content
lane() {
	convert "$1" "$2" >/dev/null
	tail -n 1 "$starts"
}

lacks() { # lacks PLUGIN: an optional library was missing when it was built
	! tarsier formats --json | grep "\"name\":\"$1\"" | grep -q '"state":"ok"'
}

cheap=$(lane "$data/text-code.c" code.c)
is "no other program is started for it" "$(wc -l <"$starts")" 1
like "a text is converted with the plugins of the cheap lane" ",$cheap," ',html,.*,text,'
is "and with no library for PDF, films, music, pictures or networks" \
	"$(for name in $(echo "$cheap" | tr ',' ' '); do ldd "$TARSIER_PLUGINS/$name.so"; done |
		grep -cE 'lib(poppler|mediainfo|tag|exiv2|curl|ldap|X11|cairo|mwaw)')" 0
is "a PDF is converted with the plugins of its lane" "$(lane "$data/pdf-basic.pdf" a.pdf)" ocr,pdf,text
is "a film that is a PDF is not converted with the plugins for films" "$(lane "$data/pdf-basic.pdf" a.mp4)" all
is "the name does not change the text" \
	"$(convert "$data/pdf-basic.pdf" a.mkv)" "$(convert "$data/pdf-basic.pdf" a.pdf)"
like "a PDF whose font is elsewhere is converted with the character maps of its lane" \
	"$(convert "$data/pdf-cjk.pdf" a.pdf)" '東京都の灯台'
if lacks audio || lacks video; then
	skip "a film is converted with the plugins of its lane" "they are not built"
else
	is "a film is converted with the plugins of its lane" "$(lane "$data/video-web.webm" a.webm)" audio,text,video
fi
own=$(lane "$data/archive-tar.tgz" a.tgz)
like "a container is converted with the plugins for containers" ",$own," ',archive,'
like "and with the cheap ones" ",$own," ',html,'
is "and with no others" "$(echo "$own" | grep -cE 'pdf|video|image|vintage')" 0

# The daemon knows the types of all lanes
# index FILE NAME: prints the plugins of the programs that the daemon starts for it, in their order
index() {
	rm -rf "$TEST_TMP/tree" "$HOME/.local/share/tarsier"
	mkdir "$TEST_TMP/tree"
	cp "$1" "$TEST_TMP/tree/$2"
	: >"$starts"
	TARSIER_EXTRACT=$TEST_TMP/extract tarsier index >/dev/null 2>&1
	tr '\n' ' ' <"$starts"
}
mkdir "$TEST_TMP/tree"
tarsier add -q "$TEST_TMP/tree"
is "the client guesses the plugins of the cheap lane as the daemon knows them" "$(index "$data/text-code.c" a.c)" "all $cheap "
is "and those of PDF" "$(index "$data/pdf-basic.pdf" a.pdf)" "all pdf,text "
is "a PDF under the name of a text is sent to its lane" "$(index "$data/pdf-basic.pdf" a.txt)" "all $cheap pdf,text "
is "and a text under the name of a PDF to the cheap one" "$(index "$data/html-basic.html" a.pdf)" "all pdf,text $cheap "
if lacks audio || lacks video; then
	skip "a PDF under the name of a film is sent to its lane" "there is no plugin for films"
else
	is "a PDF under the name of a film is sent to its lane" "$(index "$data/pdf-basic.pdf" a.mp4)" "all audio,text,video pdf,text "
fi
is "it is converted there" "$(tarsier search -l harbour)" "$TEST_TMP/tree/a.mp4"

# Charsets that hardly any file has are loaded with all plugins only
shifted=$data/html-shifted.html
is "a page in a rare charset is converted with all plugins" "$(lane "$shifted" a.html)" all
like "and its text is not damaged" "$(convert "$shifted" a.html)" '매일 아침 항만 관리인은'
index "$shifted" shifted.html >"$TEST_TMP/out"
is "the daemon converts it too" "$(tarsier search -l 항만)" "$TEST_TMP/tree/shifted.html"
is "a page in a common charset of several bytes is converted with the cheap ones" \
	"$(printf '<meta charset=euc-kr><p>\265\356\264\353\277\315 \307\327\261\270' >"$TEST_TMP/common.html"; index "$TEST_TMP/common.html" a.html)" "all $cheap "
is "and found by its words too" "$(tarsier search -l 등대)" "$TEST_TMP/tree/a.html"

mkdir "$TEST_TMP/box"
cp "$data/pdf-basic.pdf" "$data/html-basic.html" "$TEST_TMP/box"
tar -C "$TEST_TMP/box" -cf "$TEST_TMP/box.tar" pdf-basic.pdf html-basic.html
members=$(convert "$TEST_TMP/box.tar" mixed.tar)
like "a PDF in a container is converted" "$members" '<title>The harbour book</title>'
like "and so is a page beside it" "$members" '<title>Lanterns'

cat >"$TEST_TMP/extract" <<EOF
#!/bin/sh
case "\$*" in *--only=*) exit 1 ;; esac
exec '$program' "\$@"
EOF
index "$data/pdf-basic.pdf" b.pdf >/dev/null
is "if no program of a lane can be started, the one with all plugins converts the file" \
	"$(tarsier search -l harbour)" "$TEST_TMP/tree/b.pdf"
done_testing
