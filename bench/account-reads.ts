/** The pages, searches and counts that P18 compares between accounts. */

export interface Account {
  userId: string;
  key: string;
  /** A list that is deleted, and one with a tenth of the leads that stays. */
  goingList: number;
  list: number;
  company: number;
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
  'suppressions, search': () => '/v1/suppressions?limit=20&search=gone77',
  inbox: () => '/v1/inbox',
  'inbox, unread': () => '/v1/inbox?isRead=false',
  'inbox, replies': () => '/v1/inbox?kind=reply',
  'inbox, search': () => '/v1/inbox?search=4711',
  'inbox, unread count': () => '/v1/inbox/unread-count',
  threads: () => '/v1/inbox/threads',
};
