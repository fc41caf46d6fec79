/** Faults on demand: which one, if any, the next call of a vendor meets. */
import type { Store } from './store.ts';

export const VENDORS = [
  'namecom',
  'porkbun',
  'hetzner',
  'vultr',
  'stripe',
  'apify',
  'meta',
  'places',
  'hunter',
  'apollo',
  'reacher',
  'zerobounce',
  'anthropic',
  'openai',
  'acme',
  'google',
  'microsoft',
  'ssh',
  'smtp',
  'imap',
  'mx',
  'dns',
  'sites',
] as const;
export type Vendor = (typeof VENDORS)[number];

export const FAULT_KINDS = [
  'timeout_before_effect',
  'timeout_after_effect',
  'reset',
  'error_500',
  'rate_limited',
  'rejected',
  'auth',
  'slow',
  'lag',
  'fails_later',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * What the control API takes. `fails_later`: the answer is good, and what it began fails afterwards
 * (Hetzner's actions; Name.com's orders, which the registry rejects after `delayMs`). Without `times` a fault lasts until it is cleared.
 */
export interface FaultRequest {
  vendor: Vendor;
  /** "METHOD /path" as the vendor writes it: `POST /domains`, `GET /servers/{id}`, `POST /v1/*`. */
  operation?: string | undefined;
  kind: FaultKind;
  times?: number | undefined;
  /** 0..1; which calls are hit depends only on `seed` and their order. */
  probability?: number | undefined;
  seed?: number | undefined;
  /** How long `slow` waits, unless the fault is taken away before, or how late effects become visible (`lag`) or fail: real time. Default 2 s. */
  delayMs?: number | undefined;
}

export interface Fault extends FaultRequest {
  id: string;
  delayMs: number;
  /** Calls that were drawn (with a probability), and calls that were hit. */
  seen: number;
  hit: number;
}

export interface Faults {
  add(fault: FaultRequest): Fault;
  list(): Fault[];
  clear(): void;
  /** One that is not there is no error. */
  remove(id: string): void;
  /**
   * The fault that this call meets, counted as used; undefined = none. A fault about effects
   * (`timeout_after_effect`, `lag`) without an operation waits for a call that has one. A call with
   * several names passes all of them.
   */
  take(vendor: Vendor, operation: string | string[], hasEffect?: boolean): Fault | undefined;
}

const COLLECTION = 'faults';
const DEFAULT_DELAY_MS = 2_000;

/** Faults are in the journal, so that they survive a kill of the sandbox. */
export function createFaults(store: Store): Faults {
  const list = (): Fault[] => store.list<Fault>(COLLECTION);
  return {
    list,
    add(request) {
      const id = String(store.nextId(COLLECTION));
      const fault = {
        ...request,
        id,
        delayMs: request.delayMs ?? DEFAULT_DELAY_MS,
        seen: 0,
        hit: 0,
      };
      store.put(COLLECTION, id, fault);
      return fault;
    },
    clear() {
      for (const fault of list()) store.delete(COLLECTION, fault.id);
    },
    remove: (id) => store.delete(COLLECTION, id),
    take(vendor, operation, hasEffect = true) {
      for (const fault of list()) {
        if (fault.vendor !== vendor || spent(fault)) continue;
        if (!isAimedAt(fault, operation, hasEffect)) continue;
        const drawn = draw(fault);
        const after = { ...fault, seen: fault.seen + 1, hit: fault.hit + (drawn ? 1 : 0) };
        if (fault.times !== undefined || fault.probability !== undefined) {
          store.put(COLLECTION, fault.id, after);
        }
        if (drawn) return after;
      }
      return undefined;
    },
  };
}

function isAimedAt(fault: Fault, names: string | string[], hasEffect: boolean): boolean {
  const { operation } = fault;
  if (operation !== undefined) return [names].flat().some((n) => operationMatches(operation, n));
  return hasEffect || (fault.kind !== 'timeout_after_effect' && fault.kind !== 'lag');
}

const spent = (fault: Fault): boolean => fault.times !== undefined && fault.hit >= fault.times;

/** mulberry32 of seed and call number: the same sequence for the same seed. */
function draw(fault: Fault): boolean {
  if (fault.probability === undefined) return true;
  let state = ((fault.seed ?? 1) + Math.imul(fault.seen + 1, 0x6d2b79f5)) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32 < fault.probability;
}

/**
 * Whether "METHOD /path" is the one that `pattern` names. `{name}` and `:name` stand for one
 * segment, a `*` at the end for any rest; the vendor's base path may be written or left out;
 * a pattern without a method or without a path takes any.
 */
export function operationMatches(pattern: string, operation: string): boolean {
  const wanted = parse(pattern);
  const actual = parse(operation);
  if (wanted.method !== '' && wanted.method !== actual.method) return false;
  if (wanted.path === '') return true;
  const source = wanted.path
    .replace(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
    .replace(/\{[^}/]*\}/g, '[^/:]+')
    .replace(/\/:[A-Za-z]\w*/g, '/[^/:]+')
    .replace(/\*$/, '.*');
  return [actual.path, actual.path.replace(BASE_PATH, '')].some((path) =>
    new RegExp(`^${source}/?$`).test(path),
  );
}

/** Version prefixes of the vendors' base addresses. */
const BASE_PATH = /^\/(core\/v1|api\/json\/v3|api\/v1|v\d+(\.\d+)?)(?=\/)/;

function parse(operation: string): { method: string; path: string } {
  const [, method = '', path = ''] = /^\s*([A-Za-z_]*)\s*(\/?.*?)\s*$/.exec(operation) ?? [];
  return { method: method.toUpperCase(), path: path.split('?')[0]! };
}
