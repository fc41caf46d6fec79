/** Stand-ins of Google's and Microsoft's OAuth 2.0 with OpenID Connect, mounted at /google and /microsoft. */
import { createHash } from 'node:crypto';
import { Router } from 'express';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { z } from 'zod';
import { checked } from '../control-api.ts';
import type { SandboxCore, StandIn } from '../core.ts';
import { domainOf } from '../servers/host-context.ts';
import type { Hosts } from '../servers/hosts.ts';
import type { TokenVendor } from '../servers/machine.ts';
import { send, vendorRouter, type Answer, type VendorWire } from '../vendor-router.ts';
import { authorize } from './authorize.ts';
import { DIALECTS, TENANT, type Dialect } from './dialect.ts';
import { openTokens, type Allowed, type Tokens } from './tokens.ts';

interface Vendor {
  name: TokenVendor;
  dialect: Dialect;
  tokens: Tokens;
  clientId: string;
  clientSecret: string;
  baseUrl: () => string;
}

export function createOauth(core: SandboxCore, name: TokenVendor, hosts: Hosts): StandIn {
  const dialect = DIALECTS[name];
  const vendor: Vendor = {
    name,
    dialect,
    tokens: openTokens(core.store, name),
    clientId: `${name}-sandbox-client`,
    clientSecret: `${name}-sandbox-secret`,
    baseUrl: core.baseUrl,
  };
  const keys = signingKeys();
  const housed = async (address: string) => {
    const domain = domainOf(address);
    const order = { ...dialect.host, tokensOf: name, domain, mailboxes: [{ address }] };
    await hosts.elsewhere?.(order);
  };
  const routes = Router();
  routes.get(dialect.discovery, (_request, response) => void response.json(discovery(vendor)));
  routes.get(dialect.keys, async (_request, response) => {
    response.json({ keys: [(await keys).jwk] });
  });
  routes.get(dialect.authorize, (request, response) =>
    authorize({ ...vendor, vendor: name, ...dialect, housed }, request, response),
  );
  routes.post(dialect.token, async (request, response) => {
    const form = (request.body ?? {}) as Form;
    send(response, await answerTo(vendor, form, (claims) => idToken(vendor, keys, claims)));
  });
  if (dialect.revoke !== undefined) {
    routes.post(dialect.revoke, (request, response) =>
      send(response, revocation(vendor, (request.body ?? {}) as Form)),
    );
  }
  routes.use((_request, response) => send(response, dialect.refusal(404, 'not_found', 'No page.')));
  return {
    name: `${name}-oauth`,
    mount: { path: `/${name}`, router: vendorRouter(core, wireOf(name, dialect), routes) },
    control: control(vendor),
    vendorRecords: () => {
      const { tokens } = vendor;
      return { oauth: { [name]: { accessTokens: tokens.counts(), allowedBy: tokens.allowing() } } };
    },
  };
}

const wireOf = (vendor: TokenVendor, dialect: Dialect): VendorWire => ({
  vendor,
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return { status: 503, body: 'Service Unavailable' };
      case 'rate_limited':
        return { status: 429, headers: { 'retry-after': '1' }, body: { error: 'rate_limited' } };
      case 'rejected':
        return dialect.refusal(400, 'invalid_grant', 'The grant has been revoked.');
      case 'auth':
        return dialect.refusal(401, 'invalid_client', 'The client secret is wrong.');
      case 'malformed':
        return dialect.refusal(400, 'invalid_request', 'The body cannot be read.');
    }
  },
});

/** `POST /_sandbox/oauth/google/revoke {address}`, `PUT /_sandbox/oauth/google/lifetime {seconds}`. */
function control({ name, tokens }: Vendor): Router {
  const router = Router();
  router.post(`/oauth/${name}/revoke`, (request, response) => {
    const { address } = checked(z.strictObject({ address: z.email() }), request.body);
    tokens.revoke(address.toLowerCase());
    response.json({ revoked: address });
  });
  router.put(`/oauth/${name}/lifetime`, (request, response) => {
    const { seconds } = checked(z.strictObject({ seconds: z.int().min(1) }), request.body);
    tokens.setLifetime(seconds);
    response.json({ seconds });
  });
  return router;
}

const discovery = ({ baseUrl, name, dialect }: Vendor) => ({
  issuer: `${baseUrl()}${dialect.issuer}`,
  authorization_endpoint: `${baseUrl()}/${name}${dialect.authorize}`,
  token_endpoint: `${baseUrl()}/${name}${dialect.token}`,
  jwks_uri: `${baseUrl()}/${name}${dialect.keys}`,
  ...(dialect.revoke !== undefined && {
    revocation_endpoint: `${baseUrl()}/${name}${dialect.revoke}`,
  }),
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['plain', 'S256'],
});

type Form = Readonly<Record<string, string | undefined>>;
type Claims = { address: string; nonce: string };

async function answerTo(
  vendor: Vendor,
  form: Form,
  signed: (claims: Claims) => Promise<string>,
): Promise<Answer> {
  const { dialect, tokens } = vendor;
  const refuse = (error: string, words: string, status = 400) =>
    dialect.refusal(status, error, words);
  if (form['client_id'] !== vendor.clientId && vendor.name === 'microsoft') {
    return refuse('unauthorized_client', 'The application was not found in the directory.');
  }
  if (form['client_id'] !== vendor.clientId || form['client_secret'] !== vendor.clientSecret) {
    return refuse('invalid_client', 'Invalid client secret provided.', 401);
  }
  if (form['grant_type'] === 'refresh_token') {
    const token = form['refresh_token'] ?? '';
    if (vendor.name === 'microsoft' && !tokens.isRefreshToken(token)) {
      return refuse('invalid_request', 'Request is malformed or invalid.');
    }
    const allowed = tokens.allowedBy(token);
    if (!allowed) return refuse('invalid_grant', 'Token has been expired or revoked.');
    // Microsoft's comes anew each time; the one of before stays valid.
    const next = vendor.name === 'microsoft' ? tokens.giveRefreshToken(allowed) : undefined;
    return { status: 200, body: tokensOf(vendor, allowed, next) };
  }
  if (form['grant_type'] !== 'authorization_code') {
    return refuse('unsupported_grant_type', 'The grant type is not supported.');
  }
  const code = tokens.takeCode(form['code'] ?? '');
  const challenge = createHash('sha256')
    .update(form['code_verifier'] ?? '')
    .digest('base64url');
  if (!code || code.redirectUri !== form['redirect_uri'] || code.codeChallenge !== challenge) {
    return refuse('invalid_grant', 'Malformed auth code.');
  }
  const refresh = code.hasRefreshToken ? tokens.giveRefreshToken(code) : undefined;
  const id_token = await signed(code);
  return { status: 200, body: { ...tokensOf(vendor, code, refresh), id_token } };
}

/** Google's: whichever of its tokens is named, all that the account has allowed ends, for all its mailboxes with us. */
function revocation({ tokens, dialect }: Vendor, { token = '' }: Form): Answer {
  const allowed = tokens.allowedBy(token);
  if (!allowed) return dialect.refusal(400, 'invalid_token', 'Token expired or revoked');
  tokens.revoke(allowed.address);
  return { status: 200, body: {} };
}

function tokensOf({ tokens, dialect }: Vendor, allowed: Allowed, refreshToken?: string): object {
  const { token, seconds } = tokens.giveAccessToken(allowed);
  return {
    access_token: token,
    expires_in: seconds,
    token_type: 'Bearer',
    scope: allowed.scopes.filter((one) => one !== dialect.offlineScope).join(' '),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  };
}

async function signingKeys() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const kid = createHash('sha256').update(String(Math.random())).digest('hex').slice(0, 20);
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return { privateKey, kid, jwk };
}

async function idToken(
  { name, dialect, clientId, baseUrl }: Vendor,
  keys: ReturnType<typeof signingKeys>,
  { address, nonce }: Claims,
): Promise<string> {
  const { privateKey, kid } = await keys;
  const own =
    name === 'google'
      ? { email: address, email_verified: true }
      : { email: address, preferred_username: address, tid: TENANT, ver: '2.0' };
  return new SignJWT({ ...own, nonce })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(`${baseUrl()}${dialect.issuerOfTokens}`)
    .setAudience(clientId)
    .setSubject(createHash('sha256').update(address).digest('hex').slice(0, 21))
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
}
