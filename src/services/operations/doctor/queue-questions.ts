/** Whether the queues of vendors are as this build wants them: what waits at one that nobody asks gives up. */
import type { Connection } from '@temporalio/client';
import type { Context } from '../../../context.ts';
import {
  fine,
  type AccountAnswer,
  type AccountQuestion,
} from '../../../domain/operations/account-questions.ts';
import { vendorQueue } from '../../../domain/operations/queues.ts';
import type { Asked } from './questions.ts';

/** Temporal may stand elsewhere, or not be there yet: the doctor goes on without it. */
const DEADLINE_MS = 3_000;

/** `TASK_QUEUE_TYPE_ACTIVITY` of Temporal's API. */
const ACTIVITIES = 2;

const GUIDE = 'docs/deployment.md#limits-of-vendors';

type Installation = Pick<Context, 'temporal' | 'config' | 'registrars' | 'vps'>;

/** One question for each configured registrar and VPS vendor. */
export function queueQuestions(context: Installation): Asked {
  const vendors = Object.keys({ ...context.registrars, ...context.vps });
  let reached: Promise<boolean> | undefined;
  const questions = vendors.map((vendor): AccountQuestion => ({
    name: `queue of ${vendor}`,
    ask: async () => {
      // One that is away is waited for once, not by each question.
      reached ??= inTime(context, ({ workflowService }) => workflowService.getSystemInfo({})).then(
        () => true,
        () => false,
      );
      return (await reached) ? stateOf(context, vendorQueue(vendor)) : unreached(context);
    },
  }));
  return { vendor: 'temporal', questions };
}

const unreached = ({ config }: Installation): AccountAnswer => ({
  state: 'not_askable',
  found: `Temporal at ${config.TEMPORAL_ADDRESS} does not answer from here; nothing waits at this queue before it does`,
});

async function stateOf(context: Installation, name: string): Promise<AccountAnswer> {
  const parts = await partsOf(context, name);
  // A poll goes to one part: in several, some may have had none lately.
  const pollers = await Promise.all((parts ?? [name]).map((part) => pollersOf(context, part)));
  if (pollers.every((count) => count === 0)) {
    return {
      state: 'warning',
      found: `no worker has asked ${name} for the last minutes: orders would wait, and give up`,
      cure: `Start a worker of this release with the role \`vendors\` (${GUIDE}).`,
    };
  }
  if (parts !== undefined && parts.length > 1) {
    return {
      state: 'warning',
      found: `${name} is in ${parts.length} parts, each with its share of the limit: at the limit some orders wait long`,
      cure: `Have Temporal keep it in one part, by the steps of ${GUIDE}.`,
    };
  }
  const inOne = parts === undefined ? 'the server does not tell its parts' : 'it is in one part';
  return fine(`workers ask ${name}, and ${inOne}`);
}

/** Names of the parts; undefined where the server does not tell. */
const partsOf = (context: Installation, name: string): Promise<string[] | undefined> =>
  inTime(context, async ({ workflowService }) => {
    const namespace = context.config.TEMPORAL_NAMESPACE;
    const listed = await workflowService.listTaskQueuePartitions({
      namespace,
      taskQueue: { name },
    });
    return listed.activityTaskQueuePartitions.map(({ key }) => key ?? name);
  }).catch(() => undefined);

const pollersOf = (context: Installation, name: string): Promise<number> =>
  inTime(context, async ({ workflowService }) => {
    const namespace = context.config.TEMPORAL_NAMESPACE;
    const asked = { namespace, taskQueue: { name }, taskQueueType: ACTIVITIES };
    return (await workflowService.describeTaskQueue(asked)).pollers.length;
  });

function inTime<T>(
  { temporal }: Installation,
  ask: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = temporal.connection as Connection;
  return connection.withDeadline(Date.now() + DEADLINE_MS, () => ask(connection));
}
