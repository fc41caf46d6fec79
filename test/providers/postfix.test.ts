/** Our submission against Debian's Postfix with the rules of our hosts: return addresses, senders, logins. */
import { connect, createServer } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import type { MailboxAccess, MailTransport } from '../../src/providers/mail-transport/port.ts';
import { mailHostFolder } from '../support/mail/mail-host-folder.ts';
import { startPostfix, whyNoPostfix, type Postfix } from '../support/mail/postfix.ts';
import { startSocksListener, type SocksListener } from '../support/tools/socks-listener.ts';
import { trustAuthority } from '../support/run/trust.ts';

const missing = whyNoPostfix();
if (missing) console.warn(`postfix.test.ts is skipped: ${missing}`);

const ann: MailboxAccess = { host: 'mail.acme.test', email: 'ann@acme.test', password: 'pass' };
const client = 'bob@client.test';
const RECEIVED_ELSEWHERE =
  'Received: from there.test by mx.y.test (Postfix) with ESMTPSA id 4X1; Mon, 2 Mar 2026 09:00:00 +0000';
const RECEIVED_HERE =
  'Received: from c.test by mail.acme.test (Postfix) with ESMTPSA id 4X2; Mon, 2 Mar 2026 09:00:00 +0000';

describe.skipIf(missing !== undefined)('submission to Postfix', () => {
  let postfix: Postfix;
  let socks: SocksListener;
  let transport: MailTransport;

  beforeAll(async () => {
    const mailboxes = ['ann@acme.test', 'eve@acme.test'];
    // The table as the script of our hosts writes it.
    const folder = mailHostFolder(ann.host);
    folder.run(['del-smarthost']);
    const submitted = folder.path('etc/postfix/outreach-submitted');
    postfix = await startPostfix(ann.host, { mailboxes, password: ann.password, submitted });
    folder.remove();
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
  }, 180_000);
  afterAll(async () => {
    await socks?.close();
    await postfix?.close();
  });

  const raw = Buffer.from(`From: ann@acme.test\r\nTo: ${client}\r\nSubject: Hi\r\n\r\n.dot\r\n`);

  async function send(from: string, to: string | string[] = client) {
    const session = await transport.openSubmission(ann);
    return session.send({ from, to, raw }, async () => undefined).finally(() => session.close());
  }

  it('takes a message whose return address is the mailbox’s own with a mark', async () => {
    const from = 'ann+b12-mzxw6ytb@acme.test';
    expect((await send(from)).reply).toMatch(/^250 2\.0\.0 Ok: queued as /);
    await expect.poll(() => postfix.delivered.at(-1)).toMatchObject({ from });
    const message = postfix.delivered.at(-1)!;
    expect(message.to).toBe(client);
    expect(message.raw).toMatch(/\r\n\r\n\.\.dot\r\n$/);
  });

  it('hands messages on without a word of the client that submitted them', async () => {
    const messageWithin = [
      'From: ann@acme.test',
      `To: ${client}`,
      'Subject: Fwd',
      'Content-Type: message/rfc822',
      '',
      RECEIVED_ELSEWHERE,
      RECEIVED_HERE,
      'Subject: Within',
      '',
      'text',
      '',
    ].join('\r\n');
    const session = await transport.openSubmission(ann);
    const sent = [raw, Buffer.from(messageWithin)];
    for (const message of sent) {
      await session.send({ from: ann.email, to: client, raw: message }, async () => undefined);
    }
    session.close();
    const subjects = () => postfix.delivered.map((one) => /^Subject: (.*)\r$/m.exec(one.raw)?.[1]);
    await expect.poll(subjects).toContain('Fwd');
    const plain = postfix.delivered.filter((one) => /^Subject: Hi/m.test(one.raw));
    for (const { raw: text } of plain) expect(text).not.toMatch(/^Received:|127\.0\.0\.1/im);
    const within = postfix.delivered.at(subjects().indexOf('Fwd'))!;
    const [own, content] = within.raw.split(/\r\n\r\n/);
    expect(own).not.toMatch(/^Received:/im);
    // What is in the message is its content, whoever it names.
    expect(content).toContain(RECEIVED_ELSEWHERE);
    expect(content).toContain(RECEIVED_HERE);
  });

  it('keeps every hop of what comes from outside', async () => {
    const relay = createTransport({
      host: '127.0.0.1',
      port: postfix.inboundPort,
      secure: false,
      ignoreTLS: true,
    });
    const text = `${RECEIVED_ELSEWHERE}\r\nFrom: x@y.test\r\nSubject: Inbound\r\n\r\ntext\r\n`;
    await relay.sendMail({ envelope: { from: 'x@y.test', to: ['you@colleague.test'] }, raw: text });
    const inbound = () => postfix.delivered.find((one) => one.to === 'you@colleague.test');
    await expect.poll(inbound).toBeDefined();
    expect(inbound()!.raw.match(/^Received: /gm)).toHaveLength(2);
    expect(inbound()!.raw).toContain('[127.0.0.1]');
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
