/** Authorities for the suite of their port: the world's stand-in, and pebble, which validates through the world's DNS. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../src/dev/ports.ts';
import { openCertificateAuthority } from '../../../src/sandbox/certificate-authority.ts';
import { trustAuthority } from '../run/trust.ts';
import type { TestSandbox } from './sandbox.ts';

const PEBBLE = '/usr/bin/pebble';

/** Why pebble cannot run here; undefined when it can. */
export const whyNoPebble = (): string | undefined =>
  existsSync(PEBBLE) ? undefined : 'pebble is missing: apt-get install pebble';

/** The web server of every name of a test; it answers what was put under a token. */
export interface ChallengeServer {
  port: number;
  answers: Map<string, string>;
  /** `Host` of each request. */
  hosts: string[];
  /** It answers nobody until the result is called. */
  hold(): () => void;
  close(): void;
}

export async function startChallengeServer(): Promise<ChallengeServer> {
  const answers = new Map<string, string>();
  const hosts: string[] = [];
  let free: Promise<void> = Promise.resolve();
  const server = createServer(async (request, response) => {
    hosts.push(request.headers.host ?? '');
    await free;
    const [, token = ''] = /^\/\.well-known\/acme-challenge\/(.+)$/.exec(request.url ?? '') ?? [];
    const answer = answers.get(token);
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    answers,
    hosts,
    hold() {
      let goOn: () => void = () => undefined;
      free = new Promise((resolve) => (goOn = resolve));
      return () => goOn();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface TestAuthority {
  directoryUrl: string;
  /** A name of `acme.com` whose web server is that of the test. */
  publish(label: string): Promise<string>;
  close(): Promise<void>;
}

export interface AuthorityWorld {
  sandbox: TestSandbox;
  web: ChallengeServer;
}

export async function standInAuthority({ sandbox }: AuthorityWorld): Promise<TestAuthority> {
  const answer = 'links.outreach.test';
  return {
    directoryUrl: `${sandbox.url}/acme/directory`,
    publish: (label) => published(sandbox, { host: label, type: 'CNAME', answer }),
    close: async () => {},
  };
}

export interface Pebble extends TestAuthority {
  /** It forgets everything then. */
  restart(): Promise<void>;
}

export async function pebbleAuthority({ sandbox, web }: AuthorityWorld): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'pebble-'));
  const authority = await openCertificateAuthority(folder);
  trustAuthority(authority.caFile);
  const { certificatePem, privateKeyPem } = await authority.issue(['127.0.0.1']);
  const [certificate, privateKey] = [join(folder, 'own.pem'), join(folder, 'own-key.pem')];
  writeFileSync(certificate, certificatePem);
  writeFileSync(privateKey, privateKeyPem, { mode: 0o600 });
  const port = await freePort();
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${await freePort()}`,
    certificate,
    privateKey,
    httpPort: web.port,
    tlsPort: await freePort(),
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  };
  const file = join(folder, 'pebble.json');
  writeFileSync(file, JSON.stringify({ pebble }));
  let child = await startPebble(file, sandbox.dns, port);
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    publish: (label) => published(sandbox, { host: label, type: 'A', answer: '127.0.0.1' }),
    async restart() {
      await ended(child);
      child = await startPebble(file, sandbox.dns, port);
    },
    async close() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startPebble(file: string, dns: string, port: number): Promise<ChildProcess> {
  // Without its waits; it refuses good nonces as often as it does by itself, and keeps every proof.
  const env = {
    PEBBLE_VA_NOSLEEP: '1',
    PEBBLE_WFE_NONCEREJECT: '5',
    PEBBLE_AUTHZREUSE: '100',
  };
  const child = spawn(PEBBLE, ['-config', file, '-dnsserver', dns], { stdio: 'ignore', env });
  for (let tries = 0; !(await listens(port)); tries += 1) {
    if (child.exitCode !== null || tries > 300) throw new Error('pebble does not listen');
    await sleep(100);
  }
  return child;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve((socket.destroy(), true)));
    socket.once('error', () => resolve(false));
  });

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    if (!child.kill()) resolve();
  });
}

interface DnsRecord {
  host: string;
  type: 'A' | 'CNAME';
  answer: string;
}

/** The name, published at the registrar of `acme.com`. */
async function published(sandbox: TestSandbox, record: DnsRecord): Promise<string> {
  const answer = await sandbox.namecom('POST', '/domains/acme.com/records', {
    ttl: 300,
    ...record,
  });
  if (answer.status !== 200) throw new Error(`the record was refused: ${answer.status}`);
  return `${record.host}.acme.com`;
}
