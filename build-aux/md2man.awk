# SPDX-License-Identifier: GPL-3.0-or-later
# md2man.awk - a manual page (mdoc) of a document in Markdown; -v name= -v section= -v date= -v about=
#
# It knows what docs/OUTPUT.md has: headings, paragraphs, items of one level, tables, code between
# fences, and `code`, **bold** and links inside of lines.

# Text that mdoc takes for nothing else: backslashes, and a period or quote that would begin a request.
function plain(text) {
	gsub(/\\/, "\\e", text)
	gsub(/\xe2\x80\xa6/, "...", text)
	return text
}

function line(text) {
	text = plain(text)
	if (text ~ /^[.']/) text = "\\&" text
	if (text != "") print text
}

# The words of a line, with `code` and **bold** as fonts.
function inline(text,    out, part, n, i) {
	gsub(/\]\([^)]*\)/, "", text)
	gsub(/\*\*/, "`", text)
	n = split(text, part, "`")
	for (i = 1; i <= n; i++) {
		if (i % 2 == 1) gsub(/\[/, "", part[i])
		out = out (i % 2 == 1 ? plain(part[i]) : "\\fB" plain(part[i]) "\\fP")
	}
	sub(/^ +/, "", out)
	if (out ~ /^[.']/) out = "\\&" out
	# A new sentence begins a line.
	while (match(out, /[.] +[A-Z]/)) {
		print substr(out, 1, RSTART)
		out = substr(out, RSTART + RLENGTH - 1)
	}
	fresh = 0
	if (out != "") print out
}

function end_list() {
	if (list) print ".El"
	list = ""
}

function begin_list(kind) {
	if (list == kind) return
	end_list()
	if (gap) print ".Pp"
	print kind == "item" ? ".Bl -bullet -compact" : ".Bl -tag -width Ds -compact"
	list = kind
	gap = 0
}

function row(text,    cell, n, i, right) {
	if (text ~ /^[|: -]+$/) return
	if (list != "table") {
		# The first row names the columns.
		begin_list("table")
		return
	}
	n = split(substr(text, 2), cell, "|")
	for (i = 1; i <= n; i++) gsub(/^ +| +$/, "", cell[i])
	gsub(/`/, "", cell[1])
	print ".It " cell[1]
	for (i = 2; i <= n; i++)
		if (cell[i] != "") right = right (right != "" ? ": " : "") cell[i]
	inline(right)
}

BEGIN {
	print ".\\\" Made from OUTPUT.md."
	print ".Dd " date
	print ".Dt " toupper(name) " " section
	print ".Os\n.Sh NAME\n.Nm " name "\n.Nd " about "\n.Sh DESCRIPTION"
	fresh = 1
}
/^```/ { if (!fence) end_list(); if (!fence && gap) print ".Pp"; fresh = 0; print fence ? ".Ed" : ".Bd -literal"; fence = !fence; gap = 0; next }
fence { line($0); next }
/^# / { next }
/^## / { end_list(); gap = 0; fresh = 1; print ".Sh " toupper(substr($0, 4)); next }
/^$/ { gap = !fresh; next }
/^\|/ { row($0); next }
/^- / { begin_list("item"); print ".It"; gap = 0; inline(substr($0, 3)); next }
list == "item" && /^  / { inline($0); next }
{
	end_list()
	if (gap) print ".Pp"
	gap = 0
	inline($0)
}
END { end_list(); print ".Sh SEE ALSO\n.Xr tarsier 1" }
