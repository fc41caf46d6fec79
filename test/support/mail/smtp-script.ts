/** A submission host whose reactions a test controls: it answers, refuses or drops the connection. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { openCertificateAuthority } from '../../../src/sandbox/certificate-authority.ts';
import { createMailTransport } from '../../../src/providers/mail-transport/index.ts';
import type { MailTransport } from '../../../src/providers/mail-transport/port.ts';
import { startSocksListener } from '../tools/socks-listener.ts';
import { trustAuthority } from '../run/trust.ts';

/** What the server is about to reply to; `TEXT` is the final dot. */
export const SMTP_STEPS = ['BANNER', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'TEXT'] as const;
export type SmtpStep = (typeof SMTP_STEPS)[number];

/** `before`: the connection drops without the reply. `after`: right after it. A string is the reply. */
export type SmtpTwist = 'before' | 'after' | { reply: string } | undefined;

export interface TakenMessage {
  from: string;
  to: string;
  /** As received, dots unstuffed. */
  raw: string;
  /** Who was logged in. */
  user: string;
}

export interface SmtpScript {
  transport: MailTransport;
  /** Messages that the server has accepted, whether or not its reply was seen. */
  taken: TakenMessage[];
  /** Recipients and times of everything that was offered. */
  commands: string[];
  connections: () => number;
  /** Called before each reply; replaced by tests. */
  twist: (step: SmtpStep, at: { user: string; from: string; to: string }) => SmtpTwist;
  close(): Promise<void>;
}

const REPLIES: Record<SmtpStep, string> = {
  BANNER: '220 script ESMTP',
  EHLO: '250-script\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 Authentication successful',
  MAIL: '250 2.1.0 Ok',
  RCPT: '250 2.1.5 Ok',
  DATA: '354 End data with <CR><LF>.<CR><LF>',
  TEXT: '250 2.0.0 Ok: queued',
};

export async function startSmtpScript({
  timeoutMs = 2_000,
  pipelining = true,
  /** Whether it takes addresses with letters beyond ASCII. RFC 6531. */
  international = false,
  hosts = [] as string[],
  /** Whether the connection begins in clear text; `none`: and stays so. */
  startTls = undefined as 'offered' | 'none' | undefined,
} = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'outreach-smtp-'));
  const authority = await openCertificateAuthority(directory);
  trustAuthority(authority.caFile);
  const { certificatePem, privateKeyPem } = await authority.issue(['mail.host.test', ...hosts]);
  let connections = 0;
  const script: SmtpScript = {
    transport: undefined as unknown as MailTransport,
    taken: [],
    commands: [],
    connections: () => connections,
    twist: () => undefined,
    async close() {
      await socks.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  const secured = createServer({ cert: certificatePem, key: privateKeyPem }, (socket) => {
    connections += 1;
    converse(script, socket, { pipelining, international, isGreeted: startTls !== undefined });
  });
  const server: Server = startTls
    ? createPlainServer((socket) => greet(socket, startTls, secured))
    : secured;
  const socks = await startSocksListener(() => server as never);
  // In the benchmark range, which is allowed: connected mailboxes are looked for at public addresses alone.
  const dns = {
    resolveA: () => Promise.resolve(['198.18.0.1']),
    resolveAaaa: () => Promise.resolve([]),
  };
  const guard = { allowBenchmarkRange: true };
  script.transport = createMailTransport({ dns, outboundProxy: socks.url, timeoutMs, guard });
  return script;
}

/** RFC 3207: until STARTTLS no other command is accepted. */
function greet(socket: Socket, offer: 'offered' | 'none', secured: Server): void {
  socket.on('error', () => undefined);
  // The proxy's own answer goes first, in a separate packet.
  setTimeout(() => socket.write(`${REPLIES.BANNER}\r\n`), 30);
  const onCommand = (chunk: Buffer) => {
    const verb = chunk.toString('latin1').trim().split(' ')[0]!.toUpperCase();
    if (verb === 'EHLO')
      socket.write(`250${offer === 'offered' ? '-script\r\n250 STARTTLS' : ' script'}\r\n`);
    else if (verb === 'STARTTLS' && offer === 'offered') {
      socket.off('data', onCommand);
      socket.pause();
      socket.write('220 2.0.0 Ready\r\n');
      secured.emit('connection', socket);
      socket.resume();
    } else socket.write('530 5.7.0 Must issue a STARTTLS command first\r\n');
  };
  socket.on('data', onCommand);
}

function converse(
  script: SmtpScript,
  socket: Socket,
  {
    pipelining,
    international,
    isGreeted,
  }: { pipelining: boolean; international: boolean; isGreeted: boolean },
): void {
  const at = { user: '', from: '', to: '' };
  let text: string | undefined;
  let buffer = '';
  let isGone = false;
  let isRefused = false;
  const answer = (step: SmtpStep): boolean => {
    if (isGone) return false;
    const twist = script.twist(step, at);
    if (twist === 'before') {
      isGone = true;
      socket.destroy();
      return false;
    }
    let reply = typeof twist === 'object' ? twist.reply : REPLIES[step];
    if (step === 'EHLO' && !pipelining) reply = reply.replace('250-PIPELINING\r\n', '');
    if (step === 'EHLO' && international) reply = reply.replace('250-8', '250-SMTPUTF8\r\n250-8');
    isGone = twist === 'after';
    if (isGone) socket.end(`${reply}\r\n`, () => socket.destroy());
    else socket.write(`${reply}\r\n`);
    return !/^[45]/.test(reply);
  };
  const onCommand = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb !== 'AUTH') script.commands.push(line);
    if (verb === 'EHLO') answer('EHLO');
    else if (verb === 'AUTH') {
      at.user =
        Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')[1] ?? '';
      answer('AUTH');
    } else if (verb === 'MAIL') {
      at.from = /<(.*)>/.exec(line)?.[1] ?? '';
      at.to = '';
      isRefused = !answer('MAIL');
    } else if (verb === 'RCPT') {
      at.to = /<(.*)>/.exec(line)?.[1] ?? '';
      if (!answer('RCPT')) isRefused = true;
    } else if (verb === 'DATA') {
      if (isRefused) socket.write('554 5.5.1 Error: no valid recipients\r\n');
      else if (answer('DATA')) text = '';
    } else if (verb === 'RSET') socket.write('250 2.0.0 Ok\r\n');
    else if (verb === 'QUIT') socket.end('221 2.0.0 Bye\r\n');
    else socket.write('502 5.5.2 Error: command not recognized\r\n');
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1');
    for (;;) {
      if (isGone) return;
      if (text !== undefined) {
        const end = `\r\n${buffer}`.indexOf('\r\n.\r\n');
        if (end < 0) return;
        text = buffer.slice(0, end);
        buffer = buffer.slice(end + 3);
        const message = { ...at, raw: text.replaceAll(/^\.\./gm, '.') };
        text = undefined;
        // Whether the server keeps a message is decided before its reply is.
        const before = script.taken.length;
        script.taken.push(message);
        if (!answer('TEXT') && !isGone) script.taken.splice(before, 1);
        continue;
      }
      const end = buffer.indexOf('\r\n');
      if (end < 0) return;
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      onCommand(line);
    }
  });
  if (!isGreeted) answer('BANNER');
}
