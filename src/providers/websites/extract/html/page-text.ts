/** Builds the visible text of a page while its elements open and close. */
import type { Concealing } from './concealment.ts';
import { elementOf, type Element } from './elements.ts';
import { labelOfAttributes, labelOfHeading, labelOfMarkup, type Label } from '../labels.ts';
import type { PageSource } from './page-source.ts';
import { ATTRIBUTE, type Tag } from './tag.ts';
import { plainText, SIGN, singleSpaced } from './text.ts';
import { beginPending, settlePending } from './text-pending.ts';
import { append, createState, endLine, lengthOf, type State, type Table } from './text-state.ts';

export interface PageText {
  /** Before anything of the element is read, and before `open`. */
  begin(element: Element, tag: Tag, isInLink: boolean): void;
  open(element: Element, tag: Tag): void;
  close(element: Element): void;
  write(data: string): void;
  /** Inserts the sign of a label here; nothing for null. */
  say(label: Label | null): void;
  length(): number;
  finish(): string;
}

const MAX_TABLES = 50;

/** What is found within elements that turn out to be decoys is removed from `source` again. */
export function createText(concealing: Concealing, source: PageSource): PageText {
  const state = createState(concealing, source);
  return {
    begin: (element, tag, isInLink) => beginPending(state, { element, tag, isInLink }),
    open: (element, tag) => open(state, element, tag),
    close: (element) => close(state, element),
    write: (data) => write(state, data),
    say: (label) => append(state, label ? SIGN[label] : ''),
    length: () => lengthOf(state),
    finish() {
      settlePending(state, 0);
      return state.text;
    },
  };
}

function open(state: State, element: Element, tag: Tag): void {
  state.depth += 1;
  const classes = tag.values[ATTRIBUTE.class];
  state.opened.push(tag.from);
  state.toggles.push(isToggle(element, tag));
  if (element.isInline) state.isSoft = true;
  else startBlock(state, element);
  if (element === IMAGE) writeImage(state, tag);
  else if (classes?.includes('-at') && /\b(?:fa|bi|icon|ti|ri|mdi|la)-at\b/.test(classes)) {
    // An icon within a word stands for the at sign.
    if (/[\w.-]/.test(state.last)) append(state, '@');
  }
  const label = labelOfMarkup(element, tag) ?? labelOfAttributes(element, tag);
  if (label) append(state, SIGN[label]);
}

/** Acts as a button: a link that leads nowhere, an element with code for a click. */
const isToggle = (element: Element, { values, handlers }: Tag): boolean =>
  element === BUTTON ||
  element === SUMMARY ||
  handlers !== null ||
  (element === LINK && /^\s*(?:#|javascript:)/i.test(values[ATTRIBUTE.href] ?? ''));

const [IMAGE, PRE, TABLE, ROW, CELL, HEAD_CELL, BREAK, RULE, LINK, BUTTON, SUMMARY] = [
  'img',
  'pre',
  'table',
  'tr',
  'td',
  'th',
  'br',
  'hr',
  'a',
  'button',
  'summary',
].map(elementOf);

function startBlock(state: State, element: Element): void {
  if (element === CELL || element === HEAD_CELL) return startCell(state);
  if (element === PRE) state.pre += 1;
  if (element === TABLE && state.tables.length < MAX_TABLES)
    state.tables.push({ row: -1, column: 0, headings: [] });
  if (element === ROW) nextRow(state.tables.at(-1));
  endLine(state);
  if (element.isHeading) append(state, SIGN.heading);
}

function nextRow(table: Table | undefined): void {
  if (!table) return;
  table.row += 1;
  table.column = 0;
}

function startCell(state: State): void {
  const table = state.tables.at(-1);
  if (state.last !== '\n' && state.last !== SIGN.cell) append(state, SIGN.cell);
  if (!table) return;
  table.column += 1;
  if (table.row === 0) table.headings[table.column] = '';
  else if (table.row > 0) {
    const label = labelOfHeading(table.headings[table.column] ?? '');
    if (label) append(state, SIGN[label]);
  }
}

function close(state: State, element: Element): void {
  settlePending(state, state.depth);
  state.depth = Math.max(0, state.depth - 1);
  state.opened.pop();
  const opens = state.toggles.pop() === true;
  if (opens || element.isHeading)
    state.behind = { what: opens ? 'button' : 'heading', at: lengthOf(state) };
  if (element.isInline) {
    state.isSoft = true;
    return;
  }
  if (element === PRE) state.pre = Math.max(0, state.pre - 1);
  else if (element === TABLE) state.tables.pop();
  if (!OPEN_ENDED.has(element)) endLine(state);
}

/** After a cell the line continues; a break has ended it before. */
const OPEN_ENDED: ReadonlySet<Element | undefined> = new Set([CELL, HEAD_CELL, BREAK, RULE]);

function writeImage(state: State, { values }: Tag): void {
  const { [ATTRIBUTE.alt]: alt = '', [ATTRIBUTE.src]: src = '' } = values;
  const isSign =
    /^\s*[([]?\s*(?:@|at)\s*[)\]]?\s*$/i.test(alt) ||
    /(?:^|\/)(?:at|arroba|arobase|klammeraffe)\.(?:gif|png|jpe?g|svg)$/i.test(src);
  if (isSign && /[\w.-]/.test(state.last)) append(state, '@');
  else if (alt.includes('@') && alt.length < 200) append(state, ` ${plainText(alt)} `);
}

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\t';

function write(state: State, data: string): void {
  let text = state.pre > 0 ? plainText(data).replaceAll(/[ \t\f\v]+/g, ' ') : singleSpaced(data);
  if (isBlank(state.last) && text[0] === ' ') text = text.slice(1);
  if (text === '') return;
  if (state.isSoft && text[0] !== ' ' && !isBlank(state.last)) append(state, SIGN.soft);
  state.isSoft = false;
  append(state, text);
  const table = state.tables.at(-1);
  if (table?.row === 0 && table.column < 30) {
    const heading = table.headings[table.column] ?? '';
    if (heading.length < 100) table.headings[table.column] = heading + text.slice(0, 100);
  }
}
