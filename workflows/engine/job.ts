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
  setHandler,
  sleep,
  type SignalDefinition,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { RunEnd } from '../../src/domain/operations/restores.ts';
import type { JobState, PageResult } from '../../src/domain/operations/jobs.ts';
import {
  cancelJobSignal,
  jobQuery,
  pauseJobSignal,
  resumeJobSignal,
  type JobInput,
  type JobMessage,
  type QueuedRequest,
} from '../contracts/job.ts';
import { endWith } from './built-on.ts';
import { inText } from './details.ts';
import { continueOnLatestBuild, isContinueAsNew, isTimeToContinue } from './continue.ts';
import { clientError, readFailure } from './failures.ts';
import { createDisplay } from './job-display.ts';
import type { Job } from './job-steps.ts';
import { policies } from './policies.ts';
import { giveWay, putBackOf } from './put-back.ts';
import { IN_SHARD, isSharded, openShardTurns } from './shard-turns.ts';

/** A paused job polls its row this often, in case a signal was lost. */
const PAUSED_LOOK = '1 day';
const LOOKS = { summary: 'paused: a look at its row' };

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
  const finish = async (end: RunEnd) => {
    const summary = `the job has ${end.outcome}`;
    await CancellationScope.nonCancellable(() =>
      finishOperation.executeWithOptions({ summary }, [{ operationId, ...end }]),
    );
    endWith(end);
  };
  try {
    if (input.undoOnly) {
      throw ApplicationFailure.nonRetryable('The run was terminated before its end', 'Lost');
    }
    await work(controls.job);
    await finish({ outcome: 'succeeded', steps: [] });
    controls.end('Done.');
  } catch (error) {
    if (putBackOf(error)) await giveWay(error);
    if (error instanceof JobOver || (controls.isOver() && isCancellation(error))) {
      await CancellationScope.nonCancellable(async () => {
        await controls.untilBack();
        await finish({ outcome: 'failed', steps: [], error: CANCELLED });
      });
      return controls.end('Cancelled.');
    }
    if (isContinueAsNew(error)) throw error;
    const failure = readFailure(error);
    const reported = isCancellation(error)
      ? { code: 'CANCELLED', message: 'The workflow was cancelled' }
      : clientError(failure);
    await finish({ outcome: 'failed', steps: [], error: reported });
    controls.end(`Failed: ${reported.message}`);
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
  const display = createDisplay(input);
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
  setHandler(jobQuery, () => display.view);
  const turns = openShardTurns((turn) =>
    interruptible(() =>
      handOverToShard.executeWithOptions({ summary: 'hand it over to its shard' }, [
        { operationId, turn },
      ]),
    ),
  );
  let isWoken = false;
  for (const signal of wakeOn) setHandler(signal, () => void (isWoken = true));

  const { operationId } = input;
  /** Whoever changes the row first asks by signal after it: their words may come when it is paused already. */
  const follow = (now: JobState, asked?: QueuedRequest) => {
    const { request, ...message } = asked ?? {};
    if (now === 'paused' && request === 'pause') display.pausedBy(message as JobMessage);
    else if (now === 'paused' && state !== 'paused') display.pausedBy(undefined);
    state = now;
  };
  const applyRequests = async () => {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const summary = `${next.request}, asked by ${next.actor}`;
      const now = await applyJobRequest.executeWithOptions({ summary }, [{ operationId, ...next }]);
      follow(now.state, next);
      queue.shift();
    }
  };
  const waitWhilePaused = async () => {
    await applyRequests();
    while (state === 'paused') {
      display.pause();
      if (!(await condition(() => queue.length > 0, PAUSED_LOOK, LOOKS))) {
        const look = { summary: 'is it still paused?' };
        follow((await readJobState.executeWithOptions(look, [{ operationId }])).state);
      }
      await applyRequests();
      await continueIfLong();
    }
    display.goOn();
    if (state === 'over') throw new JobOver();
  };
  const continueIfLong = async () => {
    if (!isTimeToContinue()) return;
    await condition(allHandlersFinished);
    // Pending requests go along: none is lost.
    const continued = (input.continued ?? 0) + 1;
    const shown = display.shown();
    await continueOnLatestBuild({ ...input, queued: queue, state, continued, shown });
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
    display.note(step, result);
    follow(result.state);
    return result;
  };
  const page: Job['page'] = async (step, work) => {
    await waitWhilePaused();
    await continueIfLong();
    display.begin(step);
    return noted(step, await interruptible(work));
  };
  const rest = async (until: string) => {
    const isUp = () => isWoken || queue.length > 0;
    display.rest(until);
    const timer = { summary: `${display.view.step ?? 'the first look'}: the next look` };
    await condition(isUp, Math.max(1, new Date(until).getTime() - Date.now()), timer);
    isWoken = false;
  };
  /** Hands the job over to its shard and waits for its report, or a request. True when nothing is left. */
  const attended = async (step: string): Promise<boolean> => {
    await waitWhilePaused();
    await continueIfLong();
    display.begin(step, IN_SHARD);
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
    wait: async (ms) => {
      await waitWhilePaused();
      display.rest(inText(ms));
      await interruptible(() => sleep(ms, { summary: `${display.view.step}: the next look` }));
    },
    pages: async (step, work) => {
      for (;;) if ((await page(step, work)).isDone) return;
    },
  };
  return {
    job,
    untilBack: () => turns.untilBack(),
    isOver: () => state === 'over',
    end: (words: string) => display.end(words),
  };
}
