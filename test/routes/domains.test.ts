/** Buying a domain over HTTP where the registrar or its workflow fails. Choice 25. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { domainRoutes } from '../../src/routes/domains/domains.ts';
import { mailboxRoutes } from '../../src/routes/mailboxes/mailboxes.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { takeClock, type TakenClock } from '../support/tools/taken-clock.ts';

/** What the registrar asks for. */
const WAIT_MS = 2_600;

const { api, database } = describeApi(() => {
  const silent = { error: () => undefined, warn: () => undefined };
  const stubs = { registrars: { namecom: registrar }, startOperation, logger: silent };
  return { context: stubs as unknown as Partial<Context> };
});
let token: string;
let userId: string;
let quotes = 0;
let isLimited = false;
let clock: TakenClock | undefined;
let ending: { code: string; message: string } | undefined;

const registrar = {
  name: 'namecom',
  recordTypes: ['A'],
  async quote() {
    quotes += 1;
    // Each comes after the wait before it, however late a busy machine is.
    if (quotes > 1) clock?.pass(WAIT_MS);
    const facts = { provider: 'namecom', retryAfterMs: WAIT_MS };
    if (isLimited) throw new ProviderError('rate_limited', 'namecom 10.1.2.3: slow down', facts);
    return { available: true, premium: false, priceCents: 1_200, termYears: 1 };
  },
};

/** The workflow ends at once, as `ending` says. */
async function startOperation({ id }: { id: number }): Promise<boolean> {
  if (!ending) return false;
  const { code: error_code, message: error_message } = ending;
  await database.db
    .updateTable('operations')
    .set({ state: 'failed', error_code, error_message, finished_at: new Date() })
    .where('id', '=', id)
    .execute();
  return true;
}

beforeAll(async () => {
  userId = await userWith(database.db, 10_000);
  token = await api.jwt(userId);
});

const buy = (domain: string) => api.call('POST', '/v1/domains', { token, body: { domain } });

describe('POST /v1/domains', () => {
  it('502 after one wait for a registrar that limits its rate, in words of ours', async () => {
    isLimited = true;
    clock = takeClock();
    clock.stop();
    const { status, body } = await buy('limited.com');
    isLimited = false;
    clock.giveBack();
    clock = undefined;
    expect([status, body.error]).toEqual([
      502,
      'The registrar is not available; try again shortly',
    ]);
    // Another wait would be over after 5.2 s, which is longer than a request may take.
    expect(quotes).toBe(2);
  });

  it('502 without the vendor’s words for a purchase that failed at the vendor', async () => {
    ending = { code: 'PROVIDER_UNAVAILABLE', message: 'POST 10.1.2.3/orders: bad gateway' };
    const { status, body } = await buy('failing.com');
    expect([status, body.code]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
    expect(body.error).toBe('A provider is not available; try again shortly');
    ending = undefined;
  });
});

describe('the log line of a request that starts a workflow', () => {
  const run = async (route: { handler: (input: never) => unknown }, input: object) => {
    const notes: string[] = [];
    const noteWorkflow = (note: string) => notes.push(note);
    await route.handler({ user: { userId }, noteWorkflow, ...input } as never);
    return notes;
  };

  it('names that of a purchase', async () => {
    const [route] = domainRoutes(api.context);
    expect(await run(route!, { body: { domain: 'noted.com' } })).toEqual([
      expect.stringMatching(/^domain\/\d+\/[0-9a-f]{16}$/),
    ]);
  });

  it('names that of a mailbox', async () => {
    const order = { domain: 'mailed.com', useExistingVps: false };
    const { id: clusterId } = await createCluster(api.context, userId, order);
    await database.db.updateTable('clusters').set({ status: 'active' }).execute();
    const [route] = mailboxRoutes(api.context);
    const input = { params: { clusterId }, body: { email: 'ada@mailed.com' } };
    expect(await run(route!, input)).toEqual([
      expect.stringMatching(/^mailbox\/\d+\/[0-9a-f]{16}$/),
    ]);
  });
});
