/** Requests that are valid but for one id of a row: what each operation needs beside it, and whose row it may be. */
import { sql } from 'kysely';
import { MESSAGE } from '../campaigns/campaign-users.ts';
import { addLeads } from '../campaigns/campaign-world.ts';
import type { AuditedWorld } from './audited-world.ts';
import { nameOf, type IdField } from './id-fields.ts';
import { childOf, makeOneOfEach, type Children, type Owned } from './owned-resources.ts';
import { domain, name } from './writing-subjects.ts';

/** A user with one of each. */
export interface Owner {
  userId: string;
  token: string;
  owned: Owned;
  children: Children;
  serverId: number;
}

export async function newOwner(world: AuditedWorld): Promise<Owner> {
  const { users, db } = world;
  const { userId, owned, children } = await makeOneOfEach(users);
  const { id: serverId } = await db
    .selectFrom('servers')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const token = await users.api.jwt(userId);
  const leadId = owned['/v1/leads/'] as number;
  const ofUser = { userId, leadId, campaignId: owned['/v1/campaigns/'] as number };
  await sql`update maps_runs set status = 'completed' where user_id = ${userId}`.execute(db);
  for (const table of ['messages', 'threads']) {
    await sql`update ${sql.table(table)} set lead_id = ${ofUser.leadId},
      campaign_id = ${ofUser.campaignId} where user_id = ${userId}`.execute(db);
  }
  return { userId, token, owned, children, serverId };
}

const KINDS: Readonly<Record<string, string>> = {
  assignedMailboxes: '/v1/mailboxes/',
  campaignId: '/v1/campaigns/',
  clusterId: '/v1/clusters/',
  companyId: '/v1/companies/',
  leadId: '/v1/leads/',
  leadIds: '/v1/leads/',
  leadListId: '/v1/lead-lists/',
  leadListIds: '/v1/lead-lists/',
  mailboxId: '/v1/mailboxes/',
  mailboxIds: '/v1/mailboxes/',
  seedIds: '/v1/placement/seeds/',
  threadId: '/v1/inbox/threads/',
  trackingDomainId: '/v1/tracking-domains/',
};

/** Where `ids` and the like are of what the operation is about. */
const KINDS_OF_OPERATIONS: Readonly<Record<string, string>> = {
  'auditLog.export': '/v1/campaigns/',
  'auditLog.list': '/v1/campaigns/',
  'inbox.markRead': '/v1/inbox/',
  'leads.deleteMany': '/v1/leads/',
  'leads.move': '/v1/leads/',
  'operations.cancelMany': '/v1/operations/',
  'operations.list': '/v1/lead-lists/',
  'operations.retryMany': '/v1/operations/',
};

/** The id of a row of the owner that such a field takes. Throws for a field of which it is not known. */
export function rowOf({ operation, where, keys }: IdField, owner: Owner): number | string {
  const { owned, children, serverId } = owner;
  const field = nameOf(keys);
  if (where === 'path') return childOf(children, field);
  if (field === 'serverId' || field === 'vpsId') return serverId;
  const kind = KINDS[field] ?? KINDS_OF_OPERATIONS[operation.operationId];
  const id = owned[kind ?? ''];
  if (id === undefined) throw new Error(`${operation.operationId}: whose is ${field}?`);
  return id;
}

/** The same for who asks; what is deleted by it is not needed again. */
export async function ownRowOf(field: IdField, owner: Owner, { db }: AuditedWorld) {
  if (field.operation.operationId !== 'leads.deleteMany') return rowOf(field, owner);
  return (await addLeads(db, owner.userId, 1))[0]!;
}

type Base = (owner: Owner, world: AuditedWorld, keys: readonly string[]) => Promise<object>;

const person = { personFirstName: 'Eve', personLastName: 'Next', personEmail: 'eve@next.example' };
const colleague = { firstName: 'Joe', lastName: 'Next', email: 'joe@next.example' };
const times = { time: '09:30' };
const search = { searchStringsArray: ['florist'] };

/** Beside the field, and beside `name`. */
const ORDERS = {
  mapsRun: () => search,
  leadProcess: () => ({ searchTerm: 'yoga' }),
  placementTest: ({ owned }: Owner) => ({ campaignId: owned['/v1/campaigns/'] }),
};
const orderOf = ([kind]: readonly string[], owner: Owner) => ({
  [kind!]: ORDERS[kind as keyof typeof ORDERS](owner),
});

const BASES: Readonly<Record<string, Base>> = {
  'campaigns.create': async (_owner, _world, [field]) => ({
    ...MESSAGE,
    ...(field === 'startsOn' && { startsOn: { interest: ['interested'], afterDays: 1 } }),
  }),
  'campaigns.update': async (_owner, _world, [field]) => ({
    ...(field === 'startsOn' && { startsOn: { interest: ['interested'], afterDays: 1 } }),
  }),
  'campaigns.sendTestEmail': async () => ({ to: 'me@own.example' }),
  'clusters.create': async () => ({ domain: `${name()}.com`, useExistingVps: true }),
  'clusters.createWithExistingDomain': async ({ userId }, world) => {
    const { db } = world;
    const id = await domain({ ...world, userId });
    const row = await db.selectFrom('domains').select('name').where('id', '=', id).execute();
    return { domain: row[0]!.name, useExistingVps: true };
  },
  'dnsRecords.update': async () => ({ value: 'another' }),
  'emailValidations.create': async () => ({ emails: ['eve@next.example'] }),
  'leadImports.create': async () => ({ csv: 'First name,Email\nEve,eve@next.example\n' }),
  'leadProcesses.create': async () => ({ searchTerm: 'yoga' }),
  'leads.create': async (_owner, _world, [field]) =>
    field === 'companyId' ? person : { company_name: name(), people: [colleague] },
  'leads.move': async ({ userId, owned }, { db }) => ({
    ids: await addLeads(db, userId, 1),
    leadListId: owned['/v1/lead-lists/'],
  }),
  'mapsRuns.create': async () => search,
  'placementTests.create': async ({ owned }) => ({ campaignId: owned['/v1/campaigns/'] }),
  'schedules.create': async (owner, _world, keys) => ({
    name: 'Weekly',
    times,
    ...orderOf(keys, owner),
  }),
  'schedules.update': async (owner, _world, keys) => orderOf(keys, owner),
  'warmup.actOnMany': async () => ({ action: 'start' }),
};

/** What the body has beside the field. */
export const baseOf = ({ operation, keys }: IdField, owner: Owner, world: AuditedWorld) =>
  BASES[operation.operationId]?.(owner, world, keys) ?? Promise.resolve({});

/** The path, on what the owner has; what is within it is left open. A schedule is of the kind that the field is about. */
export async function pathOf(field: IdField, owner: Owner, world: AuditedWorld): Promise<string> {
  const { operationId, path } = field.operation;
  if (operationId === 'schedules.update') {
    const body = { name: 'W', times, ...orderOf(field.keys, owner) };
    const { token } = owner;
    const made = await world.users.api.call('POST', '/v1/schedules', { token, body });
    return path.replace('{id}', String(made.body.data.id));
  }
  const prefix = path.slice(0, path.indexOf('{'));
  return path.replace(/\{\w+\}/, String(owner.owned[prefix]));
}

/** Rows that are made from now on have ids that no other number in an answer is, of no two tables the same. */
export async function separateIds(owner: { query(text: string): Promise<unknown> }): Promise<void> {
  await owner.query(`
    select setval(format('%I.%I', schemaname, sequencename), 7000000 + 1000 * row_number() over ())
    from pg_sequences where schemaname = 'public'`);
}

/** What an account has in all tables, as one text. */
export async function rowsOf({ db }: AuditedWorld, userId: string): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns join pg_class on relname = table_name
    where table_schema = 'public' and column_name = 'user_id' and relkind = 'r'
      and table_name not in ('rate_counters', 'audit_log') order by 1`.execute(db);
  const found = tables.map(async ({ name: table }) => {
    const { rows } = await sql<{ hash: string | null }>`
      select md5(string_agg(t::text, ',' order by t::text)) as hash
      from ${sql.table(table)} as t where user_id = ${userId}`.execute(db);
    return `${table} ${rows[0]!.hash}`;
  });
  return (await Promise.all(found)).join('\n');
}

/** The tables of all changes so far, as `noteChanges` notes them. */
export async function changesOf({ db }: AuditedWorld): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from noted_changes`.execute(db);
  return rows.map((row) => row.name);
}
