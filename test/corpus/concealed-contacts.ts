/** Contacts that no visitor sees, and contacts that only wait to be opened. */
import type { SiteCase } from './site-case.ts';

export interface Concealment {
  name: string;
  /** Stands in the head. */
  head: string;
  html: string;
  /** The page shows the address and the number of the house; these are hidden with them. */
  isKept: boolean;
}

/** What is hidden, on the domain of the house and on another one. */
const MAIL = 'sales-desk@lindenhaus.test';
const FOREIGN = 'office@blumenweg.test';
const PHONE = '030 55501477';
export const HIDDEN = { emails: [MAIL, FOREIGN], phones: ['+493055501477'] };
/** What stands on each page for everybody. */
export const SHOWN = { emails: ['info@lindenhaus.test'], phones: ['+493023125014'] };

const LINKS = `<a href="mailto:${MAIL}">${MAIL}</a>, ${FOREIGN}, Tel. ${PHONE}`;
const HOURS =
  'Filiale Nord: montags bis freitags von acht bis achtzehn Uhr, samstags bis mittags, Termine nach Vereinbarung.';

const decoy = (name: string, html: string, head = ''): Concealment => ({
  name,
  head,
  html,
  isKept: false,
});
const kept = (name: string, html: string, head = ''): Concealment => ({
  name,
  head,
  html,
  isKept: true,
});
const sheet = (css: string): string => `<style>${css}</style>`;

const INLINE: [string, string][] = [
  ['display:none', 'display:none'],
  ['display: none !important', 'color:red; display: none !important;'],
  ['visibility:hidden', 'visibility:hidden'],
  ['opacity:0', 'opacity:0'],
  ['transparent and out of the flow', 'position:absolute;opacity:0;pointer-events:none'],
  ['letters without size', 'font-size:0'],
  ['a dot', 'width:0;height:0;overflow:hidden'],
  ['a box of one pixel', 'position:absolute;width:1px;height:1px;overflow:hidden'],
  ['no height', 'height:0;overflow:hidden'],
  ['a place left of the screen', 'position:absolute;left:-9999px'],
  ['a place above the screen', 'position:fixed;top:-5000px'],
  ['a place beside the screen in em', 'position:absolute;left:-999em'],
  ['a margin beside the screen', 'margin-left:-10000px'],
  ['a movement beside the screen', 'transform:translateX(-9999px)'],
  ['an indent', 'text-indent:-9999px'],
  ['a clip', 'position:absolute;clip:rect(0,0,0,0)'],
  ['a clip path', 'clip-path:inset(100%)'],
  ['the colour of its ground', 'color:#fff;background-color:#ffffff'],
  ['the named colour of its ground', 'background:white;color:white'],
  ['no colour', 'color:transparent'],
  ['scale', 'transform:scale(0)'],
];

const DECOYS: Concealment[] = [
  ...INLINE.map(([name, style]) => decoy(name, `<div style="${style}">${LINKS}</div>`)),
  ...INLINE.filter((_, at) => at % 4 === 0).map(([name, style]) =>
    decoy(
      `${name} on links`,
      `<p><a style="${style}" href="mailto:${MAIL}">Mail</a> <span style="${style}">${FOREIGN}</span> <a href="tel:${PHONE}" style="${style}">Tel.</a></p>`,
    ),
  ),
  decoy(
    'the colour of the ground around it',
    `<div style="background:#FFF"><p>Mo-Fr <span style="color: rgb(255, 255, 255)">${LINKS}</span></p></div>`,
  ),
  decoy(
    'the colour of a table',
    `<table><tr><td bgcolor="#FFFFFF"><p><font color="white">${LINKS}</font></p></td></tr></table>`,
  ),
  decoy('attribute hidden', `<p hidden>${LINKS}</p>`),
  decoy('attribute hidden on inline elements', `<p>Mo-Fr <span hidden>${LINKS}</span></p>`),
  decoy('a hidden element within others', `<div hidden><ul><li>${LINKS}</li></ul></div>`),
  decoy('a class of the page', `<p class="hpx">${LINKS}</p>`, sheet('p.hpx{display:none}')),
  decoy(
    'a class beside the screen',
    `<div class="q7">${LINKS}</div>`,
    sheet('a{color:red}.q7{position:absolute;left:-9999px}'),
  ),
  decoy(
    'an id of the page',
    `<div id="zz-contact">${LINKS}</div>`,
    sheet('/* for robots */ #zz-contact , .x { visibility : hidden }'),
  ),
  decoy(
    'a class of a late style sheet',
    `<p class="hpx">${LINKS}</p>${sheet('.hpx{opacity:0;width:0;height:0}')}`,
  ),
  decoy(
    'a class for all screens',
    `<p class="hpx">${LINKS}</p>`,
    sheet('@media screen{.hpx{display:none}}'),
  ),
  decoy(
    'a class of the name of a field',
    `<p class="hidden">${LINKS}</p><form><input type="hidden" name="hidden"></form>`,
    sheet('.hidden{display:none}'),
  ),
  decoy('a template', `<template><p>${LINKS}</p></template>`),
  decoy('a comment', `<!-- <p>${LINKS}</p> -->`),
  decoy('noscript', `<noscript><p>${LINKS}</p></noscript>`),
  decoy(
    'fields of forms',
    `<form><input type="hidden" value="${MAIL}" title="${FOREIGN}" data-email="${MAIL}"><input type="hidden" name="tel" value="${PHONE}" aria-label="Telefon ${PHONE}"></form>`,
  ),
  decoy(
    'labels of hidden elements',
    `<p style="display:none"><img alt="${MAIL}" src="/x.png"><i title="${FOREIGN}"></i><b aria-label="Tel. ${PHONE}"></b></p>`,
  ),
  decoy(
    'disguised and hidden',
    `<p style="display:none">sales-desk (at) lindenhaus.test <a class="m" data-user="office" data-domain="blumenweg.test"></a></p>`,
  ),
  decoy('a honeypot by class', `<p class="honeypot">${LINKS}</p>`),
  decoy('a honeypot by id', `<div id="spamTrap">${LINKS}</div>`),
  decoy(
    'links that nobody reaches',
    `<a href="mailto:${MAIL}" class="z" tabindex="-1" aria-hidden="true">x</a><a href="mailto:${FOREIGN}"></a><a href="tel:${PHONE}"><!-- --></a>`,
  ),
  decoy(
    'for readers of screens, and hidden from them',
    `<p class="sr-only" aria-hidden="true">${LINKS}</p>`,
    sheet('.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}'),
  ),
  decoy(
    'words to robots',
    `<p>Nur für Spam-Bots: ${MAIL}</p><p>${FOREIGN} - please do not write to this address, it is a trap for robots.</p>`,
  ),
  ...[
    'Piège à spam :',
    'Trampa para robots:',
    'Trappola per spam:',
    'Armadilha para bots:',
    'Spamval, alleen voor bots:',
    'Pułapka na spam:',
    'Past na roboty:',
    'Ловушка для спам-ботов:',
    'Spam tuzağı:',
    'Roskapostiansa:',
    'スパムトラップ:',
    'Bitte nicht an diese Adresse schreiben:',
    'Do not email this address:<br>',
  ].map((words) => decoy(`the words ${words}`, `<p>${words} ${FOREIGN}</p>`)),
];

const KEPT: Concealment[] = [
  kept(
    'a menu by its class',
    `<ul class="mobile-menu" style="display:none"><li>${LINKS}</li></ul>`,
  ),
  kept('a menu in camel case', `<div class="siteNav" style="display:none">${LINKS}</div>`),
  kept('a dialog', `<div id="kontakt-modal" style="display:none"><p>${LINKS}</p></div>`),
  kept('a panel of tabs', `<div role="tabpanel" aria-labelledby="t1" hidden>${LINKS}</div>`),
  kept(
    'a panel by its list',
    `<div class="accordion"><h3>Nord</h3><div style="display:none">${LINKS}</div></div>`,
  ),
  kept(
    'an accordion with words',
    `<h3>Filialen</h3><div style="display:none"><p>${HOURS}</p><p>${LINKS}</p></div>`,
  ),
  kept(
    'behind a button',
    `<button type="button">Zeigen</button><span style="display:none">${LINKS}</span>`,
  ),
  kept(
    'behind a link that leads nowhere',
    `<p><a href="#">Adresse zeigen</a> <span hidden>${LINKS}</span></p>`,
  ),
  kept(
    'behind code for a click',
    `<h4 onclick="this.nextElementSibling.hidden=false">Nord</h4><p hidden>${LINKS}</p>`,
  ),
  kept(
    'by an id that a link names',
    `<a href="/x#ruf">Ruf</a><p>.</p><p id="ruf" style="display:none">${LINKS}</p><p><a href="#ruf">Rufen</a></p>`,
  ),
  kept(
    'by an id that a script names',
    `<p id="ruf7" style="display:none">${LINKS}</p><script>document.getElementById('ruf7').style.display='block'</script>`,
  ),
  kept(
    'by a class that a script names',
    `<p class="ruf8" style="display:none">${LINKS}</p><script>$(".ruf8").show()</script>`,
  ),
  kept('by attributes of a framework', `<p x-show="open" style="display:none">${LINKS}</p>`),
  kept('by data of a script', `<p style="visibility:hidden" data-aos="up">${LINKS}</p>`),
  kept(
    'in what fades in and moves',
    `<div style="opacity:0;transform:translateY(20px)">${LINKS}</div>`,
  ),
  kept(
    'on a page where much fades in',
    `<div style="opacity:0">${HOURS}</div><div style="opacity:0">${HOURS}</div><div style="opacity:0">${LINKS}</div>`,
  ),
  kept(
    'by a class that another rule shows',
    `<div class="k9"><p class="k8">${LINKS}</p></div>`,
    sheet('.k8{display:none}.k9:hover .k8{display:block}'),
  ),
  kept(
    'by a class for small screens',
    `<p class="k8">${LINKS}</p>`,
    sheet('@media (max-width:600px){.a{color:red}.k8{display:none}}'),
  ),
  kept(
    'by a class for print',
    `<p class="k8">${LINKS}</p>`,
    '<style media="print">.k8{display:none}</style>',
  ),
  kept(
    'by a class without scripts',
    `<p class="k8">${LINKS}</p>`,
    '<noscript><style>.k8{display:none}</style></noscript>',
  ),
  kept(
    'by a class of a style sheet in a comment',
    `<p class="k8">${LINKS}</p>`,
    '<!-- <style>.k8{display:none}</style> -->',
  ),
  kept(
    'in words for readers of screens',
    `<p class="sr-only">${LINKS}</p>`,
    sheet('.sr-only{position:absolute;left:-9999px}'),
  ),
  kept(
    'on a link with an icon',
    `<p><a href="mailto:${MAIL}"><i class="i"></i><span style="position:absolute;left:-9999px">Mail</span></a> <a href="mailto:${FOREIGN}" style="text-indent:-9999px;background:url(m.png)">m</a> <a href="tel:${PHONE}" aria-label="Telefon"><span hidden>Tel.</span></a></p>`,
  ),
  kept(
    'in a closed part that the browser opens',
    `<details><summary>Nord</summary><p>${LINKS}</p></details>`,
  ),
  kept('in what a search of the page opens', `<p hidden="until-found">${LINKS}</p>`),
  kept('in letters hidden from readers of screens', `<p aria-hidden="true">${LINKS}</p>`),
  kept(
    'in a row of boxes',
    `<div style="font-size:0"><p style="font-size:16px">${LINKS}</p></div>`,
  ),
  kept(
    'in a page that waits to be ready',
    `<main style="visibility:hidden"><p>${LINKS}</p></main>`,
  ),
  kept(
    'in a shadow tree',
    `<x-card><template shadowrootmode="open"><p>${LINKS}</p></template></x-card>`,
  ),
  kept(
    'in place of what a script writes',
    `<script>writeMail("x","y")</script><noscript><p>${LINKS}</p></noscript>`,
  ),
  kept(
    'behind a box to be ticked',
    `<p class="k8">${LINKS}</p>`,
    sheet('.k8{display:none}#t:checked~.k8{display:block}'),
  ),
  kept(
    'in painted links',
    `<p class="icons"><a class="m" href="mailto:${MAIL}"></a><a class="m" href="mailto:${FOREIGN}"></a><a class="t" href="tel:${PHONE}"></a></p>`,
  ),
  kept(
    'closed to advertising',
    `<p>Bitte nicht an diese Adresse schreiben, wenn Sie Werbung senden: ${LINKS}</p>`,
  ),
];

export const CONCEALMENTS: Concealment[] = [...DECOYS, ...KEPT];

const OWN = `<p>E-Mail: <a href="mailto:${SHOWN.emails[0]!}">${SHOWN.emails[0]!}</a></p><p>Tel. 030 23125014</p>`;
/** A page with the house's own contacts, and the concealed ones between. */
export const pageOf = (html: string): string => `${OWN}\n${html}\n<p>Mo-Fr</p>`;

/** One site for each. */
export const CONCEALED_CASES: SiteCase[] = CONCEALMENTS.map(({ name, head, html, isKept }) => ({
  name,
  country: 'DE',
  language: 'de',
  domain: 'lindenhaus.test',
  page: { path: '/kontakt', word: 'Kontakt' },
  head,
  html: pageOf(html),
  emails: isKept ? [...SHOWN.emails, ...HIDDEN.emails] : SHOWN.emails,
  phones: isKept ? [...SHOWN.phones, ...HIDDEN.phones] : SHOWN.phones,
  others: isKept ? [] : [...HIDDEN.emails, ...HIDDEN.phones],
}));
