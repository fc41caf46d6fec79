/** Porkbun's records: domains sold, orders paid from credit, DNS records. */
import { accountOf } from '../accounts.ts';
import type { Store } from '../store.ts';
import { delegationOf, type ZoneRecord, type ZoneRecordType, type ZoneSource } from '../zone.ts';

export interface SoldDomain {
  domain: string;
  /** ISO 8601 UTC, whole seconds. */
  createdAt: string;
  expiresAt: string;
  autoRenew: boolean;
  /** Off for domains that a person moved here: then the API cannot manage them. */
  apiAccess: boolean;
}

export interface Order {
  id: number;
  domain: string;
  kind: 'register' | 'renew';
  amountCents: number;
  at: string;
}

/** `label` is relative to the domain, `''` for the apex. */
export interface KeptRecord {
  id: string;
  domain: string;
  label: string;
  type: string;
  content: string;
  ttl: number;
  prio: number | null;
  changedAtMs: number;
}

/** Prepaid credit of the account when the sandbox began. */
const OPENING_BALANCE_CENTS = 10_000_000;
/** Ids look like a vendor's, not like a fresh start. */
const FIRST_ID = { order: 9_913_000, record: 506_500_000 };
/** Of every domain that is sold here. */
const NAME_SERVERS = ['curitiba', 'fortaleza', 'maceio', 'salvador'].map(
  (host) => `${host}.ns.porkbun.com`,
);
/** What the world's DNS does not serve: ALIAS and the types that are not resolved there. */
const SERVED = new Set<string>(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']);

export type PorkbunRecords = ReturnType<typeof openPorkbunRecords>;

export function openPorkbunRecords(store: Store) {
  const domains = () => store.list<SoldDomain>('porkbun:domains');
  const orders = () => store.list<Order>('porkbun:orders');
  const records = (domain?: string) =>
    store
      .list<KeptRecord>('porkbun:records')
      .filter((record) => domain === undefined || record.domain === domain);
  const openingCents = () => accountOf(store, 'porkbun').balanceCents ?? OPENING_BALANCE_CENTS;
  return {
    domains,
    orders,
    records,
    domain: (name: string) => store.get<SoldDomain>('porkbun:domains', name),
    record: (id: string) => store.get<KeptRecord>('porkbun:records', id),
    saveDomain: (sold: SoldDomain) => store.put('porkbun:domains', sold.domain, sold),
    saveOrder: (order: Order) => store.put('porkbun:orders', String(order.id), order),
    saveRecord: (record: KeptRecord) => store.put('porkbun:records', record.id, record),
    deleteRecord: (id: string) => store.delete('porkbun:records', id),
    nextId: (noun: 'order' | 'record') => FIRST_ID[noun] + store.nextId(`porkbun:${noun}`),
    balanceCents: () =>
      orders().reduce((balance, order) => balance - order.amountCents, openingCents()),
    /** As `GET /_sandbox/books` shows them; Porkbun's API refunds nothing. */
    shown: () => ({
      domains: domains().map(({ domain, createdAt, expiresAt }) => ({
        domain,
        createdAt,
        expiresAt,
      })),
      orders: orders().map((order) => ({ ...order, refundedAt: null })),
      records: records().map(({ domain, type, label, content, prio, ttl }) => ({
        domain,
        type,
        name: label === '' ? '@' : label,
        value: content,
        priority: prio,
        ttl,
      })),
    }),
  };
}

export const fqdnOf = (record: { label: string; domain: string }): string =>
  record.label === '' ? record.domain : `${record.label}.${record.domain}`;

/** The sold domains as a zone of the world's DNS; lagging changes are not visible in it. */
export function porkbunZone(vendorRecords: PorkbunRecords, store: Store): ZoneSource {
  return {
    records: (name) =>
      store.asSeenOutside(() => {
        const sold = vendorRecords.domain(name);
        const delegation = sold ? delegationOf(name, NAME_SERVERS, sold.createdAt) : [];
        const kept = vendorRecords
          .records()
          .filter((record) => SERVED.has(record.type) && fqdnOf(record) === name);
        return [...delegation, ...kept.map(toZoneRecord)];
      }),
    hasName: (name) =>
      store.asSeenOutside(
        () =>
          vendorRecords.domain(name) !== undefined ||
          vendorRecords.records().some((record) => fqdnOf(record).endsWith(`.${name}`)),
      ),
  };
}

const toZoneRecord = (record: KeptRecord): ZoneRecord => ({
  name: fqdnOf(record),
  type: record.type as ZoneRecordType,
  value: record.content,
  ...(record.prio !== null && { priority: record.prio }),
  ttlSeconds: record.ttl,
  changedAtMs: record.changedAtMs,
});
