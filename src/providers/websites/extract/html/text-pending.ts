/** Elements whose text is kept apart until they end: hidden ones, and those that reverse it. */
import { concealmentOf, isDecoy, mayConceal, type Surroundings } from './concealment.ts';
import { isForReaders } from '../links/handles.ts';
import { elementOf, type Element } from './elements.ts';
import { isReversedStyle } from './hiding-styles.ts';
import { dropSince, hasContactsSince, markOf } from '../source-marks.ts';
import type { StyleRules } from './style-sheets.ts';
import { ATTRIBUTE, type Tag } from './tag.ts';
import { lengthOf, type Pending, type State } from './text-state.ts';

/** Nesting depth; deeper ones are read as they are. */
const MAX_PENDING = 20;
/** Checks on one page: no page for visitors hides so much, and each check takes time. */
const MAX_CHECKS = 5_000;

interface Beginning {
  element: Element;
  tag: Tag;
  isInLink: boolean;
}

/** Keeps the text of an element apart, where it has to be checked at its end. */
export function beginPending(state: State, { element, tag, isInLink }: Beginning): void {
  const { concealing, pending } = state;
  const parent = pending.at(-1)?.concealed;
  if (parent && (tag.values[ATTRIBUTE.class] || tag.values[ATTRIBUTE.style]))
    parent.isStyledWithin = true;
  if (pending.length >= MAX_PENDING) return;
  const isLookedAt = state.checks < MAX_CHECKS && mayConceal(concealing, element, tag);
  const concealed = isLookedAt
    ? concealmentOf(concealing, { element, tag }, surroundingsOf(state, isInLink))
    : null;
  if (concealed) state.checks += 1;
  const isReversed = !concealed && element.isInline && reverses(concealing.rules, element, tag);
  if (!concealed && !isReversed) return;
  const { text: outer, base, last, source } = state;
  const depth = state.depth + 1;
  pending.push({ depth, outer, base, last, isReversed, concealed, mark: markOf(source) });
  state.base = lengthOf(state);
  state.text = '';
}

function surroundingsOf(state: State, isInLink: boolean): Surroundings {
  const { behind, opened } = state;
  // A wrapper may end after a button; words in between belong to something else.
  const isNear = lengthOf(state) - behind.at <= 2;
  return { isInLink, behind: isNear ? behind.what : null, within: opened };
}

const REVERSED = elementOf('bdo');

function reverses(rules: StyleRules, element: Element, { values, hasValues }: Tag): boolean {
  if (element === REVERSED) return true;
  if (!hasValues) return false;
  const style = values[ATTRIBUTE.style];
  if (style && isReversedStyle(style)) return true;
  return hasReversed(rules, values[ATTRIBUTE.class]);
}

const hasReversed = ({ reversed }: StyleRules, classes: string | undefined): boolean =>
  reversed.size > 0 && (classes ?? '').split(/\s+/, 20).some((name) => reversed.has(`.${name}`));

/** Ends the pending elements of `depth` and deeper. */
export function settlePending(state: State, depth: number): void {
  for (let last = state.pending.at(-1); last && last.depth >= depth; last = state.pending.at(-1)) {
    state.pending.pop();
    settle(state, last);
  }
}

function settle(state: State, pending: Pending): void {
  const { text: inner } = state;
  const { outer, base, last, isReversed } = pending;
  state.base = base;
  state.text = outer;
  if (isDropped(state, pending, inner)) state.last = last;
  else if (inner !== '') {
    const kept = isReversed ? turned(inner) : inner;
    state.text += kept;
    state.last = kept.at(-1)!;
  }
}

function isDropped(state: State, { concealed, last, mark }: Pending, inner: string): boolean {
  if (!concealed) return false;
  const { source, concealing } = state;
  if (hasContactsSince(source, mark, inner) && isDecoy(concealing, concealed, inner)) {
    dropSince(source, mark, lengthOf(state));
    return true;
  }
  // Hidden letters within a word are noise, whatever else they may be.
  return concealed.isInline && /[\w.@-]/.test(last) && !isForReaders(concealed.names);
}

const turned = (text: string): string => Array.from(text).toReversed().join('');
