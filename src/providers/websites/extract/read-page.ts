/** Reads a page in one pass: its visible text, links, attributes, scripts and metadata. */
import { Parser } from 'htmlparser2';
import { isUnread, readStyleSheet, type StyledClasses } from './markup.ts';
import {
  MAX_LINKED_DATA,
  MAX_LINKS,
  MAX_SCRIPT_LENGTH,
  type Attributes,
  type PageSource,
} from './page-source.ts';
import { createText, type PageText } from './page-text.ts';
import {
  addScript,
  readAttributes,
  readMeta,
  targetOf,
  WRITES_ADDRESS,
} from './read-attributes.ts';
import { plainText } from './text.ts';

interface Reading {
  source: PageSource;
  page: PageText;
  classes: StyledClasses;
  /** Text of the element whose text is kept apart: script, style, title. */
  raw: { name: string; type: string; parts: string[]; length: number } | null;
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
  const parser = new Parser({
    onopentag: (name, attributes) => openTag(reading, name, attributes),
    ontext: (data) => readText(reading, data),
    onclosetag: (name) => closeTag(reading, name),
  });
  try {
    parser.end(html);
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

function openTag(reading: Reading, name: string, attributes: Attributes): void {
  reading.depth += 1;
  if (reading.depth > MAX_DEPTH) throw TOO_DEEP;
  if (isUnread(name)) {
    reading.unread += 1;
    if (name === 'script' || name === 'style' || name === 'title')
      reading.raw = { name, type: attributes['type'] ?? '', parts: [], length: 0 };
  }
  readAttributes(reading.source, attributes, reading.page.length());
  openers.get(name)?.(reading, attributes);
  if (reading.unread === 0) reading.page.open(name, attributes);
}

type Opener = (reading: Reading, attributes: Attributes) => void;

const openers = new Map<string, Opener>(
  Object.entries<Opener>({
    a: openLink,
    area: openLink,
    img: ({ link }, { alt }) => {
      if (link && alt) link.extra += ` ${alt.slice(0, 100)}`;
    },
    html: ({ source }, { lang }) => {
      source.language ??= /^[a-z]{2,3}/i.exec(lang ?? '')?.[0].toLowerCase() ?? null;
    },
    base: ({ source }, { href }) => {
      source.base ??= href ?? null;
    },
    noscript: (reading) => {
      reading.noscript += 1;
    },
    frame: ({ source }, { src }) => addFrame(source, src),
    iframe: ({ source }, attributes) => {
      const src = attributes['src'] ?? attributes['data-src'];
      addFrame(source, src);
      if (src && /facebook\.com\/plugins\/(?:page|likebox)/i.test(src)) source.plugins.push(src);
    },
    form: (reading, { action }) => {
      if (action && /^\s*mailto:/i.test(action)) addLink(reading, { href: action, text: '' });
    },
    meta: (reading, attributes) => {
      // Where a browser without scripts is sent is no page for people.
      if (reading.noscript === 0) readMeta(reading.source, attributes, reading.page.length());
    },
  }),
);

function openLink(reading: Reading, attributes: Attributes): void {
  closeLink(reading);
  const extra = [attributes['title'], attributes['aria-label'], attributes['alt']];
  reading.link = {
    href: attributes['href'] ?? attributes['xlink:href'] ?? '',
    start: reading.page.length(),
    text: '',
    extra: extra.filter(Boolean).join(' '),
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

function closeTag(reading: Reading, name: string): void {
  reading.depth -= 1;
  if (name === 'a' || name === 'area') closeLink(reading);
  else if (name === 'noscript') reading.noscript = Math.max(0, reading.noscript - 1);
  if (!isUnread(name)) {
    if (reading.unread === 0) reading.page.close(name);
    return;
  }
  reading.unread = Math.max(0, reading.unread - 1);
  if (reading.raw?.name === name) endRaw(reading);
}

function endRaw(reading: Reading): void {
  const { source } = reading;
  const { name, type, parts } = reading.raw!;
  reading.raw = null;
  const content = parts.join('');
  if (name === 'title') source.title ||= plainText(content).trim().slice(0, 300);
  else if (name === 'style') readStyleSheet(content, reading.classes);
  else if (/ld\+json/i.test(type)) {
    if (source.linkedData.length < MAX_LINKED_DATA) source.linkedData.push(content);
  } else if (!/json|template|html/i.test(type)) {
    if (WRITES_ADDRESS.test(content)) addScript(source, content);
    source.scriptTarget ??= targetOf(content);
  }
}
