/** Finds the vendor behind a row and opens the secrets that are needed to reach it. */
import type { Context } from '../src/context.ts';
import type { Server } from '../src/db/servers.ts';
import { ProviderError } from '../src/domain/errors.ts';
import type { ServerAccess } from '../src/providers/mail-hosts/port.ts';
import type { Registrar } from '../src/providers/registrars/port.ts';
import type { VpsProvider } from '../src/providers/vps/port.ts';

/** What the sealed keys of a server are bound to. */
export const clientKeyBinding = (intentName: string) => `server:${intentName}:client`;
export const hostKeyBinding = (intentName: string) => `server:${intentName}:host`;
/** What the sealed DKIM key of a domain is bound to. */
export const dkimBinding = (domainId: number) => `domain:${domainId}:dkim`;

export const registrarOf = (context: Pick<Context, 'registrars'>, name: string): Registrar =>
  context.registrars[name] ?? switchedOff(name);

export const vpsOf = (context: Pick<Context, 'vps'>, name: string): VpsProvider =>
  context.vps[name] ?? switchedOff(name);

/** How to reach a server; throws while it has no address. */
export function serverAccess(context: Pick<Context, 'cipher'>, server: Server): ServerAccess {
  if (server.ipv4 === null) {
    throw new ProviderError('not_ready', 'The server has no address yet', {
      provider: server.provider,
    });
  }
  return {
    ipv4: server.ipv4,
    sshPrivateKey: context.cipher.open(
      server.client_private_key,
      clientKeyBinding(server.intent_name),
    ),
    hostPublicKey: server.host_public_key,
  };
}

function switchedOff(provider: string): never {
  throw new ProviderError('auth', `The provider ${provider} is not configured`, {
    provider,
    operatorHint: `Set the variables of ${provider} (see .env.example) and restart the workers.`,
  });
}
