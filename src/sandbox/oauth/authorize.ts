/** The page on which a person consents: it does so by itself, as the address says that it is to do. */
import type { Request, Response } from 'express';
import { domainOf } from '../servers/host-context.ts';
import { MAIL_SCOPES, type Tokens } from './tokens.ts';
import type { TokenVendor } from '../servers/machine.ts';

/** Somebody who is not named signs in as this one. */
const SOMEBODY = 'somebody@workspace.test';

const QUERY = ['redirect_uri', 'scope', 'state', 'nonce', 'code_challenge'] as const;

export interface Asker {
  vendor: TokenVendor;
  clientId: string;
  offlineScope: string | undefined;
  tokens: Tokens;
  /** The person has a mailbox from now on. */
  housed(address: string): Promise<void>;
}

/**
 * Sends the browser back with a code. Magic addresses: `refuses-...@` does not consent, `narrow-...@` leaves out the
 * scopes of mail, `other-...@` signs in as somebody else of the domain.
 */
export async function authorize(asker: Asker, request: Request, response: Response): Promise<void> {
  const query = request.query as Readonly<Record<string, string | undefined>>;
  const problem = problemOf(asker, query);
  // As the vendors: whoever may be nobody's application gets no redirect.
  if (problem !== undefined) {
    return void response.status(400).type('text').send(`Error 400: ${problem}`);
  }
  const back = new URL(query['redirect_uri']!);
  back.searchParams.set('state', query['state']!);
  const hint = (query['login_hint'] ?? SOMEBODY).toLowerCase();
  if (hint.startsWith('refuses-')) {
    back.searchParams.set('error', 'access_denied');
    return response.redirect(302, back.toString());
  }
  const address = hint.startsWith('other-') ? `someone@${domainOf(hint)}` : hint;
  await asker.housed(address);
  const asked = query['scope']!.split(' ');
  const mail: readonly string[] = Object.values(MAIL_SCOPES[asker.vendor]);
  const scopes = hint.startsWith('narrow-') ? asked.filter((one) => !mail.includes(one)) : asked;
  const code = asker.tokens.putCode({
    address,
    scopes,
    redirectUri: query['redirect_uri']!,
    codeChallenge: query['code_challenge']!,
    nonce: query['nonce']!,
    hasRefreshToken: givesRefreshToken(asker, query, { address, scopes }),
  });
  back.searchParams.set('code', code);
  // Of their own, which applications have to ignore.
  back.searchParams.set(
    asker.vendor === 'google' ? 'authuser' : 'session_state',
    asker.vendor === 'google' ? '0' : 'b1c3',
  );
  response.redirect(302, back.toString());
}

/** Google's only at the first consent, unless the person is asked again. */
function givesRefreshToken(
  { offlineScope, tokens }: Asker,
  query: Readonly<Record<string, string | undefined>>,
  { address, scopes }: { address: string; scopes: string[] },
): boolean {
  const isFirst = tokens.noteConsent(address);
  if (offlineScope !== undefined) return scopes.includes(offlineScope);
  return query['access_type'] === 'offline' && (isFirst || query['prompt'] === 'consent');
}

function problemOf(
  { clientId }: Asker,
  query: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (query['client_id'] !== clientId) return 'invalid_client';
  if (query['response_type'] !== 'code') return 'unsupported_response_type';
  const missing = QUERY.find((name) => typeof query[name] !== 'string' || query[name] === '');
  if (missing !== undefined) return `invalid_request: ${missing}`;
  if (query['code_challenge_method'] !== 'S256') return 'invalid_request: code_challenge_method';
  // The registered address; which host it has differs from world to world.
  if (!/^https?:\/\/[^?#]+\/oauth\/callback$/.test(query['redirect_uri']!)) {
    return 'redirect_uri_mismatch';
  }
  return undefined;
}
