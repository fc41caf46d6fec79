/**
 * Google's OAuth 2.0 for web servers (https://developers.google.com/identity/protocols/oauth2/web-server) with the
 * scope of IMAP and SMTP (https://developers.google.com/workspace/gmail/imap/xoauth2-protocol). It gives a refresh
 * token at the first consent alone, unless it is asked to ask again; a person may leave out scopes one by one.
 */
import { z } from 'zod';
import { defineVendor } from '../vendor.ts';
import { createOpenId } from './open-id.ts';

const MAIL = 'https://mail.google.com/';

const settings = z.object({
  GOOGLE_OAUTH_CLIENT_ID: z.string().min(1),
  GOOGLE_OAUTH_CLIENT_SECRET: z.string().min(1),
  GOOGLE_OAUTH_ISSUER: z.url().default('https://accounts.google.com'),
});

export const google = defineVendor({
  name: 'google',
  settings,
  developmentVariables: ['GOOGLE_OAUTH_ISSUER'],
  ownHosts: ['accounts.google.com'],
  create: (config, { timeoutMs }) =>
    createOpenId({
      name: 'google',
      issuer: config.GOOGLE_OAUTH_ISSUER,
      clientId: config.GOOGLE_OAUTH_CLIENT_ID,
      clientSecret: config.GOOGLE_OAUTH_CLIENT_SECRET,
      timeoutMs,
      scopes: [MAIL, 'openid', 'email'],
      neededScopes: [MAIL],
      parameters: { access_type: 'offline', prompt: 'consent' },
      // Workspace and Gmail know an account by its address alone.
      namesOf: ({ email, email_verified: isVerified }) =>
        email === undefined || isVerified === false ? [] : [email],
      usernameOf: ([address]) => address,
    }),
});
