/**
 * The built-in verifier: asks the mail exchangers themselves, and never sends a message. Addresses are
 * grouped by exchanger, and connections are counted by its provider. One transaction asks about many
 * addresses of one domain (some servers refuse two domains in one), pipelined where the server offers
 * PIPELINING; an address that nobody has goes first, to detect a catch-all. Any reply that is not
 * clearly about a mailbox (blocklists, policies, greylisting, silence) is `unknown`.
 */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import type { EmailVerifier } from './port.ts';
import { giveUp, workThrough, type ExchangeTools, type OnVerdict } from './smtp-exchange.ts';
import { CONNECTIONS_PER_PROVIDER, enqueue, newExchange, type Exchange } from './smtp-queue.ts';
import { createPortCheck } from './smtp-port-check.ts';
import { exchangersOf } from './smtp-route.ts';
import { createSlots, type Slots } from './smtp-slots.ts';
import { LISTED, type DomainState } from './smtp-tickets.ts';
import { unknown } from './verdicts.ts';

const PROVIDER = 'smtp_probe';
const SMTP_PORT = 25;

const CONNECTIONS_IN_ALL = 100;

/** Whether a domain accepts all addresses seldom changes. */
const TEST_HOLDS_MS = 3_600_000;
const MAX_TESTS_HELD = 10_000;

const settings = z.object({
  /** A mailbox of ours that exists, the MAIL FROM of every probe. Setting it turns the probe on. */
  SMTP_PROBE_FROM: z.email(),
  /** The name that our address resolves to: what EHLO says. */
  SMTP_PROBE_HELO: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a host name'),
});

export const smtpProbe = defineVendor({ name: PROVIDER, settings, create: createSmtpProbe });

/** What the calls of one process share. */
interface Probe {
  tools: ExchangeTools;
  slots: Slots;
  /** Domains whose catch-all test has a result. */
  tested: Map<string, { takesAll: boolean; untilMs: number }>;
}

function createSmtpProbe(config: z.infer<typeof settings>, given: ProviderTools): EmailVerifier {
  const { dns: resolver, probePlaces: places, outboundProxy, timeoutMs } = given;
  if (!resolver || !places) throw new Error('the SMTP probe needs a resolver and places');
  const port = SMTP_PORT;
  const check = createPortCheck({ resolver, outboundProxy, port });
  const probe: Probe = {
    tools: {
      resolver,
      places,
      outboundProxy,
      port,
      timeoutMs,
      guard: { allowBenchmarkRange: given.allowBenchmarkRange ?? false, reach: given.reach },
      prober: { helo: config.SMTP_PROBE_HELO, from: config.SMTP_PROBE_FROM },
      onConnected: () => check.noteConnected(),
      onUnreachable: (signal) => check.assertOpen(signal),
    },
    slots: createSlots(places, {
      perProvider: CONNECTIONS_PER_PROVIDER,
      inAll: CONNECTIONS_IN_ALL,
    }),
    tested: new Map(),
  };
  return {
    name: PROVIDER,
    async verify(emails, { onResult, signal }) {
      const onVerdict: OnVerdict = async (email, verdict) => onResult({ email, verdict });
      await verifyAll(probe, emails, { onVerdict, signal });
    },
  };
}

async function verifyAll(
  probe: Probe,
  emails: readonly string[],
  { onVerdict, signal }: { onVerdict: OnVerdict; signal: AbortSignal | undefined },
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any(signal ? [signal, failed.signal] : [failed.signal]);
  // Every connection adds a listener.
  setMaxListeners(0, either);
  const { exchanges, states } = await groupByExchanger(probe, emails, onVerdict);
  let first: unknown;
  const onError = (error: unknown) => {
    first ??= error;
    failed.abort(error);
  };
  await Promise.all(
    [...exchanges.values()].map((exchange) =>
      workAt(probe, exchange, { onVerdict, signal: either, onError }),
    ),
  );
  for (const { domain, takesAll } of states) noteTested(probe.tested, domain, takesAll);
  signal?.throwIfAborted();
  if (first !== undefined) throw first as Error;
}

/** As many connections as there is work for, within the limits. */
async function workAt(
  { slots, tools }: Probe,
  exchange: Exchange,
  options: { onVerdict: OnVerdict; signal: AbortSignal; onError: (error: unknown) => void },
): Promise<void> {
  const { signal } = options;
  const workers: Promise<void>[] = [];
  let active = 0;
  const isOver = () => exchange.queue.length === 0;
  const work = () => workThrough(exchange, tools, options);
  exchange.hire = () => {
    if (active >= CONNECTIONS_PER_PROVIDER) return;
    active += 1;
    const end = () => void (active -= 1);
    const worker = slots.run(exchange.provider, { isOver, signal }, work).then(async (outcome) => {
      if (outcome === 'resting') await giveUp(exchange, [], LISTED, options.onVerdict);
    });
    workers.push(worker.catch(options.onError).finally(end));
  };
  for (let n = 0; n < exchange.queue.length; n += 1) exchange.hire();
  // More workers may be added while these work.
  for (const worker of workers) await worker;
}

/** Domains with the same exchangers share their connections. */
async function groupByExchanger(
  probe: Probe,
  emails: readonly string[],
  onVerdict: OnVerdict,
): Promise<{ exchanges: Map<string, Exchange>; states: DomainState[] }> {
  const exchanges = new Map<string, Exchange>();
  const states: DomainState[] = [];
  await Promise.all(
    [...groupByDomain(emails)].map(async ([domain, group]) => {
      const hosts = await hostsOf(probe, domain);
      if (hosts === undefined) {
        for (const email of group) await onVerdict(email, unknown('dns_failure'));
        return;
      }
      const key = hosts.join(' ');
      const exchange = exchanges.get(key) ?? newExchange(hosts);
      exchanges.set(key, exchange);
      const state = stateOf(probe, domain);
      states.push(state);
      // A transaction with SMTPUTF8 (RFC 6531) stands alone: not every server offers it.
      for (const isInternational of [false, true]) {
        const own = group.filter((email) => isAscii(email) !== isInternational);
        if (own.length > 0) enqueue(exchange, { state, emails: own, rest: [], isInternational });
      }
    }),
  );
  return { exchanges, states };
}

function groupByDomain(emails: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const email of emails) {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    const group = groups.get(domain);
    if (group) group.push(email);
    else groups.set(domain, [email]);
  }
  return groups;
}

async function hostsOf({ tools }: Probe, domain: string): Promise<string[] | undefined> {
  try {
    return await exchangersOf(tools.resolver, domain);
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

/** The result of an earlier catch-all test of the domain, if there is one. */
function stateOf({ tools, tested }: Probe, domain: string): DomainState {
  const nobody = `${nobodyAt(tools.prober.helo, domain)}@${domain}`;
  const known = tested.get(domain);
  if (known && known.untilMs <= Date.now()) tested.delete(domain);
  const state: DomainState = { domain, nobody, hasAccepted: false };
  if (known && known.untilMs > Date.now()) state.takesAll = known.takesAll;
  return state;
}

/**
 * A local part that nobody has, always the same for a domain: a greylisting server that has seen it
 * says at the next attempt whether it exists.
 */
const nobodyAt = (helo: string, domain: string): string =>
  `x${createHash('sha256').update(`${helo} ${domain}`).digest('hex').slice(0, 17)}`;

const isAscii = (email: string): boolean => /^[\x20-\x7e]*$/.test(email);

/** Keeps the result of a catch-all test, within bounds. */
function noteTested(
  tested: Probe['tested'],
  domain: string,
  takesAll: boolean | null | undefined,
): void {
  if (typeof takesAll !== 'boolean' || tested.has(domain)) return;
  tested.set(domain, { takesAll, untilMs: Date.now() + TEST_HOLDS_MS });
  if (tested.size > MAX_TESTS_HELD) tested.delete(tested.keys().next().value!);
}
