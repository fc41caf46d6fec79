/** A mail host from the order of its server to a message in a mailbox, by the product's adapters. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDnsResolver } from '../../src/providers/dns/index.ts';
import { createMailHost } from '../../src/providers/mail-hosts/debian.ts';
import type { Smarthost } from '../../src/domain/clusters/smarthost.ts';
import type { MailHost, ServerAccess } from '../../src/providers/mail-hosts/port.ts';
import type { MailTransport } from '../../src/providers/mail-transport/port.ts';
import { vpsProviders } from '../../src/providers/vps/index.ts';
import { SMARTHOST } from '../../src/sandbox/smarthost.ts';
import {
  buyDomain,
  dkimKey,
  startMailWorld,
  until,
  type MailWorld,
} from '../support/mail/mail-world.ts';
import { withImap } from '../support/mail/mail-clients.ts';
import { providerError } from '../support/vendors/provider-error.ts';
import { startTransport } from '../support/mail/transport-process.ts';

const TIMEOUT_MS = 5_000;
const DOMAIN = 'hosted.com';
const HOST_NAME = `mail.${DOMAIN}`;
const ann = { host: HOST_NAME, email: `ann@${DOMAIN}`, password: `it's quite $ecret; ok` };
const bob = { host: HOST_NAME, email: `bob@${DOMAIN}`, password: 'another one' };

let world: MailWorld;
let mailHost: MailHost;
let server: ServerAccess;
let transport: MailTransport;
let stopTransport = () => {};
beforeAll(async () => {
  // At the real pace: first boot must be seen even on a busy machine.
  world = await startMailWorld({ pace: 1 });
  mailHost = hostBehind(world.sandbox().socks);
  const { caFile, dns, socks } = world.sandbox();
  const settings = { caFile, dnsServers: [dns], outboundProxy: socks, timeoutMs: TIMEOUT_MS };
  const started = await startTransport(settings);
  transport = started.transport;
  stopTransport = started.stop;
});
afterEach(() => world.control('DELETE', '/faults'));
afterAll(async () => {
  stopTransport();
  await world.close();
});

const hostBehind = (outboundProxy: string, smarthost?: Smarthost) =>
  createMailHost({
    acmeDirectoryUrl: `${world.sandbox().url}/acme/directory`,
    smarthost,
    tools: { timeoutMs: TIMEOUT_MS, outboundProxy },
  });
const fault = (vendor: string, operation: string, kind: string, times = 1) =>
  world.control('POST', '/faults', { vendor, operation, kind, times });

/** Rents a server at the Hetzner stand-in with the keys and the user-data of the adapter. */
async function rent(name: string, hostName: string): Promise<ServerAccess> {
  const state = vpsProviders.hetzner.configure({
    HETZNER_TOKEN: 'hetzner-sandbox-token',
    HETZNER_URL: `${world.sandbox().url}/hetzner/v1`,
  });
  if (state.state !== 'on') throw new Error('not configured');
  const vps = state.create({ timeoutMs: TIMEOUT_MS, outboundProxy: undefined });
  const keys = mailHost.makeKeys();
  const rented = await vps.create({
    name,
    sshPublicKey: keys.client.publicKey,
    userData: mailHost.userData({ hostName, hostKey: keys.host }),
    labels: { domain: DOMAIN },
  });
  return {
    ipv4: rented.ipv4!,
    sshPrivateKey: keys.client.privateKey,
    hostPublicKey: keys.host.publicKey,
  };
}

async function bootedServer(name: string, hostName: string): Promise<ServerAccess> {
  const rented = await rent(name, hostName);
  await until(() =>
    mailHost.waitForFirstBoot(rented).then(
      () => true,
      () => false,
    ),
  );
  return rented;
}

describe('first boot', () => {
  it('is `not_ready` while nobody answers and while cloud-init works, then it is done', async () => {
    server = await rent('outreach-hosted', HOST_NAME);
    const kinds = new Set<string>();
    await until(() =>
      mailHost.waitForFirstBoot(server).then(
        () => true,
        (error: { kind: string }) => {
          kinds.add(error.kind);
          return false;
        },
      ),
    );
    expect([...kinds]).toEqual(['not_ready']);
  });

  it('is waited for no longer when the caller gives up', async () => {
    const signal = AbortSignal.timeout(1);
    await expect(mailHost.waitForFirstBoot(server, signal)).rejects.toThrow(/cancelled/);
  });
});

describe('installing', () => {
  it('without the A record is `unavailable` with the words of the CA, and heals', async () => {
    const error = await providerError(mailHost.install(server, HOST_NAME));
    expect(error.kind).toBe('unavailable');
    expect(error.message).toMatch(
      /no certificate for mail.hosted.com \(dns\): .*A for mail.hosted.com/,
    );
    expect(error.facts).toMatchObject({
      providerCode: 'dns',
      operatorHint: expect.stringMatching(/A record/),
    });
    await buyDomain(world, DOMAIN, server.ipv4);
    await mailHost.install(server, HOST_NAME);
    await mailHost.install(server, HOST_NAME);
    expect(await mailHost.status(server)).toMatchObject({
      hostName: HOST_NAME,
      domains: [],
      certificate: { hostName: HOST_NAME },
    });
  });
});

describe('the way out', () => {
  const relay = { host: SMARTHOST.host, port: SMARTHOST.port };
  const withSmarthost = (smarthost: Smarthost) => hostBehind(world.sandbox().socks, smarthost);

  it('is direct where no smarthost is set', async () => {
    expect((await mailHost.status(server)).smarthost).toBeNull();
  });

  it('leads by the smarthost once one is set, and directly once it is not any more', async () => {
    const relaying = withSmarthost(SMARTHOST);
    for (let run = 0; run < 2; run += 1) await relaying.setWayOut(server);
    expect((await mailHost.status(server)).smarthost).toEqual({ ...relay, state: 'open' });
    await mailHost.install(server, HOST_NAME);
    await mailHost.setWayOut(server);
    expect((await mailHost.status(server)).smarthost).toBeNull();
  });

  it('is set by the installation, and says which smarthost does not answer', async () => {
    const gone = { ...SMARTHOST, port: 2587 };
    await withSmarthost(gone).install(server, HOST_NAME);
    expect((await mailHost.status(server)).smarthost).toMatchObject({ state: 'unknown' });
    await mailHost.setWayOut(server);
  });

  it('has a login that no command line and no error of ours shows', async () => {
    const refused = withSmarthost({ ...SMARTHOST, host: 'no name' }).setWayOut(server);
    const error = await providerError(refused);
    expect(error).toMatchObject({ kind: 'auth', facts: { operatorHint: expect.any(String) } });
    const books = readFileSync(`${world.stateDir}/journal.jsonl`, 'utf8');
    for (const text of [error.message, JSON.stringify(error.facts), books]) {
      expect(text).not.toContain(SMARTHOST.password);
    }
  });
});

describe('domains and mailboxes', () => {
  const domain = { domain: DOMAIN, dkimSelector: 's1', dkimPrivateKey: dkimKey() };

  it('a mailbox of a domain that is not there is refused for good', async () => {
    const error = await providerError(mailHost.setMailbox(server, ann));
    expect(error).toMatchObject({ kind: 'rejected', facts: { providerCode: '3' } });
    expect(error.message).not.toContain(ann.password);
  });

  it('are added, and added again', async () => {
    await mailHost.addDomain(server, domain);
    await mailHost.addDomain(server, domain);
    for (const mailbox of [ann, bob, ann]) await mailHost.setMailbox(server, mailbox);
    expect(await mailHost.status(server)).toMatchObject({
      domains: [DOMAIN],
      mailboxes: expect.arrayContaining([ann.email, bob.email]),
    });
  });

  it('that no host would take are refused for good, and nothing of them is run', async () => {
    const email = `x;reboot@${DOMAIN}`;
    const error = await providerError(mailHost.setMailbox(server, { email, password: 'p' }));
    expect(error).toMatchObject({ kind: 'rejected', facts: { providerCode: '2' } });
    const broken = mailHost.setMailbox(server, { email: ann.email, password: 'a\nb' });
    expect((await providerError(broken)).kind).toBe('rejected');
    const noKey = { domain: DOMAIN, dkimSelector: 's1', dkimPrivateKey: 'none' };
    expect((await providerError(mailHost.addDomain(server, noKey))).kind).toBe('rejected');
  });
});

describe('a mailbox', () => {
  it('lets its user log in on 465 and 993, and sends a message that arrives', async () => {
    await transport.checkSubmission(ann);
    await transport.checkImap(ann);
    const message = { to: bob.email, subject: 'Across', text: 'Hi', messageId: `<1@${DOMAIN}>` };
    expect((await transport.submit(ann, message)).reply).toMatch(/^250/);
    const { email: user, password, host } = bob;
    await until(() =>
      withImap(world, { host, user, password }, async (client) => {
        const found = await client.status('INBOX', { messages: true });
        return found && found.messages === 1;
      }),
    );
  });

  it('refuses a wrong password, which is not repeated', async () => {
    const wrong = { ...ann, password: 'wrong-password' };
    for (const check of ['checkSubmission', 'checkImap'] as const) {
      const error = await providerError(transport[check](wrong));
      expect(error.kind).toBe('rejected');
      expect(error.message + JSON.stringify(error.facts)).not.toContain('wrong-password');
    }
  });

  it('is not looked for under a name that the certificate does not have', async () => {
    const other = 'mail.other-name.com';
    await buyDomain(world, 'other-name.com', server.ipv4);
    for (const check of ['checkSubmission', 'checkImap'] as const) {
      const error = await providerError(transport[check]({ ...ann, host: other }));
      expect(error).toMatchObject({
        kind: 'unavailable',
        facts: { operatorHint: expect.stringMatching(/certificate/) },
      });
    }
  });

  it('of a host without an address is `unavailable`', async () => {
    const lost = { ...ann, host: 'mail.nowhere-at-all.com' };
    expect((await providerError(transport.checkSubmission(lost))).kind).toBe('unavailable');
    expect((await providerError(transport.checkImap(lost))).kind).toBe('unavailable');
  });

  it('gets a new password, and the old one is refused', async () => {
    const changed = { ...bob, password: 'changed' };
    await mailHost.setMailbox(server, changed);
    await transport.checkImap(changed);
    expect((await providerError(transport.checkImap(bob))).kind).toBe('rejected');
  });

  it('can be removed, and removed again', async () => {
    await mailHost.removeMailbox(server, bob.email);
    await mailHost.removeMailbox(server, bob.email);
    expect((await mailHost.status(server)).mailboxes).toEqual([ann.email]);
  });
});

describe('a message whose reply never came', () => {
  it.each(['timeout_after_effect', 'reset'])('is `outcome_unknown` (%s)', async (kind) => {
    await fault('smtp', 'DATA', kind);
    const message = { to: ann.email, subject: kind, text: 'Hi', messageId: `<${kind}@${DOMAIN}>` };
    expect((await providerError(transport.submit(ann, message))).kind).toBe('outcome_unknown');
  });

  it('before it was on its way is `unavailable`', async () => {
    await fault('smtp', 'CONNECT', 'reset');
    const message = { to: ann.email, subject: 'x', text: 'Hi', messageId: `<x@${DOMAIN}>` };
    expect((await providerError(transport.submit(ann, message))).kind).toBe('unavailable');
  });
});

describe('the connection to a host', () => {
  it('with another host key is refused before anything is sent', async () => {
    const hostPublicKey = mailHost.makeKeys().host.publicKey;
    const error = await providerError(mailHost.status({ ...server, hostPublicKey }));
    expect(error).toMatchObject({
      kind: 'auth',
      facts: { providerCode: 'host_key_mismatch', operatorHint: expect.any(String) },
    });
    const first = mailHost.waitForFirstBoot({ ...server, hostPublicKey });
    expect((await providerError(first)).kind).toBe('auth');
  });

  it('with a key that the host does not know is `auth`', async () => {
    const sshPrivateKey = mailHost.makeKeys().client.privateKey;
    const error = await providerError(mailHost.status({ ...server, sshPrivateKey }));
    expect(error).toMatchObject({ kind: 'auth', facts: { providerCode: 'key_refused' } });
  });

  it('that nobody takes is `unavailable`', async () => {
    const ipv4 = '198.18.255.250';
    expect((await providerError(mailHost.status({ ...server, ipv4 }))).kind).toBe('unavailable');
    const proxyless = hostBehind('socks5://127.0.0.1:9');
    expect((await providerError(proxyless.status(server))).kind).toBe('unavailable');
  });

  it.each(['timeout_before_effect', 'reset'])('that breaks (%s) is `unavailable`', async (kind) => {
    await fault('ssh', 'CONNECT', kind);
    expect((await providerError(mailHost.status(server))).kind).toBe('unavailable');
  });

  it('that breaks in the middle of a command is `unavailable`; the command may be repeated', async () => {
    await fault('ssh', 'EXEC /status', 'reset');
    expect((await providerError(mailHost.status(server))).kind).toBe('unavailable');
    expect((await mailHost.status(server)).hostName).toBe(HOST_NAME);
  });
});

describe('removing a domain', () => {
  it('takes its mailboxes with it, and may be repeated', async () => {
    const second = await bootedServer('outreach-second', 'mail.hosted-two.com');
    await buyDomain(world, 'hosted-two.com', second.ipv4);
    await mailHost.install(second, 'mail.hosted-two.com');
    const domain = { domain: 'hosted-two.com', dkimSelector: 's1', dkimPrivateKey: dkimKey() };
    await mailHost.addDomain(second, domain);
    await mailHost.setMailbox(second, { email: 'x@hosted-two.com', password: 'p' });
    await mailHost.removeDomain(second, 'hosted-two.com');
    await mailHost.removeDomain(second, 'hosted-two.com');
    expect(await mailHost.status(second)).toMatchObject({ domains: [], mailboxes: [] });
  });
});

describe('the resolver', () => {
  const resolver = () =>
    createDnsResolver({ servers: [world.sandbox().dns], timeoutMs: TIMEOUT_MS });

  it('answers what the world publishes, and nothing for what is not there', async () => {
    expect(await resolver().resolveA(HOST_NAME)).toEqual([server.ipv4]);
    expect(await resolver().resolveMx(DOMAIN)).toEqual([{ exchange: HOST_NAME, priority: 10 }]);
    expect(await resolver().resolveTxt(DOMAIN)).toEqual([]);
    expect(await resolver().resolveA('nothing.no-such-domain.com')).toEqual([]);
    expect(await resolver().resolvePtr('198.18.254.254')).toEqual([]);
  });

  it('is `unavailable` when nobody answers', async () => {
    const silent = createDnsResolver({ servers: ['127.0.0.1:9'], timeoutMs: 200 });
    expect((await providerError(silent.resolveA('any.com'))).kind).toBe('unavailable');
  });
});
