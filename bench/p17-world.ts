/** The world of P17 as its accounts see it, and how long what they order waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../src/db/operations/operations.ts';
import { workflowIdOf } from '../src/domain/operations/run-keys.ts';
import * as table from '../src/dev/processes/processes.ts';
import { openControlApi } from '../test/chaos/discovery-supply.ts';
import { fundedAccount, newDomain, type Account } from '../test/e2e/account.ts';
import type { SharedWorld } from '../test/e2e/shared-world.ts';
import { begunActivities, firstActivity, partsOf, type Parts } from './p17-histories.ts';
import type { ScaledWorld } from './scaled-world.ts';

/** More than a cluster costs here. */
const CLUSTER_CENTS = 5_000;
const GIVE_UP_MS = 180_000;
const PAUSE_MS = 300;

/** What accounts need of a world. */
function sharedOf({ settings, context }: ScaledWorld): SharedWorld {
  const file = {
    api: table.urls.api(settings),
    sandbox: table.urls.sandbox(settings),
    jwtSecret: settings.secrets.jwtSecret,
  };
  const control = openControlApi(file.sandbox);
  const shared = { file, control, db: context.db, secrets: new Set<string>() };
  return shared as unknown as SharedWorld;
}

export const openFunded = (world: ScaledWorld, name: string, clusters: number): Promise<Account> =>
  fundedAccount(sharedOf(world), name, CLUSTER_CENTS * Math.max(1, clusters));

/** Whom a discovery asks. */
const ASKED = ['meta', 'apify', 'sites', 'hunter', 'apollo', 'reacher', 'zerobounce'] as const;

/**
 * From now on all of them answer after so many milliseconds, as services on the net do. Stand-ins that answer at once make
 * of work that mostly waits work that computes.
 */
export async function slowDown({ settings }: ScaledWorld, delayMs: number): Promise<void> {
  if (delayMs === 0) return;
  const control = openControlApi(table.urls.sandbox(settings));
  for (const vendor of ASKED) await control('POST', '/faults', { vendor, kind: 'slow', delayMs });
}

export interface DiscoveryWaits {
  /** Milliseconds from each POST to the first activity. */
  first: number[];
  /** What that went into, of each whose first activity has begun. */
  parts: Parts[];
}

/** One discovery after the other. */
export async function discoveryWaits(
  { context }: ScaledWorld,
  account: Account,
  samples: number,
): Promise<DiscoveryWaits> {
  const waits: DiscoveryWaits = { first: [], parts: [] };
  for (let n = 0; n < samples; n += 1) {
    const postedAt = Date.now();
    const body = { searchTerm: `nobody ${n}`, leadCount: 5, adReachedCountries: ['DE'] };
    const { id } = await account.api.leadProcesses.create({ body });
    const workflowId = await workflowOf(context, 'lead_process', id);
    const first = await firstActivity(context.temporal, workflowId, GIVE_UP_MS);
    waits.first.push(first ? first.startedAt - postedAt : GIVE_UP_MS);
    if (first) waits.parts.push(await partsOf(context.temporal, workflowId, postedAt));
    await sleep(PAUSE_MS);
  }
  return waits;
}

export interface ProvisioningWaits {
  /** Milliseconds from each POST to the first activity. */
  first: number[];
  /** Of all their activities in their queues. */
  queued: number[];
  /** From each POST until the cluster was active. */
  whole: number[];
}

/** Orders clusters one after the other, each when the one before is settled. */
export async function provisioningWaits(
  { context }: ScaledWorld,
  account: Account,
  samples: number,
): Promise<ProvisioningWaits> {
  const waits: ProvisioningWaits = { first: [], queued: [], whole: [] };
  for (let n = 0; n < samples; n += 1) {
    const postedAt = Date.now();
    const { id } = await account.order(newDomain('p17'));
    const { status } = await account.settled(id);
    if (status !== 'active') throw new Error(`cluster ${id} is ${status}`);
    waits.whole.push(Date.now() - postedAt);
    const workflowId = await workflowOf(context, 'cluster', id);
    const begun = await begunActivities(context.temporal, workflowId);
    waits.first.push(begun[0]!.startedAt - postedAt);
    waits.queued.push(...begun.map(({ startedAt, scheduledAt }) => startedAt - scheduledAt));
  }
  return waits;
}

async function workflowOf(
  { db }: ScaledWorld['context'],
  type: Operation['resource_type'],
  id: number,
): Promise<string> {
  const row = await db
    .selectFrom('operations')
    .select(['workflow_id', 'run_key'])
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  return workflowIdOf(row);
}
