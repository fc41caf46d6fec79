/** The DNS records of an order that a restore has lost, whose domain another order has taken over. docs/workflow-rules.md#after-a-restore. */
import type { Context } from '../../src/context.ts';
import { upsertPublishedRecord, type Domain } from '../../src/db/domains/domains.ts';
import {
  hostRecords,
  MAIL_LABEL,
  mxRecords,
  sameRecord,
} from '../../src/domain/domains/dns-plan.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';

interface Adopted {
  operationId: number;
  domain: Domain;
  registrar: Registrar;
}

/**
 * What the lost order must have published is this operation's own from now on: it is replaced where it stands in
 * the way, and withdrawn with the cluster. Anything else stays its owner's. Safe to repeat.
 */
export async function noteLostRecords(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { operationId, domain, registrar }: Adopted,
): Promise<void> {
  const existing = await registrar.listRecords(domain.name);
  const address = existing.find(({ type, name }) => type === 'A' && name === MAIL_LABEL);
  if (!address) return;
  const mail = {
    domain: domain.name,
    hostName: `${MAIL_LABEL}.${domain.name}`,
    ipv4: address.value,
    dkimSelector: '',
    dkimPublicKey: '',
  };
  for (const record of [...hostRecords(mail), ...mxRecords(mail)]) {
    if (!existing.some((other) => sameRecord(record, other))) continue;
    const row = { operationId, domainId: domain.id, priority: null, ...record };
    await upsertPublishedRecord(db, { ...row, askedAt: clock.now() });
  }
}
