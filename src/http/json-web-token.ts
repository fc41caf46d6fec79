/** Verifies the JWTs of the web application; nothing here issues one. Spec: Authentication. */
import {
  createRemoteJWKSet,
  errors,
  importSPKI,
  jwtVerify,
  type CryptoKey,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { unauthenticated, upstreamUnavailable } from '../domain/errors.ts';
import { isStorable } from '../domain/storable-text.ts';

export type JwtConfig = Pick<
  Config,
  'JWT_SECRET' | 'JWT_JWKS_URL' | 'JWT_PUBLIC_KEY' | 'JWT_ISSUER' | 'JWT_AUDIENCE'
>;

/** Clocks of the web application and ours may differ by this much. Choice 44. */
const CLOCK_TOLERANCE_SECONDS = 60;
const JWKS_TIMEOUT_MS = 3_000;

/**
 * Each kind of key verifies its own algorithms only, so that a public key is never used as an HMAC
 * secret.
 */
const SYMMETRIC = ['HS256'];
const ASYMMETRIC = ['RS256', 'ES256', 'EdDSA'];

const claimText = z.string().min(1).max(255).refine(isStorable);
const claims = z.object({
  userId: claimText,
  email: claimText,
  name: z.string().max(255).refine(isStorable).nullish(),
  exp: z.number(),
});

export interface JwtUser {
  userId: string;
  email: string;
  name: string | null;
}

interface Verifier {
  algorithms: string[];
  key: () => Promise<CryptoKey | JWTVerifyGetKey>;
}

/** Returns a function that yields the claims or throws 401 (502 when the JWKS is out of reach). */
export function createJwtCheck(config: JwtConfig): (token: string) => Promise<JwtUser> {
  const verifiers = verifiersOf(config);
  const expected = {
    ...(config.JWT_ISSUER !== undefined && { issuer: config.JWT_ISSUER }),
    ...(config.JWT_AUDIENCE !== undefined && { audience: config.JWT_AUDIENCE }),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp', 'userId', 'email'],
  };
  return async (token) => {
    const algorithm = algorithmOf(token);
    const options = { ...expected, algorithms: [algorithm] };
    for (const verifier of verifiers) {
      if (!verifier.algorithms.includes(algorithm)) continue;
      const key = await verifier.key();
      try {
        return userOf(await verified(token, key, options));
      } catch (error) {
        // Signed with another one of our secrets, perhaps.
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw translate(error);
      }
    }
    throw refused();
  };
}

async function verified(
  token: string,
  key: CryptoKey | JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const { payload } =
    typeof key === 'function'
      ? await jwtVerify(token, key, options)
      : await jwtVerify(token, key, options);
  return payload;
}

function userOf(payload: JWTPayload): JwtUser {
  const { userId, email, name } = claims.parse(payload);
  return { userId, email, name: name ?? null };
}

function verifiersOf(config: JwtConfig): Verifier[] {
  const found: Verifier[] = [];
  for (const text of config.JWT_SECRET) {
    const secret = new TextEncoder().encode(text);
    // Imported once: verification is a third faster than from the raw bytes.
    const key = crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    found.push({ algorithms: SYMMETRIC, key: () => key });
  }
  if (config.JWT_JWKS_URL !== undefined) {
    const keySet = createRemoteJWKSet(new URL(config.JWT_JWKS_URL), {
      timeoutDuration: JWKS_TIMEOUT_MS,
    });
    found.push({ algorithms: ASYMMETRIC, key: async () => keySet });
  } else if (config.JWT_PUBLIC_KEY !== undefined) {
    const pem = config.JWT_PUBLIC_KEY.replaceAll('\\n', '\n');
    for (const algorithm of ASYMMETRIC) {
      // A PEM key fits one algorithm; for the others the import fails, and verification with it.
      const key = importSPKI(pem, algorithm).catch(() => undefined);
      found.push({
        algorithms: [algorithm],
        key: async () => {
          const imported = await key;
          if (!imported) throw refused();
          return imported;
        },
      });
    }
  }
  return found;
}

/** The header's `alg`; an unreadable header is refused like a bad signature. */
function algorithmOf(token: string): string {
  try {
    const text = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString();
    const { alg } = JSON.parse(text) as { alg?: unknown };
    return typeof alg === 'string' ? alg : '';
  } catch {
    return '';
  }
}

/** One error for everything that is wrong with a token or a key. */
export const refused = () => unauthenticated('UNAUTHORIZED', 'The token is not valid');

function translate(error: unknown): Error {
  if (error instanceof errors.JWTExpired) {
    return unauthenticated('UNAUTHORIZED', 'The token has expired');
  }
  const outOfReach =
    error instanceof errors.JWKSTimeout ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
    !(error instanceof errors.JOSEError || error instanceof z.ZodError);
  return outOfReach
    ? upstreamUnavailable('The keys that verify tokens are out of reach')
    : refused();
}
