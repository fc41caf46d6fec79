/**
 * Looks how the mail hosts are, and whether their messages leave and are welcome.
 * docs/sending-rules.md#servers-that-may-not-send.
 */
import { heartbeat } from '@temporalio/activity';
import PQueue from 'p-queue';
import pTimeout from 'p-timeout';
import type { Context } from '../../src/context.ts';
import { recordHostHealth } from '../../src/db/clusters/host-health.ts';
import {
  listDueHosts,
  recordListings,
  recordOutgoingRoute,
  type DueHost,
} from '../../src/db/clusters/sending-holds.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { hostTroubles, UNREACHABLE } from '../../src/domain/clusters/host-health.ts';
import { lookUpAddress } from '../../src/domain/clusters/blocklists.ts';
import { wakeCampaignsOfServer } from '../campaigns/wakes.ts';
import { serverAccess } from '../engine/access.ts';

type HostChecksContext = Pick<
  Context,
  'db' | 'clock' | 'config' | 'dns' | 'cipher' | 'mailHost' | 'logger' | 'temporal'
>;

const BATCH = 50;
const AT_ONCE = 10;

/** A server that is held or in trouble is asked at every run; the host keeps its probe of port 25 for ten minutes. */
const HELD_SECONDS = 9 * 60;
/** Less than the hour between two runs, which are not on time to the second. */
const OTHERS_SECONDS = 55 * 60;
/** Blocklists ask not to be queried more often than needed; a listed address is asked every hour. */
const LISTINGS_SECONDS = 86_400;

/** A host that does not answer keeps the last result of its port 25. */
const HOST_LIMIT_MS = 20_000;

export const hostCheckActivities = (context: HostChecksContext) => ({
  /** One page of the servers that are due, by id; `found` counts those that may not send. */
  async checkMailHosts({
    afterId,
  }: {
    afterId: number;
  }): Promise<{ nextId: number | null; found: number }> {
    const { db, clock } = context;
    const before = (seconds: number) => new Date(clock.now().getTime() - seconds * 1_000);
    const due = await listDueHosts(db, {
      afterId,
      limit: BATCH,
      heldBefore: before(HELD_SECONDS),
      otherBefore: before(OTHERS_SECONDS),
      listedBefore: before(LISTINGS_SECONDS),
    });
    const queue = new PQueue({ concurrency: AT_ONCE });
    const held = await queue.addAll(due.map((host) => () => checkHost(context, host)));
    return {
      nextId: due.length < BATCH ? null : due.at(-1)!.server.id,
      found: held.filter(Boolean).length,
    };
  },
});

/** A server that is held or in trouble, or that was never looked at, is due. */
export async function hasTroubledHost({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<boolean> {
  const heldBefore = new Date(clock.now().getTime() - HELD_SECONDS * 1_000);
  const longAgo = new Date(0);
  const due = await listDueHosts(db, {
    afterId: 0,
    limit: 1,
    heldBefore,
    otherBefore: longAgo,
    listedBefore: longAgo,
  });
  return due.length > 0;
}

async function checkHost(context: HostChecksContext, host: DueHost): Promise<boolean> {
  const { db, clock, config, dns, logger } = context;
  const { server, areListingsDue } = host;
  heartbeat();
  let isHeld = server.sending_hold !== null;
  let hasResumed = false;
  try {
    if (host.isRouteDue || host.isHealthDue) {
      ({ isHeld, hasResumed } = (await askHost(context, host)) ?? { isHeld, hasResumed });
    }
    if (areListingsDue && server.ipv4 !== null) {
      const { listings, unanswered } = await lookUpAddress(dns, config.DNSBL_ZONES, server.ipv4);
      // A list that does not answer takes nothing back.
      const kept = server.listings.filter(({ list }) => unanswered.includes(list));
      const listed = [...listings, ...kept];
      hasResumed = (await recordListings(db, server.id, listed, clock.now())) || hasResumed;
      isHeld ||= listed.length > 0;
    }
  } catch (error) {
    if (!isSilence(error)) throw error;
    logger.warn({ serverId: server.id, err: error }, 'the blocklists did not answer');
  }
  if (hasResumed && !isHeld) await wakeCampaignsOfServer(context, server.id);
  return isHeld;
}

/** Whether its messages can leave, and could not before; undefined: it did not answer, which is recorded. */
async function askHost(
  context: HostChecksContext,
  host: DueHost,
): Promise<{ isHeld: boolean; hasResumed: boolean } | undefined> {
  const { db, clock, logger } = context;
  const { server, isHealthDue } = host;
  try {
    const status = await pTimeout(context.mailHost.status(serverAccess(context, server)), {
      milliseconds: HOST_LIMIT_MS,
    });
    const { outbound25, smarthost, signs, program } = status;
    const route = { outbound25, usesSmarthost: smarthost !== null };
    const hasResumed = await recordOutgoingRoute(db, server.id, route, clock.now());
    const troubles = hostTroubles(status, clock.now());
    await recordHostHealth(db, server.id, { signs, troubles, program }, clock.now());
    return { isHeld: outbound25 === 'blocked' && smarthost === null, hasResumed };
  } catch (error) {
    if (!isSilence(error)) throw error;
    logger.warn({ serverId: server.id, err: error }, 'a mail host did not answer its check');
    if (isHealthDue) {
      const nothing = { signs: null, troubles: [UNREACHABLE] };
      await recordHostHealth(db, server.id, nothing, clock.now());
    }
    return undefined;
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof ProviderError || (error as Error).name === 'TimeoutError';
