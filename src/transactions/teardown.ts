/** Deleting clusters and mailboxes: releasing what uses them, and the final rows. Choices 13, 27. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { isOtherKept } from '../db/clusters/clusters.ts';
import { REMOVED } from '../db/campaigns/campaign-settings.ts';
import { lockCampaign } from '../db/campaigns/campaigns.ts';
import { keepGrant } from '../db/mailboxes/oauth-grants.ts';
import { listOpenOperations } from '../db/operations/operation-states.ts';
import { findLatestOperation, type Operation } from '../db/operations/operations.ts';
import { releaseRecipients } from '../db/sending/unassigned-recipients.ts';
import type { Database } from '../db/tables.ts';
import { endWarmup, lockWarmup } from '../db/warmup/warmups.ts';
import { deleteMailboxFlow } from '../domain/mailboxes/flows.ts';

/** Locks a cluster's live mailboxes and marks them; returns all that are being deleted. */
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

/**
 * Marks them deleted: their passwords and sync failures are removed, and the address is free. Safe to repeat.
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
  await keepGrant(trx, goneIds);
  await trx
    .updateTable('mailbox_syncs')
    .set({ failing_since: null, error: null, reason: null })
    .where('mailbox_id', 'in', goneIds)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Campaigns that send from any of these mailboxes, in lock order. */
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
 * Removes mailboxes from a campaign: recipients without a message get it from another one, threads end. A
 * message in delivery is finished; the campaign's own sessions then do the same. Safe to repeat.
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

/** Ends a warm-up, and cancels partners' planned messages to this mailbox. Safe to repeat. */
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

/** Workflows to be notified that mailboxes are gone, each with its signal. */
export async function listListeners(
  db: Kysely<Database>,
  { mailboxIds, campaignIds }: { mailboxIds: readonly number[]; campaignIds: readonly number[] },
): Promise<{ operation: Operation; signal: 'cancel' | 'settingsChanged' }[]> {
  const found: { operation: Operation | undefined; signal: 'cancel' | 'settingsChanged' }[] = [];
  for (const id of mailboxIds) {
    found.push({ operation: await findLatestOperation(db, 'warmup', id), signal: 'cancel' });
    for (const operation of await listOpenOperations(db, 'mailbox', id)) {
      // The removal of the mailbox itself continues.
      if (operation.kind !== deleteMailboxFlow.kind) found.push({ operation, signal: 'cancel' });
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
 * What all attempts at a cluster have published and not withdrawn, without what another cluster on the domain
 * needs: that cluster found these records and wrote none of its own. They are deleted with it.
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

/**
 * Kept when an earlier cluster was deleted, maybe on another row of the name at the same registrar; addresses of hosts
 * are deleted with their server (`listHostRecords`).
 */
const leftToIt = (clusterId: number) =>
  sql<boolean>`(clusters.status = 'deleted'
    and (published_records.type <> 'A' or published_records.name = 'mta-sts')
    and clusters.domain_id in (select former.id from clusters mine
      join domains own on own.id = mine.domain_id
      join domains former on former.name = own.name and former.provider = own.provider
      where mine.id = ${clusterId}))`;

/** Policies belong to the domain; the others name the host of a cluster. A zone is known by its name, not by its row. */
const isNeededBesides = (clusterId: number) =>
  sql<boolean>`exists (select from clusters other left join servers on servers.id = other.server_id
      join domains theirs on theirs.id = other.domain_id
      join domains zone on zone.id = published_records.domain_id and zone.name = theirs.name
    where other.id <> ${clusterId}
      and ${isOtherKept}
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
