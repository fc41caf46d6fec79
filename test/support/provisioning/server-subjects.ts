/** The flow that changes a server's login key: what must be true of host and row when it has ended. */
import { serverAccess } from '../../../activities/engine/access.ts';
import type { Context } from '../../../src/context.ts';
import { getServer } from '../../../src/db/clusters/servers.ts';
import { awaitOperation } from '../../../src/services/operations/operations.ts';
import { orderServerWork } from '../../../src/transactions/server-work.ts';
import type { Flow } from './flow-subjects.ts';
import type { VendorPair } from './vendor-pairs.ts';

/** Each case has a server of its own. */
export const loginKeyFlow = (
  context: Context,
  rent: (name: string, vendors: VendorPair) => Promise<{ at: Context; serverId: number }>,
): Flow => ({
  isTeardown: false,
  async prepare(name, vendors) {
    const { at, serverId } = await rent(name, vendors);
    const before = await getServer(context.db, serverId);
    return {
      summary: `Change the login key of ${before.host_name}`,
      async ask() {
        const { RETRY_PACE, HEARTBEAT_TIMEOUT_SECONDS, BLOCKED_STEP_TIMEOUT_SECONDS } = at.config;
        const order = {
          job: 'rotate-ssh-key',
          serverId,
          requested: { actor: 'operator:test', reason: 'test' },
          requestKey: `rotate-ssh-key ${serverId}`,
          pace: {
            retryPace: RETRY_PACE,
            heartbeatSeconds: HEARTBEAT_TIMEOUT_SECONDS,
            blockedTimeoutSeconds: BLOCKED_STEP_TIMEOUT_SECONDS,
          },
        } as const;
        const operation = await at.db.transaction().execute((trx) => orderServerWork(trx, order));
        await at.startOperation(operation!);
        await awaitOperation(at, operation!.id, 60_000);
      },
      async check({ state }) {
        const row = await getServer(context.db, serverId);
        const isChanged = row.client_public_key !== before.client_public_key;
        const opens = (of: typeof row) =>
          context.mailHost.status(serverAccess(context, of)).then(
            () => true,
            () => false,
          );
        return [
          ...((await opens(row)) ? [] : ['the key in the row does not open the host']),
          ...(isChanged === (state === 'succeeded') ? [] : [`${state}, changed: ${isChanged}`]),
          ...(isChanged && (await opens(before)) ? ['the old key opens the host'] : []),
          ...(row.next_client_public_key === null ? [] : ['a key is still on its way']),
          ...(row.old_client_public_key === null ? [] : ['an old key is still to go']),
        ];
      },
    };
  },
});
