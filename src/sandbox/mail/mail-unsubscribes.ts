/** The one-click unsubscription of mail programs (RFC 8058). */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { SandboxCore } from '../core.ts';
import type { AcceptedMessage } from './mail-records.ts';

const ATTEMPTS = 5;
const RETRY_MS = 5_000;
const TIMEOUT_MS = 10_000;

/**
 * Posts to the address in the message if both fields are there and signed: an unsigned one could be
 * anybody's (RFC 8058, 4). Answers whether it did.
 */
export async function postOneClick(core: SandboxCore, message: AcceptedMessage): Promise<boolean> {
  const url = oneClickAddress(message);
  if (url === undefined) return false;
  for (let attempt = 1; attempt <= ATTEMPTS && !core.closing.aborted; attempt++) {
    const status = await post(core, new URL(url)).catch(() => 0);
    if (status >= 200 && status < 300) return true;
    if (status >= 300 && status < 500) return false;
    await core.wait(RETRY_MS);
  }
  return false;
}

/** Names of the world are reached by its addresses, and proven by its authority. */
function post(core: SandboxCore, url: URL): Promise<number> {
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const target = core.hosts.dial(url.hostname, port) ?? { host: url.hostname, port };
  const options: RequestOptions = {
    ...target,
    method: 'POST',
    path: url.pathname + url.search,
    headers: { host: url.host, 'content-type': 'application/x-www-form-urlencoded' },
    signal: AbortSignal.any([core.closing, AbortSignal.timeout(TIMEOUT_MS)]),
    agent: false,
  };
  const secure = { servername: url.hostname, ca: readFileSync(core.ca.caFile, 'utf8') };
  return new Promise((resolve, reject) => {
    const request = isSecure ? httpsRequest({ ...options, ...secure }) : httpRequest(options);
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.end('List-Unsubscribe=One-Click');
  });
}

function oneClickAddress({ headers }: AcceptedMessage): string | undefined {
  const post = headers['list-unsubscribe-post'] ?? '';
  if (!/^\s*List-Unsubscribe\s*=\s*One-Click\s*$/i.test(post)) return undefined;
  const signed = signedFields(headers['dkim-signature'] ?? '');
  if (!signed.has('list-unsubscribe') || !signed.has('list-unsubscribe-post')) return undefined;
  return /<(https?:\/\/[^<>\s]+)>/i.exec(headers['list-unsubscribe'] ?? '')?.[1];
}

/** The fields that a DKIM signature covers (RFC 6376, 3.5, `h=`). */
function signedFields(signature: string): Set<string> {
  const list = /(?:^|;)\s*h\s*=([^;]*)/i.exec(signature)?.[1] ?? '';
  return new Set(list.split(':').map((name) => name.trim().toLowerCase()));
}
