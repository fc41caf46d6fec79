/** What a person reads: one thing as a list of its fields, texts of strangers without harm. */
import { formatDollars } from '../../domain/wallet/money.ts';
import { printJson, printTable, type Io } from '../io.ts';
import type { ClientOptions } from './connection.ts';

type Cell = string | number | boolean | null | undefined;

/** The document for programs, or these lines for a person. */
export function show(
  io: Io,
  { json }: ClientOptions,
  data: unknown,
  fields: readonly (readonly [name: string, value: Cell])[],
): void {
  if (json) return printJson(io, data);
  const rows = fields.filter(([, value]) => value !== undefined);
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) {
    io.out(`${`${name}:`.padEnd(width + 2)}${oneLine(cellOf(value))}`);
  }
}

/** The document for programs, or a table for a person. */
export function showTable<Row>(
  io: Io,
  { json }: ClientOptions,
  rows: readonly Row[],
  { columns, cells, none }: Table<Row>,
): void {
  if (json) return printJson(io, rows);
  const lines = rows.map((row) => cells(row).map(cellOf));
  printTable(io, columns, lines, none);
}

export interface Table<Row> {
  columns: readonly string[];
  cells: (row: Row) => readonly Cell[];
  /** What is said where there are no rows. */
  none: string;
}

/** Of several lines, which stay; other control characters, such as escape sequences, go. */
export const plainText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    // oxlint-disable-next-line no-control-regex -- that is what it is about
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]+/g, ' ');

/** `2026-11-27 09:30`, in UTC. */
export const minute = (at: string | null): string | null =>
  at === null ? null : at.slice(0, 16).replace('T', ' ');

export const dollars = (cents: number | null): string | null =>
  cents === null ? null : formatDollars(cents);

/** So that a table stays one line a row. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

export const plural = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

const oneLine = (value: string | number | null): string =>
  value === null ? '-' : plainText(String(value)).replaceAll(/\s*\n\s*/g, ' ');

const cellOf = (value: Cell): string | number | null => {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
};
