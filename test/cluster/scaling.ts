/** Workers that are added and taken away while campaigns send, and the checks afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { campaignProblems } from '../chaos/campaign-books.ts';
import {
  runCampaignDrill,
  SEEDS_APART,
  type CampaignDrill,
  type CampaignDrillResult,
} from '../chaos/campaign-drill.ts';
import { fundedAccount } from '../e2e/account.ts';
import { MORE_WORKERS, type Cluster } from './world.ts';

export interface Scaling {
  campaigns: number;
  /** Of all campaigns together. */
  recipients: number;
  /** Of each campaign. */
  mailboxes: number;
  seed: number;
  report: (line: string) => void;
}

/** A domain and a server for each campaign. */
const FUNDS_CENTS = 5_000;
const POLL_MS = 250;
/** Leases are renewed every 4 s; those of a worker that has gone are free at once. */
const SHARES_MS = 30_000;
const TWICE = /got \d+ messages/;
const LOST = /got nothing|was never written to|is open/;

/** Runs all of it: one worker, four from a third of the messages on, another one alone from two thirds on. */
export async function scale(
  cluster: Cluster,
  scaling: Scaling,
): Promise<{ problems: string[]; summary: string }> {
  const { world } = cluster;
  const { campaigns, report } = scaling;
  const drills: CampaignDrill[] = Array.from({ length: campaigns }, (_, n) => ({
    recipients: Math.ceil(scaling.recipients / campaigns),
    mailboxes: scaling.mailboxes,
    kills: 0,
    seed: scaling.seed * SEEDS_APART + n,
    report: (line) => report(`campaign ${n + 1}: ${line}`),
  }));
  const account = await fundedAccount(world, 'scale', campaigns * FUNDS_CENTS);
  let isOver = false;
  const work = Promise.all(drills.map((drill) => runCampaignDrill(world, account, drill))).finally(
    () => (isOver = true),
  );
  const all = drills.reduce((sum, { recipients }) => sum + recipients, 0);
  const [sent, scaled] = await Promise.all([
    work,
    scaleWorkers(cluster, { all, report, isOver: () => isOver }),
  ]);
  report('all is sent; now the books');
  const messages: string[] = [];
  for (const [n, drill] of drills.entries()) {
    messages.push(...(await campaignProblems(world, drill, sent[n]!)));
  }
  const ends = endsOf(sent);
  const problems = [...messages, ...scaled.problems, ...uncertain(ends), ...cluster.fleet.deaths];
  const count = (kind: RegExp) => messages.filter((line) => kind.test(line)).length;
  const summary = [
    `${all} messages (${JSON.stringify(ends)})`,
    `out at each step: ${scaled.steps.join(', ')}`,
    `workers gone after ${scaled.seconds.map((one) => `${one.toFixed(1)} s`).join(', ')}`,
    `${count(LOST)} lost, ${count(TWICE)} twice`,
    `${problems.length} problems in all`,
  ].join('; ');
  return { problems, summary };
}

interface Scaled {
  /** What had been sent when the number of workers that have shards changed. */
  steps: string[];
  /** Until each worker that was asked to end had ended. */
  seconds: number[];
  problems: string[];
}

async function scaleWorkers(
  cluster: Cluster,
  { all, report, isOver }: { all: number; report: Scaling['report']; isOver: () => boolean },
): Promise<Scaled> {
  const { fleet } = cluster;
  const scaled: Scaled = { steps: [], seconds: [], problems: [] };
  const until = async (part: number) => {
    while (!isOver() && (await sentOf(cluster)) < part * all) await sleep(POLL_MS);
  };
  const note = async (workers: number) => {
    const deadline = Date.now() + SHARES_MS;
    while ((await ownersOf(cluster)) !== workers && Date.now() < deadline) await sleep(POLL_MS);
    const owners = await ownersOf(cluster);
    if (owners !== workers) scaled.problems.push(`${owners} of ${workers} workers have shards`);
    const sent = await sentOf(cluster);
    scaled.steps.push(`${sent} with ${owners}`);
    report(`${owners} workers have shards, ${sent} of ${all} messages are out`);
    if (isOver()) scaled.problems.push(`all was sent before ${workers} workers had shards`);
  };
  const [first, ...added] = MORE_WORKERS as [string, ...string[]];
  const last = added.pop()!;
  await until(1 / 3);
  await Promise.all([...added, last].map((name) => fleet.start(cluster.spec(name))));
  await note(MORE_WORKERS.length);
  await until(2 / 3);
  // All at once, the first one among them.
  const ended = await Promise.allSettled([first, ...added].map((name) => fleet.end(name)));
  for (const one of ended) {
    if (one.status === 'fulfilled') scaled.seconds.push(one.value);
    else scaled.problems.push(String(one.reason));
  }
  await note(1);
  return scaled;
}

async function sentOf({ world }: Cluster): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sends where state = 'sent'`.execute(world.db);
  return rows[0]!.count;
}

async function ownersOf({ world }: Cluster): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct owner)::int as count from shards
    where leased_until > clock_timestamp()`.execute(world.db);
  return rows[0]!.count;
}

function endsOf(sent: readonly CampaignDrillResult[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { ends } of sent) {
    for (const [end, count] of Object.entries(ends)) sum[end] = (sum[end] ?? 0) + count;
  }
  return sum;
}

/** A worker that is asked to end waits for the result of what it sends. */
const uncertain = (ends: Record<string, number>): string[] =>
  Object.entries(ends)
    .filter(([end]) => end.includes('uncertain'))
    .map(([end, count]) => `${count} recipients are ${end}, though no process was killed`);
