/** DNS records of a domain at its registrar. Spec: Domains; choice 24. */
import { isIPv4, isIPv6 } from 'node:net';
import type { Context } from '../context.ts';
import { withDnsLease } from '../db/dns-leases.ts';
import type { Domain } from '../db/domains.ts';
import { policyOf, sameRecord, type PlannedRecord } from '../domain/dns-plan.ts';
import { invalid, upstreamUnavailable, validationError } from '../domain/errors.ts';
import type { DnsRecord } from '../providers/registrars/port.ts';
import { getUserDomain } from './domains.ts';
import { asking, registrarOf } from './registrars.ts';

/** Spec: GET /v1/domains/:id/dns. The records as the registrar holds them. */
export async function listDnsRecords(
  context: Pick<Context, 'db' | 'registrars'>,
  userId: string,
  id: number,
): Promise<DnsRecord[]> {
  const domain = await activeDomain(context, userId, id);
  return asking(() => registrarOf(context, domain.provider).listRecords(domain.name));
}

/** A record as a client gives it: of which type, the registrar decides. */
export type GivenRecord = Omit<PlannedRecord, 'type'> & { type: string; ttl?: number | undefined };

/** Somebody else's change of the same records is awaited for so long. */
const TURN_WAIT_MS = 8_000;

/** Spec: POST /v1/domains/:id/dns. A second SPF or DMARC record is refused. Choice 24. */
export async function addDnsRecord(
  context: Pick<Context, 'db' | 'registrars'>,
  userId: string,
  id: number,
  input: GivenRecord,
): Promise<DnsRecord> {
  const domain = await activeDomain(context, userId, id);
  const registrar = registrarOf(context, domain.provider);
  const { ttl, ...given } = input;
  const type = registrar.recordTypes.find((each) => each === input.type);
  if (!type) {
    throw invalid('RECORD_TYPE_NOT_SUPPORTED', `${registrar.name} has no ${input.type} records`);
  }
  const record = normalRecord({ ...given, type }, domain.name);
  const turn = { domainId: domain.id, waitMs: TURN_WAIT_MS, busy };
  // Two changes at once must not both find "no SPF yet".
  return withDnsLease(context.db, turn, async (assertMine) => {
    const existing = await asking(() => registrar.listRecords(domain.name));
    assertNoRival(record, existing);
    return asking(async () => {
      await assertMine();
      return registrar.createRecord(domain.name, { ...record, ...(ttl !== undefined && { ttl }) });
    });
  });
}

const busy = () =>
  upstreamUnavailable('The DNS records of this domain are being changed; try again shortly');

async function activeDomain(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Domain> {
  const domain = await getUserDomain(context, userId, id);
  if (domain.status === 'active') return domain;
  throw invalid('INVALID_STATE', `${domain.name} is not active, it has no DNS records`);
}

/** Relative name, default priority, and a value that fits the type. */
function normalRecord(record: PlannedRecord, domain: string): PlannedRecord {
  const name = record.name.toLowerCase().replace(/\.$/, '');
  const label =
    name === '' || name === domain
      ? '@'
      : name.endsWith(`.${domain}`)
        ? name.slice(0, -domain.length - 1)
        : name;
  const problem = valueProblem(record);
  if (problem) throw validationError([{ field: 'value', message: `value ${problem}` }]);
  if (
    !/^(@|\*|(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*)$/.test(
      label,
    )
  ) {
    throw validationError([{ field: 'name', message: 'name must be a host label or @' }]);
  }
  const priority = record.type === 'MX' ? (record.priority ?? 10) : record.priority;
  return {
    type: record.type,
    name: label,
    value: record.value,
    ...(priority !== undefined && { priority }),
  };
}

function valueProblem({ type, value }: PlannedRecord): string | undefined {
  if (type === 'A' && !isIPv4(value)) return 'must be an IPv4 address';
  if (type === 'AAAA' && !isIPv6(value)) return 'must be an IPv6 address';
  const isHost =
    /^(?=.{1,253}\.?$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
  if (['CNAME', 'MX', 'NS'].includes(type) && !isHost.test(value)) return 'must be a host name';
  if (type === 'SRV' && !/^\d{1,5} \d{1,5} \S+$/.test(value)) {
    return 'must be "weight port target"';
  }
  return undefined;
}

function assertNoRival(record: PlannedRecord, existing: readonly DnsRecord[]): void {
  const policy = policyOf(record);
  if (policy && existing.some((e) => e.name === record.name && policyOf(e) === policy)) {
    throw invalid(`DUPLICATE_${policy}`, `There is a ${policy} record already; change that one`);
  }
  if (existing.some((other) => sameRecord(record, other))) {
    throw invalid('DUPLICATE_RECORD', 'There is such a record already');
  }
}
