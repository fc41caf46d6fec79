/** Whether outgoing port 25 is closed here, as it is at most hosters until a customer asks. */
import { fine, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import { ProviderError } from '../../domain/errors.ts';
import { dial } from '../network.ts';
import { exchangersOf, type MailResolver } from './smtp-route.ts';

/** Providers that are never all down at once. */
const LARGE_PROVIDERS = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.net'];
/** With fewer providers reachable through DNS nothing is proven. */
const MIN_WITNESSES = 2;

/** A busy process or a slow line must not look like a closed port. */
const CONNECT_TIMEOUT_MS = 10_000;

/** How long a connection that was made, or a finished check, vouches for the port. */
const HOLDS_MS = 10 * 60_000;

const HINT =
  'Outgoing port 25 is closed here: ask your hoster to open it, or set OUTBOUND_PROXY to a place ' +
  'where it is open. Until then unset SMTP_PROBE_FROM and configure Reacher or ZeroBounce.';

interface PortCheckTools {
  resolver: MailResolver;
  outboundProxy: string | undefined;
  port: number;
}

export interface PortCheck {
  noteConnected(): void;
  /** Throws `auth` with `port_25_closed` where no large provider can be connected to either. */
  assertOpen(signal: AbortSignal): Promise<void>;
}

export function createPortCheck(tools: PortCheckTools): PortCheck {
  let connectedAtMs = -Infinity;
  let last: { atMs: number; isClosed: Promise<boolean> } | undefined;
  return {
    noteConnected() {
      connectedAtMs = Date.now();
      last = undefined;
    },
    async assertOpen(signal) {
      if (Date.now() - connectedAtMs < HOLDS_MS) return;
      if (!last || Date.now() - last.atMs > HOLDS_MS) {
        last = { atMs: Date.now(), isClosed: isClosed(tools) };
      }
      const closed = await last.isClosed;
      signal.throwIfAborted();
      // Another connection may have succeeded meanwhile.
      if (!closed || Date.now() - connectedAtMs < HOLDS_MS) return;
      throw new ProviderError('auth', 'smtp_probe: outgoing port 25 is closed', {
        provider: 'smtp_probe',
        providerCode: 'port_25_closed',
        operatorHint: HINT,
      });
    },
  };
}

/** Where a port is closed for checks of addresses only, mail hosts elsewhere may send all the same. */
export function portQuestion(input: {
  resolver: MailResolver;
  outboundProxy: string | undefined;
  /** Whether this process checks addresses over SMTP (`SMTP_PROBE_FROM`). */
  isNeeded: boolean;
}): AccountQuestion {
  const { isNeeded, ...tools } = input;
  return {
    name: 'port 25 from here',
    async ask() {
      const answers = await Promise.all(
        LARGE_PROVIDERS.map((domain) => canConnect({ ...tools, port: 25 }, domain)),
      );
      const reached = answers.filter((answer) => answer === true).length;
      if (reached > 0) return fine(`open: ${reached} large providers were reached`);
      const cure = isNeeded ? HINT : `Nothing, unless addresses are to be checked here. ${HINT}`;
      if (answers.every((answer) => answer === undefined)) {
        const found = 'DNS does not say where the large providers are';
        return { state: isNeeded ? 'failed' : 'warning', found, cure };
      }
      const found = 'closed: no large provider was reached (mail hosts see their own port)';
      return { state: isNeeded ? 'failed' : 'warning', found, cure };
    },
  };
}

async function isClosed(tools: PortCheckTools): Promise<boolean> {
  const answers = await Promise.all(LARGE_PROVIDERS.map((domain) => canConnect(tools, domain)));
  const witnesses = answers.filter((answer) => answer !== undefined);
  return witnesses.length >= MIN_WITNESSES && !witnesses.includes(true);
}

/** Undefined where DNS does not say where to connect to. */
async function canConnect(
  { resolver, outboundProxy: proxy, port }: PortCheckTools,
  domain: string,
): Promise<boolean | undefined> {
  const address = await addressFor(resolver, domain).catch(() => undefined);
  if (address === undefined) return undefined;
  try {
    const target = { provider: 'smtp_probe', ipv4: address, port, proxy };
    (await dial({ ...target, timeoutMs: CONNECT_TIMEOUT_MS })).destroy();
    return true;
  } catch {
    return false;
  }
}

async function addressFor(resolver: MailResolver, domain: string): Promise<string | undefined> {
  const [host] = await exchangersOf(resolver, domain);
  return host === undefined || host === domain ? undefined : (await resolver.resolveA(host))[0];
}
