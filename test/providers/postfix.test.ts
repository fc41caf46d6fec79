/** Our submission against Debian's Postfix with the rules of our hosts: return addresses, senders, logins. */
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import type { MailboxAccess, MailTransport } from '../../src/providers/mail-transport/port.ts';
import { startPostfix, whyNoPostfix, type Postfix } from '../support/postfix.ts';
import { startSocksListener, type SocksListener } from '../support/socks-listener.ts';
import { trustAuthority } from '../support/trust.ts';

const missing = whyNoPostfix();
if (missing) console.warn(`postfix.test.ts is skipped: ${missing}`);

const ann: MailboxAccess = { host: 'mail.acme.test', email: 'ann@acme.test', password: 'pass' };
const client = 'bob@client.test';

describe.skipIf(missing !== undefined)('submission to Postfix', () => {
  let postfix: Postfix;
  let socks: SocksListener;
  let transport: MailTransport;

  beforeAll(async () => {
    const mailboxes = ['ann@acme.test', 'eve@acme.test'];
    postfix = await startPostfix(ann.host, { mailboxes, password: ann.password });
    trustAuthority(postfix.caFile);
    // The product dials 465 at the address of the name; the proxy knows where that is.
    const forward = createServer((socket) => {
      const onward = connect(postfix.port, '127.0.0.1');
      socket.pipe(onward).pipe(socket);
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    });
    socks = await startSocksListener(() => forward);
    const dns = { resolveA: async () => ['198.18.0.9'] };
    transport = createMailTransport({ dns, outboundProxy: socks.url, timeoutMs: 5_000 });
  }, 120_000);
  afterAll(async () => {
    await socks?.close();
    await postfix?.close();
  });

  const raw = Buffer.from(`From: ann@acme.test\r\nTo: ${client}\r\nSubject: Hi\r\n\r\n.dot\r\n`);

  async function send(from: string, to: string | string[] = client) {
    const session = await transport.openSubmission(ann);
    return session.send({ from, to, raw }, async () => undefined).finally(() => session.close());
  }

  it('takes a letter whose return address is the mailbox’s own with a mark', async () => {
    const from = 'ann+b12-mzxw6ytb@acme.test';
    expect((await send(from)).reply).toMatch(/^250 2\.0\.0 Ok: queued as /);
    await expect.poll(() => postfix.delivered.at(-1)).toMatchObject({ from });
    const letter = postfix.delivered.at(-1)!;
    expect(letter.to).toBe(client);
    expect(letter.raw).toMatch(/^Received: from acme\.test /);
    expect(letter.raw).toMatch(/\r\n\r\n\.\.dot\r\n$/);
  });

  it.each(['eve@acme.test', 'eve+b12-mzxw6ytb@acme.test', 'ann@other.test', 'annb12@acme.test'])(
    'refuses %s as a sender for good',
    async (from) => {
      const before = postfix.delivered.length;
      await expect(send(from)).rejects.toMatchObject({
        kind: 'rejected',
        facts: { providerCode: '553 5.7.1' },
      });
      expect(postfix.delivered).toHaveLength(before);
    },
  );

  it('goes on in the session behind a refused sender', async () => {
    const session = await transport.openSubmission(ann);
    const ends = await Promise.allSettled(
      ['eve@acme.test', 'ann+b13-mzxw6ytb@acme.test'].map((from) =>
        session.send({ from, to: client, raw }, async () => undefined),
      ),
    );
    session.close();
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('refuses a wrong password, and only that', async () => {
    expect(await transport.checkSubmission(ann)).toBeUndefined();
    const wrong = { ...ann, password: 'wrong' };
    await expect(transport.openSubmission(wrong)).rejects.toMatchObject({ kind: 'rejected' });
  });
});
