# SPDX-License-Identifier: GPL-3.0-or-later
# installed-doc.awk - a document as it is installed; -v docs="README.md OUTPUT.md ...": those that lie beside it
#
# What stands between <!-- sources only --> and <!-- end --> is left out, and so are rows of tables that begin with
# a link to another document. Links lead to the documents beside it; others are words.
BEGIN {
	n = split(docs, list, " ")
	for (i = 1; i <= n; i++) beside[list[i]] = 1
}
function name_of(target) {
	sub(/#.*/, "", target)
	sub(/.*\//, "", target)
	return target
}
function with_links(line,    out, text, target, at) {
	while (match(line, /\[[^]]*\]\([^)]*\)/)) {
		out = out substr(line, 1, RSTART - 1)
		target = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		at = index(target, "](")
		text = substr(target, 2, at - 2)
		target = substr(target, at + 2, length(target) - at - 2)
		if (target ~ /^[a-z]+:/) out = out "[" text "](" target ")"
		else if (name_of(target) in beside) out = out "[" name_of(target) "](" name_of(target) ")"
		else out = out text " of the sources"
	}
	return out line
}
/^<!-- sources only -->$/ { skipping = 1; next }
/^<!-- end -->$/ { skipping = 0; next }
skipping { next }
/^\| \[/ && match($0, /\]\([^)]*\)/) && !(name_of(substr($0, RSTART + 2, RLENGTH - 3)) in beside) { next }
# What was left out leaves one empty line.
/^$/ && !last { next }
{ print with_links($0); last = length($0) }
