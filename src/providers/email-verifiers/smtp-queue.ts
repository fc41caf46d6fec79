/** What waits for one mail exchanger: addresses, grouped in transactions that it accepts. */
import { mailProviderOf } from '../../domain/email-validation/mail-providers.ts';
import type { SmtpSession } from './smtp-session.ts';
import type { Ticket } from './smtp-tickets.ts';

/**
 * A provider sees no more connections of us than of one mail server, however many companies it serves.
 */
export const CONNECTIONS_PER_PROVIDER = 2;
/** RFC 5321, 4.5.3.1.8 asks for 100; servers that dislike probes close the connection much earlier. */
const RECIPIENTS_PER_TRANSACTION = 50;
/** With the catch-all test: few, so that the rest is soon shared among the connections. */
const RECIPIENTS_WITH_TEST = 10;
/** Recipients of several domains' transactions that are pipelined together. */
const RECIPIENTS_IN_ONE_GO = 100;

export interface Exchange {
  hosts: string[];
  /** The provider whose connection slots are used: that of the best host. */
  provider: string;
  queue: Ticket[];
  /** Counted from its first connection. */
  endsAtMs: number | undefined;
  /** Recipients in one transaction. */
  limit: number;
  /** Connections in a row without a result. */
  fruitless: number;
  /** Whether the last server that answered offers PIPELINING. */
  canPipeline: boolean;
  /** Called when there is work for one more connection. */
  hire: () => void;
}

export const newExchange = (hosts: string[]): Exchange => ({
  hosts,
  provider: mailProviderOf(hosts[0]!),
  queue: [],
  endsAtMs: undefined,
  limit: RECIPIENTS_PER_TRANSACTION,
  fruitless: 0,
  canPipeline: true,
  hire: () => undefined,
});

/** Puts addresses of one domain into the queue, in transactions that the server accepts. */
export function enqueue(exchange: Exchange, ticket: Ticket): void {
  const all = [...ticket.emails, ...ticket.rest];
  if (ticket.state.takesAll === undefined) {
    const size = Math.min(RECIPIENTS_WITH_TEST, exchange.limit - 1);
    exchange.queue.push({ ...ticket, emails: all.slice(0, size), rest: all.slice(size) });
  } else {
    // One command at a time is slow, so every connection gets its share.
    const share = exchange.canPipeline ? all.length : all.length / CONNECTIONS_PER_PROVIDER;
    const size = Math.max(1, Math.min(exchange.limit, Math.ceil(share)));
    for (let at = 0; at < all.length; at += size) {
      exchange.queue.push({ ...ticket, emails: all.slice(at, at + size), rest: [] });
    }
  }
  // The first one is for the connection that just added it.
  if (exchange.queue.length > 1) exchange.hire();
}

/** The next transactions: several where they can be pipelined. */
export function take(exchange: Exchange, session: SmtpSession, first: Ticket): Ticket[] {
  const tickets = [first];
  let recipients = first.emails.length;
  while (session.canPipeline && exchange.queue.length > 0) {
    recipients += exchange.queue[0]!.emails.length;
    if (recipients > RECIPIENTS_IN_ONE_GO) break;
    tickets.push(exchange.queue.shift()!);
  }
  return tickets;
}
