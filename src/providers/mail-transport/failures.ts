/** Errors of a session with a mail server; no password is in any of them. */
import { ProviderError } from '../../domain/errors.ts';
import { storable } from '../../domain/storable-text.ts';

export const PROVIDER = 'mail-transport';

const TLS_CODE = /CERT|SELF_SIGNED|^ERR_TLS|^ERR_SSL|^ETLS/;

/** The server refuses this login; repeating is useless. */
export const loginRefused = (where: string, providerCode: string, words?: string) =>
  new ProviderError('rejected', `${PROVIDER}: ${where} refuses the login`, {
    provider: PROVIDER,
    providerCode,
    ...(words !== undefined && { loginReply: words }),
    operatorHint: 'The password of the mailbox is not the one that the host knows.',
  });

/** The same where the owner has to consent again, before which the server is not asked. */
export const consentGone = (where: string, providerCode: string, words: string | undefined) =>
  new ProviderError(
    'rejected',
    `${PROVIDER}: ${where}: the consent of the owner does not hold any more; connect the mailbox again`,
    {
      provider: PROVIDER,
      providerCode,
      ...(words !== undefined && { loginReply: words }),
      operatorHint: 'The owner of the mailbox has to connect it again.',
    },
  );

/** No connection, a broken one, a certificate for another name, or a "try again later". */
export function unavailable(where: string, error: unknown): ProviderError {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const word = typeof code === 'string' ? code : 'unknown';
  const text = typeof message === 'string' ? storable(message) : 'unknown';
  return new ProviderError('unavailable', `${PROVIDER}: ${where}: ${text}`, {
    provider: PROVIDER,
    providerCode: word,
    ...((TLS_CODE.test(word) || /certificate/i.test(text)) && {
      operatorHint: 'The certificate of the mail host is not (yet) the right one for its name.',
    }),
  });
}
