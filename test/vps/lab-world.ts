/** A world with `--vps real`, and the ways to look at its servers: the product's own and a console. */
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { get as getPage } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate } from 'node:tls';
import type { DNSResolver } from 'mailauth';
import { serverAccess } from '../../src/db/clusters/server-access.ts';
import type { Smarthost } from '../../src/domain/clusters/smarthost.ts';
import { createDnsResolver } from '../../src/providers/dns/index.ts';
import { createMailHost } from '../../src/providers/mail-hosts/debian.ts';
import type { MailHost, ServerAccess } from '../../src/providers/mail-hosts/port.ts';
import { runCommand } from '../../src/providers/mail-hosts/ssh.ts';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import type { MailTransport } from '../../src/providers/mail-transport/port.ts';
import { enterWorld, type SharedWorld } from '../e2e/shared-world.ts';
import { ACME_DIRECTORY_URL } from '../../src/sandbox/real-servers/addresses.ts';
import { trustAuthority } from '../support/run/trust.ts';
import { makeStateDir, removeStateDir, startWorld } from '../support/drills/world.ts';

/** For one answer, on a machine that may be busy. */
const TIMEOUT_MS = 60_000;

const START_LIMIT_MS = 600_000;

export interface LabWorld {
  world: SharedWorld;
  stateDir: string;
  /** The product's own mail client, through the world's resolver and proxy. */
  transport: MailTransport;
  /** The world's DNS in the form that mailauth asks. */
  resolve: DNSResolver;
  /** How the product reaches a server. */
  access(serverId: number): Promise<ServerAccess>;
  /** The product's mail hosts with another `SMARTHOST_URL`, or none. */
  hosts(smarthost?: Smarthost): MailHost;
  /** Runs a command on a server as the product does: its key, the pinned host key. */
  run(serverId: number, line: string): Promise<{ exitCode: number; stdout: string }>;
  /** The certificate that a port with TLS from the first byte shows, checked against the name. */
  certificate(host: string, port: number): Promise<DetailedPeerCertificate>;
  /** What a page says by HTTPS, whose certificate is checked. */
  page(host: string, path: string): Promise<string>;
  /** Talks SMTP with port 25 of a host; all that it said. */
  smtp(host: string, lines: readonly string[]): Promise<string>;
  leave(): Promise<{ survivors: string[] }>;
}

/** Starts it; what a start that fails leaves behind is removed. */
export async function enterLabWorld(): Promise<LabWorld> {
  const stateDir = await makeStateDir();
  // A first start is long, and meanwhile a port of the system's own range may be lent to others.
  const options = ['--vps', 'real', '--ports', 'default'];
  try {
    const running = await startWorld(stateDir, options, START_LIMIT_MS);
    return await openLab(await enterWorld(running, new Set()));
  } catch (error) {
    await removeStateDir(stateDir);
    throw error;
  }
}

async function openLab(world: SharedWorld): Promise<LabWorld> {
  const { file, running, cipher } = world;
  const { stateDir } = running;
  trustAuthority(file.caFile);
  const tools = { outboundProxy: file.socks, timeoutMs: TIMEOUT_MS };
  const dns = createDnsResolver({ servers: [file.dns], timeoutMs: TIMEOUT_MS });
  const resolver = new Resolver();
  resolver.setServers([file.dns]);
  const dial = (host: string, port: number) =>
    world.control<{ host: string; port: number }>('GET', `/dial?host=${host}&port=${port}`);
  const access = async (serverId: number) => {
    const servers = world.db.selectFrom('servers').selectAll().where('id', '=', serverId);
    return serverAccess({ cipher }, await servers.executeTakeFirstOrThrow());
  };
  return {
    world,
    stateDir,
    transport: createMailTransport({ dns, ...tools }),
    resolve: (name, type) => resolver.resolve(name, type) as Promise<string[][]>,
    access,
    hosts: (smarthost) =>
      createMailHost({ acmeDirectoryUrl: ACME_DIRECTORY_URL, smarthost, tools }),
    run: async (serverId, line) =>
      runCommand(await access(serverId), { line, limitMs: 120_000 }, tools),
    async certificate(host, port) {
      const ca = readFileSync(file.caFile);
      const socket = connectTls({ ...(await dial(host, port)), servername: host, ca });
      await new Promise((resolve, reject) => {
        socket.once('secureConnect', resolve);
        socket.once('error', reject);
      });
      const shown = socket.getPeerCertificate(true);
      socket.destroy();
      return shown;
    },
    async page(host, path) {
      const { port } = await dial(host, 443);
      const ca = readFileSync(file.caFile);
      const options = { host: '127.0.0.1', port, path, servername: host, ca };
      return new Promise((resolve, reject) => {
        const asked = getPage({ ...options, headers: { host } }, (response) => {
          let text = '';
          response.on('data', (chunk) => (text += chunk));
          response.on('end', () => resolve(text));
        });
        asked.on('error', reject);
      });
    },
    smtp: async (host, lines) => smtpDialogue(await dial(host, 25), lines),
    async leave() {
      await world.leave();
      const { survivors } = await running.stop();
      await removeStateDir(stateDir);
      return { survivors };
    },
  };
}

/** Sends each line after the answer to the one before it. */
function smtpDialogue(
  to: { host: string; port: number },
  lines: readonly string[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(to);
    const left = [...lines, 'QUIT'];
    let said = '';
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the host is silent')));
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      // The last line of an answer has a blank after its code (RFC 5321, 4.2.1).
      if (!/(^|\n)\d{3} [^\n]*\n$/.test(said)) return;
      const next = left.shift();
      if (next !== undefined) socket.write(`${next}\r\n`);
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(said));
  });
}
