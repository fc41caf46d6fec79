/** DNS records of a cluster: merged into what is there, waited for, and withdrawn again. */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Context } from '../src/context.ts';
import { getCluster } from '../src/db/clusters.ts';
import {
  deletePublishedRecord,
  getDomain,
  insertPublishedRecord,
  listPublishedRecords,
  setDkimKey,
  type Domain,
} from '../src/db/domains.ts';
import {
  fullName,
  hostRecords,
  mergeRecords,
  mxRecords,
  policyOf,
  sameRecord,
  type DnsRecordType,
  type PlannedRecord,
} from '../src/domain/dns-plan.ts';
import { invalid, ProviderError } from '../src/domain/errors.ts';
import type { DnsResolver } from '../src/providers/dns/port.ts';
import { dkimBinding, registrarOf } from './access.ts';
import { serverOf, type ClusterStep } from './servers.ts';

const generateRsaPair = promisify(generateKeyPair);

/** The first selector of a domain; a rotation would use the next one. */
const DKIM_SELECTOR = 's1';

/** `host`: address and policies, before the installation. `mx`: last, when the host is ready. */
export type DnsPhase = 'host' | 'mx';

type DnsContext = Pick<Context, 'db' | 'registrars' | 'cipher' | 'dns'>;

export const dnsActivities = (context: DnsContext) => ({
  /** Adds what is missing and touches nothing else. Throws `Conflict` where that is impossible. */
  async publishRecords(step: ClusterStep & { phase: DnsPhase }): Promise<void> {
    const { domain, planned } = await planOf(context, step);
    const registrar = registrarOf(context, domain.provider);
    const existing = await registrar.listRecords(domain.name);
    const { missing, conflicts } = mergeRecords(planned, existing);
    if (conflicts.length > 0) {
      const names = conflicts.map((c) => `${c.type} ${fullName(c.name, domain.name)} ${c.value}`);
      throw invalid('DNS_CONFLICT', `Other records stand in the way: ${names.join(', ')}`);
    }
    for (const record of missing) {
      // Written first: the undo must know of a record whose creation was not answered.
      await insertPublishedRecord(context.db, {
        operationId: step.operationId,
        domainId: domain.id,
        priority: null,
        ...record,
      });
      await registrar.createRecord(domain.name, record);
    }
  },

  /** Throws `not_ready`, naming what is missing, until the world can see the records. */
  async awaitRecords(step: ClusterStep & { phase: DnsPhase }): Promise<void> {
    const { domain, planned } = await planOf(context, step);
    const missing: string[] = [];
    for (const record of planned) {
      const name = fullName(record.name, domain.name);
      if (!(await isVisible(context.dns, name, record))) missing.push(`${record.type} ${name}`);
    }
    if (missing.length > 0) throw notVisible(missing);
  },

  async awaitReverseDns({ clusterId }: ClusterStep): Promise<void> {
    const { ipv4, host_name } = await serverOf(context, clusterId);
    const names = await context.dns.resolvePtr(ipv4!);
    if (!names.includes(host_name)) throw notVisible([`PTR ${ipv4} ${host_name}`]);
  },

  /** Undo: takes away the records that this operation added. Safe to repeat. */
  async withdrawRecords({ operationId, clusterId }: ClusterStep): Promise<void> {
    const published = await listPublishedRecords(context.db, operationId);
    if (published.length === 0) return;
    const { domain_id } = await getCluster(context.db, clusterId);
    const domain = await getDomain(context.db, domain_id);
    const registrar = registrarOf(context, domain.provider);
    const existing = await registrar.listRecords(domain.name);
    for (const row of published) {
      const record: PlannedRecord = {
        type: row.type as DnsRecordType,
        name: row.name,
        value: row.value,
        ...(row.priority !== null && { priority: row.priority }),
      };
      for (const found of existing.filter((other) => sameRecord(record, other))) {
        await registrar.deleteRecord(domain.name, found.id);
      }
      await deletePublishedRecord(context.db, row.id);
    }
  },
});

async function planOf(
  context: DnsContext,
  { clusterId, phase }: ClusterStep & { phase: DnsPhase },
): Promise<{ domain: Domain; planned: PlannedRecord[] }> {
  const { domain_id } = await getCluster(context.db, clusterId);
  const domain = await withDkimKey(context, domain_id);
  const { ipv4, host_name } = await serverOf(context, clusterId);
  const mail = {
    domain: domain.name,
    hostName: host_name,
    ipv4: ipv4!,
    dkimSelector: domain.dkim_selector!,
    dkimPublicKey: domain.dkim_public_key!,
  };
  return { domain, planned: phase === 'mx' ? mxRecords(mail) : hostRecords(mail) };
}

/** The DKIM key is made here, before DNS, and reaches the host over SSH on stdin. */
async function withDkimKey(context: DnsContext, domainId: number): Promise<Domain> {
  const domain = await getDomain(context.db, domainId);
  if (domain.dkim_private_key) return domain;
  // 2048 bit: RFC 8301, 3.2. In a thread: here it would keep the heartbeats of others from going.
  const pair = await generateRsaPair('rsa', { modulusLength: 2_048 });
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const der = pair.publicKey.export({ type: 'spki', format: 'der' });
  await setDkimKey(context.db, domainId, {
    selector: DKIM_SELECTOR,
    sealedPrivateKey: context.cipher.seal(pem, dkimBinding(domainId)),
    publicKey: der.toString('base64'),
  });
  return getDomain(context.db, domainId);
}

async function isVisible(dns: DnsResolver, name: string, record: PlannedRecord): Promise<boolean> {
  switch (record.type) {
    case 'A':
      return (await dns.resolveA(name)).includes(record.value);
    case 'MX':
      return (await dns.resolveMx(name)).some(({ exchange }) => exchange === record.value);
    case 'TXT': {
      const policy = policyOf(record);
      const texts = await dns.resolveTxt(name);
      return policy
        ? texts.some((value) => policyOf({ ...record, value }) === policy)
        : texts.includes(record.value);
    }
    // SRV only helps mail programs to find the host; nothing here depends on it.
    default:
      return true;
  }
}

const notVisible = (missing: string[]) =>
  new ProviderError('not_ready', `Not visible in DNS yet: ${missing.join(', ')}`, {
    provider: 'dns',
    operatorHint: 'Check the records at the registrar and that DNS_SERVERS answers.',
  });
