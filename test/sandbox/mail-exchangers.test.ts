/** The mail exchangers of the world outside and their magic recipients. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AcceptedMessage } from '../../src/sandbox/mail/mail-records.ts';
import {
  SEED_ADDRESSES,
  SEED_HOST,
  SEED_PASSWORD,
  seedAnswer,
} from '../../src/sandbox/warmup-seeds.ts';
import {
  installMailHost,
  startMailWorld,
  until,
  type MailWorld,
} from '../support/mail/mail-world.ts';
import { subjects, submit, withImap } from '../support/mail/mail-clients.ts';

const ann = { host: 'mail.sender-example.com', user: 'ann@sender-example.com' };

let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld();
  await installMailHost(world, 'sender-example.com', ['ann']);
});
afterAll(() => world.close());

const send = (to: string, subject: string) =>
  submit(world, { host: ann.host, from: ann.user, to, subject });
const books = async () => (await world.control('GET', '/books')).body.mail;
const acceptedFor = async (to: string) =>
  (await books()).accepted.filter((each: { to: string }) => each.to === to);
const refusalsFor = async (to: string) =>
  (await books()).bounced
    .filter((each: { to: string }) => each.to === to)
    .map((each: { code: number }) => each.code);

describe('the mail exchangers', () => {
  it('take a message for anybody under .test and book it', async () => {
    await send('jane@acme.test', 'Good morning');
    await until(async () => (await acceptedFor('jane@acme.test')).length > 0);
    const [message] = await acceptedFor('jane@acme.test');
    expect(message).toMatchObject({
      from: ann.user,
      to: 'jane@acme.test',
      subject: 'Good morning',
      messageId: expect.stringMatching(/^<.+@sender-example\.com>$/),
      headers: { 'dkim-signature': expect.stringContaining('d=sender-example.com') },
    });
    expect(message.size).toBeGreaterThan(100);
    expect(message).not.toHaveProperty('raw');
    const { body } = await world.control('GET', '/books?raw=1');
    expect(body.mail.accepted[0].raw).toContain('Hello there');
  });

  it('refuse bounce-* with 550, and the sender gets the bounce', async () => {
    await send('bounce-joe@acme.test', 'Returned');
    await until(async () => (await subjects(world, ann)).length > 0);
    expect(await refusalsFor('bounce-joe@acme.test')).toEqual([550]);
    const source = await withImap(world, ann, async (client) => {
      await client.mailboxOpen('INBOX');
      const message = await client.fetchOne('*', { source: true });
      return message ? String(message.source) : '';
    });
    expect(source).toContain('Final-Recipient: rfc822; bounce-joe@acme.test');
    expect(source).toContain('Status: 5.1.1');
    expect(source).toContain('Subject: Returned');
  });

  it('put soft-bounce-* off twice, then take the message', async () => {
    await send('soft-bounce-joe@acme.test', 'Third time');
    await until(async () => (await acceptedFor('soft-bounce-joe@acme.test')).length === 1);
    expect(await refusalsFor('soft-bounce-joe@acme.test')).toEqual([450, 450]);
  });

  it('put greylist-* off at first, then take the message', async () => {
    await send('greylist-joe@acme.test', 'Who are you');
    await until(async () => (await acceptedFor('greylist-joe@acme.test')).length === 1);
    expect((await refusalsFor('greylist-joe@acme.test'))[0]).toBe(451);
  });

  it('answer for reply-* and ooo-* in the thread, into the mailbox of the sender', async () => {
    await send('reply-kim@acme.test', 'A question');
    await send('ooo-lee@acme.test', 'A request');
    await until(async () => {
      const found = (await subjects(world, ann)).map((each) => each.subject);
      return found.includes('Re: A question') && found.includes('Out of office: A request');
    });
    const [message] = await acceptedFor('reply-kim@acme.test');
    const { replies } = await books();
    const reply = replies.find(({ from }: { from: string }) => from === 'reply-kim@acme.test');
    expect(reply).toMatchObject({
      to: ann.user,
      inReplyTo: message.messageId,
    });
  });

  it('answer as a person to the author, as a machine to the envelope’s sender', async () => {
    const returnPath = 'ann+b-1@sender-example.com';
    const message = { host: ann.host, from: ann.user, returnPath };
    await submit(world, { ...message, to: 'reply-ada@acme.test', subject: 'For people' });
    await submit(world, { ...message, to: 'ooo-ada@acme.test', subject: 'For machines' });
    const note = await sourceOf('Out of office: For machines');
    expect(note).toContain(`To: ${returnPath}`);
    expect(note).toContain('Auto-Submitted: auto-replied');
    expect(note).toMatch(/until \d{1,2} \w+ \d{4} /);
    const answer = await sourceOf('Re: For people');
    expect(answer).toContain(`To: ${ann.user}`);
    expect(answer).toMatch(/wrote:\r\n> Hello there/);
  });

  it('answer some messages of warm-up to seeds as partners do, and nothing else', async () => {
    const to = SEED_ADDRESSES[0]!;
    const tokens = Array.from({ length: 30 }, (_, n) => `w${String(n).padStart(24, 'a')}`);
    const messageOf = (token: string) => {
      const messageId = `<${token}@sender-example.com>`;
      return { to, messageId };
    };
    const isAnswered = (token: string) =>
      seedAnswer(messageOf(token) as unknown as AcceptedMessage) !== undefined;
    const [answered, read] = [tokens.find(isAnswered)!, tokens.find((each) => !isAnswered(each))!];
    const submitted = (subject: string, headers = {}) =>
      submit(world, { host: ann.host, from: ann.user, to, subject, headers });
    const mark = (token: string) => ({ 'Message-ID': `<${token}@sender-example.com>` });
    await submitted('From a stranger');
    await submitted('Only read', mark(read));
    await submitted('About Tuesday', mark(answered));
    const answer = await sourceOf('Re: About Tuesday');
    expect(answer).toContain(`From: ${to}`);
    expect(answer).toContain(`In-Reply-To: <${answered}@sender-example.com>`);
    expect(await acceptedFor(to)).toHaveLength(3);
    const { replies } = await books();
    expect(replies.filter(({ from }: { from: string }) => from === to)).toHaveLength(1);
  });

  it('have mailboxes at seeds.test, with spam in the share that the control API sets', async () => {
    const to = SEED_ADDRESSES[1]!;
    const seed = { host: SEED_HOST, user: to, password: SEED_PASSWORD };
    const arrives = async (subject: string, percent: number, folder: string) => {
      await world.control('PUT', '/seeds/junk', { percent });
      await submit(world, { host: ann.host, from: ann.user, to, subject });
      await until(async () =>
        (await subjects(world, seed, folder)).some((s) => s.subject === subject),
      );
    };
    await arrives('Welcome', 0, 'INBOX');
    await arrives('Unwanted', 100, 'Junk');
    expect(await subjects(world, seed)).toHaveLength(1);
    expect((await world.control('PUT', '/seeds/junk', { percent: 101 })).status).toBe(400);
    expect((await world.control('GET', '/seeds/junk')).body).toEqual({ percent: 100 });
    await world.control('PUT', '/seeds/junk', { percent: 0 });
  });

  it('quote the text of the message that they answer, and nothing else of it', async () => {
    const message = { host: ann.host, from: ann.user, to: 'reply-eva@acme.test' };
    const text = 'Guten Tag,\n\nschöne Grüße';
    await submit(world, { ...message, subject: 'Two parts', text, html: '<p>Guten Tag</p>' });
    const answer = await sourceOf('Re: Two parts');
    const quoted = answer.split('\r\n').filter((line) => line.startsWith('>'));
    expect(quoted).toEqual(['> Guten Tag,', '> schöne Grüße']);
  });

  it('report complain-* as spam to the envelope’s sender (RFC 5965)', async () => {
    const returnPath = 'ann+b-2@sender-example.com';
    const to = 'complain-joe@acme.test';
    await submit(world, { host: ann.host, from: ann.user, to, subject: 'Cheap', returnPath });
    const report = await sourceOf('FW: Cheap');
    const [{ messageId }] = await acceptedFor(to);
    expect(report).toContain('report-type=feedback-report');
    expect(report).toContain('Feedback-Type: abuse');
    expect(report).toContain(`Original-Mail-From: <${returnPath}>`);
    expect(report).toContain(`Original-Rcpt-To: <${to}>`);
    expect(report).toContain(`Message-ID: ${messageId}`);
  });

  it('click once for unsubscribe-*, where it is offered and signed (RFC 8058), else ask by mail', async () => {
    const clicks: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        clicks.push(`${request.method} ${request.url} ${body}`);
        response.writeHead(clicks.length === 1 ? 502 : 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const headers = {
      'List-Unsubscribe': `<http://127.0.0.1:${port}/u/token>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    const message = { host: ann.host, from: ann.user };
    await submit(world, { ...message, to: 'unsubscribe-a@acme.test', subject: 'With', headers });
    await submit(world, { ...message, to: 'unsubscribe-b@acme.test', subject: 'Without' });
    expect(await sourceOf('Re: Without')).toContain('Please unsubscribe me');
    await until(async () => clicks.length === 2);
    server.close();
    expect(clicks).toEqual([1, 2].map(() => 'POST /u/token List-Unsubscribe=One-Click'));
    const all = (await subjects(world, ann)).map((each) => each.subject);
    expect(all).not.toContain('Re: With');
  });
});

/** The message with this subject in the sender's mailbox, once it is there. */
async function sourceOf(subject: string): Promise<string> {
  await until(async () => (await subjects(world, ann)).some((each) => each.subject === subject));
  return withImap(world, ann, async (client) => {
    await client.mailboxOpen('INBOX');
    for await (const message of client.fetch('1:*', { envelope: true, source: true })) {
      if (message.envelope?.subject === subject) return String(message.source);
    }
    return '';
  });
}
