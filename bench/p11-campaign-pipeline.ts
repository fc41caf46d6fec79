/**
 * P11: messages per second of a campaign's round (claim, render, MIME, TLS and SMTP, outcome rows,
 * counters, events) / the same messages, rendered before, through a nodemailer pool per mailbox. Both
 * to the same sink in another process, in turns; Postgres syncs to the disk. With `--listmonk FOLDER`
 * (LISTMONK below) also by listmonk, in the same turns.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import { runSendingSession } from '../activities/campaigns/sending-session.ts';
import type { Database } from '../src/db/tables.ts';
import { createMailTransport } from '../src/providers/mail-transport/index.ts';
import { addCampaign, addMailboxes, addSender } from '../test/support/campaigns/campaign-world.ts';
import { trustAuthority } from '../test/support/run/trust.ts';
import { count, countOrNone } from '../test/support/tools/whole-number.ts';
import { startListmonk, type Listmonk } from './baselines/listmonk.ts';
import { sendByPools } from './baselines/nodemailer-pool.ts';
import { bench, optionsOf } from './command.ts';
import { renderedMessages } from './p11-messages.ts';
import { cpuMicros, machine, median, postgresCpuMicros } from './rounds.ts';
import { cipher, sessionTools, withDatabase } from './sending-world.ts';

const GOAL = 0.9;
const MAILBOXES = 10;
const HOST = 'mail.bench.test';
const times = (text: string) => text.split(',').map(countOrNone);
const options = optionsOf<{
  rounds: number;
  messages: number;
  store: number[];
  listmonk?: string;
  only?: 'ours' | 'pool';
}>(
  bench('p11', 'Messages/s of a campaign / through a nodemailer pool alone.')
    .option('--rounds <n>', 'of each, in turns', count, 5)
    .option('--messages <n>', 'of a round', count, 3_000)
    .option('--store <ms,...>', 'what the server needs to store a message, in turn', times, [0, 10])
    .option('--listmonk <folder>', 'a build of listmonk 1.1.0, measured as well')
    .addOption(new Option('--only <way>', 'one of them, for a profile').choices(['ours', 'pool'])),
);
const { rounds: ROUNDS, messages: MESSAGES } = options;
const BODY = `Hi {{firstName|there}},

{I saw|I have just seen} what {{company|your company}} does{ in {{city}}|}. We help teams like yours
to answer the mail of their customers on the same day, without another tool to learn.

Would a call of fifteen minutes next week suit you? https://example.com/how-it-works says more.

Best,
{{senderName}}`;

/** How to make the folder; Go keeps a module's source under `go env GOMODCACHE`. */
const LISTMONK = `go mod download github.com/knadh/listmonk@v1.1.0, copy that folder, make it writable,
    in it: go build -o listmonk ./cmd; then --listmonk FOLDER`;

interface Sink {
  proxy: string;
  port: number;
  /** Without TLS. */
  plainPort: number;
  /** Messages since the last reset, and the time from the first to the last of them. */
  messages(forget: boolean): Promise<{ messages: number; ms: number }>;
}

for (const storeMs of options.store) await measure(storeMs);
if (!options.listmonk) console.log(`    listmonk: not run. ${LISTMONK}`);
console.log(`    ${await machine()}`);

async function measure(storeMs: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'outreach-sink-'));
  const child = fork(new URL('p11-sink.ts', import.meta.url), [directory, String(storeMs)], {
    execArgv: ['--import', 'tsx'],
  });
  const [{ caFile, ...ports }] = await once(child, 'message');
  trustAuthority(caFile);
  const sink: Sink = {
    ...ports,
    async messages(forget) {
      child.send({ forget });
      const [answer] = await once(child, 'message');
      return answer;
    },
  };
  try {
    await withDatabase(async (db, ownerUrl, postgresPid) => {
      const peer = options.listmonk ? await listmonk(options.listmonk, ownerUrl, sink) : undefined;
      try {
        await compare({ db, postgresPid, peer }, sink, storeMs);
      } finally {
        await peer?.close();
      }
    });
  } finally {
    child.disconnect();
    rmSync(directory, { recursive: true, force: true });
  }
}

type Way = 'ours' | 'pool' | 'listmonk';

interface Sides {
  db: Kysely<Database>;
  postgresPid: number;
  peer: Listmonk | undefined;
}

async function compare(
  { db, postgresPid, peer }: Sides,
  sink: Sink,
  storeMs: number,
): Promise<void> {
  const took: Record<Way, number[]> = { ours: [], pool: [], listmonk: [] };
  const cpu: Record<Way, number[]> = { ours: [], pool: [], listmonk: [] };
  const postgresCpu: number[] = [];
  const all: Way[] = peer ? ['ours', 'pool', 'listmonk'] : ['ours', 'pool'];
  const names = all.filter((name) => name === (options.only ?? name));
  for (let round = -1; round < ROUNDS; round += 1) {
    const campaignId = await newCampaign(db);
    const messages = renderedMessages({ body: BODY, count: MESSAGES, mailboxes: MAILBOXES });
    const ways: Record<Way, () => Promise<unknown>> = {
      ours: () => ours(db, campaignId, sink),
      pool: () => sendByPools(messages, { host: HOST, port: sink.port }),
      listmonk: () => sendByListmonk(peer!, sink),
    };
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const before = await cpuMicros(process.pid);
      const postgresBefore = await postgresCpuMicros(postgresPid);
      const start = performance.now();
      await ways[name]();
      const ms = performance.now() - start;
      const taken = await sink.messages(true);
      const wanted = name === 'listmonk' ? MESSAGES + 1 : MESSAGES;
      if (taken.messages !== wanted) throw new Error(`${name}: ${taken.messages} messages arrived`);
      if (round < 0) continue;
      // listmonk begins within five seconds: that is not counted.
      took[name].push(name === 'listmonk' ? taken.ms : ms);
      cpu[name].push(((await cpuMicros(process.pid)) - before) / MESSAGES);
      if (name !== 'ours') continue;
      postgresCpu.push(((await postgresCpuMicros(postgresPid)) - postgresBefore) / MESSAGES);
    }
  }
  report(took, { ...cpu, postgres: postgresCpu }, storeMs);
}

function report(
  took: Record<Way, number[]>,
  cpu: Record<Way | 'postgres', number[]>,
  storeMs: number,
): void {
  const perSecond = (all: number[]) => Math.round((MESSAGES / median(all)) * 1_000);
  const micros = (all: number[]) => `${(median(all) ?? Number.NaN).toFixed(0)} us`;
  const ratios = took.ours.map((ms, round) => took.pool[round]! / ms);
  const worst = Math.min(...ratios).toFixed(2);
  if (!options.only) {
    console.log(
      `P11 ratio=${median(ratios).toFixed(2)} worst=${worst} goal=>=${GOAL} (sink stores in ${storeMs} ms)`,
    );
  }
  console.log(
    `    ours ${perSecond(took.ours)} messages/s, ${micros(cpu.ours)} CPU each and ` +
      `${micros(cpu.postgres)} in Postgres; pool ${perSecond(took.pool)} messages/s, ${micros(cpu.pool)}`,
  );
  if (took.listmonk.length === 0) return;
  const toPeer = median(took.ours.map((ms, round) => took.listmonk[round]! / ms));
  console.log(
    `P11 listmonk ratio=${toPeer.toFixed(2)} (reported): ${perSecond(took.listmonk)} messages/s, without TLS`,
  );
}

async function listmonk(folder: string, ownerUrl: string, sink: Sink): Promise<Listmonk> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('create database listmonk');
  await client.end();
  const url = new URL(ownerUrl);
  url.pathname = '/listmonk';
  return startListmonk({
    folder,
    databaseUrl: url.href,
    smtpPort: sink.plainPort,
    connections: MAILBOXES,
    messages: MESSAGES,
    body: BODY.replaceAll(/\{\{\w+(\|[^}]*)?\}\}/g, '{{ .Subscriber.Name }}').replaceAll(
      '\n',
      '<br>',
    ),
  });
}

async function sendByListmonk(peer: Listmonk, sink: Sink): Promise<void> {
  await peer.start();
  // One more goes to its administrator.
  while ((await sink.messages(false)).messages < MESSAGES + 1) await sleep(100);
}

async function newCampaign(db: Kysely<Database>): Promise<number> {
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: MAILBOXES });
  const { campaignId } = await addCampaign(db, userId, { leads: MESSAGES, mailboxIds });
  await db
    .updateTable('campaign_steps')
    .set({ body_template: BODY })
    .where('campaign_id', '=', campaignId)
    .execute();
  await sql`update servers set host_name = ${HOST}`.execute(db);
  await sql`analyze`.execute(db);
  return campaignId;
}

async function ours(db: Kysely<Database>, campaignId: number, sink: Sink): Promise<void> {
  const dns = { resolveA: () => Promise.resolve(['192.0.2.1']) };
  const transport = createMailTransport({ dns, outboundProxy: sink.proxy, timeoutMs: 10_000 });
  const round = await runSendingSession(sessionTools(db, transport), campaignId);
  if (!round.isDone) throw new Error(`the round ended with ${JSON.stringify(round)}`);
}
