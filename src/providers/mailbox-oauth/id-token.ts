/** Verifies what a vendor says about the person who has consented. OpenID Connect Core, 3.1.3.7. */
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { claims, type Discovered, type IdClaims, type OpenIdVendor } from './open-id-vendor.ts';

const CLOCK_TOLERANCE_SECONDS = 60;

/** Returns a function that yields the claims or throws `rejected`; `unavailable` while the keys are out of reach. */
export function createIdTokenCheck(
  vendor: Pick<OpenIdVendor, 'name' | 'clientId' | 'timeoutMs'>,
  discover: () => Promise<Discovered>,
): (token: string, nonce: string) => Promise<IdClaims> {
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();
  const keysAt = (address: string) => {
    const known =
      keySets.get(address) ??
      createRemoteJWKSet(new URL(address), { timeoutDuration: vendor.timeoutMs });
    keySets.set(address, known);
    return known;
  };
  return async (token, nonce) => {
    const { issuer, jwks_uri: keys } = await discover();
    try {
      const { payload } = await jwtVerify(token, keysAt(keys), {
        algorithms: ['RS256'],
        audience: vendor.clientId,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'iat', 'iss', 'sub', 'nonce'],
      });
      const found = claims.parse(payload);
      if (found.iss !== issuerOf(issuer, found) || found.nonce !== nonce) throw new NotOurs();
      return found;
    } catch (error) {
      throw asProviderError(vendor.name, error);
    }
  };
}

class NotOurs extends Error {}

/** Microsoft's document for all tenants names none: `https://login.microsoftonline.com/{tenantid}/v2.0`. */
const issuerOf = (issuer: string, { tid }: IdClaims): string =>
  issuer.replace('{tenantid}', tid ?? '');

function asProviderError(provider: string, error: unknown): ProviderError {
  const isHeld =
    error instanceof NotOurs ||
    error instanceof z.ZodError ||
    (error instanceof errors.JOSEError &&
      !(error instanceof errors.JWKSTimeout) &&
      error.code !== 'ERR_JOSE_GENERIC');
  const message = `${provider}: the id token does not hold`;
  if (isHeld) return new ProviderError('rejected', message, { provider, providerCode: 'id_token' });
  const out = `${provider}: the keys that verify its id tokens are out of reach`;
  return new ProviderError('unavailable', out, { provider, providerCode: 'jwks' });
}
