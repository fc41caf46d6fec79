/** The vendors whose mailboxes can be connected by OAuth. */
import { google } from './google.ts';
import { microsoft } from './microsoft.ts';

export const mailboxOauth = { google, microsoft } as const;
