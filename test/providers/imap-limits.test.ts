/** An IMAP server that sends without end, at any step: what is taken of it, and how it ends. Provider: mail-transport. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/domain/errors.ts';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import type { ImapSession, MailTransport } from '../../src/providers/mail-transport/port.ts';
import { openCertificateAuthority } from '../../src/sandbox/certificate-authority.ts';
import { trustAuthority } from '../support/run/trust.ts';
import { startSocksListener } from '../support/tools/socks-listener.ts';

const HOST = 'mail.hostile.test';
/** What the server tries to send, and the most that may have gone out: the kernel's buffers are of some megabytes. */
const OFFERED = 100_000_000;
const MAX_TAKEN = 40_000_000;

type Answer = { text: string; endless?: string };

let transport: MailTransport;
let close: () => Promise<void>;
/** In place of the greeting. */
let greeting: Answer;
/** By verb, in place of the usual answer. */
let answers: Record<string, (tag: string, line: string) => Answer>;
let sent = 0;

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'outreach-imap-'));
  const authority = await openCertificateAuthority(directory);
  trustAuthority(authority.caFile);
  const { certificatePem: cert, privateKeyPem: key } = await authority.issue([HOST]);
  const secured = createServer({ cert, key }, speak);
  const plain = createPlainServer(speak);
  const socks = await startSocksListener(({ port }) => (port === 993 ? secured : plain));
  const dns = { resolveA: async () => ['198.18.0.1'], resolveAaaa: async () => [] };
  const guard = { allowBenchmarkRange: true };
  transport = createMailTransport({ dns, outboundProxy: socks.url, timeoutMs: 5_000, guard });
  close = async () => {
    await socks.close();
    rmSync(directory, { recursive: true, force: true });
  };
});
afterAll(() => close());
beforeEach(() => {
  greeting = { text: '* OK [CAPABILITY IMAP4rev1] hello\r\n' };
  answers = {};
  sent = 0;
});

function speak(socket: Socket): void {
  socket.on('error', () => undefined);
  const write = ({ text, endless }: Answer) => {
    socket.write(text);
    if (endless !== undefined) send(socket, endless);
  };
  let begun = '';
  socket.on('data', (chunk: Buffer) => {
    const lines = (begun + chunk.toString('latin1')).split('\r\n');
    begun = lines.pop() ?? '';
    for (const line of lines.filter(Boolean)) {
      const [tag = '', first = '', second = ''] = line.toUpperCase().split(' ');
      const verb = first === 'UID' ? second : first;
      write(answers[verb]?.(tag, line) ?? usual(tag, verb));
    }
  });
  write(greeting);
}

function usual(tag: string, verb: string): Answer {
  const told: Record<string, string> = {
    CAPABILITY: '* CAPABILITY IMAP4rev1\r\n',
    LIST: '* LIST () "/" INBOX\r\n',
    SELECT: '* 2 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 3] ok\r\n',
    SEARCH: '* SEARCH\r\n',
  };
  return { text: `${told[verb] ?? ''}${tag} OK done\r\n` };
}

/** As fast as it is taken. */
function send(socket: Socket, unit: string): void {
  const chunk = Buffer.from(unit.repeat(Math.ceil(64_000 / unit.length)));
  const more = () => {
    while (!socket.destroyed && sent < OFFERED) {
      sent += chunk.length;
      if (!socket.write(chunk)) return void socket.once('drain', more);
    }
  };
  more();
}

const mailbox = (port: 993 | 143) => ({
  host: HOST,
  email: 'ann@hostile.test',
  password: 'pass',
  servers: {
    username: 'ann',
    imap: { host: HOST, port, tls: port === 993 ? ('tls' as const) : ('starttls' as const) },
    smtp: { host: HOST, port: 465, tls: 'tls' as const },
  } as never,
});

/** How it ended, and whether little enough was taken of what was offered. */
async function endOf(work: () => Promise<unknown>) {
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const end = error instanceof ProviderError ? error.kind : error;
  return { end, isBounded: sent < MAX_TAKEN };
}

/** Parts of a large message. With these its structure takes more than two kilobytes. */
const PARTS = 14;
const PART =
  '("APPLICATION" "PDF" ("NAME" "figures of the quarter.pdf") "<one@hostile.test>" NIL "BASE64" 900000 NIL ("ATTACHMENT" ("FILENAME" "figures of the quarter.pdf")) NIL NIL)';
const STRUCTURE = `(${PART.repeat(PARTS)} "MIXED" NIL NIL NIL)`;

/** The answers of a folder with these messages, ascending, all of them large. */
function folderOf(uids: readonly number[]): typeof answers {
  const line = (uid: number, facts: string) => `* ${uid} FETCH (UID ${uid} ${facts})\r\n`;
  return {
    SEARCH: (tag) => ({ text: `* SEARCH ${uids.join(' ')}\r\n${tag} OK done\r\n` }),
    FETCH: (tag, asked) => {
      const facts = asked.includes('BODYSTRUCTURE')
        ? `BODYSTRUCTURE ${STRUCTURE}`
        : 'FLAGS () RFC822.SIZE 900000 BODY[]<0> {4}\r\ntext';
      const lines = within(uids, asked.split(' ')[3] ?? '').map((uid) => line(uid, facts));
      return { text: `${lines.join('')}${tag} OK done\r\n` };
    },
  };
}

/** Those of a set such as `3,7:9`. "n:*" always has the last one. RFC 9051, 9: seq-range. */
function within(uids: readonly number[], set: string): number[] {
  const last = uids.at(-1) ?? 0;
  const ranges = set.split(',').map((range) => {
    const ends = range.split(':').map((end) => (end === '*' ? last : Number(end)));
    return [Math.min(...ends), Math.max(...ends)] as const;
  });
  return uids.filter((uid) => ranges.some(([from, to]) => from <= uid && uid <= to));
}

const UNAVAILABLE = { end: 'unavailable', isBounded: true };
const TIMEOUT = { timeout: 400_000 };

describe('before a login', () => {
  it.each<[string, Answer]>([
    ['a greeting with a literal', { text: '* OK {150000000}\r\n', endless: 'x' }],
    ['a greeting without an end', { text: '* OK ', endless: 'x' }],
    ['capabilities without an end', { text: '* OK hello\r\n', endless: '* OK and hello\r\n' }],
  ])('%s ends it, also before STARTTLS', TIMEOUT, async (_, answer) => {
    greeting = answer;
    expect(await endOf(() => transport.checkImap(mailbox(143)))).toEqual(UNAVAILABLE);
    sent = 0;
    expect(await endOf(() => transport.openImap(mailbox(993)))).toEqual(UNAVAILABLE);
  });
});

describe('in a session', () => {
  const inSession = (work: (session: ImapSession) => Promise<unknown>) =>
    endOf(async () => {
      const session = await transport.openImap(mailbox(993));
      try {
        return await work(session);
      } finally {
        await session.close();
      }
    });

  async function fetched(session: ImapSession, maxBytes = 512 * 1_024) {
    const sizes: number[] = [];
    for await (const batch of session.fetchNew('INBOX', { afterUid: 0, maxBytes, batch: 10 })) {
      sizes.push(...batch.map(({ source }) => source.length));
    }
    return sizes;
  }

  it('a text that is larger than what was asked for ends it', TIMEOUT, async () => {
    const text = '* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 900 BODY[]<0> {150000000}\r\n';
    answers = { FETCH: () => ({ text, endless: 'x' }) };
    expect(await inSession(fetched)).toEqual(UNAVAILABLE);
  });

  it('so does a part of it, for the API', TIMEOUT, async () => {
    const structure =
      '("TEXT" "PLAIN" NIL NIL NIL "7BIT" 900 10 NIL NIL NIL)("TEXT" "PLAIN" NIL NIL NIL "7BIT" 900 10 NIL NIL NIL) "MIXED"';
    const head = `* 1 FETCH (UID 1 RFC822.SIZE 900 BODYSTRUCTURE (${structure}) BODY[2]<0> {150000000}\r\n`;
    answers = { FETCH: () => ({ text: head, endless: 'x' }) };
    const end = await inSession(async (session) => {
      for await (const _ of await session.download('INBOX', 1, '2')) continue;
    });
    expect(end).toEqual(UNAVAILABLE);
  });

  it('flags without an end end it', TIMEOUT, async () => {
    answers = {
      FETCH: () => ({ text: '', endless: '* 1 FETCH (UID 1 FLAGS (\\Seen a b c d))\r\n' }),
    };
    expect(await inSession((session) => session.fetchFlags('INBOX'))).toEqual(UNAVAILABLE);
  });

  it.each(['LIST', 'SEARCH'])('an answer to %s without an end ends it', TIMEOUT, async (verb) => {
    const endless = verb === 'LIST' ? '* LIST () "/" folder\r\n' : '* SEARCH 1 2 3 4 5 6\r\n';
    answers = { [verb]: () => ({ text: '', endless }) };
    const ask = (session: ImapSession) =>
      verb === 'LIST'
        ? session.folders()
        : session.search('INBOX', { name: 'Message-ID', value: '<a@b.test>' });
    expect(await inSession(ask)).toEqual(UNAVAILABLE);
  });

  it.each<[string, string]>([
    ['SEARCH', '* SEARCH 1 2 3 4 5 6\r\n'],
    ['FETCH', '* 1 FETCH (UID 1 BODYSTRUCTURE ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 900 10))\r\n'],
  ])('so does %s, of the structure of large messages', TIMEOUT, async (verb, endless) => {
    answers = {
      SEARCH: (tag) => ({ text: `* SEARCH 1\r\n${tag} OK done\r\n` }),
      [verb]: () => ({ text: '', endless }),
    };
    expect(await inSession(fetched)).toEqual(UNAVAILABLE);
  });

  it(
    'a folder of very many large messages is read, each once and with its parts',
    TIMEOUT,
    async () => {
      const uids = Array.from({ length: 16_100 }, (_, at) => 2 * at + 1);
      answers = folderOf(uids);
      const session = await transport.openImap(mailbox(993));
      const found: number[] = [];
      const range = { afterUid: uids[0]!, maxBytes: 512 * 1_024, batch: 10 };
      for await (const batch of session.fetchNew('INBOX', range)) {
        found.push(...batch.flatMap(({ uid, parts }) => (parts?.length === PARTS ? [uid] : [])));
      }
      await session.close();
      expect(found).toEqual(uids.slice(1));
    },
  );

  it('a large message that comes while others are read has its parts, too', TIMEOUT, async () => {
    const uids = Array.from({ length: 201 }, (_, at) => at + 2);
    const folder = folderOf(uids);
    answers = {
      ...folder,
      FETCH: (tag, asked) => {
        const answer = folder.FETCH!(tag, asked);
        if (!asked.includes('BODYSTRUCTURE') && uids.length === 201) uids.push(500);
        return answer;
      },
    };
    const session = await transport.openImap(mailbox(993));
    const found: number[] = [];
    const range = { afterUid: 1, maxBytes: 512 * 1_024, batch: 10 };
    for await (const batch of session.fetchNew('INBOX', range)) {
      found.push(...batch.flatMap(({ uid, parts }) => (parts?.length === PARTS ? [uid] : [])));
    }
    await session.close();
    expect(found).toEqual(uids);
  });

  it('a message as large as the caller says is read', TIMEOUT, async () => {
    const size = 5_000_000;
    const text = `* 1 FETCH (UID 1 FLAGS () RFC822.SIZE ${size} BODY[]<0> {${size}}\r\n${'x'.repeat(size)})\r\n`;
    answers = { FETCH: (tag) => ({ text: `${text}${tag} OK done\r\n` }) };
    const session = await transport.openImap(mailbox(993), { maxMessageBytes: size });
    expect(await fetched(session, size)).toEqual([size]);
    await session.close();
  });
});
