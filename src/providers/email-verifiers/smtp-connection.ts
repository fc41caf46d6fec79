/** One SMTP connection: commands out, replies in, each bounded in time and size. RFC 5321, 4.2. */
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface SmtpReply {
  code: number;
  /** `5.1.1` (RFC 3463), where the server gives one. */
  enhanced: string | undefined;
  /** All lines, without codes. */
  text: string;
}

export interface SmtpConnection {
  /** The server's first reply; undefined when none comes in time. */
  greeting(): Promise<SmtpReply | undefined>;
  /**
   * Sends all commands together (RFC 2920) and answers their replies in order. Fewer replies than
   * commands: the connection is lost, by the server or because it took too long.
   */
  ask(commands: readonly string[]): Promise<SmtpReply[]>;
  /** After a 220 to STARTTLS; false when it fails. */
  startTls(servername: string): Promise<boolean>;
  isOpen(): boolean;
  /** Sends QUIT and closes without waiting for the reply. */
  quit(): void;
}

/** Longer than any honest reply; a longer one closes the connection. */
const MAX_REPLY_CHARS = 64 * 1024;
/** What is read of it: the patterns for replies are not made for more. */
const MAX_TEXT_CHARS = 4_000;
const REPLY_LINE = /^(\d{3})([ -]?)(.*)$/s;
/** At the start, or as qmail and IronPort write it: `#5.1.0`, `(#5.1.1)`. */
const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3})\b[ ]?|\(?#([245]\.\d{1,3}\.\d{1,3})\)?/;

/** All replies to one group of commands may take this many times as long as one reply. */
const MAX_FLIGHT_TIMEOUTS = 3;

/** How long a server may take to close after QUIT. */
const FAREWELL_MS = 1_000;

export function smtpConnection(socket: Socket, timeoutMs: number): SmtpConnection {
  let wire = socket;
  let reader = createReader(timeoutMs);
  const listen = () => {
    const own = reader;
    wire.on('data', (chunk: Buffer) => {
      if (!own.take(chunk.toString('utf8'))) wire.destroy();
    });
    wire.on('error', () => own.end());
    wire.on('close', () => own.end());
  };
  listen();
  const next = async () => {
    const reply = await reader.next();
    if (reply === undefined) wire.destroy();
    return reply;
  };
  return {
    greeting: next,
    async ask(commands) {
      const replies: SmtpReply[] = [];
      // An unsolicited reply: from here on no reply could be matched to its command.
      if (reader.hasUnread()) wire.destroy();
      if (wire.destroyed) return replies;
      const limit = setTimeout(() => wire.destroy(), timeoutMs * MAX_FLIGHT_TIMEOUTS);
      wire.write(commands.map((command) => `${command}\r\n`).join(''));
      for (const _ of commands) {
        const reply = await next();
        if (reply === undefined) break;
        replies.push(reply);
      }
      clearTimeout(limit);
      return replies;
    },
    async startTls(servername) {
      const plain = wire;
      plain.removeAllListeners('data').removeAllListeners('close');
      // RFC 7435: a mail server's name proves nothing without DNSSEC, and nothing secret is sent.
      // An eavesdropper learns no more than without TLS, which is what we would use otherwise.
      const secure = connectTls({ socket: plain, servername, rejectUnauthorized: false });
      wire = secure;
      reader = createReader(timeoutMs);
      listen();
      return secured(secure, timeoutMs);
    },
    isOpen: () => !wire.destroyed && wire.writable,
    quit() {
      if (wire.destroyed) return;
      wire.end('QUIT\r\n');
      setTimeout(() => wire.destroy(), FAREWELL_MS).unref();
    },
  };
}

/** Assembles lines into replies and hands them out one by one. */
function createReader(timeoutMs: number) {
  const ready: SmtpReply[] = [];
  let rest = '';
  let lines: string[] = [];
  let hasEnded = false;
  let wanted: ((reply: SmtpReply | undefined) => void) | undefined;
  const hand = (reply: SmtpReply | undefined) => {
    if (!wanted) return void (reply && ready.push(reply));
    const give = wanted;
    wanted = undefined;
    give(reply);
  };
  return {
    /** False when this is not SMTP, or too much. */
    take(chunk: string): boolean {
      rest += chunk;
      for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
        const match = REPLY_LINE.exec(rest.slice(0, at).replace(/\r$/, ''));
        rest = rest.slice(at + 1);
        if (!match) return false;
        lines.push(match[3]!);
        if (match[2] === '-') continue;
        hand(replyOf(Number(match[1]), lines));
        lines = [];
      }
      return rest.length + lines.reduce((sum, line) => sum + line.length, 0) <= MAX_REPLY_CHARS;
    },
    end() {
      hasEnded = true;
      hand(undefined);
    },
    hasUnread: () => ready.length > 0,
    async next(): Promise<SmtpReply | undefined> {
      const reply = ready.shift();
      if (reply || hasEnded) return reply;
      return new Promise((resolve) => {
        const timer = setTimeout(() => hand(undefined), timeoutMs);
        wanted = (given) => {
          clearTimeout(timer);
          resolve(given);
        };
      });
    },
  };
}

function replyOf(code: number, lines: readonly string[]): SmtpReply {
  const [, first, marked] = ENHANCED.exec(lines.join('\n')) ?? [];
  const enhanced = first ?? marked;
  const text = lines
    .map((line) => line.replace(ENHANCED, '').trim())
    .join('\n')
    .slice(0, MAX_TEXT_CHARS);
  return { code, enhanced, text };
}

function secured(socket: ReturnType<typeof connectTls>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    const end = (isSecure: boolean) => {
      clearTimeout(timer);
      resolve(isSecure);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('close', () => end(false));
  });
}
