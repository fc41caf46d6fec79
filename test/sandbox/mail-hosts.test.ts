/** Simulated mail hosts: what a server that was ordered does, by SSH, SMTP and IMAP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ssh2 from 'ssh2';
import {
  buyDomain,
  dial,
  dkimKey,
  installMailHost,
  orderServer,
  PASSWORD,
  script,
  ssh,
  startMailWorld,
  subjects,
  submit,
  until,
  waitForFirstBoot,
  withImap,
  type MailWorld,
  type OrderedServer,
} from '../support/mail-world.ts';

const SCRIPT = '/usr/local/sbin/outreach-mail';

let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld();
});
afterAll(() => world.close());

describe('a server that was ordered', () => {
  let server: OrderedServer;
  beforeAll(async () => {
    server = await orderServer(world, 'fresh-server');
  });

  it('goes from initializing to running, and answers SSH only after that', async () => {
    const late = await orderServer(world, 'watched-server');
    const status = async () =>
      (await world.hetzner('GET', `/servers/${late.id}`)).body.server.status;
    expect(await status()).toBe('initializing');
    await expect(dial(world, late.ipv4, 22)).rejects.toThrow('nobody listens');
    await until(async () => (await status()) === 'running');
    await until(() =>
      dial(world, late.ipv4, 22).then(
        () => true,
        () => false,
      ),
    );
  });

  it('says that first boot is running before it says that it is done', async () => {
    const booting = await orderServer(world, 'booting-server');
    const seen: string[] = [];
    await until(async () => {
      const { stdout } = await ssh(world, booting, 'cloud-init status').catch(() => ({
        stdout: '',
      }));
      if (stdout !== '' && seen.at(-1) !== stdout) seen.push(stdout);
      return stdout === 'status: done\n';
    });
    expect(seen).toEqual(['status: running\n', 'status: done\n']);
  });

  it('shows the host key of its user-data, and a client that pinned another hangs up', async () => {
    const other = ssh2.utils.generateKeyPairSync('ed25519').public.split(' ')[1]!;
    await expect(ssh(world, { ...server, hostKey: other }, 'cloud-init status')).rejects.toThrow();
    await expect(ssh(world, server, 'cloud-init status')).resolves.toMatchObject({ code: 0 });
  });

  it('refuses a client key that it was not ordered with', async () => {
    const clientKey = ssh2.utils.generateKeyPairSync('ed25519').private;
    await expect(ssh(world, { ...server, clientKey }, 'cloud-init status')).rejects.toThrow(
      /authentication/i,
    );
  });

  it('knows no other commands', async () => {
    await expect(ssh(world, server, 'rm -rf /')).resolves.toMatchObject({ code: 127 });
    await expect(ssh(world, server, `${SCRIPT} format-disk`)).resolves.toMatchObject({ code: 2 });
  });

  it('is gone from the network when it was deleted, and its address is not given again', async () => {
    const gone = await orderServer(world, 'gone-server');
    await until(() =>
      dial(world, gone.ipv4, 22).then(
        () => true,
        () => false,
      ),
    );
    await world.hetzner('DELETE', `/servers/${gone.id}`);
    await expect(dial(world, gone.ipv4, 22)).rejects.toThrow('nobody listens');
    const next = await orderServer(world, 'gone-server-2');
    expect(next.ipv4).not.toBe(gone.ipv4);
    const { body } = await world.door('GET', '/books');
    const [noted] = body.vps.hetzner.servers.filter((each: { id: number }) => each.id === gone.id);
    expect(noted).toMatchObject({ status: 'deleted', deletedAt: expect.any(String) });
  });
});

describe('the mail host script', () => {
  it('answers the same when every verb runs twice', async () => {
    const server = await orderServer(world, 'twice');
    await buyDomain(world, 'twice-example.com', server.ipv4);
    await waitForFirstBoot(world, server);
    const key = dkimKey();
    const statuses: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      await script(world, server, 'install mail.twice-example.com');
      await script(world, server, 'certificate mail.twice-example.com');
      await script(world, server, "'add-domain' 'twice-example.com' 's1'", key);
      await script(world, server, 'set-mailbox ann@twice-example.com', `${PASSWORD}\n`);
      statuses.push(JSON.parse(await script(world, server, 'status')));
    }
    expect(statuses[1]).toEqual(statuses[0]);
    expect(statuses[0]).toEqual({
      hostName: 'mail.twice-example.com',
      domains: [{ domain: 'twice-example.com', selector: 's1' }],
      mailboxes: ['ann@twice-example.com'],
      certificate: { hostName: 'mail.twice-example.com', expiresAt: expect.any(String) },
      outbound25: 'open',
    });
    for (let run = 0; run < 2; run++) {
      await script(world, server, 'del-mailbox ann@twice-example.com');
      await script(world, server, 'del-domain twice-example.com');
    }
    const status = JSON.parse(await script(world, server, 'status'));
    expect(status).toMatchObject({ domains: [], mailboxes: [] });
  });

  it('gets no certificate for a name that does not lead to the host', async () => {
    const server = await orderServer(world, 'nameless');
    await waitForFirstBoot(world, server);
    await script(world, server, 'install mail.nameless-example.com');
    const { code, stderr } = await ssh(
      world,
      server,
      `${SCRIPT} certificate mail.nameless-example.com`,
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('NXDOMAIN') });
  });

  it('exits 3 for a mailbox of a domain that it does not have, and 2 for wrong usage', async () => {
    const server = await orderServer(world, 'strict');
    await waitForFirstBoot(world, server);
    const run = async (verb: string, stdin = '') =>
      (await ssh(world, server, `${SCRIPT} ${verb}`, stdin)).code;
    expect(await run('set-mailbox ann@elsewhere.com', 'secret\n')).toBe(3);
    expect(await run('set-mailbox')).toBe(2);
    expect(await run('add-domain acme.com s1', 'no key')).toBe(2);
    expect(await run('set-mailbox "not an address"')).toBe(2);
  });

  it('keeps no password in the books', async () => {
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(`${world.stateDir}/journal.jsonl`, 'utf8')).not.toContain(PASSWORD);
  });
});

describe('mail', () => {
  const here = { host: 'mail.here-example.com', user: 'ann@here-example.com' };
  const colleague = { host: 'mail.here-example.com', user: 'bob@here-example.com' };
  const there = { host: 'mail.there-example.com', user: 'eve@there-example.com' };
  beforeAll(async () => {
    await installMailHost(world, 'here-example.com', ['ann', 'bob']);
    await installMailHost(world, 'there-example.com', ['eve']);
  });

  const arrives = (at: { host: string; user: string }, subject: string) =>
    until(async () => (await subjects(world, at)).some((each) => each.subject === subject));
  const send = (to: string, subject: string, from = here) =>
    submit(world, { host: from.host, from: from.user, to, subject });

  it('goes from one mailbox to another of the same host', async () => {
    expect(await send(colleague.user, 'Next desk')).toMatch(/^250 .*queued/);
    await arrives(colleague, 'Next desk');
  });

  it('goes to another host by its MX, signed by DKIM', async () => {
    await send(there.user, 'Far away');
    await arrives(there, 'Far away');
    const source = await withImap(world, there, async (client) => {
      const lock = await client.getMailboxLock('INBOX');
      try {
        const letter = await client.fetchOne('*', { source: true });
        return letter === false ? '' : String(letter.source);
      } finally {
        lock.release();
      }
    });
    expect(source).toMatch(/^Return-Path: <ann@here-example\.com>/);
    expect(source).toMatch(/DKIM-Signature: [^]*d=here-example\.com;[^]*s=s1;/);
    expect(source).toMatch(/Received: from mail\.here-example\.com/);
  });

  it('is told to a client that waits with IDLE', async () => {
    await withImap(world, colleague, async (client) => {
      await client.mailboxOpen('INBOX');
      const arrived = new Promise((resolve) => client.once('exists', resolve));
      const idle = client.idle();
      await send(colleague.user, 'While waiting');
      await arrived;
      await client.noop();
      await idle;
    });
  });

  it('is refused at once for an unknown mailbox of the own domain', async () => {
    await expect(send('nobody@here-example.com', 'x')).rejects.toMatchObject({ responseCode: 550 });
  });

  it('comes back as a bounce when another host does not know the recipient', async () => {
    await send('nobody@there-example.com', 'Lost');
    await arrives(here, 'Undelivered Mail Returned to Sender');
  });

  it('comes back as a bounce when the domain has no mail', async () => {
    const { length } = await subjects(world, here);
    await send('nobody@no-such-domain-at-all.com', 'Nowhere');
    await until(async () => (await subjects(world, here)).length === length + 1);
  });

  it('may only be sent in the name of the login', async () => {
    const letter = { host: here.host, from: colleague.user, to: there.user, subject: 'x' };
    await expect(submit(world, { ...letter, password: 'wrong' })).rejects.toMatchObject({
      responseCode: 535,
    });
    const { port } = await dial(world, here.host, 465);
    const { default: nodemailer } = await import('nodemailer');
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port,
      secure: true,
      tls: { rejectUnauthorized: false },
      auth: { user: here.user, pass: PASSWORD },
    });
    await expect(
      transport.sendMail({ from: colleague.user, to: there.user, text: 'x' }),
    ).rejects.toMatchObject({ responseCode: 553 });
    transport.close();
  });

  it('needs the right password at IMAP, and logins are noted either way', async () => {
    await expect(
      withImap(world, { ...here, password: 'wrong' }, () => Promise.resolve()),
    ).rejects.toThrow();
    await withImap(world, here, () => Promise.resolve());
    const { body } = await world.door('GET', '/mail/logins');
    const mine = body.logins.filter((login: { user: string }) => login.user === here.user);
    expect(mine.at(-2)).toMatchObject({ protocol: 'imap', host: here.host, ok: false });
    expect(mine.at(-1)).toMatchObject({ protocol: 'imap', host: here.host, ok: true });
  });

  it('has folders with special uses', async () => {
    const folders = await withImap(world, here, (client) => client.list());
    const uses = Object.fromEntries(folders.map((each) => [each.path, each.specialUse]));
    expect(uses).toEqual({
      INBOX: String.raw`\Inbox`,
      Sent: String.raw`\Sent`,
      Drafts: String.raw`\Drafts`,
      Junk: String.raw`\Junk`,
      Trash: String.raw`\Trash`,
    });
  });

  it('arrives from outside by the door', async () => {
    const raw = 'From: Zoe <zoe@outside.test>\nSubject: Knock knock\n\nHello\n';
    await world.door('POST', '/mail/deliver', { to: here.user, raw });
    await arrives(here, 'Knock knock');
    const unknown = await world.door('POST', '/mail/deliver', { to: 'a@b.com', raw });
    expect(unknown.status).toBe(404);
  });

  it('meets the faults of its protocols', async () => {
    await world.door('POST', '/faults', { vendor: 'imap', kind: 'auth', times: 1 });
    await expect(withImap(world, here, () => Promise.resolve())).rejects.toThrow();
    await world.door('POST', '/faults', { vendor: 'smtp', kind: 'error_500', times: 1 });
    await expect(send(there.user, 'x')).rejects.toThrow();
    await world.door('POST', '/faults', {
      vendor: 'mx',
      operation: 'RCPT',
      kind: 'rate_limited',
      times: 1,
    });
    await send(there.user, 'Second try');
    await arrives(there, 'Second try');
    await world.door('DELETE', '/faults');
  });
});
