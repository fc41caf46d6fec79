/** The mail exchangers of the world outside and their magic recipients. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installMailHost, startMailWorld, until, type MailWorld } from '../support/mail-world.ts';
import { subjects, submit, withImap } from '../support/mail-clients.ts';

const ann = { host: 'mail.sender-example.com', user: 'ann@sender-example.com' };

let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld();
  await installMailHost(world, 'sender-example.com', ['ann']);
});
afterAll(() => world.close());

const send = (to: string, subject: string) =>
  submit(world, { host: ann.host, from: ann.user, to, subject });
const books = async () => (await world.door('GET', '/books')).body.mail;
const acceptedFor = async (to: string) =>
  (await books()).accepted.filter((each: { to: string }) => each.to === to);
const refusalsFor = async (to: string) =>
  (await books()).bounced
    .filter((each: { to: string }) => each.to === to)
    .map((each: { code: number }) => each.code);

describe('the mail exchangers', () => {
  it('take a letter for anybody under .test and book it', async () => {
    await send('jane@acme.test', 'Good morning');
    await until(async () => (await acceptedFor('jane@acme.test')).length > 0);
    const [letter] = await acceptedFor('jane@acme.test');
    expect(letter).toMatchObject({
      from: ann.user,
      to: 'jane@acme.test',
      subject: 'Good morning',
      messageId: expect.stringMatching(/^<.+@sender-example\.com>$/),
      headers: { 'dkim-signature': expect.stringContaining('d=sender-example.com') },
    });
    expect(letter.size).toBeGreaterThan(100);
    expect(letter).not.toHaveProperty('raw');
    const { body } = await world.door('GET', '/books?raw=1');
    expect(body.mail.accepted[0].raw).toContain('Hello there');
  });

  it('refuse bounce-* with 550, and the sender gets the bounce', async () => {
    await send('bounce-joe@acme.test', 'Returned');
    await until(async () => (await subjects(world, ann)).length > 0);
    expect(await refusalsFor('bounce-joe@acme.test')).toEqual([550]);
    const source = await withImap(world, ann, async (client) => {
      await client.mailboxOpen('INBOX');
      const letter = await client.fetchOne('*', { source: true });
      return letter ? String(letter.source) : '';
    });
    expect(source).toContain('Final-Recipient: rfc822; bounce-joe@acme.test');
    expect(source).toContain('Status: 5.1.1');
    expect(source).toContain('Subject: Returned');
  });

  it('put soft-bounce-* off twice, then take the letter', async () => {
    await send('soft-bounce-joe@acme.test', 'Third time');
    await until(async () => (await acceptedFor('soft-bounce-joe@acme.test')).length === 1);
    expect(await refusalsFor('soft-bounce-joe@acme.test')).toEqual([450, 450]);
  });

  it('put greylist-* off at first, then take the letter', async () => {
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
    const [letter] = await acceptedFor('reply-kim@acme.test');
    const { replies } = await books();
    expect(replies[0]).toMatchObject({
      from: 'reply-kim@acme.test',
      to: ann.user,
      inReplyTo: letter.messageId,
    });
  });
});
