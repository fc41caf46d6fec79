/** The control API: it says what there is and refuses clearly what it does not understand. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer as createTlsServer, connect as connectTls } from 'node:tls';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCertificateAuthority } from '../../src/sandbox/certificate-authority.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { compiledProgram } from '../../src/dev/processes/compiled-sources.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.remove());

describe('the control API', () => {
  it.each([
    ['POST', '/faults', {}],
    ['POST', '/faults', { vendor: 'nobody', kind: 'reset' }],
    ['POST', '/faults', { vendor: 'namecom', kind: 'explode' }],
    ['POST', '/faults', { vendor: 'namecom', kind: 'reset', times: 0 }],
    ['POST', '/faults', { vendor: 'namecom', kind: 'reset', probability: 2 }],
    ['POST', '/faults', { vendor: 'namecom', kind: 'reset', sometimes: true }],
    ['POST', '/faults', '{"vendor":'],
    ['POST', '/faults', '[]'],
    ['PUT', '/capacity', { available: 'yes' }],
    ['GET', '/dial?host=mail.acme.com&port=70000', undefined],
    ['GET', '/dial?port=25', undefined],
    ['GET', '/dns?type=A', undefined],
    ['GET', '/dns?name=a.com&type=HINFO', undefined],
    ['GET', '/requests?vendor=nobody', undefined],
    ['GET', '/requests?since=yesterday', undefined],
  ])('400 for %s %s %j', async (method, path, body) => {
    const reply = await sandbox.control(method, path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toEqual(expect.any(String));
  });

  it('404 for a call that it does not have, and where nobody listens', async () => {
    expect((await sandbox.control('GET', '/nothing')).body.error.message).toContain('GET /nothing');
    expect((await sandbox.control('GET', '/dial?host=198.18.9.9&port=25')).status).toBe(404);
  });

  it('lists its calls for programs and, at the root, for people', async () => {
    expect((await sandbox.control('GET', '')).body.calls).toContain('GET /_sandbox/books');
    const page = await (await fetch(sandbox.url)).text();
    expect(page).toContain('namecom');
    expect(page).toContain('lost-answer-*');
  });

  it('sets, shows and restores capacity', async () => {
    const capacity = async (method: string, body?: object) =>
      (await sandbox.control(method, '/capacity', body)).body.available;
    expect(await capacity('GET')).toBeNull();
    expect(await capacity('PUT', { available: false })).toBe(false);
    expect(await capacity('DELETE')).toBeNull();
  });

  it('shows the requests since a time or an id', async () => {
    await sandbox.namecom('GET', '/hello');
    const { body } = await sandbox.control('GET', '/requests?vendor=namecom');
    const last = body.requests.at(-1);
    const since = async (text: string) =>
      (await sandbox.control('GET', `/requests?since=${text}`)).body.requests.length;
    expect(await since(String(last.id))).toBe(0);
    expect(await since('2020-01-01T00:00:00Z')).toBeGreaterThan(0);
  });

  it('listens on the loopback only', async () => {
    const { port } = new URL(sandbox.url);
    const [, outer] = await import('node:os').then(({ networkInterfaces }) =>
      Object.values(networkInterfaces())
        .flatMap((list) => list ?? [])
        .filter(({ family }) => family === 'IPv4')
        .map(({ address }) => address),
    );
    if (outer === undefined) return; // no second interface to try
    const refused = once(httpRequest({ host: outer, port }).end(), 'error');
    expect((await refused)[0]).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('the authority', () => {
  it('issues certificates that a client with its file accepts, after a restart too', async () => {
    const first = await openCertificateAuthority(sandbox.stateDir);
    const { certificatePem, privateKeyPem } = await first.issue(['mail.acme.com']);
    const again = await openCertificateAuthority(sandbox.stateDir);
    const server = createTlsServer({ cert: certificatePem, key: privateKeyPem }, (socket) =>
      socket.end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const connect = (servername: string, ca?: Buffer) =>
      new Promise<string>((resolve) => {
        const socket = connectTls({ port, host: '127.0.0.1', servername, ...(ca && { ca }) });
        socket
          .once('secureConnect', () => resolve('accepted'))
          .once('error', (e) => {
            resolve((e as NodeJS.ErrnoException).code ?? 'refused');
          });
        socket.resume();
      });
    const ca = readFileSync(again.caFile);
    expect(await connect('mail.acme.com', ca)).toBe('accepted');
    expect(await connect('mail.other.com', ca)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await connect('mail.acme.com')).not.toBe('accepted');
    server.close();
  });
});

describe('the process', () => {
  it('prints one line when all listens, and keeps its books over kill -9', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'sandbox-process-'));
    const first = await startProcess(stateDir);
    const buy = { domain: { domainName: 'killed.com' } };
    const credentials = `Basic ${btoa('sandbox-test:namecom-sandbox-token')}`;
    const bought = await fetch(`${first.ready.url}/namecom/core/v1/domains`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: credentials },
      body: JSON.stringify(buy),
    });
    expect(bought.status).toBe(200);
    expect(first.ready).toMatchObject({ ready: true, pid: first.child.pid });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await startProcess(stateDir);
    const books = await (await fetch(`${second.ready.url}/_sandbox/books`)).json();
    expect(books).toMatchObject({
      registrars: { namecom: { domains: [{ domain: 'killed.com' }] } },
    });
    second.child.kill('SIGTERM');
    expect((await once(second.child, 'exit'))[0]).toBe(0);
    rmSync(stateDir, { recursive: true, force: true });
  }, 180_000);
});

interface ReadyLine {
  ready: true;
  url: string;
  pid: number;
}

async function startProcess(stateDir: string): Promise<{ child: ChildProcess; ready: ReadyLine }> {
  const child = spawn(
    process.execPath,
    [...compiledProgram('src/sandbox/main.ts'), '--state-dir', stateDir].concat(
      ['--port', '0', '--dns-port', '0', '--socks-port', '0'],
      ['--webhook-secret', 'whsec_x'],
    ),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, ready: JSON.parse(line) as ReadyLine };
}
