/** Mailboxes that hold no connection are called again and again: TLS sessions are resumed, those of proven servers alone. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connect,
  createServer,
  type ConnectionOptions,
  type Server,
  type TlsOptions,
} from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTlsSessions,
  type SecuredCall,
} from '../../src/providers/mail-transport/tls-sessions.ts';
import { openCertificateAuthority } from '../../src/sandbox/certificate-authority.ts';
import { startLoginListener, type LoginListener } from '../support/mail/login-listener.ts';

describe('a mailbox that is called again', () => {
  let world: LoginListener;
  beforeAll(async () => {
    world = await startLoginListener(['mail.own.test', 'mail.other.test']);
  });
  afterAll(() => world?.close());
  beforeEach(() => void world.handshakes.splice(0));

  const mailbox = (host: string, [imap, smtp]: readonly [number, number]) => {
    const serverAt = (port: number) => {
      return { host, port, tls: port > 900 || port === 465 ? 'tls' : 'starttls' } as const;
    };
    const servers = { username: 'ann', imap: serverAt(imap), smtp: serverAt(smtp) };
    return { host, email: 'ann@own.test', password: 'pass', servers };
  };

  it.each([
    ['with TLS from the first byte', [993, 465]],
    ['with STARTTLS', [143, 587]],
  ] as const)('resumes the session of its server, %s', async (_how, ports) => {
    const { transport, handshakes } = world;
    for (let call = 0; call < 3; call += 1) {
      await (await transport.openImap(mailbox('mail.own.test', ports))).close();
      (await transport.openSubmission(mailbox('mail.own.test', ports))).close();
    }
    const resumed = (port: number) =>
      handshakes
        .filter(({ at }) => at === `mail.own.test:${port}`)
        .map(({ isResumed }) => isResumed);
    expect(ports.map(resumed)).toEqual([
      [false, true, true],
      [false, true, true],
    ]);
    // A server with another name, at the same address, proves who it is.
    await (await transport.openImap(mailbox('mail.other.test', ports))).close();
    const { at, isResumed } = handshakes.at(-1)!;
    expect({ at, isResumed }).toEqual({ at: `mail.other.test:${ports[0]}`, isResumed: false });
  });
});

describe('sessions that are kept', () => {
  const HOUR_MS = 3_600_000;
  const place = { host: 'mail.own.test', port: 993 };
  let directory: string;
  let ca: string;
  let issued: Awaited<ReturnType<Awaited<ReturnType<typeof openCertificateAuthority>>['issue']>>;
  let server: Server;
  let strange: Server;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'outreach-sessions-'));
    const authority = await openCertificateAuthority(directory);
    ca = readFileSync(authority.caFile, 'utf8');
    issued = await authority.issue([place.host]);
    server = await serve(issued);
    const other = mkdtempSync(join(directory, 'other-'));
    strange = await serve(await (await openCertificateAuthority(other)).issue([place.host]));
  });
  afterAll(() => {
    server?.close();
    strange?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function serve(
    keys: { certificatePem: string; privateKeyPem: string },
    versions: TlsOptions = {},
  ): Promise<Server> {
    const { certificatePem: cert, privateKeyPem: key } = keys;
    const started = createServer({ cert, key, ...versions }, (socket) => {
      socket.on('error', () => undefined).on('data', (chunk) => socket.write(chunk));
    });
    await once(started.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  /** One connection, kept like one that is logged in. Answers whether a session was resumed. */
  async function callAt(at: Server, call: SecuredCall, more: ConnectionOptions = {}) {
    const { port } = at.address() as AddressInfo;
    const options = { ...call.options, servername: place.host, host: '127.0.0.1', port };
    const socket = connect({ ...options, ...more });
    try {
      await once(socket, 'secureConnect');
      socket.write('a login');
      await once(socket, 'data');
      call.keep(socket);
      return socket.isSessionReused();
    } finally {
      socket.destroy();
    }
  }

  it('are resumed, for an hour after the certificate was checked, not after the last call', async () => {
    let now = 0;
    const sessions = createTlsSessions(ca, () => now);
    const resumed: boolean[] = [];
    for (const at of [0, 0.4, 0.8, 1.2, 1.6]) {
      now = at * HOUR_MS;
      resumed.push(await callAt(server, sessions.callOf(place)));
    }
    expect(resumed).toEqual([false, true, true, false, true]);
  });

  it('are not those of a server that was not checked, nor of one that failed', async () => {
    const sessions = createTlsSessions(ca);
    const unchecked = { rejectUnauthorized: false };
    await callAt(strange, sessions.callOf(place), unchecked);
    expect(sessions.callOf(place).options.session).toBeUndefined();
    await callAt(server, sessions.callOf(place));
    expect(sessions.callOf({ ...place, host: 'MAIL.own.test' }).options.session).toBeDefined();
    expect(sessions.callOf({ ...place, port: 465 }).options.session).toBeUndefined();
    sessions.callOf(place).forget();
    expect(sessions.callOf(place).options.session).toBeUndefined();
  });

  it('are not offered for an hour to a server that breaks off where one is resumed', async () => {
    let now = 0;
    const { certificatePem: cert, privateKeyPem: key } = issued;
    const breaking = createServer({ cert, key }, (socket) => {
      socket.on('error', () => undefined);
      socket.on(
        'data',
        (chunk) => void (socket.isSessionReused() ? socket.destroy() : socket.write(chunk)),
      );
    });
    await once(breaking.listen(0, '127.0.0.1'), 'listening');
    const sessions = createTlsSessions(ca, () => now);
    const call = async () => {
      const secured = sessions.callOf(place);
      const { port } = breaking.address() as AddressInfo;
      const options = { ...secured.options, servername: place.host, host: '127.0.0.1', port };
      const socket = connect(options).on('error', () => undefined);
      socket.once('secureConnect', () => socket.write('a login'));
      const isIn = await Promise.race([
        once(socket, 'data').then(() => true),
        once(socket, 'close').then(() => false),
      ]);
      if (isIn) secured.keep(socket);
      else secured.forget();
      socket.destroy();
      return isIn;
    };
    const isIn: boolean[] = [];
    for (const at of [0, 0, 0, 0, 0.9, 1.1, 1.1, 1.1]) {
      now = at * HOUR_MS;
      isIn.push(await call());
    }
    breaking.close();
    expect(isIn).toEqual([true, false, true, true, true, true, false, true]);
  });

  it('do not let another server in that has no certificate for the name', async () => {
    const sessions = createTlsSessions(ca);
    await callAt(server, sessions.callOf(place));
    expect(sessions.callOf(place).options.session).toBeDefined();
    await expect(callAt(strange, sessions.callOf(place))).rejects.toThrow(/certificate/);
  });

  it.each([
    ['TLSv1.3', false],
    ['TLSv1.2', true],
  ] as const)(
    'of %s are resumed, and have the certificate: %s',
    async (version, hasCertificate) => {
      const only = { minVersion: version, maxVersion: version };
      const secured = await serve(issued, only);
      const sessions = createTlsSessions(ca);
      const resumed: boolean[] = [];
      for (let n = 0; n < 3; n += 1) resumed.push(await callAt(secured, sessions.callOf(place)));
      secured.close();
      expect(resumed).toEqual([false, true, true]);
      const { raw } = new X509Certificate(issued.certificatePem);
      const kept = sessions.callOf(place).options.session!;
      expect(kept.includes(raw)).toBe(hasCertificate);
    },
  );

  it('are as many as fit', async () => {
    const small = createTlsSessions(ca, () => 0, 2);
    for (let n = 0; n < 3; n += 1) await callAt(server, small.callOf({ ...place, port: n }));
    const kept = [0, 1, 2].map((port) => small.callOf({ ...place, port }).options.session);
    expect(kept.map(Boolean)).toEqual([false, true, true]);
  });
});
