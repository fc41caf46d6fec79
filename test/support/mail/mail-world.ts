/** A sandbox in this process, with what tests need to order and use mail hosts. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';

const SCRIPT = '/usr/local/sbin/outreach-mail';
export const PASSWORD = 'correct horse battery';

/** How much faster than the real one the world of these tests is. */
const PACE = 4;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface OrderedServer {
  id: number;
  name: string;
  ipv4: string;
  /** OpenSSH private key that may log in. */
  clientKey: string;
  /** Base64 of the host key that the user-data gave to the server. */
  hostKey: string;
}

/** The parts of a world that mail clients use. */
export interface MailControl {
  control(method: string, path: string): Promise<Pick<Answer, 'status' | 'body'>>;
  sandbox(): Pick<Sandbox, 'caFile'>;
}

export interface MailWorld {
  stateDir: string;
  sandbox: () => Sandbox;
  hetzner: (method: string, path: string, body?: object) => Promise<Answer>;
  control: (method: string, path: string, body?: object) => Promise<Answer>;
  close(): Promise<void>;
  /** Closes the sandbox and opens it again on the same records. */
  restart(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // What a vendor answers is checked by the test that reads it.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export async function startMailWorld({ pace = PACE } = {}): Promise<MailWorld> {
  const stateDir = mkdtempSync(join(tmpdir(), 'outreach-world-'));
  const start = () =>
    startSandbox({
      stateDir,
      port: 0,
      dnsPort: 0,
      socksPort: 0,
      webhookUrl: 'http://127.0.0.1:9/',
      webhookSecret: 'whsec_test',
      pace,
      // With this pace a second is too short to count calls in.
      limitPace: Infinity,
    });
  let sandbox = await start();
  const call = async (url: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(url, init);
    const text = await answer.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: answer.status, headers: answer.headers, body };
  };
  const json = { 'content-type': 'application/json' };
  const bodyOf = (body?: object) => (body === undefined ? {} : { body: JSON.stringify(body) });
  return {
    stateDir,
    sandbox: () => sandbox,
    hetzner: (method, path, body) =>
      call(`${sandbox.url}/hetzner/v1${path}`, {
        method,
        headers: { ...json, authorization: 'Bearer hetzner-sandbox-token' },
        ...bodyOf(body),
      }),
    control: (method, path, body) =>
      call(`${sandbox.url}/_sandbox${path}`, { method, headers: json, ...bodyOf(body) }),
    async restart() {
      await sandbox.close();
      sandbox = await start();
    },
    async close() {
      await sandbox.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** Orders a server with keys of its own, as the product does. */
export async function orderServer(world: MailWorld, name: string): Promise<OrderedServer> {
  const client = sshKeyPair();
  const host = sshKeyPair();
  const key = await world.hetzner('POST', '/ssh_keys', { name, public_key: client.public });
  const { status, body } = await world.hetzner('POST', '/servers', {
    name,
    server_type: 'cx23',
    location: 'nbg1',
    image: 'debian-12',
    ssh_keys: [String(key.body.ssh_key.id)],
    user_data: userData(host),
  });
  if (status !== 201) throw new Error(`order answered ${status}: ${JSON.stringify(body)}`);
  return {
    id: body.server.id,
    name,
    ipv4: body.server.public_net.ipv4.ip,
    clientKey: client.private,
    hostKey: host.public.split(' ')[1]!,
  };
}

/** A server with its mail host installed, the domain's A and MX records, and its mailboxes. */
export async function installMailHost(
  world: MailWorld,
  domain: string,
  localParts: string[],
): Promise<OrderedServer> {
  const server = await orderServer(world, domain.replaceAll('.', '-'));
  await buyDomain(world, domain, server.ipv4);
  await waitForFirstBoot(world, server);
  await script(world, server, `install mail.${domain}`);
  await script(world, server, `certificate mail.${domain}`);
  await script(world, server, `add-domain ${domain} s1`, dkimKey());
  for (const local of localParts) {
    await script(world, server, `set-mailbox ${local}@${domain}`, `${PASSWORD}\n`);
  }
  return server;
}

export async function buyDomain(world: MailWorld, domain: string, ipv4: string): Promise<void> {
  const credentials = Buffer.from('sandbox-test:namecom-sandbox-token').toString('base64');
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${world.sandbox().url}/namecom/core/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${credentials}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  };
  await post('/domains', { domain: { domainName: domain } });
  await post(`/domains/${domain}/records`, { host: 'mail', type: 'A', answer: ipv4, ttl: 300 });
  const mx = { host: '', type: 'MX', answer: `mail.${domain}`, priority: 10, ttl: 300 };
  await post(`/domains/${domain}/records`, mx);
}

/** The script's answer; throws unless it exits with 0. */
export async function script(
  world: MailWorld,
  server: OrderedServer,
  verb: string,
  stdin = '',
): Promise<string> {
  const { code, stdout, stderr } = await ssh(world, server, `${SCRIPT} ${verb}`, stdin);
  if (code !== 0) throw new Error(`${verb} exited with ${code}: ${stderr}`);
  return stdout;
}

/** Runs a command as root; refuses any host key but the server's own. */
export async function ssh(
  world: MailWorld,
  server: OrderedServer,
  command: string,
  stdin = '',
): Promise<CommandResult> {
  const { port } = await dial(world, server.ipv4, 22);
  const client = new ssh2.Client();
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('ready', resolve).on('error', reject);
      client.connect({
        // Without delay: SSH sends many small packets.
        sock: connect({ port, host: '127.0.0.1', noDelay: true }),
        username: 'root',
        privateKey: server.clientKey,
        hostVerifier: (key: Buffer) => key.toString('base64') === server.hostKey,
      });
    });
    return await execute(client, command, stdin);
  } finally {
    client.end();
  }
}

export async function waitForFirstBoot(world: MailWorld, server: OrderedServer): Promise<void> {
  await until(async () => {
    const { stdout } = await ssh(world, server, 'cloud-init status').catch(() => ({ stdout: '' }));
    return stdout.includes('done');
  });
}

export async function until(condition: () => Promise<boolean>, timeoutMs = 40_000): Promise<void> {
  const endsAt = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > endsAt) throw new Error('it never came true');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export async function dial(world: MailControl, host: string, port: number) {
  const { status, body } = await world.control('GET', `/dial?host=${host}&port=${port}`);
  if (status !== 200) throw new Error(`nobody listens at ${host}:${port}`);
  return body as { host: string; port: number };
}

/** ssh2 1.17 breaks one ed25519 key in 256: such a key is made again. */
export function sshKeyPair(): { private: string; public: string } {
  const pair = ssh2.utils.generateKeyPairSync('ed25519');
  return ssh2.utils.parseKey(pair.public) instanceof Error ? sshKeyPair() : pair;
}

export const dkimKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;

const indented = (text: string): string => text.trim().replaceAll('\n', '\n    ');

const userData = (host: { private: string; public: string }): string => `#cloud-config
ssh_keys:
  ed25519_private: |
    ${indented(host.private)}
  ed25519_public: ${host.public.trim()}
write_files:
  - path: ${SCRIPT}
    permissions: '0755'
    content: |
      #!/bin/bash
`;

function execute(client: ssh2.Client, command: string, stdin: string): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      const result = { code: -1, stdout: '', stderr: '' };
      channel.on('data', (chunk: Buffer) => (result.stdout += chunk.toString()));
      channel.stderr.on('data', (chunk: Buffer) => (result.stderr += chunk.toString()));
      channel.on('exit', (code: number) => (result.code = code));
      channel.on('close', () => resolve(result));
      channel.end(stdin);
    });
  });
}
