/** Saves what is on mail hosts alone: mail, certificates. Needs no worker, so that it may run while there is none. */
import type { Context } from '../../context.ts';
import { listHostsDue } from '../../db/clusters/host-work.ts';
import { serverAccess } from '../../db/clusters/server-access.ts';
import { backupBinding, backupName } from '../../domain/clusters/host-backup.ts';
import { notFound, ProviderError } from '../../domain/errors.ts';

export interface HostBackedUp {
  serverId: number;
  host: string;
  /** The file's name; null: there is none, and `error` says why. */
  backup: string | null;
  error: string | null;
}

const PAGE = 50;

/**
 * One host after the other; one that fails stops no other. Throws not_found where no active cluster is on the server
 * that was asked for.
 */
export async function backUpHosts(
  context: Pick<Context, 'db' | 'clock' | 'cipher' | 'mailHost' | 'hostBackups'>,
  serverId: number | undefined,
  onProgress: (host: HostBackedUp) => void,
): Promise<HostBackedUp[]> {
  const done: HostBackedUp[] = [];
  for (let afterServerId = 0; ;) {
    const page = await listHostsDue(context.db, { afterServerId, serverId, limit: PAGE });
    for (const server of page) {
      const name = backupName(server, context.clock.now());
      const backup = { name, boundTo: backupBinding(server.intent_name) };
      const line = { serverId: server.id, host: server.host_name };
      const result = await Promise.resolve()
        .then(() =>
          context.mailHost.saveHost(serverAccess(context, server), 'running', (content) =>
            context.hostBackups.keep(backup, content),
          ),
        )
        .then(
          () => ({ ...line, backup: name, error: null }),
          (error: unknown) => {
            if (!(error instanceof ProviderError)) throw error;
            return { ...line, backup: null, error: error.message };
          },
        );
      done.push(result);
      onProgress(result);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    afterServerId = last.id;
  }
  if (serverId !== undefined && done.length === 0) throw notFound('mail host');
  return done;
}
