/**
 * Finds the next hop of a message, the exchangers of its domain in the world's DNS, and delivers over
 * SMTP.
 */
import nodemailer from 'nodemailer';
import type { SandboxCore } from '../core.ts';
import { domainOf } from './host-context.ts';
import { DeliveryRefused, type QueuedMessage } from './mail-queue.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the slow exchangers take for a command. */
const REPLY_TIMEOUT_MS = 30_000;

/** Delivers to the first exchanger that answers, in order of preference (RFC 5321, 5.1). */
export async function deliverByMx(
  core: SandboxCore,
  message: QueuedMessage,
  raw: Buffer,
): Promise<void> {
  const domain = domainOf(message.to);
  let problem: Error = new DeliveryRefused(false, `4.4.1 no exchanger of ${domain} answers`);
  for (const exchanger of exchangersOf(core, domain)) {
    const address = core.hosts.dial(exchanger, 25);
    if (address === undefined) continue;
    try {
      return await deliver(message, raw, address.port);
    } catch (error) {
      problem = asRefusal(error, exchanger);
      if (problem instanceof DeliveryRefused && problem.permanent) throw problem;
    }
  }
  throw problem;
}

/** MX names by preference, or the domain itself where it has an address and no MX. */
function exchangersOf(core: SandboxCore, domain: string): string[] {
  const { exists, records } = core.zone.lookup(domain, 'MX');
  const exchangers = records.filter((each) => each.type === 'MX');
  if (exchangers.length > 0) {
    return exchangers
      .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
      .map((each) => each.value.replace(/\.$/, ''));
  }
  if (exists && core.zone.lookup(domain, 'A').records.length > 0) return [domain];
  throw new DeliveryRefused(true, `5.4.4 no mail exchanger for ${domain}`);
}

async function deliver(message: QueuedMessage, raw: Buffer, port: number): Promise<void> {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    name: message.helo,
    ignoreTLS: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: REPLY_TIMEOUT_MS,
    socketTimeout: REPLY_TIMEOUT_MS,
  });
  try {
    await transport.sendMail({ envelope: { from: message.from, to: message.to }, raw });
  } finally {
    transport.close();
  }
}

function asRefusal(error: unknown, exchanger: string): Error {
  const { responseCode, response } = error as { responseCode?: number; response?: string };
  if (responseCode === undefined) return error as Error;
  return new DeliveryRefused(responseCode >= 500, `${exchanger} said: ${response ?? responseCode}`);
}
