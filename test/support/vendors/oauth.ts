/** Our accounts at the OAuth stand-ins, and a person who consents. */
import { vendorAccounts } from '../../../src/settings/sandbox.ts';

export const oauthAccounts = (sandbox: string): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(vendorAccounts).filter(([name]) => name.includes('_OAUTH_')),
  ),
  GOOGLE_OAUTH_ISSUER: `${sandbox}/google`,
  MICROSOFT_OAUTH_ISSUER: `${sandbox}/microsoft/common/v2.0`,
});

/** What the browser comes back with: the vendor's page consents by itself, as its address says. */
export async function comeBack(authorizationUrl: string): Promise<URLSearchParams> {
  const answer = await fetch(authorizationUrl, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`${answer.status}: ${await answer.text()}`);
  return new URL(location).searchParams;
}
