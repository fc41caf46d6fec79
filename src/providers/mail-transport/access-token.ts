/** Logins by OAuth: SASL XOAUTH2 with an access token, in place of a password. Choice 132. */
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { ProviderError } from '../../domain/errors.ts';
import type { OauthGrant } from '../../domain/mailboxes/oauth.ts';
import { consentGone } from './failures.ts';
import type { AccessToken, TransportTools } from './port.ts';

/** The server that is logged in to, and how it calls a refused login. */
export interface LoginPlace {
  where: string;
  refusedCode: string;
}

/**
 * Logs in, without a token where there is no consent. A token that was got before and is refused is got anew, once:
 * servers may not take it any more before it expires.
 */
export async function withToken<T>(
  { accessTokens }: Pick<TransportTools, 'accessTokens'>,
  { grant, ...place }: LoginPlace & { grant: OauthGrant | undefined },
  login: (token?: AccessToken) => Promise<T>,
): Promise<T> {
  if (grant === undefined) return login();
  const tokenOf = async (refused?: string): Promise<AccessToken> => {
    if (!accessTokens) throw new Error('this transport has no access tokens');
    try {
      return await accessTokens.tokenOf(grant, refused);
    } catch (error) {
      throw asLoginError(error, place);
    }
  };
  const token = await tokenOf();
  try {
    return await login(token);
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.kind === 'rejected';
    if (!isRefused || token.isNew) throw withoutToken(error, token);
  }
  const another = await tokenOf(token.value);
  try {
    return await login(another);
  } catch (error) {
    throw withoutToken(error, another);
  }
}

/** A consent that does not hold is a login that the server refuses; a vendor that is busy says nothing of messages. */
function asLoginError(error: unknown, { where, refusedCode }: LoginPlace): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { kind, message, facts } = error;
  if (kind === 'rejected') return consentGone(where, refusedCode, facts.loginReply);
  return kind === 'rate_limited' ? new ProviderError('unavailable', message, facts) : error;
}

/** A server may repeat what it was sent. */
function withoutToken(error: unknown, { value }: AccessToken): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { loginReply } = error.facts;
  if (loginReply === undefined || !loginReply.includes(value)) return error;
  return new ProviderError(error.kind, error.message.replaceAll(value, '***'), {
    ...error.facts,
    loginReply: loginReply.replaceAll(value, '***'),
  });
}

/** A method of our own: asked for XOAUTH2 without its own tokens, nodemailer takes the server's first method. */
export const BY_TOKEN = 'ACCESS-TOKEN';

/**
 * nodemailer's own would send a refused token a second time. A 334 has the reason, and is answered by an empty line,
 * after which the refusal comes.
 */
export async function smtpTokenLogin(
  login: SMTPConnection.CustomAuthenticationContext,
): Promise<void> {
  const { user, pass } = login.auth.credentials!;
  let reply = await login.sendCommand(`AUTH XOAUTH2 ${xoauth2(user, pass)}`);
  if (reply.status === 334) reply = await login.sendCommand('');
  if (reply.status !== 235) throw new Error('the access token is refused');
}

/** https://developers.google.com/workspace/gmail/imap/xoauth2-protocol */
const xoauth2 = (user: string, token: string): string =>
  Buffer.from(`user=${user}\u0001auth=Bearer ${token}\u0001\u0001`).toString('base64');

/** Whether a session has to log in again. */
export const isOver = (token: AccessToken | undefined): boolean =>
  token !== undefined && token.usableUntil.getTime() <= Date.now();
