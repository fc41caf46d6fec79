/** Brings the program of this release to a server, and judges the server by what it tells afterwards. */
import { cancellationSignal } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { recordHostHealth } from '../../src/db/clusters/host-health.ts';
import { getServer, type Server } from '../../src/db/clusters/servers.ts';
import { hostTroubles } from '../../src/domain/clusters/host-health.ts';
import { invalid, ProviderError } from '../../src/domain/errors.ts';
import { serverAccess } from '../engine/access.ts';
import { onStandingServer } from './teardown.ts';

interface ServerProgramStep {
  /** Whose step it is. */
  operationId: number;
  serverId: number;
}

type ServerProgramsContext = Pick<Context, 'db' | 'clock' | 'cipher' | 'mailHost' | 'vps'>;

/** Each is safe to repeat. */
export const serverProgramActivities = (context: ServerProgramsContext) => ({
  async putServerProgram({ serverId }: ServerProgramStep): Promise<void> {
    const server = await serverInUse(context, serverId);
    await context.mailHost.putProgram(serverAccess(context, server));
  },

  async installServerProgram({ serverId }: ServerProgramStep): Promise<void> {
    await install(context, await serverInUse(context, serverId));
  },

  /** Undo of both: the program of before sets up what it knows. */
  async restoreServerProgram({ serverId }: ServerProgramStep): Promise<void> {
    await onStandingServer(context, serverId, async (server) => {
      await context.mailHost.restoreProgram(serverAccess(context, server));
      await install(context, server);
      await lookAt(context, server);
    });
  },

  /** What is wrong may be so for a moment: it is asked again, and then a person is. */
  async verifyServerProgram({ serverId }: ServerProgramStep): Promise<void> {
    const server = await serverInUse(context, serverId);
    const { troubles, program } = await lookAt(context, server);
    if (program !== context.mailHost.program) throw unwell(server, 'it has another program');
    if (troubles.length > 0)
      throw unwell(server, troubles.map(({ message }) => message).join('; '));
    await context.mailHost.keepProgram(serverAccess(context, server));
  },
});

async function serverInUse({ db }: ServerProgramsContext, serverId: number): Promise<Server> {
  const server = await getServer(db, serverId);
  if (server.status !== 'active') throw invalid('INVALID_STATE', 'This server is not in use');
  return server;
}

/** What the host tells, which is kept in its row: above all which program it has. */
async function lookAt(context: ServerProgramsContext, server: Server) {
  const status = await context.mailHost.status(serverAccess(context, server));
  const now = context.clock.now();
  const found = {
    signs: status.signs,
    troubles: hostTroubles(status, now),
    program: status.program,
  };
  await recordHostHealth(context.db, server.id, found, now);
  return found;
}

const install = (context: ServerProgramsContext, server: Server): Promise<void> =>
  context.mailHost.install(serverAccess(context, server), server.host_name, cancellationSignal());

const unwell = (server: Server, why: string) =>
  new ProviderError('unavailable', `mail-host: ${server.host_name} is not well: ${why}`, {
    provider: 'mail-host',
    providerCode: 'unwell',
    operatorHint: 'Mend it and `retry`; `compensate` puts the program of before back.',
  });
