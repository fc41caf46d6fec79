/** Finds the vendor behind a row and opens the secrets that are needed to reach it. */
import type { Context } from '../../src/context.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import type { VpsProvider } from '../../src/providers/vps/port.ts';

export { dkimBinding } from '../../src/db/domains/dkim-keys.ts';
export {
  clientKeyBinding,
  hostKeyBinding,
  rebuildAccess,
  serverAccess,
  serverAccessByNextKey,
} from '../../src/db/clusters/server-access.ts';

export const registrarOf = (context: Pick<Context, 'registrars'>, name: string): Registrar =>
  context.registrars[name] ?? switchedOff(name);

export const vpsOf = (context: Pick<Context, 'vps'>, name: string): VpsProvider =>
  context.vps[name] ?? switchedOff(name);

function switchedOff(provider: string): never {
  throw new ProviderError('auth', `The provider ${provider} is not configured`, {
    provider,
    operatorHint: `Set the variables of ${provider} (see .env.example) and restart the workers.`,
  });
}
