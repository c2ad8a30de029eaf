# SPDX-License-Identifier: GPL-3.0-or-later
# anchor: finds a file by the text of the links to it, whichever side changes; items of feeds are documents.
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
ok "pages with links are indexed" tarsier -q index
anchor() { tarsier "$@" 2>/dev/null | sed "s|^$d/||"; }

is "anchor: finds the target by a word of the link" "$(anchor anchor:lighthouse)" target.html
is "a word of the link alone finds the linking page, not the target" \
	"$(anchor lighthouse)" index.html
is "anchor: finds the target by a phrase of the link" \
	"$(anchor 'anchor:"crimson lighthouse plan"')" target.html
is "anchor: with the words of a phrase in another order finds nothing" \
	"$(anchor 'anchor:"lighthouse crimson"')" ""
is "two anchor: terms in one link find its target" \
	"$(anchor anchor:crimson anchor:plan)" target.html
is "an anchor: phrase does not extend over two links" "$(anchor 'anchor:"crimson submarine"')" ""
is "anchor: finds the target by a prefix" "$(anchor 'anchor:light*')" target.html
is "anchor: finds a target whose name has a space" "$(anchor anchor:submarine)" "sub/deep page.html"
is "anchor: finds the target of a link from a directory below" "$(anchor anchor:upward)" target.html
is "anchor: finds the target of a file: URL" "$(anchor anchor:absolute)" target.html
is "a link to another host finds no local file" "$(anchor anchor:outward)" ""
is "a link whose base element names another host finds no local file" \
	"$(anchor anchor:elsewhere)" ""
is "a link with a query string finds no local file" "$(anchor anchor:questionable)" ""
is "text beside a link is not part of it" "$(anchor anchor:obelisk)" ""
is "anchor: and a word of the target match together" \
	"$(anchor anchor:lighthouse nothing)" target.html
is "a negated anchor: excludes the target" "$(anchor nothing -anchor:lighthouse)" ""
is "anchor: terms can be operands of OR" \
	"$(anchor -s path 'anchor:submarine OR anchor:lighthouse' | tr '\n' ' ')" "sub/deep page.html target.html "
is "anchor: and a filter match together" "$(anchor 'anchor:lighthouse ext:html')" target.html
is "a link to a missing file finds nothing" "$(anchor anchor:tomorrow)" ""

page "$d/later.html" 'Made after the link.'
tarsier -q index
is "a link finds its target as soon as the file is made" "$(anchor anchor:tomorrow)" later.html
mv "$d/target.html" "$d/moved.html"
tarsier -q index
is "a renamed target is not found by the link to its old name" "$(anchor anchor:lighthouse)" ""
mv "$d/moved.html" "$d/target.html"
mv "$d" "$HOME/site2"; mv "$HOME/site2" "$d"
tarsier -q index
is "a target that gets its name back is found by the link again" \
	"$(anchor anchor:lighthouse)" target.html
mv "$d/sub/up.html" "$d/other/up.html"
tarsier -q index
is "a relative link is resolved anew when its page moves to another directory" \
	"$(anchor anchor:upward)" target.html
mv "$d/other/up.html" "$d/up.html"
tarsier -q index
is "a relative link that leads out of the tree finds nothing" "$(anchor anchor:upward)" ""
page "$d/index.html" 'Now <a href="target.html">the azure windmill</a>.'
tarsier -q index
is "an edited page finds the targets of its new links" "$(anchor anchor:windmill)" target.html
is "an edited page no longer finds the targets of its old links" "$(anchor anchor:lighthouse)" ""
cp "$d/index.html" "$d/sub/index.html"; page "$d/sub/target.html" 'The other target.'
tarsier -q index
is "a copied page links to the targets beside the copy" \
	"$(anchor -s path anchor:windmill | tr '\n' ' ')" "sub/target.html target.html "
rm "$d/index.html"
tarsier -q index
is "a target is found while one of two equal pages is left" \
	"$(anchor anchor:windmill)" sub/target.html
rm "$d/sub/index.html"
tarsier -q index
is "a target is not found once the last page that links to it is deleted" \
	"$(anchor anchor:windmill)" ""
ok "check finds the index sound after all changes of links" tarsier check

page "$d/menu.html" '<nav><ul><li><a href="target.html">Harbour dues</a></li></ul></nav><p>Nothing else.</p>'
tarsier -q index
is "the link of a navigation menu finds its target" "$(anchor 'anchor:"harbour dues"')" target.html

cat >"$d/news.rss" <<'END'
<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour gazette</title>
<item><title>Crane repaired</title><author>Ada Keeper</author><pubDate>Sat, 07 Sep 2024 01:30:00 +0200</pubDate><link>https://example.org/crane</link><description>New cable fitted</description></item>
<item><title>Dredging</title><description>Silt removed</description></item></channel></rss>
END
tarsier -q index
is "an item of a feed is a document of its own" "$(anchor cable)" "news.rss|1"
is "words of two items of a feed do not match together" "$(anchor cable silt)" ""
like "an item of a feed has its own title, author and date" \
	"$(tarsier --json cable)" '"member":"1".*"title":"Crane repaired","author":"Ada Keeper".*"date":"2024-09-06T23:30:00Z"'
is "a feed is found by its own title" "$(anchor title:gazette)" news.rss

# Addresses are text of the file with the link, in a format that shows them to an editor alone too.
mkdir "$HOME/papers"
page "$HOME/papers/letter.html" 'Read <a href="https://example.org/report-2031?part=7">my report</a> or <a href="mailto:keeper@lamps.example">write</a>.'
printf '# Tides\n\nThe [table](https://tides.example/ebb) and [tides.example/flood](https://tides.example/flood).\n' >"$HOME/papers/tides.md"
{ printf '== Fog\n\nSee https://fog.example/bank[the bank].\n'; } >"$HOME/papers/fog.adoc"
{
	echo '<p>Many lamps.'
	for i in $(seq 600); do echo "<a href='https://lamps.example/number$i'>one</a>"; done
	echo '</p>'
} >"$HOME/papers/many.html"
page "$HOME/papers/news.html" "<a href='https://count.example/reader?id=$(printf '%090d' 7)&name=walrusreader'>go</a>
 <a href='https://click.example/track/Xq7Ab2kP9zLm4Rt8Vw1c/otter'>go</a> <a href='https://docs.example/Donaudampfschifffahrt/heron'>go</a>"
tarsier -q add "$HOME/papers"
tarsier -q index
address() { tarsier "$@" 2>/dev/null | sed "s|^$HOME/papers/||"; }
is "a file is found by an address that it links to" "$(address example.org/report-2031)" letter.html
is "a file is found by a whole address with its query" \
	"$(address 'https://example.org/report-2031?part=7')" letter.html
is "a file is found by the address of a link for mail" "$(address keeper@lamps.example)" letter.html
is "a Markdown text is found by the address of a link" "$(address tides.example/ebb)" tides.md
is "an address that the text of its link shows is no text again" \
	"$(tarsier extract "$HOME/papers/tides.md" | grep -c 'noise.*flood')" 0
is "an AsciiDoc text is found by the address of a link" "$(address fog.example/bank)" fog.adoc
is "500 addresses of a file are searched" \
	"$(address lamps.example/number500),$(address lamps.example/number501)" many.html,
is "a long address is searched without its query" \
	"$(address count.example/reader),$(address walrusreader)" news.html,
is "an address is searched up to a word of random letters and digits" \
	"$(address click.example/track),$(address otter)" news.html,
is "an address is searched beyond a long word" "$(address docs.example heron)" news.html
done_testing
