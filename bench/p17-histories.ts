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

/** What the time from an order to the first activity went into, in milliseconds. */
export interface Parts {
  /** The request, until the workflow is in Temporal. */
  order: number;
  /** Its first task in the queue of the workflows. */
  taskQueued: number;
  /** The worker at that task, and Temporal writing what came of it. */
  task: number;
  /** The activity in its queue. */
  activityQueued: number;
}

interface HistoryEvent {
  eventId: string;
  eventTime: string;
  eventType: string;
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
  activityTaskStartedEventAttributes?: { scheduledEventId: string };
}

const POLL_MS = 150;

async function eventsOf(client: Client, workflowId: string): Promise<HistoryEvent[]> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  return (JSON.parse(historyToJSON(history)) as { events: HistoryEvent[] }).events;
}

/** Of a workflow whose first activity has begun. */
export async function partsOf(
  client: Client,
  workflowId: string,
  postedAt: number,
): Promise<Parts> {
  const events = await eventsOf(client, workflowId);
  const at = (type: string) =>
    Date.parse(events.find(({ eventType }) => eventType === `EVENT_TYPE_${type}`)!.eventTime);
  const [ordered, taken] = [at('WORKFLOW_EXECUTION_STARTED'), at('WORKFLOW_TASK_STARTED')];
  const scheduled = at('ACTIVITY_TASK_SCHEDULED');
  return {
    order: ordered - postedAt,
    taskQueued: taken - ordered,
    task: scheduled - taken,
    activityQueued: at('ACTIVITY_TASK_STARTED') - scheduled,
  };
}

/** Activities that a worker has taken and ended, in that order. */
export async function begunActivities(client: Client, workflowId: string): Promise<Begun[]> {
  const events = await eventsOf(client, workflowId);
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
