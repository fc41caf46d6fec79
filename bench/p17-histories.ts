/** When activities of a workflow waited and began, read from its history. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

export interface Begun {
  type: string;
  /** Milliseconds since 1970: handed to the queue, and taken by a worker. */
  scheduledAt: number;
  startedAt: number;
}

interface HistoryEvent {
  eventId: string;
  eventTime: string;
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
  activityTaskStartedEventAttributes?: { scheduledEventId: string };
}

const POLL_MS = 150;

/** Activities that a worker has taken and ended, in that order. */
export async function begunActivities(client: Client, workflowId: string): Promise<Begun[]> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const { events } = JSON.parse(historyToJSON(history)) as { events: HistoryEvent[] };
  const scheduled = new Map(events.map((event) => [event.eventId, event]));
  return events.flatMap((event) => {
    const started = event.activityTaskStartedEventAttributes;
    const by = started && scheduled.get(started.scheduledEventId);
    if (!by) return [];
    return [
      {
        type: by.activityTaskScheduledEventAttributes?.activityType.name ?? '',
        scheduledAt: Date.parse(by.eventTime),
        startedAt: Date.parse(event.eventTime),
      },
    ];
  });
}

/** The first activity, waited for; undefined when none has begun within `limitMs`. */
export async function firstActivity(
  client: Client,
  workflowId: string,
  limitMs: number,
): Promise<Begun | undefined> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    // The workflow itself may not be there yet.
    const [first] = await begunActivities(client, workflowId).catch((): Begun[] => []);
    if (first) return first;
    await sleep(POLL_MS);
  }
  return undefined;
}
