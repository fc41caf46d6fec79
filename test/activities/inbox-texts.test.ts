/** Texts of messages as mail programs write them: flowed lines, character sets, soft breaks, long names. */
import { describe, expect, it } from 'vitest';
import { peopleIn } from '../../activities/inbox/message-people.ts';
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

const LATIN = 'latin1' as const;
/** Bytes of windows-1251, written as latin1. */
const RUSSIAN = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]).toString(LATIN);
const PLEASE_UNSUBSCRIBE = 'Отпишите меня';
const inCyrillic = (text: string) =>
  Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.codePointAt(0)!;
      return code < 0x80 ? code : code - 0x410 + 0xc0;
    }),
  ).toString(LATIN);

describe.each([
  ['our reader', ''],
  ['the full parser', ODD],
])('letters that are not UTF-8, read by %s', (_name, headers) => {
  const parts = { headers, encoding: LATIN };

  it('are read in a header by the character set of the text', async () => {
    const french = await read('J\xe9r\xf4me', {
      ...parts,
      type: 'text/plain; charset=iso-8859-1',
      subject: 'R\xe9ponse \xe0 votre mail',
    });
    expect(french.subject).toBe('Réponse à votre mail');
    expect(french.bodyText.trim()).toBe('Jérôme');
    const russian = await read(RUSSIAN, {
      ...parts,
      type: 'text/plain; charset="windows-1251"',
      subject: `Re: ${RUSSIAN}`,
    });
    expect(russian.subject).toBe('Re: Привет');
    const html = await read(`<meta charset=windows-1251><p>${RUSSIAN}`, {
      ...parts,
      type: 'text/html',
      subject: RUSSIAN,
    });
    expect(html.subject).toBe('Привет');
    const without = await read('caf\xe9', { ...parts, type: '', subject: 'caf\xe9 \x80' });
    expect(without.subject).toBe('café €');
  });

  it('are those of windows-1252 in encoded words, too', async () => {
    const word = (text: string) => `=?Windows-1252?Q?${text}?=`;
    const { subject } = await read('Hi', { subject: word('=93Hi=94_=96_it=92s_=80_5') });
    expect(subject).toBe('“Hi” – it’s € 5');
    expect(peopleIn(`${word('Ann_O=92Neil')} <ann@lead.example>`)[0]!.name).toBe('Ann O’Neil');
  });

  it('are read in a text without a character set as UTF-8, or as windows-1252', async () => {
    const utf = await read('Привет, café', { headers, type: '' });
    expect(utf.bodyText.trim()).toBe('Привет, café');
    const ascii = await read('Привет', { headers, type: 'text/plain; charset=us-ascii' });
    expect(ascii.bodyText.trim()).toBe('Привет');
    for (const type of ['', 'text/plain', 'text/plain; charset=""']) {
      const western = await read('caf\xe9 \x80 5 \x96 s\xe9', { ...parts, type });
      expect(western.bodyText.trim()).toBe('café € 5 – sé');
    }
  });

  it.each([
    ['text/plain', ''],
    ['text/plain; charset=us-ascii', ''],
    ['text/html', ''],
    ['text/plain', ODD],
  ])('are those of UTF-8 where a footer or a cut letter is not: %s %s', async (type, headers) => {
    for (const after of ['\nGesch\xe4ftsf\xfchrer: Hans', '\xf0\x9f\x98\n[Message clipped]']) {
      const words = Buffer.from('Bitte löschen Sie meine Daten, für immer').toString('latin1');
      const body = `${words}${after}`;
      const { bodyText, verdict } = await read(body, { type, headers, encoding: 'latin1' });
      expect(bodyText).toContain('Bitte löschen Sie meine Daten, für immer');
      expect(verdict.kind).toBe('unsubscribe_request');
    }
  });

  it.each(['unicode', 'utf-16', 'utf-16le'])(
    'are no UTF-16 where a <meta> says %s',
    async (said) => {
      const body = `<meta charset=${said}><p>Please remove me from your list, Gr\xfc\xdfe</p>`;
      const { bodyText, verdict } = await read(body, { type: 'text/html', encoding: 'latin1' });
      expect(bodyText).toContain('Please remove me from your list, Grüße');
      expect(verdict.kind).toBe('unsubscribe_request');
    },
  );

  it('are read in HTML by its <meta>', async () => {
    const metas = [
      '<meta charset=windows-1251>',
      '<META charset = "cp1251" />',
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    ];
    for (const meta of metas) {
      const body = `<html><head>${meta}</head>${inCyrillic(PLEASE_UNSUBSCRIBE)}`;
      const message = await read(body, { ...parts, type: 'text/html' });
      expect(message.bodyText.trim()).toBe(PLEASE_UNSUBSCRIBE);
      expect(message.verdict.kind).toBe('unsubscribe_request');
    }
    const utf = await read('<meta charset=windows-1251>Привет', { headers, type: 'text/html' });
    expect(utf.bodyText.trim()).toBe('Привет');
    const odd = await read('<meta charset=none-such>caf\xe9', { ...parts, type: 'text/html' });
    expect(odd.bodyText.trim()).toBe('café');
  });

  it('keep a declared character set, and a letter in UTF-8 that was cut off at the end', async () => {
    const declared = await read('caf\xe9', { ...parts, type: 'text/plain; charset=utf-8' });
    expect(declared.bodyText.trim()).toBe('caf\uFFFD');
    const cut = Buffer.from('Привет').subarray(0, -1).toString(LATIN);
    expect((await read(cut, { ...parts, type: '' })).bodyText.trim()).toBe('Приве\uFFFD');
  });
});

it('reads names of files that are not UTF-8', async () => {
  const part = (name: string) =>
    `--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="${name}"\n\nx\n`;
  const body = `--b\nContent-Type: text/plain; charset=iso-8859-1\n\nhi\n${part('r\xe9sum\xe9.pdf')}--b--\n`;
  const message = await read(body, { type: 'multipart/mixed; boundary=b', encoding: LATIN });
  expect(message.attachments.map(({ filename }) => filename)).toEqual(['résumé.pdf']);
});

describe.each([
  ['our reader', ''],
  ['the full parser', ODD],
])('quoted-printable, read by %s', (_name, headers) => {
  it('has soft breaks with blanks behind them (RFC 2045, 6.7)', async () => {
    const message = await read('no break=  \nhere=\t\n, a=20=\n b =3D =zz ca=\nf=C3=A9 x=\n', {
      headers: `${headers}Content-Transfer-Encoding: quoted-printable\r\n`,
    });
    expect(message.bodyText.trim()).toBe('no breakhere, a  b = =zz café x');
  });
});

describe('what is too long', () => {
  const family = '👨‍👩‍👧‍👦';
  const encoded = (text: string) =>
    text.match(/.{1,20}/gsu)!.map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`);

  it('is cut between letters, not within one', async () => {
    for (const letter of ['🙏', family, '🙏🏽', 'e\u0301', '🇩🇪', 'ก็']) {
      for (const before of [199, 200 - letter.length + 1]) {
        const { snippet } = await read(`${'a'.repeat(before)}${letter} and more`);
        expect(snippet).toBe('a'.repeat(before));
      }
      const { snippet } = await read(`${'a'.repeat(200 - letter.length)}${letter} and more`);
      expect(snippet).toBe(`${'a'.repeat(200 - letter.length)}${letter}`);
    }
    const marks = await read(`a${'\u0301'.repeat(5_000)}`);
    expect(marks.snippet).toHaveLength(200);
    const spread = await read(`${' \n'.repeat(400)}${'a'.repeat(199)}🙏`);
    expect(spread.snippet).toBe('a'.repeat(199));
  });

  it('is cut so in subjects, names and texts', async () => {
    const long = await read('hi', {
      subject: encoded(`${'a'.repeat(999)}${family}`).join('\r\n '),
    });
    expect(long.subject).toBe('a'.repeat(999));
    const [ann] = peopleIn(
      `${encoded(`${'a'.repeat(199)}${family}`).join(' ')} <ann@lead.example>`,
    );
    expect(ann).toEqual({ address: 'ann@lead.example', name: 'a'.repeat(199) });
    const text = await read(`${'a'.repeat(199_999)}🙏 more`);
    expect(text.bodyText).toBe('a'.repeat(199_999));
  });

  it('keeps the ending of a file name', async () => {
    const name = encoded(`${'a'.repeat(250)}${family}${'b'.repeat(40)}.pdf`).join('');
    const body = `--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="${name}"\n\nx\n--b--\n`;
    const { attachments } = await read(body, { type: 'multipart/mixed; boundary=b' });
    expect(attachments[0]!.filename).toBe(`${'a'.repeat(250)}.pdf`);
  });
});
