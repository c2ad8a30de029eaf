#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test-page.sh: what a page of a site tells a crawler, and a page on a disk does not
. "$abs_top_srcdir/tests/lib.sh"
cat >"$TEST_TMP/page.html" <<'END'
<!doctype html><html><head><title>T</title><meta name="Robots" content=" NoIndex, nofollow ">
<link rel="canonical" href="a.html"><link rel="stylesheet" href="s.css"><link rel="alternate" hreflang="de" href="de.html">
<link REL="Alternate home" type="application/atom+xml" title="News &amp; more" href="/feed"></head>
<body><p><a href="one">One</a> <a rel="external NoFollow" href="../two">Two</a> <a href="//other.example/">Three</a> <a rel="nofollower" href="four">Four</a></p></body></html>
END
frames() { # frames FILE OPTION...: links and directives
	file=$1; shift
	"$TARSIER_EXTRACT" --file "$file" "$@" 2>&1 | sed -n 's/^ *\(LINK .*\|FIELD robots .*\)$/\1/p'
}
is "a page of a site tells its address, its feeds, its directives, and links not to follow" \
	"$(frames "$TEST_TMP/page.html" --page https://example.org/dir/page.html)" 'FIELD robots "noindex,nofollow"
LINK canonical "https://example.org/dir/a.html" ""
LINK feed "https://example.org/feed" "News & more"
LINK "https://example.org/dir/one" "One"
LINK nofollow "https://example.org/two" "Two"
LINK "https://other.example/" "Three"
LINK "https://example.org/dir/four" "Four"'
is "a page on a disk tells its links alone" "$(frames "$TEST_TMP/page.html")" 'LINK "one" "One"
LINK "../two" "Two"
LINK "//other.example/" "Three"
LINK "four" "Four"'
sed 's|<head>|<head><base href="/base/"><base href="/not/">|' "$TEST_TMP/page.html" >"$TEST_TMP/based.html"
is "a base element is resolved against the address of the page" \
	"$(frames "$TEST_TMP/based.html" --page https://example.org/dir/page.html | grep One)" 'LINK "https://example.org/base/one" "One"'

refresh() { # refresh CONTENT: where a page with it leads
	printf '<!doctype html><meta http-equiv="Refresh" content="%s"><p>Text' "$1" >"$TEST_TMP/refresh.html"
	frames "$TEST_TMP/refresh.html" --page https://example.org/dir/page.html
}
next='LINK "https://example.org/dir/next?a=1&b" ""'
for content in '0; url=next?a=1&amp;b' '5;URL=&quot;next?a=1&b&quot;; x' ' 1.5 , Url = next?a=1&b ' '0 next?a=1&b' "0;url='next?a=1&b' "; do
	is "a refresh is a link: $content" "$(refresh "$content")" "$next"
done
is "a file whose name begins with url is one" "$(refresh '0; urls.html')" 'LINK "https://example.org/dir/urls.html" ""'
for content in 30 '30;' '0; url=' 'url=next' '' '0; url=javascript:next()'; do
	is "a refresh that leads nowhere is no link: $content" "$(refresh "$content")" ""
done
printf '<!doctype html><link rel="next" href="2.html"><link rel="up prev" href="0.html"><link rel="nextra" href="no.html"><p>Text' >"$TEST_TMP/parts.html"
is "the next and the former part of a text are links" "$(frames "$TEST_TMP/parts.html" --page https://example.org/1.html)" \
	'LINK "https://example.org/2.html" ""
LINK "https://example.org/0.html" ""'

cat >"$TEST_TMP/signs.html" <<'END'
<!doctype html><title>T</title><body><p><a href="\one">One</a> <a href="\\other.example\two?a\b">Two</a> <a href="..\three">Three</a>
<a href="">Four</a> <a href="#five">Five</a></p></body>
END
is "a backslash leads where a slash does" \
	"$(frames "$TEST_TMP/signs.html" --page https://example.org/dir/sub/page.html)" 'LINK "https://example.org/one" "One"
LINK "https://other.example/two?a\b" "Two"
LINK "https://example.org/dir/three" "Three"'
sed 's|<title>|<base href="/base/"><title>|' "$TEST_TMP/signs.html" >"$TEST_TMP/based.html"
is "with a base element, a link without path leads to that" \
	"$(frames "$TEST_TMP/based.html" --page https://example.org/dir/page.html | grep -E 'Four|Five')" \
	'LINK "https://example.org/base/" "Four"
LINK "https://example.org/base/#five" "Five"'

directives() { # directives HTML: what a page with this in its head tells
	printf '<!doctype html><title>T</title>%s<body><p>Text' "$1" >"$TEST_TMP/robots.html"
	frames "$TEST_TMP/robots.html" --page https://example.org/
}
is "the directives of all metas are one fact" "$(directives '<meta name="robots" content="max-snippet:-1"><script>"<meta name=robots content=none>"</script>
	<meta name="TARSIER" content="NoFollow"><meta name="robots" content="noindex"><meta name="otherbot" content="none">')" \
	'FIELD robots "max-snippet:-1,nofollow,noindex"'
is "a meta for this crawler counts by itself" "$(directives '<meta name="tarsier" content="noindex">')" 'FIELD robots "noindex"'
is "directives are told apart by any sign" "$(directives '<meta name="robots" content="noindex nofollow;noarchive |&#160;all">')" \
	'FIELD robots "noindex,nofollow,noarchive,all"'
printf '<?xml version="1.0"?><html><head><script src="s.js"/><meta name="robots" content="noindex"/></head><body><p>T</p></body></html>' >"$TEST_TMP/page.xhtml"
is "a script without content hides no directives" "$(frames "$TEST_TMP/page.xhtml" --page https://example.org/)" 'FIELD robots "noindex"'
done_testing
