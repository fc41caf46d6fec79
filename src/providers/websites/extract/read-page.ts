/** Reads a page in one pass: its visible text, links, attributes, scripts and metadata. */
import { elementOf, type Element } from './html/elements.ts';
import type { PageSource } from './html/page-source.ts';
import { readAttributes, readMeta } from './html/read-attributes.ts';
import { addLink, addToLink, closeLink, openLink } from './links/read-links.ts';
import { closeNoscript, openNoscript } from './html/read-noscript.ts';
import { addRaw, closeRaw, openRaw } from './html/read-raw.ts';
import { createReading, type Reading } from './html/reading.ts';
import { ATTRIBUTE, type Tag } from './html/tag.ts';
import { readTokens } from './html/tokens.ts';

/** Nesting depth: what is deeper is broken HTML, and each level makes the next more expensive. */
const MAX_DEPTH = 3_000;
/** Thrown to leave the parser; what was read so far is kept. */
const TOO_DEEP = new Error('nested too deep');

/** Tokenises `html` once; all extraction works on what this collects. */
export function readPage(html: string): PageSource {
  const reading = createReading(html);
  try {
    readTokens(html, {
      open: (element, tag) => openTag(reading, element, tag),
      text: (data) => readText(reading, data),
      close: (element) => closeTag(reading, element),
    });
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
  }
  closeLink(reading);
  reading.source.text = reading.page.finish();
  return reading.source;
}

function openTag(reading: Reading, element: Element, tag: Tag): void {
  reading.depth += 1;
  if (reading.depth > MAX_DEPTH) throw TOO_DEEP;
  if (element === TEMPLATE) openTemplate(reading, tag);
  if (element.isUnread && element !== TEMPLATE) {
    reading.unread += 1;
    openRaw(reading, element, tag);
  }
  if (reading.unshown > 0) return;
  const isRead = reading.unread === 0;
  if (element === LINK || element === AREA) closeLink(reading);
  if (isRead) reading.page.begin(element, tag, reading.link !== null);
  if (element !== INPUT || !/^\s*hidden/i.test(tag.values[ATTRIBUTE.type] ?? ''))
    readAttributes(reading.source, { element, tag, at: reading.page.length() });
  openers.get(element)?.(reading, tag);
  if (isRead) reading.page.open(element, tag);
}

/** The content of a template is invisible until a script copies it, except for shadow trees. */
function openTemplate(reading: Reading, tag: Tag): void {
  const isShown = /\sshadowroot(?:mode)?\s*=/i.test(reading.html.slice(tag.from, tag.at));
  reading.templates.push(isShown);
  if (isShown) return;
  reading.unread += 1;
  reading.unshown += 1;
}

function closeTemplate(reading: Reading): void {
  if (reading.templates.pop() !== false) {
    if (reading.unread === 0) reading.page.close(TEMPLATE!);
    return;
  }
  reading.unread = Math.max(0, reading.unread - 1);
  reading.unshown = Math.max(0, reading.unshown - 1);
}

type Opener = (reading: Reading, tag: Tag) => void;

const openers = new Map<Element, Opener>(
  Object.entries<Opener>({
    a: openLink,
    area: openLink,
    img: (reading, { values }) => addToLink(reading, values[ATTRIBUTE.alt]),
    svg: (reading, { values }) => {
      reading.drawings += 1;
      addToLink(reading, values[ATTRIBUTE['aria-label']]);
    },
    html: ({ source }, { values }) => {
      const lang = /^[a-z]{2,3}/i.exec(values[ATTRIBUTE.lang] ?? '')?.[0];
      source.language ??= lang?.toLowerCase() ?? null;
    },
    base: ({ source }, { values }) => {
      source.base ??= values[ATTRIBUTE.href] ?? null;
    },
    noscript: openNoscript,
    frame: ({ source }, { values }) => addFrame(source, values[ATTRIBUTE.src]),
    iframe: ({ source }, { values, data }) => {
      const src = values[ATTRIBUTE.src] ?? data?.['data-src'];
      addFrame(source, src);
      if (src && /facebook\.com\/plugins\/(?:page|likebox)/i.test(src)) source.plugins.push(src);
    },
    form: (reading, { values }) => {
      const action = values[ATTRIBUTE.action];
      if (action && /^\s*mailto:/i.test(action)) addLink(reading, { href: action, text: '' });
    },
    meta: (reading, tag) => {
      // A redirect for browsers without scripts leads to no page for people.
      if (reading.noscript === 0) readMeta(reading.source, tag, reading.page.length());
    },
  }).map(([name, opener]) => [elementOf(name), opener]),
);

function addFrame(source: PageSource, src: string | undefined): void {
  if (src && source.frames.length < 20) source.frames.push(src);
}

function readText(reading: Reading, data: string): void {
  const { raw, link } = reading;
  if (raw) addRaw(raw, data);
  else if (reading.unread === 0) {
    reading.page.write(data);
    if (link && link.text.length < 300) link.text += data;
  }
}

function closeTag(reading: Reading, element: Element): void {
  reading.depth -= 1;
  if (element === TEMPLATE) return closeTemplate(reading);
  if (element.isUnread) {
    reading.unread = Math.max(0, reading.unread - 1);
    if (reading.raw?.element === element) closeRaw(reading);
  }
  if (reading.unshown > 0) return;
  if (element === LINK || element === AREA) closeLink(reading);
  else if (element === NOSCRIPT) closeNoscript(reading);
  else if (element === DRAWING) reading.drawings = Math.max(0, reading.drawings - 1);
  if (!element.isUnread && reading.unread === 0) reading.page.close(element);
}

const [LINK, AREA, NOSCRIPT, DRAWING, TEMPLATE, INPUT] = [
  'a',
  'area',
  'noscript',
  'svg',
  'template',
  'input',
].map(elementOf);
