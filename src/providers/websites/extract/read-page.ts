/** Reads a page in one pass: its visible text, links, attributes, scripts and metadata. */
import { Parser } from 'htmlparser2';
import { createText, type PageText } from './page-text.ts';
import { isUnread, readStyleSheet, type StyledClasses } from './markup.ts';
import { plainText } from './text.ts';

export interface PageLink {
  href: string;
  /** What is written on it, with the texts of its images and its titles. */
  text: string;
  /** Where in the page's text it begins and ends. */
  start: number;
  end: number;
}

/** A value of an attribute in which an address may stand. */
export interface AttributeText {
  value: string;
  /** Where in the page's text its element stands. */
  at: number;
}

export interface PageSource {
  text: string;
  title: string;
  language: string | null;
  base: string | null;
  refresh: string | null;
  links: PageLink[];
  frames: string[];
  attributes: AttributeText[];
  /** All attributes of elements whose `data-*` may hold an address or parts of one. */
  parts: Attributes[];
  /** Values of Cloudflare's protection, with their places. */
  protected: AttributeText[];
  /** JSON-LD blocks as they stand. */
  linkedData: string[];
  /** Inline scripts and event handlers that may write an address. */
  scripts: string[];
  /** Hrefs of plugins that name the business's own profile. */
  plugins: string[];
  /** Values of microdata with where they stand: `<meta itemprop=telephone content=...>`. */
  properties: { name: string; value: string }[];
}

/** Bounds: what a page may make us keep. */
const MAX_LINKS = 3_000;
const MAX_ATTRIBUTES = 1_000;
const MAX_SCRIPTS = 200;
const MAX_SCRIPT_LENGTH = 200_000;
const MAX_LINKED_DATA = 20;

const WRITES_ADDRESS =
  /@|mailto|%40|&#(?:0*64|x0*40);|\\x40|\\u0040|fromCharCode|unescape|decodeURI|atob\(|\]\s?=\s?\d{9}/i;

const MAILS = new RegExp(`${WRITES_ADDRESS.source}|mail|crypt|spam`, 'i');

interface Reading extends PageSource {
  page: PageText;
  classes: StyledClasses;
  /** Text of the element whose text is kept apart: script, style, title. */
  raw: { name: string; type: string; parts: string[]; length: number } | null;
  link: { href: string; start: number; text: string; extra: string } | null;
  /** Elements within those that nobody reads. */
  unread: number;
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
  reading.text = reading.page.finish();
  return reading;
}

function createReading(): Reading {
  const classes: StyledClasses = { hidden: new Set(), reversed: new Set() };
  return {
    page: createText(classes),
    classes,
    raw: null,
    link: null,
    unread: 0,
    depth: 0,
    text: '',
    title: '',
    language: null,
    base: null,
    refresh: null,
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
}

export type Attributes = Record<string, string>;

function openTag(reading: Reading, name: string, attributes: Attributes): void {
  reading.depth += 1;
  if (reading.depth > MAX_DEPTH) throw TOO_DEEP;
  if (isUnread(name)) {
    reading.unread += 1;
    if (name === 'script' || name === 'style' || name === 'title')
      reading.raw = { name, type: attributes['type'] ?? '', parts: [], length: 0 };
  }
  for (const key in attributes) {
    const value = attributes[key]!;
    if (value !== '') readAttribute(reading, key, value);
  }
  readData(reading, attributes);
  const opensElement = openers.get(name);
  if (opensElement) opensElement(reading, attributes);
  if (name === 'img' && reading.link && attributes['alt'])
    reading.link.extra += ` ${attributes['alt'].slice(0, 100)}`;
  if (attributes['itemprop'] && attributes['content'])
    reading.properties.push({ name: attributes['itemprop'], value: attributes['content'] });
  if (reading.unread === 0) reading.page.open(name, attributes);
}

type Opener = (reading: Reading, attributes: Attributes) => void;

const openers = new Map<string, Opener>(
  Object.entries<Opener>({
    a: openLink,
    area: openLink,
    html: (reading, { lang }) => {
      reading.language ??= /^[a-z]{2,3}/i.exec(lang ?? '')?.[0].toLowerCase() ?? null;
    },
    base: (reading, { href }) => {
      reading.base ??= href ?? null;
    },
    frame: (reading, { src }) => addFrame(reading, src),
    iframe: (reading, attributes) => {
      const src = attributes['src'] ?? attributes['data-src'];
      addFrame(reading, src);
      if (src && /facebook\.com\/plugins\/(?:page|likebox)/i.test(src)) reading.plugins.push(src);
    },
    form: (reading, { action }) => {
      if (action && /^\s*mailto:/i.test(action)) addLink(reading, { href: action, text: '' });
    },
    meta: readMeta,
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
  reading: Reading,
  { href, text, start }: { href: string; text: string; start?: number },
): void {
  if (!href || href.length > 4_000 || reading.links.length >= MAX_LINKS) return;
  const end = reading.page.length();
  reading.links.push({ href, text, start: start ?? end, end });
}

function addFrame(reading: Reading, src: string | undefined): void {
  if (src && reading.frames.length < 20) reading.frames.push(src);
}

const ADDRESS_METAS =
  /^(?:description|og:description|og:email|email|reply-to|contact|author|twitter:description|business:contact_data:\w+|place:contact:\w+|dc\.publisher|publisher|copyright)$/i;

function readMeta(reading: Reading, attributes: Attributes): void {
  const content = attributes['content'] ?? '';
  if (/^refresh$/i.test(attributes['http-equiv'] ?? '')) {
    const [, seconds, url] = /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?(.+)$/is.exec(content) ?? [];
    // A page that reloads after minutes is no redirect.
    if (url && Number(seconds) <= 30) reading.refresh ??= url.trim().replaceAll(/^["']|["']$/g, '');
  }
  const name = attributes['name'] ?? attributes['property'] ?? '';
  if (content.includes('@') && content.length < 1_000 && ADDRESS_METAS.test(name))
    addAttribute(reading, content);
  if (/phone_number$|fax_number$/.test(name)) reading.properties.push({ name, value: content });
}

function addAttribute(reading: Reading, value: string): void {
  if (reading.attributes.length < MAX_ATTRIBUTES)
    reading.attributes.push({ value, at: reading.page.length() });
}

/** Attributes that hold words for people, and those in which scripts keep their data. */
function readAttribute(reading: Reading, key: string, value: string): void {
  if (key === 'data-cfemail') {
    reading.protected.push({ value, at: reading.page.length() });
  } else if (key === 'title' || key === 'aria-label' || key === 'alt') {
    if (value.length < 500 && /@|[[({]\s?at\s?[\])}]/i.test(value)) addAttribute(reading, value);
  } else if (key.startsWith('on') && MAILS.test(value)) {
    addScript(reading, value);
  } else if (key === 'href' && /^\s*javascript:/i.test(value)) {
    addScript(reading, value);
  }
}

const MAY_HOLD_ADDRESS = /mail|addr|contact|enc|user|domain|local|host|href|cloak|vector|^first$/;

/** Keeps an element once whose `data-*` attributes may hold an address. */
function readData(reading: Reading, attributes: Attributes): void {
  for (const key in attributes) {
    if (!key.startsWith('data-') && key !== 'first') continue;
    const value = attributes[key]!;
    if (value.length > 2_000 || !(value.includes('@') || MAY_HOLD_ADDRESS.test(key))) continue;
    if (reading.parts.length < MAX_ATTRIBUTES) reading.parts.push(attributes);
    return;
  }
}

function addScript(reading: Reading, code: string): void {
  if (reading.scripts.length < MAX_SCRIPTS && code.length <= MAX_SCRIPT_LENGTH)
    reading.scripts.push(code);
}

function readText(reading: Reading, data: string): void {
  const { raw } = reading;
  if (raw) {
    raw.length += data.length;
    if (raw.length <= 2 * MAX_SCRIPT_LENGTH) raw.parts.push(data);
  } else if (reading.unread === 0) {
    reading.page.write(data);
    if (reading.link && reading.link.text.length < 300) reading.link.text += data;
  }
}

function closeTag(reading: Reading, name: string): void {
  reading.depth -= 1;
  if (name === 'a' || name === 'area') closeLink(reading);
  if (!isUnread(name)) {
    if (reading.unread === 0) reading.page.close(name);
    return;
  }
  reading.unread = Math.max(0, reading.unread - 1);
  if (reading.raw?.name === name) endRaw(reading);
}

function endRaw(reading: Reading): void {
  const { name, type, parts } = reading.raw!;
  reading.raw = null;
  const content = parts.join('');
  if (name === 'title') reading.title ||= plainText(content).trim().slice(0, 300);
  else if (name === 'style') readStyleSheet(content, reading.classes);
  else if (/ld\+json/i.test(type)) {
    if (reading.linkedData.length < MAX_LINKED_DATA) reading.linkedData.push(content);
  } else if (!/json|template|html/i.test(type) && WRITES_ADDRESS.test(content))
    addScript(reading, content);
}
