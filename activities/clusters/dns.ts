/** DNS records of a cluster: merged into what is there, waited for, and withdrawn again. */
import type { Context } from '../../src/context.ts';
import { smarthostPolicy } from '../../src/domain/domains/spf.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import {
  deletePublishedRecord,
  getDomain,
  listPublishedRecords,
  notePublishedRecordSeen,
  upsertPublishedRecord,
  type Domain,
} from '../../src/db/domains/domains.ts';
import { domainRecords, withLease } from '../../src/db/leases.ts';
import { setOperationMessage } from '../../src/db/operations/operation-progress.ts';
import {
  fullName,
  hostRecords,
  labelOf,
  mergeRecords,
  mxRecords,
  sameRecord,
  type PlannedRecord,
} from '../../src/domain/domains/dns-plan.ts';
import { isManual } from '../../src/domain/domains/domain-management.ts';
import {
  authorityRecords,
  caaIssuer,
  certificateNeeds,
  listForbidden,
} from '../../src/domain/domains/caa.ts';
import { invalid, ProviderError } from '../../src/domain/errors.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { registrarOf } from '../engine/access.ts';
import { withDkimKey } from './dkim-keys.ts';
import { isForbidden, isVisible, notVisible } from './dns-visibility.ts';
import { asYetToBeListed } from './new-domains.ts';
import { recordOf, withdrawReplaced, type PublishedRow } from './replaced-records.ts';
import { serverOf, type ClusterStep } from './servers.ts';
import { assertNotCancelled } from '../engine/not-cancelled.ts';

/** `host`: address and policies, before the installation. `mx`: last, when the host is ready. */
export type DnsPhase = 'host' | 'mx';

export type DnsContext = Pick<Context, 'db' | 'registrars' | 'cipher' | 'dns' | 'config' | 'clock'>;

export const dnsActivities = (context: DnsContext) => ({
  /**
   * Adds what is missing and touches nothing else. Throws `Conflict` where that is impossible, `not_ready` while the
   * registrar does not know a domain that was just bought.
   */
  async publishRecords(step: ClusterStep & { phase: DnsPhase }): Promise<void> {
    await publishPlan(context, step).catch(async (error: unknown) => {
      throw await asYetToBeListed(context, step.clusterId, error);
    });
  },

  /**
   * Throws `not_ready`, naming what is missing, until the world can see the records, and until nothing forbids
   * the certificate of the host, which is asked for next: an authority counts refusals.
   */
  async awaitRecords(step: ClusterStep & { phase: DnsPhase }): Promise<void> {
    const { domain, planned, ownHost } = await planOf(context, step);
    const missing: PlannedRecord[] = [];
    for (const record of planned) {
      const name = fullName(record.name, domain.name);
      if (!(await isVisible(context.dns, name, record))) missing.push({ ...record, name });
    }
    const asked = step.phase === 'host' && ownHost !== undefined ? [ownHost] : [];
    const issuer = caaIssuer(context.config);
    const forbidden = await listForbidden(context.dns, { names: asked, issuer });
    const cures = forbidden.map(({ cure }) => cure);
    if (missing.length + cures.length === 0) return;
    const theirs = isManual(domain) ? [...missing, ...cures] : cures;
    if (theirs.length > 0) await tellOwner(context, step, theirs);
    if (missing.length === 0) throw isForbidden(forbidden);
    throw notVisible([...missing, ...cures].map(({ type, name }) => `${type} ${name}`));
  },

  async awaitReverseDns({ clusterId }: ClusterStep): Promise<void> {
    const { ipv4, host_name } = await serverOf(context, clusterId);
    const names = await context.dns.resolvePtr(ipv4!);
    if (!names.includes(host_name)) throw notVisible([`PTR ${ipv4} ${host_name}`]);
  },

  /** Undo: takes away the records that this operation added. Safe to repeat. */
  async withdrawRecords({ operationId, clusterId }: ClusterStep): Promise<void> {
    const { domain_id } = await getCluster(context.db, clusterId);
    await withdrawRows(context, domain_id, () => listPublishedRecords(context.db, operationId));
  },
});

async function publishPlan(
  context: DnsContext,
  step: ClusterStep & { phase: DnsPhase },
): Promise<void> {
  const { domain, planned } = await planOf(context, step);
  // The owner sets them elsewhere; `awaitRecords` says which. Choice 64.
  if (isManual(domain)) return;
  const registrar = registrarOf(context, domain.provider);
  await withLease(context.db, leaseRequestFor(domain), async (assertMine) => {
    const held = planned.filter(({ type }) => registrar.recordTypes.includes(type));
    const { operationId } = step;
    const change = { operationId, domain, registrar, planned: held, assertMine };
    const left = await withdrawReplaced(context, change);
    const { missing, conflicts } = mergeRecords(held, left);
    if (conflicts.length > 0) {
      const names = conflicts.map((c) => `${c.type} ${fullName(c.name, domain.name)} ${c.value}`);
      throw invalid('DNS_CONFLICT', `Other records stand in the way: ${names.join(', ')}`);
    }
    for (const record of missing) {
      await assertMine();
      await assertNotCancelled(context, step);
      await publishRecord(context, { operationId, domain, registrar, record });
    }
  });
}

/**
 * Removes the records that `list` names where they are still as we made them. They are listed while the
 * domain is locked: an attempt taken for dead may be adding some until then. Safe to repeat.
 */
export async function withdrawRows(
  context: DnsContext,
  domainId: number,
  list: () => Promise<readonly PublishedRow[]>,
): Promise<void> {
  const domain = await getDomain(context.db, domainId);
  await withLease(context.db, leaseRequestFor(domain), async (assertMine) => {
    const published = await list();
    if (published.length === 0) return;
    const registrar = registrarOf(context, domain.provider);
    const existing = await registrar.listRecords(domain.name);
    const late: string[] = [];
    for (const row of published) {
      const found = existing.filter((other) => sameRecord(recordOf(row), other));
      if (found.length === 0 && mayAppear(context, row)) {
        late.push(`${row.type} ${fullName(row.name, domain.name)}`);
        continue;
      }
      await assertMine();
      if (found.length > 0) {
        await notePublishedRecordSeen(context.db, row.id, context.clock.now());
      }
      for (const { id } of found) await registrar.deleteRecord(domain.name, id);
      await deletePublishedRecord(context.db, row.id);
    }
    if (late.length > 0) throw notListed(late, domain.provider);
  });
}

/** Shows the owner of a domain in `provisioning.message` which records they have to set. Choices 64 and 85. */
async function tellOwner(
  { db }: DnsContext,
  { operationId, phase }: ClusterStep & { phase: DnsPhase },
  missing: readonly PlannedRecord[],
): Promise<void> {
  const records = missing.map(({ type, name, value, priority }) =>
    [type, name, ...(priority === undefined ? [] : [priority]), value].join(' '),
  );
  await setOperationMessage(db, operationId, {
    step: phase === 'mx' ? 'verify' : 'dns_setup',
    message: `Waiting until you set these DNS records: ${records.join('; ')}`,
  });
}

/** How long one attempt waits for the domain's lock; the next attempt waits again. */
const LEASE_WAIT_MS = 5_000;

export const leaseRequestFor = ({ id }: Domain) => ({
  name: domainRecords(id),
  waitMs: LEASE_WAIT_MS,
  busy: () =>
    new ProviderError('not_ready', 'The DNS records of this domain are being changed', {
      provider: 'dns',
    }),
});

/** Creates one record. The row is written first, so that an undo finds a record whose answer was lost. */
export async function publishRecord(
  context: DnsContext,
  {
    operationId,
    domain,
    registrar,
    record,
  }: { operationId: number; domain: Domain; registrar: Registrar; record: PlannedRecord },
): Promise<void> {
  const row = await upsertPublishedRecord(context.db, {
    operationId,
    domainId: domain.id,
    priority: null,
    ...record,
    askedAt: context.clock.now(),
  });
  try {
    await registrar.createRecord(domain.name, record);
  } catch (error) {
    // A definite refusal: the record will not appear later, so no undo has to wait for it.
    const isOpen =
      !(error instanceof ProviderError) || ['unavailable', 'outcome_unknown'].includes(error.kind);
    if (row.isNew && !isOpen) await deletePublishedRecord(context.db, row.id);
    throw error;
  }
}

/** Whether the request to create it may still be under way, or the registrar may show it late. */
function mayAppear({ config, clock }: DnsContext, row: PublishedRow): boolean {
  const seconds = config.PROVIDER_LAG_SECONDS + config.PROVIDER_TIMEOUT_SECONDS;
  return row.seen_at === null && clock.now().getTime() < row.asked_at.getTime() + seconds * 1_000;
}

const notListed = (names: string[], provider: string) =>
  new ProviderError('not_ready', `May still appear at the registrar: ${names.join(', ')}`, {
    provider,
  });

async function planOf(
  context: DnsContext,
  { clusterId, phase }: ClusterStep & { phase: DnsPhase },
): Promise<{ domain: Domain; planned: PlannedRecord[]; ownHost: string | undefined }> {
  const { domain_id } = await getCluster(context.db, clusterId);
  const domain = await withDkimKey(context, domain_id);
  const { ipv4, host_name } = await serverOf(context, clusterId);
  const mail = {
    domain: domain.name,
    hostName: host_name,
    ipv4: ipv4!,
    dkimSelector: domain.dkim_selector!,
    dkimPublicKey: domain.dkim_public_key!,
    smarthost: smarthostPolicy(context.config),
  };
  // The certificate of a shared host is another domain's.
  const ownHost = labelOf(host_name, domain.name) === undefined ? undefined : host_name;
  if (phase === 'mx') return { domain, planned: mxRecords(mail), ownHost };
  const authority = authorityRecords(mail, certificateNeeds(context.config));
  const planned = [...hostRecords(mail), ...authority];
  return { domain, planned, ownHost };
}
