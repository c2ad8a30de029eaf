// SPDX-License-Identifier: GPL-3.0-or-later
// page.js - what the page does beyond plain HTML: hits while somebody types, the text beside them,
// the keyboard, and telling the program that the page is still open.
'use strict';
(() => {
const PASSAGES_MS = 150; // without a key; then passages are asked for
const one = (selector, within = document) => within.querySelector(selector);
const words = document.body.dataset;
const q = one('#q'), form = one('#search'), answer = one('#answer'), preview = one('#preview');
const tab = Array.from(crypto.getRandomValues(new Uint8Array(8)), byte => byte.toString(16).padStart(2, '0')).join('');

const say = text => { one('#say').textContent = text; };
const hear = text => { one('#heard').textContent = text; };

function post(path, fields, leaving) {
	return fetch(path, {method: 'POST', body: new URLSearchParams(fields), keepalive: Boolean(leaving)});
}

// ---- life
const alive = () => post('/alive', {tab, load: words.load}).catch(() => say(words.ended));
alive();
setInterval(alive, 1000 * Number(words.alive));
addEventListener('pagehide', () => post('/bye', {tab}, true).catch(() => {}));
addEventListener('pageshow', event => { if (event.persisted) alive(); });

// ---- hits while somebody types
let asked = 0, timer = 0;

function question() {
	const fields = new URLSearchParams(new FormData(form));
	for (const name of ['q', 'in', 'sort'])
		if (!fields.get(name) || fields.get(name) === 'relevance')
			fields.delete(name);
	return fields;
}

// The hit that had the focus has it again, if it is still there.
function replaceAnswer(html) {
	const had = document.activeElement.closest('.hit')?.dataset.id, chosen = one('.hit.chosen')?.dataset.id;
	const again = id => id && one(`.hit[data-id="${id}"]`, answer);
	answer.innerHTML = html;
	again(chosen)?.classList.add('chosen');
	if (had)
		(again(had) || one('.hit', answer) || q).focus({preventScroll: true});
	hear(one('.summary', answer)?.textContent || '');
}

// An answer that comes after a newer question is dropped.
async function search(typed, passages) {
	const mine = ++asked, fields = question();
	clearTimeout(timer);
	if (typed)
		fields.set('typed', '1');
	if (passages)
		fields.set('passages', '1');
	fields.set('fragment', '1');
	fields.set('tab', tab);
	try {
		const reply = await fetch('/hits?' + fields), html = await reply.text();
		if (mine !== asked)
			return;
		if (!reply.ok)
			return say(html);
		const fault = typed && new DOMParser().parseFromString(html, 'text/html').querySelector('.fault');
		say(fault ? fault.textContent.trim() : '');
		if (fault)
			return;
		replaceAnswer(html);
		if (!passages)
			timer = setTimeout(() => search(typed, true), PASSAGES_MS);
	} catch (error) {
		if (mine === asked)
			say(words.ended);
	}
}

function submit() {
	const fields = question();
	history.pushState(null, '', '/' + (fields.size || fields.toString() ? '?' + fields : ''));
	closePreview();
	search(false, true);
}

if (answer) {
	q.setSelectionRange(q.value.length, q.value.length);
	q.addEventListener('input', () => { closePreview(); search(true, false); });
	form.addEventListener('submit', event => { event.preventDefault(); submit(); });
	one('#sort').addEventListener('change', submit);
	one('#in').addEventListener('change', submit);
	addEventListener('popstate', () => location.reload());
}

// ---- the text of a document
let shown = 0, showing = null;

const marks = () => Array.from(document.querySelectorAll('.text mark'));

function step(by) {
	const all = marks(), at = all.findIndex(mark => mark.classList.contains('current'));
	const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
	if (next < 0 || next >= all.length) {
		const other = one(`.parts a[rel="${by > 0 ? 'next' : 'prev'}"]`);
		return other && other.click();
	}
	all.forEach(mark => mark.classList.remove('current'));
	all[next].classList.add('current');
	all[next].scrollIntoView({block: 'center'});
	const count = one('.matches .at') || one('.matches').appendChild(document.createElement('span'));
	count.className = 'at';
	count.textContent = `${next + 1} / ${all.length}`;
}

function enhanceText() {
	document.querySelectorAll('.matches button').forEach(button => {
		button.hidden = false;
		button.addEventListener('click', () => step(Number(button.dataset.step)));
	});
	const close = one('#preview .close');
	if (close && answer) {
		close.hidden = false;
		close.addEventListener('click', escape);
	}
}

// To the page that is asked for, or the first match.
function goToPlace(url) {
	const page = new URL(url, location.href).searchParams.get('page');
	const there = page && one(`.break[data-page="${Number(page)}"]`);
	const at = there ? marks().findIndex(mark => there.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING) : 0;
	if (at > 0)
		marks()[at - 1].classList.add('current');
	if (marks().length && at >= 0)
		step(1);
	else if (there)
		there.scrollIntoView();
}

// The text that nobody waits for any more is not made.
async function show(url) {
	const mine = ++shown, stop = new AbortController();
	showing?.abort();
	showing = stop;
	try {
		const reply = await fetch(`${url}&fragment=1&tab=${tab}`, {signal: stop.signal}), html = await reply.text();
		if (mine !== shown)
			return;
		if (!reply.ok)
			return say(html);
		say('');
		preview.innerHTML = html;
		preview.hidden = false;
		preview.setAttribute('aria-label', words.text);
		document.body.classList.add('split');
		preview.scrollTop = 0;
		enhanceText();
		goToPlace(url);
		hear(`${words.text}: ${one('h1', preview).textContent}. ${one('.matches span', preview)?.textContent || ''}`);
	} catch (error) {
		if (mine === shown)
			say(words.ended);
	}
}

function closePreview() {
	shown++;
	showing?.abort();
	if (!answer || preview.hidden)
		return false;
	preview.hidden = true;
	preview.textContent = '';
	document.body.classList.remove('split');
	return true;
}

function selectHit(hit) {
	document.querySelectorAll('.hit.chosen').forEach(other => other.classList.remove('chosen'));
	hit.classList.add('chosen');
	hit.focus();
	hit.scrollIntoView({block: 'nearest'});
}

document.addEventListener('click', event => {
	const link = event.target.closest('a.title, a.place, .parts a');
	if (!link || !answer || event.ctrlKey || event.metaKey || event.shiftKey || event.button)
		return;
	event.preventDefault();
	if (link.closest('.hit'))
		selectHit(link.closest('.hit'));
	show(link.href);
});

document.addEventListener('submit', async event => {
	const opened = event.target.closest('form.open');
	if (!opened)
		return;
	event.preventDefault();
	const fields = Object.fromEntries(new FormData(opened));
	if (event.submitter?.name)
		fields[event.submitter.name] = event.submitter.value;
	say(words.opening);
	try {
		const reply = await post('/open', {...fields, fragment: '1'});
		say(reply.ok ? '' : await reply.text());
	} catch (error) {
		say(words.ended);
	}
});

// ---- the keyboard
function move(by) {
	const hits = Array.from(document.querySelectorAll('.hit'));
	const from = document.activeElement === q ? null : document.activeElement.closest('.hit') || one('.hit.chosen');
	const at = hits.indexOf(from), next = at < 0 ? Math.min(by, 0) : at + by;
	if (next < 0)
		return q.focus();
	if (next >= hits.length)
		return;
	selectHit(hits[next]);
	if (!preview.hidden)
		one('a.title', hits[next])?.click();
}

const keys = {
	'/': () => { q.focus(); q.select(); },
	'j': () => move(1), 'ArrowDown': () => move(1),
	'k': () => move(-1), 'ArrowUp': () => move(-1),
	'n': () => step(1), 'p': () => step(-1),
	'o': () => (one('.head form.open') || (document.activeElement.closest('.hit') && one('form.open', document.activeElement.closest('.hit'))))?.requestSubmit(),
};

function escape() {
	const hit = one('.hit.chosen');
	if (!answer)
		return history.back();
	if (closePreview())
		return (hit || q).focus();
	q.focus();
}

document.addEventListener('keydown', event => {
	const target = event.target, typing = target.matches('input, select, textarea');
	if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
		return;
	if (event.key === 'Escape' && (!typing || !preview?.hidden)) {
		event.preventDefault();
		return escape();
	}
	if (event.key === 'Enter' && target.matches('.hit')) {
		event.preventDefault();
		return one('a.title', target)?.click();
	}
	// within the text the arrows scroll
	const arrow = event.key.startsWith('Arrow'), inText = target.closest('#preview');
	if (typing ? !(target === q && event.key === 'ArrowDown') : arrow && (inText || !answer))
		return;
	if (keys[event.key] && (answer || !'jk'.includes(event.key))) {
		event.preventDefault();
		keys[event.key]();
	}
});

enhanceText();
if (!answer)
	goToPlace(location.href);
})();
