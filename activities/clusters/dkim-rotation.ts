/**
 * Gives domains new DKIM keys while they send: published and seen, then signed with, and only days later is
 * the record of the old key withdrawn. docs/sending-rules.md#dkim-keys.
 */
import type { Context } from '../../src/context.ts';
import {
  forgetOldDkimKey,
  listDkimRecords,
  listDkimRotations,
  noteNextDkimSeen,
  setNextDkimKey,
  switchDkimKey,
} from '../../src/db/domains/dkim-keys.ts';
import { getDomain, type Domain } from '../../src/db/domains/domains.ts';
import { withDomainLease } from '../../src/db/mailboxes/mailbox-leases.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { dkimRecord, fullName } from '../../src/domain/domains/dns-plan.ts';
import { dkimBinding, serverAccess } from '../engine/access.ts';
import { makeDkimKey, nextSelector } from './dkim-keys.ts';
import { withdrawRows, type DnsContext } from './dns.ts';
import { isVisible } from './dns-visibility.ts';
import { findActiveCluster, isPlaced, publishOne } from './domain-records.ts';
import { PAGE_SIZE, pageOf } from './due-domains.ts';

type RotationContext = DnsContext & Pick<Context, 'mailHost'>;

/** Between the first resolver that shows the record and its first use: others may be later. */
const SETTLE_MS = 3_600_000;

/** Longer than a message waits in a queue, the receiver's included, and than anybody verifies late. */
const OVERLAP_DAYS = 7;

/** Where a rotation stands after a run. */
export type RotationStage =
  'idle' | 'published' | 'seen' | 'switched' | 'overlapping' | 'withdrawn';

/** `isNew`: its record was published just now. */
interface Rotation {
  stage: RotationStage;
  isNew?: boolean;
}

export const dkimRotationActivities = (context: RotationContext) => ({
  /** A page of the domains that something is to be done for. */
  async listDkimRotations({ afterId }: { afterId: number }) {
    const now = context.clock.now();
    const days = context.config.DKIM_ROTATE_DAYS;
    const olderThan = days === 0 ? null : new Date(now.getTime() - days * DAY_MS);
    const page = { afterId, limit: PAGE_SIZE, olderThan, now };
    const due = await listDkimRotations(context.db, page);
    return pageOf(due);
  },

  /**
   * Does the next thing of one domain's rotation; each may run twice, and a run that dies is followed by one
   * that finds what it did.
   */
  async advanceDkimRotation({ domainId }: { domainId: number }): Promise<Rotation> {
    const domain = await getDomain(context.db, domainId);
    const now = context.clock.now();
    if (domain.old_dkim_selector !== null) {
      if (domain.old_dkim_until! > now) return { stage: 'overlapping' };
      await withdrawOld(context, domain, domain.old_dkim_selector);
      return { stage: 'withdrawn' };
    }
    if (domain.next_dkim_selector === null) {
      const selector = await nextSelector(context, domain);
      const key = await makeDkimKey(context, domainId, selector);
      await setNextDkimKey(context.db, domainId, key);
    }
    return advance(context, await getDomain(context.db, domainId));
  },
});

/** From the key that is made to the key that signs. */
async function advance(context: RotationContext, domain: Domain): Promise<Rotation> {
  const { db, dns, clock } = context;
  const now = clock.now();
  const record = dkimRecord(domain.next_dkim_selector!, domain.next_dkim_public_key!);
  const placed = await publishOne(context, domain, record);
  if (!isPlaced(placed)) return { stage: 'idle' };
  if (!(await isVisible(dns, fullName(record.name, domain.name), record))) {
    await noteNextDkimSeen(db, domain.id, null);
    return { stage: 'published', isNew: placed === 'added' };
  }
  const seenAt = domain.next_dkim_seen_at;
  if (seenAt === null) await noteNextDkimSeen(db, domain.id, now);
  if (seenAt === null || now.getTime() - seenAt.getTime() < SETTLE_MS) {
    return { stage: 'seen' };
  }
  return { stage: (await signWithNext(context, domain)) ? 'switched' : 'idle' };
}

/** The host first: both keys verify, so a death in between loses nothing and the next run repeats it. */
async function signWithNext(context: RotationContext, domain: Domain): Promise<boolean> {
  const { db, cipher, mailHost, clock } = context;
  const selector = domain.next_dkim_selector!;
  let isServed = false;
  await withDomainLease(db, domain.id, async (assertMine) => {
    const cluster = await findActiveCluster(context, domain.id);
    if (!cluster) return;
    isServed = true;
    const server = await getServer(db, cluster.server_id);
    await assertMine();
    await mailHost.addDomain(serverAccess(context, server), {
      domain: domain.name,
      dkimSelector: selector,
      dkimPrivateKey: cipher.open(domain.next_dkim_private_key!, dkimBinding(domain.id)),
    });
    const now = clock.now();
    const oldUntil = new Date(now.getTime() + OVERLAP_DAYS * DAY_MS);
    await switchDkimKey(db, { id: domain.id, selector, now, oldUntil });
  });
  return isServed;
}

/** Only records of ours; one that the owner has changed stays. */
async function withdrawOld(
  context: RotationContext,
  domain: Domain,
  selector: string,
): Promise<void> {
  await withdrawRows(context, domain.id, () => listDkimRecords(context.db, domain.id, selector));
  await forgetOldDkimKey(context.db, domain.id, selector);
}
