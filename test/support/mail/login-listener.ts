/** A mail server with a valid certificate for its names that takes any login over TLS, and keeps what it was told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { createMailTransport } from '../../../src/providers/mail-transport/index.ts';
import type { MailTransport } from '../../../src/providers/mail-transport/port.ts';
import { openCertificateAuthority } from '../../../src/sandbox/certificate-authority.ts';
import { trustAuthority } from '../run/trust.ts';
import { startSocksListener } from '../tools/socks-listener.ts';

export interface LoginListener {
  /** Whose every connection leads here. */
  transport: MailTransport;
  /** All that it was told, of SMTP and IMAP, each line with the place: `mail.own.test:993`. */
  heard: string[];
  /** Of each handshake by TLS: whether it resumed a session. */
  handshakes: { at: string; isResumed: boolean }[];
  close(): Promise<void>;
}

const IMAP_PORTS = [993, 143];
const TLS_PORTS = [993, 465];

export async function startLoginListener(names: string[]): Promise<LoginListener> {
  const directory = mkdtempSync(join(tmpdir(), 'outreach-logins-'));
  const authority = await openCertificateAuthority(directory);
  trustAuthority(authority.caFile);
  const { certificatePem: cert, privateKeyPem: key } = await authority.issue(names);
  const heard: string[] = [];
  const handshakes: LoginListener['handshakes'] = [];
  /** One for each port: it knows the tickets that it has given. */
  const servers = new Map<number, Server>();
  const socks = await startSocksListener(({ port }) => {
    const protocol = IMAP_PORTS.includes(port) ? 'imap' : 'smtp';
    const speak = protocol === 'imap' ? imap : smtp;
    const known = servers.get(port);
    const secured = known ?? createServer({ cert, key });
    servers.set(port, secured);
    const serve = (socket: TLSSocket) => {
      const at = `${String(socket.servername)}:${port}`;
      handshakes.push({ at, isResumed: socket.isSessionReused() });
      speak(socket, (line) => heard.push(`${at} ${line}`));
    };
    if (known === undefined) secured.on('secureConnection', serve);
    if (TLS_PORTS.includes(port)) return secured;
    return createPlainServer((socket) => inClear(socket, protocol, secured));
  });
  const dns = { resolveA: async () => ['198.18.0.1'], resolveAaaa: async () => [] };
  const guard = { allowBenchmarkRange: true };
  return {
    transport: createMailTransport({ dns, outboundProxy: socks.url, timeoutMs: 20_000, guard }),
    heard,
    handshakes,
    async close() {
      await socks.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Before STARTTLS. */
function inClear(
  socket: Socket,
  protocol: 'imap' | 'smtp',
  secured: ReturnType<typeof createServer>,
): void {
  const hello = protocol === 'imap' ? '* OK [CAPABILITY IMAP4rev1 STARTTLS] hello' : '220 hello';
  setTimeout(() => socket.write(`${hello}\r\n`), 30);
  const onData = (chunk: Buffer) => {
    const line = chunk.toString('latin1').trim();
    if (/STARTTLS/i.test(line)) {
      socket.off('data', onData);
      socket.pause();
      socket.write(protocol === 'imap' ? `${line.split(' ')[0]} OK go\r\n` : '220 go\r\n');
      secured.emit('connection', socket);
      socket.resume();
    } else if (protocol === 'smtp') socket.write('250-hello\r\n250 STARTTLS\r\n');
    else socket.write(`* CAPABILITY IMAP4rev1 STARTTLS\r\n${line.split(' ')[0]} OK done\r\n`);
  };
  socket.on('data', onData);
}

type Hear = (line: string) => void;

const eachLine = (socket: Socket, hear: Hear, answer: (line: string) => string) =>
  socket
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
        hear(line);
        socket.write(`${answer(line)}\r\n`);
      }
    });

function imap(socket: Socket, hear: Hear): void {
  socket.write('* OK [CAPABILITY IMAP4rev1] hello\r\n');
  eachLine(socket, hear, (line) => {
    const [tag, verb = ''] = line.split(' ');
    if (verb.toUpperCase() === 'CAPABILITY') return `* CAPABILITY IMAP4rev1\r\n${tag} OK done`;
    if (verb.toUpperCase() === 'LIST') return `* LIST () "/" INBOX\r\n${tag} OK done`;
    return `${tag} OK done`;
  });
}

function smtp(socket: Socket, hear: Hear): void {
  socket.write('220 hello\r\n');
  eachLine(socket, hear, (line) => {
    if (/^EHLO/i.test(line)) return '250-hello\r\n250 AUTH PLAIN';
    return /^AUTH/i.test(line) ? '235 2.7.0 taken' : '250 2.0.0 Ok';
  });
}
