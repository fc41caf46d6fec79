/** How the invented sites are built: from tables of 1999 to what builders make today. */

export interface PageParts {
  language: string;
  title: string;
  /** Of the same site: home, contact, ... */
  links: { href: string; text: string }[];
  /** Stands in the head. */
  head: string;
  heading: string;
  body: string;
  footer: string;
}

export type Layout = (page: PageParts) => string;

const nav = (
  links: PageParts['links'],
  item: (link: { href: string; text: string }) => string,
): string => links.map(item).join('\n');

const modern: Layout = ({ language, title, links, head, heading, body, footer }) => `<!DOCTYPE html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width">${head}</head>
<body class="home page-template">
<header><nav aria-label="Main"><ul>${nav(links, ({ href, text }) => `<li><a href="${href}">${text}</a></li>`)}</ul></nav></header>
<main><h1>${heading}</h1>${body}</main>
<footer>${footer}</footer>
</body></html>`;

const divs: Layout = ({ language, title, links, head, heading, body, footer }) => `<!doctype html>
<html lang="${language}-XX" class="no-js"><head><title>${heading} | ${title}</title>${head}</head><body>
<div class="wrapper"><div class="topbar"><div class="container d-flex">${nav(links, ({ href, text }) => `<a class="nav-link" href="${href}"><span>${text}</span></a>`)}</div></div>
<div class="content"><div class="row"><div class="col-md-12"><h2 class="title">${heading}</h2><div class="text">${body}</div></div></div></div>
<div class="bottom"><div class="widget">${footer}</div></div></div>
<script>(function(){var s=document.createElement('script');s.src='/x.js?v=1681302720';document.body.appendChild(s)})();</script>
</body></html>`;

const tables: Layout = ({
  title,
  links,
  head,
  heading,
  body,
  footer,
}) => `<HTML><HEAD><TITLE>${title} - ${heading}</TITLE>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=utf-8">${head}</HEAD>
<BODY BGCOLOR="#FFFFFF"><CENTER><TABLE WIDTH=760 BORDER=0><TR><TD WIDTH=150 VALIGN=top>
${nav(links, ({ href, text }) => `<A HREF="${href}"><FONT FACE=Arial SIZE=2>${text}</FONT></A><BR>`)}
</TD><TD><H1><FONT FACE=Arial>${heading}</FONT></H1><P>${body}
</TD></TR><TR><TD COLSPAN=2><FONT SIZE=1>${footer}</FONT></TD></TR></TABLE></CENTER></BODY></HTML>`;

const careless: Layout = ({
  language,
  title,
  links,
  head,
  heading,
  body,
  footer,
}) => `<html lang=${language}><title>${title}</title>${head}
<body><p><b>${heading}</b><ul>${nav(links, ({ href, text }) => `<li><a href=${href}>${text}`)}</ul>
<p>${body}<p>${footer}</body>`;

const minified: Layout = ({ language, title, links, head, heading, body, footer }) =>
  `<!doctype html><html lang="${language}"><meta charset=utf-8><title>${title}</title>${head}<body><div id=app><nav>${links
    .map(({ href, text }) => `<a href="${href}">${text}</a>`)
    .join(
      '',
    )}</nav><section><h1>${heading}</h1>${body.replaceAll('\n', '')}</section><footer>${footer}</footer></div>`;

const xhtml: Layout = ({
  language,
  title,
  links,
  head,
  heading,
  body,
  footer,
}) => `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="${language}" lang="${language}"><head><title>${title}</title>${head}</head>
<body><div id="menu"><ul>${nav(links, ({ href, text }) => `<li><a href="${href}" title="${text}">${text}</a></li>`)}</ul></div>
<div id="inhalt"><h1>${heading}</h1>${body}</div><div id="fuss"><p>${footer}</p></div></body></html>`;

export const LAYOUTS: Layout[] = [modern, divs, tables, careless, minified, xhtml];
