/** Row shapes of mailboxes that are used by OAuth. Choice 132. */
import type { ColumnType } from 'kysely';
import type { OauthProvider } from '../../domain/mailboxes/oauth.ts';

/** What becomes of the mailbox once its owner has consented. */
export interface WantedMailbox {
  address: string | null;
  returnUrl: string | null;
  senderName: string | null;
  dailyLimit: number | null;
}

/** A consent that somebody is asked for. */
export interface OauthConsentsTable {
  /** Of `state`. */
  digest: string;
  user_id: string;
  provider: OauthProvider;
  /** Sealed: what the vendor's answer is held against. Null once it has come. */
  secret: Buffer | null;
  wanted: ColumnType<WantedMailbox, string, never>;
  expires_at: Date;
  used_at: Date | null;
}

/** A consent that was given. */
export interface OauthGrantsTable {
  id: string;
  mailbox_id: number;
  provider: OauthProvider;
  /** The account at the vendor; null in rows of before 0195. */
  subject: string | null;
  refresh_token: Buffer;
  access_token: Buffer | null;
  /** Of the access token; some time before it expires. */
  usable_until: Date | null;
  /** Until then somebody is getting another access token. */
  refreshing_until: Date | null;
  created_at: ColumnType<Date, never, never>;
}

export interface OauthTables {
  oauth_consents: OauthConsentsTable;
  oauth_grants: OauthGrantsTable;
}
