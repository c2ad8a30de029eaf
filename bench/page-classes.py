#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""page-classes.py DIR [--pages N] [--seed N]: pages of many classes whose main text is known.

Writes DIR/pages/CLASS-NNN.html and DIR/truth/CLASS-NNN.txt for main-content.py --classes: articles, forums, shops, questions, documentation, lists and
pages of companies, in English and German, as widely used systems mark them up. The words are drawn at random, so that only the markup and the
service lines tell the main text from the rest. The seed chooses frames and words: choose rules by one seed, and report another."""
import argparse, html, os, random

WORDS = {
    'en': 'river window market engine garden teacher letter bridge morning station doctor village winter kitchen summer office travel paper music '
          'history island forest season report council budget project region customer surface machine building answer question system driver '
          'measure battery network culture science process company quality service member player harbour support material weather'.split(),
    'de': 'Fluss Fenster Markt Motor Garten Lehrer Brief Brücke Morgen Bahnhof Ärztin Dorf Winter Küche Sommer Büro Reise Papier Musik '
          'Geschichte Insel Wald Saison Bericht Gemeinde Haushalt Projekt Region Kundin Fläche Maschine Gebäude Antwort Frage Anlage Fahrer '
          'Messung Batterie Netz Kultur Forschung Vorgang Betrieb Güte Dienst Mitglied Spieler Hafen Hilfe Werkstoff Wetter'.split()}
JOINTS = {
    'en': 'the a of to with for from and near under over about between his her their this that was is has will because after before'.split(),
    'de': 'der die das mit für von und bei unter über nach zwischen sein ihr diese jener war ist hat wird weil danach zuvor ohne'.split()}
NAMES = ['Anna Berger', 'Tom Miller', 'Jana Kowalski', 'Paul Stone', 'Eva Lindner', 'Mark Davis']
SERVICE = {
    'en': dict(nav=['Home', 'News', 'Products', 'About us', 'Contact', 'Support', 'Shop', 'Careers', 'Blog', 'Imprint'],
               foot=['Privacy policy', 'Terms of use', 'Imprint', 'Sitemap', 'Contact'], related='Related articles', comments='Comments',
               cookies='We use cookies to offer you the best experience on our site. By using it you agree to our policy.',
               letter='Sign up for our newsletter and never miss a story.', reviews='Customer reviews', also='Customers also bought',
               cart='Add to cart', stock='In stock, delivery in 2 to 3 days', search='Search', recent='Recent posts', login='Log in', quote='wrote:',
               reply='Reply', date='12 March 2021', by='by', tags='Tags:', share='Share', author='About the author', prev='Previous post',
               more='Read more', joined='Joined: 3 May 2014', posts='Posts: 532', answers='Answers', permalink='Permalink', advert='Advertisement',
               paywall='Subscribe now to read the whole article.', price='Price incl. VAT, plus shipping', captcha='Your email address will not be '
               'published. Required fields are marked *', photo='Photo: ', categories='Categories', top='Back to top', views='1,204 views'),
    'de': dict(nav=['Startseite', 'Aktuelles', 'Produkte', 'Über uns', 'Kontakt', 'Leistungen', 'Shop', 'Karriere', 'Blog', 'Impressum'],
               foot=['Datenschutz', 'AGB', 'Impressum', 'Sitemap', 'Kontakt'], related='Ähnliche Beiträge', comments='Kommentare',
               cookies='Diese Website verwendet Cookies, um Ihnen den besten Service zu bieten. Durch die Nutzung stimmen Sie dem zu.',
               letter='Abonnieren Sie unseren Newsletter und verpassen Sie keine Nachricht.', reviews='Kundenbewertungen',
               also='Kunden kauften auch', cart='In den Warenkorb', stock='Sofort lieferbar, Lieferzeit 2 bis 3 Tage', search='Suche',
               recent='Neueste Beiträge', login='Anmelden', quote='hat geschrieben:', reply='Antworten', date='12. März 2021', by='von',
               tags='Schlagwörter:', share='Teilen', author='Über den Autor', prev='Vorheriger Beitrag', more='Weiterlesen',
               joined='Registriert: 3. Mai 2014', posts='Beiträge: 532', answers='Antworten', permalink='Permalink', advert='Anzeige',
               paywall='Jetzt abonnieren und den ganzen Artikel lesen.', price='Preis inkl. MwSt., zzgl. Versand', captcha='Deine E-Mail-Adresse '
               'wird nicht veröffentlicht. Erforderliche Felder sind mit * markiert', photo='Foto: ', categories='Kategorien', top='Nach oben',
               views='1.204 Aufrufe')}


class Page:
    def __init__(self, rng):
        self.rng, self.truth = rng, []
        self.language = rng.choice(['en', 'de'])
        self.say = SERVICE[self.language]

    def words(self, low, high):
        r, out = self.rng, []
        for i in range(r.randint(low, high)):
            out.append(r.choice((JOINTS if i % 3 == 0 else WORDS)[self.language]))
        return ' '.join(out)

    def sentence(self, low=7, high=18):
        s = self.words(low, high)
        if self.rng.random() < .4:
            s = s.replace(' ', ', ', 1) if self.rng.random() < .3 else s + ', ' + self.words(4, 8)
        return s[0].upper() + s[1:] + '.'

    def text(self, low=2, high=5):
        return ' '.join(self.sentence() for _ in range(self.rng.randint(low, high)))

    def title(self, low=2, high=6):
        s = self.words(low, high)
        return s[0].upper() + s[1:]

    def main(self, text):
        self.truth.append(text)
        return html.escape(text, quote=False)

    def paragraphs(self, low, high):
        return [self.main(self.text()) for _ in range(self.rng.randint(low, high))]

    def body(self, low=4, high=9):
        out = []
        for i, p in enumerate(self.paragraphs(low, high)):
            out.append(f'<p>{p}</p>')
            if i % 3 == 2:
                out.append(f'<h2>{self.main(self.title())}</h2><p>{self.main(self.text(1, 3))}</p>')
        return out

    def links(self, count, mark='li', low=1, high=4):
        return ''.join(f'<{mark}><a href="/x{i}">{self.title(low, high)}</a></{mark}>' for i in range(count))

    def teasers(self, count, name='teaser'):
        return ''.join(f'<div class="{name}"><h3><a href="/t{i}">{self.title()}</a></h3><p>{self.sentence()} '
                       f'<a href="/t{i}">{self.say["more"]}</a></p></div>' for i in range(count))

    def comments(self, count):
        s = self.say
        style = self.rng.choice(['wordpress', 'plain', 'section'])
        rows = [(self.rng.choice(NAMES), self.text(1, 4)) for _ in range(count)]
        if style == 'wordpress':
            items = ''.join(f'<li class="comment even depth-1" id="comment-{i}"><div class="comment-body"><div class="comment-author vcard"><cite>{n}'
                            f'</cite></div><div class="comment-meta"><a href="#c">{s["date"]}</a></div><p>{t}</p><div class="reply"><a href="#">'
                            f'{s["reply"]}</a></div></div></li>' for i, (n, t) in enumerate(rows))
            return (f'<div id="comments" class="comments-area"><h2 class="comments-title">{count} {s["comments"]}</h2><ol class="comment-list">{items}'
                    f'</ol><div id="respond"><h3>{s["reply"]}</h3><p>{s["captcha"]}</p><form><textarea></textarea><input type="submit"></form></div></div>')
        if style == 'section':
            return (f'<section class="discussion"><h2>{s["comments"]} ({count})</h2>' + ''.join(
                f'<article><header><b>{n}</b> <time>{s["date"]}</time></header><p>{t}</p></article>' for n, t in rows) + '</section>')
        return f'<h3>{s["comments"]}</h3>' + ''.join(f'<div class="reaction"><b>{n}</b> {s["date"]}<p>{t}</p></div>' for n, t in rows)


# ---- frames

def frame(p, title, main, sidebar=True):
    s, r = p.say, p.rng
    kind = r.choice(['html5', 'wordpress', 'bootstrap', 'typo3', 'hashed', 'tables', 'wide-main', 'drupal'])
    nav = ''.join(f'<li><a href="/n">{n}</a></li>' for n in s['nav'])
    mega = nav + (f'<li class="drop"><a href="/m">{p.title(1, 2)}</a><ul>{p.links(12)}</ul></li>' if r.random() < .4 else '')
    foot = ' | '.join(f'<a href="/f">{f}</a>' for f in s['foot'])
    legal = f'© 2021 {p.title(1, 2)} GmbH. {p.sentence(5, 9)}'
    widgets = [f'<h3>{s["recent"]}</h3><ul>{p.links(5, low=3, high=7)}</ul>', f'<h3>{s["search"]}</h3><form><input type="text"></form>',
               f'<h3>{p.title(1, 2)}</h3><p>{p.text(1, 2)}</p>', f'<h3>Newsletter</h3><p>{s["letter"]}</p>']
    side = widgets if sidebar else []
    cookies = r.choice(['', f'<div id="cookie-notice"><p>{s["cookies"]}</p><a href="#">OK</a></div>',
                        f'<div class="cc-window" role="dialog"><span>{s["cookies"]}</span><a>OK</a></div>'])
    bodies = {
        'html5': lambda: f'<header><nav><ul>{mega}</ul></nav></header><main>{main}</main><aside>{"".join(side)}</aside><footer>{foot}<p>{legal}</p></footer>',
        'wide-main': lambda: f'<div class="top"><ul>{mega}</ul></div><main role="main"><div class="left">{main}</div><div class="right">{"".join(side)}</div>'
                             f'<div class="below">{p.teasers(3)}</div></main><div class="bottom">{foot}<p>{legal}</p></div>',
        'wordpress': lambda: f'<div id="page" class="site"><header id="masthead" class="site-header"><div class="menu-main"><ul>{mega}</ul></div></header>'
                             f'<div id="content" class="site-content"><div id="primary" class="content-area">{main}</div><div id="secondary" '
                             f'class="widget-area">' + ''.join(f'<section class="widget">{w}</section>' for w in side) +
                             f'</div></div><footer id="colophon"><div class="site-info">{legal}</div></footer></div>',
        'bootstrap': lambda: f'<div class="navbar"><div class="container"><ul class="nav">{mega}</ul></div></div><div class="container"><div class="row">'
                             f'<div class="col-md-8">{main}</div><div class="col-md-4">' + ''.join(f'<div class="panel">{w}</div>' for w in side) +
                             f'</div></div></div><div class="footer"><div class="row"><div class="col-md-6"><p>{legal}</p></div><div class="col-md-6">{foot}</div></div></div>',
        'typo3': lambda: f'<div id="kopf"><ul>{mega}</ul></div><div id="inhalt"><div class="csc-default">{main}</div></div><div id="rechts">{"".join(side)}'
                         f'</div><div id="fuss">{foot}<p class="bodytext">{legal}</p></div>',
        'hashed': lambda: f'<div id="root"><div class="sc-1a2b css-9x"><ul>{mega}</ul></div><div class="css-k81"><div class="css-p0q">{main}</div><div '
                          f'class="css-zz1">{"".join(side)}</div></div><div class="css-f00">{foot}<div>{legal}</div></div></div>',
        'tables': lambda: f'<table width="100%"><tr><td colspan="3"><font size="2">{" | ".join("<a href=/n>" + n + "</a>" for n in s["nav"])}</font></td></tr>'
                          f'<tr><td width="160"><ul>{mega}</ul></td><td>{main}</td><td width="160">{"".join(side)}</td></tr><tr><td colspan="3"><font '
                          f'size="1">{legal} {foot}</font></td></tr></table>',
        'drupal': lambda: f'<div id="header"><ul class="menu">{mega}</ul></div><div id="main-wrapper"><div id="main"><div id="content" class="column"><div '
                          f'class="region region-content">{main}</div></div><div class="region region-sidebar-first">{"".join(side)}</div></div></div>'
                          f'<div id="footer">{foot}<p>{legal}</p></div>'}
    body = bodies[kind]()
    return f'<!DOCTYPE html><html lang="{p.language}"><head><meta charset="utf-8"><title>{html.escape(title)}</title></head><body>{cookies}{body}</body></html>'


def article(p, parts, before='', after=''):
    s, r = p.say, p.rng
    title, name = p.title(4, 8), r.choice(NAMES)
    kind = r.choice(['wordpress', 'semantic', 'div', 'drupal'])
    text = ''.join(parts)
    share = f'<ul class="share-links"><li><a href="#">Facebook</a></li><li><a href="#">Twitter</a></li><li><a href="#">{s["share"]}</a></li></ul>'
    tags = f'<p class="tags">{s["tags"]} <a href="/a">{p.title(1, 1)}</a>, <a href="/b">{p.title(1, 1)}</a></p>'
    if kind == 'wordpress':
        return title, (f'<article class="post type-post hentry"><header class="entry-header"><h1 class="entry-title">{title}</h1><div class="entry-meta">'
                       f'{s["date"]} {s["by"]} <a href="/a">{name}</a></div></header>{before}<div class="entry-content">{text}{share}</div><footer '
                       f'class="entry-meta">{tags}</footer></article>{after}<div class="nav-links"><a href="/p">{s["prev"]} {p.title()}</a></div>')
    if kind == 'semantic':
        return title, (f'<article><h1>{title}</h1><p><time>{s["date"]}</time> · {name}</p>{before}{text}{tags}</article>{share}{after}')
    if kind == 'drupal':
        return title, (f'<h1>{title}</h1><div class="node node-article"><div class="submitted">{s["by"]} {name}, {s["date"]}</div>{before}<div class="field '
                       f'field-name-body"><div class="field-items"><div class="field-item even">{text}</div></div></div></div>{after}')
    return title, f'<div class="left"><h1>{title}</h1><div class="info">{s["date"]} | {name} | {s["views"]}</div>{before}<div>{text}</div>{share}{after}</div>'


# ---- classes

def make_article(p):
    return frame(p, *article(p, p.body()))


def make_short(p):
    return frame(p, *article(p, [f'<p>{p.main(p.sentence())}</p>' for _ in range(p.rng.randint(1, 2))]))


def make_teasers_inside(p):
    s, parts = p.say, p.body(6, 10)
    box = p.rng.choice([
        lambda: f'<div class="related-box"><h4>{s["related"]}</h4><ul>{p.links(3, low=4, high=8)}</ul></div>',
        lambda: f'<div class="box"><div><a href="/t">{p.title(5, 8)}</a></div><div>{p.sentence()}</div></div>',
        lambda: f'<div class="embed"><a href="/t"><img src="x.jpg"><span>{p.title(5, 8)}</span><p>{p.sentence()}</p></a></div>',
        lambda: f'<div>{s["advert"]}</div>', lambda: f'<p><a href="/t"><strong>{s["more"]}: {p.title(5, 8)}</strong></a></p>',
        lambda: f'<figure><img src="x.jpg"><figcaption>{p.sentence()} {s["photo"]}dpa</figcaption></figure>'])
    for at in (4, 2):
        parts.insert(at, box())
    return frame(p, *article(p, parts, after=f'<div class="more"><h2>{s["related"]}</h2>{p.teasers(4)}</div>'))


def make_comments(p):
    return frame(p, *article(p, p.body(2, 5), after=p.comments(p.rng.randint(4, 20))))


def make_author_box(p):
    box = f'<div class="vita"><h3>{p.say["author"]}</h3><img src="a.jpg"><p>{p.text(2, 3)}</p></div>'
    return frame(p, *article(p, p.body(4, 7), after=box))


def make_forum(p):
    s, r = p.say, p.rng
    title, posts, kind = p.title(4, 8), [], r.choice(['phpbb', 'vbulletin', 'list', 'articles', 'woltlab'])
    for i in range(r.randint(2, 12)):
        name = r.choice(NAMES)
        text = ('<br><br>' if r.random() < .6 else ' ').join(p.paragraphs(1, 2)) if r.random() < .7 else p.main(p.sentence(5, 12))
        if kind == 'phpbb':
            posts.append(f'<div id="p{i}" class="post bg{i % 2}"><div class="inner"><dl class="postprofile"><dt><a href="/u">{name}</a></dt><dd>{s["posts"]}'
                         f'</dd><dd>{s["joined"]}</dd></dl><div class="postbody"><p class="author">{s["by"]} <a href="/u">{name}</a> » {s["date"]}</p><div '
                         f'class="content">{text}</div></div></div></div>')
        elif kind == 'vbulletin':
            posts.append(f'<table id="post{i}" class="tborder"><tr><td class="thead"><a href="/d">{s["date"]}</a></td></tr><tr><td class="alt2"><a href="/u">{name}'
                         f'</a><div class="smallfont">{s["joined"]}</div></td></tr><tr><td class="alt1" id="td_post_{i}"><div id="post_message_{i}">{text}'
                         f'</div></td></tr></table>')
        elif kind == 'woltlab':
            posts.append(f'<li id="post{i}"><article class="message"><aside class="messageSidebar"><a href="/u">{name}</a><dl><dt>{s["posts"]}</dt></dl></aside>'
                         f'<div class="messageContent"><header class="messageHeader"><a href="/d">{s["date"]}</a></header><div class="messageBody"><div '
                         f'class="messageText">{text}</div></div><footer class="messageFooter"><a href="#">{s["reply"]}</a></footer></div></article></li>')
        elif kind == 'articles':
            posts.append(f'<article class="topic-post"><div class="names"><a href="/u">{name}</a></div><div class="cooked"><p>{text}</p></div></article>')
        else:
            posts.append(f'<li class="messages"><div class="user">{name} <span>{s["date"]}</span></div><div class="msg">{text}</div></li>')
    inner = '<ul>' + ''.join(posts) + '</ul>' if kind in ('list', 'woltlab') else '<div id="posts">' + ''.join(posts) + '</div>'
    return frame(p, title, f'<h2>{title}</h2>{inner}', sidebar=False)


def make_shop(p):
    s, r = p.say, p.rng
    title, kind = p.title(2, 5), r.choice(['woocommerce', 'shopware', 'plain', 'magento'])
    short = p.main(p.sentence())
    text = ''.join(f'<p>{t}</p>' for t in p.paragraphs(1, 3))
    if r.random() < .6:
        text += '<ul>' + ''.join(f'<li>{p.main(p.words(3, 8))}</li>' for _ in range(r.randint(3, 7))) + '</ul>'
    rows = ''.join(f'<tr><th>{p.main(p.title(1, 2))}</th><td>{p.main(p.words(1, 4))}</td></tr>' for _ in range(r.randint(3, 8)))
    also = f'<h2>{s["also"]}</h2><ul class="products">' + ''.join(
        f'<li class="product"><a href="/p"><h3>{p.title(2, 4)}</h3><span class="price">49,00 €</span></a><a href="#">{s["cart"]}</a></li>' for _ in range(4)) + '</ul>'
    buy = f'<p class="price">89,00 €</p><p>{s["price"]}</p><p class="stock">{s["stock"]}</p><form class="cart"><input name="n"><button>{s["cart"]}</button></form>'
    if kind == 'woocommerce':
        main = (f'<div class="product type-product"><div class="summary entry-summary"><h1 class="product_title entry-title">{title}</h1>{buy}<div '
                f'class="woocommerce-product-details__short-description"><p>{short}</p></div></div><div class="woocommerce-tabs"><ul class="tabs"><li><a href="#a">A'
                f'</a></li></ul><div class="panel entry-content" id="tab-description">{text}</div><div class="panel" id="tab-additional_information"><table '
                f'class="shop_attributes">{rows}</table></div></div><section class="related products">{also}</section></div>')
    elif kind == 'shopware':
        main = (f'<div class="content product--details"><header class="product--header"><h1>{title}</h1></header><div class="product--buybox">{buy}</div><div '
                f'class="product--short">{short}</div><div class="tab-menu--product"><div class="content--description"><div class="product--description">{text}</div>'
                f'<div class="product--properties"><table>{rows}</table></div></div></div><div class="tab--content">{also}</div></div>')
    elif kind == 'magento':
        main = (f'<div class="product-info-main"><h1>{title}</h1>{buy}<div class="overview">{short}</div></div><div class="product data items"><div class="data item '
                f'content" id="description"><div class="value">{text}</div></div><div class="data item content" id="additional"><table>{rows}</table></div></div>'
                f'<div class="block related">{also}</div>')
    else:
        main = f'<h1>{title}</h1><div>{short}</div>{buy}<div>{text}</div><table>{rows}</table>{also}'
    return frame(p, title, main, sidebar=r.random() < .5)


def make_question(p):
    s, r = p.say, p.rng
    title, kind, out = p.title(5, 9), r.choice(['stack', 'plain']), []
    for i in range(r.randint(2, 6)):
        text = ''.join(f'<p>{t}</p>' for t in p.paragraphs(1, 3))
        name = r.choice(NAMES)
        if kind == 'stack':
            out.append(f'<div class="{"answer" if i else "question"}" id="a{i}"><div class="post-layout"><div class="votecell"><div class="js-voting-container">7'
                       f'</div></div><div class="postcell"><div class="s-prose js-post-body">{text}</div><div class="post-menu"><a href="#">{s["share"]}</a></div><div '
                       f'class="post-signature"><div class="user-details"><a href="/u">{name}</a></div></div></div></div></div>')
        else:
            out.append(f'<div class="item"><div class="who">{name}</div>{text}<a href="#">{s["reply"]}</a></div>')
        if i == 0:
            out.append(f'<h2>{s["answers"]}</h2>')
    return frame(p, title, f'<h1>{title}</h1><div id="mainbar">{"".join(out)}</div>')


def make_recipe(p):
    head = p.body(1, 3)
    items = ''.join(f'<li class="wprm-recipe-ingredient">{p.main(p.words(2, 5))}</li>' for _ in range(p.rng.randint(5, 12)))
    steps = ''.join(f'<li><div class="wprm-recipe-instruction-text">{p.main(p.sentence())}</div></li>' for _ in range(p.rng.randint(3, 8)))
    return frame(p, *article(p, head + [f'<div class="wprm-recipe-container"><ul>{items}</ul><ol>{steps}</ol></div>'],
                             after=p.comments(p.rng.randint(0, 8))))


def make_company(p):
    r, kind = p.rng, p.rng.choice(['breaks', 'sections', 'spans', 'builder'])
    title = p.title(2, 4)
    if kind == 'breaks':
        main = f'<div class="txt"><b>{title}</b><br><br>' + '<br><br>'.join(p.paragraphs(2, 5)) + '</div>'
    elif kind == 'sections':
        main = f'<h1>{title}</h1>' + ''.join(f'<section class="band"><div class="in"><h2>{p.main(p.title())}</h2><p>{p.main(p.text(1, 2))}</p></div></section>'
                                            for _ in range(r.randint(3, 6)))
    elif kind == 'builder':
        main = ''.join(f'<div class="elementor-element elementor-widget elementor-widget-text-editor"><div class="elementor-widget-container"><p>'
                       f'{p.main(p.text(1, 3))}</p></div></div>' for _ in range(r.randint(3, 6)))
        main = f'<div class="elementor-widget elementor-widget-heading"><h1>{title}</h1></div>{main}'
    else:
        main = f'<h1>{title}</h1>' + ''.join(f'<div class="row"><div class="cell"><span>{p.main(p.text(1, 2))}</span></div><div class="cell"><img src="b.jpg"></div></div>'
                                            for _ in range(r.randint(2, 5)))
    return frame(p, title, main, sidebar=r.random() < .4)


def make_list(p):
    rows = ''.join(f'<li><strong>{p.main(p.title(1, 3))}</strong> {p.main(p.sentence(5, 12))}</li>' for _ in range(p.rng.randint(8, 20)))
    return frame(p, *article(p, [f'<ol>{rows}</ol>']))


def make_link_list(p):
    rows = ''.join(f'<li><a href="http://h{i}.example/">{p.main(p.title(1, 3))}</a>: {p.main(p.sentence(7, 14))}</li>' for i in range(p.rng.randint(8, 16)))
    return frame(p, *article(p, [f'<ul>{rows}</ul>']))


def make_table(p):
    rows = ''.join('<tr>' + ''.join(f'<td>{p.main(p.words(1, 4))}</td>' for _ in range(4)) + '</tr>' for _ in range(p.rng.randint(10, 30)))
    return frame(p, *article(p, [f'<table class="data">{rows}</table>', f'<p>{p.main(p.sentence())}</p>']))


def make_ticker(p):
    rows = ''.join(f'<div class="ticker-entry"><span class="time">1{i % 10}:3{i % 6}</span><h3>{p.main(p.title())}</h3><p>{p.main(p.text(1, 2))}</p></div>'
                   for i in range(p.rng.randint(5, 15)))
    return frame(p, *article(p, [rows]))


def make_quotes(p):
    parts = []
    for _ in range(p.rng.randint(2, 4)):
        parts += [f'<p>{p.main(p.text(1, 3))}</p>', f'<blockquote class="quote"><p>{p.main(p.text(1, 2))}</p></blockquote>']
    return frame(p, *article(p, parts))


def make_copies(p):
    title, main = article(p, p.body(3, 6))
    copy = main.replace(' class="post', ' class="mobile post')
    kind = p.rng.choice(['display', 'hidden', 'aria', 'noscript'])
    second = {'display': f'<div style="display: none">{copy}</div>', 'hidden': f'<div hidden>{copy}</div>', 'aria': f'<div aria-hidden="true">{copy}</div>',
              'noscript': f'<noscript>{copy}</noscript>'}[kind]
    return frame(p, title, main + second)


def make_breaks(p):
    return frame(p, *article(p, ['<div class="text">' + '<br /><br />'.join(p.paragraphs(4, 8)) + '</div>']))


def make_paywall(p):
    return frame(p, *article(p, [f'<p>{t}</p>' for t in p.paragraphs(1, 2)] + [f'<div class="offer"><h3>{p.say["paywall"]}</h3><p>{p.say["letter"]}</p></div>'],
                             after=f'<div>{p.teasers(4)}</div>'))


def make_documentation(p):
    r, kind = p.rng, p.rng.choice(['sphinx', 'mkdocs', 'doxygen'])
    title = p.title(1, 4)
    parts = ''
    for _ in range(r.randint(2, 4)):
        parts += f'<h2>{p.main(p.title(1, 3))}</h2><p>{p.main(p.text(1, 2))}</p>'
        if r.random() < .6:
            parts += f'<div class="highlight"><pre>{p.main(p.words(4, 10))}</pre></div>'
        if r.random() < .5:
            parts += '<dl><dt>' + p.main(p.words(1, 2)) + '</dt><dd><p>' + p.main(p.sentence()) + '</p></dd></dl>'
    toc = f'<ul>{p.links(8)}</ul>'
    shapes = {'sphinx': f'<div class="related"><ul>{p.links(3)}</ul></div><div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" '
                        f'role="main"><div class="section"><h1>{title}</h1>{parts}</div></div></div></div><div class="sphinxsidebar">{toc}</div></div>',
              'mkdocs': f'<div class="md-container"><div class="md-sidebar">{toc}</div><div class="md-content"><article class="md-content__inner md-typeset"><h1>{title}'
                        f'</h1>{parts}</article></div></div>',
              'doxygen': f'<div id="top"><div id="main-nav">{toc}</div></div><div class="header"><div class="headertitle"><div class="title">{title}</div></div></div>'
                         f'<div class="contents"><div class="textblock">{parts}</div></div>'}
    return f'<!DOCTYPE html><html><head><title>{title}</title></head><body>{shapes[kind]}</body></html>'


def make_listing(p):
    title = p.title(1, 3)
    rows = ''.join(f'<div class="post-item"><h2><a href="/t{i}">{p.main(p.title())}</a></h2><p class="date">{p.say["date"]}</p><p>{p.main(p.text(1, 3))}</p>'
                   f'<a class="more-link" href="/t{i}">{p.say["more"]}</a></div>' for i in range(p.rng.randint(4, 10)))
    return frame(p, title, f'<h1>{title}</h1>{rows}')


CLASSES = {name[5:].replace('_', '-'): make for name, make in sorted(globals().items()) if name.startswith('make_')}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('directory')
    parser.add_argument('--pages', type=int, default=20, help='of each class')
    parser.add_argument('--seed', type=int, default=1)
    a = parser.parse_args()
    for part in ('pages', 'truth'):
        os.makedirs(os.path.join(a.directory, part), exist_ok=True)
    for name, make in CLASSES.items():
        for i in range(a.pages):
            page = Page(random.Random(f'{a.seed} {name} {i}'))
            text = make(page)
            for part, suffix, data in (('pages', 'html', text), ('truth', 'txt', '\n'.join(page.truth) + '\n')):
                with open(os.path.join(a.directory, part, f'{name}-{i:03}.{suffix}'), 'w', encoding='utf-8') as f:
                    f.write(data)


if __name__ == '__main__':
    main()
