/** Name.com's records: domains sold, orders taken, DNS records. */
import { accountOf } from '../accounts.ts';
import type { Store } from '../store.ts';
import { delegationOf, type ZoneRecord, type ZoneRecordType, type ZoneSource } from '../zone.ts';

export interface SoldDomain {
  domain: string;
  /** ISO 8601 UTC, whole seconds, as the vendor writes them. */
  createdAt: string;
  expiresAt: string;
  orderId: number;
  privacyEnabled: boolean;
  /** Absent in records that were written before renewals existed. */
  autorenewEnabled?: boolean;
  nameservers: string[];
}

export interface Order {
  id: number;
  itemId: number;
  domain: string;
  kind: 'register' | 'renew';
  years: number;
  amountCents: number;
  at: string;
  refundedAt: string | null;
  /** Until then it is under way at the registry (epoch, ms). */
  startedUntilMs?: number;
  /** What the registry's refusal restores, and when (epoch, ms). */
  rejection?: { atMs: number; before: SoldDomain | null };
  isRejected?: boolean;
}

/** `host` is the label, `''` for the apex. */
export interface KeptRecord {
  id: number;
  domain: string;
  host: string;
  type: string;
  answer: string;
  ttl: number;
  priority?: number | undefined;
  changedAtMs: number;
}

/** What the account could spend when the sandbox began. */
const OPENING_BALANCE_CENTS = 10_000_000;

/** `success`, or how far an order is; the vendor also knows `initialized` and `review`. */
export function statusOf({ isRejected, startedUntilMs = 0 }: Order): string {
  if (isRejected) return 'failed';
  return startedUntilMs > Date.now() ? 'started' : 'success';
}

export type NamecomRecords = ReturnType<typeof openNamecomRecords>;

export function openNamecomRecords(store: Store) {
  const domains = () => store.list<SoldDomain>('namecom:domains');
  const orders = () => store.list<Order>('namecom:orders');
  const records = (domain?: string) =>
    store
      .list<KeptRecord>('namecom:records')
      .filter((record) => domain === undefined || record.domain === domain);
  const openingCents = () => accountOf(store, 'namecom').balanceCents ?? OPENING_BALANCE_CENTS;
  return {
    domains,
    orders,
    records,
    domain: (name: string) => store.get<SoldDomain>('namecom:domains', name),
    order: (id: number) => store.get<Order>('namecom:orders', String(id)),
    record: (id: number) => store.get<KeptRecord>('namecom:records', String(id)),
    saveDomain: (sold: SoldDomain) => store.put('namecom:domains', sold.domain, sold),
    saveOrder: (order: Order) => store.put('namecom:orders', String(order.id), order),
    saveRecord: (record: KeptRecord) => store.put('namecom:records', String(record.id), record),
    deleteRecord: (id: number) => store.delete('namecom:records', String(id)),
    deleteDomain(name: string) {
      for (const record of records(name)) store.delete('namecom:records', String(record.id));
      store.delete('namecom:domains', name);
    },
    /** The registry's refusals that have come since: the goods go, and so does the charge. */
    rejectDue() {
      for (const order of orders()) {
        if (!order.rejection || order.isRejected || order.rejection.atMs > Date.now()) continue;
        const { before } = order.rejection;
        store.batch(() => {
          store.put('namecom:orders', String(order.id), { ...order, isRejected: true });
          if (before) store.put('namecom:domains', before.domain, before);
          else store.delete('namecom:domains', order.domain);
        });
      }
    },
    nextId: (noun: 'order' | 'record') => FIRST_ID[noun] + store.nextId(`namecom:${noun}`),
    balanceCents: () =>
      orders()
        .filter((order) => order.refundedAt === null && !order.isRejected)
        .reduce((balance, order) => balance - order.amountCents, openingCents()),
    /** As `GET /_sandbox/books` shows them. */
    shown: () => ({
      domains: domains().map(({ domain, createdAt, expiresAt }) => ({
        domain,
        createdAt,
        expiresAt,
      })),
      orders: orders().map((order) => ({
        id: order.id,
        domain: order.domain,
        kind: order.kind,
        amountCents: order.amountCents,
        at: order.at,
        refundedAt: order.refundedAt,
        status: statusOf(order),
      })),
      records: records().map(({ domain, type, host, answer, priority, ttl }) => ({
        domain,
        type,
        name: host === '' ? '@' : host,
        value: textOf({ type, answer }),
        priority: priority ?? null,
        ttl,
      })),
    }),
  };
}

/** Ids look like a vendor's, not like a fresh start. */
const FIRST_ID = { order: 3_150_000, record: 261_000_000 };

export const fqdnOf = (record: { host: string; domain: string }): string =>
  record.host === '' ? record.domain : `${record.host}.${record.domain}`;

/** The sold domains as a zone of the world's DNS; lagging changes are not visible in it. */
export function namecomZone(vendorRecords: NamecomRecords, store: Store): ZoneSource {
  return {
    records: (name) =>
      store.asSeenOutside(() => {
        const sold = vendorRecords.domain(name);
        const delegation = sold ? delegationOf(name, sold.nameservers, sold.createdAt) : [];
        const kept = vendorRecords
          .records()
          .filter((record) => fqdnOf(record).toLowerCase() === name);
        return [...delegation, ...kept.map(toZoneRecord)];
      }),
    hasName: (name) =>
      store.asSeenOutside(
        () =>
          vendorRecords.domain(name) !== undefined ||
          vendorRecords
            .records()
            .some((record) => fqdnOf(record).toLowerCase().endsWith(`.${name}`)),
      ),
  };
}

const toZoneRecord = (record: KeptRecord): ZoneRecord => ({
  name: fqdnOf(record).toLowerCase(),
  type: record.type as ZoneRecordType,
  value: textOf(record),
  priority: record.priority,
  ttlSeconds: record.ttl,
  changedAtMs: record.changedAtMs,
});

/** A TXT answer in `"quoted" "pieces"` (for more than 255 bytes) is one string. */
const textOf = ({ type, answer }: Pick<KeptRecord, 'type' | 'answer'>): string =>
  type === 'TXT' ? txtStrings(answer).join('') : answer;

/** The strings of a TXT answer: its quoted pieces, or all of it. */
export function txtStrings(answer: string): string[] {
  if (!/^".*"$/s.test(answer)) return [answer];
  return [...answer.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, piece = '']) =>
    piece.replaceAll(/\\(.)/gs, '$1'),
  );
}
