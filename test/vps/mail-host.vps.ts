/**
 * The product's main job on servers that are real: Debian 12 boots, cloud-init and the mail host's
 * script install Postfix, Dovecot and OpenDKIM, and mail goes out and comes in.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  eventually,
  fundedAccount,
  newDomain,
  type Account,
  type Cluster,
  type ClusterOrder,
} from '../e2e/account.ts';
import { inOperatorsShell } from '../e2e/temporal-cli.ts';
import { dmarcMessage } from '../support/mail/report-messages.ts';
import { correspondence, type Correspondence, type Mailbox } from './correspondence.ts';
import { enterLabWorld, type LabWorld } from './lab-world.ts';
import { rotateKey, withdrawOldKey } from './dkim-rotation.ts';
import { dropPort25, openPort25, startCampaign } from './outgoing-port.ts';
import { pressPowerButton } from './power-button.ts';
import { countedOf, outreachHosts, pretendSent } from './protection.ts';
import { SMARTHOST } from '../../src/sandbox/smarthost.ts';
import { BY_SMARTHOST, placesOfPassword } from './smarthost.ts';

const BOOT_LIMIT_MS = 900_000;
/** A campaign whose mailboxes are free has sent its first message long before. */
const HELD_MS = 8_000;

const WORDS = ['--reason', 'a test', '--actor', 'ann'];

interface Listed {
  listed: { address: string }[];
}
interface VendorServers {
  vps: { hetzner: { servers: { ipv4: string; deletedAt: string | null; reinstalls: number }[] } };
}

describe.skipIf(inject('whySkipped') !== '')('a mail host that is real', () => {
  let lab: LabWorld;
  let mail: Correspondence;
  let account: Account;
  let first: Cluster;
  let second: Cluster;
  let ada: Mailbox;
  let grace: Mailbox;
  let linus: Mailbox;

  beforeAll(async () => {
    lab = await enterLabWorld();
    mail = correspondence(lab);
    account = await fundedAccount(lab.world, 'vps', 100_00);
  });
  afterAll(async () => void (await lab?.leave()));

  const ordered = async (order: ClusterOrder = {}): Promise<Cluster> => {
    const { id } = await account.order(newDomain('vps'), order);
    const settled = await eventually(
      'the end of the provisioning',
      async () => {
        const now = await account.cluster(id);
        const isOver = now.status !== 'provisioning' || now.provisioning.state === 'blocked';
        return isOver ? now : undefined;
      },
      BOOT_LIMIT_MS,
    );
    expect(settled.provisioning.error).toBeNull();
    expect(settled.status).toBe('active');
    return settled;
  };
  const mailboxOn = async (cluster: Cluster, name: string): Promise<Mailbox> => {
    const email = `${name}@${cluster.domain}`;
    const password = randomBytes(12).toString('base64url');
    const { mailboxes } = account.api;
    const asked = { clusterId: cluster.id, body: { email, password } };
    const { id } = await mailboxes.create(asked);
    const isActive = async () => (await mailboxes.read({ id })).isActive;
    await eventually(`${email} on its host`, async () => (await isActive()) || undefined);
    return { id, host: cluster.mailServer!.host, email, password };
  };
  const domainNamed = async (name: string): Promise<{ id: number }> => {
    const { items: all } = await account.api.domains.list();
    return all.find(({ domain }) => domain === name)!;
  };
  const upAgain = (mailbox: Mailbox): Promise<true> =>
    eventually(
      'the host after its reboot',
      async () => {
        await lab.transport.checkImap(mailbox);
        await lab.transport.checkSubmission(mailbox);
        return true as const;
      },
      BOOT_LIMIT_MS,
    );

  test(
    'is provisioned from a bare Debian 12 by the product alone',
    { timeout: BOOT_LIMIT_MS },
    async () => {
      const list = { list: 'zen.spamhaus.org', next: 1, codes: ['127.0.0.3'] };
      const { listed: before } = await lab.world.control<Listed>('PUT', '/blocklists', list);
      expect(before).toEqual([]);
      first = await ordered();
      const { stdout } = await lab.run(
        first.serverId!,
        'systemctl is-active postfix@- dovecot opendkim',
      );
      expect(stdout.trim().split('\n')).toEqual(['active', 'active', 'active']);
      expect((await lab.run(first.serverId!, 'cat /etc/debian_version')).stdout).toMatch(/^12\./);
    },
  );

  test('is not the one whose address was on a blocklist: that was given back', async () => {
    const { listed } = await lab.world.control<Listed>('GET', '/blocklists');
    const { vps } = await lab.world.control<VendorServers>('GET', '/books');
    const servers = vps.hetzner.servers.map(({ ipv4, deletedAt }) => ({
      ipv4,
      isListed: listed.some(({ address }) => address === ipv4),
      isGone: deletedAt !== null,
    }));
    expect(servers).toEqual([
      { ipv4: listed[0]!.address, isListed: true, isGone: true },
      { ipv4: first.ipAddress, isListed: false, isGone: false },
    ]);
  });

  test('has opened what mail needs in the firewall that its image came with, and no more', async () => {
    const { stdout } = await lab.run(first.serverId!, 'ufw status');
    const open = [...stdout.matchAll(/^(\d+)\/tcp +ALLOW +Anywhere *$/gm)].map(([, port]) => port);
    expect(stdout).toMatch(/^Status: active/);
    expect(open.toSorted()).toEqual(['22', '25', '443', '465', '80', '993']);
  });

  test('has a certificate of the ACME authority on 465 and 993', async () => {
    const { host } = first.mailServer!;
    for (const port of [465, 993]) {
      const shown = await lab.certificate(host, port);
      expect(shown.issuer.CN).toMatch(/^Pebble Intermediate CA/);
      expect(shown.subjectaltname).toBe(`DNS:${host}`);
    }
  });

  test('delivers by LMTP, and the message is read over IMAPS', async () => {
    [ada, grace] = [await mailboxOn(first, 'ada'), await mailboxOn(first, 'grace')];
    const raw = await mail.received(grace, await mail.send(ada, grace.email));
    expect(raw).toContain('with LMTP');
    expect(raw).toContain(`Return-Path: <${ada.email}>`);
  });

  test('sends by the smarthost, which asks for TLS and a login', async () => {
    const raw = await mail.acceptedOutside(await mail.send(ada, 'someone@recipients.test'));
    expect(raw).toMatch(BY_SMARTHOST);
    // The hop before it would name the worker.
    expect(raw.match(/^Received: /gm)).toHaveLength(1);
    expect(await mail.signatures(raw)).toEqual([{ signingDomain: first.domain, result: 'pass' }]);
    const { outbound25 } = await account.api.clusters.readHealth({ id: first.id });
    expect(outbound25).toMatchObject({
      state: 'ok',
      message: expect.stringContaining(
        'Messages leave by the smarthost smarthost.sandbox.test:587',
      ),
    });
  });

  test('has the password of the smarthost in one file, which only root reads', async () => {
    expect(await placesOfPassword(lab, first.serverId!)).toEqual([
      'root 600 /etc/postfix/outreach-smarthost',
    ]);
  });

  test('says that a smarthost refuses the login, and what waits leaves once it is right', async () => {
    const access = await lab.access(first.serverId!);
    await lab.hosts({ ...SMARTHOST, password: 'another one' }).setWayOut(access);
    const subject = await mail.send(ada, 'someone@recipients.test');
    const isRefused = async () => (await lab.hosts().status(access)).smarthost?.state === 'refused';
    await eventually('a refused login', async () => (await isRefused()) || undefined);
    await lab.hosts(SMARTHOST).setWayOut(access);
    expect(await mail.acceptedOutside(subject)).toMatch(BY_SMARTHOST);
    expect((await lab.hosts().status(access)).smarthost?.state).toBe('open');
  });

  test('sends directly once the setting is taken away, and nothing of it is left', async () => {
    const access = await lab.access(first.serverId!);
    for (let run = 0; run < 2; run += 1) await lab.hosts().setWayOut(access);
    const raw = await mail.acceptedOutside(await mail.send(ada, 'someone@recipients.test'));
    expect(raw).not.toMatch(BY_SMARTHOST);
    expect(raw).not.toMatch(/^Received: /m);
    const left = 'ls /etc/postfix/outreach-smarthost /etc/outreach-mail/smarthost';
    expect((await lab.run(first.serverId!, left)).stdout).toBe('');
    expect((await lab.hosts().status(access)).smarthost).toBeNull();
  });

  test('sends to the world outside with a DKIM signature that verifies by the key in DNS', async () => {
    const raw = await mail.acceptedOutside(await mail.send(ada, 'someone@recipients.test'));
    expect(await mail.signatures(raw)).toEqual([{ signingDomain: first.domain, result: 'pass' }]);
    const tampered = raw.replace('that is real', 'that is not');
    // RFC 6376, 6.1.3: another body hash; mailauth calls it neutral.
    expect(await mail.signatures(tampered)).toEqual([
      { signingDomain: first.domain, result: 'neutral' },
    ]);
  });

  test('sends nothing while its vendor drops outgoing port 25, and again once a probe gets out', async () => {
    const server = first.serverId!;
    const holdOf = async () => (await account.cluster(first.id)).health.sendingHold;
    await dropPort25(lab, server);
    await eventually('a hold', async () => (await holdOf()) === 'port_25_closed' || undefined);
    const { id, subject } = await startCampaign(account, ada, 'someone@recipients.test');
    await sleep(HELD_MS);
    const { items: leads } = await account.api.campaignLeads.list({ id });
    expect(leads).toEqual([expect.objectContaining({ status: 'queued' })]);
    await openPort25(lab, server);
    await eventually('no hold', async () => (await holdOf()) === null || undefined);
    // It is woken, and does not wait for its next look ten minutes later.
    expect(await mail.acceptedOutside(subject)).toContain(subject);
  });

  test('signs by a new DKIM key while it sends, and every message verifies', async () => {
    const { domain_id: domainId } = await lab.world.db
      .selectFrom('clusters')
      .select('domain_id')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    const sent: string[] = [];
    let isOver = false;
    const sending = (async () => {
      while (!isOver) {
        sent.push(await mail.send(ada, 'someone@recipients.test'));
        await sleep(250);
      }
    })();
    expect(await rotateKey(lab, domainId)).toEqual({ before: 's1', after: 's2' });
    const last = sent.length;
    await eventually('messages by the new key', async () => sent.length > last + 4 || undefined);
    isOver = true;
    await sending;
    const used = new Set<string>();
    for (const subject of sent) {
      const raw = await mail.acceptedOutside(subject);
      used.add(/\bs=(\w+);/.exec(raw)![1]!);
      expect(await mail.signatures(raw)).toEqual([{ signingDomain: first.domain, result: 'pass' }]);
    }
    expect(used).toEqual(new Set(['s1', 's2']));
    await withdrawOldKey(lab, domainId);
    expect(await lab.resolve(`s1._domainkey.${first.domain}`, 'TXT').catch(() => 'gone')).toBe(
      'gone',
    );
    const raw = await mail.acceptedOutside(await mail.send(ada, 'someone@recipients.test'));
    expect(await mail.signatures(raw)).toEqual([{ signingDomain: first.domain, result: 'pass' }]);
  }, 120_000);

  test('serves the MTA-STS policy with a certificate of its name before it is announced', async () => {
    await lab.world.temporal.schedule.getHandle('publish-mta-sts').trigger();
    const announced = await eventually('the announcement', async () =>
      lab.resolve(`_mta-sts.${first.domain}`, 'TXT').catch(() => undefined),
    );
    expect(announced.flat().join('')).toMatch(/^v=STSv1; id=[0-9a-f]{20}$/);
    const name = `mta-sts.${first.domain}`;
    expect((await lab.certificate(name, 443)).subjectaltname).toBe(`DNS:${name}`);
    expect(await lab.page(name, '/.well-known/mta-sts.txt')).toBe(
      `version: STSv1\r\nmode: testing\r\nmx: ${first.mailServer!.host}\r\nmax_age: 86400\r\n`,
    );
    // The host's own certificate stays what it was.
    expect((await lab.certificate(ada.host, 993)).subjectaltname).toBe(`DNS:${ada.host}`);
  }, 120_000);

  test('takes an answer from outside, found by its MX record', async () => {
    const subject = await mail.send(ada, 'reply-bob@recipients.test');
    expect(await mail.received(ada, `Re: ${subject}`)).toContain('reply-bob@recipients.test');
  });

  test('takes mail for postmaster@, and shows the DMARC report that comes there', async () => {
    const { id: domainId } = await domainNamed(first.domain);
    const { ipv4 } = (await lab.access(first.serverId!)) as { ipv4: string };
    const rows = [{ source: ipv4, messages: 7, result: 'pass' as const }];
    const report = dmarcMessage({ domain: first.domain, organization: 'outside.test', rows });
    const dialogue = [
      'EHLO outside.test',
      // RFC 5321, 4.5.1: whatever case it is written in.
      'MAIL FROM:<reports@outside.test>',
      `RCPT TO:<Postmaster@${first.domain}>`,
      'DATA',
      `${report}.`,
      'MAIL FROM:<ann@outside.test>',
      `RCPT TO:<abuse@${first.domain}>`,
      'DATA',
      'From: ann@outside.test\r\nSubject: Abuse of a real host\r\n\r\nStop it.\r\n.',
      'MAIL FROM:<ann@outside.test>',
      'RCPT TO:<postmaster>',
      'DATA',
      'From: ann@outside.test\r\nSubject: To whom it concerns\r\n\r\nOf this host.\r\n.',
    ];
    const said = await lab.smtp(first.mailServer!.host, dialogue);
    expect(said.match(/^250 2\.0\.0 Ok: queued/gm)).toHaveLength(3);
    const trigger = 'temporal schedule trigger --schedule-id read-mail-reports';
    const lines = await eventually('the report', async () => {
      expect((await inOperatorsShell(lab.world, trigger)).code).toBe(0);
      const { data } = await account.api.domains.readDeliverability({ id: domainId });
      return data.lines.length > 0 ? data.lines : undefined;
    });
    expect(lines).toEqual([
      expect.objectContaining({
        source: ipv4,
        isOwnServer: true,
        result: 'pass',
        disposition: 'none',
        messages: 7,
        reporters: ['outside.test'],
      }),
    ]);
    // What is for people is in the mailbox that the client had first.
    expect(await mail.received(ada, 'Abuse of a real host')).toContain('Stop it.');
    expect(await mail.received(ada, 'To whom it concerns')).toContain('Of this host.');
    const inbox = await lab.run(
      first.serverId!,
      `find /var/vmail/${first.domain}/postmaster /var/vmail/${first.domain}/abuse -type f -path '*/new/*' -o -type f -path '*/cur/*'`,
    );
    expect(inbox.stdout.trim()).toBe('');
  });

  test('serves a second domain, signed by its own key, under the first name', async () => {
    second = await ordered({ useExistingVps: true, serverId: first.serverId! });
    expect(second.mailServer!.host).toBe(first.mailServer!.host);
    linus = await mailboxOn(second, 'linus');
    const raw = await mail.acceptedOutside(await mail.send(linus, 'someone@recipients.test'));
    expect(await mail.signatures(raw)).toEqual([{ signingDomain: second.domain, result: 'pass' }]);
    // The setting is still there: a host that is given another domain is brought to it.
    expect(raw).toMatch(BY_SMARTHOST);
    expect(await mail.received(linus, await mail.send(ada, linus.email))).toContain('with LMTP');
  });

  test('refuses a wrong password, a foreign sender and to be an open relay', async () => {
    expect(await mail.logins({ ...ada, password: 'wrong' })).toEqual(['rejected', 'rejected']);

    const session = await lab.transport.openSubmission(ada);
    const raw = Buffer.from(`From: ${grace.email}\r\nSubject: not mine\r\n\r\nHello\r\n`);
    const message = { from: grace.email, to: 'someone@recipients.test', raw };
    await expect(session.send(message, async () => undefined)).rejects.toMatchObject({
      kind: 'rejected',
      facts: { providerCode: '553 5.7.1' },
    });
    session.close();

    const relay = ['EHLO there.test', 'MAIL FROM:<a@there.test>', 'RCPT TO:<b@elsewhere.test>'];
    expect(await lab.smtp(ada.host, relay)).toContain(
      '554 5.7.1 <b@elsewhere.test>: Relay access denied',
    );
    const unknown = [...relay.slice(0, 2), `RCPT TO:<nobody@${first.domain}>`];
    expect(await lab.smtp(ada.host, unknown)).toContain('550 5.1.1');
  });

  test('puts off what a mailbox sends beyond its limit, and nothing of another one', async () => {
    const serverId = first.serverId!;
    const before = await countedOf(lab, serverId, ada.email);
    await mail.received(grace, await mail.send(ada, grace.email));
    expect(await countedOf(lab, serverId, ada.email)).toBeGreaterThan(before);
    await pretendSent(lab, { serverId, mailbox: grace, recipients: 300 });
    await expect(mail.send(grace, ada.email)).rejects.toMatchObject({
      facts: { providerCode: '450 4.7.1' },
    });
    await mail.received(grace, await mail.send(ada, grace.email));
    await pretendSent(lab, { serverId, mailbox: grace, recipients: 0 });
    await mail.received(ada, await mail.send(grace, ada.email));
  });

  test('bans who guesses passwords, but not us, and upgrades itself', async () => {
    const serverId = first.serverId!;
    const { stdout: jails } = await lab.run(serverId, 'fail2ban-client status');
    expect(jails).toMatch(/Jail list:\s+dovecot, postfix-sasl, sshd/);
    // The wrong passwords of the test before are in the journal of both, and are ours.
    const us = (await lab.run(serverId, 'cat /var/lib/outreach-mail/callers')).stdout.trim();
    const log = await lab.run(serverId, 'cat /var/log/fail2ban.log');
    for (const jail of ['dovecot', 'postfix-sasl']) {
      expect(log.stdout).toContain(`[${jail}] Ignore ${us} by command`);
      const attempt = `fail2ban-client set ${jail} attempt 203.0.113.66`;
      await lab.run(serverId, `for i in $(seq 12); do ${attempt}; done`);
      const banned = await eventually(`a ban by ${jail}`, async () => {
        const { stdout } = await lab.run(serverId, `nft list set inet f2b-table addr-set-${jail}`);
        return stdout.includes('203.0.113.66') ? stdout : undefined;
      });
      expect(banned).not.toContain(us);
    }
    const upgrades = 'apt-config dump; systemctl is-enabled apt-daily-upgrade.timer';
    const { stdout } = await lab.run(serverId, upgrades);
    expect(stdout).toContain('APT::Periodic::Unattended-Upgrade "1"');
    expect(stdout).toMatch(/^enabled$/m);
  });

  test('gets another login key by `outreach hosts rotate-ssh-key`, and the old one is refused', async () => {
    const serverId = first.serverId!;
    const before = await lab.access(serverId);
    const words = ['--reason', 'a test', '--actor', 'ann'];
    expect(await outreachHosts(lab, 'rotate-ssh-key', String(serverId), ...words)).toContain(
      'succeeded',
    );
    await expect(lab.hosts().status(before)).rejects.toMatchObject({
      facts: { providerCode: 'key_refused' },
    });
    expect((await lab.run(serverId, 'wc -l </root/.ssh/authorized_keys')).stdout.trim()).toBe('1');
    await mail.received(grace, await mail.send(ada, grace.email));
  }, 300_000);

  test('gets the program of this release by `outreach hosts upgrade`, and is well afterwards', async () => {
    const serverId = first.serverId!;
    const path = '/usr/local/sbin/outreach-mail';
    const older = `cp -p ${path} /root/older && echo '# Of before.' >>/root/older && mv /root/older ${path}`;
    expect((await lab.run(serverId, older)).exitCode).toBe(0);
    const told = async () => lab.hosts(SMARTHOST).status(await lab.access(serverId));
    const { program } = lab.hosts();
    expect((await told()).program).toMatch(/^[0-9a-f]{16}$/);
    expect((await told()).program).not.toBe(program);
    // The hourly look at the host notices it.
    const row = () => lab.world.db.updateTable('servers').where('id', '=', serverId);
    await row().set({ health_checked_at: null }).execute();
    await eventually('the look at the host', async () => {
      const trigger = 'temporal schedule trigger --schedule-id check-mail-hosts';
      expect((await inOperatorsShell(lab.world, trigger)).code).toBe(0);
      const list = await outreachHosts(lab, 'list');
      return list.includes(program) ? undefined : true;
    });
    const words = ['--reason', 'a test', '--actor', 'ann', '--canary', String(serverId)];
    expect(await outreachHosts(lab, 'upgrade', ...words)).toContain('succeeded');
    expect(await told()).toMatchObject({
      program,
      signs: { queued: expect.any(Number), stoppedServices: [], closedPorts: [] },
    });
    expect(await outreachHosts(lab, 'list')).toMatch(new RegExp(` ${program} +none`));
    expect((await lab.run(serverId, `ls ${path}*`)).stdout.trim()).toBe(path);
    await mail.received(grace, await mail.send(ada, grace.email));
  }, 300_000);

  test('ends what is open of a mailbox that is removed, and nothing else', async () => {
    const eve = await mailboxOn(first, 'eve');
    const [hers, other] = [await lab.transport.openImap(eve), await lab.transport.openImap(ada)];
    await Promise.all([hers.open('INBOX'), other.open('INBOX')]);
    await account.api.mailboxes.delete({ id: eve.id });
    await eventually('the end of her session', async () => (hers.isUsable() ? undefined : true));
    expect((await other.open('INBOX')).exists).toBeGreaterThan(0);
    await other.close();
    expect(await mail.logins(eve)).toEqual(['rejected', 'rejected']);
  });

  test('shows a renewed certificate without a restart', async () => {
    const pids = 'systemctl show --property MainPID dovecot; cat /var/spool/postfix/pid/master.pid';
    const before = await lab.certificate(ada.host, 993);
    const { stdout: started } = await lab.run(first.serverId!, pids);
    // The authority refuses one nonce in twenty, on purpose; certbot asks again once, then leaves it to its timer.
    const renewals: string[] = [];
    await eventually('a renewal of every certificate', async () => {
      const { exitCode, stdout } = await lab.run(
        first.serverId!,
        'certbot renew --force-renewal --no-random-sleep-on-renew 2>&1',
      );
      renewals.push(`exit ${exitCode}: ${stdout}`);
      return exitCode === 0 || renewals.length === 3 || undefined;
    });
    expect(renewals.at(-1)).toMatch(/^exit 0:/);
    for (const port of [465, 993]) {
      const serial = await eventually(`another certificate on ${port}`, async () => {
        const { serialNumber } = await lab.certificate(ada.host, port);
        return serialNumber === before.serialNumber ? undefined : serialNumber;
      });
      expect(serial).not.toBe(before.serialNumber);
    }
    expect((await lab.run(first.serverId!, pids)).stdout).toBe(started);
  });

  test('is made anew by `outreach hosts rebuild` after its system broke, and has all that it had', async () => {
    const serverId = first.serverId!;
    const [kept, keptOfSecond] = [
      await mail.send(ada, grace.email),
      await mail.send(ada, linus.email),
    ];
    await Promise.all([mail.received(grace, kept), mail.received(linus, keptOfSecond)]);
    const { serialNumber } = await lab.certificate(ada.host, 993);
    const policy = await lab.page(`mta-sts.${first.domain}`, '/.well-known/mta-sts.txt');
    await lab.run(
      serverId,
      'touch /etc/of-the-old-system; rm -rf /etc/postfix/main.cf /etc/opendkim.conf; ' +
        'pkill -9 opendkim; mv /usr/local/sbin/outreach-mail /root/',
    );
    const out = await outreachHosts(lab, 'rebuild', String(serverId), ...WORDS);
    expect(out).toContain('succeeded');
    const rebuilt = 'ls /etc/of-the-old-system /usr/sbin/policy-rc.d 2>&1; nft list tables';
    const { stdout } = await lab.run(serverId, rebuilt);
    expect(stdout.match(/No such file/g)).toHaveLength(2);
    expect(stdout).not.toContain('outreach_rebuild');
    expect((await lab.run(serverId, 'wc -l </root/.ssh/authorized_keys')).stdout.trim()).toBe('1');

    expect(await mail.received(grace, kept)).toContain(kept);
    expect(await mail.received(linus, keptOfSecond)).toContain(keptOfSecond);
    for (const port of [465, 993]) {
      expect((await lab.certificate(ada.host, port)).serialNumber).toBe(serialNumber);
    }
    expect(await lab.page(`mta-sts.${first.domain}`, '/.well-known/mta-sts.txt')).toBe(policy);
    for (const [from, domain] of [
      [ada, first.domain],
      [linus, second.domain],
    ] as const) {
      const raw = await mail.acceptedOutside(await mail.send(from, 'someone@recipients.test'));
      expect(await mail.signatures(raw)).toEqual([{ signingDomain: domain, result: 'pass' }]);
    }
    const subject = await mail.send(ada, 'reply-bob@recipients.test');
    expect(await mail.received(ada, `Re: ${subject}`)).toContain('reply-bob@recipients.test');
    // It is known by the key that it has always had; whoever shows another one is not believed.
    const { host: other } = lab.hosts().makeKeys();
    const stranger = { ...(await lab.access(serverId)), hostPublicKey: other.publicKey };
    await expect(lab.hosts().status(stranger)).rejects.toMatchObject({
      facts: { providerCode: 'host_key_mismatch' },
    });
    const { vps } = await lab.world.control<VendorServers>('GET', '/books');
    const [server] = vps.hetzner.servers.filter(({ deletedAt }) => deletedAt === null);
    expect(server).toMatchObject({ ipv4: first.ipAddress, reinstalls: 1 });
  }, 900_000);

  test.each(['reboot', 'reset'] as const)('loses nothing by a %s', async (button) => {
    const [kept, keptOfSecond] = [
      await mail.send(ada, grace.email),
      await mail.send(ada, linus.email),
    ];
    await Promise.all([mail.received(grace, kept), mail.received(linus, keptOfSecond)]);
    const boot =
      'cat /proc/sys/kernel/random/boot_id; systemctl show --property UserspaceTimestampMonotonic';
    const { stdout: before } = await lab.run(first.serverId!, boot);
    await pressPowerButton(lab, button);
    await upAgain(ada);
    expect((await lab.run(first.serverId!, boot)).stdout).not.toBe(before);
    expect(await mail.received(grace, kept)).toContain(kept);
    expect(await mail.received(linus, keptOfSecond)).toContain(keptOfSecond);
    const raw = await mail.acceptedOutside(await mail.send(linus, 'someone@recipients.test'));
    expect(await mail.signatures(raw)).toEqual([{ signingDomain: second.domain, result: 'pass' }]);
    expect(await mail.received(linus, await mail.send(ada, linus.email))).toContain('with LMTP');
  });

  test('is gone with its disk once its clusters are deleted', async () => {
    const disks = join(lab.stateDir, 'sandbox', 'vps');
    const isThere = () => readdirSync(disks).some((name) => name.startsWith('hetzner-'));
    expect(isThere()).toBe(true);
    for (const { id } of [second, first]) await account.call('DELETE', `/v1/clusters/${id}`);
    await eventually('no disk', async () => (isThere() ? undefined : true), 120_000);
    expect(existsSync(disks)).toBe(true);
  });
});
