/**
 * Mailboxes at several mail hosts elsewhere, connected by one CSV file in one job of a world of its own: how long each
 * takes from the request, and from its turn, until it is proven. The hosts are stand-ins with real SMTP and IMAP over
 * TLS, all of them one process on the same machine. At the end their passwords are looked for in all that the product
 * has written: each has a mark in it, which is the same for all.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { createOutreach, type Outreach } from '../clients/typescript/src/index.ts';
import type { Database } from '../src/db/tables.ts';
import { startWorld } from '../src/dev/world.ts';
import type { WorldFile } from '../src/dev/world-file.ts';
import { openControlApi } from '../test/chaos/discovery-supply.ts';
import { enterWorld } from '../test/e2e/shared-world.ts';
import { makeStateDir, removeStateDir } from '../test/support/drills/world.ts';
import {
  findIn,
  formsOf,
  textsOf,
  type WrittenWorld,
} from '../test/support/drills/written-texts.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { cpuMicros, machine } from './rounds.ts';

const MARK = `canary-${randomBytes(9).toString('base64url')}`;
const passwordOf = (address: string): string => `${MARK}-of-${address.replace('@', '-')}`;
const POLL_MS = 1_000;

const { mailboxes: MAILBOXES, hosts: HOSTS } = optionsOf<{ mailboxes: number; hosts: number }>(
  bench('connect-mailboxes', 'Seconds until mailboxes of one CSV file are proven.')
    .option('--mailboxes <n>', 'of all hosts together', count, 1_000)
    .option('--hosts <n>', 'that they live at', count, 5),
);

const stateDir = await makeStateDir();
const world = await startWorld({
  stateDir,
  ports: 'auto',
  fresh: true,
  daySeconds: 86_400,
  report: () => undefined,
});
try {
  const file = await world.ready;
  const entered = await enterWorld(
    {
      stateDir,
      apiAfterMs: () => Number.NaN,
      read: async () => file,
      stop: async () => ({ code: 0, survivors: [] }),
    },
    new Set(),
  );
  await measure(file, entered.db);
  await lookForPasswords(entered);
  await entered.leave();
} finally {
  await world.stop();
  await removeStateDir(stateDir);
}

async function measure(file: WorldFile, db: Kysely<Database>): Promise<void> {
  const csv = await makeHosts(file);
  const outreach = createOutreach({ baseUrl: file.api, apiKey: file.apiKey });
  const cpu = () =>
    Promise.all(['worker', 'sandbox'].map((name) => cpuMicros(file.pids[name] ?? 0)));
  const before = await cpu();
  const { id } = await outreach.mailboxImports.create({ body: { csv } });
  const { counts } = await untilEnd(outreach, id);
  const spent = (await cpu()).map((micros, at) => (micros - before[at]!) / 1_000 / MAILBOXES);
  if (counts.connected !== MAILBOXES) throw new Error(`not all: ${JSON.stringify(counts)}`);
  const { created_at: askedAt } = await db
    .selectFrom('mailbox_imports')
    .select('created_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('mailbox_import_rows')
    .select(['begun_at', 'ended_at'])
    .where('import_id', '=', id)
    .execute();
  const since = (from: (row: (typeof rows)[number]) => Date) =>
    rows.map((row) => (row.ended_at!.getTime() - from(row).getTime()) / 1_000);
  const request = since(() => askedAt);
  const turn = since(({ begun_at: begun }) => begun!);
  const all = Math.max(...request);
  console.log(
    `  from the request: p50 ${part(request, 0.5)} s, p95 ${part(request, 0.95)} s; ` +
      `from its turn: p50 ${part(turn, 0.5)} s, p95 ${part(turn, 0.95)} s`,
  );
  console.log(`  CPU per mailbox: worker ${ms(spent[0])} ms, hosts ${ms(spent[1])} ms`);
  console.log(`  ${await machine()}`);
  const rate = (MAILBOXES / all).toFixed(1);
  console.log(
    `connect-mailboxes seconds=${all.toFixed(1)} mailboxes=${MAILBOXES} hosts=${HOSTS} per_second=${rate}`,
  );
}

/** In tables, logs and histories; throws where one is. */
async function lookForPasswords(entered: WrittenWorld): Promise<void> {
  const places = await textsOf(entered);
  const found = findIn(places, formsOf(MARK));
  if (found.length > 0) throw new Error(`A password is written down:\n${found.join('\n')}`);
  // The search itself works: what is no secret is found.
  if (findIn(places, [addressOf(0, 0)]).length === 0) throw new Error('Nothing is found at all');
  const kinds = ['table', 'history'].map(
    (kind) => Object.keys(places).filter((place) => place.startsWith(`${kind} `)).length,
  );
  const logs = Object.keys(places).filter((place) => place.endsWith('.log')).length;
  console.log(
    `  passwords: in none of ${kinds[0]} tables, ${logs} logs and ${kinds[1]} histories (the mark of all ${MAILBOXES})`,
  );
}

function ms(micros = Number.NaN): string {
  return micros.toFixed(0);
}

function part(seconds: readonly number[], share: number): string {
  return seconds.toSorted((a, b) => a - b)[Math.ceil(seconds.length * share) - 1]!.toFixed(1);
}

function domainOf(host: number): string {
  return `bench${host}.test`;
}

function addressOf(host: number, n: number): string {
  return `m${n}@${domainOf(host)}`;
}

/** The file of all of them, once their hosts are up. */
async function makeHosts(file: WorldFile): Promise<string> {
  const control = openControlApi(file.sandbox);
  const rows: string[] = [];
  for (let host = 0; host < HOSTS; host += 1) {
    const domain = domainOf(host);
    const name = `mail.${domain}`;
    const own = Math.ceil((MAILBOXES - host) / HOSTS);
    const mailboxes = Array.from({ length: own }, (_, n) => addressOf(host, n)).map((address) => ({
      address,
      password: passwordOf(address),
    }));
    await control('PUT', `/mail/elsewhere/${name}`, { domain, mailboxes });
    rows.push(
      ...mailboxes.map(({ address, password }) => `${address},${password},${name},${name}`),
    );
  }
  return `email,password,smtpHost,imapHost\n${rows.join('\n')}\n`;
}

async function untilEnd(outreach: Outreach, id: number) {
  for (;;) {
    const now = await outreach.mailboxImports.read({ id });
    if (now.status !== 'processing') return now;
    await sleep(POLL_MS);
  }
}
