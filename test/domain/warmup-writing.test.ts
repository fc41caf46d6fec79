/** Messages of warm-up: like messages, plain, and different each time. Mail: rules of sending. */
import { describe, expect, it } from 'vitest';
import {
  fullNameOf,
  nameOf,
  writeWarmupMessage,
  type WarmupSheet,
} from '../../src/domain/warmup/warmup-writing.ts';

const at = new Date('2026-03-03T10:12:00Z');
const sheet = (token: string, from = 'anna.berg@acme.com', to = 'ben@other.org'): WarmupSheet => ({
  token,
  from,
  to,
  at,
});
const many = Array.from({ length: 5_000 }, (_, n) => writeWarmupMessage([sheet(`w${n}`)]));

describe('warm-up messages', () => {
  it('are different each time, in hundreds of subjects', () => {
    expect(new Set(many.map(({ text }) => text)).size).toBeGreaterThan(4_995);
    expect(new Set(many.map(({ subject }) => subject)).size).toBeGreaterThan(250);
  });

  it('are plain: no links, no markup, nothing left to fill in, no promises', () => {
    const odd = many.filter(({ subject, text }) =>
      /https?:|www\.|[<>{}]|undefined|[^\x20-\x7e\n]|\b(?:offer|click|buy|discount|guarantee)\b/i.test(
        `${subject}\n${text}`,
      ),
    );
    expect(odd).toEqual([]);
  });

  it('have a greeting, one to three short paragraphs and a signature', () => {
    const shape =
      /^(?:Hi|Hello|Good morning|Dear|Hey) Ben,\n\n[A-Z].+[.?]\n\n[A-Z][a-z ]+,\nAnna$/s;
    const odd = many.filter(({ text }) => !shape.test(text) || text.length > 700);
    expect(odd).toEqual([]);
  });

  it('are the same for the same token, so that a retry sends the same message', () => {
    expect(writeWarmupMessage([sheet('w7')])).toEqual(many[7]);
  });

  it('call nobody by the name of a function', () => {
    expect(nameOf('info@acme.com')).toBeUndefined();
    expect(nameOf('sales2@acme.com')).toBeUndefined();
    expect(nameOf('anna.berg@acme.com')).toBe('Anna');
    expect(fullNameOf('anna.berg@acme.com')).toBe('Anna Berg');
    const { text } = writeWarmupMessage([sheet('w1', 'info@acme.com', 'sales@other.org')]);
    expect(text).toMatch(/^Hello,\n\n[A-Z]/);
    expect(text).toMatch(/\n\n[A-Z][a-z ]+$/);
  });
});

describe('answers', () => {
  const answers = Array.from({ length: 2_000 }, (_, n) =>
    writeWarmupMessage([sheet(`w${n}`), sheet(`a${n}`, 'ben@other.org', 'anna.berg@acme.com')]),
  );

  it('stay in the subject and quote what they answer', () => {
    const wrong = answers.filter(({ subject, text }, n) => {
      const original = many[n]!;
      const quoted = original.text
        .split('\n')
        .map((line) => (line === '' ? '>' : `> ${line}`))
        .join('\n');
      return subject !== `Re: ${original.subject}` || !text.endsWith(`wrote:\n\n${quoted}`);
    });
    expect(wrong).toEqual([]);
    expect(answers[0]!.text).toContain('On Tue, 3 Mar 2026 at 10:12, Anna wrote:');
  });

  it('are different each time', () => {
    expect(new Set(answers.map(({ text }) => text)).size).toBe(2_000);
    const own = answers.map(({ text }) => text.split('\n\nOn ')[0]);
    expect(new Set(own).size).toBeGreaterThan(1_900);
  });

  it('of answers keep one Re: and quote the last message alone', () => {
    const thread = [sheet('w1'), sheet('a1', 'ben@other.org', 'anna.berg@acme.com'), sheet('b1')];
    const { subject, text } = writeWarmupMessage(thread);
    expect(subject).toBe(`Re: ${many[1]!.subject}`);
    expect(text).toContain('Ben wrote:');
    expect(text).not.toContain('> >');
  });
});
