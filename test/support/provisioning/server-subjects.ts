/** The flows of a server in use: what must be true of host and row when they have ended. */
import { serverAccess } from '../../../activities/engine/access.ts';
import type { Context } from '../../../src/context.ts';
import { getServer } from '../../../src/db/clusters/servers.ts';
import type { ServerJob } from '../../../src/domain/clusters/server-flows.ts';
import { PROGRAM_PATH, shortDigest } from '../../../src/providers/mail-hosts/host-program.ts';
import { uploads } from '../../../src/providers/mail-hosts/program-upload.ts';
import { runCommand } from '../../../src/providers/mail-hosts/ssh.ts';
import { awaitOperation } from '../../../src/services/operations/operations.ts';
import { orderServerWork } from '../../../src/transactions/server-work.ts';
import type { Flow } from './flow-subjects.ts';
import type { VendorPair } from './vendor-pairs.ts';

/** Each case has a server of its own. Given up after the switch, the key stays changed. */
export const loginKeyFlow = (
  context: Context,
  rent: (name: string, vendors: VendorPair) => Promise<{ at: Context; serverId: number }>,
): Flow => ({
  isTeardown: false,
  pastPivot: ['server_key_remove'],
  async prepare(name, vendors) {
    const { at, serverId } = await rent(name, vendors);
    const before = await getServer(context.db, serverId);
    return {
      summary: `Change the login key of ${before.host_name}`,
      ask: () => order(at, 'rotate-ssh-key', serverId),
      async check({ state, kind, at: place }) {
        const row = await getServer(context.db, serverId);
        const isSwitched = place.startsWith('server_key_remove') || state === 'succeeded';
        // The switch itself goes through, or not, where it is cancelled while it runs.
        const isOpen = kind === 'cancelled' && place === 'server_key_switch';
        const isChanged = row.client_public_key !== before.client_public_key;
        const opens = (of: typeof row) =>
          context.mailHost.status(serverAccess(context, of)).then(
            () => true,
            () => false,
          );
        return [
          ...((await opens(row)) ? [] : ['the key in the row does not open the host']),
          ...(isOpen || isChanged === isSwitched ? [] : [`${state}, changed: ${isChanged}`]),
          ...(isChanged && (await opens(before)) ? ['the old key opens the host'] : []),
          ...(row.next_client_public_key === null ? [] : ['a key is still on its way']),
          ...(row.old_client_public_key === null ? [] : ['an old key is still to go']),
        ];
      },
    };
  },
});

/** The host has an older program before, and has it again where the upgrade is given up. */
export const upgradeFlow = (
  context: Context,
  rent: (name: string, vendors: VendorPair) => Promise<{ at: Context; serverId: number }>,
): Flow => ({
  isTeardown: false,
  async prepare(name, vendors) {
    const { at, serverId } = await rent(name, vendors);
    const server = await getServer(context.db, serverId);
    const older = await giveOlderProgram(context, serverId);
    return {
      summary: `Upgrade the program of ${server.host_name}`,
      ask: () => order(at, 'upgrade', serverId),
      async check({ state, kind, at: place }) {
        const { program, hostName } = await context.mailHost.status(serverAccess(context, server));
        const wanted = state === 'succeeded' ? context.mailHost.program : older;
        // Its last act forgets the program of before: cancelled in it, there may be none to put back.
        const isKept = kind === 'cancelled' && place === 'host_verify';
        const isRight = program === wanted || (isKept && program === context.mailHost.program);
        return [
          ...(isRight ? [] : [`${state}, and the host has the program ${program}`]),
          ...(hostName === server.host_name ? [] : ['the host is not installed']),
        ];
      },
    };
  },
});

/** Puts another program than this release's on a simulated host; its digest, as the host tells it. */
export async function giveOlderProgram(context: Context, serverId: number): Promise<string> {
  const older = `#!/bin/sh\n# The program of an earlier release, of server ${serverId}.\n`;
  const access = serverAccess(context, await getServer(context.db, serverId));
  const { PROVIDER_TIMEOUT_SECONDS, OUTBOUND_PROXY: outboundProxy } = context.config;
  const tools = { timeoutMs: PROVIDER_TIMEOUT_SECONDS * 1_000, outboundProxy };
  const { put, keep } = uploads(PROGRAM_PATH, older);
  for (const line of [put, keep]) {
    const { exitCode } = await runCommand(access, { ...line, limitMs: 30_000 }, tools);
    if (exitCode !== 0) throw new Error('The host did not take the older program');
  }
  await context.db
    .updateTable('servers')
    .set({ program: shortDigest(older) })
    .where('id', '=', serverId)
    .execute();
  return shortDigest(older);
}

/** As `outreach hosts` orders it, and waits for its end. */
export async function order(at: Context, job: ServerJob, serverId: number): Promise<void> {
  const { RETRY_PACE, HEARTBEAT_TIMEOUT_SECONDS, BLOCKED_STEP_TIMEOUT_SECONDS } = at.config;
  const wanted = {
    job,
    serverId,
    requested: { actor: 'operator:test', reason: 'test' },
    requestKey: `${job} ${serverId}`,
    pace: {
      retryPace: RETRY_PACE,
      heartbeatSeconds: HEARTBEAT_TIMEOUT_SECONDS,
      blockedTimeoutSeconds: BLOCKED_STEP_TIMEOUT_SECONDS,
    },
  };
  const operation = await at.db.transaction().execute((trx) => orderServerWork(trx, wanted));
  await at.startOperation(operation!);
  await awaitOperation(at, operation!.id, 60_000);
}
