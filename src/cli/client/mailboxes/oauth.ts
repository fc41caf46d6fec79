/** `outreach mailboxes connect --oauth`: the owner consents in a browser. */
import type { OauthProvider } from '../../../domain/mailboxes/oauth.ts';
import type { Io } from '../../io.ts';
import type { Client, ClientOptions } from '../connection.ts';
import { show } from '../output.ts';

export interface OauthOptions extends ClientOptions {
  email: string;
  oauth: OauthProvider;
  senderName?: string;
  dailyLimit?: number;
}

/** Prints the address; the mailbox exists once its owner has consented there. */
export async function connectByOauth(
  io: Io,
  { outreach, once }: Client,
  options: OauthOptions,
): Promise<void> {
  const { email, oauth: provider, senderName, dailyLimit } = options;
  const body = { provider, email, senderName, dailyLimit };
  const asked = await once((key) => outreach.mailboxes.connectByOauth({ body }, key));
  show(io, options, asked, [
    ['Open', asked.authorizationUrl],
    ['Until', asked.expiresAt],
    ['', `Then ${email} is in \`outreach mailboxes list\`.`],
  ]);
}
