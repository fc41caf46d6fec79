/**
 * Certificates by ACME (RFC 8555) with http-01. docs/providers/certificates.md says what authorities do today. Not by
 * the npm package acme-client (5.4.0): it waits and repeats by itself after 429 and 5xx, with the used-up nonce, and its
 * errors keep neither the problem's type nor `Retry-After`.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import {
  authorization,
  chain,
  order,
  wordsOf,
  type Authorization,
  type Order,
} from './acme-answers.ts';
import { retryAfterMs } from '../http-failures.ts';
import { createAcmeClient, headerOf, type AcmeClient } from './acme-client.ts';
import { PROVIDER } from './acme-failures.ts';
import { certificateRequest } from './certificate-request.ts';
import { newPrivateKey, openAccountKey, type AccountKey } from './keys.ts';
import type { CertificateAuthority, OrderState } from './port.ts';

export function createCertificateAuthority(options: {
  directoryUrl: string;
  /** For each request; an operation makes several. */
  timeoutMs: number;
}): CertificateAuthority {
  const client = createAcmeClient(options);
  return {
    newPrivateKey,
    openOrder: async (accountKeyPem, name) => {
      const key = await openAccountKey(accountKeyPem);
      const { newOrder } = await client.directory();
      const payload = { identifiers: [{ type: 'dns', value: name }] };
      const answer = await client.send(key, { url: newOrder, payload, answer: order });
      return headerOf(answer, 'location', newOrder);
    },
    readOrder: async (accountKeyPem, orderUrl) => {
      const key = await openAccountKey(accountKeyPem);
      return stateOf(client, key, orderUrl).catch(refusal);
    },
    askToLook: async (accountKeyPem, orderUrl) => {
      const key = await openAccountKey(accountKeyPem);
      const { body } = await client.send(key, { url: orderUrl, answer: order });
      if (body.status !== 'pending') return;
      const challenge = httpChallenge(await authorizationOf(client, key, body));
      if (challenge.status !== 'pending') return;
      const { url } = challenge;
      await client.send(key, { url, payload: {}, answer: z.unknown() });
    },
    finalize: async (accountKeyPem, orderUrl, name, privateKeyPem) => {
      const key = await openAccountKey(accountKeyPem);
      const { body } = await client.send(key, { url: orderUrl, answer: order });
      if (body.status !== 'pending' && body.status !== 'ready') return;
      const csr = certificateRequest(name, privateKeyPem).toString('base64url');
      await client.send(key, { url: body.finalize, payload: { csr }, answer: order });
    },
  };
}

/** An order that the authority does not show is as good as refused: it is gone, or another account's. */
function refusal(error: unknown): OrderState {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
  const { reply = error.message, providerCode = 'unknown' } = error.facts;
  return { state: 'refused', reason: reply, code: providerCode };
}

async function stateOf(client: AcmeClient, key: AccountKey, url: string): Promise<OrderState> {
  const { body: found, headers } = await client.send(key, { url, answer: order });
  switch (found.status) {
    case 'pending': {
      const asked = await askAuthorization(client, key, found);
      return { ...proofOf(asked.body, key), ...retryOf(asked.headers) };
    }
    case 'ready':
      return { state: 'ready' };
    case 'processing':
      return { state: 'processing', ...retryOf(headers) };
    case 'valid':
      return { state: 'issued', certificatePem: await certificateOf(client, key, found) };
    case 'invalid':
      return found.error === undefined
        ? refusedProof(await authorizationOf(client, key, found))
        : { state: 'refused', reason: wordsOf(found.error), code: found.error.type };
  }
}

/** How far a pending order's one name is proven. */
function proofOf(found: Authorization, key: AccountKey): OrderState {
  if (found.status === 'valid') return { state: 'ready' };
  if (found.status !== 'pending') return refusedProof(found);
  const { token = '' } = httpChallenge(found);
  const keyAuthorization = `${token}.${key.thumbprint}`;
  return { state: 'waiting', challenge: { token, keyAuthorization } };
}

/** An order with no error of its own: the challenge has it, or its time is over. */
function refusedProof({ status, challenges }: Authorization): OrderState {
  const error = challenges.find((each) => each.error !== undefined)?.error;
  return error === undefined
    ? { state: 'refused', reason: `the order has ended (authorization ${status})`, code: status }
    : { state: 'refused', reason: wordsOf(error), code: error.type };
}

async function certificateOf(client: AcmeClient, key: AccountKey, { certificate }: Order) {
  if (certificate === undefined) throw unlike('a valid order names no certificate');
  const accept = 'application/pem-certificate-chain';
  return (await client.send(key, { url: certificate, answer: chain, accept })).body;
}

const askAuthorization = (client: AcmeClient, key: AccountKey, { authorizations }: Order) =>
  client.send(key, { url: authorizations[0]!, answer: authorization });

const authorizationOf = async (client: AcmeClient, key: AccountKey, found: Order) =>
  (await askAuthorization(client, key, found)).body;

/** RFC 8555, 7.4 and 7.5.1. */
function retryOf(headers: Parameters<typeof retryAfterMs>[0]): { retryAfterMs?: number } {
  const waitMs = retryAfterMs(headers);
  return waitMs === undefined ? {} : { retryAfterMs: waitMs };
}

function httpChallenge({ challenges }: Authorization) {
  const found = challenges.find((each) => each.type === 'http-01');
  if (found?.token !== undefined) return found;
  throw unlike('it offers no http-01 challenge');
}

const unlike = (what: string) =>
  new ProviderError('rejected', `${PROVIDER}: ${what}`, {
    provider: PROVIDER,
    providerCode: 'unexpected_answer',
    operatorHint: 'The authority of ACME_DIRECTORY_URL must offer http-01 (RFC 8555, 8.3).',
  });
