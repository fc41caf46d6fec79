/** Authenticates the caller and applies the rate limit in one pass: API keys and JWTs. */
import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { modeOfKey, type Mode } from '../domain/accounts/modes.ts';
import { unauthenticated, upstreamUnavailable } from '../domain/errors.ts';
import type { Charge } from '../domain/accounts/rate-limits.ts';
import { createUserSight } from '../services/accounts/accounts.ts';
import { createKeyUse, hashKey, KEY_FORM, prefixOf } from '../services/accounts/api-keys.ts';
import { mayUse } from './ip-whitelist.ts';
import { createJwtCheck, refused } from './json-web-token.ts';
import { applyCharge, createLocalLimit } from './rate-limit.ts';
import { SCOPES } from './scopes.ts';
import type { User } from './user.ts';

export type Authenticate = (request: Request, response: Response) => Promise<User>;

/** Tokens of the web application are far shorter; longer ones are refused without hashing. */
const MAX_TOKEN_LENGTH = 8_192;

/** Throws 401, or 429 when the key (the user, with a JWT) is over a limit. */
export function createAuthenticate(
  context: Pick<Context, 'config' | 'db' | 'logger' | 'httpStores'>,
): Authenticate {
  const { config, httpStores, logger } = context;
  const checkJwt = createJwtCheck(config);
  const seeUser = createUserSight(context);
  const noteUse = createKeyUse(context);
  const chargeLocally = createLocalLimit({
    perMinute: config.RATE_LIMIT_PER_MINUTE,
    perHour: config.RATE_LIMIT_PER_HOUR,
  });

  /** The shared count, or the local one while Postgres does not answer. */
  const charge = async (subject: string): Promise<Charge> => {
    try {
      return await httpStores.admission.charge(subject);
    } catch (error) {
      logger.warn({ err: error }, 'requests are counted locally, Postgres does not answer');
      return chargeLocally(subject);
    }
  };

  const byKey: Check = async (token, request, response) => {
    const hash = hashKey(token);
    const admission = await httpStores.admission.admitKey(hash).catch((error: unknown) => {
      logger.warn({ err: error }, 'a key was not looked up, Postgres does not answer');
      applyCharge(response, chargeLocally(`hash:${hash.toString('hex')}`));
      throw upstreamUnavailable('The database is unavailable, please try again');
    });
    if (!admission) throw refused();
    const { key } = admission;
    if (!mayUse(key.ipWhitelist, request.ip)) {
      throw unauthenticated('IP_NOT_ALLOWED', 'This key may not be used from this address');
    }
    applyCharge(response, admission.charge ?? (await charge(`key:${key.keyId}`)));
    noteUse(key.keyId);
    const { userId, keyId, scopes } = key;
    return { userId, token: 'key', keyId, keyPrefix: prefixOf(token), scopes };
  };

  const byJwt: Check = async (token, _request, response) => {
    const claims = await checkJwt(token);
    applyCharge(response, await charge(`user:${claims.userId}`));
    await seeUser(claims);
    const { userId } = claims;
    return { userId, token: 'jwt', keyId: undefined, keyPrefix: undefined, scopes: SCOPES };
  };

  return (request, response) => {
    const token = bearer(request.headers.authorization);
    const mode = modeOfKey(token);
    if (mode !== undefined && mode !== config.OUTREACH_MODE) throw ofOtherMode(mode);
    const check = mode === undefined ? byJwt : byKey;
    return check(token, request, response);
  };
}

/** Requests come here by the mode of their key: a test key that gets to live mode finds no other. */
const ofOtherMode = (mode: Mode) =>
  mode === 'test'
    ? unauthenticated('TEST_MODE_OFF', 'This installation has no test mode')
    : unauthenticated('UNAUTHORIZED', 'A live key is of no use under /test');

type Check = (token: string, request: Request, response: Response) => Promise<User>;

/** The token of `Authorization: Bearer <token>`, if it has the form of a key or a JWT. */
function bearer(header: string | undefined): string {
  const token = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) {
    throw unauthenticated('UNAUTHORIZED', 'Missing or invalid Authorization header');
  }
  if (modeOfKey(token) !== undefined && !KEY_FORM.test(token)) throw refused();
  return token;
}
