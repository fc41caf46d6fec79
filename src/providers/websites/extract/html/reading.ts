/** The state of reading one page. */
import { concealingOf } from './concealment.ts';
import type { Element } from './elements.ts';
import type { PageSource } from './page-source.ts';
import { createText, type PageText } from './page-text.ts';
import { readStyleSheets } from './style-sheets.ts';

export interface Reading {
  html: string;
  source: PageSource;
  page: PageText;
  /** Text of the element whose text is kept apart: script, title. */
  raw: { element: Element; type: string; parts: string[]; length: number } | null;
  link: { href: string; start: number; text: string; extra: string } | null;
  /** Depth within elements whose text visitors do not read. */
  unread: number;
  /** For each `template` that is open, whether its content is shown. */
  templates: boolean[];
  /** Templates whose content is not shown. */
  unshown: number;
  /** Depth within `noscript`. */
  noscript: number;
  /** Where a fallback for browsers without scripts began. */
  fallback: number | null;
  /** Depth within drawings. */
  drawings: number;
  depth: number;
}

export function createReading(html: string): Reading {
  const source = createSource();
  const page = createText(concealingOf(html, readStyleSheets(html)), source);
  const counts = { unread: 0, unshown: 0, noscript: 0, drawings: 0, depth: 0 };
  return { html, source, page, raw: null, link: null, fallback: null, templates: [], ...counts };
}

const createSource = (): PageSource => ({
  text: '',
  title: '',
  language: null,
  base: null,
  refresh: null,
  scriptTarget: null,
  links: [],
  frames: [],
  attributes: [],
  numbers: [],
  fallbacks: [],
  parts: [],
  protected: [],
  linkedData: [],
  scripts: [],
  plugins: [],
  properties: [],
});
