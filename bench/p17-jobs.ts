/** Jobs of P17 that are ordered in this process as a route does it: the row, its intent, the workflow. */
import PQueue from 'p-queue';
import { startLeadProcess } from '../src/services/discovery/lead-processes.ts';
import { startBulkValidation } from '../src/services/email-validation/email-validation.ts';
import { firstActivity } from './p17-histories.ts';
import type { ScaledWorld } from './scaled-world.ts';

const GIVE_UP_MS = 120_000;

/** Orders discoveries; answers how many a second. Nobody may work on them meanwhile, so that they queue. */
export async function queueDiscoveries(
  { context }: ScaledWorld,
  { userId, searchTerm, count, atOnce }: Flood,
): Promise<number> {
  const order = { searchTerm, leadCount: 5, adReachedCountries: ['DE', 'US'] };
  const queue = new PQueue({ concurrency: atOnce });
  const begun = performance.now();
  for (let n = 0; n < count; n += 1) {
    void queue.add(() => startLeadProcess(context, userId, order));
  }
  await queue.onIdle();
  return (count * 1_000) / (performance.now() - begun);
}

export interface Flood {
  userId: string;
  searchTerm: string;
  count: number;
  /** Orders at the same time. */
  atOnce: number;
}

/** Of this account, those that have not ended. */
export async function unfinished({ context }: ScaledWorld, userId: string): Promise<number> {
  const { n } = await context.db
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Small validations; answers the seconds from the first order to the beginning of the last one's first activity. */
export async function startValidations(
  { context }: ScaledWorld,
  { userId, count, atOnce }: Omit<Flood, 'searchTerm'>,
): Promise<number> {
  const queue = new PQueue({ concurrency: atOnce });
  const begun = Date.now();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    void queue.add(async () => {
      const order = { emails: ['not an address'] };
      ids.push((await startBulkValidation(context, userId, order)).workflowId);
    });
  }
  await queue.onIdle();
  if (ids.length < count) throw new Error(`only ${ids.length} jobs were ordered`);
  const firsts = await Promise.all(
    ids.map((id) => queue.add(() => firstActivity(context.temporal, id, GIVE_UP_MS))),
  );
  const startedAt = firsts.map((first) => first?.startedAt ?? begun + GIVE_UP_MS);
  return (startedAt.reduce((latest, at) => Math.max(latest, at), 0) - begun) / 1_000;
}
