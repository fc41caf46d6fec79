/** What a Temporal Server asks of its database, by its own metrics and by Postgres' statistics. */
import pg from 'pg';
import { DATABASES } from '../test/cluster/temporal-config.ts';

/** Operations that only read; every other one counts as a write, whether it changes a row or not. */
const READS = /^(get|list|read|range ?get|count|is|describe|peek|lookup)/i;

/** Requests to the persistence so far, by operation; visibility included. */
export async function persistenceRequests(metricsUrl: string): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const found = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (!/^persistence_requests(_total)?\{/.test(line)) continue;
    const operation = /operation="([^"]+)"/.exec(line)?.[1] ?? 'other';
    found.set(operation, (found.get(operation) ?? 0) + Number(line.slice(line.lastIndexOf(' '))));
  }
  return found;
}

/** By type, so far, of one namespace: the server's own workflows are not billed. */
export async function billableActions(
  metricsUrl: string,
  namespace: string,
): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const found = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('action{') || !line.includes(`namespace="${namespace}"`)) continue;
    const type = /action_type="([^"]+)"/.exec(line)?.[1] ?? 'other';
    found.set(type, (found.get(type) ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1)));
  }
  return found;
}

export const isWrite = (operation: string): boolean => !READS.test(operation);

/** Operations that write, with their number between two looks, the most frequent first. */
export function writesBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): [operation: string, count: number][] {
  return [...after]
    .map(([name, value]): [string, number] => [name, value - (before.get(name) ?? 0)])
    .filter(([name, value]) => value > 0 && isWrite(name))
    .toSorted(([, a], [, b]) => b - a);
}

export interface DatabaseActivity {
  commits: number;
  /** Inserted, updated or deleted. */
  rows: number;
}

/** Of both of Temporal's databases so far. Statistics of an open session come with a delay of a second. */
export async function databaseActivity(ownerUrl: string): Promise<DatabaseActivity> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ commits: string; rows: string }>(
      `select sum(xact_commit) as commits, sum(tup_inserted + tup_updated + tup_deleted) as rows
       from pg_stat_database where datname = any ($1)`,
      [Object.values(DATABASES)],
    );
    return { commits: Number(rows[0]!.commits), rows: Number(rows[0]!.rows) };
  } finally {
    await client.end();
  }
}
