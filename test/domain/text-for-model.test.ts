/** What of an answer leaves the installation. */
import { describe, expect, it } from 'vitest';
import { MAX_MODEL_TEXT, textForModel } from '../../src/domain/inbox/interest/text-for-model.ts';

const of = (text: string, fromName: string | null = null) => textForModel({ text, fromName });

describe('what a model is told of an answer', () => {
  it('is what the writer wrote, without quote and signature', () => {
    const text = [
      'Send me the prices.',
      '',
      'Kind regards',
      'Ada Lovelace, CEO',
      '',
      'On Monday, m1@acme.test wrote:',
      '> We sell engines.',
    ].join('\n');
    expect(of(text)).toBe('Send me the prices.');
  });

  it('has no addresses, links, telephone numbers, and not the name of the writer', () => {
    const text =
      'Ada here. Write to ada.l@client.test or call +44 20 7946 0958, (030) 123 456 78: ' +
      'https://cal.test/ada?x=1 or www.client.test.';
    const said = of(text, 'ada Lovelace');
    expect(said).toMatch(/^\[name\] here\. Write to \[address\] or call \[phone\]/);
    expect(said).not.toMatch(/client|7946|123|cal\.test|Ada/);
  });

  it('keeps what says when and how much, and words that are also names', () => {
    const text = 'On 12.10.2026 14:00 or 2026-10-12 we will talk about 1500 euros.';
    expect(of(text, 'Will Smith')).toBe(text);
  });

  it('is nothing where nobody wrote a word', () => {
    expect([of(''), of('👍'), of('> Only a quote'), of('?')]).toEqual(['', '', '', '']);
  });

  it('is bounded, and ends between characters', () => {
    const said = of('a'.repeat(MAX_MODEL_TEXT - 1) + '😀'.repeat(10) + ' more words');
    expect(said).toHaveLength(MAX_MODEL_TEXT - 1);
    expect(said).toMatch(/a$/);
  });
});
