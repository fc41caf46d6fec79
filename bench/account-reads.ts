/** The pages, searches and counts that P18 compares between accounts. */
import type { Kysely } from 'kysely';
import type { Database } from '../src/db/tables.ts';
import { createKey } from '../src/services/accounts/api-keys.ts';

export interface Account {
  userId: string;
  key: string;
  /** A list that is deleted, and one with a tenth of the leads that stays. */
  goingList: number;
  list: number;
  company: number;
  campaign: number;
  /** One that the campaign has written to, and that has answered. */
  lead: number;
  validation: number;
}

/** The requests; a cursor is that of the first page. */
export const KINDS: Record<string, (account: Account) => string> = {
  leads: () => '/v1/leads?limit=20',
  'leads, page 40': () => '/v1/leads?limit=20&page=40',
  'leads by name': () => '/v1/leads?limit=20&sort=name',
  'leads behind a cursor': () => '/v1/leads?limit=20&cursor=',
  'leads by status': () => '/v1/leads?limit=20&status=contacted',
  'leads by a rare status': () => '/v1/leads?limit=20&status=replied',
  'leads by validity': () => '/v1/leads?limit=20&emailValid=false',
  'leads by score': () => '/v1/leads?limit=20&minValidationScore=90',
  'leads without e-mail': () => '/v1/leads?limit=20&hasEmail=false',
  'leads of a company': ({ company }) => `/v1/leads?limit=20&companyId=${company}`,
  'leads of a list': ({ list }) => `/v1/lead-lists/${list}/leads?limit=20`,
  'leads of a list by name': ({ list }) => `/v1/lead-lists/${list}/leads?limit=20&sort=name`,
  'leads of a list, page 5': ({ list }) => `/v1/lead-lists/${list}/leads?limit=20&page=5`,
  'leads filtered by list': ({ list }) => `/v1/leads?limit=20&leadListId=${list}`,
  'search, two letters': () => '/v1/leads?limit=20&search=an',
  'search, two rare letters': () => '/v1/leads?limit=20&search=xq',
  'search, a name': () => '/v1/leads?limit=20&search=anbe',
  'search, a whole name': () => '/v1/leads?limit=20&search=rosuul',
  'search, an address': () => '/v1/leads?limit=20&search=777%40firm',
  'search, nobody': () => '/v1/leads?limit=20&search=wxyzzy',
  'search in a list': ({ list }) => `/v1/lead-lists/${list}/leads?limit=20&search=an`,
  companies: () => '/v1/companies?limit=20',
  'companies by name': () => '/v1/companies?limit=20&sort=name',
  'companies of a list': ({ list }) => `/v1/lead-lists/${list}/companies?limit=20`,
  'companies of a list by name': ({ list }) =>
    `/v1/lead-lists/${list}/companies?limit=20&sort=name`,
  'companies, two letters': () => '/v1/companies?limit=20&search=ti',
  'companies, a name': () => '/v1/companies?limit=20&search=firm77.',
  'lead lists': () => '/v1/lead-lists?limit=20',
  'one lead list': ({ list }) => `/v1/lead-lists/${list}`,
  suppressions: () => '/v1/suppressions?limit=20',
  'suppressions by reason': () => '/v1/suppressions?limit=20&reason=bounce',
  'suppressions, two rare letters': () => '/v1/suppressions?limit=20&search=xq',
  'suppressions, search': () => '/v1/suppressions?limit=20&search=gone77',
  inbox: () => '/v1/inbox',
  'inbox, unread': () => '/v1/inbox?isRead=false',
  'inbox, replies': () => '/v1/inbox?kind=reply',
  'inbox, search': () => '/v1/inbox?search=4711',
  'inbox, unread count': () => '/v1/inbox/unread-count',
  threads: () => '/v1/inbox/threads',
  'inbox of a campaign': ({ campaign }) => `/v1/inbox?campaignId=${campaign}`,
  'inbox of a lead': ({ lead }) => `/v1/inbox?leadId=${lead}`,
  'inbox by interest': () => '/v1/inbox?interest=interested',
  campaigns: () => '/v1/campaigns?limit=20',
  'leads of a campaign': ({ campaign }) => `/v1/campaigns/${campaign}/leads?limit=20`,
  'leads of a campaign by status': ({ campaign }) =>
    `/v1/campaigns/${campaign}/leads?limit=20&status=queued`,
  'figures of a campaign': ({ campaign }) => `/v1/campaigns/${campaign}/analytics`,
  'suppressions that were lifted': () => '/v1/suppressions/lifted?limit=20',
  'lifted suppressions, search': () => '/v1/suppressions/lifted?limit=20&search=lifted77',
  validations: () => '/v1/email-validation/bulk?limit=20',
  'results of a validation': ({ validation }) =>
    `/v1/email-validation/bulk/${validation}/results?limit=20`,
  'results of a validation by status': ({ validation }) =>
    `/v1/email-validation/bulk/${validation}/results?limit=20&status=risky`,
  events: () => '/v1/events?limit=20',
  'events of a type': () => '/v1/events?limit=20&types=email.opened',
  'audit log': () => '/v1/audit-log?limit=20',
  'audit log by action': () => '/v1/audit-log?limit=20&action=campaigns.pause',
};

/** An account as `addAccounts` has written it, with a new key. */
export async function accountOf(db: Kysely<Database>, userId: string): Promise<Account> {
  const settings = { name: 'bench', ipWhitelist: [], scopes: [], expiresAt: null };
  const { key } = await createKey({ db, config: { OUTREACH_MODE: 'live' } }, userId, settings);
  const [going, list] = await db
    .selectFrom('lead_lists')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(2)
    .execute();
  const company = await db
    .selectFrom('companies')
    .select('id')
    .where('lead_list_id', '=', list!.id)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const answer = await db
    .selectFrom('messages')
    .select(['lead_id', 'campaign_id'])
    .where('user_id', '=', userId)
    .where('lead_id', 'is not', null)
    .orderBy('lead_id')
    .executeTakeFirstOrThrow();
  const validation = await db
    .selectFrom('email_validation_jobs')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    userId,
    key,
    goingList: going!.id,
    list: list!.id,
    company: company.id,
    campaign: answer.campaign_id!,
    lead: answer.lead_id!,
    validation: validation.id,
  };
}
