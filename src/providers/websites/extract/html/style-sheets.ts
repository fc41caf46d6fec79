/** What a page's own style sheets hide, reverse, and show again. */
import { hidingOf, isReversedStyle, MAY_HIDE, type Hiding } from './hiding-styles.ts';

/** By selector: `.name` and `#name`. */
export interface StyleRules {
  hidden: Map<string, Hiding>;
  reversed: Set<string>;
  hasIds: boolean;
  /** Whether another rule shows what `selector` names: an open menu, a wide screen, hover. */
  isShown(selector: string): boolean;
}

const MAX_SHEETS = 200;
const MAX_RULES = 20_000;
const MAX_SHEET = 400_000;
/** Searches for rules that show again; each reads all of the style sheets. */
const MAX_SEARCHES = 40;

/** Reads all `<style>` elements of a page, wherever they are: they apply to all of it. */
export function readStyleSheets(html: string): StyleRules {
  const sheets = sheetsOf(html);
  const searched = new Map<string, boolean>();
  const rules: StyleRules = {
    hidden: new Map(),
    reversed: new Set(),
    hasIds: false,
    isShown(selector) {
      const known = searched.get(selector);
      if (known !== undefined || searched.size >= MAX_SEARCHES) return known ?? true;
      const isShown = sheets.some((css) => shows(css, selector));
      searched.set(selector, isShown);
      return isShown;
    },
  };
  for (const css of sheets) readStyleSheet(css, rules);
  return rules;
}

function sheetsOf(html: string): string[] {
  const sheets: string[] = [];
  let comment = html.indexOf('<!--');
  for (let at = nextSheet(html, 0); at >= 0 && sheets.length < MAX_SHEETS;) {
    while (comment >= 0 && comment < at) {
      const end = html.indexOf('-->', comment);
      const behind = end < 0 ? html.length : end;
      if (behind > at) at = nextSheet(html, behind);
      comment = html.indexOf('<!--', behind);
      if (at < 0) return sheets;
    }
    const start = html.indexOf('>', at);
    const end = start < 0 ? -1 : html.indexOf('</', start);
    if (end < 0) break;
    const stop = html.slice(end, end + 7).toLowerCase() === '</style' ? end : endOf(html, start);
    if (isForAll(html, at, start) && stop - start <= MAX_SHEET)
      sheets.push(withoutComments(html.slice(start + 1, stop)));
    at = nextSheet(html, stop);
  }
  return sheets;
}

const nextSheet = (html: string, from: number): number => {
  const lower = html.indexOf('<style', from);
  return lower >= 0 ? lower : html.indexOf('<STYLE', from);
};

function endOf(html: string, from: number): number {
  const end = html.indexOf('</style', from);
  return end < 0 ? html.length : end;
}

/** Whether the sheet applies to screens of every size, and with scripts as without. */
function isForAll(html: string, start: number, end: number): boolean {
  const media = /media\s*=\s*["']?([^"'>]*)/i.exec(html.slice(start, end))?.[1] ?? '';
  if (!/^\s*(?:all|screen)?\s*$/i.test(media)) return false;
  return !/<noscript[^<]*$/i.test(html.slice(Math.max(0, start - 300), start));
}

function withoutComments(css: string): string {
  let text = '';
  let from = 0;
  for (let at = css.indexOf('/*'); at >= 0; at = css.indexOf('/*', from)) {
    text += css.slice(from, at);
    const end = css.indexOf('*/', at + 2);
    if (end < 0) return text;
    from = end + 2;
  }
  return from === 0 ? css : text + css.slice(from);
}

/** Records plain selectors (`.name`, `div.name`, `#name`); more specific ones are ignored. */
function readStyleSheet(css: string, rules: StyleRules): void {
  let hit = nextHit(css, 0);
  const blocks = /[{}]/g;
  /** For each enclosing block: whether it applies on every screen. */
  const around: boolean[] = [];
  let from = 0;
  for (let count = 0; hit >= 0 && count < MAX_RULES; count += 1) {
    const sign = blocks.exec(css);
    if (!sign) return;
    const start = from;
    from = sign.index + 1;
    if (sign[0] === '}') {
      around.pop();
      continue;
    }
    const isAlways = around.at(-1) ?? true;
    const isCondition = isAt(css, start);
    around.push(isAlways && (!isCondition || holdsAlways(css.slice(start, sign.index))));
    if (isCondition) continue;
    const end = css.indexOf('}', from);
    const close = end < 0 ? css.length : end;
    if (hit < from) hit = nextHit(css, from);
    if (hit < 0 || hit >= close || !isAlways || sign.index - start > 4_000) continue;
    noteRule(rules, css.slice(start, sign.index), css.slice(from, close));
  }
}

/** The position of the next declaration that matters. */
function nextHit(css: string, from: number): number {
  MATTERS.lastIndex = from;
  return MATTERS.exec(css)?.index ?? -1;
}

const MATTERS = new RegExp(`${MAY_HIDE.source}|bidi-override`, 'gi');

/** Whether the block whose prelude begins at `start` is one of `@media` and the like. */
function isAt(css: string, start: number): boolean {
  let at = start;
  while (css.charCodeAt(at) <= 32) at += 1;
  return css[at] === '@';
}

const holdsAlways = (prelude: string): boolean =>
  /^\s*(?:@(?:layer|supports)\b|@media\s+(?:only\s+)?(?:all|screen)\s*$)/i.test(prelude);

function noteRule(rules: StyleRules, selectors: string, body: string): void {
  const hiding = MAY_HIDE.test(body) ? hidingOf(body) : null;
  const isReversed = isReversedStyle(body);
  if (!hiding && !isReversed) return;
  for (const selector of selectors.slice(selectors.lastIndexOf(';') + 1).split(',')) {
    const name = /^[a-z]*([.#][\w-]+)$/i.exec(selector.trim())?.[1];
    if (!name) continue;
    if (isReversed) rules.reversed.add(name);
    if (!hiding) continue;
    rules.hidden.set(name, hiding);
    rules.hasIds ||= name.startsWith('#');
  }
}

/** Whether a rule with `selector` in it has a declaration that shows. */
function shows(css: string, selector: string): boolean {
  for (let at = css.indexOf(selector); at >= 0;) {
    const open = css.indexOf('{', at);
    if (open < 0) return false;
    const close = css.indexOf('}', open);
    const body = css.slice(open + 1, close < 0 ? undefined : close);
    const isWhole = !/[\w-]/.test(css[at + selector.length] ?? '');
    if (isWhole && SHOWS.test(body) && hidingOf(body) === null) return true;
    at = css.indexOf(selector, isWhole ? open : at + 1);
  }
  return false;
}

const SHOWS =
  /display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible|opacity\s*:\s*(?:0?\.\d*[1-9]|1)|(?:max-)?height\s*:\s*(?:[1-9]\d|auto|none|fit|max)|(?:left|right)\s*:\s*(?:0|auto|\d)|clip\s*:\s*auto|transform\s*:\s*(?:none|translate\w*\(0|scale\(1)/i;
