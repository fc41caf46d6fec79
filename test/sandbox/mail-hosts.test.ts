/** Simulated mail hosts: what a server that was ordered does, by SSH, SMTP and IMAP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buyDomain,
  dial,
  dkimKey,
  installMailHost,
  orderServer,
  PASSWORD,
  script,
  ssh,
  sshKeyPair,
  startMailWorld,
  until,
  waitForFirstBoot,
  type MailWorld,
  type OrderedServer,
} from '../support/mail/mail-world.ts';
import { subjects, submit, withImap } from '../support/mail/mail-clients.ts';
import { takeClock } from '../support/tools/taken-clock.ts';

const SCRIPT = '/usr/local/sbin/outreach-mail';

let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld();
});
afterAll(() => world.close());

describe('a server that boots', () => {
  let slowly: MailWorld;
  beforeAll(async () => {
    // Listeners open by timers: slow enough for a busy machine to come before them.
    slowly = await startMailWorld({ pace: 0.5 });
  });
  afterAll(() => slowly.close());

  it('is initializing, starting, running; then SSH answers; then first boot is done', async () => {
    // States are told by the clock, which passes here only while the same one is seen.
    const clock = takeClock();
    clock.stop();
    const { id, ...server } = await orderServer(slowly, 'booting-server');
    const seen: string[] = [];
    const see = (state: string): boolean => {
      if (seen.at(-1) === state) clock.pass(200);
      else seen.push(state);
      return true;
    };
    await until(async () => {
      const { body } = await slowly.hetzner('GET', `/servers/${id}`);
      return see(body.server.status) && body.server.status === 'running';
    });
    await expect(dial(slowly, server.ipv4, 22)).rejects.toThrow('nobody listens');
    const bootStatus = () =>
      ssh(slowly, { id, ...server }, 'cloud-init status').catch(() => undefined);
    await until(async () => {
      const answer = await bootStatus();
      return answer !== undefined && see(answer.stdout) && answer.stdout === 'status: done\n';
    });
    expect(seen).toEqual([
      'initializing',
      'starting',
      'running',
      'status: running\n',
      'status: done\n',
    ]);
  });
});

describe('a server that was ordered', () => {
  let server: OrderedServer;
  beforeAll(async () => {
    server = await orderServer(world, 'fresh-server');
    await waitForFirstBoot(world, server);
  });

  it('shows the host key of its user-data, and a client that pinned another hangs up', async () => {
    const other = sshKeyPair().public.split(' ')[1]!;
    await expect(ssh(world, { ...server, hostKey: other }, 'cloud-init status')).rejects.toThrow(
      /verification failed/,
    );
    await expect(ssh(world, server, 'cloud-init status')).resolves.toMatchObject({ code: 0 });
  });

  it('refuses a client key that it was not ordered with', async () => {
    const clientKey = sshKeyPair().private;
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
    const noted = async () => {
      const { body } = await world.control('GET', '/books');
      return body.vps.hetzner.servers.find((each: { id: number }) => each.id === gone.id);
    };
    // The vendor takes a moment to delete it.
    await until(async () => (await noted()).status === 'deleted');
    expect(await noted()).toMatchObject({ deletedAt: expect.any(String) });
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
      await script(world, server, 'set-smarthost relay.test 587', `ours\n${PASSWORD}\n`);
      statuses.push(JSON.parse(await script(world, server, 'status')));
    }
    expect(statuses[1]).toEqual(statuses[0]);
    expect(statuses[0]).toEqual({
      hostName: 'mail.twice-example.com',
      domains: [{ domain: 'twice-example.com', selector: 's1' }],
      mailboxes: ['ann@twice-example.com'],
      certificate: { hostName: 'mail.twice-example.com', expiresAt: expect.any(String) },
      outbound25: 'open',
      smarthost: { host: 'relay.test', port: 587, state: 'unknown' },
      program: expect.stringMatching(/^[0-9a-f]{16}$/),
      signs: {
        queued: 0,
        diskUsedPercent: expect.any(Number),
        stoppedServices: [],
        closedPorts: [],
        needsReboot: false,
      },
    });
    for (let run = 0; run < 2; run++) {
      await script(world, server, 'del-smarthost');
      await script(world, server, 'del-mailbox ann@twice-example.com');
      await script(world, server, 'del-domain twice-example.com');
    }
    const status = JSON.parse(await script(world, server, 'status'));
    expect(status).toMatchObject({ domains: [], mailboxes: [], smarthost: null });
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
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('(dns): DNS') });
    const again = () => ssh(world, server, `${SCRIPT} certificate mail.nameless-example.com`);
    for (let run = 2; run <= 4; run += 1) expect((await again()).stderr).toContain('NXDOMAIN');
    expect((await again()).stderr).toMatch(/\(rateLimited\): .* retry after 20\S+ \S+ UTC$/m);
  });

  it('exits 3 for a mailbox of a domain that it does not have, and 2 for wrong usage', async () => {
    const server = await orderServer(world, 'strict');
    await waitForFirstBoot(world, server);
    const run = async (verb: string, stdin = '') =>
      (await ssh(world, server, `${SCRIPT} ${verb}`, stdin)).code;
    expect(await run('set-mailbox ann@elsewhere.com', 'secret\n')).toBe(3);
    expect(await run('set-mailbox')).toBe(2);
    expect(await run('add-domain acme.com s1', 'no key')).toBe(2);
    expect(await run('set-smarthost relay.test 587', 'ours\nsecret\n')).toBe(1);
    await script(world, server, 'install mail.strict-example.com');
    expect(await run('set-smarthost relay.test 0', 'ours\nsecret\n')).toBe(2);
    expect(await run('set-smarthost relay.test 587', 'ours\n')).toBe(2);
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

  const expectArrival = async (at: { host: string; user: string }, subject: string) => {
    await until(async () => (await subjects(world, at)).some((each) => each.subject === subject));
  };
  const send = (to: string, subject: string, from = here) =>
    submit(world, { host: from.host, from: from.user, to, subject });

  it('goes from one mailbox to another of the same host', async () => {
    expect(await send(colleague.user, 'Next desk')).toMatch(/^250 .*queued/);
    await expectArrival(colleague, 'Next desk');
  });

  it('goes to another host by its MX, signed by DKIM', async () => {
    await send(there.user, 'Far away');
    await expectArrival(there, 'Far away');
    const source = await withImap(world, there, async (client) => {
      const lock = await client.getMailboxLock('INBOX');
      try {
        const message = await client.fetchOne('*', { source: true });
        return message ? String(message.source) : '';
      } finally {
        lock.release();
      }
    });
    expect(source).toMatch(/^Return-Path: <ann@here-example\.com>/);
    expect(source).toMatch(/DKIM-Signature: [^]*d=here-example\.com;[^]*s=s1;/);
    expect(source).toMatch(/Received: from mail\.here-example\.com/);
    // Nothing of the client that submitted it: the one hop is that of the two hosts.
    expect(source.match(/^Received: /gm)).toHaveLength(1);
    expect(source).not.toMatch(/ESMTPSA|127\.0\.0\.1/);
  });

  it('is told to a client that waits with IDLE', async () => {
    const count = await withImap(world, colleague, async (client) => {
      const { exists } = await client.mailboxOpen('INBOX');
      const arrived = new Promise<number>((resolve) =>
        client.once('exists', (event: { count: number }) => resolve(event.count - exists)),
      );
      const idle = client.idle();
      await send(colleague.user, 'While waiting');
      const more = await arrived;
      await client.noop();
      await idle;
      return more;
    });
    expect(count).toBe(1);
  });

  it('is refused at once for an unknown mailbox of the own domain', async () => {
    await expect(send('nobody@here-example.com', 'x')).rejects.toMatchObject({ responseCode: 550 });
  });

  it('comes back as a bounce when nobody takes it: unknown recipient, domain without mail', async () => {
    const { length } = await subjects(world, here);
    await send('nobody@there-example.com', 'Lost');
    await send('nobody@no-such-domain-at-all.com', 'Nowhere');
    await until(async () => (await subjects(world, here)).length === length + 2);
    const found = (await subjects(world, here)).slice(length).map((each) => each.subject);
    expect(new Set(found)).toEqual(new Set(['Undelivered Mail Returned to Sender']));
  });

  it('may only be sent in the name of the login', async () => {
    const message = { host: here.host, from: colleague.user, to: there.user, subject: 'x' };
    await expect(submit(world, { ...message, password: 'wrong' })).rejects.toMatchObject({
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
    ).rejects.toMatchObject({ authenticationFailed: true });
    await withImap(world, here, () => Promise.resolve());
    const { body } = await world.control('GET', '/mail/logins');
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

  it('arrives from outside by the control API', async () => {
    const raw = 'From: Zoe <zoe@outside.test>\nSubject: Knock knock\n\nHello\n';
    await world.control('POST', '/mail/deliver', { to: here.user, raw });
    await expectArrival(here, 'Knock knock');
    const unknown = await world.control('POST', '/mail/deliver', { to: 'a@b.com', raw });
    expect(unknown.status).toBe(404);
  });

  it('meets the faults of its protocols', async () => {
    await world.control('POST', '/faults', {
      vendor: 'imap',
      operation: 'LOGIN',
      kind: 'auth',
      times: 1,
    });
    await expect(withImap(world, here, () => Promise.resolve())).rejects.toMatchObject({
      authenticationFailed: true,
    });
    await world.control('POST', '/faults', { vendor: 'smtp', kind: 'error_500', times: 1 });
    await expect(send(there.user, 'x')).rejects.toMatchObject({ responseCode: 451 });
    await world.control('POST', '/faults', {
      vendor: 'mx',
      operation: 'RCPT',
      kind: 'rate_limited',
      times: 1,
    });
    await send(there.user, 'Second try');
    await expectArrival(there, 'Second try');
    await world.control('DELETE', '/faults');
  });
});
