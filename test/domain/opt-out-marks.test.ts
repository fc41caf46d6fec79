/** Opt-outs of one word as people write them: with emoji, quotation marks, bold, bullets, invisible marks. */
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../activities/inbox/read-message.ts';

const OURS = 'me@us.example';

async function kindOf(body: string, subject = 'Re: A question'): Promise<string> {
  const encoded = `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`;
  const source = Buffer.from(
    `From: Ann <ann@lead.example>\r\nTo: ${OURS}\r\nIn-Reply-To: <a@us.example>\r\n` +
      `Subject: ${encoded}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n` +
      body.replaceAll('\n', '\r\n'),
  );
  const fetched = { uid: 1, flags: [], sizeBytes: source.length, source };
  const { verdict } = await readMessage(
    {
      ...fetched,
      internalDate: new Date('2026-11-30T12:00:00Z'),
      isWhole: true,
      isTextless: false,
    },
    new Set([OURS]),
  );
  return verdict.kind;
}

/** What is taken for something else. */
async function othersThan(kind: string, bodies: readonly string[]): Promise<string[]> {
  const others: string[] = [];
  for (const body of bodies) {
    const found = await kindOf(body);
    if (found !== kind) others.push(`${JSON.stringify(body)}: ${found}`);
  }
  return others;
}

const OPT_OUTS: Record<string, readonly string[]> = {
  emoji: [
    'unsubscribe 🙏',
    'Unsubscribe 🙏🏽',
    'unsubscribe👍',
    '🙏 unsubscribe',
    'unsubscribe 🙏 thanks',
    'Hi, unsubscribe 🙏, thanks 😊',
    'Unsubscribe ✋',
    'remove 🙏',
    'Remove me 🙏',
    'stop 🛑',
    'Stop👎',
    '🛑🛑 STOP 🛑🛑',
    '👨‍👩‍👧‍👦 stop 🇩🇪',
    'STOP❗',
    'Stop ❗️❗️',
    'unsubscribe ‼',
    'opt out ❌',
    'abmelden 🙏',
    'Abmelden❗',
    'baja 🙏',
    '退订🙏',
    'הסר 🙏',
    'désabonnement ❤️',
    'unsubscribe ☺',
    'unsubscribe \u{1F3FB}',
    'unsubscribe 🙏\n\nSent from my iPhone',
    'Unsubscribe 🙏\n\n🙂 Ann',
  ],
  'quotation marks': [
    '“unsubscribe”',
    '“unsubscribe” please',
    '‘unsubscribe’',
    '»unsubscribe«',
    '„abmelden“',
    '«отписаться»',
    '« désabonner »',
    '“退订”',
    '「退订」',
    '『配信停止』',
    '[unsubscribe]',
    '<unsubscribe>',
    '【退订】',
    '¡Baja!',
    '取消订阅～',
  ],
  'bold and italic': [
    '*unsubscribe*',
    '*STOP*',
    '_unsubscribe_',
    '*Unsubscribe*, thanks',
    '~stop~',
  ],
  'bullets, dashes and slashes': [
    '• unsubscribe',
    '- unsubscribe',
    '– unsubscribe',
    'unsubscribe/remove',
    'unsubscribe / stop, please',
    'Unsubscribe—thanks',
    'Unsubscribe–thanks',
    'un-subscribe',
    'Un-Subscribe 🙏',
    'unsubscribe…',
  ],
  'marks that are not seen': [
    '\u202bהסר\u202c',
    '\u202aunsubscribe\u202c',
    '\u2060unsubscribe',
    '\u061cunsubscribe',
    '\u061cإلغاء الاشتراك',
    'unsub\u00adscribe',
    'STOP\u00ad',
    'unsubscribe\u2063\u200d\ufe0f',
    'un\u200bsub\u2060scribe',
    'Please unsub\u00adscribe me from your mail\u00ading list, thanks a lot',
    '\u202bהסר אותי מהרשימה\u202c',
    `${'\u2060'.repeat(2_000)}unsubscribe`,
  ],
};

describe('an opt-out of one word', () => {
  it.each(Object.keys(OPT_OUTS))('is found with %s', async (name) => {
    expect(await othersThan('unsubscribe_request', OPT_OUTS[name]!)).toEqual([]);
  });

  it.each([
    'unsubscribe 🙏',
    '🛑 STOP',
    'Re: *unsubscribe*',
    'Re: “Abmelden”',
    '\u202bהסרה\u202c',
    'unsub\u00adscribe',
    'désabonnement'.normalize('NFD'),
  ])('is found in the subject: %s', async (subject) => {
    expect(await kindOf('Ann', subject)).toBe('unsubscribe_request');
  });

  it('is found where our message offered the word, with marks that are not seen', async () => {
    const quote = '> If you want no more mails, answer "end".';
    expect(await kindOf(`e\u00adnd\u2060 🙏\n\n${quote}`)).toBe('unsubscribe_request');
  });
});

describe('no opt-out', () => {
  it('is made of a sentence that has the word', async () => {
    const bodies = [
      'Stop — I am interested, call me tomorrow 🙏',
      'We had to stop the project 🛑 — what does yours cost?',
      '“Unsubscribe” is the button that we want on our page, can you build it?',
      '*Stop* at our office on Monday, we would like to see the demo.',
      'Our customers write "unsubscribe" all the time 😂 how do you handle that?',
      'opt-in/opt-out: which of both do you offer?',
      'Does your tool support one-click “unsubscribe”?',
      'Non-stop 🎉 we love it, please send the price',
      '👍 sounds good, call me',
      '🙏',
      '👎',
      '*Yes*, please send the price.',
      'start/stop',
      'Don’t stop 🙂',
    ];
    expect(await othersThan('reply', bodies)).toEqual([]);
  });

  it('is made of a subject that asks', async () => {
    const long = 'Thank you for the invitation to the demo on Monday, we will all come to see it.';
    expect(await kindOf(`${long} When does the bus arrive at your office?`, 'Stop?')).toBe('reply');
    expect(await kindOf(`${long} Can we meet there at ten?`, 'Bus stop 🚏')).toBe('reply');
  });
});
