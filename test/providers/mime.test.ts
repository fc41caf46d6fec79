/** Messages as MIME: the composer's own streams are the oracle, and nothing breaks out of a header. */
import MailComposer from 'nodemailer/lib/mail-composer';
import { describe, expect, it } from 'vitest';
import { compose } from '../../src/providers/mail-transport/mime.ts';

const TEXTS: Record<string, string> = {
  'a few lines': 'Hi Bob,\n\nyou are welcome.\n',
  'no line end': 'Hi Bob',
  nothing: '',
  'all kinds of line ends': 'one\r\ntwo\rthree\n\n\nfour\r',
  'a long line': `Would a call ${'next week or the week after '.repeat(20)}suit you?\n`,
  'a word without a break': 'x'.repeat(1_100),
  'blanks at the ends of lines': 'one  \ntwo\t\nthree ',
  'dots and boundaries': '.\n..\n--_NmP-1\n--\n',
  'an umlaut': 'Grüße aus Köln, = und ein \u00a0 dazu\n',
  'umlauts in a long line': `${'für Ärzte, Öl und Übermut '.repeat(30)}\n`,
  'another script': 'Добрый день, это письмо.\n'.repeat(5),
  'pictures in a long line': '📬 today '.repeat(40),
  'more than a slice of the encoder': `${'Ein Satz über Käse.\n'.repeat(4_000)}`,
};

const common = {
  from: { name: 'Ann Müller', address: 'ann@host.test' },
  to: 'bob@client.test',
  subject: `Grüße, ${'und noch ein Wort '.repeat(8)}`,
  messageId: '<a.1@host.test>',
  date: new Date('2026-01-02T03:04:05Z'),
  headers: { 'List-Unsubscribe': `<https://outreach.test/u/${'x'.repeat(60)}>` },
};

/** Boundaries are drawn anew for each message. */
const withoutBoundaries = (raw: Buffer): string =>
  raw.toString().replaceAll(/--_NmP-[\w-]+?(?=-Part_\d)/g, '--_NmP-');

describe.each(Object.entries(TEXTS))('%s', (_, text) => {
  it.each([
    ['alone', undefined],
    ['beside HTML', `<p>${text}</p>`],
  ])('%s is what the composer streams', async (_kind, html) => {
    const oracle = new MailComposer({
      ...common,
      text,
      ...(html !== undefined && { html }),
      newline: '\r\n',
    });
    const [ours, streamed] = await Promise.all([
      compose({ ...common, text, html }),
      oracle.compile().build(),
    ]);
    expect(withoutBoundaries(ours)).toBe(withoutBoundaries(streamed));
  });
});

describe('compose', () => {
  it('writes the name of the sender on one line, encoded words included', async () => {
    const raw = await compose({
      from: { address: 'ann@d.test', name: 'Änn\r\nBcc: y@z.test' },
      to: 'bob@b.test',
      subject: 'Hello',
      text: 'Hi',
      messageId: '<1@d.test>',
      date: new Date(0),
    });
    const from = /^From: (.*(?:\r\n .*)*)/m.exec(raw.toString())![1]!;
    const words = [...from.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/g)];
    const name = words
      .map(([, kind, text]) =>
        kind === 'B' ? Buffer.from(text!, 'base64').toString() : text!.replaceAll(/=0[AD]/g, '\n'),
      )
      .join('');
    expect(words.length).toBeGreaterThan(0);
    expect(name).not.toMatch(/[\r\n]/);
    expect(raw.toString()).not.toMatch(/^Bcc:/m);
  });
});
