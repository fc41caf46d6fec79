/** Lists: as many rows as are asked for, however the API pages them. */
import type { Command } from 'commander';
import type { List } from '../../../clients/typescript/src/index.ts';
import { positive } from '../arguments.ts';
import type { Io } from '../io.ts';
import type { ClientOptions } from './connection.ts';
import { showTable, type Table } from './output.ts';

export interface ListOptions extends ClientOptions {
  limit: number;
  all?: boolean;
}

const LIMIT = 50;
const LARGEST_PAGE = 100;

export const withListOptions = (command: Command): Command =>
  command.option('--limit <n>', 'most rows', positive, LIMIT).option('--all', 'all rows there are');

/** Reads the rows and shows them; says on stderr where there are more. */
export async function showList<Row>(
  io: Io,
  options: ListOptions,
  list: (page: { limit: number }) => List<Row>,
  table: Table<Row>,
): Promise<void> {
  const most = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const rows: Row[] = [];
  let hasMore = false;
  for await (const { items, pagination } of list({ limit: Math.min(most, LARGEST_PAGE) }).pages()) {
    rows.push(...items);
    hasMore = rows.length > most || (rows.length === most && pagination.hasNext);
    if (rows.length >= most) break;
  }
  showTable(io, options, rows.slice(0, most), table);
  if (hasMore) io.err(`There are more: --limit ${most * 2}, or --all.`);
}
