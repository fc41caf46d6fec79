/**
 * The audit log: who changed what. The entry of a request is written by the transaction that makes its change, so
 * that a process which dies leaves both or neither.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { sql, type Kysely, type Transaction } from 'kysely';
import type {
  AuditedChange,
  AuditedRequest,
  AuditEntry,
  RequestAudit,
} from '../../domain/accounts/audit-log.ts';
import { bounded } from '../../domain/accounts/audited-values.ts';
import { storableJson } from '../storable-json.ts';
import { inAccountPlace } from './account-places.ts';
import type { Database } from '../tables.ts';

interface Carried {
  request: AuditedRequest;
  change: AuditedChange & { userId?: string | undefined };
  /** One entry per request: that of its first transaction that commits. */
  state: 'none' | 'writing' | 'written';
}

const carried = new AsyncLocalStorage<Carried>();

/** One for all requests of a process. */
export const createRequestAudit = (db: Kysely<Database>): RequestAudit => ({
  carryOut: (request, work) => {
    const entry: Carried = { request, change: {}, state: 'none' };
    return carried.run(entry, async () => {
      const result = await work();
      if (entry.state !== 'written') await writeEntry(db, entry);
      return result;
    });
  },
});

/**
 * Tells the entry of the current request what became of a resource; later calls add what earlier ones left open.
 * Without effect where nothing is audited, as in the work of a workflow. Never give it secrets, texts of messages or
 * people's data: `told` and `difference` choose what may be told.
 */
export function noteChange(change: AuditedChange & { userId?: string }): void {
  const entry = carried.getStore();
  if (!entry || entry.state === 'written') return;
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  entry.change = { ...Object.fromEntries(given), ...entry.change };
}

/** A transaction that also writes the entry of the current request, unless an earlier one has. */
export async function inEntry<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const entry = carried.getStore();
  const userId = entry?.request.userId;
  const commit = () => commitWithEntry(db, entry, work);
  return userId === undefined ? commit() : inAccountPlace(db, userId, commit);
}

async function commitWithEntry<T>(
  db: Kysely<Database>,
  entry: Carried | undefined,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  if (entry?.state !== 'none') return db.transaction().execute(work);
  const noted = entry.change;
  entry.state = 'writing';
  try {
    const result = await db.transaction().execute(async (trx) => {
      const done = await work(trx);
      await writeEntry(trx, entry);
      return done;
    });
    entry.state = 'written';
    return result;
  } catch (error) {
    Object.assign(entry, { state: 'none', change: noted });
    throw error;
  }
}

/** The entry of the current request was written with an effect that is repeated now. */
export function skipEntry(): void {
  const entry = carried.getStore();
  if (entry) entry.state = 'written';
}

/** The entry of the current request, for a statement that serves several; call `skipEntry` when it has. */
export function currentEntry(): AuditEntry | undefined {
  const entry = carried.getStore();
  return entry?.state === 'none' ? entryOf(entry) : undefined;
}

function entryOf({ request, change }: Carried): AuditEntry | undefined {
  const { idempotencyKey: _key, ...facts } = request;
  const entry = { ...change, ...definedOf(facts) };
  return entry.userId === undefined ? undefined : { ...entry, userId: entry.userId };
}

const definedOf = <T extends object>(facts: T): T =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T;

/** None where nobody's account is concerned. */
async function writeEntry(db: Kysely<Database>, carriedEntry: Carried): Promise<void> {
  const entry = entryOf(carriedEntry);
  if (!entry) return;
  const { idempotencyKey: id } = carriedEntry.request;
  if (!id) return insertAuditEntries(db, [entry]);
  // A repeat of a request whose process died after its change finds the mark of the first one.
  await sql`/*insert-first-audit-entry*/
    with first as (
      update idempotency_keys set is_audited = true
      where user_id = ${id.userId} and route = ${id.route} and key = ${id.key} and not is_audited
      returning true
    )
    ${insertion([entry])} where exists (select from first)`.execute(db);
}

/** For changes of operators and of the product itself, within their transaction; and for many requests at once. */
export async function insertAuditEntries(
  db: Kysely<Database>,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await sql`/*insert-audit-entries*/ ${insertion(entries)}`.execute(db);
}

/** An `insert into audit_log ... select`, to which a statement may add conditions. */
export const insertion = (entries: readonly AuditEntry[]) => sql`
  insert into audit_log (user_id, actor_kind, actor_id, actor_name, ip, user_agent, reason,
    action, resource_type, resource_id, request_id, before, after)
  select user_id, actor_kind, actor_id, actor_name, ip, user_agent, reason,
    action, resource_type, resource_id, request_id, before, after
  from jsonb_to_recordset(${storableJson(entries.map(asRow))}::jsonb) as entry (user_id text,
    actor_kind text, actor_id text, actor_name text, ip text, user_agent text,
    reason text, action text, resource_type text, resource_id text, request_id text,
    before jsonb, after jsonb)`;

const asRow = (entry: AuditEntry) => ({
  user_id: entry.userId,
  actor_kind: entry.actor.kind,
  actor_id: entry.actor.id,
  actor_name: entry.actor.name,
  ip: entry.ip,
  user_agent: entry.userAgent,
  reason: entry.reason,
  action: entry.action,
  resource_type: entry.resourceType,
  resource_id: entry.resourceId === null ? null : entry.resourceId?.toString(),
  request_id: entry.requestId,
  before: bounded(entry.before),
  after: bounded(entry.after),
});

/** Deletes up to `limit` of the entries from before that time; those of the last 90 days stay in any case. */
export async function pruneAuditLog(
  db: Kysely<Database>,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`
    select prune_audit_log(${before}, ${limit}) as pruned`.execute(db);
  return rows[0]!.pruned;
}
