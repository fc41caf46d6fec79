/** Endpoints of clients over HTTP, dialled through the resolver, the guard and the proxy. */
import { isIP, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Client, type Dispatcher } from 'undici';
import type { DeliveryAnswer } from '../../domain/webhooks/webhooks.ts';
import { version } from '../../domain/version.ts';
import { traced } from '../../tracing/spans.ts';
import { requestSpan } from '../../tracing/vendor-span.ts';
import { guardedAddresses, isPublicAddress } from '../address-guard.ts';
import { openConnection } from '../http-connection.ts';
import type { AddressResolver } from '../network.ts';
import type { WebhookEndpoints, WebhookMessage } from './port.ts';
import { signatureHeaders } from './signatures.ts';
import { parseUrl } from '../../domain/url.ts';

export interface WebhookEndpointsOptions {
  dns: AddressResolver;
  outboundProxy: string | undefined;
  allowBenchmarkRange: boolean;
  /** Plain http is for development. */
  allowHttp: boolean;
  /** Default 15 s. Choice 45. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** The body of an answer is of no use to us. */
const MAX_ANSWER_BYTES = 64 * 1_024;
const MAX_HEADER_BYTES = 32 * 1_024;
const MAX_URL_LENGTH = 2_048;

/** Names that lead inside a network or nowhere. */
const INNER_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|onion|arpa|alt|invalid)$/;

export function createWebhookEndpoints(options: WebhookEndpointsOptions): WebhookEndpoints {
  return {
    refusal: (text) => refusal(text, options),
    async deliver(message) {
      const limit = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
      const signal = message.signal ? AbortSignal.any([limit, message.signal]) : limit;
      try {
        return await attempt(message, options, signal);
      } catch (error) {
        message.signal?.throwIfAborted();
        const words = limit.aborted ? 'The endpoint did not answer in time' : wordsOf(error);
        return { status: null, error: words };
      }
    },
  };
}

async function attempt(
  { url: text, secrets, eventId, body }: WebhookMessage,
  options: WebhookEndpointsOptions,
  signal: AbortSignal,
): Promise<DeliveryAnswer> {
  const refused = refusal(text, options);
  if (refused !== undefined) return { status: null, error: refused };
  const url = new URL(text);
  const host = bareHost(url);
  const addresses = await racing(guardedAddresses(options.dns, host, options), signal);
  if (addresses === 'forbidden') {
    return { status: null, error: 'The endpoint leads to an address that is not public' };
  }
  if (addresses.length === 0) return { status: null, error: 'The endpoint has no address' };
  const { outboundProxy: proxy, timeoutMs = TIMEOUT_MS } = options;
  const connection = { provider: 'webhook', url, host, addresses, proxy, timeoutMs, signal };
  const client = new Client(url.origin, {
    connect: (_options, callback) => openFor(connection, callback as OpenCallback),
    maxHeaderSize: MAX_HEADER_BYTES,
    // The whole attempt has one time-out.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const stop = () => void client.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await traced(...requestSpan('webhook', { method: 'POST', url }), async (span) => {
      const answer = await client.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': `Outreach-Webhooks/${version}`,
          ...signatureHeaders({ secrets, eventId, body }, new Date()),
        },
        body,
        signal,
      });
      span.answered(answer.statusCode);
      await readAway(answer.body);
      return answerOf(answer.statusCode);
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await client.destroy();
  }
}

type OpenCallback = (error: Error | null, socket: Socket) => void;
const openFor = callbackify(openConnection);

/** The status counts once it has arrived, whatever happens to the body. */
async function readAway(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_ANSWER_BYTES) return;
    }
  } catch {
    // Cut off or too slow; the body was not needed.
  }
}

function answerOf(status: number): DeliveryAnswer {
  if (status >= 200 && status < 300) return { status, error: null };
  const isRedirect = status >= 300 && status < 400;
  const error = isRedirect
    ? `The endpoint redirected (${status}); redirects are not followed`
    : `The endpoint answered ${status}`;
  return { status, error };
}

function refusal(text: string, options: WebhookEndpointsOptions): string | undefined {
  const url = text.length > MAX_URL_LENGTH ? undefined : parseUrl(text);
  if (!url) return 'must be a web address';
  if (url.protocol === 'http:' && !options.allowHttp) return 'must begin with https://';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  // Other services listen below 1024, and a request must not reach them.
  if (url.port !== '' && url.port !== '80' && url.port !== '443' && Number(url.port) < 1_024) {
    return 'must not name another service’s port';
  }
  const host = bareHost(url);
  if (isIP(host) > 0) return isPublicAddress(host, options) ? undefined : NOT_PUBLIC;
  const isPublicName = host.includes('.') && !host.split('.').includes('') && host.length <= 253;
  return isPublicName && !INNER_NAME.test(host) ? undefined : NOT_PUBLIC;
}

const NOT_PUBLIC = 'must be a public address';

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Ends a look-up at our time-out, which a resolver does not know. */
function racing<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(new Error('aborted'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** What failed, in words safe for anyone to read: no address or code of ours. */
function wordsOf(error: unknown): string {
  const {
    code,
    message = '',
    facts,
  } = error as {
    code?: string;
    message?: string;
    facts?: { providerCode?: string };
  };
  const name = code ?? facts?.providerCode ?? '';
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/.test(name)) {
    return 'The endpoint’s certificate is not valid';
  }
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(name)) return 'The endpoint speaks no TLS that we know';
  if (name === 'ECONNREFUSED' || /refused/i.test(message))
    return 'The endpoint refuses connections';
  if (/timed? ?out/i.test(message)) return 'The endpoint did not answer in time';
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(name)) return 'The endpoint broke the connection';
  if (/^(HPE_|UND_ERR_)/.test(name)) return 'The endpoint does not speak HTTP';
  return 'The endpoint cannot be reached';
}
