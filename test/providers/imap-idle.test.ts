/** Waiting for news of an IMAP server: what it costs, and how it ends where the server falls silent. Provider: mail-transport. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import type { ImapSession, MailTransport } from '../../src/providers/mail-transport/port.ts';
import { openCertificateAuthority } from '../../src/sandbox/certificate-authority.ts';
import { trustAuthority } from '../support/run/trust.ts';
import { startSocksListener } from '../support/tools/socks-listener.ts';

const HOST = 'mail.quiet.test';
/** Production waits 30 s for an answer. */
const TIMEOUT_MS = 500;

let transport: MailTransport;
let close: () => Promise<void>;
let capabilities: string;
/** What the server was told since the folder was opened. */
let heard: string[];
/** Verbs that are refused, and those that get no answer. */
let refused: ReadonlySet<string>;
let unanswered: ReadonlySet<string>;
/** The server ends IDLE itself, at once. */
let endsIdle: boolean;
let say: (line: string) => void;

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'outreach-idle-'));
  const authority = await openCertificateAuthority(directory);
  trustAuthority(authority.caFile);
  const { certificatePem: cert, privateKeyPem: key } = await authority.issue([HOST]);
  const server = createServer({ cert, key }, speak);
  const socks = await startSocksListener(() => server);
  const dns = { resolveA: async () => ['198.18.0.1'], resolveAaaa: async () => [] };
  const guard = { allowBenchmarkRange: true };
  transport = createMailTransport({
    dns,
    outboundProxy: socks.url,
    timeoutMs: TIMEOUT_MS,
    guard,
  });
  close = async () => {
    await socks.close();
    rmSync(directory, { recursive: true, force: true });
  };
});
afterAll(() => close());
beforeEach(() => {
  capabilities = 'IMAP4rev1 IDLE';
  unanswered = new Set();
  refused = new Set();
  endsIdle = false;
});

function speak(socket: Socket): void {
  let idleTag: string | undefined;
  say = (line) => void socket.write(`${line}\r\n`);
  const answer = (line: string) => {
    const [tag = '', given = ''] = line.split(' ');
    const verb = (given || tag).toUpperCase();
    heard?.push(verb);
    if (unanswered.has(verb)) return;
    if (refused.has(verb)) return say(`${tag} NO not now`);
    if (verb === 'IDLE') {
      idleTag = tag;
      say('+ idling');
      return endsIdle && say(`${tag} OK done`);
    }
    if (verb === 'CAPABILITY') say(`* CAPABILITY ${capabilities}`);
    if (verb === 'LIST') say('* LIST () "/" INBOX');
    if (verb === 'SELECT') say('* 2 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 3] ok');
    say(`${verb === 'DONE' ? idleTag : tag} OK done`);
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) answer(line);
  });
  say(`* OK [CAPABILITY ${capabilities}] hello`);
}

async function openInbox(): Promise<ImapSession> {
  const server = { host: HOST, port: 993, tls: 'tls' as const };
  const servers = { username: 'ann', imap: server, smtp: { ...server, port: 465 } } as never;
  const login = { host: HOST, email: 'ann@quiet.test', password: 'pass', servers };
  for (;;) {
    try {
      const session = await transport.openImap(login);
      await session.open('INBOX');
      heard = [];
      return session;
    } catch (error) {
      // A busy machine may take longer than so short a limit: that is not what is looked at here.
      if ((error as { kind?: string }).kind !== 'unavailable') throw error;
    }
  }
}

describe('a wait for news', () => {
  let session: ImapSession;
  afterEach(() => session.close());
  const unavailable = { kind: 'unavailable' };

  it('costs three commands however long it is, and lasts as long as was asked for', async () => {
    session = await openInbox();
    const start = Date.now();
    expect(await session.idle(4 * TIMEOUT_MS)).toBe('over');
    expect(Date.now() - start).toBeGreaterThanOrEqual(4 * TIMEOUT_MS - 5);
    await expect.poll(() => heard).toEqual(['IDLE', 'DONE', 'NOOP']);
  });

  it('ends at once with a change, also late in it', async () => {
    session = await openInbox();
    const waits = session.idle(60_000);
    await sleep(3 * TIMEOUT_MS);
    say('* 3 EXISTS');
    expect(await waits).toBe('changed');
  });

  it.each(['IDLE', 'DONE'])('ends soon after its time where %s is not answered', async (verb) => {
    session = await openInbox();
    unanswered = new Set([verb]);
    const start = Date.now();
    await expect(session.idle(2 * TIMEOUT_MS)).rejects.toMatchObject(unavailable);
    const tookMs = Date.now() - start;
    expect(tookMs).toBeGreaterThan(2 * TIMEOUT_MS);
    expect(tookMs).toBeLessThan(40 * TIMEOUT_MS);
    expect(session.isUsable()).toBe(false);
  });

  it('ends soon after a change and after a signal where DONE is not answered', async () => {
    unanswered = new Set(['DONE']);
    session = await openInbox();
    const stop = new AbortController();
    const waits = session.idle(60_000, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await expect(waits).rejects.toMatchObject(unavailable);
  });

  it('leaves a command after it the usual time for its answer', async () => {
    session = await openInbox();
    await session.idle(2 * TIMEOUT_MS);
    unanswered = new Set(['LIST']);
    const start = Date.now();
    await expect(session.folders()).rejects.toMatchObject(unavailable);
    expect(Date.now() - start).toBeLessThan(40 * TIMEOUT_MS);
  });

  it('lasts as long as was asked for where IDLE is refused, and ends with its signal', async () => {
    session = await openInbox();
    refused = new Set(['IDLE']);
    const start = Date.now();
    expect(await session.idle(2 * TIMEOUT_MS)).toBe('over');
    expect(Date.now() - start).toBeGreaterThanOrEqual(2 * TIMEOUT_MS - 5);
    expect(session.tellsChanges).toBe(false);
    expect(heard).toEqual(['IDLE']);
    await expect(session.idle(60_000, AbortSignal.timeout(50))).resolves.toBe('over');
    expect(session.isUsable()).toBe(true);
  });

  it('lasts as long as was asked for where the server ends IDLE at once, and hears of a change', async () => {
    session = await openInbox();
    endsIdle = true;
    const start = Date.now();
    expect(await session.idle(2 * TIMEOUT_MS)).toBe('over');
    expect(Date.now() - start).toBeGreaterThanOrEqual(2 * TIMEOUT_MS - 5);
    expect(heard).toEqual(['IDLE']);
    const waits = session.idle(60_000);
    await sleep(100);
    say('* 3 EXISTS');
    expect(await waits).toBe('changed');
  });

  it.each([
    ['IMAP4rev1 IDLE', true],
    ['IMAP4rev1', false],
  ])('of a server that can %s is told of changes: %s', async (can, expected) => {
    capabilities = can;
    session = await openInbox();
    expect(session.tellsChanges).toBe(expected);
    expect(await session.idle(TIMEOUT_MS)).toBe('over');
  });
});
