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
  const { workflowService } = temporal.connection as import('@temporalio/client').Connection;
  const isThere = () =>
    workflowService.describeNamespace({ namespace }).then(
      () => true,
      (error: { code?: number }) => {
        if (error.code === NOT_FOUND) return false;
        throw error;
      },
    );
  if (await isThere()) return;
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
  // The server's hosts learn of it within some seconds.
  for (let tries = 0; tries < NAMESPACE_TRIES && !(await isThere()); tries += 1) {
    await sleep(NAMESPACE_WAIT_MS);
  }
}

/** Statuses of gRPC. */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
