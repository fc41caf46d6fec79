/** DNS records of a domain at its registrar. Spec: Domains; choice 24. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { findDomainMail } from '../../db/domains/domain-mail.ts';
import type { Domain } from '../../db/domains/domains.ts';
import { domainRecords, withLease } from '../../db/leases.ts';
import {
  fullName,
  lostRecords,
  policyOf,
  sameRecord,
  vitalRecords,
  type PlannedRecord,
} from '../../domain/domains/dns-plan.ts';
import { assertManaged } from '../../domain/domains/domain-management.ts';
import { invalid, notFound, upstreamUnavailable, validationError } from '../../domain/errors.ts';
import type { DnsRecord, Registrar } from '../../providers/registrars/port.ts';
import { normalRecord } from './dns-records-form.ts';
import { getUserDomain } from './domains.ts';
import { withRegistrarErrors, registrarOf } from './registrars.ts';

type Needs = Pick<Context, 'db' | 'registrars'>;

/** Spec: GET /v1/domains/:id/dns. The records as the registrar holds them. */
export async function listDnsRecords(
  context: Needs,
  userId: string,
  id: number,
): Promise<DnsRecord[]> {
  const domain = await managedDomain(context, userId, id);
  return withRegistrarErrors(() => registrarOf(context, domain.provider).listRecords(domain.name));
}

/** A record as a client gives it; the registrar decides which types exist. */
export type GivenRecord = Omit<PlannedRecord, 'type'> & { type: string; ttl?: number | undefined };

/** Which record of which domain; `force`: also if a live cluster needs it. */
export interface RecordChoice {
  domainId: number;
  recordId: string;
  force: boolean;
}

/** A change that was made, and its effect on the cluster, if any. */
export interface RecordChange {
  record: DnsRecord;
  warning: string | undefined;
}

/**
 * Spec: POST /v1/domains/:id/dns. A second SPF or DMARC record is refused. Choice 24. A record that
 * exists already is returned only to requests with a key: they may be repeats of the one that created
 * it.
 */
export async function addDnsRecord(
  context: Needs,
  userId: string,
  { domainId, requestKey }: { domainId: number; requestKey?: string | undefined },
  input: GivenRecord,
): Promise<DnsRecord> {
  const domain = await managedDomain(context, userId, domainId);
  const registrar = registrarOf(context, domain.provider);
  const { ttl, ...given } = input;
  const record = normalRecord({ ...given, type: typeOf(registrar, input.type) }, domain.name);
  return withRecordsLease(context, domain, async (assertMine) => {
    const existing = await withRegistrarErrors(() => registrar.listRecords(domain.name));
    const made = existing.find((other) => sameRecord(record, other));
    if (made && requestKey !== undefined) return made;
    assertNoRival(record, existing);
    return withRegistrarErrors(async () => {
      await assertMine();
      const values = { ...record, ...(ttl !== undefined && { ttl }) };
      const created = await registrar.createRecord(domain.name, values);
      noteChange({ after: { record: toldOf(created) } });
      return created;
    });
  });
}

/**
 * Choice 24: PATCH. Changes one record; its type stays. Throws RECORD_NOT_FOUND, DUPLICATE_SPF,
 * DUPLICATE_DMARC, DUPLICATE_TLSRPT or DUPLICATE_STS like adding one, and RECORD_IN_USE for what a live cluster needs.
 */
export async function changeDnsRecord(
  context: Needs,
  userId: string,
  choice: RecordChoice,
  change: Partial<GivenRecord>,
): Promise<RecordChange> {
  const domain = await managedDomain(context, userId, choice.domainId);
  const registrar = registrarOf(context, domain.provider);
  return withRecordsLease(context, domain, async (assertMine) => {
    const existing = await withRegistrarErrors(() => registrar.listRecords(domain.name));
    const before = recordOf(existing, choice.recordId);
    const ttl = change.ttl ?? before.ttl;
    const record = changed(registrar, { before, change, domain: domain.name });
    const others = existing.filter((other) => other !== before);
    assertNoRival(record, others);
    const warning = await needOf(context, domain, { before: existing, after: [...others, record] });
    if (warning && !choice.force) throw inUse(warning);
    const isSame = sameRecord(record, before) && record.value === before.value;
    if (isSame && ttl === before.ttl) return { record: before, warning: undefined };
    const done = await withRegistrarErrors(async () => {
      await assertMine();
      const updated = await registrar.updateRecord(domain.name, before.id, { ...record, ttl });
      noteChange({ before: { record: toldOf(before) }, after: { record: toldOf(updated) } });
      return updated;
    });
    return { record: done, warning };
  });
}

/** Choice 24: DELETE. Throws RECORD_NOT_FOUND, and RECORD_IN_USE for what a live cluster needs. */
export async function deleteDnsRecord(
  context: Needs,
  userId: string,
  choice: RecordChoice,
): Promise<RecordChange> {
  const domain = await managedDomain(context, userId, choice.domainId);
  const registrar = registrarOf(context, domain.provider);
  return withRecordsLease(context, domain, async (assertMine) => {
    const existing = await withRegistrarErrors(() => registrar.listRecords(domain.name));
    const record = recordOf(existing, choice.recordId);
    const after = existing.filter((other) => other !== record);
    const warning = await needOf(context, domain, { before: existing, after });
    if (warning && !choice.force) throw inUse(warning);
    await withRegistrarErrors(async () => {
      await assertMine();
      await registrar.deleteRecord(domain.name, record.id);
      noteChange({ before: { record: toldOf(record) } });
    });
    return { record, warning };
  });
}

const toldOf = ({ type, name, value, priority, ttl }: DnsRecord) => ({
  type,
  name,
  value,
  priority,
  ttl,
});

/** How long to wait for another change of the same records. */
const LEASE_WAIT_MS = 8_000;

/** Two changes at once must not both find "no SPF yet". */
const withRecordsLease = <T>(
  { db }: Needs,
  { id }: Domain,
  work: (assertMine: () => Promise<void>) => Promise<T>,
): Promise<T> => withLease(db, { name: domainRecords(id), waitMs: LEASE_WAIT_MS, busy }, work);

const busy = () =>
  upstreamUnavailable('The DNS records of this domain are being changed; try again shortly');

async function managedDomain(context: Needs, userId: string, id: number): Promise<Domain> {
  const domain = await getUserDomain(context, userId, id);
  if (domain.status !== 'active') {
    throw invalid('INVALID_STATE', `${domain.name} is not active, it has no DNS records`);
  }
  assertManaged(domain);
  return domain;
}

function typeOf(registrar: Registrar, given: string): PlannedRecord['type'] {
  const type = registrar.recordTypes.find((each) => each === given);
  if (type) return type;
  throw invalid('RECORD_TYPE_NOT_SUPPORTED', `${registrar.name} has no ${given} records`);
}

function recordOf(existing: readonly DnsRecord[], id: string): DnsRecord {
  const record = existing.find((each) => each.id === id);
  if (!record) throw notFound('record');
  return record;
}

/** The record with its changes; its type cannot change, that would be another record. */
function changed(
  registrar: Registrar,
  { before, change, domain }: { before: DnsRecord; change: Partial<GivenRecord>; domain: string },
): PlannedRecord {
  if (change.type !== undefined && change.type !== before.type) {
    throw validationError([{ field: 'type', message: 'type cannot be changed' }]);
  }
  const priority = change.priority ?? before.priority;
  return normalRecord(
    {
      type: typeOf(registrar, before.type),
      name: change.name ?? before.name,
      value: change.value ?? before.value,
      ...(priority !== undefined && { priority }),
    },
    domain,
  );
}

/** What the live cluster of the domain would lack, in words; undefined when nothing. */
async function needOf(
  { db }: Needs,
  { id, name }: Domain,
  records: { before: readonly PlannedRecord[]; after: readonly PlannedRecord[] },
): Promise<string | undefined> {
  const mail = await findDomainMail(db, id);
  if (!mail) return undefined;
  const lost = lostRecords(vitalRecords({ ...mail, domain: name }), records);
  if (lost.length === 0) return undefined;
  const names = lost.map((record) => `${record.type} ${fullName(record.name, name)}`);
  return `Cluster ${mail.clusterId} needs ${names.join(', ')} as it was: without it mail of ${name} is lost, refused or taken for spam`;
}

const inUse = (warning: string) =>
  invalid('RECORD_IN_USE', `${warning}. Ask again with ?force=true to do it all the same`);

function assertNoRival(record: PlannedRecord, existing: readonly DnsRecord[]): void {
  const policy = policyOf(record);
  if (policy && existing.some((e) => e.name === record.name && policyOf(e) === policy)) {
    throw invalid(`DUPLICATE_${policy}`, `There is a ${policy} record already; change that one`);
  }
  if (existing.some((other) => sameRecord(record, other))) {
    throw invalid('DUPLICATE_RECORD', 'There is such a record already');
  }
}
