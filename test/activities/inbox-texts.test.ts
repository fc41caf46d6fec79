/** Texts of messages as mail programs write them: flowed lines, character sets, soft breaks, long names. */
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../activities/inbox/read-message.ts';
import { splitQuote } from '../../src/domain/inbox/mail-classification/quotes.ts';

const OURS = 'me@us.example';

interface Parts {
  type?: string;
  subject?: string;
  headers?: string;
  encoding?: BufferEncoding;
}

/** A comment in a header has it read by the full parser. */
const ODD = 'Content-Disposition: inline (as it is)\r\n';

async function read(body: string, parts: Parts = {}) {
  const { type = 'text/plain; charset=utf-8', subject = 'Re: A question', headers = '' } = parts;
  const head =
    `From: Ann <ann@lead.example>\r\nTo: ${OURS}\r\nIn-Reply-To: <a@us.example>\r\n` +
    `Subject: ${subject}\r\n${headers}${type === '' ? '' : `Content-Type: ${type}\r\n`}\r\n`;
  const source = Buffer.from(head + body.replaceAll('\n', '\r\n'), parts.encoding ?? 'utf8');
  const fetched = { uid: 1, flags: [], sizeBytes: source.length, source, isWhole: true };
  return readMessage(
    { ...fetched, internalDate: new Date('2026-11-30T12:00:00Z'), isTextless: false },
    new Set([OURS]),
  );
}

const FLOWED = 'text/plain; charset=utf-8; format=flowed';

describe.each([
  ['our reader', ''],
  ['the full parser', ODD],
])('flowed lines (RFC 3676), read by %s', (_name, headers) => {
  const flowed = async (body: string, delsp = '') => {
    const message = await read(body, { type: `${FLOWED}${delsp}`, headers });
    const { words } = splitQuote(message.bodyText);
    return { kind: message.verdict.kind, text: message.bodyText.trimEnd(), words };
  };

  it.each(['', '; delsp=no', '; delsp=yes'])('keeps quotes and answers apart%s', async (delsp) => {
    const below = await flowed(
      '> Do you have time for a call? \nNo. Please remove me from your list.\n',
      delsp,
    );
    expect(below).toMatchObject({
      kind: 'unsubscribe_request',
      words: 'No. Please remove me from your list.',
    });
    const above = await flowed('Please unsubscribe me. \n> Do you have time for a call?\n', delsp);
    expect(above).toMatchObject({ kind: 'unsubscribe_request', words: 'Please unsubscribe me.' });
    const friendly = await flowed(
      'Yes, please call me. \n> If you want no more mails, write "unsubscribe".\n' +
        '> Please remove me from your list.\n',
      delsp,
    );
    expect(friendly).toMatchObject({ kind: 'reply', words: 'Yes, please call me.' });
    const deeper = await flowed('> Unsubscribe? \n>> Do you have time? \nUnsubscribe\n', delsp);
    expect(deeper).toMatchObject({ kind: 'unsubscribe_request', words: 'Unsubscribe' });
  });

  it('takes `-- ` behind quote marks for the line above a signature', async () => {
    const { kind, words, text } = await flowed(
      '> Hello \n> -- \n> Acme Inc. \n> -- \nPlease unsubscribe me.\n',
    );
    expect(kind).toBe('unsubscribe_request');
    expect(words).toBe('Please unsubscribe me.');
    expect(text.split('\n').map((line) => line.trimEnd())).toEqual([
      '> Hello',
      '> --',
      '> Acme Inc.',
      '> --',
      'Please unsubscribe me.',
    ]);
    expect((await flowed('Call me. \n-- \nAnn \nLee\n')).text).toBe('Call me. \n-- \nAnn Lee');
  });

  it('joins the lines of a paragraph, quoted or not', async () => {
    expect((await flowed('a long \nline \n goes on\nnext\n')).text).toBe(
      'a long line goes on\nnext',
    );
    expect((await flowed('> a long \n> line \n>  goes on\n> next\n>\n')).text).toBe(
      '> a long line  goes on\n> next\n>',
    );
    expect((await flowed('>> a \n>> b\n> c \n> d\n')).text).toBe('>> a b\n> c d');
    expect((await flowed(' > not a quote\n From here\n\nx\n')).text).toBe(
      '> not a quote\nFrom here\n\nx',
    );
  });

  it('deletes the blanks that a program added to Chinese text (DelSp)', async () => {
    expect((await flowed('请问 \n价格\n> 您 \n> 好\n', '; delsp=yes')).text).toBe(
      '请问价格\n> 您好',
    );
    expect((await flowed('one  \ntwo\n', '; DelSp=Yes')).text).toBe('one two');
  });
});
