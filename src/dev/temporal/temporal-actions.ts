/** What a workflow costs at Temporal: its actions, counted from its histories. */
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** https://docs.temporal.io/cloud/actions; heartbeats are in no history and are counted separately. */
export interface ActionCount {
  runs: number;
  /** The longest run's. */
  maxEvents: number;
  starts: number;
  /** Every attempt counts. */
  activities: number;
  timers: number;
  signals: number;
  searchAttributes: number;
  total: number;
}

interface HistoryEvent {
  eventType: string;
  activityTaskStartedEventAttributes?: { attempt?: number };
  workflowExecutionStartedEventAttributes?: { firstExecutionRunId?: string };
  workflowExecutionContinuedAsNewEventAttributes?: { newExecutionRunId?: string };
}

/** All runs of one workflow, the first one first; `name` is its id without the row's random part. */
export async function countActions(client: Client, name: string): Promise<ActionCount> {
  const workflowId = await workflowIdOf(client, name);
  const read = async (runId?: string): Promise<HistoryEvent[]> => {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    return (JSON.parse(historyToJSON(history)) as { events: HistoryEvent[] }).events;
  };
  const [started] = await read();
  let runId = started?.workflowExecutionStartedEventAttributes?.firstExecutionRunId;
  const histories: HistoryEvent[][] = [];
  while (runId !== undefined) {
    const events = await read(runId);
    histories.push(events);
    runId = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return actionsOf(histories);
}

async function workflowIdOf(client: Client, name: string): Promise<string> {
  const query = `WorkflowId STARTS_WITH '${name}/'`;
  for await (const { workflowId } of client.workflow.list({ query })) return workflowId;
  throw new Error(`There is no workflow ${name}`);
}

export function actionsOf(histories: readonly (readonly HistoryEvent[])[]): ActionCount {
  const events = histories.flat();
  const count = (type: string) => events.filter(({ eventType }) => eventType === type).length;
  const attempts = events
    .filter(({ eventType }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_STARTED')
    .map(({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? 1);
  const parts = {
    starts: histories.length,
    activities: attempts.reduce((sum, attempt) => sum + attempt, 0),
    timers: count('EVENT_TYPE_TIMER_STARTED'),
    signals: count('EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED'),
    searchAttributes: count('EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES'),
  };
  return {
    runs: histories.length,
    maxEvents: Math.max(0, ...histories.map((one) => one.length)),
    ...parts,
    total: Object.values(parts).reduce((sum, part) => sum + part, 0),
  };
}
