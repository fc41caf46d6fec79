/** The namespace of test mode: looked for, and made in development. */
import { setTimeout as sleep } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { Context } from '../context.ts';

/** How long the namespace keeps runs that have ended: as long as Temporal's own default for new ones. */
const RETENTION_MS = 72 * 3_600_000;
const NAMESPACE_WAIT_MS = 500;
const NAMESPACE_TRIES = 60;

/**
 * Test mode has a namespace of its own (choice 111). In development it is made, in production the error says what
 * to run, as for search attributes.
 */
export async function ensureTestNamespace({ temporal, config }: Context): Promise<void> {
  if (config.OUTREACH_MODE === 'live') return;
  const namespace = config.TEMPORAL_NAMESPACE;
  const { workflowService, operatorService } =
    temporal.connection as import('@temporalio/client').Connection;
  const isThere = () => isFound(workflowService.describeNamespace({ namespace }));
  // Answered from a cache of the server's, which learns of a namespace some seconds after its store.
  const isKnown = () => isFound(operatorService.listSearchAttributes({ namespace }));
  if (!(await isThere())) await makeNamespace({ temporal, config });
  for (let tries = 0; tries < NAMESPACE_TRIES; tries += 1) {
    if ((await isThere()) && (await isKnown())) return;
    await sleep(NAMESPACE_WAIT_MS);
  }
}

async function makeNamespace({ temporal, config }: Pick<Context, 'temporal' | 'config'>) {
  const namespace = config.TEMPORAL_NAMESPACE;
  const { workflowService } = temporal.connection as import('@temporalio/client').Connection;
  if (config.OUTREACH_ENV === 'production') {
    throw new Error(
      `The namespace of test mode is missing. Run: temporal operator namespace create --namespace ${namespace}`,
    );
  }
  const workflowExecutionRetentionPeriod = msToTs(RETENTION_MS);
  await workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod })
    .catch((error: { code?: number }) => {
      if (error.code !== ALREADY_EXISTS) throw error;
    });
}

const isFound = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: { code?: number }) => {
      if (error.code === NOT_FOUND) return false;
      throw error;
    },
  );

/** Statuses of gRPC. */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
