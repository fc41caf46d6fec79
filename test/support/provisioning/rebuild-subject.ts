/** A host that is made anew: one reinstall or none, and every message once. */
import type { Context } from '../../../src/context.ts';
import { getServer } from '../../../src/db/clusters/servers.ts';
import type { Flow } from './flow-subjects.ts';
import type { ProvisioningWorld } from './provisioning-world.ts';
import { order } from './server-subjects.ts';
import type { VendorPair } from './vendor-pairs.ts';

/** A server of its own, and how often its one message is there. */
interface Rented {
  at: Context;
  serverId: number;
  messages: () => Promise<number>;
}

interface Books {
  vps: Record<string, { servers: { id: string | number; reinstalls: number }[] }>;
}

export const rebuildFlow = (
  { context, sandbox }: ProvisioningWorld,
  rent: (name: string, vendors: VendorPair) => Promise<Rented>,
): Flow => ({
  isTeardown: false,
  finalStep: 'server_reinstall',
  pastPivot: ['first_boot', 'host_restore', 'host_verify', 'mta_sts_restore'],
  waits: ['server_reinstall', 'first_boot.system', 'first_boot.boot'],
  async prepare(name, vendors) {
    const { at, serverId, messages } = await rent(name, vendors);
    const before = await getServer(context.db, serverId);
    return {
      summary: `Rebuild ${before.host_name}`,
      ask: () => order(at, 'rebuild', serverId),
      async check({ state }) {
        const after = await getServer(context.db, serverId);
        const { vps } = (await sandbox.control('GET', '/books')).body as Books;
        const wiped = vps[before.provider]!.servers.find(
          ({ id }) => String(id) === before.external_id,
        )!.reinstalls;
        const kept = await messages().catch((error: Error) => error.message);
        return [
          ...(wiped === (state === 'succeeded' ? 1 : 0) ? [] : [`${state}, wiped ${wiped} times`]),
          ...(kept === 1 ? [] : [`messages: ${kept}`]),
          ...(after.sending_hold === null ? [] : [`held: ${after.sending_hold}`]),
          ...(after.ipv4 === before.ipv4 ? [] : ['it has another address']),
        ];
      },
    };
  },
});
