/** The port of e-mail verifiers: every adapter against its stand-in, and Reacher's against its spec. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createProbePlaces } from '../../../src/db/email-validation/probe-places.ts';
import type { ProbePlaces } from '../../../src/domain/email-validation/probe-places.ts';
import type { EmailVerifier } from '../../../src/providers/email-verifiers/port.ts';
import { emailVerifiers } from '../../../src/providers/email-verifiers/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import {
  sandboxChecker,
  sandboxVerifier,
  type VerifierName,
} from '../../support/mail/email-world.ts';
import { verdictsOf } from '../../support/mail/mx-lab.ts';
import { providerError } from '../../support/vendors/provider-error.ts';
import { loadProviderSpec, specMissing } from '../../support/vendors/provider-spec.ts';
import { startTestSandbox, type TestSandbox } from '../../support/vendors/sandbox.ts';

let database: TestDatabase;
let sandbox: TestSandbox;
beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = await startTestSandbox({ pace: 4 });
});
afterEach(async () => {
  await sandbox.control('DELETE', '/faults');
  for (const vendor of ['reacher', 'zerobounce']) {
    await sandbox.control('PUT', '/credits', { vendor, credits: 100_000 });
  }
});
afterAll(async () => {
  await sandbox.remove();
  await database.close();
});

const names = Object.keys(emailVerifiers) as VerifierName[];
const vendors = ['reacher', 'zerobounce'] as const;

/** Addresses by what each verifier has to say of them. */
const addresses: Record<VerifierName, Record<string, string[]>> = {
  reacher: {
    valid: ['ann@acme.test', 'info@acme.test'],
    invalid: ['invalid-1@acme.test', 'bounce-1@acme.test'],
    risky: ['ann@catchall-1.test', 'disposable-1@acme.test'],
    unknown: ['unknown-1@acme.test'],
  },
  zerobounce: {
    valid: ['ann@acme.test', 'info@acme.test', 'donotmail@example.com', 'valid@example.com'],
    invalid: ['invalid-1@acme.test', 'bounce-1@acme.test', 'invalid@example.com'],
    risky: [
      'ann@catchall-1.test',
      'disposable-1@acme.test',
      'spamtrap@example.com',
      'abuse@example.com',
      'toxic@example.com',
      'mailbox_quota_exceeded@example.com',
      'role_based_catch_all@example.com',
    ],
    unknown: [
      'unknown-1@acme.test',
      'greylisted@example.com',
      'antispam_system@example.com',
      'no_dns_entries@example.com',
    ],
  },
  smtp_probe: {
    valid: ['user@pipelining.mxlab.test', 'ann@plain.mxlab.test', 'ann.lee@gmail.com'],
    invalid: ['gone@pipelining.mxlab.test', 'invalid-1@plain.mxlab.test', 'bounce-1@gmail.com'],
    risky: ['user@catchall.mxlab.test', 'full-1@plain.mxlab.test'],
    unknown: ['user@greylist.mxlab.test', 'user@blocked.mxlab.test', 'user@refusing.mxlab.test'],
  },
};

describe.each(names)('%s', (name) => {
  let verifier: EmailVerifier;
  beforeAll(() => {
    verifier = sandboxVerifier(sandbox, name, {}, { probePlaces: createProbePlaces(database.db) });
  });

  it('answers each address once, with what it can tell', async () => {
    const expected = Object.entries(addresses[name]).flatMap(([status, emails]) =>
      emails.map((email) => [email, status] as const),
    );
    const verdicts = await verdictsOf(
      verifier,
      expected.map(([email]) => email),
    );
    const told = [...verdicts].map(([email, { status }]) => [email, status]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
    for (const verdict of verdicts.values()) {
      expect(Object.keys(verdict).toSorted()).toEqual(
        ['catchAll', 'disabled', 'disposable', 'fullInbox', 'reason', 'smtp', 'status'].toSorted(),
      );
    }
  });

  it('answers one address as it answers many', async () => {
    for (const [status, [first]] of Object.entries(addresses[name])) {
      // Whoever was greylisted above may have passed since.
      const email = first!.replace('user@greylist.', 'another@greylist.');
      const verdicts = await verdictsOf(verifier, [email]);
      expect({ email, status: verdicts.get(email)?.status }).toEqual({ email, status });
    }
  });

  it('answers no addresses with nothing', async () => {
    expect(await verdictsOf(verifier, [])).toEqual(new Map());
  });

  it('is stopped by its signal', async () => {
    // Those of the probe would take a minute.
    const length = name === 'smtp_probe' ? 250 : 50;
    const emails = Array.from({ length }, (_, n) => `user${n}@slow.mxlab.test`);
    if (name !== 'smtp_probe') {
      await sandbox.control('POST', '/faults', { vendor: name, kind: 'slow', delayMs: 60_000 });
    }
    const probePlaces = createProbePlaces(database.db);
    const patient = sandboxVerifier(sandbox, name, {}, { timeoutMs: 90_000, probePlaces });
    // A batch that was sent is waited for, since it is paid for: who waits for a turn is stopped.
    const sent = name === 'zerobounce' ? verdictsOf(patient, emails.slice(0, 10)) : undefined;
    const turn = sql`select from leases where name = 'probe 1 zerobounce'`;
    const turns = async () => (await turn.execute(database.db)).rows;
    await expect.poll(turns).toHaveLength(sent ? 1 : 0);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const startedMs = Date.now();
    await expect(verdictsOf(patient, emails, stop.signal)).rejects.toThrow('abort');
    expect(Date.now() - startedMs).toBeLessThan(30_000);
    await sandbox.control('DELETE', '/faults');
    await sent;
  });

  it("passes on the listener's own failure", async () => {
    const email = addresses[name]['valid']![0]!;
    const onResult = () => Promise.reject(new Error('the disk is full'));
    await expect(verifier.verify([email], { onResult })).rejects.toThrow('the disk is full');
  });
});

describe.each(vendors)('%s as a vendor', (vendor) => {
  const many = Array.from({ length: 30 }, (_, n) => `user${n}@acme.test`);
  const fault = (kind: string, times?: number) =>
    sandbox.control('POST', '/faults', { vendor, kind, ...(times && { times }) });

  it.each([['one address', ['ann@acme.test']] as const, ['many', many] as const])(
    'without credits throws quota for %s, with what an operator can do',
    async (_title, emails) => {
      await sandbox.control('PUT', '/credits', { vendor, credits: 0 });
      const error = await providerError(verdictsOf(sandboxVerifier(sandbox, vendor), emails));
      expect(error).toMatchObject({ kind: 'quota', facts: { provider: vendor } });
      expect(error.facts.operatorHint).toMatch(/credits .* used up/);
    },
  );

  it('with a wrong key throws auth, and the key stays out of the error', async () => {
    const changed = { [`${vendor.toUpperCase()}_KEY`]: 'a-wrong-secret-key' };
    for (const emails of [['ann@acme.test'], many]) {
      const stranger = sandboxVerifier(sandbox, vendor, changed);
      const error = await providerError(verdictsOf(stranger, emails));
      expect(error.kind).toBe('auth');
      expect(error.facts.operatorHint).toContain(`${vendor.toUpperCase()}_KEY`);
      expect(JSON.stringify(error) + error.message).not.toContain('a-wrong-secret-key');
    }
  });

  it('asked too often throws rate_limited', async () => {
    await fault('rate_limited');
    const error = await providerError(
      verdictsOf(sandboxVerifier(sandbox, vendor), ['ann@acme.test']),
    );
    expect(error.kind).toBe('rate_limited');
    expect(error.facts.retryAfterMs).toBeGreaterThan(0);
  });

  it.each(['error_500', 'reset', 'timeout_before_effect', 'timeout_after_effect'])(
    'down (%s) throws unavailable soon, without asking for each address',
    async (kind) => {
      await fault(kind);
      const verifier = sandboxVerifier(sandbox, vendor, {}, { timeoutMs: 200 });
      const before = (await sandbox.control('GET', `/requests?vendor=${vendor}`)).body.requests;
      const error = await providerError(verdictsOf(verifier, many));
      expect(error.kind).toBe('unavailable');
      const after = (await sandbox.control('GET', `/requests?vendor=${vendor}`)).body.requests;
      expect(after.length - before.length).toBeLessThan(15);
    },
  );

  it('that failed for some has answered the rest', async () => {
    await fault('error_500', 1);
    const told: string[] = [];
    const verifier = sandboxVerifier(sandbox, vendor);
    const few = many.slice(0, 4);
    const onResult = ({ email }: { email: string }) => void told.push(email);
    const error = await providerError(verifier.verify(few, { onResult }));
    expect(error.kind).toBe('unavailable');
    expect(told).toHaveLength(3);
  });
});

describe('ZeroBounce', () => {
  it('is asked about many in one call, which costs one credit each and none for unknown', async () => {
    const before = (await sandbox.control('GET', '/books')).body.verifiers.zerobounce;
    const emails = Array.from({ length: 250 }, (_, n) => `u${n}@acme.test`);
    const verifier = sandboxVerifier(sandbox, 'zerobounce');
    expect((await verdictsOf(verifier, [...emails, 'unknown-2@acme.test'])).size).toBe(251);
    const after = (await sandbox.control('GET', '/books')).body.verifiers.zerobounce;
    expect(after.requests - before.requests).toBe(2);
    expect(after.credits - before.credits).toBe(250);
  });

  it('lets no more batches through in a minute than the vendor takes, whichever process asks', async () => {
    const emails = Array.from({ length: 350 }, (_, n) => `paced${n}@acme.test`);
    const before = (await sandbox.control('GET', '/books')).body.verifiers.zerobounce.requests;
    const startedMs = Date.now();
    const processes = [1, 2].map(() =>
      sandboxVerifier(
        sandbox,
        'zerobounce',
        { ZEROBOUNCE_BATCHES_PER_MINUTE: '60' },
        { probePlaces: createProbePlaces(database.db) },
      ),
    );
    const all = await Promise.all(processes.map((verifier) => verdictsOf(verifier, emails)));
    expect(all.map(({ size }) => size)).toEqual([350, 350]);
    const after = (await sandbox.control('GET', '/books')).body.verifiers.zerobounce.requests;
    expect(after - before).toBe(4);
    expect(Date.now() - startedMs).toBeGreaterThan(3_000);
  });

  it('is left alone for as long as it blocks whoever has sent too many batches', async () => {
    await sandbox.control('POST', '/faults', { vendor: 'zerobounce', kind: 'rate_limited' });
    const emails = Array.from({ length: 10 }, (_, n) => `u${n}@acme.test`);
    const error = await providerError(verdictsOf(sandboxVerifier(sandbox, 'zerobounce'), emails));
    expect(error).toMatchObject({ kind: 'rate_limited', facts: { retryAfterMs: 600_000 } });
  });

  it('is heard to its end about a batch that was sent, for which it is paid', async () => {
    const fault = { vendor: 'zerobounce', kind: 'slow', delayMs: 1_000, times: 1 };
    await sandbox.control('POST', '/faults', fault);
    const turnAtOnce: ProbePlaces = {
      at: async (_vendor, _options, work) => work().then(() => 'done'),
      isResting: async () => false,
      rest: async () => undefined,
    };
    const tools = { timeoutMs: 30_000, probePlaces: turnAtOnce };
    const verifier = sandboxVerifier(sandbox, 'zerobounce', {}, tools);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    const told: string[] = [];
    const emails = Array.from({ length: 10 }, (_, n) => `heard${n}@acme.test`);
    const onResult = ({ email }: { email: string }) => void told.push(email);
    await verifier.verify(emails, { onResult, signal: stop.signal });
    expect(told).toEqual(emails);
  });

  it('is sent no batch by who was stopped while the turn came', async () => {
    const before = (await sandbox.control('GET', '/books')).body.verifiers.zerobounce.requests;
    const stop = new AbortController();
    let turn: Promise<void> | undefined;
    const turnAfterStop: ProbePlaces = {
      at: async (_vendor, _options, work) => {
        stop.abort();
        turn = work();
        return turn.then(() => 'done');
      },
      isResting: async () => false,
      rest: async () => undefined,
    };
    const verifier = sandboxVerifier(sandbox, 'zerobounce', {}, { probePlaces: turnAfterStop });
    const emails = Array.from({ length: 10 }, (_, n) => `unsent${n}@acme.test`);
    const asking = verifier.verify(emails, { onResult: () => undefined, signal: stop.signal });
    await expect(asking).rejects.toThrow('abort');
    await Promise.allSettled([turn]);
    const after = (await sandbox.control('GET', '/books')).body.verifiers.zerobounce.requests;
    expect(after).toBe(before);
  });

  it('is paid once for a batch whose page ended meanwhile and whose addresses are asked about again', async () => {
    const fault = { vendor: 'zerobounce', kind: 'slow', delayMs: 1_000, times: 1 };
    await sandbox.control('POST', '/faults', fault);
    const before = (await sandbox.control('GET', '/books')).body.verifiers.zerobounce;
    const checker = sandboxChecker(database, sandbox, ['zerobounce']);
    const emails = Array.from({ length: 10 }, (_, n) => `once${n}@plain-1.mxlab.test`);
    const page = checker.check(emails, { signal: AbortSignal.timeout(300) });
    await expect(page).rejects.toThrow('timeout');
    const next = await checker.check(emails);
    expect([...next.values()].map(({ status }) => status)).toEqual(Array(10).fill('valid'));
    const after = (await sandbox.control('GET', '/books')).body.verifiers.zerobounce;
    expect(after.credits - before.credits).toBe(10);
  });

  it('has its key in no path that is logged', async () => {
    await verdictsOf(sandboxVerifier(sandbox, 'zerobounce'), ['ann@acme.test']);
    await sandbox.control('POST', '/faults', { vendor: 'zerobounce', kind: 'error_500', times: 1 });
    const verifier = sandboxVerifier(sandbox, 'zerobounce');
    const error = await providerError(verdictsOf(verifier, ['ann@acme.test']));
    expect(JSON.stringify(error) + error.message).not.toContain('zerobounce-sandbox-key');
  });
});

describe('Reacher', () => {
  it("of one's own is sent the secret in its own header", async () => {
    const own = sandboxVerifier(sandbox, 'reacher', {
      REACHER_SELF_HOSTED_URL: `${sandbox.url}/reacher`,
      REACHER_URL: 'http://127.0.0.1:9',
    });
    expect((await verdictsOf(own, ['ann@acme.test'])).size).toBe(1);
    const { body } = await sandbox.control('GET', '/requests?vendor=reacher');
    const last = body.requests.at(-1);
    expect(last.headers).toMatchObject({ 'x-reacher-secret': '***' });
    expect(last.headers.authorization).toBeUndefined();
  });

  const missing = specMissing('reacher.json');
  it.skipIf(missing)(`fits its spec both ways${missing ? ` (${missing})` : ''}`, async () => {
    const spec = loadProviderSpec('reacher.json')!;
    const emails = Object.values(addresses.reacher).flat();
    await verdictsOf(sandboxVerifier(sandbox, 'reacher'), emails);
    const { body } = await sandbox.control('GET', '/requests?vendor=reacher');
    // The file says nothing of refusals.
    const calls = (body.requests as Seen[]).filter(({ status }) => status === 200);
    expect(calls.length).toBeGreaterThan(10);
    const problems = calls.flatMap(({ method, path, body: sent, status, answer }) => [
      ...spec.validateRequest(method, path, sent),
      ...spec.validateResponse(method, path, status, answer),
    ]);
    expect([...new Set(problems)]).toEqual([]);
  });
});

interface Seen {
  method: string;
  path: string;
  body: unknown;
  status: number;
  answer: unknown;
}
