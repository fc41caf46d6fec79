/** Mutual TLS to Temporal with a private authority, for clients and workers; and what a worker serves. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { Client, Connection } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { WORKER_ROLES } from '../src/domain/operations/queues.ts';
import { openCertificateAuthority } from '../src/sandbox/certificate-authority.ts';
import { connectionOptions } from '../src/temporal/connection.ts';
import { workersOf } from '../src/temporal/temporal-workers.ts';
import { startTemporal } from './support/workflows/temporal.ts';
import { workflowCode } from './support/workflows/workflow-code.ts';

let folder: string;
let temporal: TestWorkflowEnvironment;
let front: Server;
let files: Record<'ca' | 'cert' | 'key' | 'otherCa', string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporal-tls-'));
  temporal = await startTemporal();
  const authority = await openCertificateAuthority(folder);
  const server = await authority.issue(['temporal.internal']);
  const client = await selfSigned();
  files = {
    ca: authority.caFile,
    cert: join(folder, 'client.pem'),
    key: join(folder, 'client-key.pem'),
    otherCa: join(folder, 'other.pem'),
  };
  await writeFile(files.cert, client.certificatePem);
  await writeFile(files.key, client.privateKeyPem);
  await writeFile(files.otherCa, (await selfSigned()).certificatePem);
  front = createServer({
    cert: server.certificatePem,
    key: server.privateKeyPem,
    ca: client.certificatePem,
    requestCert: true,
    ALPNProtocols: ['h2'],
  });
  // What a server without TLS of its own has in front of it in many installations.
  front.on('secureConnection', (socket) => {
    const behind = connect(Number(temporal.address.split(':')[1]), '127.0.0.1');
    for (const end of [socket, behind]) end.on('error', () => undefined);
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  front?.close();
  await temporal?.teardown();
  await rm(folder, { recursive: true, force: true });
});

async function selfSigned() {
  x509.cryptoProvider.set(webcrypto);
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=outreach-worker',
    keys,
    signingAlgorithm,
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  const privateKey = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificatePem: certificate.toString('pem'),
    privateKeyPem: x509.PemConverter.encode(privateKey, 'PRIVATE KEY'),
  };
}

const settings = (changed: Record<string, string | undefined> = {}) => ({
  TEMPORAL_ADDRESS: `127.0.0.1:${(front.address() as AddressInfo).port}`,
  TEMPORAL_NAMESPACE: temporal.namespace ?? 'default',
  TEMPORAL_TLS: false,
  TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: files.ca,
  TEMPORAL_TLS_CLIENT_CERT_PATH: files.cert,
  TEMPORAL_TLS_CLIENT_KEY_PATH: files.key,
  ...changed,
});

/** How many workflows are open, as a client with these settings reads it. */
async function askedWith(
  changed: Record<string, string | undefined>,
  connectTimeout: '2s' | '40s' = '2s',
): Promise<number> {
  const connection = await Connection.connect({
    ...connectionOptions(settings(changed)),
    connectTimeout,
    // Without the SDK's repeats, one of which would come after the connection is closed.
    interceptors: [],
  });
  try {
    const { count } = await new Client({ connection }).workflow.count();
    return count;
  } finally {
    await connection.close();
  }
}

describe('the connection to Temporal', () => {
  it('is proven both ways', async () => {
    // A refused one is tried for all of the time, this one for as long as a busy machine takes.
    expect(await askedWith({}, '40s')).toBe(0);
  });

  it.each([
    [
      'an authority that did not sign the server',
      () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: files.otherCa }),
    ],
    ['another name of the server', () => ({ TEMPORAL_TLS_SERVER_NAME: 'temporal.example' })],
    [
      'no certificate of ours',
      () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: undefined, TEMPORAL_TLS_CLIENT_KEY_PATH: undefined }),
    ],
  ])('is refused with %s', async (_name, changed) => {
    await expect(askedWith(changed())).rejects.toThrow(/connect|certificate|alert/i);
  });

  it('serves a worker, which has the roles that it was told', async () => {
    const activities = { ping: () => 'pong' };
    const workflows = { workflowBundle: { code: await workflowCode() } };
    const limit = { requestsPerSecond: 24, requestsPerActivity: 3 };
    const code = { workflows, activities, vendors: { namecom: undefined, vultr: limit } };
    const queuesOf = async (roles?: string[]) => {
      const workers = await workersOf(settings(), { ...code, ...(roles && { roles }) });
      const running = workers.map((worker) => worker.run());
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      return workers.map(({ options }) => options);
    };
    const served = (await queuesOf(['mail', 'vendors'])).map((options) => [
      options.taskQueue,
      options.maxTaskQueueActivitiesPerSecond,
    ]);
    // The former queue of a vendor gets a quarter, so that both together ask little more than the limit.
    expect(served).toEqual([
      ['outreach-mail', undefined],
      ['outreach-vendor-namecom-whole', undefined],
      ['outreach-vendor-namecom', undefined],
      ['outreach-vendor-vultr-whole', 4],
      ['outreach-vendor-vultr', 1],
    ]);
    expect(await queuesOf()).toHaveLength(Object.keys(WORKER_ROLES).length + 3);
  });
});

describe('the settings', () => {
  const problem = (environment: Record<string, string>) => () =>
    readConfig({
      DATABASE_URL: 'postgres://127.0.0.1/none',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      ...environment,
    });

  it('name the variable whose file cannot be read or is missing', () => {
    const missing = join(folder, 'missing.pem');
    expect(problem({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: missing })).toThrow(
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH: the file cannot be read (ENOENT)',
    );
    expect(problem({ TEMPORAL_TLS_CLIENT_CERT_PATH: files.cert })).toThrow(
      'TEMPORAL_TLS_CLIENT_KEY_PATH: it is needed with TEMPORAL_TLS_CLIENT_CERT_PATH',
    );
    expect(problem({ TEMPORAL_TLS_CLIENT_KEY_PATH: files.key })).toThrow(
      'TEMPORAL_TLS_CLIENT_CERT_PATH: it is needed with TEMPORAL_TLS_CLIENT_KEY_PATH',
    );
  });

  it('name a role that does not exist', () => {
    expect(problem({ WORKER_ROLES: 'mail,post' })).toThrow(
      'WORKER_ROLES: known are workflows, activities, mail, webhooks, vendors',
    );
  });
});
