/** Asks one mail exchanger about all addresses that it serves, over few connections. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { mailProviderOf } from '../../domain/email-validation/mail-providers.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { ProbePlaces } from '../../domain/email-validation/probe-places.ts';
import { dial } from '../network.ts';
import type { AddressGuard } from '../address-guard.ts';
import type { VerifierVerdict } from './port.ts';
import { enqueue, take, type Exchange } from './smtp-queue.ts';
import { saysListed } from './smtp-replies.ts';
import { exchangerAddress, type MailResolver } from './smtp-route.ts';
import { openSession, type Prober, type SmtpSession } from './smtp-session.ts';
import {
  LISTED,
  questionOf,
  readReplies,
  reasonOfRefusal,
  type Question,
  type Ticket,
} from './smtp-tickets.ts';
import { unknown } from './verdicts.ts';

/** After this many connections in a row without a result the server is left alone. */
const FRUITLESS_CONNECTIONS = 3;
/** How long to wait before the next connection after a server closed one. */
const PAUSE_MS = 250;
const MAX_CONNECT_MS = 10_000;
/** The whole work at one exchanger takes at most this many time-outs. */
const MAX_TIMEOUTS = 10;

export interface ExchangeTools {
  resolver: MailResolver;
  places: ProbePlaces;
  guard: AddressGuard;
  prober: Prober;
  outboundProxy: string | undefined;
  timeoutMs: number;
  port: number;
  /** Called for every TCP connection that was made. */
  onConnected: () => void;
  /** Called when a host could not be connected to; throws when our own network is the cause. */
  onUnreachable: (signal: AbortSignal) => Promise<void>;
}

export type OnVerdict = (email: string, verdict: VerifierVerdict) => Promise<void>;

/** One connection after the other until the queue is empty. Throws only what ends the whole call. */
export async function workThrough(
  exchange: Exchange,
  tools: ExchangeTools,
  options: { onVerdict: OnVerdict; signal: AbortSignal },
): Promise<void> {
  const { onVerdict, signal } = options;
  let session: SmtpSession | undefined;
  exchange.endsAtMs ??= Date.now() + tools.timeoutMs * MAX_TIMEOUTS;
  try {
    for (let ticket = exchange.queue.shift(); ticket; ticket = exchange.queue.shift()) {
      signal.throwIfAborted();
      if (Date.now() > exchange.endsAtMs) {
        await giveUp(exchange, [ticket], 'timed_out', onVerdict);
        return;
      }
      if (!session?.isOpen()) {
        const opened = await connect(exchange, tools, signal);
        if (typeof opened === 'string') {
          await giveUp(exchange, [ticket], opened, onVerdict);
          return;
        }
        session = opened;
      }
      const isListed = await serve(exchange, session, take(exchange, session, ticket), onVerdict);
      if (isListed) {
        await tools.places.rest(mailProviderOf(session.host));
        return;
      }
      signal.throwIfAborted();
    }
  } finally {
    session?.quit();
  }
}

/**
 * Some transactions; what they leave open goes back into the queue. True when the server says that our
 * address is on a blocklist.
 */
async function serve(
  exchange: Exchange,
  session: SmtpSession,
  tickets: readonly Ticket[],
  onVerdict: OnVerdict,
): Promise<boolean> {
  const questions: Question[] = [];
  for (const ticket of tickets) {
    if (!ticket.isInternational || session.canInternational) questions.push(questionOf(ticket));
    else await answerAll(ticket, 'smtputf8_missing', onVerdict);
  }
  if (questions.length === 0) return false;
  const outcomes = await session.run(questions);
  const left: Ticket[] = [];
  let isFruitful = false;
  let isListed = false;
  for (const [at, outcome] of outcomes.entries()) {
    const question = questions[at]!;
    // The server refuses our sender, whatever the recipient: more requests would be a nuisance.
    if (typeof outcome.mail === 'object') {
      await giveUp(exchange, [question.ticket], reasonOfRefusal(outcome.mail), onVerdict);
      isFruitful = true;
      isListed ||= saysListed(outcome.mail);
      continue;
    }
    const replies = 'replies' in outcome ? outcome.replies : [];
    const reading = readReplies(question, replies);
    for (const { email, verdict } of reading.verdicts) await onVerdict(email, verdict);
    isFruitful ||= reading.isFruitful;
    isListed ||= reading.isListed;
    if (reading.limit !== undefined) exchange.limit = Math.min(exchange.limit, reading.limit);
    const open = { ...question.ticket, emails: reading.left };
    if (open.emails.length + open.rest.length > 0) left.push(open);
  }
  exchange.fruitless = isFruitful ? 0 : exchange.fruitless + 1;
  const isFruitless = exchange.fruitless >= FRUITLESS_CONNECTIONS;
  if (isListed || isFruitless) {
    await giveUp(exchange, left, isListed ? LISTED : 'temporary_failure', onVerdict);
    return isListed;
  }
  if (left.length > 0 && !session.isOpen()) await sleep(PAUSE_MS);
  for (const ticket of left) enqueue(exchange, ticket);
  return false;
}

/** Answers these and everything that waits for this exchanger. */
export async function giveUp(
  exchange: Exchange,
  tickets: readonly Ticket[],
  reason: string,
  onVerdict: OnVerdict,
): Promise<void> {
  const all = [...tickets, ...exchange.queue.splice(0)];
  for (const ticket of all) await answerAll(ticket, reason, onVerdict);
}

async function answerAll(
  { emails, rest }: Ticket,
  reason: string,
  onVerdict: OnVerdict,
): Promise<void> {
  for (const email of [...emails, ...rest]) await onVerdict(email, unknown(reason));
}

/** A greeted session at the best host that offers one, or the reason why there is none. */
async function connect(
  exchange: Exchange,
  tools: ExchangeTools,
  signal: AbortSignal,
): Promise<SmtpSession | string> {
  let reason = 'unreachable';
  const resting = new Set<string>();
  for (const host of exchange.hosts) {
    const provider = mailProviderOf(host);
    // No connection slot is given at a provider that rests.
    const isOther = provider !== exchange.provider;
    if (isOther && (await tools.places.isResting(provider))) resting.add(provider);
    if (resting.has(provider)) {
      reason = LISTED;
      continue;
    }
    const opening = await openAt(host, tools, signal);
    signal.throwIfAborted();
    if (opening === undefined) {
      await tools.onUnreachable(signal);
      continue;
    }
    if (opening.state === 'open') {
      // The one that works comes first next time.
      exchange.hosts = [host, ...exchange.hosts.filter((other) => other !== host)];
      exchange.canPipeline = opening.session.canPipeline;
      return opening.session;
    }
    if (opening.state !== 'refused') continue;
    reason = reasonOfRefusal(opening.reply);
    if (reason !== LISTED) continue;
    resting.add(provider);
    await tools.places.rest(provider);
  }
  return reason;
}

/** Undefined when no address could be connected to. */
async function openAt(host: string, tools: ExchangeTools, signal: AbortSignal) {
  const { timeoutMs, outboundProxy: proxy, port, prober } = tools;
  try {
    const ipv4 = await exchangerAddress(tools.resolver, host, tools.guard);
    if (ipv4 === undefined) return undefined;
    const target = { provider: 'smtp_probe', ipv4, port, proxy, signal };
    const connectMs = Math.min(timeoutMs, MAX_CONNECT_MS);
    const socket = await dial({ ...target, timeoutMs: connectMs });
    tools.onConnected();
    hangUpOnAbort(socket, signal);
    return await openSession(socket, host, { prober, timeoutMs });
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

function hangUpOnAbort(socket: Socket, signal: AbortSignal): void {
  const stop = () => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', stop));
}
