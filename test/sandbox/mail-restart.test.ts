/** A sandbox that stops and starts again has forgotten no host, no message and no identity. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  installMailHost,
  script,
  startMailWorld,
  until,
  type MailWorld,
  type OrderedServer,
} from '../support/mail/mail-world.ts';
import { subjects, submit, withImap } from '../support/mail/mail-clients.ts';

const ann = { host: 'mail.keep-example.com', user: 'ann@keep-example.com' };
const bob = { host: 'mail.keep-example.com', user: 'bob@keep-example.com' };

let world: MailWorld;
let server: OrderedServer;
beforeAll(async () => {
  world = await startMailWorld();
  server = await installMailHost(world, 'keep-example.com', ['ann', 'bob']);
});
afterAll(() => world.close());

const send = (to: string, subject: string) =>
  submit(world, { host: ann.host, from: ann.user, to, subject });
const arrives = (subject: string) =>
  until(async () => (await subjects(world, bob)).some((each) => each.subject === subject));
const inFolder = (folder: string) =>
  withImap(world, bob, async (client) => {
    const { uidValidity, uidNext, exists } = await client.mailboxOpen(folder);
    const messages: { uid: number; flags: string[] }[] = [];
    if (exists > 0) {
      for await (const { uid, flags } of client.fetch('1:*', { uid: true, flags: true })) {
        messages.push({ uid, flags: [...(flags ?? [])] });
      }
    }
    return { uidValidity: String(uidValidity), uidNext, messages };
  });

describe('a restart', () => {
  it('keeps messages, UIDs, flags, UIDVALIDITY and what users filed', async () => {
    for (const subject of ['one', 'two', 'three']) {
      await send(bob.user, subject);
      await arrives(subject);
    }
    await withImap(world, bob, async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageFlagsAdd('1', [String.raw`\Flagged`]);
      await client.messageMove('2', 'Trash');
      await client.messageDelete('*');
      await client.append('Sent', 'Subject: filed\r\n\r\nbody\r\n', [String.raw`\Seen`]);
      await client.mailboxCreate('Customers/Acme');
      await client.append('Customers/Acme', 'Subject: acme\r\n\r\nbody\r\n');
    });
    const folders = ['INBOX', 'Trash', 'Sent', 'Customers/Acme'];
    const before = await Promise.all(folders.map(inFolder));
    expect(before[0]!.messages).toEqual([
      { uid: 1, flags: expect.arrayContaining([String.raw`\Flagged`]) },
    ]);
    expect(before.map((each) => each.messages.length)).toEqual([1, 1, 1, 1]);
    await world.restart();
    expect(await Promise.all(folders.map(inFolder))).toEqual(before);
    await send(bob.user, 'four');
    await arrives('four');
    const { messages } = await inFolder('INBOX');
    expect(messages.at(-1)!.uid).toBe(4);
  });

  it('gives each mailbox and folder a UIDVALIDITY of its own', async () => {
    const values = [await inFolder('INBOX'), await inFolder('Sent'), await inFolder('Trash')];
    expect(new Set(values.map((each) => each.uidValidity)).size).toBe(3);
  });

  it('keeps host key, accounts, domains and certificate', async () => {
    const before = await script(world, server, 'status');
    await world.restart();
    expect(await script(world, server, 'status')).toBe(before);
    await withImap(world, ann, () => Promise.resolve());
  });

  it('loses no message that was accepted and could not be delivered yet', async () => {
    await world.control('POST', '/faults', { vendor: 'mx', kind: 'error_500' });
    await send('anyone@later.test', 'Patience');
    await world.restart();
    await world.control('DELETE', '/faults');
    await until(async () => {
      const { body } = await world.control('GET', '/books');
      return body.mail.accepted.some((each: { subject: string }) => each.subject === 'Patience');
    });
    const { body } = await world.control('GET', '/books');
    expect(body.mail.accepted).toHaveLength(1);
  });
});
