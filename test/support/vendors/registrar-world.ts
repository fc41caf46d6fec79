/** Every registrar of the registry at its stand-in, with the stand-in's records. */
import type { Registrar } from '../../../src/providers/registrars/port.ts';
import { registrars } from '../../../src/providers/registrars/index.ts';
import type { Vendor } from '../../../src/providers/vendor.ts';
import { registrarAccounts } from '../../../src/sandbox/registrar-accounts.ts';
import type { MailWorld } from '../mail/mail-world.ts';

export type RegistrarName = keyof typeof registrars;

const vendors: Record<RegistrarName, Vendor<string, Registrar>> = { ...registrars };

/** Registering a new registrar is enough for it to be tested. */
export const registrarNames = Object.keys(vendors) as RegistrarName[];

export interface RegistrarOptions {
  /** Settings that differ from those of the world. */
  changed?: Record<string, string>;
  timeoutMs?: number;
}

/** The adapter as the product would configure it in this world. */
export function registrarAt(
  world: { sandbox(): { url: string } },
  name: RegistrarName,
  { changed = {}, timeoutMs = 10_000 }: RegistrarOptions = {},
): Registrar {
  const vendor = vendors[name];
  const environment = registrarAccounts(world.sandbox().url);
  const state = vendor.configure({ ...environment, ...changed });
  if (state.state !== 'on') throw new Error(`${name} has no account in the world`);
  return state.create({ timeoutMs, outboundProxy: undefined });
}

/** Settings in which each secret of a registrar is wrong. */
export function wrongSecrets(name: RegistrarName): Record<string, string> {
  const secrets = vendors[name].variables.filter((v) => /_(TOKEN|KEY|SECRET)$/.test(v));
  return Object.fromEntries(secrets.map((v) => [v, 'wrong-secret']));
}

export interface KeptOrder {
  domain: string;
  kind: string;
  amountCents: number;
}

export async function ordersOf(
  world: MailWorld,
  name: RegistrarName,
  domain: string,
): Promise<KeptOrder[]> {
  const { body } = await world.control('GET', '/books');
  const all = body.registrars[name].orders as KeptOrder[];
  return all.filter((order) => order.domain === domain);
}

/**
 * The operation of the vendor's call that does the work of `act`: the one whose answer holds `mark` (an
 * order's id), else the last one. Learned from its log, so that no table has to be maintained.
 */
export async function learnOperation(
  world: MailWorld,
  name: RegistrarName,
  act: () => Promise<string | undefined>,
): Promise<string> {
  const calls = async () => {
    const { body } = await world.control('GET', `/requests?vendor=${name}`);
    return body.requests as { id: number; method: string; path: string; answer: unknown }[];
  };
  const before = (await calls()).at(-1)?.id ?? 0;
  const mark = await act();
  const made = (await calls()).filter((call) => call.id > before);
  const marked = made.filter((call) => mark && JSON.stringify(call.answer)?.includes(mark));
  const call = marked[0] ?? made.at(-1)!;
  return `${call.method} ${call.path}`;
}
