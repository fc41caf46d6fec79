/** An answer that breaks off in its body is no answer: it is asked for again, by the same key, and has a typed error. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createOutreach,
  OutreachConnectionError,
  waitForCluster,
  type Settings,
} from '../../clients/typescript/src/index.ts';
import { credit } from '../../src/db/wallet/ledger.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { makeHome, outreachWith } from '../support/cli/client.ts';
import { startBrokenAnswers, type BrokenAnswers } from '../support/tools/broken-answers.ts';
import { createSignal } from '../support/tools/signal.ts';
import { movement } from '../support/wallet/wallet.ts';
import { happen } from '../support/webhooks/events.ts';

// No workflow is started.
const { api, database } = describeApi(() => ({
  context: { startOperation: async () => false },
}));
let link: BrokenAnswers;
let apiKey: string;
let userId: string;
let users = 0;

beforeAll(async () => {
  link = await startBrokenAnswers(api.url);
});
beforeEach(async () => {
  link.calls.length = 0;
  link.broken = 0;
  link.matches = /./;
  userId = `broken-${(users += 1)}`;
  apiKey = await api.jwt(userId);
});
afterAll(() => link.close());

const outreachOf = (settings: Partial<Settings> = {}) =>
  createOutreach({ baseUrl: link.url, apiKey, ...settings });
const lists = () => outreachOf().leadLists.list();

describe('an answer that breaks off', () => {
  it('is asked for again by the same key: one thing is made', async () => {
    link.broken = 2;
    const { id } = await outreachOf().leadLists.create({ body: { name: 'Once' } });
    expect(link.calls).toHaveLength(3);
    expect(new Set(link.calls.map(({ key }) => key)).size).toBe(1);
    expect((await lists()).items.map((one) => one.id)).toEqual([id]);
  });

  it('is an error with the key in the end, and a repeat with it makes no second thing', async () => {
    link.broken = 9;
    const body = { name: 'Once' };
    const order = outreachOf({ retries: 1 }).leadLists.create({ body });
    const error = (await order.catch((thrown: unknown) => thrown)) as OutreachConnectionError;
    expect(error).toBeInstanceOf(OutreachConnectionError);
    expect(error.cause).toBeInstanceOf(Error);
    expect(link.calls.map(({ key }) => key)).toEqual([error.idempotencyKey, error.idempotencyKey]);
    link.broken = 0;
    const { idempotencyKey } = error;
    const { id } = await outreachOf().leadLists.create({ body }, { idempotencyKey });
    expect((await lists()).items.map((one) => one.id)).toEqual([id]);
  });

  it('of a deletion is no answer, and is not repeated', async () => {
    const { id } = await outreachOf().leadLists.create({ body: { name: 'Gone' } });
    link.broken = 1;
    const error = await outreachOf()
      .leadLists.delete({ id })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutreachConnectionError);
    expect((await lists()).items).toEqual([]);
  });

  it('of a refusal is asked for again, too', async () => {
    link.broken = 1;
    const order = outreachOf().leadLists.create({ body: { name: '' } });
    await expect(order).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(link.calls).toHaveLength(2);
  });

  it.each([
    ['a list', () => outreachOf().leadLists.list()],
    ['a file', () => outreachOf().leads.export()],
  ])('of %s is read again', async (_what, read) => {
    link.broken = 1;
    await read();
    expect(link.calls).toHaveLength(2);
  });

  it('is waited for no longer than one try may last', async () => {
    // It sends its headers, and never ends.
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const { signal } = init!;
      const body = new ReadableStream({
        start: (rest) => signal!.addEventListener('abort', () => rest.error(signal!.reason)),
      });
      return new Response(body, { status: 200 });
    };
    const short = { fetch, timeoutSeconds: 0.05, retries: 0 };
    await expect(outreachOf(short).wallet.read()).rejects.toBeInstanceOf(OutreachConnectionError);
    const stop = new AbortController();
    const call = outreachOf({ fetch }).wallet.read({}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(call).rejects.toThrow('enough');
  });

  it('does not end a wait', async () => {
    await outreachOf().account.read();
    await database.db.transaction().execute((trx) => credit(trx, movement(userId, 100_000)));
    const cluster = await outreachOf().clusters.create({ body: { domain: 'wait-broken.com' } });
    link.broken = 1;
    const quickly = { pollSeconds: 0.02, timeLimitSeconds: 20 };
    const waiting = waitForCluster(outreachOf(), cluster, quickly);
    await database.db.updateTable('clusters').set({ status: 'active' }).execute();
    expect((await waiting).status).toBe('active');
    expect(link.broken).toBe(0);
  });
});

describe('on the command line', () => {
  const environment = () => ({ OUTREACH_URL: link.url, OUTREACH_API_KEY: apiKey });

  it(
    'what may have been done is said to be repeated by its key',
    { timeout: 120_000 },
    async () => {
      link.broken = 9;
      link.matches = /^POST/;
      const argv = ['leads', 'discover', 'shoes', '--yes', '--idempotency-key', 'my-key'];
      const { code, err } = await outreachWith(environment(), argv);
      expect(code).toBe(1);
      expect(err).toContain('repeat it with --idempotency-key my-key');
      link.broken = 0;
      expect((await outreachWith(environment(), argv)).code).toBe(0);
      expect((await outreachOf().leadProcesses.list()).items).toHaveLength(1);
    },
  );

  it('`webhooks listen` goes on', async () => {
    const { home, remove } = await makeHome();
    const begun = createSignal();
    const argv = ['webhooks', 'listen', '--forward', `${link.url}/hook`, '--interval', '1'];
    const listening = outreachWith(
      { ...environment(), HOME: home },
      [...argv, '--count', '1'],
      undefined,
      (line) => {
        if (line.startsWith('Events of ')) begun.open();
      },
    );
    await begun.opened;
    link.broken = 1;
    link.matches = /events/;
    await happen(database.db, [{ userId, type: 'email.sent', resource: 'lead/1', payload: {} }]);
    const { code, out } = await listening;
    expect([code, link.broken]).toEqual([0, 0]);
    expect(out).toContain('lead/1');
    await remove();
  });
});
