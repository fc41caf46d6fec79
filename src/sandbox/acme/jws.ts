/** What a signed request has to be (RFC 8555, 6.2 to 6.5), checked before anything of it is believed. */
import type { Request, Response } from 'express';
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  flattenedVerify,
  type FlattenedJWSInput,
  type JWK,
  type ProtectedHeaderParameters,
} from 'jose';
import type { SandboxCore } from '../core.ts';
import { meetsFault, send } from '../vendor-router.ts';
import type { Nonces } from './nonces.ts';
import type { Account, AcmeRecords } from './records.ts';
import { refuse } from './wire.ts';

export interface Signed {
  jwk: JWK;
  thumbprint: string;
  /** `{}` where there is none. */
  payload: Record<string, unknown>;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

const ALGORITHMS = ['ES256', 'RS256'];

export interface Desk {
  core: SandboxCore;
  records: AcmeRecords;
  nonces: Nonces;
}

/** A handler of requests that are signed by a key (`jwk`), known or not: those for accounts. */
export const byKey =
  (desk: Desk, handler: (signed: Signed, request: Request) => Reply | Promise<Reply>) =>
  (request: Request, response: Response): Promise<void> =>
    answered(desk, response, async () => {
      const { header, jws } = opened(desk, request);
      if (header['jwk'] === undefined) throw malformed('No embedded JWK in JWS header');
      return handler(await verified(jws, header['jwk'] as JWK), request);
    });

/** A handler of requests that are signed by an account (`kid`): all others. */
export const byAccount =
  (
    desk: Desk,
    handler: (
      account: Account,
      request: Request,
      payload: Signed['payload'],
    ) => Reply | Promise<Reply>,
  ) =>
  (request: Request, response: Response): Promise<void> =>
    answered(desk, response, async () => {
      const { header, jws } = opened(desk, request);
      const kid = header['kid'];
      if (typeof kid !== 'string') throw malformed('No Key ID in JWS header');
      const id = kid.startsWith(accountUrl(desk, '')) ? kid.slice(accountUrl(desk, '').length) : '';
      const account = desk.records.accountById(id);
      if (account === undefined) {
        throw refuse(400, 'accountDoesNotExist', `Account "${kid}" not found`);
      }
      const { payload } = await verified(jws, account.jwk);
      return handler(account, request, payload);
    });

export const accountUrl = ({ core }: Pick<Desk, 'core'>, id: string): string =>
  `${core.baseUrl()}/acme/account/${id}`;

/** Every answer to a POST has a nonce for the next request, refusals included. */
async function answered(
  { core, nonces }: Desk,
  response: Response,
  work: () => Promise<Reply>,
): Promise<void> {
  response.set({
    'replay-nonce': nonces.fresh(),
    'cache-control': 'no-store',
    link: `<${core.baseUrl()}/acme/directory>;rel="index"`,
  });
  const { status, headers = {}, body } = await work();
  if (typeof body === 'string') response.status(status).set(headers).send(body);
  else send(response, { status, headers, body });
}

function opened({ core, nonces }: Desk, request: Request) {
  if (request.get('content-type') !== 'application/jose+json') {
    throw refuse(415, 'malformed', 'Invalid Content-Type header on POST');
  }
  if (!request.get('user-agent')) throw malformed('No User-Agent header (RFC 8555, 6.1)');
  const jws = request.body as FlattenedJWSInput;
  const header = headerOf(jws);
  if (!ALGORITHMS.includes(String(header.alg))) {
    throw refuse(400, 'badSignatureAlgorithm', `JWS signature algorithm is not supported`);
  }
  const url = `${core.baseUrl()}${request.originalUrl}`;
  if (header['url'] !== url) {
    throw refuse(403, 'unauthorized', `JWS header parameter 'url' incorrect. Expected "${url}"`);
  }
  if ((header['jwk'] === undefined) === (header['kid'] === undefined)) {
    throw malformed('jwk and kid header fields are mutually exclusive');
  }
  // One fault at a time: a refused nonce would use up another one without its effect.
  if (!nonces.use(header['nonce'], meetsFault(request))) {
    throw refuse(400, 'badNonce', 'JWS has an invalid anti-replay nonce');
  }
  return { header, jws };
}

function headerOf(jws: FlattenedJWSInput): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(jws);
  } catch {
    throw malformed('Parse error reading JWS');
  }
}

async function verified(jws: FlattenedJWSInput, jwk: JWK): Promise<Signed> {
  if ('d' in jwk) throw malformed('The JWK in the JWS header is a private key');
  try {
    const { payload } = await flattenedVerify(jws, jwk);
    const text = Buffer.from(payload).toString();
    const parsed = (text === '' ? {} : JSON.parse(text)) as Signed['payload'];
    return { jwk, thumbprint: await calculateJwkThumbprint(jwk), payload: parsed };
  } catch {
    throw malformed('JWS verification error');
  }
}

export const malformed = (detail: string) => refuse(400, 'malformed', detail);
