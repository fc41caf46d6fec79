/** Taking clusters and mailboxes down: what has to be let go, and the rows at the end. Choices 13, 27. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { REMOVED } from '../campaigns/campaign-settings.ts';
import { lockCampaign } from '../campaigns/campaigns.ts';
import { listOpenOperations } from '../operations/operation-states.ts';
import { findLatestOperation, type Operation } from '../operations/operations.ts';
import { releaseRecipients } from '../sending/unassigned-recipients.ts';
import type { Database } from '../tables.ts';
import { endWarmup, lockWarmup } from '../warmup/warmups.ts';

/** Locks a cluster's mailboxes that are alive and marks them; answers all that are on their way out. */
export async function markMailboxesDeleting(
  trx: Transaction<Database>,
  clusterId: number,
): Promise<number[]> {
  const rows = await trx
    .updateTable('mailboxes')
    .set({ status: 'deleting', updated_at: new Date() })
    .where('cluster_id', '=', clusterId)
    .where('status', 'in', ['pending', 'active', 'deleting'])
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of a cluster that are on their way out. */
export async function listDepartingMailboxes(
  db: Kysely<Database>,
  clusterId: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('mailboxes')
    .select('id')
    .where('cluster_id', '=', clusterId)
    .where('status', '=', 'deleting')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Gone for good: with them go their passwords and the trouble with reading them, and the address is
 * free. Safe to repeat.
 */
export async function markMailboxesDeleted(
  trx: Transaction<Database>,
  ids: { clusterId: number } | { mailboxId: number },
): Promise<void> {
  const rows = trx
    .updateTable('mailboxes')
    .set({ status: 'deleted', password: null, next_password: null, updated_at: new Date() })
    .where('status', '!=', 'deleted');
  const gone = await (
    'clusterId' in ids
      ? rows.where('cluster_id', '=', ids.clusterId)
      : rows.where('id', '=', ids.mailboxId)
  )
    .returning('id')
    .execute();
  if (gone.length === 0) return;
  const goneIds = gone.map(({ id }) => id);
  await trx
    .updateTable('mailbox_syncs')
    .set({ failing_since: null, error: null, reason: null })
    .where('mailbox_id', 'in', goneIds)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Campaigns that send from any of these mailboxes, in the order in which they are locked. */
export async function listCampaignsOf(
  db: Kysely<Database>,
  mailboxIds: readonly number[],
): Promise<number[]> {
  if (mailboxIds.length === 0) return [];
  const rows = await db
    .selectFrom('campaign_mailboxes')
    .select('campaign_id')
    .distinct()
    .where('mailbox_id', 'in', [...mailboxIds])
    .orderBy('campaign_id')
    .execute();
  return rows.map(({ campaign_id }) => campaign_id);
}

/**
 * A campaign loses mailboxes: who had no message yet gets it from another one, threads end. A message
 * that is under way runs to its end; the campaign's own rounds then do the same. Safe to repeat.
 */
export async function releaseFromCampaign(
  trx: Transaction<Database>,
  campaignId: number,
  { mailboxIds, now }: { mailboxIds: readonly number[]; now: Date },
): Promise<void> {
  // The campaign's row is the first of all locks.
  await lockCampaign(trx, campaignId);
  await trx
    .updateTable('campaign_mailboxes')
    .set({ out_reason: REMOVED, out_at: now })
    .where('campaign_id', '=', campaignId)
    .where('mailbox_id', 'in', [...mailboxIds])
    .where('out_reason', 'is', null)
    .execute();
  await releaseRecipients(trx, campaignId, { failing: [], gone: mailboxIds, now });
}

/** Ends a warm-up, and what partners were to send to this mailbox. Safe to repeat. */
export async function releaseFromWarmup(
  trx: Transaction<Database>,
  mailboxId: number,
): Promise<void> {
  const row = await lockWarmup(trx, mailboxId);
  if (row && row.status !== 'inactive') await endWarmup(trx, mailboxId, 'mailbox_gone');
  await trx
    .updateTable('warmup_letters')
    .set({ state: 'cancelled' })
    .where('to_mailbox_id', '=', mailboxId)
    .where('state', '=', 'planned')
    .execute();
}

/** Workflows that are to hear that mailboxes are gone, with the signal that each knows. */
export async function listListeners(
  db: Kysely<Database>,
  { mailboxIds, campaignIds }: { mailboxIds: readonly number[]; campaignIds: readonly number[] },
): Promise<{ operation: Operation; signal: 'cancel' | 'settingsChanged' }[]> {
  const found: { operation: Operation | undefined; signal: 'cancel' | 'settingsChanged' }[] = [];
  for (const id of mailboxIds) {
    found.push({ operation: await findLatestOperation(db, 'warmup', id), signal: 'cancel' });
    for (const operation of await listOpenOperations(db, 'mailbox', id)) {
      // Its own removal goes on.
      if (operation.kind !== 'deleteMailbox') found.push({ operation, signal: 'cancel' });
    }
  }
  for (const id of campaignIds) {
    const operation = await findLatestOperation(db, 'campaign', id);
    found.push({ operation, signal: 'settingsChanged' });
  }
  return found.flatMap(({ operation, signal }) =>
    operation && operation.finished_at === null ? [{ operation, signal }] : [],
  );
}

/** A record that an operation of ours added; see `published_records`. */
export type OwnRecord = Awaited<ReturnType<typeof listClusterRecords>>[number];

/**
 * What all attempts at a cluster have published and not withdrawn, but for what another cluster on
 * the domain needs: it found these records there and wrote none of its own. With that one they go.
 */
export const listClusterRecords = (db: Kysely<Database>, clusterId: number) =>
  db
    .selectFrom('published_records')
    .innerJoin('operations', 'operations.id', 'published_records.operation_id')
    .innerJoin('clusters', 'clusters.id', 'operations.resource_id')
    .selectAll('published_records')
    .where('operations.resource_type', '=', 'cluster')
    .where((where) => where.or([where('clusters.id', '=', clusterId), leftToIt(clusterId)]))
    .where(sql<boolean>`not ${isNeededBesides(clusterId)}`)
    .orderBy('published_records.id')
    .execute();

/** Kept at the deletion of an earlier cluster; addresses go with their server (`listHostRecords`). */
const leftToIt = (clusterId: number) =>
  sql<boolean>`(clusters.status = 'deleted' and published_records.type <> 'A'
    and clusters.domain_id = (select domain_id from clusters where id = ${clusterId}))`;

/** Policies are the domain's; the others name the host that a cluster is on. */
const isNeededBesides = (clusterId: number) =>
  sql<boolean>`exists (select from clusters other left join servers on servers.id = other.server_id
    where other.domain_id = published_records.domain_id and other.id <> ${clusterId}
      and other.status in ('provisioning', 'active', 'suspended')
      and (published_records.type = 'TXT' or published_records.value = servers.ipv4
        or published_records.value = servers.host_name
        or right(published_records.value, length(servers.host_name) + 1) = ' ' || servers.host_name))`;

/** The addresses of a server under its own name, whichever cluster has published them. */
export const listHostRecords = (
  db: Kysely<Database>,
  server: { host_name: string; ipv4: string | null },
): Promise<OwnRecord[]> =>
  db
    .selectFrom('published_records')
    .innerJoin('domains', 'domains.id', 'published_records.domain_id')
    .selectAll('published_records')
    .where('published_records.type', '=', 'A')
    .where('published_records.value', '=', server.ipv4 ?? '')
    .where(sql`published_records.name || '.' || domains.name`, '=', server.host_name)
    .orderBy('published_records.id')
    .execute();
