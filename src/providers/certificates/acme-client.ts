/** Signed requests to an authority (RFC 8555, 6): nonces, accounts, and what to do where it has forgotten either. */
import { FlattenedSign, type JWSHeaderParameters } from 'jose';
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { directory } from './acme-answers.ts';
import {
  accountRefusal,
  acmeRefusal,
  BAD_NONCE,
  PROVIDER,
  UNKNOWN_ACCOUNT,
} from './acme-failures.ts';
import type { AccountKey } from './keys.ts';

/** An authority forgets nonces when it is restarted, or answers from another place than before. */
const MAX_TRIES = 5;
/** The addresses of so many accounts are remembered; any other is asked for again. */
const MAX_KNOWN_ACCOUNTS = 1_000;

type Headers = Awaited<ReturnType<JsonClient['sendForHeaders']>>['headers'];

interface Signed<S extends z.ZodType> {
  url: string;
  /** Undefined asks for what is there (POST-as-GET; RFC 8555, 6.3). */
  payload?: object;
  answer: S;
  accept?: string;
}

interface Answered<S extends z.ZodType> {
  body: z.infer<S>;
  headers: Headers;
}

export interface AcmeClient {
  directory(): Promise<z.infer<typeof directory>>;
  /** Signed by the account of this key, which is made where there is none. */
  send<S extends z.ZodType>(key: AccountKey, call: Signed<S>): Promise<Answered<S>>;
}

/** `timeoutMs` is for each request. Everything may be repeated: an authority's own states see to that. */
export function createAcmeClient(options: { directoryUrl: string; timeoutMs: number }): AcmeClient {
  const http = createJsonClient({
    provider: PROVIDER,
    baseUrl: '',
    headers: { 'user-agent': 'Outreach' },
    secrets: [],
    timeoutMs: options.timeoutMs,
    refused: acmeRefusal,
  });
  const get = <S extends z.ZodType>(url: string, answer: S) =>
    http.sendForHeaders({ method: 'GET', path: url, repeatable: true, answer });
  const readDirectory = once(async () => (await get(options.directoryUrl, directory)).body);
  const freshNonce = async () => {
    const { newNonce } = await readDirectory();
    return headerOf(await get(newNonce, z.unknown()), 'replay-nonce', newNonce);
  };
  const post = poster(http, freshNonce);
  const accounts = new Map<string, string>();
  const accountOf = async (key: AccountKey) => {
    const known = accounts.get(key.thumbprint);
    if (known !== undefined) return known;
    const { newAccount } = await readDirectory();
    const payload = { termsOfServiceAgreed: true };
    const call = { url: newAccount, payload, answer: z.unknown() };
    const made = await post(key, call, { jwk: key.jwk }).catch((error: unknown) => {
      throw accountRefusal(error);
    });
    const address = headerOf(made, 'location', newAccount);
    for (const [oldest] of accounts) {
      if (accounts.size < MAX_KNOWN_ACCOUNTS) break;
      accounts.delete(oldest);
    }
    accounts.set(key.thumbprint, address);
    return address;
  };
  const send: AcmeClient['send'] = async (key, call) => {
    const isRemembered = accounts.has(key.thumbprint);
    const kid = await accountOf(key);
    try {
      return await post(key, call, { kid });
    } catch (error) {
      if (!isProblem(error, UNKNOWN_ACCOUNT)) throw error;
      accounts.delete(key.thumbprint);
      if (!isRemembered) throw error;
      return post(key, call, { kid: await accountOf(key) });
    }
  };
  return { directory: readDirectory, send };
}

/** The first answer that comes, for good: an authority's addresses stay the same. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: T | undefined;
  return async () => (answer ??= await ask());
}

/** Sends with a nonce of its own each time: one from an earlier answer may be long gone. */
function poster(http: JsonClient, freshNonce: () => Promise<string>) {
  return async <S extends z.ZodType>(
    key: AccountKey,
    call: Signed<S>,
    signer: Pick<JWSHeaderParameters, 'jwk' | 'kid'>,
  ): Promise<Answered<S>> => {
    for (let tries = 1; ; tries += 1) {
      const nonce = await freshNonce();
      const body = await signed(key, call.payload, { nonce, url: call.url, ...signer });
      try {
        return await http.sendForHeaders({
          method: 'POST',
          path: call.url,
          headers: {
            'content-type': 'application/jose+json',
            ...(call.accept !== undefined && { accept: call.accept }),
          },
          body,
          repeatable: true,
          answer: call.answer,
        });
      } catch (error) {
        if (tries === MAX_TRIES || !isProblem(error, BAD_NONCE)) throw error;
      }
    }
  };
}

function signed(key: AccountKey, payload: object | undefined, header: JWSHeaderParameters) {
  const text = payload === undefined ? '' : JSON.stringify(payload);
  return new FlattenedSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(key.privateKey);
}

const isProblem = (error: unknown, type: string) =>
  error instanceof ProviderError && error.facts.providerCode === type;

/** A header that the authority MUST send with its answer. */
export function headerOf(answer: { headers: Headers }, name: string, url: string): string {
  const value = answer.headers[name];
  if (typeof value === 'string') return value;
  throw new ProviderError('unavailable', `${PROVIDER}: ${url} answered without ${name}`, {
    provider: PROVIDER,
    providerCode: 'unexpected_answer',
    operatorHint: 'ACME_DIRECTORY_URL does not name an authority that keeps to RFC 8555.',
  });
}
