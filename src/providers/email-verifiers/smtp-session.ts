/** A connection to a mail exchanger, greeted and ready for MAIL FROM; never DATA. RFC 5321, 2920. */
import type { Socket } from 'node:net';
import { smtpConnection, type SmtpConnection, type SmtpReply } from './smtp-connection.ts';

/** Who asks: the setting of the operator. */
export interface Prober {
  /** EHLO name: resolves to where we dial from. */
  helo: string;
  /** MAIL FROM: a mailbox that exists. */
  from: string;
}

export interface Transaction {
  /** Addresses of one domain, in the order in which they are asked. */
  recipients: readonly string[];
  /** Any of them has letters outside ASCII before the `@`. */
  isInternational: boolean;
}

/** Replies to the recipients, in their order; fewer when the connection was lost. */
export type TransactionOutcome =
  { mail: 'accepted'; replies: SmtpReply[] } | { mail: SmtpReply } | { mail: 'lost' };

export interface SmtpSession {
  canPipeline: boolean;
  canInternational: boolean;
  isOpen(): boolean;
  /** Without PIPELINING one command after the other, with it all in one go. */
  run(transaction: Transaction): Promise<TransactionOutcome>;
  quit(): void;
}

/** `refused`: the server answered, and not with a welcome. */
export type Opening =
  | { state: 'open'; session: SmtpSession }
  | { state: 'refused'; reply: SmtpReply }
  | { state: 'silent' };

const isFine = (reply: SmtpReply | undefined) =>
  reply !== undefined && reply.code >= 200 && reply.code < 300;

/** Greets a server on a socket that was just connected. */
export async function openSession(
  socket: Socket,
  host: string,
  options: { prober: Prober; timeoutMs: number },
): Promise<Opening> {
  const wire = smtpConnection(socket, options.timeoutMs);
  const greeting = await wire.greeting();
  if (!greeting) return { state: 'silent' };
  if (greeting.code !== 220) return refused(wire, greeting);
  const hello = await sayHello(wire, options.prober);
  if (!hello) return { state: 'silent' };
  if (!isFine(hello)) return refused(wire, hello);
  return { state: 'open', session: createSession(wire, hello, { host, ...options }) };
}

/** What does not know EHLO is greeted in the old way, and has no extensions. */
async function sayHello(wire: SmtpConnection, { helo }: Prober): Promise<SmtpReply | undefined> {
  const [hello] = await wire.ask([`EHLO ${helo}`]);
  if (!hello || ![500, 501, 502, 504].includes(hello.code)) return hello;
  const [old] = await wire.ask([`HELO ${helo}`]);
  return old && { ...old, text: '' };
}

function refused(wire: SmtpConnection, reply: SmtpReply): Opening {
  wire.quit();
  return { state: 'refused', reply };
}

function createSession(
  wire: SmtpConnection,
  hello: SmtpReply,
  { host, prober }: { host: string; prober: Prober },
): SmtpSession {
  const has = (answer: SmtpReply, extension: string) =>
    new RegExp(`^${extension}\\b`, 'im').test(answer.text);
  let isUsed = false;
  const session: SmtpSession = {
    canPipeline: has(hello, 'PIPELINING'),
    canInternational: has(hello, 'SMTPUTF8'),
    isOpen: () => wire.isOpen(),
    quit: () => wire.quit(),
    async run(transaction) {
      const outcome = await converse(wire, prober, transaction, {
        canPipeline: session.canPipeline,
        reset: isUsed,
      });
      isUsed = true;
      const wantsTls = typeof outcome.mail === 'object' && outcome.mail.code === 530;
      if (!wantsTls || !has(hello, 'STARTTLS')) return outcome;
      if (!(await secure(wire, host, prober))) return { mail: 'lost' };
      return converse(wire, prober, transaction, {
        canPipeline: session.canPipeline,
        reset: false,
      });
    },
  };
  return session;
}

async function secure(wire: SmtpConnection, host: string, prober: Prober): Promise<boolean> {
  const [ready] = await wire.ask(['STARTTLS']);
  if (!isFine(ready) || !(await wire.startTls(host))) return false;
  return isFine(await sayHello(wire, prober));
}

async function converse(
  wire: SmtpConnection,
  prober: Prober,
  { recipients, isInternational }: Transaction,
  { canPipeline, reset }: { canPipeline: boolean; reset: boolean },
): Promise<TransactionOutcome> {
  const opening = [
    ...(reset ? ['RSET'] : []),
    `MAIL FROM:<${prober.from}>${isInternational ? ' SMTPUTF8' : ''}`,
  ];
  const asked = recipients.map((recipient) => `RCPT TO:<${recipient}>`);
  if (canPipeline) {
    const replies = await wire.ask([...opening, ...asked]);
    return outcomeOf(replies[opening.length - 1], replies.slice(opening.length));
  }
  const opened: SmtpReply[] = [];
  for (const command of opening) opened.push(...(await wire.ask([command])));
  const mail = opened[opening.length - 1];
  const replies: SmtpReply[] = [];
  for (const command of isFine(mail) ? asked : []) {
    const [reply] = await wire.ask([command]);
    if (!reply) break;
    replies.push(reply);
    if (reply.code === 421) break;
  }
  return outcomeOf(mail, replies);
}

function outcomeOf(mail: SmtpReply | undefined, replies: SmtpReply[]): TransactionOutcome {
  if (!mail || mail.code === 421) return { mail: 'lost' };
  return isFine(mail) ? { mail: 'accepted', replies } : { mail };
}
