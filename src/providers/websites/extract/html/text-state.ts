/** The text of a page as far as it is built, and the state that its continuation depends on. */
import type { Concealed, Concealing } from './concealment.ts';
import type { PageSource } from './page-source.ts';
import type { SourceMark } from '../source-marks.ts';
import { MAX_TEXT } from './text.ts';

/** An element whose text is checked when it ends. */
export interface Pending {
  depth: number;
  /** The text before it, and its position. */
  outer: string;
  base: number;
  last: string;
  isReversed: boolean;
  concealed: Concealed | null;
  mark: SourceMark;
}

/** The first row of a table names what its columns hold. */
export interface Table {
  row: number;
  column: number;
  headings: string[];
}

export interface State {
  /** Of the innermost pending element, else of the page. */
  text: string;
  /** The position of `text` in the page's text. */
  base: number;
  last: string;
  /** Whether an inline element began or ended since the last character. */
  isSoft: boolean;
  depth: number;
  pre: number;
  /** Start positions of the tags of open elements, the innermost last. */
  opened: number[];
  /** Whether each of them opens something when it is clicked. */
  toggles: boolean[];
  /** The last element that opens others, and where it ended. */
  behind: { what: 'button' | 'heading'; at: number };
  pending: Pending[];
  /** How many elements were checked for what they hide. */
  checks: number;
  tables: Table[];
  concealing: Concealing;
  source: PageSource;
}

export const createState = (concealing: Concealing, source: PageSource): State => ({
  text: '',
  base: 0,
  last: '\n',
  isSoft: false,
  depth: 0,
  pre: 0,
  opened: [],
  toggles: [],
  behind: { what: 'heading', at: -100 },
  pending: [],
  checks: 0,
  tables: [],
  concealing,
  source,
});

export const lengthOf = ({ base, text }: State): number => base + text.length;

export function endLine(state: State): void {
  state.isSoft = false;
  if (state.last !== '\n') append(state, '\n');
}

export function append(state: State, text: string): void {
  if (lengthOf(state) > MAX_TEXT || text === '') return;
  state.text += text;
  state.last = text.at(-1)!;
}
