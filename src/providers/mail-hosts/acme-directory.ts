/** Whether the certificate authority of mail hosts answers from here (RFC 8555, section 7.1.1). */
import { z } from 'zod';
import { fine, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient } from '../http-client.ts';

const PROVIDER = 'acme';

const directory = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() });

const HINT =
  'Check ACME_DIRECTORY_URL, and that this machine reaches it; mail hosts get their certificates there.';

export function acmeQuestion({
  url,
  timeoutMs,
}: {
  url: string;
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
      try {
        await client.send({ method: 'GET', path: '', repeatable: true, answer: directory });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const facts = { ...error.facts, operatorHint: HINT };
        throw new ProviderError(error.kind, error.message, facts);
      }
      return fine(`${url} answers`);
    },
  };
}
