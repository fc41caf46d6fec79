/** Builds the visible text of a page while its elements open and close. */
import { elementOf, type Element } from './elements.ts';
import { isHiddenStyle, isReversedStyle, type StyledClasses } from './styles.ts';
import { labelOfMarkup, labelOfHeading } from './labels.ts';
import { ATTRIBUTE, type Tag } from './tag.ts';
import { MAX_TEXT, plainText, SIGN, singleSpaced } from './text.ts';

export interface PageText {
  open(element: Element, tag: Tag): void;
  close(element: Element): void;
  write(data: string): void;
  length(): number;
  finish(): string;
}

/** An element whose text is looked at again when it ends. */
interface Pending {
  depth: number;
  start: number;
  does: 'hide' | 'reverse';
}

/** The first row of a table says what its columns hold. */
interface Table {
  row: number;
  column: number;
  headings: string[];
}

const MAX_TABLES = 50;

interface State {
  text: string;
  last: string;
  /** An inline element began or ended since the last character. */
  isSoft: boolean;
  depth: number;
  pre: number;
  pending: Pending[];
  tables: Table[];
  classes: StyledClasses;
}

export function createText(classes: StyledClasses): PageText {
  const state: State = {
    text: '',
    last: '\n',
    isSoft: false,
    depth: 0,
    pre: 0,
    pending: [],
    tables: [],
    classes,
  };
  return {
    open: (element, tag) => open(state, element, tag),
    close: (element) => close(state, element),
    write: (data) => write(state, data),
    length: () => state.text.length,
    finish: () => state.text,
  };
}

function open(state: State, element: Element, tag: Tag): void {
  state.depth += 1;
  if (element.isInline) {
    state.isSoft = true;
    const does = doesLater(state, element, tag);
    if (does && state.pending.length < 20)
      state.pending.push({ depth: state.depth, start: state.text.length, does });
  } else startBlock(state, element);
  const classes = tag.values[ATTRIBUTE.class];
  if (element === IMAGE) writeImage(state, tag);
  else if (classes?.includes('-at') && /\b(?:fa|bi|icon|ti|ri|mdi|la)-at\b/.test(classes)) {
    // An icon in place of the sign, within a word.
    if (/[\w.-]/.test(state.last)) append(state, '@');
  }
  const label = labelOfMarkup(element, tag);
  if (label) append(state, SIGN[label]);
}

const [IMAGE, REVERSED, PRE, TABLE, ROW, CELL, HEAD_CELL, BREAK, RULE] = [
  'img',
  'bdo',
  'pre',
  'table',
  'tr',
  'td',
  'th',
  'br',
  'hr',
].map(elementOf);

function doesLater(
  { classes }: State,
  element: Element,
  { values, hasValues }: Tag,
): Pending['does'] | null {
  if (element === REVERSED) return 'reverse';
  if (!hasValues) return null;
  const style = values[ATTRIBUTE.style];
  if (style) {
    if (isHiddenStyle(style)) return 'hide';
    if (isReversedStyle(style)) return 'reverse';
  }
  if (values[ATTRIBUTE.hidden] !== undefined) return 'hide';
  const classNames = values[ATTRIBUTE.class];
  if (!classNames || classes.hidden.size + classes.reversed.size === 0) return null;
  const names = classNames.split(/\s+/, 20);
  if (names.some((className) => classes.hidden.has(className))) return 'hide';
  return names.some((className) => classes.reversed.has(className)) ? 'reverse' : null;
}

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
  for (let last = state.pending.at(-1); last && last.depth >= state.depth;) {
    settle(state, last);
    state.pending.pop();
    last = state.pending.at(-1);
  }
  state.depth = Math.max(0, state.depth - 1);
  if (element.isInline) {
    state.isSoft = true;
    return;
  }
  if (element === PRE) state.pre = Math.max(0, state.pre - 1);
  else if (element === TABLE) state.tables.pop();
  if (!OPEN_ENDED.has(element)) endLine(state);
}

/** After a cell the line goes on, and a break has ended it before. */
const OPEN_ENDED: ReadonlySet<Element | undefined> = new Set([CELL, HEAD_CELL, BREAK, RULE]);

/** Hidden text counts as noise only within a word: elsewhere a script may show it. */
function settle(state: State, { start, does }: Pending): void {
  const written = state.text.slice(start);
  if (written === '') return;
  const before = state.text.slice(0, start);
  if (does === 'hide' && !/[\w.@-]$/.test(before)) return;
  const kept = does === 'hide' ? '' : turned(written);
  state.text = before + kept;
  state.last = state.text.at(-1) ?? '\n';
}

const turned = (text: string): string => Array.from(text).toReversed().join('');

function writeImage(state: State, { values }: Tag): void {
  const { [ATTRIBUTE.alt]: alt = '', [ATTRIBUTE.src]: src = '' } = values;
  const isSign =
    /^\s*[([]?\s*(?:@|at)\s*[)\]]?\s*$/i.test(alt) ||
    /(?:^|\/)(?:at|arroba|arobase|klammeraffe)\.(?:gif|png|jpe?g|svg)$/i.test(src);
  if (isSign && /[\w.-]/.test(state.last)) append(state, '@');
  else if (alt.includes('@') && alt.length < 200) append(state, ` ${plainText(alt)} `);
}

function endLine(state: State): void {
  state.isSoft = false;
  if (state.last !== '\n') append(state, '\n');
}

function append(state: State, text: string): void {
  if (state.text.length > MAX_TEXT || text === '') return;
  state.text += text;
  state.last = text.at(-1)!;
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
