/**
 * Started by a person after `SMARTHOST_URL` has changed; the result for each host is in its cluster's
 * log.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { ACTIVITY_QUEUE } from '../../src/domain/operations/queues.ts';
import type { SetSmarthostInput } from '../contracts/set-smarthost.ts';
import { nowText, tell } from '../engine/details.ts';

/** A page of hosts at a time; a page may run twice. */
const hosts = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 3 },
});

export async function setSmarthost({ clusterId, ...words }: SetSmarthostInput): Promise<void> {
  const scope = clusterId === undefined ? {} : { clusterId };
  for (let after: number | null = 0; after !== null;) {
    const which =
      clusterId === undefined ? `mail hosts after server ${after}` : `cluster ${clusterId}`;
    tell(`Since ${nowText()}: ${which}. What became of each is in its cluster's log.`);
    const page = { summary: `Mail hosts after server ${after}` };
    const { nextId }: { nextId: number | null } = await hosts.setSmarthosts.executeWithOptions(
      page,
      [{ ...scope, afterServerId: after, words }],
    );
    after = nextId;
  }
  tell('Done.');
}
