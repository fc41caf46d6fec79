/** The order in which an address is judged: kept results, own checks, the verifiers. Choice 29. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEmailChecker } from '../../src/services/email-validation/email-checker.ts';
import type { EmailChecker } from '../../src/domain/email-validation/email-check.ts';
import { ProviderError, type ProviderErrorKind } from '../../src/domain/errors.ts';
import type { DnsResolver } from '../../src/providers/dns/port.ts';
import type { EmailVerifier, VerifierVerdict } from '../../src/providers/email-verifiers/port.ts';
import { findProviders } from '../../src/db/sending/recipient-providers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSignal } from '../support/tools/signal.ts';

let database: TestDatabase;
let nowMs = Date.parse('2026-11-21T12:00:00Z');
let asked: { by: string; emails: string[] }[];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  asked = [];
  await database.db.deleteFrom('email_checks').execute();
});
afterAll(() => database.close());

const HOUR = 3_600_000;
const VALID: VerifierVerdict = {
  status: 'valid',
  reason: 'mailbox_exists',
  catchAll: false,
  smtp: true,
  fullInbox: false,
  disabled: false,
  disposable: null,
};
const INVALID = { ...VALID, status: 'invalid', reason: 'mailbox_not_found' } as const;
const CATCH_ALL = { ...VALID, status: 'risky', reason: 'catch_all', catchAll: true } as const;
const UNKNOWN = { ...VALID, status: 'unknown', reason: 'no_answer', smtp: null } as const;
const GREYLISTED = { ...UNKNOWN, reason: 'greylisted' } as const;

/** The domains of this world. */
const dns: Pick<DnsResolver, 'resolveA' | 'resolveAaaa' | 'resolveMx'> = {
  resolveMx: async (name) => {
    if (name === 'broken.test') throw new ProviderError('unavailable', 'x', { provider: 'dns' });
    if (name === 'null.test') return [{ exchange: '', priority: 0 }];
    if (name === 'hosted.test') {
      return [
        { exchange: 'backup.hosted.test', priority: 20 },
        { exchange: 'Hosted-test.mail.protection.outlook.com.', priority: 10 },
      ];
    }
    const none = ['gone.test', 'a-only.test', 'aaaa-only.test'];
    return none.includes(name) ? [] : [{ exchange: `mx.${name}`, priority: 10 }];
  },
  resolveA: async (name) => (name === 'a-only.test' ? ['192.0.2.1'] : []),
  resolveAaaa: async (name) => (name === 'aaaa-only.test' ? ['2001:db8::1'] : []),
};

const verdictOf = (email: string): VerifierVerdict => {
  if (email.startsWith('invalid')) return INVALID;
  if (email.startsWith('unknown')) return UNKNOWN;
  if (email.startsWith('grey')) return GREYLISTED;
  return email.includes('catchall') ? CATCH_ALL : VALID;
};

function verifier(name: string, fails?: (call: number) => Error | undefined): EmailVerifier {
  return {
    name,
    async verify(emails, { onResult, signal }) {
      asked.push({ by: name, emails: [...emails] });
      const error = fails?.(asked.filter(({ by }) => by === name).length);
      if (error) throw error;
      for (const email of emails) {
        await new Promise((resolve) => setTimeout(resolve, email.startsWith('slow') ? 200 : 1));
        signal?.throwIfAborted();
        await onResult({ email, verdict: verdictOf(email) });
      }
    },
  };
}

const failure = (kind: ProviderErrorKind, providerCode = kind as string) =>
  new ProviderError(kind, `says ${kind}`, { provider: 'one', providerCode });

function checkerOf(...verifiers: EmailVerifier[]): EmailChecker {
  return createEmailChecker({
    db: database.db,
    dns: dns as DnsResolver,
    emailVerifiers: Object.fromEntries(verifiers.map((each) => [each.name, each])),
    clock: { now: () => new Date(nowMs) },
    logger: pino({ level: 'silent' }),
  });
}

const one = async (checker: EmailChecker, email: string, options = {}) =>
  (await checker.check([email], options)).get(email)!;

describe('own checks', () => {
  it.each([
    ['no address', 'invalid', 'syntax', 0],
    ['ann@gone.test', 'invalid', 'no_mx', 0],
    ['ann@null.test', 'invalid', 'null_mx', 0],
    ['ann@broken.test', 'unknown', 'dns_failure', 40],
    ['ann@mailinator.com', 'risky', 'disposable', 10],
    ['ann@sub.mailinator.com', 'risky', 'disposable', 10],
    ['info@mailinator.com', 'risky', 'disposable', 0],
  ])('%s is %s (%s, %i) and costs no verifier anything', async (email, status, reason, score) => {
    const check = await one(checkerOf(verifier('one')), email);
    expect(check).toMatchObject({ status, reason, score, isValid: false });
    expect(asked).toEqual([]);
  });

  it('keep who hosts the mail of a domain, by the exchanger that it prefers', async () => {
    await checkerOf(verifier('one')).check(['ann@hosted.test', 'bob@own.test', 'eve@gone.test']);
    const domains = ['hosted.test', 'own.test', 'gone.test'];
    expect(await findProviders(database.db, domains)).toEqual(
      new Map([
        ['hosted.test', 'microsoft'],
        ['own.test', 'own.test'],
      ]),
    );
  });

  it.each(['ann@a-only.test', 'ann@aaaa-only.test'])(
    '%s: no MX, but an address takes mail (RFC 5321, 5.1)',
    async (email) => {
      expect(await one(checkerOf(verifier('one')), email)).toMatchObject({ status: 'valid' });
    },
  );

  it('tell what the form of the address says beside what the verifier says', async () => {
    const checker = checkerOf(verifier('one'));
    expect(await one(checker, ' Ann@Acme.test ')).toEqual({
      email: 'Ann@acme.test',
      status: 'valid',
      score: 95,
      isValid: true,
      reason: 'mailbox_exists',
      checks: {
        syntax: true,
        mx: true,
        disposable: false,
        role: false,
        free: false,
        catchAll: false,
        smtp: true,
        fullInbox: false,
        disabled: false,
      },
      suggestion: null,
      checkedAt: '2026-11-21T12:00:00.000Z',
    });
    expect(await one(checker, 'info@acme.test')).toMatchObject({ score: 80, isValid: true });
    expect(await one(checker, 'ann@gmail.com')).toMatchObject({ checks: { free: true } });
    expect(await one(checker, 'ann@gnail.com')).toMatchObject({ suggestion: 'ann@gmail.com' });
    const catchAll = { status: 'risky', score: 60, isValid: false, reason: 'catch_all' };
    expect(await one(checker, 'ann@catchall-1.test')).toMatchObject(catchAll);
    expect(await one(checker, 'info@catchall-1.test')).toMatchObject({ score: 45 });
    const invalid = { status: 'invalid', score: 0, reason: 'mailbox_not_found' };
    expect(await one(checker, 'invalid-1@acme.test')).toMatchObject(invalid);
    const unknown = { status: 'unknown', score: 40, isValid: false };
    expect(await one(checker, 'unknown-1@acme.test')).toMatchObject(unknown);
  });

  it('answer unknown when no verifier is configured', async () => {
    const check = await one(checkerOf(), 'ann@acme.test');
    expect(check).toMatchObject({ status: 'unknown', reason: 'not_verified', score: 40 });
  });
});

describe('kept results', () => {
  it.each([
    ['ann@acme.test', 30 * 24 * HOUR],
    ['invalid-ann@acme.test', 30 * 24 * HOUR],
    ['ann@catchall.test', 7 * 24 * HOUR],
    ['unknown-ann@acme.test', HOUR],
    ['grey-ann@acme.test', HOUR / 12],
  ])('of %s hold for %i ms, in any spelling', async (email, holdsMs) => {
    const checker = checkerOf(verifier('one'));
    const first = await one(checker, email);
    const startedMs = nowMs;
    try {
      nowMs = startedMs + holdsMs - 1_000;
      const other = email.toUpperCase();
      const again = await one(checkerOf(verifier('one')), other);
      expect({ ...again, email: '' }).toEqual({ ...first, email: '' });
      expect(asked).toHaveLength(1);
      nowMs = startedMs + holdsMs + 1_000;
      await one(checker, email);
      expect(asked).toHaveLength(2);
    } finally {
      nowMs = startedMs;
    }
  });

  it('hold no address', async () => {
    await one(checkerOf(verifier('one')), 'very.secret@acme.test');
    const rows = await database.db.selectFrom('email_checks').selectAll().execute();
    expect(rows).toMatchObject([{ status: 'valid', verifier: 'one' }]);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('that are unknown are asked about once more where that is wanted', async () => {
    const checker = checkerOf(verifier('one'));
    await checker.check(['grey-1@acme.test', 'ann@acme.test']);
    await checker.check(['grey-1@acme.test', 'ann@acme.test'], { again: true });
    expect(asked.map(({ emails }) => emails)).toEqual([
      ['grey-1@acme.test', 'ann@acme.test'],
      ['grey-1@acme.test'],
    ]);
  });

  it('are not made of what nobody could be asked about', async () => {
    await one(checkerOf(), 'ann@acme.test');
    expect(await one(checkerOf(verifier('one')), 'ann@acme.test')).toMatchObject({ score: 95 });
  });

  it('stay of a call that is stopped in the middle', async () => {
    const checker = checkerOf(verifier('one'));
    const stop = new AbortController();
    const emails = ['ann@acme.test', 'slow-1@acme.test', 'slow-2@acme.test'];
    const onResult = () => stop.abort();
    await expect(checker.check(emails, { signal: stop.signal, onResult })).rejects.toThrow('abort');
    await checker.check(emails);
    expect(asked[1]!.emails).not.toContain('ann@acme.test');
  });
});

describe('an answer that comes after its call was stopped', () => {
  it('is kept, and told to nobody', async () => {
    let answered = Promise.resolve();
    const stop = new AbortController();
    const late: EmailVerifier = {
      name: 'one',
      verify: (emails, { onResult, signal }) =>
        new Promise((_, reject) => {
          asked.push({ by: 'one', emails: [...emails] });
          setTimeout(() => stop.abort(), 20);
          answered = sleep(100).then(() => onResult({ email: emails[0]!, verdict: VALID }));
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    };
    const told: string[] = [];
    const checker = checkerOf(late);
    const options = { signal: stop.signal, onResult: (email: string) => void told.push(email) };
    await expect(checker.check(['ann@acme.test'], options)).rejects.toThrow('abort');
    await answered;
    expect(told).toEqual([]);
    expect(await one(checker, 'ann@acme.test')).toMatchObject({ status: 'valid' });
    expect(asked).toHaveLength(1);
  });
});

describe('the verifiers', () => {
  it('are asked once for an address that several ask about at the same time', async () => {
    const checker = checkerOf(verifier('one'));
    const answers = await Promise.all([
      checker.check(['slow-1@acme.test', 'ann@acme.test']),
      checker.check(['SLOW-1@acme.test', 'ANN@acme.test', 'bob@acme.test']),
      one(checker, 'slow-1@ACME.test'),
    ]);
    expect(answers[1].get('SLOW-1@acme.test')).toMatchObject({ status: 'valid' });
    expect(answers[2]).toMatchObject({ status: 'valid', email: 'slow-1@acme.test' });
    const all = asked.flatMap(({ emails }) => emails.map((email) => email.toLowerCase()));
    expect(all.toSorted()).toEqual(['ann@acme.test', 'bob@acme.test', 'slow-1@acme.test']);
  });

  it('are not asked again about what they have answered while its call is still under way', async () => {
    const checker = checkerOf(verifier('one'));
    let isTold: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (isTold = resolve));
    // An answer is kept with 49 others, or at the end of its call: until then only the process knows it.
    const onResult = (email: string) => void (email === 'ann@acme.test' && isTold());
    const first = checker.check(['ann@acme.test', 'slow-1@acme.test'], { onResult });
    await told;
    expect(await one(checker, 'ann@acme.test')).toMatchObject({ status: 'valid' });
    await first;
    expect(asked.flatMap(({ emails }) => emails)).toEqual(['ann@acme.test', 'slow-1@acme.test']);
  });

  it('are asked by the one who waits when the one who asked is stopped', async () => {
    const checker = checkerOf(verifier('one'));
    const stop = new AbortController();
    const first = checker.check(['slow-9@acme.test'], { signal: stop.signal });
    const second = one(checker, 'slow-9@acme.test');
    setTimeout(() => stop.abort(), 50);
    await expect(first).rejects.toThrow('abort');
    expect(await second).toMatchObject({ status: 'valid' });
  });

  it.each([
    ['quota', 'verifier_out_of_credits'],
    ['auth', 'verifier_unavailable'],
    ['rate_limited', 'verifier_unavailable'],
    ['unavailable', 'verifier_unavailable'],
    ['rejected', 'verifier_unavailable'],
  ] as const)('%s: the next one answers, and the first is left alone', async (kind, reason) => {
    const broken = verifier('one', () => failure(kind));
    const checker = checkerOf(broken, verifier('two'));
    expect(await one(checker, 'ann@acme.test')).toMatchObject({ status: 'valid' });
    expect(await one(checker, 'bob@acme.test')).toMatchObject({ status: 'valid' });
    expect(asked.map(({ by }) => by)).toEqual(['one', 'two', 'two']);
    const alone = checkerOf(verifier('one', () => failure(kind)));
    for (const email of ['cid@acme.test', 'dan@acme.test']) {
      expect(await one(alone, email)).toMatchObject({ status: 'unknown', reason });
    }
    expect(asked.slice(3).map(({ by }) => by)).toEqual(['one']);
  });

  it('that answer nobody in time: the next one is asked, and the others are not left waiting', async () => {
    const silent = () => failure('unavailable', 'all_silent');
    const checker = checkerOf(verifier('one', silent), verifier('two'));
    expect(await one(checker, 'ann@acme.test')).toMatchObject({ status: 'valid' });
    expect(asked.map(({ by }) => by)).toEqual(['one', 'two']);
    const alone = checkerOf(verifier('three', (call) => (call === 1 ? silent() : undefined)));
    expect(await one(alone, 'bob@acme.test')).toMatchObject({ reason: 'timed_out' });
    expect(await one(alone, 'cid@acme.test')).toMatchObject({ status: 'valid' });
  });

  it('that answer none of several in time rest, which says nothing about others', async () => {
    const alone = checkerOf(verifier('one', () => failure('unavailable', 'all_silent')));
    const emails = ['a@a.test', 'b@b.test', 'c@c.test'];
    const checks = await alone.check(emails);
    expect([...checks.values()].map(({ reason }) => reason)).toEqual(Array(3).fill('timed_out'));
    expect(await one(alone, 'dan@d.test')).toMatchObject({ reason: 'verifier_unavailable' });
  });

  it('are asked again after a rest', async () => {
    const recovering = verifier('one', (call) => (call === 1 ? failure('quota') : undefined));
    const checker = checkerOf(recovering);
    await one(checker, 'ann@acme.test');
    const startedMs = nowMs;
    nowMs += 11 * 60_000;
    expect(await one(checker, 'ann@acme.test')).toMatchObject({ status: 'valid' });
    nowMs = startedMs;
  });

  it('rest as long as the longest of calls that went on at the same time says', async () => {
    const over = createSignal();
    const both = verifier('one', (call) => (call > 1 ? failure('quota') : undefined));
    const tarpit: EmailVerifier = {
      name: 'one',
      async verify(emails, options) {
        if (!emails.includes('tarpit@a.test')) return both.verify(emails, options);
        asked.push({ by: 'one', emails: [...emails] });
        await over.opened;
        throw failure('unavailable', 'all_silent');
      },
    };
    const checker = checkerOf(tarpit);
    const first = one(checker, 'tarpit@a.test');
    await expect.poll(() => asked).toHaveLength(1);
    expect(await one(checker, 'bob@b.test')).toMatchObject({ reason: 'verifier_out_of_credits' });
    over.open();
    expect(await first).toMatchObject({ reason: 'timed_out' });
    expect(await one(checker, 'cid@c.test')).toMatchObject({ reason: 'verifier_out_of_credits' });
    expect(asked).toHaveLength(2);
  });

  it('say that port 25 is closed, which is no fact about an address', async () => {
    const closed = verifier('smtp_probe', () => failure('auth', 'port_25_closed'));
    const check = await one(checkerOf(closed), 'ann@acme.test');
    expect(check).toMatchObject({ status: 'unknown', reason: 'port_25_closed', score: 40 });
  });

  it('answer a thousand addresses, each told once and as given', async () => {
    const emails = Array.from({ length: 1_000 }, (_, n) => `user${n}@d${n % 50}.test`);
    const told: string[] = [];
    const results = await checkerOf(verifier('one')).check([...emails, 'nonsense', emails[0]!], {
      onResult: (given) => void told.push(given),
    });
    expect(told.toSorted()).toEqual([...emails, 'nonsense'].toSorted());
    expect(results.size).toBe(1_001);
    const kept = await database.db.selectFrom('email_checks').selectAll().execute();
    expect(kept).toHaveLength(1_000);
  });

  it("pass on the listener's own failure", async () => {
    const onResult = () => Promise.reject(new Error('the disk is full'));
    const checking = checkerOf(verifier('one')).check(['ann@acme.test'], { onResult });
    await expect(checking).rejects.toThrow('the disk is full');
  });
});
