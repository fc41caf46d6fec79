/** What vendors tell of our registration for nothing: whether they know the client, and take its secret. */
import { ProviderError } from '../../domain/errors.ts';
import { redirectAddress } from '../../domain/mailboxes/oauth.ts';
import { fine, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import type { Discovered, OpenIdVendor } from './open-id-vendor.ts';
import { CONSENT_GONE } from './port.ts';

/** A refresh token of nobody: who knows the client refuses this, and nothing else. */
const NOBODYS = 'none';

interface Asked {
  /** `PUBLIC_URL`. */
  publicUrl: string;
  discover: () => Promise<Discovered>;
  /** Asks the token endpoint, as our client. */
  ask: (form: Readonly<Record<string, string>>) => Promise<unknown>;
}

export function clientQuestions(
  { issuer }: OpenIdVendor,
  { publicUrl, discover, ask }: Asked,
): AccountQuestion[] {
  return [
    {
      name: 'discovery document',
      ask: async () => {
        const { revocation_endpoint: revocation } = await discover();
        const way = revocation === undefined ? 'by their owners alone' : 'with their mailboxes';
        return fine(`read at ${issuer}; consents are taken back ${way}`);
      },
    },
    {
      name: 'client id and secret',
      ask: async () => {
        try {
          await ask({ grant_type: 'refresh_token', refresh_token: NOBODYS });
        } catch (error) {
          if (!isAboutToken(error)) throw error;
        }
        return fine('taken');
      },
    },
    {
      name: 'redirect address',
      ask: async () => ({
        state: 'not_askable',
        found: `${redirectAddress(publicUrl)} has to be registered there; the first consent shows it`,
      }),
    },
  ];
}

const isAboutToken = (error: unknown): boolean =>
  error instanceof ProviderError && error.facts.providerCode === CONSENT_GONE;
