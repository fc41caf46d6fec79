/** Asking a registrar from within a request: its failures in the words of the API. */
import type { Context } from '../../context.ts';
import { upstreamUnavailable } from '../../domain/errors.ts';
import { waitOutLimit } from '../../domain/accounts/vendor-limits.ts';
import type { Registrar } from '../../providers/registrars/port.ts';
import { asClientError } from '../providers.ts';

/** A registrar in the words of an answer. */
export const REGISTRAR = 'The registrar';

/** The registrar of a domain; 502 where it is not configured here. */
export function registrarOf(context: Pick<Context, 'registrars'>, name: string): Registrar {
  const registrar = context.registrars[name];
  if (registrar) return registrar;
  throw upstreamUnavailable(`The registrar ${name} is not configured`);
}

/** A registrar's rate limit counts all our users: for so long one request waits for the others. */
const PATIENCE_MS = 5_000;

/** Waits out a rate limit; what fails then is worded for the client. */
export async function withRegistrarErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await patiently(ask);
  } catch (error) {
    throw asClientError(error, REGISTRAR);
  }
}

/** A rate limit is waited out while the client waits. */
export const patiently = <T>(ask: () => Promise<T>): Promise<T> =>
  waitOutLimit(ask, Date.now() + PATIENCE_MS);
