/**
 * The API while its line to Postgres is slow, cut, refused or silent: whoever asks is told to come
 * back, what was answered is there once, and soon after the line heals all is well. A slice of
 * `npm run drill -- links`, which breaks every link of a whole world.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import { LINK_FAULTS, startTcpLink, type TcpLink } from '../support/tools/tcp-link.ts';
import { startTestApi, type TestAnswer, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const CLIENTS = 8;
const DOWN_MS = 1_500;
/** Of the server: a silent line is given up soon after. */
const STATEMENT_MS = 1_000;
/** The links drill's goal, in which a statement that hangs is included. */
const RECOVERY_MS = 10_000;

let database: TestDatabase;
let link: TcpLink;
let db: TestDatabase['db'];
let api: TestApi;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  link = await startTcpLink(Number(new URL(database.url).port));
  const url = new URL(database.url);
  url.port = String(link.port);
  db = openDatabase(url.href, { poolSize: 6, statementTimeoutMs: STATEMENT_MS });
  const silent = { warn: () => undefined, error: () => undefined } as unknown as Context['logger'];
  const context = { logger: silent, startOperation: async () => true };
  api = await startTestApi({ database: { db, url: url.href }, context });
  token = await api.jwt('linked');
});
afterAll(async () => {
  link?.heal();
  await api?.close();
  await db?.destroy();
  await link?.close();
  await database?.close();
});

const order = (searchTerm: string): Promise<TestAnswer | undefined> =>
  api
    .call('POST', '/v1/leads/process', {
      token,
      body: { searchTerm },
      headers: { 'idempotency-key': searchTerm.replaceAll(' ', '-') },
    })
    .catch(() => undefined);

/** Repeats one order until it is made; answers the statuses that came before. */
async function ordered(searchTerm: string): Promise<number[]> {
  const refusals: number[] = [];
  for (;;) {
    const answer = await order(searchTerm);
    if (answer?.status === 201) return refusals;
    refusals.push(answer?.status ?? 0);
    await sleep(50);
  }
}

it.each(LINK_FAULTS)('%s', async (fault) => {
  await ordered(`${fault} calm`);
  let isOver = false;
  const terms: string[] = [];
  const refusals = new Set<number>();
  const client = async (n: number) => {
    for (let made = 0; !isOver; made += 1) {
      const term = `${fault} ${n} ${made}`;
      for (const status of await ordered(term)) refusals.add(status);
      terms.push(term);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, n) => client(n));
  link.break(fault);
  await sleep(DOWN_MS);
  link.heal();
  const healedAt = performance.now();
  await ordered(`${fault} healed`);
  expect(performance.now() - healedAt).toBeLessThan(RECOVERY_MS);
  isOver = true;
  await Promise.all(clients);
  // Nor is anybody left who waits for a request whose line was cut.
  expect(performance.now() - healedAt).toBeLessThan(2 * RECOVERY_MS);
  // 409: the same order is still at work, by a request whose answer was lost.
  for (const status of refusals) expect([409, 502]).toContain(status);
  const rows = await database.db
    .selectFrom('lead_processes')
    .select('search_term')
    .where('search_term', 'like', `${fault} %`)
    .execute();
  const wanted = [`${fault} calm`, `${fault} healed`, ...terms];
  expect(rows.map((row) => row.search_term).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    wanted.toSorted((a, b) => (a < b ? -1 : 1)),
  );
});
