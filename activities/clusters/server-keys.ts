/**
 * Gives a server another key to log in with: the new one is put beside the old one and proven by a login, then
 * used, and only then is the old one taken off the host.
 */
import type { Context } from '../../src/context.ts';
import {
  dropNextClientKey,
  forgetOldClientKey,
  setNextClientKey,
  switchClientKey,
} from '../../src/db/clusters/server-keys.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { invalid } from '../../src/domain/errors.ts';
import { clientKeyBinding, serverAccess, serverAccessByNextKey } from '../engine/access.ts';
import { onStandingServer } from './teardown.ts';

interface ServerKeyStep {
  /** Whose step it is. */
  operationId: number;
  serverId: number;
}

type ServerKeysContext = Pick<Context, 'db' | 'cipher' | 'mailHost' | 'vps'>;

/** Each is safe to repeat; where the server is gone, its keys are gone with it. */
export const serverKeyActivities = (context: ServerKeysContext) => ({
  /** The row first: a key that reached the host is never lost. Proven by a login with the new key alone. */
  async allowServerKey({ serverId }: ServerKeyStep): Promise<void> {
    const before = await getServer(context.db, serverId);
    if (before.status !== 'active') throw invalid('INVALID_STATE', 'This server is not in use');
    // A late attempt, taken for dead: the switch has been made.
    if (before.old_client_public_key !== null) return;
    if (before.next_client_public_key === null) {
      const { client } = context.mailHost.makeKeys();
      await setNextClientKey(context.db, serverId, {
        sealedPrivateKey: context.cipher.seal(
          client.privateKey,
          clientKeyBinding(before.intent_name),
        ),
        publicKey: client.publicKey,
      });
    }
    const server = await getServer(context.db, serverId);
    const publicKey = server.next_client_public_key;
    // Another attempt, taken for dead, has switched meanwhile.
    if (publicKey === null) return;
    await context.mailHost.allowKey(serverAccess(context, server), publicKey);
    await context.mailHost.allowKey(serverAccessByNextKey(context, server), publicKey);
  },

  /** Undo: before the switch the new key goes; after it the old one does, as the row has the new one alone. */
  async withdrawServerKey({ serverId }: ServerKeyStep): Promise<void> {
    await removeOld(context, serverId);
    await onStandingServer(context, serverId, async (server) => {
      const publicKey = server.next_client_public_key;
      if (publicKey === null) return;
      await context.mailHost.removeKey(serverAccess(context, server), publicKey);
    });
    await dropNextClientKey(context.db, serverId);
  },

  switchServerKey: ({ serverId }: ServerKeyStep): Promise<void> =>
    switchClientKey(context.db, serverId),

  removeOldServerKey: ({ serverId }: ServerKeyStep): Promise<void> => removeOld(context, serverId),
});

/** By the new key, so that it is proven once more before the old one goes. */
async function removeOld(context: ServerKeysContext, serverId: number): Promise<void> {
  await onStandingServer(context, serverId, async (server) => {
    const publicKey = server.old_client_public_key;
    if (publicKey === null) return;
    await context.mailHost.removeKey(serverAccess(context, server), publicKey);
  });
  await forgetOldClientKey(context.db, serverId);
}
