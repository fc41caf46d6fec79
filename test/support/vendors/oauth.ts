/** Our accounts at the OAuth stand-ins, and a person who consents. */
import type { Context } from '../../../src/context.ts';
import type { OauthProvider } from '../../../src/domain/mailboxes/oauth.ts';
import { askConsent, takeAnswer } from '../../../src/services/mailboxes/mailbox-oauth.ts';
import { vendorAccounts } from '../../../src/settings/sandbox.ts';
import type { TestSandbox } from './sandbox.ts';

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

/** Who owns the address consents for an account; what the browser brings back, and what becomes of it. */
export async function consentTo(
  context: Context,
  userId: string,
  { provider, address, own = {} }: { provider: OauthProvider; address: string; own?: object },
) {
  const wanted = { address, returnUrl: null, senderName: null, dailyLimit: null, ...own };
  const asked = await askConsent(context, userId, { provider, wanted });
  const back = await comeBack(asked.authorizationUrl);
  const answer = {
    state: back.get('state')!,
    code: back.get('code') ?? undefined,
    error: back.get('error') ?? undefined,
  };
  return { answer, outcome: await takeAnswer(context, answer) };
}

/** Accounts whose consent holds at the vendor. */
export async function allowingAt(sandbox: TestSandbox, provider: OauthProvider): Promise<string[]> {
  const { body } = await sandbox.control('GET', '/books');
  return body.oauth[provider].allowedBy;
}
