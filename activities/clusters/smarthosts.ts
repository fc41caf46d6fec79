/** Brings mail hosts that run to the smarthost of the settings, or away from one; asked for by a person. */
import { cancellationSignal } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import {
  listMailHostServers,
  type MailHostServer,
} from '../../src/db/clusters/mail-host-servers.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { serverAccess } from '../engine/access.ts';

type SmarthostsContext = Pick<Context, 'db' | 'cipher' | 'mailHost' | 'logger'>;

/** Hosts that are asked at a time: each is an SSH connection of its own. */
const PAGE = 10;

export const smarthostActivities = (context: SmarthostsContext) => ({
  /**
   * One page of hosts; a null `nextId` says that it was the last one. A host that cannot be reached is
   * written down, never thrown: the others are brought along all the same. Safe to repeat.
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
    const { smarthost } = await context.mailHost.status(access);
    if (smarthost === null) return { sendsBy: 'directly' };
    const { host, port, state } = smarthost;
    return { sendsBy: `${host}:${port} (${state})` };
  } catch (error) {
    // A worker that stops has not been refused: another one does the page again.
    cancellationSignal().throwIfAborted();
    if (error instanceof ProviderError) {
      const { message, facts } = error;
      return { error: [message, facts.operatorHint].filter(Boolean).join(' ') };
    }
    context.logger.error({ err: error, serverId: server.id }, 'a smarthost could not be set');
    return { error: 'It could not be set for a reason of ours; the log of the workers has it.' };
  }
}
