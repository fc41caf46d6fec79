/**
 * The drills of provisioning and of a campaign on a cluster that is replaced meanwhile, and the checks
 * afterwards.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { campaignProblems } from '../chaos/campaign-books.ts';
import { runCampaignDrill } from '../chaos/campaign-drill.ts';
import { findViolations, type Violations } from '../chaos/provisioning-books.ts';
import { runProvisioningDrill, type ProvisioningDrillResult } from '../chaos/provisioning-drill.ts';
import { eventually, fundedAccount } from '../e2e/account.ts';
import { startClients } from './clients.ts';
import { runBoth, sessionProblems, type Sent } from './former-sessions.ts';
import { readHistories, type HistoryBooks } from './histories.ts';
import { rampUp, RAMP_REPLACEMENTS } from './ramp.ts';
import { isSending, replaceAll, REPLACEMENTS, type RollingResult } from './rolling.ts';
import { APIS, WORKERS, type Cluster } from './world.ts';

export interface Rehearsal {
  clusters: number;
  recipients: number;
  mailboxes: number;
  seed: number;
  /** Sources of the next version of the workers. */
  nextVersion: string;
  report: (line: string) => void;
}

/** A domain and a server for each of both campaigns. */
const CAMPAIGN_FUNDS_CENTS = 10_000;
/** Characters of a line of log. */
const MAX_NOTE = 1_500;
const TWICE = /got \d+ messages/;

/** Runs all of it and checks all records; rejects when the work itself does not end. */
export async function rehearse(
  cluster: Cluster,
  rehearsal: Rehearsal,
): Promise<{ problems: string[]; summary: string }> {
  const { world } = cluster;
  const drill = { ...rehearsal, kills: 0 };
  const account = await fundedAccount(world, 'rehearsal', CAMPAIGN_FUNDS_CENTS);
  const clients = startClients(world);
  let isOver = false;
  let replacements = 0;
  const fresh = new Set<string>();
  const inAll = cluster.builds ? RAMP_REPLACEMENTS : REPLACEMENTS;
  // A campaign is begun by an API: the next one is when none of the former settings is left.
  const areApisFresh = () => isOver || APIS.every((name) => fresh.has(name));
  const campaigns = cluster.builds
    ? runCampaignDrill(world, account, drill).then((result): Sent[] => [{ drill, result }])
    : runBoth(world, account, { drill, isNext: areApisFresh });
  const provisioning = Promise.race([campaignRuns(cluster), campaigns]).then(() =>
    // Orders come with every replacement: each version has to meet some that the other began.
    runProvisioningDrill(world, {
      ...drill,
      mayOrder: (n) => isOver || n < ((replacements + 1) / inAll) * drill.clusters,
    }),
  );
  const work = Promise.all([provisioning, campaigns]).finally(() => (isOver = true));
  const replace = cluster.builds ? rampUp : replaceAll;
  const rolling = replace(cluster, {
    ...rehearsal,
    isOver: () => isOver,
    replaced: (name) => {
      replacements += 1;
      fresh.add(name);
    },
  });
  const [[provisioned, sent], replaced] = await Promise.all([work, rolling]);
  rehearsal.report('the work is over; now the books');

  const asked = await clients.end();
  const violations = await findViolations(world, provisioned);
  const messages: string[] = [];
  for (const one of sent) messages.push(...(await campaignProblems(world, one.drill, one.result)));
  const histories = await readHistories(world, cluster.logsDir);
  const requests = await explained(cluster);
  const problems = [
    ...requests.failures,
    ...Object.entries(violations).flatMap(([kind, lines]) =>
      lines.map((line: string) => `${kind}: ${line}`),
    ),
    ...asked.map((line) => `clients: ${line}`),
    ...messages.map((line) => `messages: ${line}`),
    ...histories.failures.map((line) => `workflow task: ${line}`),
    ...(cluster.builds
      ? buildProblems(histories)
      : [...patchProblems(histories), ...(await sessionProblems(world, sent))]),
    ...(cluster.builds || replaced.killed.length > 0 ? [] : ['no owner of a shard was killed']),
    ...restartProblems(replaced),
    ...cluster.fleet.deaths,
  ];
  const books = { provisioned, sent, replaced, violations, messages, histories, requests };
  const count = problems.filter((line) => !line.startsWith('  ')).length;
  return { problems, summary: `${summaryOf(cluster, books)}, ${count} problems in all` };
}

/** The drill orders names whose vendor fails: it is told so by 502, and asks again. That is no fault of ours. */
const VENDOR_FAILED = /: (?:namecom|porkbun): [^"]* answered (?:429|5\d\d)/;

/** Each failed request, with what the APIs wrote down about it, but for those that only tell of a vendor. */
async function explained({ balancer, logsDir }: Cluster): Promise<{
  failures: string[];
  ofVendors: number;
}> {
  const logs = await Promise.all(
    APIS.map((name) => readFile(join(logsDir, `${name}.log`), 'utf8').catch(() => '')),
  );
  const lines = logs.flatMap((text) => text.split('\n'));
  const failures: string[] = [];
  let ofVendors = 0;
  for (const failure of balancer.failures) {
    const id = /"requestId":"([^"]+)"/.exec(failure)?.[1];
    const noted = id === undefined ? [] : lines.filter((line) => line.includes(id));
    if (failure.includes(': 502 ') && noted.some((line) => VENDOR_FAILED.test(line))) {
      ofVendors += 1;
      continue;
    }
    failures.push(`failed request: ${failure}`);
    failures.push(...noted.map((line) => `  ${line.slice(0, MAX_NOTE)}`));
  }
  return { failures, ofVendors };
}

interface Books {
  provisioned: ProvisioningDrillResult;
  sent: Sent[];
  replaced: RollingResult;
  violations: Violations;
  messages: string[];
  histories: HistoryBooks;
  requests: { failures: string[]; ofVendors: number };
}

/** What was done, then the counts that must be zero. */
function summaryOf({ balancer, builds }: Cluster, books: Books): string {
  const { provisioned, sent, replaced, violations, messages, histories, requests } = books;
  const { patched, takenOver, unpatched, byBuild, mixed } = histories;
  const versions = builds
    ? `${JSON.stringify(byBuild)} provisionings by build (${mixed.length} by both)`
    : `${patched} provisionings with the patch (${takenOver} taken over), ${unpatched} without`;
  const ends = sent.map(({ result }) => JSON.stringify(result.ends));
  const written = sent
    .flatMap(({ result }) => Object.values(result.ends))
    .reduce((sum, count) => sum + count, 0);
  return [
    `${provisioned.orders.length} clusters, ${written} messages (${ends.join(' and ')})`,
    `${replaced.replaced} restarts, ${replaced.killed.length} owners of a shard killed`,
    `${balancer.counts.requests} requests (${balancer.counts.retries} sent again)`,
    versions,
    `${requests.ofVendors} told that a vendor fails`,
    `${provisioned.seconds} s; ${balancer.failures.length - requests.ofVendors} failed requests`,
    `${violations.doublePurchases.length} double purchases`,
    `${violations.orphanServers.length} orphan servers`,
    `${violations.lostCents.length} lost cents`,
    `${violations.stuck.length} stuck`,
    `${messages.filter((line) => TWICE.test(line)).length} messages twice`,
    `${histories.failures.length} workflow tasks failed`,
  ].join(', ');
}

/** Replacements must meet both kinds of work: preparing a campaign takes a minute. */
async function campaignRuns({ world }: Cluster): Promise<void> {
  await eventually('the campaign', async () => (await isSending(world)) || undefined, 600_000);
}

/** Each process has to be replaced at least once while there is work. */
function restartProblems({ underWork, faults }: RollingResult): string[] {
  const idle = [...APIS, ...WORKERS].filter((name) => !underWork.has(name));
  return [
    ...faults,
    ...idle.map((name) => `${name} was not replaced under work: ask for more of it`),
  ];
}

/** Each build must have had its own, or nothing is proven. */
function buildProblems({ byBuild, mixed }: HistoryBooks): string[] {
  const problems = mixed.map((id) => `${id} was begun by one build and ended by another`);
  for (const build of ['first', 'next']) {
    if (!byBuild[build]) problems.push(`no provisioning was the ${build} build's`);
  }
  return problems;
}

/** Both paths must have been taken, or nothing is proven. */
function patchProblems({ patched, unpatched }: { patched: number; unpatched: number }): string[] {
  const problems: string[] = [];
  if (patched === 0) problems.push('no provisioning went the way of the next version');
  if (unpatched === 0) problems.push('no provisioning ended without the next version');
  return problems;
}
