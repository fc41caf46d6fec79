/** OpenID Connect as both vendors speak it: discovery, codes with PKCE (RFC 7636), refresh tokens, id tokens. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { commonRefusal, refusalFacts, refusalMessage, type Refusal } from '../http-failures.ts';
import { createIdTokenCheck } from './id-token.ts';
import { clientQuestions } from './open-id-questions.ts';
import { discovered, type Discovered, type IdClaims, type OpenIdVendor } from './open-id-vendor.ts';
import { CONSENT_GONE, type Consent, type MailboxOauth, type OauthTokens } from './port.ts';

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(3_600),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  id_token: z.string().optional(),
});

/** Endpoints change seldom, keys by themselves. */
const DISCOVERED_FOR_MS = 3_600_000;

/** Codes of RFC 6749 and OpenID that only the owner of the mailbox can cure. */
const OWNERS = new Set([
  'invalid_grant',
  'interaction_required',
  'consent_required',
  'login_required',
  // Microsoft's, of a code or token that it cannot read.
  'AADSTS9002313',
]);

export function createOpenId(vendor: OpenIdVendor): MailboxOauth {
  const client = createJsonClient({
    provider: vendor.name,
    // Addresses are whole ones: the vendor's own document names them.
    baseUrl: '',
    headers: {},
    secrets: [vendor.clientSecret],
    timeoutMs: vendor.timeoutMs,
    refused: (refusal) => tokenRefusal(vendor, refusal),
  });
  const discover = createDiscovery(client, vendor);
  const checkIdToken = createIdTokenCheck(vendor, discover);
  const ask = async (form: Readonly<Record<string, string>>) => {
    const { token_endpoint: path } = await discover();
    const { clientId: client_id, clientSecret: client_secret } = vendor;
    return client.send({
      method: 'POST',
      path,
      form: { client_id, client_secret, ...form },
      // A code that was used is refused and a refresh token stays: nothing happens twice.
      repeatable: true,
      answer: tokenAnswer,
    });
  };
  return {
    name: vendor.name,
    async consentUrl({ redirectUri, state, nonce, codeChallenge, loginHint }) {
      const url = new URL((await discover()).authorization_endpoint);
      const asked = {
        response_type: 'code',
        client_id: vendor.clientId,
        redirect_uri: redirectUri,
        scope: vendor.scopes.join(' '),
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...vendor.parameters,
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return url.toString();
    },
    async exchange({ code, codeVerifier, redirectUri, nonce }) {
      const answer = await ask({
        grant_type: 'authorization_code',
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
      });
      const claims = await checkIdToken(answer.id_token ?? '', nonce);
      return consentOf(vendor, { ...tokensOf(answer), scope: answer.scope }, claims);
    },
    async refresh(refreshToken) {
      return tokensOf(await ask({ grant_type: 'refresh_token', refresh_token: refreshToken }));
    },
    async revoke(token) {
      const { revocation_endpoint: path } = await discover();
      if (path === undefined) return false;
      try {
        const call = { method: 'POST', path, form: { token }, repeatable: true } as const;
        await client.send({ ...call, answer: z.unknown() });
      } catch (error) {
        if (!isUnknown(error)) throw error;
      }
      return true;
    },
    accountQuestions: ({ publicUrl }) => clientQuestions(vendor, { publicUrl, discover, ask }),
  };
}

/** RFC 7009 has 200 for a token that is not valid any more; Google answers with this. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ProviderError && error.facts.providerCode === 'invalid_token';

const tokensOf = (answer: z.infer<typeof tokenAnswer>): OauthTokens => ({
  accessToken: answer.access_token,
  expiresInSeconds: answer.expires_in,
  refreshToken: answer.refresh_token,
});

function consentOf(
  vendor: OpenIdVendor,
  { scope, refreshToken, ...tokens }: OauthTokens & { scope: string | undefined },
  claims: IdClaims,
): Consent {
  const granted = scope?.toLowerCase().split(' ');
  const missing = vendor.neededScopes.find((one) => granted?.includes(one.toLowerCase()) === false);
  if (missing !== undefined || refreshToken === undefined) {
    const what = missing ?? 'a refresh token';
    const message = `${vendor.name}: the consent is without ${what}`;
    throw new ProviderError('rejected', message, {
      provider: vendor.name,
      providerCode: 'scope_missing',
    });
  }
  const names = vendor.namesOf(claims).map((name) => name.toLowerCase());
  const [address, ...others] = names.filter((name) => name.includes('@'));
  if (address === undefined) {
    const message = `${vendor.name}: the id token has no address`;
    const facts = { provider: vendor.name, providerCode: 'id_token' };
    throw new ProviderError('rejected', message, facts);
  }
  const addresses = [address, ...others] as const;
  const { sub: subject } = claims;
  return { ...tokens, refreshToken, subject, addresses, username: vendor.usernameOf(addresses) };
}

function createDiscovery(client: JsonClient, { issuer }: OpenIdVendor): () => Promise<Discovered> {
  let known: { found: Promise<Discovered>; at: number } | undefined;
  return () => {
    if (known && Date.now() - known.at < DISCOVERED_FOR_MS) return known.found;
    const path = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
    const found = client.send({ method: 'GET', path, repeatable: true, answer: discovered });
    const mine = { found, at: Date.now() };
    known = mine;
    found.catch(() => {
      if (known === mine) known = undefined;
    });
    return found;
  };
}

const refused = z.object({ error: z.string(), error_description: z.string().optional() });

function tokenRefusal({ name }: OpenIdVendor, refusal: Refusal): ProviderError {
  const said = refused.safeParse(refusal.body).data;
  // Descriptions may repeat what was sent; of Microsoft's the number is taken, and nothing else.
  const number = /AADSTS\d+/.exec(said?.error_description ?? '')?.[0];
  const error = /^\w{1,60}$/.exec(said?.error ?? '')?.[0] ?? String(refusal.status);
  const text = [error, ...(number === undefined ? [] : [number])].join(', ');
  const message = refusalMessage(name, refusal, text);
  if (OWNERS.has(error) || OWNERS.has(number ?? '')) {
    return new ProviderError('rejected', message, refusalFacts(name, refusal, CONSENT_GONE));
  }
  const ours = `${name.toUpperCase()}_OAUTH`;
  const authHint = refusal.operation.startsWith('GET ')
    ? `Check ${ours}_ISSUER: the document with the vendor's addresses is not there.`
    : `Check ${ours}_CLIENT_ID and ${ours}_CLIENT_SECRET: the secret may have expired.`;
  const described = { code: number ?? error, text, authHint };
  const common = commonRefusal(name, refusal, described);
  if (common) return common;
  const facts = refusalFacts(name, refusal, number ?? error);
  if (error === 'temporarily_unavailable' || error === 'server_error') {
    return new ProviderError('unavailable', message, facts);
  }
  return new ProviderError('auth', message, { ...facts, operatorHint: authHint });
}
