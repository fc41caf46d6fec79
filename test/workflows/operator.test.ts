/**
 * What an on-call engineer sees of a blocked step and may do about it.
 * docs/workflow-rules.md#blocked-steps.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import {
  currentDetails,
  openStage,
  type Stage,
  type StartedOperation,
} from '../support/workflows/workflow-stage.ts';
import {
  cancelSignal,
  resolveBlockedStepSignal,
  resolveBlockedStepUpdate,
  type BlockedStepAnswer,
} from '../../workflows/contracts/operator.ts';
import {
  opsState,
  opsStep,
  resourceId,
  tenantId,
} from '../../workflows/contracts/search-attributes.ts';

const DAY_MS = 86_400_000;
const words = { actor: 'ann', reason: 'the token is new' };

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(async () => {
  await stage?.close();
});

/** The server's order needs an operator, as often as told. */
const noAuth = (times = 1): Script => ({
  'server_create.order': (call) => call <= times && fail('auth'),
});

const start = (script: Script, input?: object) => stage.start('provisionCluster', script, input);

const undosOf = ({ calls }: StartedOperation) => calls.filter((id) => id.endsWith('.undo'));
const recordsOf = (operation: StartedOperation, name: string) =>
  operation.records.filter((record) => record.name === name).map(({ input }) => input);
const attributesOf = async ({ handle }: StartedOperation) => {
  const { typedSearchAttributes: shown } = await handle.describe();
  return [opsState, opsStep, tenantId, resourceId].map((key) => shown.get(key));
};
const update = ({ handle }: StartedOperation, answer: Partial<BlockedStepAnswer>) =>
  handle.executeUpdate(resolveBlockedStepUpdate, { args: [answer as BlockedStepAnswer] });
const refusal = (operation: StartedOperation, answer: Partial<BlockedStepAnswer>) =>
  update(operation, answer).then(
    () => 'accepted',
    (error: { cause?: Error; message: string }) => error.cause?.message ?? error.message,
  );

describe('a blocked step', () => {
  it('is shown in the search attributes, the details, the query and the row', async () => {
    const operation = await start(noAuth());
    const blocked = await operation.untilBlocked('server_create');
    const resource = (await attributesOf(operation))[3];
    expect(await attributesOf(operation)).toEqual(['Blocked', 'server_create', 'user-1', resource]);
    const details = await currentDetails(operation.handle);
    expect(details).toContain('server_create');
    expect(details).toContain('the provider says auth');
    expect(details).toContain('Cure auth.');
    expect(details).toContain("temporal workflow signal --namespace default --query '");
    const id = resource!.split('/')[1];
    const client = `The client may as well: \`POST /v1/clusters/${id}/retry\` or \`/cancel\`.`;
    expect(details).toContain(client);
    const [, since, until] =
      /^\*\*Since\*\* (\S+Z)$.* until (\S+Z) \(24 h\) undoes everything/ms.exec(details)!;
    expect(Date.parse(until!) - Date.parse(since!)).toBe(DAY_MS);
    expect(blocked).toMatchObject({
      actions: ['retry', 'adopt', 'compensate'],
      error: { type: 'ProviderAuth', message: 'the provider says auth', hint: 'Cure auth.' },
    });
    await operation.until(() => recordsOf(operation, 'recordBlocked').length === 1);
    const [row] = recordsOf(operation, 'recordBlocked');
    expect(row).toMatchObject({ isUndo: false, blocked: { step: 'server_create' } });
    expect(row.steps[2]).toEqual({ name: 'server_create', state: 'blocked' });

    await update(operation, { token: blocked.token, action: 'retry', ...words });
    expect(await operation.end()).toBeUndefined();
    const atEnd = await currentDetails(operation.handle);
    expect(atEnd).toContain('Done.');
    expect(atEnd).not.toContain('Blocked');
    expect((await attributesOf(operation)).slice(0, 2)).toEqual([undefined, undefined]);
    expect(recordsOf(operation, 'recordResolution')).toMatchObject([
      { step: 'server_create', resolution: { action: 'retry', ...words }, state: 'running' },
    ]);
  });

  it.each([
    ['what the client could cure, once the domain is bought', 'rejected'],
    ['a quota', 'quota'],
    ['credentials', 'auth'],
  ] as const)('comes from %s', async (_title, kind) => {
    const operation = await start({
      'server_create.order': (call) => call === 1 && fail(kind, 'A_CODE_OF_OURS'),
    });
    const { token } = await operation.untilBlocked('server_create');
    await update(operation, { token, action: 'retry', ...words });
    expect(await operation.end()).toBeUndefined();
  });

  it('comes from attempts that are exhausted, after several rounds', async () => {
    const operation = await start({
      'mail_server_install.install': (call) => call <= 200 && fail('unavailable'),
    });
    const { token } = await operation.untilBlocked('mail_server_install');
    const tries = operation.calls.filter((id) => id === 'mail_server_install.install').length;
    expect(tries).toBeGreaterThan(6);
    await update(operation, { token, action: 'compensate', ...words });
    expect(await operation.end()).toMatchObject({ type: 'ProviderUnavailable' });
  });

  it('comes from an outcome that nobody can decide', async () => {
    const operation = await start({
      'domain_purchase.register': () => fail('outcome_unknown'),
      'domain_purchase.settle': () => fail('auth'),
    });
    const { error, token } = await operation.untilBlocked('domain_purchase');
    expect(error.message).toContain('Undecided');
    await update(operation, { token, action: 'compensate', ...words });
    expect(await operation.end()).toMatchObject({ type: 'OutcomeUnknown' });
    expect(undosOf(operation)).toEqual(['domain_purchase.undo', 'wallet_hold.undo']);
  });
});

describe('an answer by update', () => {
  it('is refused when stale, impossible, anonymous or late', async () => {
    const operation = await start(noAuth(2));
    expect(await refusal(operation, { token: 'x', action: 'retry', ...words })).toMatch(/blocked/);
    const first = await operation.untilBlocked('server_create');
    const { token } = first;
    expect(await refusal(operation, { token: 'old', action: 'retry', ...words })).toMatch(/stale/);
    expect(await refusal(operation, { token, action: 'skip', ...words })).toMatch(/Not possible/);
    expect(await refusal(operation, { token, action: 'retry' })).toMatch(/actor and reason/);
    expect(await refusal(operation, undefined as never)).toMatch(/stale/);
    expect(await update(operation, { token, action: 'retry', ...words })).toEqual({
      step: 'server_create',
    });
    // A double click: the first answer stands, be the step still blocked, running or blocked anew.
    expect(await refusal(operation, { token, action: 'retry', ...words })).not.toBe('accepted');
    const second = await operation.until((v) => !!v.blocked && v.blocked.token !== token);
    expect(await refusal(operation, { token, action: 'retry', ...words })).toMatch(/stale/);
    await update(operation, { token: second.blocked!.token, action: 'adopt', ...words });
    expect(await operation.end()).toBeUndefined();
    expect(operation.calls.filter((id) => id === 'server_create.order')).toHaveLength(3);
  });

  it('skips a step that can be done without', async () => {
    const operation = await start({ 'ptr_setup.set': () => fail('auth') });
    const { token, actions } = await operation.untilBlocked('ptr_setup');
    expect(actions).toContain('skip');
    await update(operation, { token, action: 'skip', ...words });
    expect(await operation.end()).toBeUndefined();
    expect(operation.finish().steps[5]).toEqual({ name: 'ptr_setup', state: 'skipped' });
    expect(operation.calls.at(-1)).toBe('verify.probe');
  });

  it('undoes everything on compensate and tells the original failure', async () => {
    const operation = await start(noAuth());
    const { token } = await operation.untilBlocked('server_create');
    await update(operation, { token, action: 'compensate', ...words });
    expect(await operation.end()).toMatchObject({ type: 'ProviderAuth' });
    expect(undosOf(operation)).toEqual([
      'server_create.undo',
      'domain_purchase.undo',
      'wallet_hold.undo',
    ]);
    expect(operation.finish().outcome).toBe('failed');
  });
});

describe('an answer by signal', () => {
  it('acts without a token where this very step is blocked', async () => {
    const operation = await start(noAuth());
    await operation.untilBlocked('server_create');
    const answer = { action: 'retry', ...words } as const;
    await operation.handle.signal(resolveBlockedStepSignal, { step: 'dns_setup', ...answer });
    expect((await operation.view()).blocked).not.toBeNull();
    await operation.handle.signal(resolveBlockedStepSignal, { step: 'server_create', ...answer });
    expect(await operation.end()).toBeUndefined();
  });

  it('is ignored when malformed, and so is a malformed cancel of a finished step', async () => {
    const operation = await start(noAuth());
    await operation.untilBlocked('server_create');
    const { handle } = operation;
    const step = 'server_create';
    for (const args of [
      [],
      [null],
      ['retry'],
      [{}],
      [{ step }],
      [{ step, action: 'destroy', ...words }],
      [{ step, action: 'skip', ...words }],
      [{ step, action: 'retry', actor: '', reason: '' }],
    ]) {
      await handle.signal('resolveBlockedStep', ...args);
    }
    await handle.signal('noSuchSignal', { anything: true });
    expect((await operation.view()).blocked?.step).toBe(step);
    await handle.signal(resolveBlockedStepSignal, { step, action: 'retry', ...words });
    expect(await operation.end()).toBeUndefined();
  });
});

describe('a blocked step that nobody answers', () => {
  it('is undone after a day', async () => {
    const operation = await start(noAuth());
    await operation.untilBlocked('server_create');
    const before = await stage.env.currentTimeMs();
    expect(await operation.end()).toMatchObject({ type: 'ProviderAuth' });
    expect((await stage.env.currentTimeMs()) - before).toBeGreaterThanOrEqual(DAY_MS - 60_000);
    expect(undosOf(operation)).toEqual([
      'server_create.undo',
      'domain_purchase.undo',
      'wallet_hold.undo',
    ]);
    expect(recordsOf(operation, 'recordResolution')).toMatchObject([
      { resolution: { action: 'compensate', actor: 'system', reason: 'nobody answered in time' } },
    ]);
  });

  it('is undone at once when the operation is cancelled', async () => {
    const operation = await start(noAuth());
    await operation.untilBlocked('server_create');
    await operation.handle.signal(cancelSignal, { actor: 'user:1', reason: 'enough' });
    expect(await operation.end()).toMatchObject({ type: 'Cancelled' });
    expect(undosOf(operation)).toHaveLength(3);
    expect(recordsOf(operation, 'recordResolution')).toMatchObject([
      { resolution: { action: 'compensate', actor: 'user:1', reason: 'enough' } },
    ]);
  });

  it('is undone, and shown so, when Temporal is asked to cancel', async () => {
    let undo: () => void = () => undefined;
    const undone = new Promise<void>((resolve) => (undo = resolve));
    const operation = await start({ ...noAuth(), 'server_create.undo': () => undone });
    await operation.untilBlocked('server_create');
    await operation.handle.cancel();
    await operation.untilCalled('server_create.undo');
    const { state, blocked, steps } = await operation.view();
    expect({ state, blocked }).toEqual({ state: 'compensating', blocked: null });
    expect(steps[2]).toEqual({ name: 'server_create', state: 'failed' });
    expect((await attributesOf(operation))[0]).toBe('Compensating');
    const shown = await currentDetails(operation.handle);
    expect(shown).toContain('Undoing `server_create` since');
    expect(shown).toContain('Cancelled by an operator');
    undo();
    expect(await operation.end()).toMatchObject({ name: 'CancelledFailure' });
  });
});

describe('an undo that fails for good', () => {
  const script: Script = {
    'dns_setup.publish': () => fail('rejected', 'DNS_CONFLICT'),
    'server_create.undo': (call) => call === 1 && fail('auth'),
  };

  it('waits for a person for ever, ignores a cancel, and goes on by retry', async () => {
    const operation = await start(script, { buyDomain: false });
    const { token, actions } = await operation.untilBlocked('server_create');
    expect(actions).toEqual(['retry', 'skip']);
    expect((await attributesOf(operation)).slice(0, 2)).toEqual([
      'CompensationBlocked',
      'server_create',
    ]);
    await operation.until(() => recordsOf(operation, 'recordBlocked').length === 1);
    expect(recordsOf(operation, 'recordBlocked')[0]).toMatchObject({ isUndo: true });
    const printed = await currentDetails(operation.handle);
    const state = ['OpsState IN ("Blocked","CompensationBlocked")', 'OpsStep="server_create"'];
    expect(printed).toContain(`--query '${state.join(' AND ')}'`);
    await operation.handle.signal(cancelSignal, { actor: 'user:1', reason: 'hurry' });
    await stage.env.sleep(3 * DAY_MS);
    expect((await operation.view()).blocked?.token).toBe(token);
    await update(operation, { token, action: 'retry', ...words });
    expect(await operation.end()).toMatchObject({ type: 'ProviderRejected' });
    expect(undosOf(operation)).toEqual([
      'dns_setup.undo',
      'server_create.undo',
      'server_create.undo',
      'wallet_hold.undo',
    ]);
  });

  it('can be skipped by a person, and the rest is undone', async () => {
    const operation = await start(script, { buyDomain: false });
    const { token } = await operation.untilBlocked('server_create');
    await update(operation, { token, action: 'skip', ...words });
    expect(await operation.end()).toMatchObject({ type: 'ProviderRejected' });
    expect(undosOf(operation).at(-1)).toBe('wallet_hold.undo');
  });
});

describe('a step of a teardown that fails for good', () => {
  it('can be skipped only where it says so: nobody is left in', async () => {
    const script: Script = {
      mail_server_remove: (call) => call === 1 && fail('rejected'),
      dns_withdraw: () => fail('rejected'),
    };
    const operation = await stage.start('destroyCluster', script, { deletesServer: false });
    const host = await operation.untilBlocked('mail_server_remove');
    expect(host.actions).toEqual(['retry']);
    const skip = { action: 'skip', ...words } as const;
    expect(await refusal(operation, { token: host.token, ...skip })).toMatch(/Not possible/);
    await update(operation, { token: host.token, action: 'retry', ...words });
    const dns = await operation.untilBlocked('dns_withdraw');
    expect(dns.actions).toEqual(['retry', 'skip']);
    await update(operation, { token: dns.token, ...skip });
    await operation.handle.result();
  });
});

describe('the details of a step that is not blocked', () => {
  it('say what runs, and how far the others are', async () => {
    let open = (): void => undefined;
    const opened = new Promise<boolean>((resolve) => (open = () => resolve(true)));
    const operation = await start({ 'server_create.order': () => opened });
    await operation.untilCalled('server_create.order');
    const shown = await currentDetails(operation.handle);
    expect(shown).toContain('Running `server_create` since');
    expect(shown).toContain('- `domain_purchase`: completed');
    expect(shown).toContain('- `verify`: pending');
    open();
    expect(await operation.end()).toBeUndefined();
  });

  it('say in which round it is tried again, why, and when the next one begins', async () => {
    let open = (): void => undefined;
    const opened = new Promise<boolean>((resolve) => (open = () => resolve(true)));
    const slow = { retryPace: 0.001, heartbeatSeconds: 5, blockedTimeoutSeconds: 86_400 };
    const operation = await start(
      { 'dns_setup.publish': (call) => (call <= 6 ? fail('unavailable') : opened) },
      { pace: slow },
    );
    await operation.untilResting();
    await vi.waitUntil(
      async () => (await currentDetails(operation.handle)).includes('Round 2 of 7'),
      { timeout: 60_000 },
    );
    const shown = await currentDetails(operation.handle);
    expect(shown).toContain('Before: the provider says unavailable (ProviderUnavailable)');
    open();
    expect(await operation.end()).toBeUndefined();
  });

  it('say, while it is undone, why, and so does the log', async () => {
    let open = (): void => undefined;
    const opened = new Promise<boolean>((resolve) => (open = () => resolve(true)));
    const operation = await start({ ...noAuth(), 'server_create.undo': () => opened });
    const { token } = await operation.untilBlocked('server_create');
    await update(operation, { token, action: 'compensate', ...words });
    await operation.untilCalled('server_create.undo');
    const shown = await currentDetails(operation.handle);
    expect(shown).toContain('Undoing `server_create` since');
    expect(shown).toContain('the provider says auth (ProviderAuth)');
    expect(shown).toContain('Answered by ann: the token is new');
    open();
    expect(await operation.end()).toMatchObject({ type: 'ProviderAuth' });
    const causes = recordsOf(operation, 'recordProgress').flatMap(({ cause }) => cause ?? []);
    expect(causes).toHaveLength(1);
    expect(causes[0]).toContain('the provider says auth');
  });
});
