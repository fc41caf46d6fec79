/** Our reader of messages against postal-mime, on messages of every make. RFC 2045, RFC 2046, RFC 9051. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOddMessage } from '../../activities/inbox/mime-fallback.ts';
import { OddMessage } from '../../activities/inbox/mime-headers.ts';
import type { MimeMessage } from '../../activities/inbox/mime-message.ts';
import { readPlainMessage } from '../../activities/inbox/mime-reader.ts';
import { peopleIn } from '../../activities/inbox/message-people.ts';
import { addressParser } from 'postal-mime';
import { answersCorpus } from '../corpus/mail/index.ts';

const shown = ({ headers, parts }: MimeMessage) => ({
  headers,
  parts: parts.map((part) => ({
    ...part,
    size: part.size(),
    bytes: part.bytes().toString('latin1'),
    text: part.type.startsWith('text/') ? part.text() : '',
  })),
});

/** Undefined for a message that is left to postal-mime. */
function readByUs(source: Buffer) {
  try {
    return shown(readPlainMessage(source));
  } catch (error) {
    if (error instanceof OddMessage) return undefined;
    throw error;
  }
}

async function sameOrOdd(source: Buffer): Promise<'same' | 'odd'> {
  const ours = readByUs(source);
  // The other parser takes all soft breaks with blanks behind them from a message, whatever its parts.
  if (!ours || /=[ \t]+\r*(?:\n|$)/.test(source.toString('latin1'))) return 'odd';
  expect(ours).toEqual(shown(await readOddMessage(source)));
  return 'same';
}

const lineEnd = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r\r\n');
const words = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('--', '--a', '--a--', '--b ', '-- ', ' soft ', '=', '=3D', '=E4=', 'ä=C3=A4', ''),
);
const text = fc
  .array(words, { maxLength: 8 })
  .chain((lines) => lineEnd.map((end) => lines.join(end)));
const charset = fc.constantFrom(
  'iso-8859-16',
  'utf-8',
  'UTF-8',
  'us-ascii',
  'iso-8859-1',
  'windows-1252',
  'koi8-r',
  'gb2312',
  'shift_jis',
  'x-odd',
  '"utf-8"',
);
const encoded = fc
  .tuple(
    text,
    fc.constantFrom('7bit', '8bit', 'quoted-printable', 'base64', 'BASE64', 'binary', 'raw-base64'),
  )
  .map(([content, encoding]) => {
    const bytes = Buffer.from(content);
    if (encoding.toLowerCase() === 'base64') {
      return { encoding, body: bytes.toString('base64').replaceAll(/(.{1,24})/g, '$1\r\n') };
    }
    return encoding === 'raw-base64'
      ? { encoding: 'base64', body: content }
      : { encoding, body: content };
  });
const leafType = fc.oneof(
  charset.map((name) => `text/plain; charset=${name}`),
  charset.map((name) => `text/html; charset=${name}; format=flowed`),
  fc.constantFrom(
    'text/plain; format=flowed',
    'application/pdf; name="a b.pdf"',
    'message/rfc822',
    'TEXT/Plain;',
    'image/png; name=x(1).png',
    'text/calendar',
    '',
    "application/x; name*=utf-8''%C3%A4",
  ),
);
const disposition = fc.constantFrom(
  undefined,
  undefined,
  'inline',
  'attachment; filename="a;b.txt"',
  'attachment; filename=a.txt',
  'attachment (c)',
);
const leaf = fc
  .record({ type: leafType, disposition, encoded, end: lineEnd })
  .map(({ type, disposition: how, encoded: { encoding, body }, end }) =>
    [
      ...(type === '' ? [] : [`Content-Type: ${type}`]),
      ...(how === undefined
        ? []
        : [`Content-Disposition:${how.includes(';') ? `${end} ` : ' '}${how}`]),
      `Content-Transfer-Encoding: ${encoding}`,
      'Content-ID: <x@y>',
      '',
      body,
    ].join(end),
  );
const { part } = fc.letrec<{ part: string; multi: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: leaf, weight: 3 },
    { arbitrary: tie('multi'), weight: 2 },
  ),
  multi: fc
    .record({
      kind: fc.constantFrom('mixed', 'alternative', 'related', 'report', 'digest'),
      boundary: fc.constantFrom('a', 'b', 'a-b', '=_x', 'aa'),
      children: fc.array(tie('part'), { maxLength: 3 }),
      isClosed: fc.boolean(),
      between: text,
      end: lineEnd,
    })
    .map(({ kind, boundary, children, isClosed, between, end }) =>
      [
        `Content-Type: multipart/${kind};`,
        `\tboundary="${boundary}"`,
        '',
        between,
        ...children.flatMap((child) => [`--${boundary}`, child]),
        ...(isClosed ? [`--${boundary}--`, between] : []),
      ].join(end),
    ),
}));
const messages = fc
  .record({ from: words, part, subject: words, end: lineEnd })
  .map(({ from, part: body, subject, end }) =>
    Buffer.from(
      [
        `From: ${from.replaceAll(/[\r\n]/g, '')}`,
        `Subject: a`,
        ` ${subject.replaceAll(/[\r\n]/g, '')}`,
        body,
      ].join(end),
    ),
  );

describe('our reader of messages', () => {
  it('reads what postal-mime reads, or leaves it to that: generated messages', async () => {
    let same = 0;
    await fc.assert(
      fc.asyncProperty(messages, async (source) => {
        if ((await sameOrOdd(source)) === 'same') same += 1;
      }),
      { numRuns: 800 },
    );
    expect(same).toBeGreaterThan(200);
  });

  it('reads what postal-mime reads, or leaves it to that: the corpus, whole and damaged', async () => {
    const outcomes = await Promise.all(answersCorpus.map(({ raw }) => sameOrOdd(Buffer.from(raw))));
    expect(outcomes.filter((each) => each === 'odd').length).toBeLessThan(
      answersCorpus.length / 10,
    );
    const damage = fc.record({
      message: fc.constantFrom(...answersCorpus),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 0, max: 60 }),
      put: fc.constantFrom('', '\r', '\n', '\r\n\r\n', '\n--', ';', '"', '\u0000', '=', ':'),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ message, at, length, put }) => {
        const from = Math.floor(at * message.raw.length);
        const raw = message.raw.slice(0, from) + put + message.raw.slice(from + length);
        await sameOrOdd(Buffer.from(raw));
      }),
      { numRuns: 800 },
    );
  });

  it('reads people as postal-mime does', () => {
    const name = fc.oneof(
      fc.constantFrom(
        '',
        'Ann',
        '"Lee, Ann" ',
        'Ann B. Lee ',
        "O'Neil ",
        '"a@b" ',
        '=?utf-8?q?=C3=A4?= ',
        '(c) ',
        'x ',
      ),
      fc.string({ maxLength: 8 }),
    );
    const one = fc
      .tuple(name, fc.constantFrom('<a@b.com>', 'a@b.com', '<A@B.com >', 'b', '<>', 'g: a@b.com;'))
      .map((both) => both.join(''));
    const tidy = (value: string) => value.replaceAll(/\s+/gu, ' ').trim();
    fc.assert(
      fc.property(fc.array(one, { maxLength: 3 }), (list) => {
        const header = list.join(', ').trim();
        const expected = addressParser(header)
          .flatMap((each) => each.group ?? [each])
          .flatMap(({ address, name: who }) =>
            address ? [{ address: tidy(address).toLowerCase(), name: tidy(who) }] : [],
          );
        expect(peopleIn(header).map((each) => ({ ...each }))).toEqual(
          expected.map((each) => ({
            ...each,
            address: each.address.replaceAll('\u0000', ''),
            name: each.name.replaceAll('\u0000', ''),
          })),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

it.each(['iso-8859-16', 'iso-2022-kr', 'utf-7', 'cp850', 'none-of-this-name'])(
  'reads a message in %s, which is not known here, by its letters in ASCII',
  async (name) => {
    const source = Buffer.concat([
      Buffer.from(
        `From: Ann <ann@lead.example>\r\nSubject: Re: Hi\r\nContent-Type: text/plain; charset=${name}\r\n\r\nOn leave until `,
      ),
      Buffer.from([0xe3]),
      Buffer.from(' Monday\r\n'),
    ]);
    expect(readByUs(source)).toBeUndefined();
    const { parts } = await readOddMessage(source);
    expect(parts[0]!.text()).toMatch(/^On leave until . Monday/u);
  },
);
