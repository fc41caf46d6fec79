/**
 * Converts DNS records to and from Porkbun's form: it takes the label, and answers full names and
 * strings.
 */
import { z } from 'zod';
import { DNS_RECORD_TYPES, type DnsRecordType } from '../../domain/domains/dns-plan.ts';
import { normalCaa } from '../../domain/domains/caa-value.ts';
import { joinedText } from '../../domain/domains/txt-value.ts';
import type { JsonClient } from '../http-client.ts';
import { ask, domainPath, whenRefusedWith } from './porkbun-client.ts';
import type { DnsRecord, DnsRecordInput } from './port.ts';

export const RECORD_TYPES: readonly DnsRecordType[] = DNS_RECORD_TYPES;

/** The usual minimum of an account, in seconds; what is below is refused. */
const MIN_TTL = 600;

const numeric = z.union([z.string().regex(/^\d+$/), z.int()]);
const id = numeric.transform(String);
const number = numeric.transform(Number);

export const recordAnswer = z.object({
  id,
  /** Fully qualified: `www.example.com`, or the domain itself for the apex. */
  name: z.string(),
  /** ALIAS and unknown types are kept as they are. */
  type: z.string(),
  content: z.string(),
  ttl: number,
  prio: z.union([z.literal(''), number]).nullish(),
});

/** All records come in one answer. */
export async function listRecords(client: JsonClient, domain: string): Promise<DnsRecord[]> {
  const { records } = await ask(client, {
    path: domainPath('/dns/retrieve', domain),
    repeatable: true,
    answer: z.object({ records: z.array(recordAnswer) }),
  });
  return records.map((record) => fromRecord(domain, record));
}

/** Repeatable: callers list and merge first, and an exact duplicate is refused because it exists. */
export async function createRecord(
  client: JsonClient,
  domain: string,
  record: DnsRecordInput,
): Promise<DnsRecord> {
  try {
    const created = await ask(client, {
      path: domainPath('/dns/create', domain),
      body: toRecord(record),
      repeatable: true,
      answer: z.object({ id }),
    });
    return shown(created.id, record);
  } catch (error) {
    const isDouble = whenRefusedWith(/^DUPLICATE_RECORD/, true)(error);
    const listed = isDouble ? await listRecords(client, domain) : [];
    const twin = listed.find((other) => isTwin(other, record));
    if (twin) return twin;
    throw error;
  }
}

/** The vendor's answer holds no record. */
export async function updateRecord(
  client: JsonClient,
  { domain, recordId }: { domain: string; recordId: string },
  record: DnsRecordInput,
): Promise<DnsRecord> {
  await ask(client, {
    path: `${domainPath('/dns/edit', domain)}/${encodeURIComponent(recordId)}`,
    body: toRecord(record),
    repeatable: true,
    answer: z.unknown(),
  });
  return shown(recordId, record);
}

export async function deleteRecord(
  client: JsonClient,
  { domain, recordId }: { domain: string; recordId: string },
): Promise<void> {
  await ask(client, {
    path: `${domainPath('/dns/delete', domain)}/${encodeURIComponent(recordId)}`,
    repeatable: true,
    answer: z.unknown(),
  }).catch(whenRefusedWith(/^INVALID_RECORD_ID/, undefined));
}

/**
 * The vendor's body: the label alone, blank for the apex. A long TXT is sent as one string, which the
 * vendor cuts into pieces itself (so does DNSControl, providers/porkbun); weight, port and target of an
 * SRV are its content.
 */
export function toRecord(record: DnsRecordInput) {
  return {
    name: record.name === '@' ? '' : record.name,
    type: record.type,
    content: record.value,
    ttl: ttlOf(record),
    ...(hasPriority(record.type) && { prio: record.priority ?? 0 }),
  };
}

export function fromRecord(domain: string, record: z.infer<typeof recordAnswer>): DnsRecord {
  const type = record.type as DnsRecordType;
  return {
    id: record.id,
    type,
    name: labelIn(domain, record.name),
    value: valueOf(type, record.content),
    ttl: record.ttl,
    ...(hasPriority(type) && { priority: Number(record.prio ?? 0) }),
  };
}

/** A CAA's value may come without its quotes. */
function valueOf(type: DnsRecordType, content: string): string {
  if (type === 'TXT') return joinedText(content);
  return type === 'CAA' ? normalCaa(content) : content;
}

/** `WWW.example.com.` -> `www`; the domain itself -> `@`. */
function labelIn(domain: string, name: string): string {
  const full = name.toLowerCase().replace(/\.$/, '');
  if (full === domain || full === '') return '@';
  return full.endsWith(`.${domain}`) ? full.slice(0, -domain.length - 1) : full;
}

const hasPriority = (type: DnsRecordType) => type === 'MX' || type === 'SRV';

const ttlOf = (record: DnsRecordInput) => Math.max(MIN_TTL, record.ttl ?? MIN_TTL);

const shown = (recordId: string, { type, name, value, ...record }: DnsRecordInput): DnsRecord => ({
  id: recordId,
  type,
  name,
  value,
  ttl: ttlOf({ type, name, value, ...record }),
  ...(hasPriority(type) && { priority: record.priority ?? 0 }),
});

const isTwin = (other: DnsRecord, record: DnsRecordInput): boolean =>
  other.type === record.type && other.name === record.name && other.value === record.value;
