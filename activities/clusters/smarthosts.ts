/** Applies the configured smarthost to running mail hosts, or removes it; started by a person. */
import { cancellationSignal } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import {
  listMailHostServers,
  type MailHostServer,
} from '../../src/db/clusters/mail-host-servers.ts';
import { recordOutgoingRoute } from '../../src/db/clusters/sending-holds.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { wakeCampaignsOfServer } from '../campaigns/wakes.ts';
import { serverAccess } from '../engine/access.ts';

type SmarthostsContext = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'mailHost' | 'logger' | 'temporal'
>;

/** Hosts per page: each is an SSH connection of its own. */
const PAGE = 10;

export const smarthostActivities = (context: SmarthostsContext) => ({
  /**
   * One page of hosts; a null `nextId` marks the last one. An unreachable host is recorded, never
   * thrown, so the others are still changed. Safe to repeat.
   */
  async setSmarthosts({
    clusterId,
    afterServerId,
    words,
  }: {
    clusterId?: number;
    afterServerId: number;
    words: { actor: string; reason: string };
  }): Promise<{ nextId: number | null }> {
    const page = { clusterId, afterServerId, limit: PAGE };
    const servers = await listMailHostServers(context.db, page);
    await Promise.all(
      servers.map(async (server) => {
        const detail = { serverId: server.id, ...(await setSmarthost(context, server)) };
        for (const operationId of server.operation_ids) {
          const event = { operationId, kind: 'smarthost_set', step: null, ...words } as const;
          await insertOperationEvent(context.db, { ...event, detail });
        }
      }),
    );
    return { nextId: servers.length < PAGE ? null : servers.at(-1)!.id };
  },
});

async function setSmarthost(
  context: SmarthostsContext,
  server: MailHostServer,
): Promise<{ sendsBy: string } | { error: string }> {
  try {
    const access = serverAccess(context, server);
    await context.mailHost.setWayOut(access, cancellationSignal());
    const { smarthost, outbound25 } = await context.mailHost.status(access);
    const route = { outbound25, usesSmarthost: smarthost !== null };
    const hasResumed = await recordOutgoingRoute(context.db, server.id, route, context.clock.now());
    if (hasResumed) await wakeCampaignsOfServer(context, server.id);
    if (smarthost === null) return { sendsBy: 'directly' };
    const { host, port, state } = smarthost;
    return { sendsBy: `${host}:${port} (${state})` };
  } catch (error) {
    // The worker is shutting down, the host has not failed: another worker repeats the page.
    cancellationSignal().throwIfAborted();
    if (error instanceof ProviderError) {
      const { message, facts } = error;
      return { error: [message, facts.operatorHint].filter(Boolean).join(' ') };
    }
    context.logger.error({ err: error, serverId: server.id }, 'a smarthost could not be set');
    return { error: 'It could not be set for a reason of ours; the log of the workers has it.' };
  }
}
