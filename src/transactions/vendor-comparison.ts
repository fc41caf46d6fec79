/** Our records, for the comparison with vendor records. */
import { sql, type Kysely } from 'kysely';
import type { Server } from '../db/clusters/servers.ts';
import type { Database } from '../db/tables.ts';

/** The possible owner of a server with this name. */
export interface ServerClaim {
  name: string;
  intentId: number;
  operationId: number;
  /** Null while the operation that rented it is unfinished. */
  finishedAt: Date | null;
  clusterId: number;
  domain: string | null;
  externalId: string | null;
  serverId: number | null;
  status: Server['status'] | null;
  /** A live cluster is on it. */
  isOwned: boolean;
  /** An operation on the same cluster is in progress, an undo or a deletion included. */
  isAtWork: boolean;
}

/** By name; names without an intent of ours are absent. */
export async function listServerClaims(
  db: Kysely<Database>,
  provider: string,
  names: readonly string[],
): Promise<Map<string, ServerClaim>> {
  const { rows } = await sql<ServerClaim>`
    select r.token as name, r.id as "intentId", r.operation_id as "operationId",
      o.finished_at as "finishedAt", o.resource_id as "clusterId", o.input ->> 'domain' as domain,
      r.external_id as "externalId", s.id as "serverId", s.status,
      exists (select from clusters c where c.server_id = s.id
        and c.status in ('provisioning', 'active', 'suspended', 'deleting')) as "isOwned",
      exists (select from operations u where u.finished_at is null
        and u.resource_type = o.resource_type and u.resource_id = o.resource_id) as "isAtWork"
    from provider_resources r
    join operations o on o.id = r.operation_id
    left join servers s on s.intent_name = r.token
    where r.step = 'server_create' and r.provider = ${provider}
      and r.token = any(${sql.val([...names])}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Servers that live clusters are on, unchanged since `before`. */
export async function listServersInUse(
  db: Kysely<Database>,
  provider: string,
  before: Date,
): Promise<{ name: string; externalId: string | null; hostName: string }[]> {
  const { rows } = await sql<{ name: string; externalId: string | null; hostName: string }>`
    select s.intent_name as name, s.external_id as "externalId", s.host_name as "hostName"
    from servers s
    where s.provider = ${provider} and s.status = 'active' and s.updated_at < ${before}
      and exists (select from clusters c where c.server_id = s.id
        and c.status in ('active', 'suspended'))
    order by s.id`.execute(db);
  return rows;
}

/** Our knowledge of a domain in our account at a registrar. */
export interface DomainClaim {
  name: string;
  /** In an account here, or about to be. */
  isKnown: boolean;
  /** The last operation that asked this registrar for it. */
  operationId: number | null;
  isAtWork: boolean;
}

/** By name; contains every name. */
export async function listDomainClaims(
  db: Kysely<Database>,
  provider: string,
  names: readonly string[],
): Promise<Map<string, DomainClaim>> {
  const { rows } = await sql<DomainClaim>`
    select n.name,
      exists (select from domains d where d.name = n.name
        and d.status in ('pending', 'active')) as "isKnown",
      asked.operation_id as "operationId",
      coalesce(asked.finished_at is null and asked.operation_id is not null, false) as "isAtWork"
    from unnest(${sql.val([...names])}::text[]) as n (name)
    left join lateral (
      select r.operation_id, o.finished_at from provider_resources r
      join operations o on o.id = r.operation_id
      where r.provider = ${provider} and r.external_id = n.name and r.step = 'domain_purchase'
      order by o.finished_at is null desc, r.id desc limit 1) asked on true`.execute(db);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Domains that were bought at this registrar and not changed since `before`. */
export async function listBoughtDomains(
  db: Kysely<Database>,
  provider: string,
  before: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('name')
    .where('provider', '=', provider)
    .where('status', '=', 'active')
    .where('purchased_at', 'is not', null)
    .where('updated_at', '<', before)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Those of these names that are renewed here alone: bought here, or imported and renewed for their owner. */
export async function listRenewedHere(
  db: Kysely<Database>,
  provider: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('name')
    .where('provider', '=', provider)
    .where('name', '=', sql<string>`any(${sql.val([...names])}::text[])`)
    .where('status', '=', 'active')
    .where((is) => is.or([is('verification_token', 'is', null), is('auto_renew', '=', true)]))
    .execute();
  return rows.map(({ name }) => name);
}

/** A hold with money left that no unfinished operation needs. */
export interface OwnerlessHold {
  id: number;
  userId: string;
  leftCents: number;
  /** The operation that it was taken for. */
  operationId: number | null;
}

/** Holds from before `before`; with `holdId` only that one, for a second check. */
export async function listOwnerlessHolds(
  db: Kysely<Database>,
  before: Date,
  holdId?: number,
): Promise<OwnerlessHold[]> {
  const { rows } = await sql<OwnerlessHold>`
    select h.id, h.user_id as "userId",
      (h.amount_cents - h.captured_cents - h.released_cents) as "leftCents",
      (select max(o.id) from operations o where o.hold_id = h.id) as "operationId"
    from holds h
    where h.captured_cents + h.released_cents < h.amount_cents and h.updated_at < ${before}
      and ${holdId === undefined ? sql`true` : sql`h.id = ${holdId}`}
      and not exists (select from operations o where o.hold_id = h.id and
        (o.finished_at is null or o.finished_at >= ${before}))
    order by h.id limit 1000`.execute(db);
  return rows;
}
