/** The registry behind all registrars of the world: a name is registered once, by any of them. */
import { isMagic } from './magic-names.ts';
import type { Store } from './store.ts';

/** Where each registrar stores what it sold, by domain. */
const COLLECTIONS = ['namecom:domains', 'porkbun:domains'] as const;

/** Whether the name is taken for everybody. */
export const isRegistered = (store: Store, domain: string): boolean =>
  isMagic('taken', domain) ||
  COLLECTIONS.some((collection) => store.get(collection, domain) !== undefined);
