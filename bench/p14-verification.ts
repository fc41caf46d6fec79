/**
 * P14: e-mail addresses verified per second by the built-in probe / by one connection per address, in
 * turns, with the same number of connections to an exchanger and the same distance to it. The probe
 * shares its connection slots with other processes through Postgres, as in production.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { emailVerifiers } from '../src/providers/email-verifiers/index.ts';
import { CONNECTIONS_PER_PROVIDER } from '../src/providers/email-verifiers/smtp-queue.ts';
import { count, countOrNone } from '../test/support/tools/whole-number.ts';
import { createProbePlaces } from '../src/db/email-validation/probe-places.ts';
import { openDatabase } from '../src/db/database.ts';
import type { ProbePlaces } from '../src/domain/email-validation/probe-places.ts';
import { bench, optionsOf } from './command.ts';
import { verifyEach } from './baselines/smtp-verify-each.ts';
import { withPostgres } from './postgres.ts';
import { machine, median } from './rounds.ts';

const { rounds: ROUNDS, rtt: RTT } = optionsOf<{ rounds: number; rtt: number }>(
  bench('p14', 'Addresses verified per second / with one connection per address.')
    .option('--rounds <n>', 'of each, in turns', count, 5)
    .option(
      '--rtt <n>',
      'milliseconds to the exchangers; 30 is within a continent',
      countOrNone,
      30,
    ),
);
const EXCHANGERS = 6;
const DOMAINS_PER_EXCHANGER = 5;
const ADDRESSES_PER_DOMAIN = 20;

const kinds = [
  { name: 'with PIPELINING', net: 0, goal: 10 },
  { name: 'without PIPELINING', net: 1, goal: 3 },
] as const;
type Kind = (typeof kinds)[number];

const child = fork(new URL('p14-exchangers.ts', import.meta.url), [String(RTT)], {
  execArgv: ['--import', 'tsx'],
});
const [{ port }] = (await once(child, 'message')) as [{ port: number }];
try {
  await withPostgres(async ({ appUrl }) => {
    const db = openDatabase(appUrl, { poolSize: 10, onConnectionLost: () => undefined });
    for (const kind of kinds) await measure(kind, createProbePlaces(db));
    await db.destroy();
  });
  process.stdout.write(`    ${RTT} ms round trip; ${await machine()}\n`);
} finally {
  child.disconnect();
}

/** Every third mailbox does not exist. */
function addressesOf(): string[] {
  const emails: string[] = [];
  for (let domain = 0; domain < EXCHANGERS * DOMAINS_PER_EXCHANGER; domain += 1) {
    for (let n = 0; n < ADDRESSES_PER_DOMAIN; n += 1) {
      emails.push(`${n % 3 === 0 ? 'gone' : 'user'}${n}@d${domain}.bench`);
    }
  }
  return emails;
}

function exchangerOf(domain: string): number {
  return Number(domain.slice(1).split('.')[0]) % EXCHANGERS;
}

async function ours(
  { net }: Kind,
  emails: readonly string[],
  probePlaces: ProbePlaces,
): Promise<Map<string, boolean>> {
  const state = emailVerifiers.smtp_probe.configure({
    SMTP_PROBE_FROM: 'verify@bench.test',
    SMTP_PROBE_HELO: 'verify.bench.test',
  });
  if (state.state !== 'on') throw new Error('not configured');
  // A new one each time: nothing is cached about a domain.
  const probe = state.create({
    timeoutMs: 5_000,
    outboundProxy: `socks5://127.0.0.1:${port}`,
    allowBenchmarkRange: true,
    probePlaces,
    dns: {
      resolveMx: async (name) => [{ exchange: `mx${exchangerOf(name)}.bench`, priority: 10 }],
      resolveA: async (name) => [`198.18.${net}.${Number(/\d+/.exec(name)![0]) + 1}`],
    },
  });
  const results = new Map<string, boolean>();
  await probe.verify(emails, {
    onResult: ({ email, verdict }) => void results.set(email, verdict.status === 'valid'),
  });
  return results;
}

function theirs({ net }: Kind, emails: readonly string[]): Promise<Map<string, boolean>> {
  return verifyEach(emails, {
    proxy: { host: '127.0.0.1', port },
    addressOf: (domain) => `198.18.${net}.${exchangerOf(domain) + 1}`,
    perExchanger: CONNECTIONS_PER_PROVIDER,
  });
}

interface Round {
  ratio: number;
  perSecond: { ours: number; theirs: number };
  cpuMicros: { ours: number; theirs: number };
}

async function measure(kind: Kind, places: ProbePlaces): Promise<void> {
  const emails = addressesOf();
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const b = await timed(() => theirs(kind, emails), emails);
    const a = await timed(() => ours(kind, emails, places), emails);
    rounds.push({
      ratio: a.perSecond / b.perSecond,
      perSecond: { ours: a.perSecond, theirs: b.perSecond },
      cpuMicros: { ours: a.cpuMicros, theirs: b.cpuMicros },
    });
  }
  const ratios = rounds.map(({ ratio }) => ratio);
  const middle = (of: 'perSecond' | 'cpuMicros', who: 'ours' | 'theirs') =>
    median(rounds.map((round) => round[of][who])).toFixed(0);
  process.stdout.write(
    `P14 ${kind.name} ratio=${median(ratios).toFixed(1)} worst=${Math.min(...ratios).toFixed(1)} ` +
      `goal=>=${kind.goal}\n` +
      `    addresses/s ${middle('perSecond', 'ours')} / ${middle('perSecond', 'theirs')}, ` +
      `CPU us per address ${middle('cpuMicros', 'ours')} / ${middle('cpuMicros', 'theirs')}, ` +
      `${ROUNDS} rounds of ${emails.length} addresses, all told right\n`,
  );
}

/** A wrong answer ends the bench. */
async function timed(work: () => Promise<Map<string, boolean>>, emails: readonly string[]) {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const results = await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  for (const email of emails) {
    if (results.get(email) !== email.startsWith('user')) throw new Error(`${email} is told wrong`);
  }
  return { perSecond: emails.length / seconds, cpuMicros: (user + system) / emails.length };
}
