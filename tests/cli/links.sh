# SPDX-License-Identifier: GPL-3.0-or-later
# anchor: finds a file by what the links to it say, whatever happens to either; items of feeds are documents.
. "$abs_top_srcdir/tests/lib.sh"
d=$HOME/site; mkdir -p "$d/sub" "$d/other"
page() { # page FILE TEXT
	printf '<!doctype html><html><head><title>%s</title></head><body><p>%s</p></body></html>\n' "${1##*/}" "$2" >"$1"
}
page "$d/target.html" 'Nothing to see here.'
page "$d/sub/deep page.html" 'Deeper down.'
page "$d/index.html" 'See <a href="target.html#part">the crimson <b>lighthouse</b> plan</a>, <a href="sub/deep%20page.html">a submarine view</a>
 and <a href="later.html">tomorrow ledger</a>, <a href="https://example.org/target.html">outward bound</a>, <a href="target.html?x=1">questionable</a>.
 The words vermilion obelisk are in no link.'
page "$d/sub/up.html" '<a href="../target.html">upward glance</a> <a href="file://'"$d"'/target.html">absolute glance</a>'
printf '<html><head><base href="https://example.org/"></head><body><a href="target.html">elsewhere entirely</a></body></html>' >"$d/based.html"
tarsier -q add "$d"
ok "index" tarsier -q index
anchor() { tarsier "$@" 2>/dev/null | sed "s|^$d/||"; }

is "a word of a link" "$(anchor anchor:lighthouse)" target.html
is "is no word of the target" "$(anchor lighthouse)" index.html
is "a phrase" "$(anchor 'anchor:"crimson lighthouse plan"')" target.html
is "in its order" "$(anchor 'anchor:"lighthouse crimson"')" ""
is "words of one link" "$(anchor anchor:crimson anchor:plan)" target.html
is "not of two" "$(anchor 'anchor:"crimson submarine"')" ""
is "a pattern" "$(anchor 'anchor:light*')" target.html
is "a name with a space" "$(anchor anchor:submarine)" "sub/deep page.html"
is "from below" "$(anchor anchor:upward)" target.html
is "file:" "$(anchor anchor:absolute)" target.html
is "a page of the web is none of ours" "$(anchor anchor:outward)" ""
is "nor what a base takes elsewhere" "$(anchor anchor:elsewhere)" ""
is "nor an answer to a question" "$(anchor anchor:questionable)" ""
is "text beside links does not count" "$(anchor anchor:obelisk)" ""
is "with other words" "$(anchor anchor:lighthouse nothing)" target.html
is "or without" "$(anchor nothing -anchor:lighthouse)" ""
is "or instead" "$(anchor -s path 'anchor:submarine OR anchor:lighthouse' | tr '\n' ' ')" "sub/deep page.html target.html "
is "among the filters" "$(anchor 'anchor:lighthouse ext:html')" target.html
is "a target that is not there" "$(anchor anchor:tomorrow)" ""

page "$d/later.html" 'Made after the link.'
tarsier -q index
is "is found when it is made" "$(anchor anchor:tomorrow)" later.html
mv "$d/target.html" "$d/moved.html"
tarsier -q index
is "a renamed target is not meant any more" "$(anchor anchor:lighthouse)" ""
mv "$d/moved.html" "$d/target.html"
mv "$d" "$HOME/site2"; mv "$HOME/site2" "$d"
tarsier -q index
is "back under its name it is" "$(anchor anchor:lighthouse)" target.html
mv "$d/sub/up.html" "$d/other/up.html"
tarsier -q index
is "a link moves with its page" "$(anchor anchor:upward)" target.html
mv "$d/other/up.html" "$d/up.html"
tarsier -q index
is "and leads out where it is too high" "$(anchor anchor:upward)" ""
page "$d/index.html" 'Now <a href="target.html">the azure windmill</a>.'
tarsier -q index
is "an edited page has new links" "$(anchor anchor:windmill)" target.html
is "and no old ones" "$(anchor anchor:lighthouse)" ""
cp "$d/index.html" "$d/sub/index.html"; page "$d/sub/target.html" 'The other target.'
tarsier -q index
is "a copy has targets of its own" "$(anchor -s path anchor:windmill | tr '\n' ' ')" "sub/target.html target.html "
rm "$d/index.html"
tarsier -q index
is "they stay" "$(anchor anchor:windmill)" sub/target.html
rm "$d/sub/index.html"
tarsier -q index
is "until the last is deleted" "$(anchor anchor:windmill)" ""
ok "the index is sound" tarsier check

page "$d/menu.html" '<nav><ul><li><a href="target.html">Harbour dues</a></li></ul></nav><p>Nothing else.</p>'
tarsier -q index
is "a menu says what its targets are" "$(anchor 'anchor:"harbour dues"')" target.html

cat >"$d/news.rss" <<'END'
<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour gazette</title>
<item><title>Crane repaired</title><author>Ada Keeper</author><pubDate>Sat, 07 Sep 2024 01:30:00 +0200</pubDate><link>https://example.org/crane</link><description>New cable fitted</description></item>
<item><title>Dredging</title><description>Silt removed</description></item></channel></rss>
END
tarsier -q index
is "an item is a document of its feed" "$(anchor cable)" "news.rss|1"
is "not met by words of its neighbour" "$(anchor cable silt)" ""
like "it has facts of its own" "$(tarsier --json cable)" '"member":"1".*"title":"Crane repaired","author":"Ada Keeper".*"date":"2024-09-06T23:30:00Z"'
is "the feed is found by its title" "$(anchor title:gazette)" news.rss
done_testing
