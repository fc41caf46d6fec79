/** The calls that the vendors received: each with its answer, secrets replaced, kept over restarts. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultKind, Vendor } from './faults.ts';

export interface LoggedRequest {
  id: number;
  /** ISO 8601 UTC. */
  at: string;
  vendor: Vendor;
  method: string;
  /** The vendor's own path, with its base path and query. */
  path: string;
  headers: Record<string, string>;
  body: unknown;
  /** null: the caller never got an answer. */
  status: number | null;
  answer: unknown;
  /** The fault or magic name that this call met. */
  fault?: FaultKind | undefined;
}

export interface RequestLog {
  add(request: Omit<LoggedRequest, 'id' | 'at'>): void;
  /** `since`: ISO time or an id; the entries after it. */
  list(filter?: { vendor?: string | undefined; since?: string | undefined }): LoggedRequest[];
}

/** The most entries of each vendor; older ones are dropped, since the log is for recent calls. */
const MAX_ENTRIES = 5_000;

export function openRequestLog(stateDir: string): RequestLog {
  const path = join(stateDir, 'requests.jsonl');
  const byVendor = new Map<string, LoggedRequest[]>();
  const keep = (entry: LoggedRequest): void => {
    const entries = byVendor.get(entry.vendor) ?? [];
    entries.push(entry);
    const isFull = entries.length > 2 * MAX_ENTRIES;
    byVendor.set(entry.vendor, isFull ? entries.slice(-MAX_ENTRIES) : entries);
  };
  const inOrder = (lists: LoggedRequest[][]) => lists.flat().toSorted((a, b) => a.id - b.id);
  for (const entry of readEntries(path)) keep(entry);
  const kept = inOrder([...byVendor.values()].map((entries) => entries.slice(-MAX_ENTRIES)));
  writeFileSync(path, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
  let lastId = kept.at(-1)?.id ?? 0;
  return {
    add(request) {
      lastId += 1;
      const { path: asked, headers, body, answer, ...rest } = request;
      const entry: LoggedRequest = {
        ...rest,
        path: redact(asked) as string,
        id: lastId,
        at: new Date().toISOString(),
        headers: redact(headers) as Record<string, string>,
        body: redact(body),
        answer: redact(answer),
      };
      appendFileSync(path, `${JSON.stringify(entry)}\n`);
      keep(entry);
    },
    list: ({ vendor, since } = {}) =>
      (vendor === undefined
        ? inOrder([...byVendor.values()])
        : (byVendor.get(vendor) ?? [])
      ).filter((entry) => since === undefined || isAfter(entry, since)),
  };
}

function readEntries(path: string): LoggedRequest[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as LoggedRequest];
      } catch {
        return []; // an empty or torn line
      }
    });
}

const isAfter = (entry: LoggedRequest, since: string): boolean =>
  /^\d+$/.test(since) ? entry.id > Number(since) : Date.parse(entry.at) > Date.parse(since);

const SECRET_NAME = /authorization|cookie|password|secret|token|private|api[-_]?key/i;
const PRIVATE_KEY = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?-----END \1-----/g;

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (text: string): string => Buffer.from(text, 'base64').toString();
/** Twelve characters: the prefix of every such text, whatever follows. */
const CLOUD_CONFIG = encoded('#cloud-confi');

/** Where vendors accept or put a credential in an address. */
const SECRET_IN_QUERY = /([?&](?:access_token|api_key|token|key)=)[^&\s"]+/g;

/**
 * A copy with the values of secret names, and private keys and credentials of addresses inside
 * any text, replaced by `***`.
 */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') {
    // User-data in Vultr's encoding: it contains the host's key, too.
    if (value.startsWith(CLOUD_CONFIG)) return encoded(redact(decoded(value)) as string);
    return value.replace(PRIVATE_KEY, '***').replace(SECRET_IN_QUERY, '$1***');
  }
  if (Array.isArray(value)) return value.map(redact);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && typeof inner === 'string' ? '***' : redact(inner),
    ]),
  );
}
