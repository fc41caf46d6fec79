/**
 * Microsoft's identity platform (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow) with the
 * scopes of IMAP and SMTP in Exchange Online. Each answer has another refresh token; the one of before stays valid for
 * its time. The access token is for outlook.office.com and means nothing to us. The issuer names the person's tenant.
 */
import { z } from 'zod';
import { defineVendor } from '../vendor.ts';
import { createOpenId } from './open-id.ts';

const MAIL = [
  'https://outlook.office.com/IMAP.AccessAsUser.All',
  'https://outlook.office.com/SMTP.Send',
];

const settings = z.object({
  MICROSOFT_OAUTH_CLIENT_ID: z.string().min(1),
  MICROSOFT_OAUTH_CLIENT_SECRET: z.string().min(1),
  MICROSOFT_OAUTH_ISSUER: z.url().default('https://login.microsoftonline.com/common/v2.0'),
});

export const microsoft = defineVendor({
  name: 'microsoft',
  settings,
  developmentVariables: ['MICROSOFT_OAUTH_ISSUER'],
  ownHosts: ['login.microsoftonline.com'],
  create: (config, { timeoutMs }) =>
    createOpenId({
      name: 'microsoft',
      issuer: config.MICROSOFT_OAUTH_ISSUER,
      clientId: config.MICROSOFT_OAUTH_CLIENT_ID,
      clientSecret: config.MICROSOFT_OAUTH_CLIENT_SECRET,
      timeoutMs,
      scopes: [...MAIL, 'offline_access', 'openid', 'email', 'profile'],
      neededScopes: MAIL,
      parameters: { response_mode: 'query' },
      // Tenants may write anything into `email`. That it is the person's is shown by the proof alone: the servers take
      // the token for the mailbox whose it is.
      namesOf: ({ email, preferred_username: username }) =>
        [email, username].filter((name) => name !== undefined),
      usernameOf: (names) => names.at(-1)!,
    }),
});
