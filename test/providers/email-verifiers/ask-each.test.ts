/** When single calls that fail mean that the vendor is down. */
import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderErrorKind } from '../../../src/domain/errors.ts';
import { askEach } from '../../../src/providers/email-verifiers/ask-each.ts';

const failure = (kind: ProviderErrorKind) => new ProviderError(kind, kind, { provider: 'one' });

const silence = new ProviderError('unavailable', 'x', { provider: 'one', providerCode: 'timeout' });

/** The addresses that were answered, and those that were asked about. */
async function ask(
  emails: readonly string[],
  fails: (email: string) => Error | undefined,
  failsAfterMs = 1,
) {
  const [asked, answered, silent]: string[][] = [[], [], []];
  const onSilence = async (email: string) => void silent!.push(email);
  const end = await askEach(emails, { atOnce: 10, onSilence }, async (email) => {
    asked!.push(email);
    const error = fails(email);
    await new Promise((resolve) => setTimeout(resolve, error ? failsAfterMs : 1));
    if (error) throw error;
    answered!.push(email);
  }).catch((error: unknown) => error);
  return { asked: asked!, answered: answered!, silent: silent!, end };
}

const at = (domain: string, count: number) =>
  Array.from({ length: count }, (_, n) => `user${n}@${domain}`);

describe('askEach', () => {
  it('goes on where one mail server answers nobody, however many colleagues are there', async () => {
    const tarpit = at('tarpit.test', 12);
    const others = Array.from({ length: 60 }, (_, n) => `ann@d${n}.test`);
    const { answered, end } = await ask([...tarpit, ...others], (email) =>
      email.endsWith('@tarpit.test') ? failure('unavailable') : undefined,
    );
    expect(answered.toSorted()).toEqual(others.toSorted());
    expect(end).toMatchObject({ kind: 'unavailable' });
  });

  it('tells an address whose mail server keeps the verifier waiting from an outage', async () => {
    const emails = [...at('tarpit.test', 5), ...at('acme.test', 5)];
    const fails = (email: string) => (email.endsWith('@tarpit.test') ? silence : undefined);
    const { answered, silent, end } = await ask(emails, fails);
    expect(silent.toSorted()).toEqual(at('tarpit.test', 5));
    expect(answered).toHaveLength(5);
    expect(end).toBeUndefined();
  });

  it('takes three slow servers at the end for no outage where others were answered', async () => {
    const slow = ['a', 'b', 'c'].map((name) => `ann@${name}.slow.test`);
    const others = Array.from({ length: 17 }, (_, n) => `ann@d${n}.test`);
    const fails = (email: string) => (email.endsWith('.slow.test') ? silence : undefined);
    const { answered, silent, end } = await ask([...others, ...slow], fails);
    expect(answered).toHaveLength(17);
    expect(silent).toEqual(slow);
    expect(end).toBeUndefined();
  });

  it('goes on behind slow servers while others answer', async () => {
    const slow = ['a', 'b', 'c', 'd'].map((name) => `ann@${name}.slow.test`);
    const others = Array.from({ length: 60 }, (_, n) => `ann@d${n}.test`);
    const fails = (email: string) => (email.endsWith('.slow.test') ? silence : undefined);
    const { answered, silent } = await ask([...slow, ...others], fails, 200);
    expect(answered).toHaveLength(60);
    expect(silent).toEqual(slow);
  });

  it.each([
    ['one address', at('tarpit.test', 1)],
    ['three domains', ['a@a.test', 'b@b.test', 'c@c.test']],
  ])('says that nobody was answered in time, each having been asked: %s', async (_, emails) => {
    const { silent, end } = await ask(emails, () => silence);
    expect(silent).toEqual([]);
    expect(end).toMatchObject({ kind: 'unavailable', facts: { providerCode: 'all_silent' } });
  });

  it('a vendor that answers nobody in time is down', async () => {
    const emails = Array.from({ length: 60 }, (_, n) => `ann@d${n}.test`);
    const { silent, end } = await ask(emails, () => silence);
    expect(silent).toEqual([]);
    expect(end).toBe(silence);
  });

  it('stops after three failures in a row at different domains', async () => {
    const emails = Array.from({ length: 60 }, (_, n) => `ann@d${n}.test`);
    const { asked } = await ask(emails, () => failure('unavailable'));
    expect(asked.length).toBeLessThan(20);
  });

  it('stops where nothing but one domain is asked about, and the vendor is down', async () => {
    const { asked } = await ask(at('acme.test', 500), () => failure('unavailable'));
    expect(asked.length).toBeLessThan(20);
  });

  it.each(['auth', 'quota', 'rate_limited'] as const)('stops at once: %s', async (kind) => {
    const { asked, end } = await ask(at('acme.test', 60), () => failure(kind));
    expect(asked.length).toBeLessThanOrEqual(20);
    expect(end).toMatchObject({ kind });
  });
});
