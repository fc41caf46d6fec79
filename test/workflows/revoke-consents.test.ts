/** Deleting a mailbox takes its consent back at the vendor, and waits for no vendor for ever. Choice 135. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasGrants, listGrants, refreshTokenBinding } from '../../src/db/mailboxes/oauth-grants.ts';
import { getMailbox } from '../../src/db/mailboxes/mailboxes.ts';
import { findLatestOperation, type Operation } from '../../src/db/operations/operations.ts';
import type { OauthProvider } from '../../src/domain/mailboxes/oauth.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { deleteMailbox } from '../../src/services/mailboxes/mailbox-changes.ts';
import { injectFaults, type FaultKind, type Plan } from '../support/provisioning/fault-injector.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';
import { withDeaths } from '../support/provisioning/vendor-deaths.ts';
import { allowingAt, consentTo } from '../support/vendors/oauth.ts';

const TIME_LIMIT = 240_000;

const plans = new Map<number, Plan>();
/** What goes wrong in the deletion that comes next. */
let next: Plan | undefined;
let world: ProvisioningWorld;
let ann: string;
let bob: string;
/** Refresh tokens that were given. */
const tokens = new Set<string>();

beforeAll(async () => {
  world = await startProvisioningWorld({
    environment: {
      CRAWLER_ALLOW_BENCHMARK_RANGE: 'true',
      MAILBOX_PROOF_SECONDS: '20',
      PROVIDER_TIMEOUT_SECONDS: '3',
      // A vendor that stays away is given up within seconds.
      RETRY_PACE: '0.002',
    },
    wrap: (activities) => injectFaults(activities, plans),
    outside: withDeaths,
    beforeStart: ({ id, kind }) => {
      if (kind !== 'deleteMailbox' || next === undefined) return;
      plans.set(id, next);
      next = undefined;
    },
  });
  [ann, bob] = await Promise.all([world.fundedUser(1), world.fundedUser(1)]);
}, TIME_LIMIT);

afterAll(() => world?.close());

beforeEach(() => world.sandbox.control('DELETE', '/faults'));

const handleOf = (operation: Operation) =>
  world.context.temporal.workflow.getHandle(workflowIdOf(operation));

/** An active mailbox. */
async function connect(userId: string, provider: OauthProvider, address: string): Promise<number> {
  const { context } = world;
  const { outcome } = await consentTo(context, userId, { provider, address });
  const { mailboxId: id } = outcome!.done as { mailboxId: number };
  const proof = await findLatestOperation(context.db, 'mailbox', id);
  await handleOf(proof!).result();
  expect((await getMailbox(context.db, id)).status).toBe('active');
  for (const grant of await listGrants(context.db, id)) {
    tokens.add(context.cipher.open(grant.refresh_token, refreshTokenBinding(grant.id)));
  }
  return id;
}

/** As if its proof had failed. */
const markFailed = (id: number) =>
  world.context.db
    .updateTable('mailboxes')
    .set({ status: 'failed' })
    .where('id', '=', id)
    .execute();

/** Deletes it to the end; the lines of the log that say why something stays at a vendor. */
async function remove(userId: string, id: number): Promise<string[]> {
  const { context } = world;
  const { db } = context;
  await deleteMailbox(context, { userId, id });
  const deletion = await findLatestOperation(db, 'mailbox', id);
  await handleOf(deletion!).result();
  const ended = await findLatestOperation(db, 'mailbox', id);
  expect(ended).toMatchObject({ kind: 'deleteMailbox', state: 'succeeded' });
  expect((await getMailbox(db, id)).status).toBe('deleted');
  expect(await hasGrants(db, id)).toBe(false);
  const events = await db
    .selectFrom('operation_events')
    .selectAll()
    .where('operation_id', '=', ended!.id)
    .orderBy('id')
    .execute();
  const told = JSON.stringify([ended, events, await handleOf(ended!).fetchHistory()]);
  for (const token of tokens) expect(told).not.toContain(token);
  return events.filter(({ kind }) => kind === 'consent_left').map(({ reason }) => reason);
}

const fault = (kind: string, more: object = {}) =>
  world.sandbox.control('POST', '/faults', {
    vendor: 'google',
    operation: 'POST /revoke',
    kind,
    ...more,
  });

/** Calls of the vendor's that take a consent back. */
async function revocations(vendor: OauthProvider): Promise<number> {
  const { body } = await world.sandbox.control('GET', `/requests?vendor=${vendor}`);
  const { requests } = body as { requests: { path: string }[] };
  return requests.filter(({ path }) => path.endsWith('/revoke')).length;
}

const holds = async (provider: OauthProvider, address: string) =>
  (await allowingAt(world.sandbox, provider)).includes(address);

describe('deleting a mailbox at google', () => {
  const at = (name: string) => `${name}@google-leavers.test`;

  it.each<FaultKind>([
    'fails_twice',
    'dies_before_call',
    'dies_before_record',
    'dies_after_effect',
    'all_twice',
  ])('takes its consent back where the step %s', { timeout: TIME_LIMIT }, async (kind) => {
    const address = at(kind.replaceAll('_', '-'));
    const id = await connect(ann, 'google', address);
    expect(await holds('google', address)).toBe(true);
    const plan: Plan = { kind, at: 'consent_revoke', undo: 'once', hits: 0 };
    next = plan;
    expect(await remove(ann, id)).toEqual([]);
    expect(await holds('google', address)).toBe(false);
    // A run with every activity twice strikes none.
    expect(plan.hits > 1 || kind === 'all_twice').toBe(true);
  });

  it.each([
    ['is away for a while', 'error_500', 3],
    ['wants to be asked later', 'rate_limited', 1],
    ['does it and does not answer', 'timeout_after_effect', 1],
  ])(
    'takes its consent back where the vendor %s',
    { timeout: TIME_LIMIT },
    async (_, kind, times) => {
      const address = at(kind.replaceAll('_', '-'));
      const id = await connect(ann, 'google', address);
      await fault(kind, { times });
      expect(await remove(ann, id)).toEqual([]);
      expect(await holds('google', address)).toBe(false);
    },
  );

  it('is done where its owner has taken it back before', { timeout: TIME_LIMIT }, async () => {
    const id = await connect(ann, 'google', at('early'));
    await world.sandbox.control('POST', '/oauth/google/revoke', { address: at('early') });
    expect(await remove(ann, id)).toEqual([]);
  });

  it(
    'gives up on a vendor that stays away, and says what its owner can do',
    { timeout: TIME_LIMIT },
    async () => {
      const id = await connect(ann, 'google', at('away'));
      await fault('error_500');
      const before = await revocations('google');
      const [told, ...more] = await remove(ann, id);
      expect(more).toEqual([]);
      expect(told).toMatch(/stays at the vendor: google: POST .*503/);
      expect(told).toContain('https://myaccount.google.com/connections');
      expect(await revocations('google')).toBeGreaterThan(before + 10);
      expect(await holds('google', at('away'))).toBe(true);
    },
  );

  it('gives up at once where the vendor refuses us', { timeout: TIME_LIMIT }, async () => {
    const id = await connect(ann, 'google', at('refused'));
    await fault('auth');
    const before = await revocations('google');
    expect(await remove(ann, id)).toEqual([expect.stringContaining('invalid_client')]);
    expect(await revocations('google')).toBe(before + 1);
  });

  it(
    'leaves the consent to another account that uses the mailbox since, and then takes it back',
    { timeout: TIME_LIMIT },
    async () => {
      const failed = await connect(ann, 'google', at('shared'));
      await markFailed(failed);
      const live = await connect(bob, 'google', at('shared'));
      const before = await revocations('google');
      expect(await remove(ann, failed)).toEqual([expect.stringContaining('another mailbox uses')]);
      expect(await revocations('google')).toBe(before);
      expect(await holds('google', at('shared'))).toBe(true);
      expect(await remove(bob, live)).toEqual([]);
      expect(await holds('google', at('shared'))).toBe(false);
    },
  );

  it(
    'knows the account by the name that the vendor has for it, whatever its address is',
    { timeout: TIME_LIMIT },
    async () => {
      const { db } = world.context;
      const [old, renamed] = [
        await connect(ann, 'google', at('old')),
        await connect(bob, 'google', at('renamed')),
      ];
      const [grant] = await listGrants(db, old);
      expect(grant!.subject).toMatch(/\w/);
      await db
        .updateTable('oauth_grants')
        .set({ subject: grant!.subject })
        .where('mailbox_id', '=', renamed)
        .execute();
      expect(await remove(ann, old)).toEqual([expect.stringContaining('another mailbox uses')]);
    },
  );

  it('takes back the consent of one that was never proven', { timeout: TIME_LIMIT }, async () => {
    const id = await connect(ann, 'google', at('unproven'));
    await markFailed(id);
    expect(await remove(ann, id)).toEqual([]);
    expect(await holds('google', at('unproven'))).toBe(false);
  });

  it('does not when it is only connected again', { timeout: TIME_LIMIT }, async () => {
    const before = await revocations('google');
    const id = await connect(ann, 'google', at('again'));
    expect(await connect(ann, 'google', at('again'))).toBe(id);
    expect(await revocations('google')).toBe(before);
    expect(await holds('google', at('again'))).toBe(true);
  });
});

describe('deleting a mailbox at microsoft', () => {
  it('calls nothing, and says what its owner can do', { timeout: TIME_LIMIT }, async () => {
    const address = 'ann@microsoft-leavers.test';
    const id = await connect(ann, 'microsoft', address);
    const [told, ...more] = await remove(ann, id);
    expect(more).toEqual([]);
    expect(told).toContain('https://myapps.microsoft.com');
    expect(told).toContain('https://account.microsoft.com/privacy');
    expect(await revocations('microsoft')).toBe(0);
    expect(await holds('microsoft', address)).toBe(true);
  });
});
