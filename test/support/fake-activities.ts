/** Activities without a world: each notes its call and does what the test's script says. */
import { activityInfo } from '@temporalio/activity';
import { asFailure } from '../../activities/failures.ts';
import { createActivities } from '../../activities/index.ts';
import type { Context } from '../../src/context.ts';
import type { JobRequest, JobState } from '../../src/domain/jobs.ts';
import { ProviderError, type ProviderErrorKind } from '../../src/domain/errors.ts';

/** What an activity does at its n-th call (from 1); the default is to succeed. */
export type Script = Record<string, (call: number) => unknown>;

/** A call of an activity that keeps the row in step. */
export interface RecordCall {
  name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any record
  input: any;
}

/** What happened to one operation. */
export interface Played {
  script: Script;
  /** Readable ids of the steps' activities, in order of their calls. */
  calls: string[];
  records: RecordCall[];
  /** What the row of a long job wants; `applyJobRequest` changes it, tests may, too. */
  jobState?: JobState;
}

/** Answers that workflows look at. */
const ANSWERS: Record<string, unknown> = {
  adoptDomain: { bought: false },
  startMissingWorkflows: { started: 3 },
  undoLostWorkflows: { undone: 1 },
};

/** What a request makes of a job's row. */
const STATES: Record<JobRequest, JobState> = { pause: 'paused', resume: 'active', cancel: 'over' };

/** The activities of `job.ts`, on the row that the test holds. */
function jobAnswer(one: Played, name: string, input: object): unknown {
  if (name === 'applyJobRequest' && one.jobState !== 'over') {
    one.jobState = STATES[(input as { request: JobRequest }).request];
  }
  return { state: one.jobState ?? 'active' };
}

/** A worker's list of activities, for any number of operations by their ids. */
export function fakeActivities(played: ReadonlyMap<number, Played>) {
  // Only the names are wanted: nothing of the context is touched before a call.
  const names = Object.keys(createActivities({} as Context));
  const fake = (name: string) => async (input?: { operationId?: number }) => {
    const one = played.get(input?.operationId ?? 0);
    if (!one) return ANSWERS[name];
    const { activityId } = activityInfo();
    if (!/^[a-z]/.test(activityId)) {
      one.records.push({ name, input });
      const isJob = name === 'applyJobRequest' || name === 'readJobState';
      return isJob ? jobAnswer(one, name, input!) : ANSWERS[name];
    }
    one.calls.push(activityId);
    const n = one.calls.filter((id) => id === activityId).length;
    const answer = await one.script[activityId]?.(n);
    // A page of a long job tells how the row stands; by default it was the last one.
    const page = { state: one.jobState ?? 'active', isDone: true, progress: activityId };
    return answer ?? ANSWERS[name] ?? page;
  };
  return Object.fromEntries(names.map((name) => [name, fake(name)]));
}

/** Throws what an adapter would, as it reaches a workflow. */
export function fail(kind: ProviderErrorKind, clientCode?: string): never {
  throw asFailure(
    new ProviderError(kind, `the provider says ${kind}`, {
      provider: 'fake',
      operatorHint: `Cure ${kind}.`,
      ...(clientCode !== undefined && { clientCode }),
    }),
  );
}
