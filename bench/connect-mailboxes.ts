/**
 * Mailboxes at several mail hosts elsewhere, connected by one CSV file in one job of a world of its own: how long each
 * takes from the request, and from its turn, until it is proven. The hosts are stand-ins with real SMTP and IMAP over
 * TLS, all of them one process on the same machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { createOutreach, type Outreach } from '../clients/typescript/src/index.ts';
import { openDatabase } from '../src/db/database.ts';
import type { Database } from '../src/db/tables.ts';
import { startWorld } from '../src/dev/world.ts';
import type { WorldFile } from '../src/dev/world-file.ts';
import { openControlApi } from '../test/chaos/discovery-supply.ts';
import { makeStateDir, removeStateDir } from '../test/support/drills/world.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { cpuMicros, machine } from './rounds.ts';

const PASSWORD = 'bench-of-connections';
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
  const db = openDatabase(file.databaseUrl, { poolSize: 2 });
  await measure(file, db);
  await db.destroy();
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

function ms(micros = Number.NaN): string {
  return micros.toFixed(0);
}

function part(seconds: readonly number[], share: number): string {
  return seconds.toSorted((a, b) => a - b)[Math.ceil(seconds.length * share) - 1]!.toFixed(1);
}

/** The file of all of them, once their hosts are up. */
async function makeHosts(file: WorldFile): Promise<string> {
  const control = openControlApi(file.sandbox);
  const rows: string[] = [];
  for (let host = 0; host < HOSTS; host += 1) {
    const domain = `bench${host}.test`;
    const name = `mail.${domain}`;
    const own = Math.ceil((MAILBOXES - host) / HOSTS);
    const addresses = Array.from({ length: own }, (_, n) => `m${n}@${domain}`);
    const mailboxes = addresses.map((address) => ({ address, password: PASSWORD }));
    await control('PUT', `/mail/elsewhere/${name}`, { domain, mailboxes });
    rows.push(...addresses.map((address) => `${address},${PASSWORD},${name},${name}`));
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
