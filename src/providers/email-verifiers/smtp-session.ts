/** A connection to a mail exchanger, greeted and ready for MAIL FROM; never DATA. RFC 5321, 2920. */
import type { Socket } from 'node:net';
import { smtpConnection, type SmtpConnection, type SmtpReply } from './smtp-connection.ts';
import { saysListed } from './smtp-replies.ts';

/** Who probes: the operator's settings. */
export interface Prober {
  /** The EHLO name; it resolves to the address that we dial from. */
  helo: string;
  /** MAIL FROM: a mailbox that exists. */
  from: string;
}

export interface Transaction {
  /** Addresses of one domain, in the order in which they are asked. */
  recipients: readonly string[];
  /** Whether any of them has characters outside ASCII before the `@`. */
  isInternational: boolean;
}

/** Replies to the recipients, in their order; fewer when the connection was lost. */
export type TransactionOutcome =
  { mail: 'accepted'; replies: SmtpReply[] } | { mail: SmtpReply } | { mail: 'lost' };

export interface SmtpSession {
  /** The exchanger's name. */
  host: string;
  canPipeline: boolean;
  canInternational: boolean;
  isOpen(): boolean;
  /** Without PIPELINING one command after the other, with it all transactions together. */
  run(transactions: readonly Transaction[]): Promise<TransactionOutcome[]>;
  quit(): void;
}

/** `refused`: the server answered, but not with 220. */
export type MailboxCapacity =
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
): Promise<MailboxCapacity> {
  const wire = smtpConnection(socket, options.timeoutMs);
  const greeting = await wire.greeting();
  if (!greeting) return { state: 'silent' };
  if (greeting.code !== 220) return refused(wire, greeting);
  const hello = await sayHello(wire, options.prober);
  if (!hello) return { state: 'silent' };
  if (!isFine(hello)) return refused(wire, hello);
  return { state: 'open', session: createSession(wire, hello, { host, ...options }) };
}

/** A server without EHLO is greeted with HELO, and has no extensions. */
async function sayHello(wire: SmtpConnection, { helo }: Prober): Promise<SmtpReply | undefined> {
  const [hello] = await wire.ask([`EHLO ${helo}`]);
  if (!hello || ![500, 501, 502, 504].includes(hello.code)) return hello;
  const [old] = await wire.ask([`HELO ${helo}`]);
  return old && { ...old, text: '' };
}

function refused(wire: SmtpConnection, reply: SmtpReply): MailboxCapacity {
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
  const canPipeline = has(hello, 'PIPELINING');
  const converse = canPipeline ? inOneGo : oneByOne;
  return {
    host,
    canPipeline,
    canInternational: has(hello, 'SMTPUTF8'),
    isOpen: () => wire.isOpen(),
    quit: () => wire.quit(),
    async run(transactions) {
      const outcomes = await converse(wire, prober, transactions, isUsed);
      isUsed = true;
      const wantsTls = outcomes.some(({ mail }) => typeof mail === 'object' && mail.code === 530);
      if (!wantsTls || !has(hello, 'STARTTLS')) return outcomes;
      if (!(await secure(wire, host, prober))) return transactions.map(() => ({ mail: 'lost' }));
      return converse(wire, prober, transactions, false);
    },
  };
}

async function secure(wire: SmtpConnection, host: string, prober: Prober): Promise<boolean> {
  const [ready] = await wire.ask(['STARTTLS']);
  if (!isFine(ready) || !(await wire.startTls(host))) return false;
  return isFine(await sayHello(wire, prober));
}

/** RSET after an earlier transaction, and MAIL. */
const openingOf = (
  { from }: Prober,
  { isInternational }: Transaction,
  reset: boolean,
): string[] => [
  ...(reset ? ['RSET'] : []),
  `MAIL FROM:<${from}>${isInternational ? ' SMTPUTF8' : ''}`,
];

const askedOf = ({ recipients }: Transaction): string[] =>
  recipients.map((recipient) => `RCPT TO:<${recipient}>`);

/** RFC 2920, 3.1: RSET, MAIL and RCPT may stand anywhere in a group of commands. */
async function inOneGo(
  wire: SmtpConnection,
  prober: Prober,
  transactions: readonly Transaction[],
  isUsed: boolean,
): Promise<TransactionOutcome[]> {
  const openings = transactions.map((each, at) => openingOf(prober, each, isUsed || at > 0));
  const commands = transactions.flatMap((each, at) => [...openings[at]!, ...askedOf(each)]);
  const replies = await wire.ask(commands);
  let at = 0;
  return transactions.map(({ recipients }, n) => {
    const mail = replies[at + openings[n]!.length - 1];
    at += openings[n]!.length;
    const own = replies.slice(at, at + recipients.length);
    at += recipients.length;
    return outcomeOf(mail, own);
  });
}

async function oneByOne(
  wire: SmtpConnection,
  prober: Prober,
  transactions: readonly Transaction[],
  isUsed: boolean,
): Promise<TransactionOutcome[]> {
  const outcomes: TransactionOutcome[] = [];
  for (const transaction of transactions) {
    let mail: SmtpReply | undefined;
    for (const command of openingOf(prober, transaction, isUsed || outcomes.length > 0)) {
      [mail] = await wire.ask([command]);
    }
    const replies: SmtpReply[] = [];
    for (const command of isFine(mail) ? askedOf(transaction) : []) {
      const [reply] = await wire.ask([command]);
      if (!reply) break;
      replies.push(reply);
      if (reply.code === 421) break;
    }
    outcomes.push(outcomeOf(mail, replies));
  }
  return outcomes;
}

function outcomeOf(mail: SmtpReply | undefined, replies: SmtpReply[]): TransactionOutcome {
  if (!mail || (mail.code === 421 && !saysListed(mail))) return { mail: 'lost' };
  return isFine(mail) ? { mail: 'accepted', replies } : { mail };
}
