/**
 * Runs a long job page by page: paused between pages, cancelled at once, continued as new.
 * docs/workflow-rules.md#long-jobs.
 */
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  type SignalDefinition,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { JobState, PageResult, SessionResult } from '../../src/domain/operations/jobs.ts';
import {
  cancelJobSignal,
  jobQuery,
  pauseJobSignal,
  resumeJobSignal,
  type JobInput,
  type JobMessage,
  type JobView,
  type QueuedRequest,
} from '../contracts/job.ts';
import { endWith } from './built-on.ts';
import { continueOnLatestBuild, isContinueAsNew, isTimeToContinue } from './continue.ts';
import { clientError, readFailure } from './failures.ts';
import { createDisplay } from './job-display.ts';
import { policies } from './policies.ts';
import { giveWay, putBackOf } from './put-back.ts';
import { IN_SHARD, isSharded, openShardTurns } from './shard-turns.ts';

/** A paused job polls its row this often, in case a signal was lost. */
const PAUSED_LOOK = '1 day';

/** What the steps of a job can call. */
export interface Job {
  /**
   * Runs one page of a step. Waits while the job is paused, and throws `JobOver` when the row is final.
   * `work` MUST be restartable: its cursor is in the database.
   */
  page<R extends PageResult>(step: string, work: () => Promise<R>): Promise<R>;
  /**
   * Sessions of a step until one says that nothing is left: by the job's shard, or, for runs of before, by an
   * activity for each, which is `work`.
   */
  sessions(step: string, work: () => Promise<SessionResult | PageResult>): Promise<void>;
  /** Pages of a step until one says that nothing is left. */
  pages<R extends PageResult>(step: string, work: () => Promise<R>): Promise<void>;
  /** Waits until an instant (ISO 8601 UTC), a request, or a signal that wakes it. */
  rest(until: string): Promise<void>;
  /** Something short that is no page (a start, an abort); a cancel interrupts it. */
  interruptible<T>(work: () => Promise<T>): Promise<T>;
}

/** Thrown through the steps when the row has become final; not an error. */
class JobOver extends Error {}

/**
 * Runs `work` and ends the operation. The row is the truth: what pause, resume and cancel mean is
 * decided there (`applyJobRequest`), signals only make it prompt. A job buys nothing that needs an undo,
 * so it never blocks: a failure ends it with its reason. Choice 63.
 */
export async function runJob<I extends JobInput>(
  input: I,
  work: (job: Job) => Promise<void>,
  { wakeOn = [] }: { wakeOn?: readonly SignalDefinition[] } = {},
): Promise<void> {
  const controls = openJobControls(input, wakeOn);
  const { operationId } = input;
  const { finishOperation } = proxyActivities<Activities>(policies(input.pace).dbWrite);
  try {
    if (input.undoOnly) {
      throw ApplicationFailure.nonRetryable('The run was terminated before its end', 'Lost');
    }
    await work(controls.job);
    await CancellationScope.nonCancellable(() =>
      finishOperation({ operationId, outcome: 'succeeded', steps: [] }),
    );
    controls.end();
    endWith({ outcome: 'succeeded', steps: [] });
  } catch (error) {
    if (putBackOf(error)) await giveWay(error);
    if (error instanceof JobOver || (controls.isOver() && isCancellation(error))) {
      await CancellationScope.nonCancellable(async () => {
        await controls.untilBack();
        await finishOperation({ operationId, outcome: 'failed', steps: [], error: CANCELLED });
      });
      endWith({ outcome: 'failed', steps: [], error: CANCELLED });
      return controls.end();
    }
    if (isContinueAsNew(error)) throw error;
    const failure = readFailure(error);
    const reported = isCancellation(error)
      ? { code: 'CANCELLED', message: 'The workflow was cancelled' }
      : clientError(failure);
    await CancellationScope.nonCancellable(() =>
      finishOperation({ operationId, outcome: 'failed', steps: [], error: reported }),
    );
    controls.end();
    if (isCancellation(error)) throw error;
    throw ApplicationFailure.nonRetryable(failure.message, failure.type, failure.facts);
  }
}

const CANCELLED = { code: 'CANCELLED', message: 'Cancelled' };

/**
 * Sets the handlers, before the first await, and keeps what operators see up to date.
 * docs/workflow-rules.md#handlers.
 */
function openJobControls<I extends JobInput>(input: I, wakeOn: readonly SignalDefinition[]) {
  const queue: QueuedRequest[] = [...(input.queued ?? [])];
  const view: JobView = { state: 'running', step: null, progress: '', pages: 0 };
  const { applyJobRequest, readJobState, handOverToShard } = proxyActivities<Activities>(
    policies(input.pace).dbWrite,
  );
  let state: JobState = input.state ?? 'active';
  let stop: (() => void) | undefined;

  const hear = (request: QueuedRequest['request']) => (message: JobMessage | undefined) => {
    const actor = String(message?.actor ?? 'operator');
    queue.push({ request, actor, reason: String(message?.reason ?? '') });
    if (request === 'cancel') stop?.();
  };
  setHandler(pauseJobSignal, hear('pause'));
  setHandler(resumeJobSignal, hear('resume'));
  setHandler(cancelJobSignal, hear('cancel'));
  setHandler(jobQuery, () => view);
  const turns = openShardTurns((turn) =>
    interruptible(() => handOverToShard({ operationId, turn })),
  );
  let isWoken = false;
  for (const signal of wakeOn) setHandler(signal, () => void (isWoken = true));

  const show = createDisplay(input);
  const { operationId } = input;
  const applyRequests = async () => {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const summary = `${next.request}, asked by ${next.actor}`;
      ({ state } = await applyJobRequest.executeWithOptions({ summary }, [
        { operationId, ...next },
      ]));
      queue.shift();
    }
  };
  const waitWhilePaused = async () => {
    await applyRequests();
    while (state === 'paused') {
      view.state = 'paused';
      show('Paused', view.step);
      if (!(await condition(() => queue.length > 0, PAUSED_LOOK))) {
        ({ state } = await readJobState({ operationId }));
      }
      await applyRequests();
      await continueIfLong();
    }
    view.state = 'running';
    if (state === 'over') throw new JobOver();
  };
  const continueIfLong = async () => {
    if (!isTimeToContinue()) return;
    await condition(allHandlersFinished);
    // Pending requests go along: none is lost.
    const continued = (input.continued ?? 0) + 1;
    await continueOnLatestBuild({ ...input, queued: queue, state, continued });
  };
  const interruptible = async <T>(work: () => Promise<T>): Promise<T> => {
    const scope = new CancellationScope();
    stop = () => scope.cancel();
    try {
      if (queue.some(({ request }) => request === 'cancel')) scope.cancel();
      return await scope.run(work);
    } catch (error) {
      // The cancel is applied to the row before the job is over: the row decides.
      if (isCancellation(error) && scope.consideredCancelled) await applyRequests();
      if (state === 'over') throw new JobOver();
      throw error;
    } finally {
      stop = undefined;
    }
  };
  const noted = <R extends PageResult>(step: string, result: R): R => {
    state = result.state;
    view.pages += 1;
    view.progress = result.progress;
    setCurrentDetails(`\`${step}\`: ${result.progress}`);
    return result;
  };
  const page: Job['page'] = async (step, work) => {
    await waitWhilePaused();
    await continueIfLong();
    view.step = step;
    show('Running', step);
    return noted(step, await interruptible(work));
  };
  const rest = async (until: string) => {
    const isUp = () => isWoken || queue.length > 0;
    await condition(isUp, Math.max(1, new Date(until).getTime() - Date.now()));
    isWoken = false;
  };
  /** Hands the job over to its shard and waits for its report, or a request. True when nothing is left. */
  const attended = async (step: string): Promise<boolean> => {
    await waitWhilePaused();
    await continueIfLong();
    view.step = step;
    show('Running', step);
    setCurrentDetails(`\`${step}\`: ${IN_SHARD}`);
    isWoken = false;
    const result = await turns.take(() => queue.length > 0 || isWoken);
    if (result === undefined) return false;
    return noted(step, result).isDone;
  };
  const sessions: Job['sessions'] = async (step, work) => {
    const ofShard = isSharded(input);
    for (;;) {
      if (ofShard) {
        if (await attended(step)) return;
        continue;
      }
      const session = await page(step, work);
      if (session.isDone) return;
      if ('nextAt' in session && session.nextAt !== null) await rest(session.nextAt);
    }
  };
  const job: Job = {
    page,
    rest,
    sessions,
    interruptible: async (work) => {
      await waitWhilePaused();
      return interruptible(work);
    },
    pages: async (step, work) => {
      for (;;) if ((await page(step, work)).isDone) return;
    },
  };
  return {
    job,
    untilBack: () => turns.untilBack(),
    isOver: () => state === 'over',
    end: () => {
      view.state = 'ended';
      show(null, null);
    },
  };
}
