/** What it takes to log in to a rented server. */
import type { Kysely } from 'kysely';
import type { Cipher } from '../../domain/cipher.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { Database } from '../tables.ts';
import type { Server } from './servers.ts';

/** What the sealed keys of a server are bound to. */
export const clientKeyBinding = (intentName: string) => `server:${intentName}:client`;
export const hostKeyBinding = (intentName: string) => `server:${intentName}:host`;

/** How to reach a server with the key that it is to have next; the caller has seen that there is one. */
export const serverAccessByNextKey = (context: { cipher: Cipher }, server: Server) =>
  serverAccess(context, { ...server, client_private_key: server.next_client_private_key! });

/** For the rebuild that has the server: nothing else logs in to it meanwhile. */
export const rebuildAccess = (context: { cipher: Cipher }, server: Server) =>
  serverAccess(context, { ...server, rebuild_operation_id: null });

/** The end of the message of whatever waits for such a server: its blocks are found by it. */
export const beingMadeAnew = (hostName: string) => `${hostName} is being made anew`;

/** Whether this is the message of something that waited for such a server, and none of that name is away any more. */
export async function isHostBack(db: Kysely<Database>, message: string): Promise<boolean> {
  if (!message.endsWith(beingMadeAnew(''))) return false;
  const away = await db
    .selectFrom('servers')
    .select('host_name')
    .where('status', '=', 'active')
    .where('rebuild_operation_id', 'is not', null)
    .execute();
  return !away.some(({ host_name }) => message.endsWith(beingMadeAnew(host_name)));
}

/** Throws `not_ready` while it has no address, and while it is being made anew. */
export function serverAccess(
  { cipher }: { cipher: Cipher },
  server: Server,
): { ipv4: string; sshPrivateKey: string; hostPublicKey: string } {
  const { ipv4, provider, intent_name, client_private_key } = server;
  if (ipv4 === null) {
    throw new ProviderError('not_ready', 'The server has no address yet', { provider });
  }
  if (server.rebuild_operation_id !== null) {
    throw new ProviderError('not_ready', beingMadeAnew(server.host_name), { provider });
  }
  return {
    ipv4,
    sshPrivateKey: cipher.open(client_private_key, clientKeyBinding(intent_name)),
    hostPublicKey: server.host_public_key,
  };
}
