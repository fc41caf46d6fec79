/** DNS records from clients, normalised. Spec: Domains; choice 24. */
import { isIPv4, isIPv6 } from 'node:net';
import type { PlannedRecord } from '../../domain/domains/dns-plan.ts';
import { normalCaa, parseCaa } from '../../domain/domains/caa-value.ts';
import { validationError } from '../../domain/errors.ts';
import { joinedText } from '../../domain/domains/txt-value.ts';

/** Labels, `@` or a wildcard; underscores belong to services (RFC 8552). */
const LABELS =
  /^(@|\*|(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*)$/;
const HOST =
  /^(?=.{1,253}\.?$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const MAX_16_BIT = 65_535;

/** Used where a type has a priority and none is given. Choice 24. */
const DEFAULT_PRIORITY: Partial<Record<PlannedRecord['type'], number>> = { MX: 10, SRV: 0 };

/**
 * Relative name, default priority (none where the type has none), a value that fits the type; a TXT in
 * quoted pieces becomes one text, so that comparisons see its content, not its quotes. Throws
 * VALIDATION_ERROR naming the field.
 */
export function normalRecord(record: PlannedRecord, domain: string): PlannedRecord {
  const { type } = record;
  const value = normalValue(record);
  const problem = valueProblem({ type, value });
  if (problem) throw validationError([{ field: 'value', message: `value ${problem}` }]);
  const name = relativeName(record.name, domain);
  if (!LABELS.test(name)) {
    throw validationError([{ field: 'name', message: 'name must be a host label or @' }]);
  }
  const fallback = DEFAULT_PRIORITY[type];
  return {
    type,
    name,
    value,
    ...(fallback !== undefined && { priority: record.priority ?? fallback }),
  };
}

function normalValue({ type, value }: PlannedRecord): string {
  if (type === 'TXT') return joinedText(value);
  return type === 'CAA' ? normalCaa(value) : value;
}

/** `mail`, `mail.acme.com` or `MAIL.acme.com.` -> `mail`; empty, or the domain -> `@`. */
function relativeName(given: string, domain: string): string {
  const name = given.toLowerCase().replace(/\.$/, '');
  if (name === '' || name === domain) return '@';
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
}

function valueProblem({ type, value }: Pick<PlannedRecord, 'type' | 'value'>): string | undefined {
  if (type === 'A' && !isIPv4(value)) return 'must be an IPv4 address';
  if (type === 'AAAA' && !isIPv6(value)) return 'must be an IPv6 address';
  if (['CNAME', 'MX', 'NS'].includes(type) && !HOST.test(value)) return 'must be a host name';
  if (type === 'SRV' && !isService(value)) return 'must be "weight port target"';
  if (type === 'CAA' && !parseCaa(value)) return 'must be "flags tag value"';
  if (type === 'TXT' && value === '') return 'must not be empty';
  return undefined;
}

/** RFC 2782, without the priority; the target `.` means that there is no such service. */
function isService(value: string): boolean {
  const [, weight, port, target = ''] = /^(\d{1,5}) (\d{1,5}) (\S+)$/.exec(value) ?? [];
  if (Number(weight) > MAX_16_BIT || Number(port) > MAX_16_BIT) return false;
  return target === '.' || HOST.test(target);
}
