/** A worker that dies between a vendor's effect and its own record of it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '../../../src/context.ts';

/** The operations of all ports that change something outside. */
const EFFECTS: ReadonlySet<string> = new Set([
  'register',
  'renew',
  'createRecord',
  'updateRecord',
  'deleteRecord',
  'create',
  'setReverseDns',
  'destroy',
  'install',
  'addDomain',
  'removeDomain',
  'setMailbox',
  'removeMailbox',
  'reinstall',
  'stopMail',
  'startMail',
  'saveHost',
  'closeMail',
  'takeBackup',
  'mergeBackup',
  'openMail',
  'revoke',
]);

const dying = new AsyncLocalStorage<{ isDead: boolean }>();

/** The same context, whose vendors end the work of `untilEffect` after their first effect. */
export function withDeaths(context: Context): Context {
  const { registrars, vps, mailHost, mailboxOauth } = context;
  return {
    ...context,
    registrars: each(registrars),
    vps: each(vps),
    mailHost: mortal(mailHost),
    mailboxOauth: each(mailboxOauth),
  };
}

/** Runs `work` until a vendor had an effect for it; `isDead` where it got no further than that. */
export async function untilEffect(
  work: () => Promise<unknown>,
): Promise<{ isDead: boolean; answer?: unknown }> {
  const life = { isDead: false };
  try {
    const answer = await dying.run(life, work);
    return { ...life, answer };
  } catch (error) {
    if (!life.isDead) throw error;
    return life;
  }
}

const each = <T extends object>(ports: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, mortal(port)]));

/** Not a ProviderError: the product must not handle it. */
function mortal<T extends object>(port: T): T {
  const methods = Object.entries(port).map(([name, method]) => {
    if (!EFFECTS.has(name)) return [name, method];
    const call = method as (...args: unknown[]) => Promise<unknown>;
    const last = async (...args: unknown[]) => {
      const answer = await call(...args);
      const life = dying.getStore();
      if (!life) return answer;
      life.isDead = true;
      throw new Error('injected: the worker died before it could note this');
    };
    return [name, last];
  });
  return Object.fromEntries(methods) as T;
}
