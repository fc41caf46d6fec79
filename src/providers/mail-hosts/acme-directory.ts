/** Whether the certificate authority of mail hosts answers from here (RFC 8555, section 7.1.1). */
import { z } from 'zod';
import {
  fine,
  wrong,
  type AccountAnswer,
  type AccountQuestion,
} from '../../domain/operations/account-questions.ts';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient } from '../http-client.ts';

const PROVIDER = 'acme';

const directory = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  meta: z.object({ caaIdentities: z.array(z.string()).optional() }).optional(),
});

const HINT =
  'Check ACME_DIRECTORY_URL, and that this machine reaches it; mail hosts get their certificates there.';

/** `issuer`: the name that we put into CAA records; undefined: none are written or looked at. */
export function acmeQuestion({
  url,
  issuer,
  timeoutMs,
}: {
  url: string;
  issuer: string | undefined;
  timeoutMs: number;
}): AccountQuestion {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: url,
    headers: {},
    secrets: [],
    timeoutMs,
    refused: ({ status }) =>
      new ProviderError('unavailable', `${PROVIDER}: ${url} answered ${status}`, {
        provider: PROVIDER,
        providerCode: String(status),
        operatorHint: HINT,
      }),
  });
  return {
    name: 'certificate authority',
    ask: async () => {
      let names: string[];
      try {
        const request = { method: 'GET', path: '', repeatable: true, answer: directory } as const;
        names = (await client.send(request)).meta?.caaIdentities ?? [];
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const facts = { ...error.facts, operatorHint: HINT };
        throw new ProviderError(error.kind, error.message, facts);
      }
      return named(names, { url, issuer });
    },
  };
}

/** An authority that does not say its names cannot be compared (RFC 8555, 9.7.6: the field is optional). */
function named(
  names: readonly string[],
  { url, issuer }: { url: string; issuer: string | undefined },
): AccountAnswer {
  const fits = issuer !== undefined && names.some((name) => name.toLowerCase() === issuer);
  if (fits || names.length === 0) return fine(`${url} answers`);
  const cure = `Set ACME_CAA_ISSUER=${names[0]}.`;
  const calls = `${url} calls itself ${names.join(', ')} in CAA records`;
  return issuer === undefined
    ? { state: 'warning', found: `${calls}, which are neither written nor looked at`, cure }
    : wrong(`${calls}, not ${issuer}: ours would forbid its certificates`, cure);
}
