# SPDX-License-Identifier: GPL-3.0-or-later
# Pages of sites and items of feeds are found, shown and opened beside files; nothing asks the network.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/docs; index=$HOME/.local/share/tarsier; mkdir -p "$d" "$TEST_TMP/bin"
page() { # page FILE TITLE TEXT
	printf '<!doctype html><html><head><title>%s</title></head><body><p>%s</p></body></html>\n' "$2" "$3" >"$TEST_TMP/$1"
}
long='one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen'
page first 'First steps' 'The pelican of the first page.'
page setup 'Set-up' "A pelican sets up. $long"
page item 'News of today' 'A pelican in the news.'
cp "$TEST_TMP/setup" "$d/saved.html"
echo 'a pelican of the disk' >"$d/notes.txt"
tarsier -q add "$d"
ok "files are indexed" tarsier -q index
"$abs_top_builddir/tests/index/fill-pages" "$index" "$HOME/.cache/tarsier" <<END
site https://example.org/docs/
page https://example.org/docs/ $TEST_TMP/first First steps
page https://example.org/docs/set-up.html?lang=en $TEST_TMP/setup Set-up
feed https://news.test/feed.xml
page https://news.test/2026/item $TEST_TMP/item News of today
END
first=https://example.org/docs/ setup='https://example.org/docs/set-up.html?lang=en' item=https://news.test/2026/item
found() { tarsier "$@" 2>/dev/null | sort | tr '\n' ' '; }

is "a word finds pages, items and files" "$(found --dups show pelican)" \
	"$d/notes.txt $d/saved.html $first $setup $item "
is "a page and a file with its bytes are one hit" "$(found pelican | wc -w)" 4
is "site: finds pages of the host" "$(found site:example.org pelican --dups show)" "$first $setup "
is "site: with a path" "$(found site:example.org/docs/set-up.html --dups show)" "$setup "
is "source:feed finds items" "$(found source:feed)" "$item "
is "source:file finds no page" "$(found source:file pelican --dups show)" "$d/notes.txt $d/saved.html "
is "inurl: searches in URLs" "$(found inurl:LANG --dups show)" "$setup "
is "url: finds one page" "$(found url:HTTPS://example.org/docs/#top)" "$first "
is "-d takes a URL" "$(found -d https://example.org/docs pelican --dups show)" "$first $setup "
is "ext: and name: read the URL" "$(found ext:html name:set-up --dups show)" "$setup "
is "a pasted URL finds its page first" "$(tarsier "$item" 2>/dev/null | head -n 1)" "$item"
is "-0 ends a URL with NUL" "$(tarsier -0 source:feed | tr '\0' '|')" "$item|"
not_ok "a wrong value of source: is a fault" 2 tarsier source:book
not_ok "a wrong value of url: is a fault" 2 tarsier url:mailto:a@example.org

tarsier --json 'pelican source:feed' >"$TEST_TMP/json"
like "JSON has the URL" "$(cat "$TEST_TMP/json")" "\"path\":\"$item\".*\"uri\":\"$item\",\"url\":\"$item\",\"source\":\"feed\",\"title\":\"News of today\""
like "snippets come from the kept text" "$(cat "$TEST_TMP/json")" '"text":'
like "JSON of a file has no URL" "$(tarsier --json notes)" '"url":null,"source":"file"'
like "a snippet shows the words" "$(tarsier --long --color never 'pelican source:feed' 2>/dev/null)" 'A pelican in the news'
like "the title stands first" "$(tarsier --long --color never 'pelican source:feed' 2>/dev/null | head -n 1)" '1 News of today'
like "the hyperlink of a page is its URL" "$(tarsier --long --color always 'pelican source:feed' 2>/dev/null)" "]8;;$item"
like "--explain names the condition" "$(tarsier --explain site:example.org 2>&1 >/dev/null)" 'pages below example.org'

like "show prints the kept text" "$(tarsier show --plain "$item")" 'A pelican in the news.'
like "show takes another spelling of the URL" "$(tarsier show --plain HTTPS://news.test:443/2026/./item#a)" 'A pelican in the news.'
like "show --xml has the page's own type" "$(tarsier show --xml "$first")" 'mime="text/html"'
not_ok "show of an unknown page fails" 1 tarsier show https://example.org/docs/none
like "info knows the page" "$(tarsier info "$setup")" 'Set-up'
like "info --json has the source" "$(tarsier info --json "$item")" '"source":"feed"'
like "info of the source's URL is about its page" "$(tarsier info "$first")" 'First steps'
like "info of an unknown page says where to ask" "$(tarsier info https://example.org/none)" 'web visit'
is "list takes the URL of a source" "$(tarsier list https://example.org/docs/ | tr '\n' ' ')" "$first $setup "
is "list of a feed has its items" "$(tarsier list https://news.test/feed.xml)" "$item"
is "list takes a URL below a source" "$(tarsier list "https://example.org/docs/set-up.html")" "$setup"
like "similar takes a URL" "$(tarsier similar "$setup" 2>/dev/null)" "$d/saved.html"
is "dup: takes a URL" "$(found "dup:$setup" --dups show)" "$d/saved.html $setup "
like "dups compares the bytes of a page and a file" "$(tarsier dups --exact --json)" "\"paths\":\[.*set-up.*saved.html\|saved.html.*set-up"
ok "dups --rules takes no source for a directory" ends_with 1 tarsier dups --rules

printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"%s/opened.part"; mv "%s/opened.part" "%s/opened"\n' "$TEST_TMP" "$TEST_TMP" "$TEST_TMP" >"$TEST_TMP/bin/gio"
chmod +x "$TEST_TMP/bin/gio"
export PATH="$TEST_TMP/bin:$PATH"
unset DISPLAY WAYLAND_DISPLAY
opened() { rm -f "$TEST_TMP/opened"; tarsier "$@" >/dev/null 2>&1; tr '\n' ' ' <"$TEST_TMP/opened"; }
is "open opens the live page" "$(opened open "$item")" "open $item "
is "--open opens the live page of a hit" "$(opened source:feed --open)" "open $item "
tarsier source:feed >/dev/null 2>&1
is "open N opens the live page" "$(opened open 1)" "open $item "
rm -f "$TEST_TMP/opened"
ok "open refuses other schemes" sh -c '! tarsier open ftp://example.org/ && ! test -e "$TEST_TMP/opened"'
is "-x gets the URL" "$(tarsier source:feed -x echo {} 2>/dev/null)" "$item"

rm -r "$index/web"
like "a hit whose text is gone is shown without it" "$(tarsier --long 'pelican source:feed' 2>/dev/null)" 'News of today'
ok "show fails when the store is gone" sh -c '! tarsier show "$1"' sh "$item"
# ---- what was opened
tarsier compact --scrub >/dev/null 2>&1
ok "compact --scrub keeps the pages that were opened and are in the index" \
	grep -qF "$item" "${XDG_DATA_HOME:-$HOME/.local/share}/tarsier/opened"
done_testing
