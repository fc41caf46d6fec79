/**
 * Which hidden elements are decoys for robots, and which only wait to be opened.
 *
 * No visitor sees either when the page comes. What waits to be opened has something to be opened
 * by: a class or id as menus, tabs, dialogs and animations have it, one that a script, a link or
 * another rule of the style sheet names, attributes that scripts work by, a button right before
 * it, or such an element around it; and it holds more than an address, because nobody hides a
 * single address from visitors to show it later. A decoy has nothing of that: an address in an
 * element that its own style hides, or a class that is only ever hidden. What is put beside the
 * screen, clipped away or painted in the colour of its ground is no menu, but it may be a label
 * for readers of screens: those have classes that say so, or stand on a link.
 */
import { elementOf, type Element } from './elements.ts';
import { groundOf, tagAt } from '../grounds.ts';
import {
  handleOf,
  isForReaders,
  isTrap,
  MAY_TRAP,
  mayHaveTrapIds,
  namesInUse,
  namesOf,
  opens,
  type NamesInUse,
} from '../links/handles.ts';
import { hidingOf, type Hiding } from './hiding-styles.ts';
import type { StyleRules } from './style-sheets.ts';
import { ATTRIBUTE, type Tag } from './tag.ts';

export interface Concealed {
  how: Hiding | 'trap';
  /** Its start tag as it is written, with the names in it. */
  written: string;
  names: string[];
  isInline: boolean;
  around: Pick<Surroundings, 'isInLink' | 'behind'>;
  /** The element around it holds what opens. */
  isPanel: boolean;
  /** Elements within it have styles or classes of their own. */
  isStyledWithin: boolean;
}

/** What judging needs of the page. */
export interface Concealing {
  html: string;
  rules: StyleRules;
  names: NamesInUse;
  /** Whether some id of the page may mark a trap. */
  hasTrapIds: boolean;
  /** Whether much of the page fades in. */
  isAnimated(): boolean;
}

export function concealingOf(html: string, rules: StyleRules): Concealing {
  let isAnimated: boolean | undefined;
  return {
    html,
    rules,
    names: namesInUse(html, rules),
    hasTrapIds: mayHaveTrapIds(html),
    isAnimated: () => (isAnimated ??= (html.match(FADED)?.length ?? 0) > 2),
  };
}

const FADED = /style\s*=\s*["'][^"']{0,200}opacity\s*:\s*0(?![.\d])/gi;

/** Where an element that may be hidden stands. */
export interface Surroundings {
  isInLink: boolean;
  /** What ended right before it. */
  behind: 'button' | 'heading' | null;
  /** Where the tags of the elements around it begin, the innermost one last; good while they are open. */
  within: readonly number[];
}

/** Without a closer look: most elements have nothing to hide by. */
export function mayConceal(
  { rules, hasTrapIds }: Concealing,
  element: Element,
  { values, hasValues }: Tag,
): boolean {
  if (hasTrapIds || rules.hasIds || element === FONT) return true;
  if (!hasValues) return false;
  if (values[ATTRIBUTE.style] || values[ATTRIBUTE.hidden] !== undefined) return true;
  const classes = values[ATTRIBUTE.class];
  return classes !== undefined && (rules.hidden.size > 0 || MAY_TRAP.test(classes));
}

/** How an element hides what it holds; null for elements that do not. */
export function concealmentOf(
  page: Concealing,
  { element, tag }: { element: Element; tag: Tag },
  around: Surroundings,
): Concealed | null {
  const hiding = hiddenBy(page, { element, tag }, around.within);
  const mayTrap = page.hasTrapIds || MAY_TRAP.test(tag.values[ATTRIBUTE.class] ?? '');
  if ((!hiding && !mayTrap) || NEVER_HIDDEN.has(element.name)) return null;
  const written = page.html.slice(tag.from, tag.at);
  const names = namesOf(written);
  const how = mayTrap && isTrap(names) ? 'trap' : hiding;
  if (!how) return null;
  const { isInline } = element;
  const parent = namesOf(tagAt(page.html, around.within.at(-1) ?? -1)).join(' ');
  const isPanel = !isInline && opens(parent);
  return { how, written, names, isInline, around, isPanel, isStyledWithin: false };
}

/** A page that is hidden as a whole is shown when it is ready; drawings keep their parts hidden. */
const NEVER_HIDDEN = new Set(['html', 'body', 'main', 'form', 'head', 'noscript', 'svg', 'symbol']);

function hiddenBy(
  { html, rules }: Concealing,
  { element, tag }: { element: Element; tag: Tag },
  within: readonly number[],
): Hiding | null {
  const { values, from, at } = tag;
  const style = element === FONT ? styleOfFont(html.slice(from, at)) : values[ATTRIBUTE.style];
  const byStyle = style ? hidingOf(style, () => groundOf(html, within)) : null;
  if (byStyle) return byStyle;
  const hidden = values[ATTRIBUTE.hidden];
  if (hidden !== undefined && !/until-found/i.test(hidden)) return 'closed';
  if (rules.hidden.size === 0) return null;
  for (const name of (values[ATTRIBUTE.class] ?? '').split(/\s+/, 20)) {
    const byClass = name ? rules.hidden.get(`.${name}`) : undefined;
    if (byClass) return byClass;
  }
  const id = rules.hasIds ? /\sid\s*=\s*["']?([^\s"'>]+)/i.exec(html.slice(from, at))?.[1] : null;
  return id ? (rules.hidden.get(`#${id}`) ?? null) : null;
}

const FONT = elementOf('font');

/** `<font color=white>` as a style. */
const styleOfFont = (written: string): string | undefined => {
  const colour = /\scolor\s*=\s*["']?([^"'\s>]+)/i.exec(written)?.[1];
  return colour && `color:${colour}`;
};

/** Letters beside an address: more is content that somebody wrote for visitors. */
const SHORT = 60;
/** So much is a part of the page, however it is hidden. */
const LONG = 1_000;

/** Whether nobody is ever shown `text`, which a concealed element holds. */
export function isDecoy(page: Concealing, concealed: Concealed, text: string): boolean {
  const { how, written, names, around } = concealed;
  if (how === 'trap') return true;
  const letters = lettersBesideAddresses(text);
  if (letters > LONG || around.behind === 'button') return false;
  const isSpoken = !/\saria-hidden\s*=\s*["']?true/i.test(written);
  if (how === 'unseen' && isSpoken && (around.isInLink || isForReaders(names))) return false;
  const handle = handleOf(written, names, page.names);
  if (handle === 'strong') return false;
  if (how === 'unseen') return true;
  if (how === 'tiny') return letters <= SHORT && !concealed.isStyledWithin;
  if (concealed.isPanel) return false;
  if (letters <= SHORT) return how === 'closed' || !page.isAnimated();
  return how === 'closed' && handle === 'none' && around.behind !== 'heading';
}

function lettersBesideAddresses(text: string): number {
  if (text.length > 10 * LONG) return Infinity;
  return text.replaceAll(/\S*[@/]\S*/g, '').replaceAll(/[^\p{L}\p{M}]+/gu, '').length;
}
