/**
 * Which hidden elements are decoys for robots, and which are only closed until somebody opens them.
 * Visitors see neither when the page loads. An element that can be opened shows it: a class or id as
 * menus, tabs, dialogs and animations have it, one that a script, a link or another rule of the style
 * sheet names, attributes that scripts use, a button right before it, or such an element around it; and
 * it holds more than an address, because nobody hides a single address to show it later. A decoy has
 * none of these: an address in an element that its own style hides, or a class that is only ever
 * hidden. What is placed off the screen, clipped away or painted in its background's colour is no menu,
 * but may be a label for screen readers: those have classes that say so, or are on a link.
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
  /** Its start tag as it is written, with its names. */
  written: string;
  names: string[];
  isInline: boolean;
  around: Pick<Surroundings, 'isInLink' | 'behind'>;
  /** The element around it holds what opens. */
  isPanel: boolean;
  /** Elements within it have their own styles or classes. */
  isStyledWithin: boolean;
}

/** The facts of the page by which hidden elements are judged. */
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

/** The surroundings of an element that may be hidden. */
export interface Surroundings {
  isInLink: boolean;
  /** What ended right before it. */
  behind: 'button' | 'heading' | null;
  /** Where the tags of the elements around it begin, the innermost one last; good while they are open. */
  within: readonly number[];
}

/** A quick check: most elements have nothing that could hide them. */
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

/** How an element hides its content; null for elements that do not. */
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

/** A page that is hidden as a whole is shown when it has loaded; drawings keep their parts hidden. */
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

/** Letters beside an address; more text than this is content written for visitors. */
const SHORT = 60;
/** Text this long is a part of the page, however it is hidden. */
const LONG = 1_000;

/** Whether `text`, which a concealed element holds, is never shown to anybody. */
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
