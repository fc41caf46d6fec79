/** Calls to a registrar within a request; its failures are reworded for the API. */
import type { Context } from '../../context.ts';
import { upstreamUnavailable } from '../../domain/errors.ts';
import { waitOutLimit } from '../../domain/accounts/vendor-limits.ts';
import type { Registrar } from '../../providers/registrars/port.ts';
import { asClientError } from '../providers.ts';

/** How answers call a registrar. */
export const REGISTRAR = 'The registrar';

/** The registrar of a domain; 502 where it is not configured here. */
export function registrarOf(context: Pick<Context, 'registrars'>, name: string): Registrar {
  const registrar = context.registrars[name];
  if (registrar) return registrar;
  throw upstreamUnavailable(`The registrar ${name} is not configured`);
}

/** How long a request waits for a registrar's rate limit, which all our users share. */
const PATIENCE_MS = 5_000;

/** Waits out a rate limit; other failures are reworded for the client. */
export async function withRegistrarErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await patiently(ask);
  } catch (error) {
    throw asClientError(error, REGISTRAR);
  }
}

/** Waits out a rate limit while the client waits. */
export const patiently = <T>(ask: () => Promise<T>): Promise<T> =>
  waitOutLimit(ask, Date.now() + PATIENCE_MS);
