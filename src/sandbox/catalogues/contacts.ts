/** The people whom the contact finders know. */
import { z } from 'zod';
import type { Store } from '../store.ts';
import { fold } from './words.ts';

const text = z.string().nullish();
const domain = z
  .string()
  .min(1)
  .transform((name) => name.toLowerCase().replace(/^www\./, ''));

export const contactSchema = z.looseObject({
  domain,
  firstName: text,
  lastName: text,
  /** A finder may know a person without the address. */
  email: z.email().nullish(),
  position: text,
  confidence: z.int().min(0).max(100).nullish(),
  phone: text,
  linkedin: text,
  /** The finder's own verification: `valid`, `accept_all`, `unknown`, `invalid`. */
  verification: text,
  /** Asked not to be processed. */
  optedOut: z.boolean().optional(),
  /** Which finders know the person; all, if it is left out. */
  finders: z.array(z.enum(['hunter', 'apollo'])).optional(),
});
export type KnownContact = z.infer<typeof contactSchema>;
export type Finder = 'hunter' | 'apollo';

export interface Contacts {
  put(contacts: KnownContact[]): void;
  clear(): void;
  /** People from the control API. */
  given(): KnownContact[];
  /**
   * The people that a finder knows at a domain: from the control API if there are any, else the world's
   * own.
   */
  at(finder: Finder, domain: string): KnownContact[];
  /** All that a finder knows, those of the control API first. */
  all(finder: Finder): KnownContact[];
}

const COLLECTION = 'contacts';

export const nameOf = ({ firstName, lastName }: KnownContact): string =>
  [firstName, lastName].filter((part) => part != null && part !== '').join(' ');

/** Identifies a person across calls: by address or, without one, by name. */
export const keyOf = (contact: KnownContact): string =>
  `${contact.domain} ${(contact.email ?? fold(nameOf(contact))).toLowerCase()}`;

export function openContacts(store: Store, generated: KnownContact[]): Contacts {
  const given = () => store.list<KnownContact>(COLLECTION);
  const own = groupByDomain(generated);
  // Rebuilt after each change: finders are asked for thousands of domains, one by one.
  let byDomain: Map<string, KnownContact[]> | undefined;
  const isKnownTo = (finder: Finder) => (contact: KnownContact) =>
    contact.finders?.includes(finder) ?? true;
  return {
    given,
    put(contacts) {
      byDomain = undefined;
      store.batch(() => {
        for (const contact of contacts) store.put(COLLECTION, keyOf(contact), contact);
      });
    },
    clear() {
      byDomain = undefined;
      store.batch(() => {
        for (const contact of given()) store.delete(COLLECTION, keyOf(contact));
      });
    },
    at(finder, domain) {
      byDomain ??= groupByDomain(given());
      return (byDomain.get(domain) ?? own.get(domain) ?? []).filter(isKnownTo(finder));
    },
    all: (finder) => [...given(), ...generated].filter(isKnownTo(finder)),
  };
}

function groupByDomain(contacts: KnownContact[]): Map<string, KnownContact[]> {
  const groups = new Map<string, KnownContact[]>();
  for (const contact of contacts) {
    const group = groups.get(contact.domain) ?? [];
    groups.set(contact.domain, group);
    group.push(contact);
  }
  return groups;
}
