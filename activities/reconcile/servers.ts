/** Servers: those at a vendor with our label, against our live clusters. */
import {
  listServerClaims,
  listServersInUse,
  type ServerClaim,
} from '../../src/transactions/vendor-comparison.ts';
import { findTrials } from '../../src/db/operations/doctor-trials.ts';
import { closeFinding } from '../../src/db/operations/findings.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { settleIntent } from '../../src/db/operations/provider-resources.ts';
import { lockServer, updateServer } from '../../src/db/clusters/servers.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';
import type { OwnServer, VpsProvider } from '../../src/providers/vps/port.ts';
import { graceMs, type Found, type ReconcileContext } from './book.ts';
import { trialFindings } from './doctor-trials.ts';

/** Every server that only one side has. */
export async function serverFindings(
  context: ReconcileContext,
  vps: VpsProvider,
): Promise<Found[]> {
  const before = new Date(context.clock.now().getTime() - graceMs(context));
  const theirs = (await vps.listOurs?.()) ?? [];
  const names = theirs.map(({ name }) => name);
  const claims = await listServerClaims(context.db, vps.name, names);
  const trials = await findTrials(context.db, vps.name, names);
  const found: Found[] = [];
  for (const server of theirs) {
    // Created a moment ago: its intent may be newer than the rows that we read.
    if (new Date(server.createdAt) >= before) continue;
    const claim = claims.get(server.name);
    const trial = trials.get(server.name);
    if (trial) {
      found.push(...trialFindings(context, vps, { server, trial }));
      continue;
    }
    if (!claim || !isOurs(server, claim)) found.push(unknownServer(context, vps, server));
    else if (isOrphan(claim, before)) found.push(orphanServer(context, vps, { server, claim }));
  }
  for (const server of await listServersInUse(context.db, vps.name, before)) {
    if (!names.includes(server.name)) found.push(missingServer(vps, server));
  }
  return found;
}

/** True where neither a running operation nor a live cluster uses it. */
const isOrphan = (claim: ServerClaim, before: Date): boolean =>
  claim.finishedAt !== null && claim.finishedAt < before && !claim.isOwned && !claim.isAtWork;

/**
 * Another installation in the same project also counts its operations from 1: the name alone proves
 * nothing. The vendor's id does, or the labels where its answer was lost.
 */
function isOurs({ id, labels }: OwnServer, claim: ServerClaim): boolean {
  if (claim.externalId !== null) return claim.externalId === id;
  return labels['cluster'] === String(claim.clusterId) && labels['domain'] === claim.domain;
}

function orphanServer(
  context: ReconcileContext,
  vps: VpsProvider,
  { server, claim }: { server: OwnServer; claim: ServerClaim },
): Found {
  const { operationId, status } = claim;
  const detail = {
    name: server.name,
    id: server.id,
    createdAt: server.createdAt,
    row: status ?? 'none',
    cluster: claim.clusterId,
    domain: claim.domain,
  };
  const subject = `${vps.name}/${server.name}`;
  const finding = { kind: 'orphan_server', subject, operationId, detail } as const;
  return {
    finding,
    // A server that was active may hold somebody's mail: a person checks first.
    isSafe: status !== 'active',
    heal: (words) => destroyOrphan(context, vps, { finding, words }),
  };
}

/** Checks again under the lock, logs it, then destroys the server: each part may run twice. */
async function destroyOrphan(
  context: ReconcileContext,
  vps: VpsProvider,
  {
    finding,
    words,
  }: { finding: Finding & { detail: { name: string; id: string } }; words: HealWords },
): Promise<boolean> {
  const { db } = context;
  const { name, id } = finding.detail;
  const before = new Date(context.clock.now().getTime() - graceMs(context));
  const claim = await db.transaction().execute(async (trx) => {
    const look = async () => (await listServerClaims(trx, vps.name, [name])).get(name);
    const seen = await look();
    if (seen && seen.serverId !== null) await lockServer(trx, seen.serverId);
    const now = await look();
    if (!now || !isOrphan(now, before)) return undefined;
    // From here no cluster can start to use it; if we die now, a later comparison finishes.
    if (now.serverId !== null) await updateServer(trx, now.serverId, { status: 'deleted' });
    await insertOperationEvent(trx, {
      operationId: now.operationId,
      kind: 'reconciled',
      step: 'server_create',
      ...words,
      detail: { action: 'destroy', ...finding.detail },
    });
    return now;
  });
  if (!claim) return false;
  // By id as well: exactly the server that was checked, not another of the same name.
  await vps.destroy(name, id);
  await settleIntent(db, claim.intentId, { state: 'deleted' });
  await closeFinding(db, finding, words);
  return true;
}

/** Another installation's, or one whose row was lost: only a person who names it may have it deleted. */
function unknownServer({ db }: ReconcileContext, vps: VpsProvider, server: OwnServer): Found {
  const { id, name, labels, createdAt } = server;
  const finding = {
    kind: 'unknown_server',
    subject: `${vps.name}/${id}`,
    operationId: null,
    detail: { name, id, labels, createdAt },
  } as const;
  return {
    finding,
    heal: async (words) => {
      await vps.destroy(name, id);
      await closeFinding(db, finding, words);
      return true;
    },
  };
}

const missingServer = (
  vps: VpsProvider,
  server: { name: string; externalId: string | null; hostName: string },
): Found => ({
  finding: {
    kind: 'missing_server',
    subject: `${vps.name}/${server.name}`,
    operationId: null,
    detail: server,
  },
});
