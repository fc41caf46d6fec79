/** Fake activities: each records its call and acts as the test's script says. */
import { activityInfo } from '@temporalio/activity';
import { asFailure } from '../../../activities/engine/failures.ts';
import { createActivities } from '../../../activities/index.ts';
import type { Context } from '../../../src/context.ts';
import type { JobRequest, JobState } from '../../../src/domain/operations/jobs.ts';
import { ProviderError, type ProviderErrorKind } from '../../../src/domain/errors.ts';

/** What an activity does at its n-th call (from 1); the default is to succeed. */
export type Script = Record<string, (call: number, input?: unknown) => unknown>;

/** A call of an activity that updates the row. */
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
  /** The requested state in a long job's row; `applyJobRequest` changes it, tests may, too. */
  jobState?: JobState;
}

/** Answers that workflows use. */
const ANSWERS: Record<string, unknown> = {
  adoptDomain: { bought: false },
  chooseRegistrar: { registrar: null },
  adoptRenewal: { renewed: false },
  renewDueDomains: { nextId: null, found: 1 },
  listDueDomains: { due: [{ domainId: 7, registrar: 'first' }], nextId: null },
  renewDueDomain: { begun: true },
  watchDomains: { nextId: null, found: 0 },
  checkMailHosts: { nextId: null, found: 1 },
  listDkimRotations: { due: [{ domainId: 7, registrar: 'first' }], nextId: null },
  advanceDkimRotation: { stage: 'seen' },
  listMtaSts: { due: [{ domainId: 7, registrar: 'first' }], nextId: null },
  listIncompleteDomains: { due: [{ domainId: 7, registrar: 'first' }], nextId: null },
  completeDomainRecords: { stage: 'complete' },
  advanceMtaSts: { stage: 'announced' },
  startMissingWorkflows: { started: 3 },
  undoLostWorkflows: { undone: 1 },
  listBooks: { books: ['ledger', 'vps/first'] },
  compareOurBooks: { found: 1, healed: 0, failed: [], due: ['vps/first'] },
  compareBook: { book: 'ledger', found: 2, healed: 1, failed: false },
  setSmarthosts: { nextId: null },
  orderHostWork: [],
  awaitHostWork: { state: 'succeeded' },
  beginScheduledRun: { outcome: 'started' },
  listAskedVps: { vendors: ['first'] },
  listRebuiltClusters: { clusterIds: [] },
  revokeConsents: { left: null },
};

/** The state that a request sets in a job's row. */
const STATES: Record<JobRequest, JobState> = { pause: 'paused', resume: 'active', cancel: 'over' };

/** The activities of `job.ts`, on the row that the test holds. */
function jobAnswer(one: Played, name: string, input: object): unknown {
  if (name === 'applyJobRequest' && one.jobState !== 'over') {
    one.jobState = STATES[(input as { request: JobRequest }).request];
  }
  return { state: one.jobState ?? 'active' };
}

const VENDOR_LOOK_UPS = new Set([
  'domain_purchase.vps',
  'domain_purchase.server',
  'server_create.choose',
  'server_create.asked',
  'server_create.note',
]);

/** One vendor by default; a script of `server_create.choose` may name others. */
function vpsAnswer(name: string, input: object | undefined): unknown {
  if (name !== 'chooseVps') return undefined;
  const { refused } = input as { refused: string[] };
  return { vendor: refused.length === 0 ? 'first' : null };
}

/** A worker's list of activities, for any number of operations by their ids. */
export function fakeActivities(played: ReadonlyMap<number, Played>) {
  // Only the names are needed: the context is not used before a call.
  const names = Object.keys(createActivities({} as Context));
  const fake = (name: string) => async (input?: { operationId?: number }) => {
    const { activityId, workflowExecution } = activityInfo();
    // Some get less than their operation as input; the stage names workflows by its id.
    const ofWorkflow = Number(workflowExecution?.workflowId.split('/').at(-1));
    const one = played.get(input?.operationId ?? ofWorkflow);
    if (!one) return ANSWERS[name];
    if (!/^[a-z]/.test(activityId)) {
      one.records.push({ name, input });
      const isJob = name === 'applyJobRequest' || name === 'readJobState';
      return isJob ? jobAnswer(one, name, input!) : ANSWERS[name];
    }
    // Choosing the vendor is not part of the steps' own work.
    if (!VENDOR_LOOK_UPS.has(activityId)) one.calls.push(activityId);
    const n = one.calls.filter((id) => id === activityId).length;
    const answer = (await one.script[activityId]?.(n, input)) || vpsAnswer(name, input);
    // A page of a long job reports the row's state; by default it was the last one.
    const page = { state: one.jobState ?? 'active', isDone: true, progress: activityId };
    return answer ?? ANSWERS[name] ?? page;
  };
  return Object.fromEntries(names.map((name) => [name, fake(name)]));
}

/** Throws an adapter's error, as it reaches a workflow. */
export function fail(kind: ProviderErrorKind, clientCode?: string, providerCode?: string): never {
  throw asFailure(
    new ProviderError(kind, `the provider says ${kind}`, {
      provider: 'fake',
      operatorHint: `Cure ${kind}.`,
      ...(clientCode !== undefined && { clientCode }),
      ...(providerCode !== undefined && { providerCode }),
    }),
  );
}
