/** What a purchase waited for, in one line: by its rows and the history of its workflow. */
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';

type History = Awaited<
  ReturnType<ReturnType<SharedWorld['temporal']['workflow']['getHandle']>['fetchHistory']>
>;
type HistoryEvent = NonNullable<History['events']>[number];

/** Shorter ones are not told. */
const SHOWN_MS = 500;

/** `since`: when its request was sent. */
export async function purchaseTimes(
  { db, temporal }: SharedWorld,
  { domain, since }: { domain: string; since: number },
): Promise<string> {
  const operation = await db
    .selectFrom('operations')
    .selectAll('operations')
    .innerJoin('domains', 'domains.id', 'operations.resource_id')
    .where('operations.kind', '=', 'buyDomain')
    .where('domains.name', '=', domain)
    .executeTakeFirst();
  if (!operation) return 'it has no operation';
  const { created_at: created, started_at: started } = operation;
  const after = (at: Date | null) => (at === null ? 'never' : `${at.getTime() - since} ms`);
  const handle = temporal.workflow.getHandle(workflowIdOf(operation));
  const waits = await handle.fetchHistory().then(
    ({ events }) => waitsOf(events ?? []),
    () => ['it has no workflow'],
  );
  return [`ordered after ${after(created)}, started after ${after(started)}`, ...waits].join('; ');
}

/** Where an event follows the one that it answers late. */
function waitsOf(events: readonly HistoryEvent[]): string[] {
  const begun = new Map(events.map((event) => [String(event.eventId), event]));
  return events.flatMap((event) => {
    const earlier = begun.get(String(answeredBy(event)));
    const ms = earlier && timeOf(event) - timeOf(earlier);
    if (ms === undefined || ms < SHOWN_MS) return [];
    return [`${Math.round(ms)} ms ${wordsOf(event, begun)}`];
  });
}

/** A task's start answers that it was queued, its end that it was started, a timer's end its start. */
function answeredBy(event: HistoryEvent) {
  const started =
    event.activityTaskStartedEventAttributes ?? event.workflowTaskStartedEventAttributes;
  const ended =
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.workflowTaskCompletedEventAttributes ??
    event.workflowTaskFailedEventAttributes ??
    event.workflowTaskTimedOutEventAttributes;
  return (
    started?.scheduledEventId ??
    ended?.startedEventId ??
    event.timerFiredEventAttributes?.startedEventId
  );
}

function wordsOf(event: HistoryEvent, begun: ReadonlyMap<string, HistoryEvent>): string {
  const started = event.activityTaskStartedEventAttributes;
  const ended =
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes;
  const queued = begun.get(String((started ?? ended)?.scheduledEventId));
  const activity = queued?.activityTaskScheduledEventAttributes;
  if (started) {
    const again = Number(started.attempt) > 1 ? `, attempt ${started.attempt}` : '';
    return `until ${activity?.activityId} was taken from ${activity?.taskQueue?.name}${again}`;
  }
  if (ended) return `until ${activity?.activityId} ended`;
  if (event.timerFiredEventAttributes) return 'by a timer';
  return event.workflowTaskStartedEventAttributes
    ? 'until its workflow was taken'
    : 'until its workflow had decided';
}

const timeOf = ({ eventTime }: HistoryEvent): number =>
  Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1e6;
