/**
 * Asks the vendor of a server for a new system, at most once: a second one would wipe what was restored. The request
 * is written down before it is sent, and nothing is sent while an earlier one may still begin.
 */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../src/context.ts';
import {
  claimReinstall,
  endReinstall,
  forgetClaim,
  getRebuild,
  noteAnswer,
  type RebuildKey,
  type ServerRebuild,
} from '../../src/db/clusters/server-rebuilds.ts';
import { getServer, type Server } from '../../src/db/clusters/servers.ts';
import { askOf, markOf, outcomeOf } from '../../src/domain/clusters/server-rebuilds.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { ReinstallView } from '../../src/providers/vps/port.ts';
import { hostKeyBinding, rebuildAccess, vpsOf } from '../engine/access.ts';
import { latestEnd } from '../engine/consistency-lag.ts';

export type ReinstallsContext = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'mailHost' | 'vps'
>;

/** How long a new system may take to answer, at pace 1. */
const PATIENCE_MS = 15 * 60_000;
const LEAST_PATIENCE_MS = 10_000;

/** The request begins within so many time-outs, or not at all. */
const TIMEOUTS_BEFORE_REQUEST = 2;

export const serverReinstallActivities = (context: ReinstallsContext) => ({
  /** Throws `not_ready` until there is a new system, or one is certainly on its way; safe to repeat. */
  async reinstallServer(key: RebuildKey): Promise<void> {
    const server = await getServer(context.db, key.serverId);
    if (server.status !== 'active') return;
    const row = await getRebuild(context.db, key);
    if (row.done_at !== null) return;
    const view = await vpsOf(context, server.provider).viewReinstalls(server.external_id!);
    if (view.isAtWork) throw notReady(server, 'is being reinstalled');
    const systemOf = await askOfSystem(context, server);
    if (row.claim !== null) return settle(context, { key, server, row, view, systemOf });
    const isNew = systemOf !== null && systemOf > row.used_asks;
    if (isNew && (await endReinstall(context.db, key, null))) return;
    // It was wiped by a rebuild that was given up, and may have its mail again.
    if (isNew || (row.wiped_at !== null && systemOf === null)) {
      throw notReady(server, 'was made anew, and does not answer');
    }
    await ask(context, key, server, view);
    throw notReady(server, 'is to be reinstalled');
  },

  /** Undo: nothing to undo where the vendor was not asked; else nobody can take it back. */
  async assertNotWiped(key: RebuildKey): Promise<void> {
    const server = await getServer(context.db, key.serverId);
    if (server.status !== 'active' || !isWiped(await getRebuild(context.db, key))) return;
    throw new ProviderError('auth', `The vendor was asked to wipe ${server.host_name}`, {
      provider: server.provider,
      operatorHint:
        'What was on it is in the backup alone. `skip` ends this operation; the server stays held, and ' +
        'another `outreach hosts rebuild` goes on with the system that is there.',
    });
  },

  /** Throws `not_ready` until the new system answers, by the host key that the server has always had. */
  async awaitNewSystem(key: RebuildKey): Promise<void> {
    const server = await getServer(context.db, key.serverId);
    if (server.status !== 'active') return;
    const row = await getRebuild(context.db, key);
    const systemOf = await askOfSystem(context, server);
    if (systemOf === null) throw notReady(server, 'does not answer yet');
    if (systemOf <= row.used_asks) throw notReady(server, 'still has its old system');
  },
});

/** Whether what was on the host may be gone. */
export const isWiped = ({ claim, wiped_at }: ServerRebuild): boolean =>
  claim !== null || wiped_at !== null;

/** Which request has made the system that answers; null: none answers as this server. */
export async function askOfSystem(
  context: Pick<Context, 'cipher' | 'mailHost'>,
  server: Server,
): Promise<number | null> {
  try {
    return askOf(server.id, await context.mailHost.readMark(rebuildAccess(context, server)));
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

interface OpenAsk {
  key: RebuildKey;
  server: Server;
  row: ServerRebuild;
  view: ReinstallView;
  systemOf: number | null;
}

async function settle(context: ReinstallsContext, open: OpenAsk): Promise<void> {
  const { db, clock, config } = context;
  const { key, server, row, view, systemOf } = open;
  const ask = {
    number: row.asks,
    listedBefore: row.listed_before,
    askedUntil: row.asked_until!.getTime(),
    answeredAt: row.answered_at?.getTime() ?? null,
  };
  const outcome = outcomeOf(ask, {
    now: clock.now().getTime(),
    listed: view.last,
    failure: view.failure,
    systemOf,
    usedAsks: row.used_asks,
    lagMs: config.PROVIDER_LAG_SECONDS * 1_000,
    patienceMs: Math.max(LEAST_PATIENCE_MS, PATIENCE_MS * config.RETRY_PACE),
  });
  if (outcome === 'done' && (await endReinstall(db, key, row.claim))) return;
  if (outcome === 'failed' || outcome === 'nothing') {
    await forgetClaim(db, server.id, row.claim!);
    const why = view.failure ?? 'it was not taken';
    throw new ProviderError('unavailable', `${server.provider}: the reinstall failed (${why})`, {
      provider: server.provider,
      providerCode: 'reinstall_failed',
    });
  }
  throw notReady(server, 'may have been reinstalled');
}

/** One attempt at a time gets here; whatever is known for certain is written down. */
async function ask(
  context: ReinstallsContext,
  key: RebuildKey,
  server: Server,
  view: ReinstallView,
): Promise<void> {
  const { db, cipher, config, clock } = context;
  const claim = randomUUID();
  const latestStart =
    Date.now() + TIMEOUTS_BEFORE_REQUEST * config.PROVIDER_TIMEOUT_SECONDS * 1_000;
  const request = { claim, listedBefore: view.last, askedUntil: latestEnd(context) };
  const row = await claimReinstall(db, key, request);
  if (!row) throw notReady(server, 'is asked for by another attempt');
  const hostKey = {
    privateKey: cipher.open(server.host_private_key, hostKeyBinding(server.intent_name)),
    publicKey: server.host_public_key,
  };
  const anew = { loginKey: server.client_public_key, mark: markOf(server.id, row.asks) };
  const userData = context.mailHost.userData({ hostName: server.host_name, hostKey, anew });
  try {
    const vps = vpsOf(context, server.provider);
    await vps.reinstall(server.external_id!, { userData, latestStart });
  } catch (error) {
    const isUnknown = !(error instanceof ProviderError) || error.kind === 'outcome_unknown';
    if (!isUnknown) await forgetClaim(db, server.id, claim);
    throw isUnknown && error instanceof ProviderError ? notReady(server, error.message) : error;
  }
  await noteAnswer(db, server.id, claim, clock.now());
}

const notReady = ({ host_name, provider }: Server, what: string) =>
  new ProviderError('not_ready', `${host_name} ${what}`, { provider });
