/** The built-in probe against the lab's mail exchangers. Choice 29; docs/benchmarks.md#numbers. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DnsResolver } from '../../../src/providers/dns/port.ts';
import type { EmailVerifier } from '../../../src/providers/email-verifiers/port.ts';
import type { ProviderTools } from '../../../src/providers/vendor.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { HONEST, labProbe, UNWILLING, verdictsOf } from '../../support/mail/mx-lab.ts';
import { providerError } from '../../support/vendors/provider-error.ts';
import { startTestSandbox, type TestSandbox } from '../../support/vendors/sandbox.ts';

let database: TestDatabase;
let sandbox: TestSandbox;
/** As a process of its own would have it. */
const newProbe = (tools: Partial<ProviderTools> = {}) =>
  labProbe({ sandbox, db: database.db }, tools);
let probe: EmailVerifier;
beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = await startTestSandbox({ pace: 4 });
  probe = newProbe();
});
afterAll(async () => {
  await sandbox.remove();
  await database.close();
});

interface Notes {
  connections: number;
  recipients: number;
  messages: number;
  improperPipelining: number;
  quits: number;
  mostAtOnce: Record<string, number>;
}
const notes = async (): Promise<Notes> => (await sandbox.control('GET', '/books')).body.mxLab;

/** How much the lab's notes grow meanwhile. */
async function during(work: () => Promise<unknown>): Promise<Notes> {
  const before = await notes();
  await work();
  // A farewell may still be on its way.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { mostAtOnce, ...after } = await notes();
  const grown = Object.entries(after).map(([name, n]) => [
    name,
    n - before[name as keyof typeof after],
  ]);
  return { ...Object.fromEntries(grown), mostAtOnce } as Notes;
}

describe('a server that tells mailboxes apart', () => {
  it.each([...HONEST, 'large'])('%s: both kinds are told', async (server) => {
    const domain = server === 'large' ? 'gmail.com' : `${server}.mxlab.test`;
    const there = [`user@${domain}`, `ann@${domain}`];
    const gone = [`bounce-one@${domain}`, `invalid-two@${domain}`, `gone.three.4.5@${domain}`];
    const verdicts = await verdictsOf(probe, [...there, ...gone]);
    for (const email of there) {
      expect(verdicts.get(email)).toMatchObject({
        status: 'valid',
        reason: 'mailbox_exists',
        catchAll: false,
        smtp: true,
      });
    }
    for (const email of gone) {
      expect(verdicts.get(email)).toMatchObject({ status: 'invalid', reason: 'mailbox_not_found' });
    }
  });

  it('that is terse is understood by what it says of an address that nobody has', async () => {
    const at = (local: string) => `${local}@terse.mxlab.test`;
    const verdicts = await verdictsOf(probe, [at('gone'), at('user')]);
    expect(verdicts.get(at('user'))).toMatchObject({ status: 'valid' });
    expect(verdicts.get(at('gone'))).toMatchObject({ status: 'invalid' });
    // Alone it may be about us: nobody was taken.
    const alone = await verdictsOf(newProbe(), [at('gone')]);
    expect(alone.get(at('gone'))).toMatchObject({ status: 'unknown', reason: 'probe_refused' });
  });

  it('tells full and disabled mailboxes', async () => {
    const at = (local: string) => `${local}@pipelining.mxlab.test`;
    const verdicts = await verdictsOf(probe, [at('full-1'), at('disabled-1')]);
    expect(verdicts.get(at('full-1'))).toMatchObject({ status: 'risky', fullInbox: true });
    expect(verdicts.get(at('disabled-1'))).toMatchObject({ status: 'invalid', disabled: true });
  });

  it('that takes everything is a catch-all', async () => {
    const emails = ['user@catchall.mxlab.test', 'nobody@catchall-2.mxlab.test'];
    const verdicts = await verdictsOf(probe, emails);
    for (const email of emails) {
      const expected = { status: 'risky', reason: 'catch_all', catchAll: true };
      expect(verdicts.get(email)).toMatchObject(expected);
    }
  });

  it('is asked in SMTPUTF8 about what needs it, and only where it speaks that', async () => {
    const here = 'jürgen@utf8.mxlab.test';
    const not = 'jürgen@plain.mxlab.test';
    const verdicts = await verdictsOf(probe, [here, not, 'user@utf8.mxlab.test']);
    expect(verdicts.get(here)).toMatchObject({ status: 'valid' });
    expect(verdicts.get('user@utf8.mxlab.test')).toMatchObject({ status: 'valid' });
    expect(verdicts.get(not)).toMatchObject({ status: 'unknown', reason: 'smtputf8_missing' });
  });

  it('that is slow is waited for', async () => {
    const verdicts = await verdictsOf(probe, ['user@slow.mxlab.test']);
    expect(verdicts.get('user@slow.mxlab.test')).toMatchObject({ status: 'valid' });
  });
});

describe('what is not about a mailbox', () => {
  it.each(Object.entries(UNWILLING))('%s is unknown, never invalid', async (server, reason) => {
    const emails = ['user', 'gone'].map((local) => `${local}@${server}.mxlab.test`);
    const hasty = newProbe({ timeoutMs: 1_000 });
    const verdicts = await verdictsOf(hasty, emails);
    for (const email of emails) {
      expect(verdicts.get(email)).toMatchObject({ status: 'unknown', reason });
    }
  });

  it('passes: a greylisted address is told when it is asked about again', async () => {
    const emails = ['user-5', 'gone-5'].map((local) => `${local}@greylist-5.mxlab.test`);
    const first = await verdictsOf(probe, emails);
    expect([...first.values()].map(({ reason }) => reason)).toEqual(['greylisted', 'greylisted']);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const second = await verdictsOf(probe, emails);
    expect([...second.values()].map(({ status }) => status)).toEqual(['valid', 'invalid']);
  });

  it('is a DNS that does not answer', async () => {
    await sandbox.control('POST', '/faults', { vendor: 'dns', kind: 'error_500' });
    const verdicts = await verdictsOf(probe, ['user@pipelining-9.mxlab.test']);
    await sandbox.control('DELETE', '/faults');
    const [verdict] = verdicts.values();
    expect(verdict).toMatchObject({ status: 'unknown', reason: 'dns_failure' });
  });
});

describe('manners', () => {
  const many = (domain: string, count: number) =>
    Array.from({ length: count }, (_, n) => `user${n}@${domain}`);

  it('hundred addresses of an exchanger take two connections at most, and no message', async () => {
    const before = await notes();
    const seen = await during(async () => {
      const verdicts = await verdictsOf(newProbe(), [
        ...many('pipelining-1.mxlab.test', 60),
        ...many('pipelining-2.mxlab.test', 40),
      ]);
      expect([...verdicts.values()].every(({ status }) => status === 'valid')).toBe(true);
    });
    expect(seen.connections).toBeLessThanOrEqual(2);
    expect(seen.recipients).toBe(102);
    expect(seen).toMatchObject({ messages: 0, improperPipelining: 0 });
    // The last one is not waited for.
    await expect.poll(async () => (await notes()).quits - before.quits).toBe(seen.connections);
  });

  it('a server without PIPELINING gets one command at a time', async () => {
    const seen = await during(() => verdictsOf(probe, many('plain-1.mxlab.test', 10)));
    expect(seen).toMatchObject({ improperPipelining: 0, recipients: 11 });
  });

  it('a domain whose test has spoken is not tested again', async () => {
    const own = newProbe();
    await verdictsOf(own, ['user@pipelining-3.mxlab.test']);
    const seen = await during(() => verdictsOf(own, ['ann@pipelining-3.mxlab.test']));
    expect(seen.recipients).toBe(1);
  });

  it('several callers together keep to the limit of an exchanger', async () => {
    const own = newProbe();
    const seen = await during(() =>
      Promise.all([1, 2, 3, 4, 5, 6].map((n) => verdictsOf(own, many(`slow-${n}.mxlab.test`, 2)))),
    );
    expect(seen.connections).toBe(6);
    expect(seen.mostAtOnce['slow']).toBe(2);
  });

  it('companies of one provider share its connections, whatever their exchangers are called', async () => {
    const tenants = (from: number) =>
      [0, 1, 2, 3].map((n) => `user@tenants-${from + n}.mxlab.test`);
    // As two processes.
    const [one, other] = [newProbe(), newProbe()];
    const seen = await during(async () => {
      const verdicts = await Promise.all([
        verdictsOf(one, tenants(1)),
        verdictsOf(other, tenants(5)),
      ]);
      for (const told of verdicts) {
        expect([...told.values()].map(({ status }) => status)).toEqual(Array(4).fill('valid'));
      }
    });
    expect(seen.connections).toBe(8);
    expect(seen.mostAtOnce['tenants']).toBe(2);
  });

  it('a call that is stopped ends at once and hangs up', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const startedMs = Date.now();
    const emails = [...many('stuck.mxlab.test', 3), ...many('mute.mxlab.test', 3)];
    await expect(verdictsOf(probe, emails, stop.signal)).rejects.toThrow('abort');
    expect(Date.now() - startedMs).toBeLessThan(10_000);
  });

  it("a listener's own failure ends the call", async () => {
    const onResult = () => Promise.reject(new Error('the disk is full'));
    const emails = many('pipelining-4.mxlab.test', 5);
    await expect(probe.verify(emails, { onResult })).rejects.toThrow('the disk is full');
  });
});

describe('a provider that says our address is listed', () => {
  it('is asked no further, by no process, until its rest is over', async () => {
    const emails = ['user-1', 'user-2'].map((local) => `${local}@blocked-sender-1.mxlab.test`);
    await sql`delete from probe_rests`.execute(database.db);
    const listed = { status: 'unknown', reason: 'probe_blocklisted' };
    const first = await during(() => verdictsOf(newProbe(), emails));
    expect(first.connections).toBe(1);
    const meanwhile = await during(async () => {
      for (const verdict of (await verdictsOf(newProbe(), emails)).values()) {
        expect(verdict).toMatchObject(listed);
      }
    });
    expect(meanwhile.connections).toBe(0);
    await sql`update probe_rests set rests_until = now()`.execute(database.db);
    const afterwards = await during(() => verdictsOf(newProbe(), emails));
    expect(afterwards.connections).toBe(1);
  });

  it('is believed in what it told before, and never about who is there after it', async () => {
    const at = (local: string) => `${local}@blocked-late-1.mxlab.test`;
    const verdicts = await verdictsOf(newProbe(), ['user', 'gone', 'ann', 'gone-2', 'bob'].map(at));
    const told = [...verdicts].map(([email, { status }]) => [email.split('@')[0], status]);
    expect(Object.fromEntries(told)).toEqual({
      user: 'valid',
      gone: 'invalid',
      ann: 'unknown',
      'gone-2': 'unknown',
      bob: 'unknown',
    });
  });
});

describe('port 25', () => {
  /** Everybody's mail is at an address of the world where nobody listens. */
  const nowhere: Pick<DnsResolver, 'resolveA' | 'resolveMx'> = {
    resolveMx: async (name) => [{ exchange: `mx.${name}`, priority: 10 }],
    resolveA: async () => ['198.19.255.254'],
  };

  it('is found closed, and said as what an operator has to cure', async () => {
    const closed = newProbe({ dns: nowhere });
    const error = await providerError(verdictsOf(closed, ['ann@acme.test', 'bob@other.test']));
    expect(error).toMatchObject({ kind: 'auth', facts: { providerCode: 'port_25_closed' } });
    expect(error.facts.operatorHint).toContain('port 25 is closed');
  });

  it('is not blamed for one dead server', async () => {
    const email = 'ann@nowhere.mxlab.test';
    const verdicts = await verdictsOf(newProbe(), [email]);
    expect(verdicts.get(email)).toMatchObject({ status: 'unknown', reason: 'unreachable' });
  });
});

describe('the lab as a whole', () => {
  it('is told right in at least 99.5 % of hundreds of addresses; nobody there is called invalid', async () => {
    const expected = new Map<string, string>();
    const unwilling = new Map<string, string>();
    for (const server of HONEST) {
      for (let n = 0; n < 20; n += 1) {
        expected.set(`user${n}@${server}-${(n % 3) + 20}.mxlab.test`, 'valid');
        expected.set(`gone${n}@${server}-${(n % 3) + 20}.mxlab.test`, 'invalid');
      }
    }
    for (let n = 0; n < 30; n += 1) expected.set(`user${n}@catchall-${n}.mxlab.test`, 'risky');
    for (const server of Object.keys(UNWILLING)) {
      for (let n = 0; n < 4; n += 1) unwilling.set(`user${n}@${server}-30.mxlab.test`, 'unknown');
    }
    // Who answers may do so late on busy cores; of who does not, most is waiting.
    const [answered, others] = await Promise.all([
      verdictsOf(newProbe(), [...expected.keys()]),
      verdictsOf(newProbe({ timeoutMs: 2_000 }), [...unwilling.keys()]),
    ]);
    const verdicts = new Map([...answered, ...others]);
    for (const [email, status] of unwilling) expected.set(email, status);
    const wrong = [...expected].filter(([email, status]) => verdicts.get(email)?.status !== status);
    const told = wrong.map(([email]) => `${email} ${verdicts.get(email)?.reason}`);
    expect(expected.size).toBeGreaterThan(500);
    // All of them, in fact; the names of the wrong ones are what a failing test has to show.
    expect(told).toEqual([]);
    expect(wrong.length / expected.size).toBeLessThanOrEqual(0.005);
    // Nobody who might be there is called invalid.
    const deliverable = [...expected].filter(([, status]) => status !== 'invalid');
    const lost = deliverable.filter(([email]) => verdicts.get(email)?.status === 'invalid');
    expect(lost).toEqual([]);
  }, 180_000);
});
