/** Converts DNS records between Name.com's form and the inner form of the port. */
import { z } from 'zod';
import { DNS_RECORD_TYPES, type DnsRecordType } from '../../domain/domains/dns-plan.ts';
import { joinedText, txtPieces } from '../../domain/domains/txt-value.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { DnsRecord, DnsRecordInput } from './port.ts';

/** The vendor's API has no CAA records (OpenAPI 1.33, `Record`). */
export const RECORD_TYPES: readonly DnsRecordType[] = DNS_RECORD_TYPES.filter(
  (type) => type !== 'CAA',
);

/** The vendor's minimum, in seconds. */
const MIN_TTL = 300;

export const recordAnswer = z.object({
  id: z.int(),
  /** Null, empty or `@` for the apex. */
  host: z.string().nullish(),
  /** ANAME and unknown types are kept as they are. */
  type: z.string(),
  answer: z.string(),
  ttl: z.int(),
  priority: z.int().nullish(),
});

/**
 * The vendor's body for a new record; SRV has its priority in its own field, weight and port in the
 * answer. `rejected` for a type that the vendor does not hold: it is not asked.
 */
export function toRecord(record: DnsRecordInput) {
  if (!RECORD_TYPES.includes(record.type)) {
    throw new ProviderError('rejected', `namecom: holds no ${record.type} records`, {
      provider: 'namecom',
    });
  }
  return {
    host: record.name === '@' ? '' : record.name,
    type: record.type,
    answer: record.type === 'TXT' ? txtAnswer(record.value) : record.value,
    ttl: Math.max(MIN_TTL, record.ttl ?? MIN_TTL),
    ...(record.priority !== undefined && { priority: record.priority }),
  };
}

export function fromRecord(record: z.infer<typeof recordAnswer>): DnsRecord {
  const type = record.type as DnsRecordType;
  const hasPriority = type === 'MX' || type === 'SRV';
  return {
    id: String(record.id),
    type,
    name: record.host || '@',
    value: type === 'TXT' ? joinedText(record.answer) : record.answer,
    ttl: record.ttl,
    ...(hasPriority && { priority: record.priority ?? 0 }),
  };
}

/**
 * A value over 255 bytes travels as quoted pieces. The vendor does not document it; this is the
 * form that DNSControl (StackExchange/dnscontrol, providers/namedotcom) sends and reads there.
 */
function txtAnswer(value: string): string {
  const pieces = txtPieces(value);
  if (pieces.length === 1) return value;
  return pieces.map((piece) => `"${piece.replaceAll(/["\\]/g, '\\$&')}"`).join(' ');
}
