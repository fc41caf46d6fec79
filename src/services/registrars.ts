/** Asking a registrar from within a request: its failures in the words of the API. */
import type { Context } from '../context.ts';
import { OutreachError, ProviderError, upstreamUnavailable } from '../domain/errors.ts';
import type { Registrar } from '../providers/registrars/port.ts';

/** The registrar of a domain; 502 where it is not configured here. */
export function registrarOf(context: Pick<Context, 'registrars'>, name: string): Registrar {
  const registrar = context.registrars[name];
  if (registrar) return registrar;
  throw upstreamUnavailable(`The registrar ${name} is not configured`);
}

/** A vendor's refusal is the caller's 400, everything else a 502. */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { provider, clientCode } = error.facts;
    if (error.kind === 'rejected') {
      throw new OutreachError('invalid', clientCode ?? 'PROVIDER_REJECTED', error.message);
    }
    throw upstreamUnavailable(`${provider} is not available: ${error.message}`);
  }
}
