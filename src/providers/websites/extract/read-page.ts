/** Reads a page in one pass: its visible text, links, attributes, scripts and metadata. */
import { elementOf, type Element } from './elements.ts';
import { readStyleSheet, type StyledClasses } from './styles.ts';
import { MAX_LINKED_DATA, MAX_LINKS, MAX_SCRIPT_LENGTH, type PageSource } from './page-source.ts';
import { createText, type PageText } from './page-text.ts';
import {
  addScript,
  readAttributes,
  readMeta,
  targetOf,
  WRITES_ADDRESS,
} from './read-attributes.ts';
import { ATTRIBUTE, type Tag } from './tag.ts';
import { plainText } from './text.ts';
import { readTokens } from './tokens.ts';

interface Reading {
  source: PageSource;
  page: PageText;
  classes: StyledClasses;
  /** Text of the element whose text is kept apart: script, style, title. */
  raw: { element: Element; type: string; parts: string[]; length: number } | null;
  link: { href: string; start: number; text: string; extra: string } | null;
  /** Elements within those that nobody reads. */
  unread: number;
  /** Elements within `noscript`. */
  noscript: number;
  depth: number;
}

/** Elements within elements: what nests deeper is broken, and each level makes the next dearer. */
const MAX_DEPTH = 3_000;
/** Thrown to leave the parser; what was read until then stands. */
const TOO_DEEP = new Error('nested too deep');

/** Tokenises `html` once; everything else works on what this has collected. */
export function readPage(html: string): PageSource {
  const reading = createReading();
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

function createReading(): Reading {
  const classes: StyledClasses = { hidden: new Set(), reversed: new Set() };
  const source: PageSource = {
    text: '',
    title: '',
    language: null,
    base: null,
    refresh: null,
    scriptTarget: null,
    links: [],
    frames: [],
    attributes: [],
    parts: [],
    protected: [],
    linkedData: [],
    scripts: [],
    plugins: [],
    properties: [],
  };
  const state = { raw: null, link: null, unread: 0, noscript: 0, depth: 0 };
  return { source, page: createText(classes), classes, ...state };
}

function openTag(reading: Reading, element: Element, tag: Tag): void {
  reading.depth += 1;
  if (reading.depth > MAX_DEPTH) throw TOO_DEEP;
  if (element.isUnread) {
    reading.unread += 1;
    if (element === SCRIPT || element === STYLE || element === TITLE) {
      const type = tag.values[ATTRIBUTE.type] ?? '';
      reading.raw = { element, type, parts: [], length: 0 };
    }
  }
  readAttributes(reading.source, tag, reading.page.length());
  openers.get(element)?.(reading, tag);
  if (reading.unread === 0) reading.page.open(element, tag);
}

const SCRIPT = elementOf('script');
const STYLE = elementOf('style');
const TITLE = elementOf('title');

type Opener = (reading: Reading, tag: Tag) => void;

const openers = new Map<Element, Opener>(
  Object.entries<Opener>({
    a: openLink,
    area: openLink,
    img: ({ link }, { values }) => {
      const alt = values[ATTRIBUTE.alt];
      if (link && alt) link.extra += ` ${alt.slice(0, 100)}`;
    },
    html: ({ source }, { values }) => {
      const lang = /^[a-z]{2,3}/i.exec(values[ATTRIBUTE.lang] ?? '')?.[0];
      source.language ??= lang?.toLowerCase() ?? null;
    },
    base: ({ source }, { values }) => {
      source.base ??= values[ATTRIBUTE.href] ?? null;
    },
    noscript: (reading) => {
      reading.noscript += 1;
    },
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
      // Where a browser without scripts is sent is no page for people.
      if (reading.noscript === 0) readMeta(reading.source, tag, reading.page.length());
    },
  }).map(([name, opener]) => [elementOf(name), opener]),
);

function openLink(reading: Reading, { values }: Tag): void {
  closeLink(reading);
  const extra = [ATTRIBUTE.title, ATTRIBUTE['aria-label'], ATTRIBUTE.alt];
  reading.link = {
    href: values[ATTRIBUTE.href] ?? values[ATTRIBUTE['xlink:href']] ?? '',
    start: reading.page.length(),
    text: '',
    extra: extra.flatMap((at) => values[at] || []).join(' '),
  };
}

function closeLink(reading: Reading): void {
  const { link } = reading;
  if (!link) return;
  reading.link = null;
  const text = plainText(`${link.text} ${link.extra}`).replaceAll(/\s+/g, ' ').trim();
  addLink(reading, { href: link.href, text, start: link.start });
}

function addLink(
  { source, page }: Reading,
  { href, text, start }: { href: string; text: string; start?: number },
): void {
  if (!href || href.length > 4_000 || source.links.length >= MAX_LINKS) return;
  const end = page.length();
  source.links.push({ href, text, start: start ?? end, end });
}

function addFrame(source: PageSource, src: string | undefined): void {
  if (src && source.frames.length < 20) source.frames.push(src);
}

function readText(reading: Reading, data: string): void {
  const { raw, link } = reading;
  if (raw) {
    raw.length += data.length;
    if (raw.length <= 2 * MAX_SCRIPT_LENGTH) raw.parts.push(data);
  } else if (reading.unread === 0) {
    reading.page.write(data);
    if (link && link.text.length < 300) link.text += data;
  }
}

function closeTag(reading: Reading, element: Element): void {
  reading.depth -= 1;
  if (element === LINK || element === AREA) closeLink(reading);
  else if (element === NOSCRIPT) reading.noscript = Math.max(0, reading.noscript - 1);
  if (!element.isUnread) {
    if (reading.unread === 0) reading.page.close(element);
    return;
  }
  reading.unread = Math.max(0, reading.unread - 1);
  if (reading.raw?.element === element) endRaw(reading);
}

const LINK = elementOf('a');
const AREA = elementOf('area');
const NOSCRIPT = elementOf('noscript');

function endRaw(reading: Reading): void {
  const { source } = reading;
  const { element, type, parts } = reading.raw!;
  reading.raw = null;
  const content = parts.join('');
  if (element === TITLE) source.title ||= plainText(content).trim().slice(0, 300);
  else if (element === STYLE) readStyleSheet(content, reading.classes);
  else if (/ld\+json/i.test(type)) {
    if (source.linkedData.length < MAX_LINKED_DATA) source.linkedData.push(content);
  } else if (!/json|template|html/i.test(type)) {
    if (WRITES_ADDRESS.test(content)) addScript(source, content);
    source.scriptTarget ??= targetOf(content);
  }
}
