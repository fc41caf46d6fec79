/**
 * From an activity for each session to shards while work runs: a campaign that was begun before ends as it began, one
 * that is begun after goes to its shard, whose owners are killed.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { SHARDS } from '../../src/domain/shards/shards.ts';
import {
  runCampaignDrill,
  SEEDS_APART,
  type CampaignDrill,
  type CampaignDrillResult,
} from '../chaos/campaign-drill.ts';
import { nextOwner, ownerOf } from '../chaos/owner-changes.ts';
import type { Account } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { WORKERS, type Cluster } from './world.ts';

/** What an installation of before has. */
export const FORMER = { SHARDED_SESSIONS: 'false' };

const POLL_MS = 500;

export interface Sent {
  drill: CampaignDrill;
  result: CampaignDrillResult;
}

/** One campaign at once, and another of the same size as soon as `isNext`; resolves when both have ended. */
export async function runBoth(
  world: SharedWorld,
  account: Account,
  { drill, isNext }: { drill: CampaignDrill; isNext: () => boolean },
): Promise<Sent[]> {
  const half = { ...drill, recipients: Math.ceil(drill.recipients / 2) };
  const later = {
    ...half,
    seed: drill.seed + SEEDS_APART,
    report: (line: string) => drill.report(`next campaign: ${line}`),
  };
  const run = async (one: CampaignDrill): Promise<Sent> => ({
    drill: one,
    result: await runCampaignDrill(world, account, one),
  });
  const runLater = async () => {
    while (!isNext()) await sleep(POLL_MS);
    return run(later);
  };
  return Promise.all([run(half), runLater()]);
}

/** The first campaign must have had an activity for its sessions to its end, the next one none. */
export async function sessionProblems(
  world: SharedWorld,
  [first, next]: readonly Sent[],
): Promise<string[]> {
  const problems: string[] = [];
  const expected = [
    { sent: first!, has: 'sendCampaignRound', hasNot: 'handOverToShard' },
    { sent: next!, has: 'handOverToShard', hasNot: 'sendCampaignRound' },
  ];
  for (const { sent, has, hasNot } of expected) {
    const { campaignId } = sent.result;
    const names = await activitiesOf(world, campaignId);
    if (!names.has(has)) problems.push(`campaign ${campaignId} has no activity ${has}`);
    if (names.has(hasNot)) problems.push(`campaign ${campaignId} has the activity ${hasNot}`);
  }
  return problems;
}

async function activitiesOf({ db, temporal }: SharedWorld, campaignId: number) {
  const row = await db
    .selectFrom('operations')
    .select(['workflow_id', 'run_key'])
    .where('resource_type', '=', 'campaign')
    .where('resource_id', '=', campaignId)
    .executeTakeFirstOrThrow();
  const history = await temporal.workflow.getHandle(workflowIdOf(row)).fetchHistory();
  const { events } = JSON.parse(historyToJSON(history)) as { events: HistoryEvent[] };
  return new Set(
    events.flatMap(({ activityTaskScheduledEventAttributes: one }) => one?.activityType.name ?? []),
  );
}

interface HistoryEvent {
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
}

/**
 * kill -9 of the worker that has the newest campaign's shard, and of the next one as it takes it; both come back. Answers
 * who was killed: nobody while no campaign is in a shard.
 */
export async function killShardOwners(
  cluster: Cluster,
  folderOf: (name: string) => string | undefined,
): Promise<string[]> {
  const { world, fleet } = cluster;
  const shard = await shardOfNewest(world);
  if (shard === undefined) return [];
  const names = new Map(WORKERS.map((name) => [`${fleet.pid(name)}@${hostname()}`, name]));
  const nameOf = (process: string | null) => {
    const found = names.get(process ?? '');
    if (found === undefined) throw new Error(`${process} has shard ${shard}, and is no worker`);
    return found;
  };
  const { owner, process } = await ownerOf(world.db, shard);
  // While a worker is replaced, nobody may have it.
  if (owner === null) return [];
  const first = nameOf(process);
  await fleet.kill(first);
  const next = nameOf(await nextOwner(world.db, shard, owner));
  await fleet.kill(next);
  const killed = [first, next];
  await Promise.all(killed.map((name) => fleet.start(cluster.spec(name, folderOf(name)))));
  return killed;
}

/** Of the newest campaign whose sessions are its shard's. */
async function shardOfNewest({ db }: SharedWorld): Promise<number | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .innerJoin('shard_jobs', (join) =>
      join
        .onRef('shard_jobs.resource_id', '=', 'campaigns.id')
        .on('shard_jobs.resource_type', '=', 'campaign'),
    )
    .select('campaigns.id')
    .where('campaigns.status', '=', 'active')
    .orderBy('campaigns.id', 'desc')
    .executeTakeFirst();
  return row && row.id % SHARDS;
}
