/** What a lost line, a refusal and a delay mean at each boundary of the SMTP talk. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/domain/errors.ts';
import { refusalOf } from '../../src/domain/sending/smtp-refusals.ts';
import type { MailboxAccess, RawMessage } from '../../src/providers/mail-transport/port.ts';
import {
  SMTP_STEPS,
  startSmtpScript,
  type SmtpScript,
  type SmtpStep,
} from '../support/mail/smtp-script.ts';

const ann: MailboxAccess = { host: 'mail.host.test', email: 'ann@host.test', password: 'pass' };
const message: RawMessage = {
  from: 'ann+b1@host.test',
  to: 'bob@client.test',
  raw: Buffer.from('Subject: Hello\r\n\r\n.hidden dot\r\nBye\r\n'),
};

let script: SmtpScript;
beforeAll(async () => void (script = await startSmtpScript()));
afterAll(() => script.close());
beforeEach(() => {
  script.twist = () => undefined;
  script.taken.length = 0;
  script.commands.length = 0;
});

/** Opens a session and sends one message; tells how it ended and whether the text was allowed. */
async function sendOne(allow = async () => undefined) {
  let asked = 0;
  try {
    const session = await script.transport.openSubmission(ann);
    const { reply } = await session
      .send(message, async () => {
        asked += 1;
        await allow();
      })
      .finally(() => session.close());
    return { end: reply, asked };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { end: error.kind, asked, error };
  }
}

const boundaries = SMTP_STEPS.flatMap((step) => [
  [step, 'before'] as const,
  [step, 'after'] as const,
]);

/** How a message may end, and whether its text was asked for. */
function endsOf(step: SmtpStep, when: 'before' | 'after'): string[] {
  if (step === 'TEXT') {
    return when === 'before' ? ['outcome_unknown, asked 1'] : ['250 2.0.0 Ok: queued, asked 1'];
  }
  // The 354 came and then the line was lost: whichever was seen first, it is told right.
  if (step === 'DATA' && when === 'after') {
    return ['outcome_unknown, asked 1', 'unavailable, asked 1', 'unavailable, asked 0'];
  }
  return ['unavailable, asked 0'];
}

describe('a line that drops', () => {
  it.each(boundaries)('at the reply to %s, %s it', async (step, when) => {
    script.twist = (at) => (at === step ? when : undefined);
    const { end, asked } = await sendOne();
    expect(endsOf(step, when)).toContain(`${end}, asked ${asked}`);
    expect(script.taken.length).toBe(step === 'TEXT' ? 1 : 0);
  });

  it.each(boundaries)('without pipelining, at the reply to %s, %s it', async (step, when) => {
    const slow = await startSmtpScript({ pipelining: false });
    slow.twist = (at) => (at === step ? when : undefined);
    const original = script;
    script = slow;
    const { end, asked } = await sendOne().finally(() => void (script = original));
    await slow.close();
    expect(endsOf(step, when)).toContain(`${end}, asked ${asked}`);
    expect(slow.taken.length).toBe(step === 'TEXT' ? 1 : 0);
  });
});

describe('a reply', () => {
  it.each<[SmtpStep, string, string, string, number]>([
    ['MAIL', '451 4.3.0 Later', 'rate_limited', '451 4.3.0', 0],
    ['MAIL', '553 5.1.8 Sender', 'rejected', '553 5.1.8', 0],
    ['RCPT', '450 4.2.0 Greylisted', 'rate_limited', '450 4.2.0', 0],
    ['RCPT', '550 5.1.1 User unknown', 'rejected', '550 5.1.1', 0],
    ['RCPT', '550 no such user', 'rejected', '550', 0],
    ['DATA', '421 4.7.0 Too many', 'rate_limited', '421 4.7.0', 0],
    ['TEXT', '451 4.7.1 Try again', 'rate_limited', '451 4.7.1', 1],
    ['TEXT', '554 5.7.1 Spam', 'rejected', '554 5.7.1', 1],
  ])('to %s of %s is %s', async (step, reply, kind, code, allowed) => {
    script.twist = (at) => (at === step ? { reply } : undefined);
    const { end, asked, error } = await sendOne();
    expect({ end, asked }).toEqual({ end: kind, asked: allowed });
    expect(error?.facts).toMatchObject({ providerCode: code, reply });
    expect(error?.message).not.toContain(reply);
    expect(script.taken).toHaveLength(0);
  });

  it.each<[SmtpStep, string, string]>([
    ['TEXT', '250 ok', '250 ok'],
    ['TEXT', '554 5.7.1', 'rejected'],
    ['RCPT', '550 5.1.1', 'rejected'],
    ['MAIL', '451 4.3.0', 'rate_limited'],
  ])('to %s of %s with a NUL can be stored', async (step, code, kind) => {
    script.twist = (at) => (at === step ? { reply: `${code}\u0000 😀` } : undefined);
    const { end, error } = await sendOne();
    expect(error?.kind ?? end).toBe(error ? kind : `${code} 😀`);
    expect(error?.facts.reply ?? end).toBe(`${code} 😀`);
  });

  it.each([
    ['535 5.7.8 Authentication failed', 'rejected'],
    ['454 4.7.0 Temporary authentication failure', 'unavailable'],
  ])('to AUTH of %s is %s', async (reply, kind) => {
    script.twist = (at) => (at === 'AUTH' ? { reply } : undefined);
    expect((await sendOne()).end).toBe(kind);
  });
});

describe('an address with letters beyond ASCII', () => {
  const to = 'jörg@xn--mnchen-3ya.de';

  it('is refused before it is named to a server that does not take such (RFC 6531, 3.2)', async () => {
    const session = await script.transport.openSubmission(ann);
    const send = (each: RawMessage['to']) =>
      session.send({ ...message, to: each }, async () => undefined);
    const refusals = await Promise.allSettled([send(to), send([to, to])]);
    for (const refusal of refusals) {
      const { kind, facts } = (refusal as PromiseRejectedResult).reason as ProviderError;
      expect(kind).toBe('rejected');
      expect(facts).toMatchObject({ providerCode: '553 5.6.7' });
      // No bounce, and nobody is suppressed.
      expect(refusalOf(facts.reply!)).toBe('message');
    }
    expect(script.commands.filter((line) => !line.startsWith('EHLO'))).toEqual([]);
    // The others get it; a domain has a form in ASCII.
    const sent = await send(['bob@client.test', to, 'eve@münchen.de']);
    session.close();
    expect(sent.refused).toEqual([to]);
    const asked = script.commands.filter((line) => line.startsWith('RCPT'));
    expect(asked.map((line) => /<(.*)>/.exec(line)![1])).toEqual([
      'bob@client.test',
      'eve@xn--mnchen-3ya.de',
    ]);
  });

  it('is written to by a server that takes such', async () => {
    const able = await startSmtpScript({ international: true });
    const session = await able.transport.openSubmission(ann);
    await session.send({ ...message, to }, async () => undefined).finally(() => session.close());
    await able.close();
    expect(able.commands.find((line) => line.startsWith('MAIL'))).toContain(' SMTPUTF8');
    expect(able.taken.map((each) => Buffer.from(each.to, 'latin1').toString())).toEqual([to]);
  });
});

describe('a session', () => {
  it('sends messages one after the other, also behind a refused one', async () => {
    script.twist = (step, { to }) =>
      step === 'RCPT' && to.startsWith('no') ? { reply: '550 5.1.1 Unknown' } : undefined;
    const before = script.connections();
    const session = await script.transport.openSubmission(ann);
    const send = (to: string) => session.send({ ...message, to }, async () => undefined);
    const ends = await Promise.allSettled(['a@x.test', 'no@x.test', 'b@x.test'].map(send));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(script.taken.map(({ to }) => to)).toEqual(['a@x.test', 'b@x.test']);
    expect(script.taken[0]!.raw).toBe(message.raw.toString());
    expect(script.connections() - before).toBe(1);
    expect(session.isUsable()).toBe(true);
    session.close();
    expect(session.isUsable()).toBe(false);
  });

  it('is not usable after the line was lost, and says so', async () => {
    const session = await script.transport.openSubmission(ann);
    script.twist = (step) => (step === 'MAIL' ? 'before' : undefined);
    await expect(session.send(message, async () => undefined)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(session.isUsable()).toBe(false);
    await expect(session.send(message, async () => undefined)).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('drops the line when the text may not go, so that the server has no message', async () => {
    const fence = new Error('the claim was taken back');
    await expect(sendOne(() => Promise.reject(fence))).rejects.toBe(fence);
    expect(script.taken).toHaveLength(0);
    expect(script.commands.at(-1)).toBe('DATA');
  });

  it('says `unavailable` only when what was asked before the text has ended', async () => {
    let allow: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      script.twist = (step) => (step === 'TEXT' ? 'before' : undefined);
      allow = resolve;
    });
    const steps: string[] = [];
    const session = await script.transport.openSubmission(ann);
    const sent = session.send(message, async () => {
      steps.push('asked');
      session.close();
      await isAsked;
      steps.push('ended');
    });
    setTimeout(() => allow(), 50);
    await expect(sent).rejects.toMatchObject({ kind: 'unavailable' });
    expect(steps).toEqual(['asked', 'ended']);
    expect(script.taken).toHaveLength(0);
  });
});

describe('compose', () => {
  it('makes two parts, folds, encodes, and keeps line breaks out of headers', async () => {
    const raw = await script.transport.compose({
      from: { address: 'ann@host.test', name: 'Ann "A" Müller' },
      to: 'bob@client.test',
      subject: 'Hi\r\nBcc: all@client.test',
      text: 'Line\nLine',
      html: '<p>Line</p>',
      messageId: '<a.1@host.test>',
      inReplyTo: '<a.0@host.test>',
      references: ['<a.0@host.test>'],
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    });
    const text = raw.toString();
    expect(text).not.toMatch(/(?<!\r)\n/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(text).toMatch(/^Message-ID: <a\.1@host\.test>\r$/m);
    expect(text).toMatch(/^In-Reply-To: <a\.0@host\.test>\r$/m);
    expect(text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(text).toMatch(/^Content-Type: multipart\/alternative/m);
  });
});

describe('a relay of the service', () => {
  const access = { host: 'mail.host.test', user: 'notices', password: 'pass', name: 'host.test' };
  const send = async (at: SmtpScript, relay: { port: number; isTls: boolean }) => {
    const session = await at.transport.openRelay({ ...access, ...relay });
    return session.send(message, async () => undefined).finally(() => session.close());
  };

  it('takes a message over TLS, with a login that is no mailbox', async () => {
    await send(script, { port: 465, isTls: true });
    expect(script.taken).toMatchObject([{ user: 'notices', to: 'bob@client.test' }]);
  });

  it('takes a message after STARTTLS, and nothing where that is not offered', async () => {
    const relay = { port: 587, isTls: false };
    const offering = await startSmtpScript({ startTls: 'offered' });
    try {
      await send(offering, relay);
    } finally {
      await offering.close();
    }
    expect(offering.taken).toMatchObject([{ user: 'notices', to: 'bob@client.test' }]);
    const silent = await startSmtpScript({ startTls: 'none' });
    await expect(send(silent, relay)).rejects.toMatchObject({ kind: 'unavailable' });
    await silent.close();
    expect([silent.taken, silent.commands]).toEqual([[], []]);
  });

  it('is not spoken to after STARTTLS with a certificate of another name', async () => {
    const offering = await startSmtpScript({ startTls: 'offered' });
    const other = { ...access, host: 'other.host.test', port: 587, isTls: false };
    const opened = offering.transport.openRelay(other);
    await expect(opened).rejects.toMatchObject({ kind: 'unavailable' });
    await offering.close();
    expect(offering.commands).toEqual([]);
  });
});
