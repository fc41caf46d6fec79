/** Whether the certificate authorities, of mail hosts and of links, answer from here (RFC 8555, section 7.1.1). */
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

/** `issuer`: the name that we put into CAA records; undefined: none are written or looked at. */
export const acmeQuestion = (authority: {
  url: string;
  issuer: string | undefined;
  timeoutMs: number;
}): AccountQuestion => ({
  name: 'certificate authority',
  ask: async () =>
    named(
      await namesOf(
        authority,
        'Check ACME_DIRECTORY_URL, and that this machine reaches it; mail hosts get their certificates there.',
      ),
      authority,
    ),
});

/** That of clients' names for links, where it is another one: their CAA records are theirs. */
export const linksAuthorityQuestion = (authority: {
  url: string;
  timeoutMs: number;
}): AccountQuestion => ({
  name: 'certificate authority of links',
  ask: async () => {
    const names = await namesOf(
      authority,
      'Check LINKS_ACME_DIRECTORY_URL, and that this machine reaches it; names of links get their certificates there.',
    );
    const calls = names.length === 0 ? '' : ` and calls itself ${names.join(', ')} in CAA records`;
    return fine(`${authority.url} answers${calls}`);
  },
});

/** What the authority calls itself in CAA records, by its directory. Throws with the hint where none answers. */
async function namesOf(
  { url, timeoutMs }: { url: string; timeoutMs: number },
  operatorHint: string,
): Promise<readonly string[]> {
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
      }),
  });
  try {
    const request = { method: 'GET', path: '', repeatable: true, answer: directory } as const;
    return (await client.send(request)).meta?.caaIdentities ?? [];
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new ProviderError(error.kind, error.message, { ...error.facts, operatorHint });
  }
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
