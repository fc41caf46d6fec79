/** Looks at a client's name for links: its record, its certificate, what is due next. Choice 131. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  acmeAccountKey,
  findOrder,
  noteCertificate,
  noteChallenge,
  noteOrder,
  noteRefusal,
} from '../../src/db/domains/tracking-certificates.ts';
import { getTrackingDomain, type TrackingDomain } from '../../src/db/domains/tracking-domains.ts';
import {
  cnameTargetOf,
  cnameTrouble,
  linksAuthorityOf,
  orderWaitMs,
  recordWaitMs,
  refusedWaitMs,
  renewalOf,
  STANDING_LOOK_MS,
  TROUBLE_MS,
  type Trouble,
} from '../../src/domain/domains/tracking-domains.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import type { Context } from '../../src/context.ts';
import { concludeTrackingDomain } from '../../src/transactions/domains/tracking-verdicts.ts';

type Needs = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'dns' | 'certificateAuthority' | 'logger'
>;

export interface TendInput {
  trackingDomainId: number;
  /** Multiplies the waits for people and for the authority. */
  retryPace: number;
  /** What the look before has told. */
  orderedAt?: string | undefined;
}

/** `waitMs`: until the next look. `orderedAt`: when the order was first looked at that is under way, ISO 8601 UTC. */
export interface TrackingDomainLook extends PageResult {
  waitMs: number;
  orderedAt?: string | undefined;
}

/** What one look has shown, and how long to wait for the next. */
interface Look {
  trouble: Trouble | null;
  waitMs: number;
  orderedAt?: string;
}

export const trackingDomainActivities = (context: Needs) => ({
  /**
   * One look at the record, and one step of an order where a certificate is due. Safe to repeat: an order that was
   * begun is gone on with. A resolver or an authority in trouble is no error: it is in the row, and asked again.
   */
  async tendTrackingDomain({
    trackingDomainId,
    retryPace,
    orderedAt: known,
  }: TendInput): Promise<TrackingDomainLook> {
    const row = await getTrackingDomain(context.db, trackingDomainId);
    if (row.deleted_at !== null) {
      return { state: 'over', isDone: false, progress: 'It was deleted', waitMs: 0 };
    }
    const { db, clock } = context;
    const record = await lookForRecord(context, row);
    const found = record ?? (await tendCertificate(context, row, known));
    const { trouble, waitMs } = found;
    // An order stays under way while its record, or the authority, is away.
    const orderedAt = isAway(found) ? known : found.orderedAt;
    const after = await getTrackingDomain(db, row.id);
    const at = clock.now();
    const works = hasCertificate(after, at) && (record === undefined || isOurs(record.trouble));
    const isActive = works && (record === undefined || row.status === 'active');
    const fallen = row.status === 'pending' ? ('pending' as const) : ('failing' as const);
    await concludeTrackingDomain(db, after, {
      status: isActive ? 'active' : fallen,
      trouble,
      at,
      isProven: record === undefined && hasCertificate(after, at),
    });
    const untilMs = (after.certificate_expires_at?.getTime() ?? 0) - at.getTime();
    const nextMs = paced(waitMs, retryPace);
    const said = trouble ? `${trouble.code}: ${trouble.message}` : 'It works';
    return {
      state: 'active',
      isDone: false,
      progress: `${row.name}: ${said}`,
      // The end of its certificate is noticed in time.
      waitMs: isActive ? Math.min(nextMs, Math.max(untilMs, 0) + 1_000) : nextMs,
      orderedAt,
    };
  },
});

/** Days are days; waits for people and machines go with the pace of the installation. */
const paced = (ms: number, retryPace: number): number =>
  ms >= STANDING_LOOK_MS ? ms : Math.max(100, Math.round(ms * retryPace));

/** Our resolver's trouble says nothing about the name. */
const isOurs = (trouble: Trouble | null): boolean => trouble?.code === 'DNS_UNAVAILABLE';

const isAway = ({ trouble }: Look): boolean =>
  trouble !== null && !['CERTIFICATE_PENDING', 'CERTIFICATE_REFUSED'].includes(trouble.code);

const hasCertificate = ({ certificate_expires_at: until }: TrackingDomain, now: Date): boolean =>
  until !== null && until > now;

/** Undefined: the record is there. */
async function lookForRecord(
  { dns, config, clock }: Needs,
  { name, dns_token: token, created_at: created, proven_at: proven }: TrackingDomain,
): Promise<Look | undefined> {
  const { LINKS_HOST: host } = config;
  if (host === undefined) {
    const message = 'This installation serves no links on other domains now';
    return { trouble: { code: 'TRACKING_DOMAINS_OFF', message }, waitMs: STANDING_LOOK_MS };
  }
  const target = cnameTargetOf(token, host);
  try {
    const trouble = cnameTrouble({ name, target }, await dns.resolveCname(name));
    if (!trouble) return undefined;
    const sinceMs = clock.now().getTime() - (proven ?? created).getTime();
    return { trouble, waitMs: recordWaitMs(sinceMs) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const message = 'No resolver answers about the name; it is asked for again';
    return { trouble: { code: 'DNS_UNAVAILABLE', message }, waitMs: TROUBLE_MS };
  }
}

/** The certificate of a name whose record is there. */
async function tendCertificate(
  context: Needs,
  row: TrackingDomain,
  orderedAt: string | undefined,
): Promise<Look> {
  const now = context.clock.now();
  const dueMs = renewalMs(row, now);
  if (dueMs > 0) return { trouble: null, waitMs: Math.min(dueMs, STANDING_LOOK_MS) };
  const { refusals, refused_at: refusedAt } = row;
  const restMs = (refusedAt?.getTime() ?? 0) + refusedWaitMs(refusals) - now.getTime();
  if (refusals > 0 && restMs > 0) {
    const isSaid = row.error_code === 'CERTIFICATE_REFUSED';
    const message =
      (isSaid && row.error_message) || 'The certificate authority has refused the name';
    return { trouble: { code: 'CERTIFICATE_REFUSED', message }, waitMs: restMs };
  }
  try {
    return await stepOrder(context, row, orderedAt);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, facts } = error;
    const { operatorHint: hint, providerCode: code, reply } = facts;
    const about = { trackingDomainId: row.id, kind, code, reply, hint };
    context.logger.warn(about, 'no certificate was got');
    if (kind === 'rejected') return refuse(context, row, reply ?? 'it gives no reason');
    const words = kind === 'rate_limited' && reply ? ` It says: ${reply}` : '';
    const message = `The certificate authority cannot be used now; it is asked again.${words}`;
    const waitMs = Math.max(TROUBLE_MS, facts.retryAfterMs ?? 0);
    return { trouble: { code: 'AUTHORITY_UNAVAILABLE', message }, waitMs };
  }
}

/** Until the certificate has to be renewed; 0 or less: it is due, or there is none. */
function renewalMs({ certificate_pem: pem }: TrackingDomain, now: Date): number {
  if (pem === null) return 0;
  return renewalOf(validityOf(pem)).getTime() - now.getTime();
}

function validityOf(pem: string): { from: Date; to: Date } {
  const { validFrom, validTo } = new X509Certificate(pem);
  return { from: new Date(validFrom), to: new Date(validTo) };
}

/** The authority works on the order, or has to be asked for the next step. */
function pending(now: Date, orderedAt: string | undefined, retryAfterMs?: number): Look {
  const since = orderedAt ?? now.toISOString();
  const message = 'The record is there; the certificate authority makes the certificate';
  return {
    trouble: { code: 'CERTIFICATE_PENDING', message },
    waitMs: orderWaitMs(now.getTime() - Date.parse(since), retryAfterMs),
    orderedAt: since,
  };
}

/** RFC 8555, section 7.1.6: one step from where the order is. */
async function stepOrder(
  context: Needs,
  row: TrackingDomain,
  orderedAt: string | undefined,
): Promise<Look> {
  const { db, certificateAuthority: authority, config, clock } = context;
  const { id, name } = row;
  const accountKey = await acmeAccountKey(context, linksAuthorityOf(config), () =>
    authority.newPrivateKey(),
  );
  let order = await findOrder(context, id);
  if (!order) {
    const privateKeyPem = await authority.newPrivateKey();
    orderedAt = undefined;
    order = { url: await authority.openOrder(accountKey, name), privateKeyPem };
    await noteOrder(context, id, order);
  }
  const found = await authority.readOrder(accountKey, order.url);
  switch (found.state) {
    case 'waiting':
      await noteChallenge(db, id, found.challenge);
      await authority.askToLook(accountKey, order.url);
      return pending(clock.now(), orderedAt, found.retryAfterMs);
    case 'ready':
      await authority.finalize(accountKey, order.url, name, order.privateKeyPem);
      return pending(clock.now(), undefined);
    case 'processing':
      return pending(clock.now(), orderedAt, found.retryAfterMs);
    case 'refused':
      return refuse(context, row, found.reason);
    case 'issued': {
      const { certificatePem: pem } = found;
      if (!fits(pem, { name, privateKeyPem: order.privateKeyPem })) {
        return refuse(context, row, 'The authority sent a certificate of another name or key');
      }
      await noteCertificate(db, id, { pem, expiresAt: validityOf(pem).to });
      const waitMs = renewalMs({ ...row, certificate_pem: pem }, clock.now());
      return { trouble: null, waitMs: Math.min(waitMs, STANDING_LOOK_MS) };
    }
  }
}

async function refuse({ db, clock }: Needs, row: TrackingDomain, reason: string): Promise<Look> {
  await noteRefusal(db, row.id, { at: clock.now() });
  const message = `The certificate authority refuses the name: ${reason}`;
  return {
    trouble: { code: 'CERTIFICATE_REFUSED', message },
    waitMs: refusedWaitMs(row.refusals + 1),
  };
}

function fits(pem: string, { name, privateKeyPem }: { name: string; privateKeyPem: string }) {
  const certificate = new X509Certificate(pem);
  const key = createPrivateKey(privateKeyPem);
  return certificate.checkHost(name) !== undefined && certificate.checkPrivateKey(key);
}
