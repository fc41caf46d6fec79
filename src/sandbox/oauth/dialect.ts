/** What differs between the two vendors on the wire. */
import type { TokenVendor } from '../servers/machine.ts';
import type { Answer } from '../vendor-router.ts';

export interface Dialect {
  /** Where the discovery document is, below the mount. */
  discovery: string;
  authorize: string;
  token: string;
  keys: string;
  /** Where consents are taken back; undefined: by their owners alone. */
  revoke: string | undefined;
  /** As the discovery document has it, below the base address. */
  issuer: string;
  /** As id tokens have it. */
  issuerOfTokens: string;
  /** Its mail servers. */
  host: { hostName: string; aliases: string[] };
  /** Which scope gives a refresh token; undefined: the parameter `access_type` does. */
  offlineScope: string | undefined;
  /** The answer of the token endpoint to what is wrong. */
  refusal(status: number, error: string, description: string): Answer;
}

/** Of everybody in this world. */
export const TENANT = '7f3c1a52-0d6e-4c1b-9a55-3f0f2e8b6d01';

const HEADERS = { 'cache-control': 'no-store' };

export const DIALECTS: Record<TokenVendor, Dialect> = {
  google: {
    discovery: '/.well-known/openid-configuration',
    authorize: '/o/oauth2/v2/auth',
    token: '/token',
    keys: '/oauth2/v3/certs',
    revoke: '/revoke',
    issuer: '/google',
    issuerOfTokens: '/google',
    host: { hostName: 'imap.gmail.com', aliases: ['smtp.gmail.com'] },
    offlineScope: undefined,
    refusal: (status, error, description) => ({
      status,
      headers: HEADERS,
      body: { error, error_description: description },
    }),
  },
  microsoft: {
    discovery: '/common/v2.0/.well-known/openid-configuration',
    authorize: '/common/oauth2/v2.0/authorize',
    token: '/common/oauth2/v2.0/token',
    keys: '/common/discovery/v2.0/keys',
    revoke: undefined,
    issuer: '/microsoft/{tenantid}/v2.0',
    issuerOfTokens: `/microsoft/${TENANT}/v2.0`,
    host: { hostName: 'outlook.office365.com', aliases: ['smtp.office365.com'] },
    offlineScope: 'offline_access',
    refusal: (status, error, description) => ({
      status,
      headers: HEADERS,
      body: {
        error,
        error_description: `${CODES[error] ?? 'AADSTS90000'}: ${description} Trace ID: 0 Correlation ID: 0`,
        error_codes: [Number((CODES[error] ?? 'AADSTS90000').slice(6))],
        timestamp: new Date().toISOString().replace('T', ' ').replace(/\..*/, 'Z'),
      },
    }),
  },
};

/** Some of what stands before the words of Microsoft's errors. */
const CODES: Readonly<Record<string, string>> = {
  invalid_grant: 'AADSTS50173',
  invalid_client: 'AADSTS7000215',
  unauthorized_client: 'AADSTS700016',
  invalid_request: 'AADSTS9002313',
  unsupported_grant_type: 'AADSTS70003',
};
