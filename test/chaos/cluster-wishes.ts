/** The orders of a drill's clients: clusters in all forms that the API offers, drawn by a seed. */
import { newDomain, type Account } from '../e2e/account.ts';
import { registrarNames, type RegistrarName } from '../support/vendors/registrar-world.ts';
import { seededRandom } from './seeded-random.ts';

/** Where a cluster's domain comes from; only one that is bought with it is paid with it. */
const ORIGINS = ['with the cluster', 'with the cluster', 'bought before', 'imported'] as const;
export type DomainOrigin = (typeof ORIGINS)[number];

export interface Wish {
  /** The order of the draw, from 0. */
  n: number;
  account: Account;
  domain: string;
  origin: DomainOrigin;
  /** Where the domain is bought before, or from where it is imported. */
  registrar: RegistrarName;
  useExistingVps: boolean;
  /** Whether the cluster is destroyed once it is active. */
  isDestroyed: boolean;
}

/** Prefixes of names that make vendors fail by themselves, for some of the orders. */
const PREFIXES = ['chaos', 'chaos', 'chaos', 'flaky', 'chaos', 'lost-answer', 'chaos', 'taken'];

/**
 * Each user's first cluster is plain and is kept, with the server that later ones may use. Every second
 * one of the others is destroyed.
 */
export function drawWishes(accounts: readonly Account[], clusters: number, seed: number): Wish[] {
  const random = seededRandom(seed + 1);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  return Array.from({ length: clusters }, (_, n) => {
    const account = accounts[n % accounts.length]!;
    const drawn = {
      origin: oneOf(ORIGINS),
      registrar: oneOf(registrarNames),
      useExistingVps: random() < 0.5,
      prefix: oneOf(PREFIXES),
    };
    const { prefix, ...form } = drawn;
    if (n < accounts.length) {
      const plain = { origin: ORIGINS[0], useExistingVps: false, isDestroyed: false };
      return { n, account, domain: newDomain('chaos'), ...form, ...plain };
    }
    // A name that is taken can be neither bought nor imported.
    const isOwned = form.origin !== 'with the cluster';
    const domain = newDomain(isOwned && prefix === 'taken' ? 'chaos' : prefix);
    return { n, account, domain, ...form, isDestroyed: n % 2 === 0 };
  });
}
