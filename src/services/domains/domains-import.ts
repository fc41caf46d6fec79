/** Domains that the user owns elsewhere: once ownership is proven, they can carry clusters. Choice 64. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  activateImport,
  findOrInsertImport,
  type ImportHome,
} from '../../db/domains/domain-imports.ts';
import { findLiveDomain, type Domain } from '../../db/domains/domains.ts';
import { ownershipProof } from '../../domain/domains/domain-import.ts';
import { isManual, MANUAL_PROVIDER } from '../../domain/domains/domain-management.ts';
import { invalid, OutreachError } from '../../domain/errors.ts';
import { getUserDomain } from './domains.ts';
import { hasLeft } from './former-domains.ts';
import { unavailable } from '../providers.ts';
import { withRegistrarErrors } from './registrars.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'dns' | 'registrars'>;

/** Public, but long enough not to be guessed. */
const TOKEN_BYTES = 16;

/** SQLSTATE: PostgreSQL, appendix A. */
const UNIQUE_VIOLATION = '23505';

/**
 * Choice 64: POST /v1/domains/import. Inserts the row with its proof; active at once where the proof is
 * published. A repeat returns the same row; one that is active already only to requests with a key: they
 * may be repeats of the one that activated it. Throws DOMAIN_ALREADY_OWNED, DOMAIN_UNAVAILABLE.
 */
export async function importDomain(
  context: Needs,
  userId: string,
  name: string,
  requestKey?: string,
): Promise<Domain> {
  const found = await findLiveDomain(context.db, name);
  const isLeft = found && !isManual(found) && (await hasLeft(context, found));
  const live = isLeft ? undefined : found;
  if (live?.user_id === userId) {
    const isImport = live.verification_token !== null;
    if (isImport && requestKey !== undefined) return live;
    throw invalid('DOMAIN_ALREADY_OWNED', `${name} is in this account already`);
  }
  // An imported domain may have a new owner by now; one that was bought here only once it has left us.
  if (live && !isManual(live)) throw taken(name);
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const row = await commitOnce(context.db, async (trx) => {
    const inserted = await findOrInsertImport(trx, { userId, name, token });
    noteChange({ resourceId: inserted.id, after: { name } });
    return inserted;
  });
  // With the resolver down, the client can still read what has to be published.
  const texts = await context.dns.resolveTxt(proofOf(row).name).catch(() => []);
  return isProven(row, texts) ? activate(context, row, texts) : row;
}

/** Choice 64: POST /v1/domains/:id/verify. Looks for the proof. Throws DOMAIN_NOT_VERIFIED. */
export async function verifyDomain(context: Needs, userId: string, id: number): Promise<Domain> {
  const row = await getUserDomain(context, userId, id);
  if (row.status === 'active') return row;
  if (row.status !== 'unverified') {
    throw invalid('INVALID_STATE', `${row.name} is ${row.status}, it needs no proof`);
  }
  const { name, value } = proofOf(row);
  const texts = await context.dns.resolveTxt(name).catch((error: unknown) => {
    throw unavailable(error, 'The DNS resolver');
  });
  if (isProven(row, texts)) return activate(context, row, texts);
  throw invalid(
    'DOMAIN_NOT_VERIFIED',
    `TXT ${name} with the value ${value} cannot be seen yet; it may take as long as the zone's ` +
      'negative TTL (SOA minimum) after it was set',
  );
}

const proofOf = ({ name, verification_token: token }: Domain) =>
  ownershipProof(name, token ?? 'none');

const isProven = (row: Domain, texts: readonly string[]): boolean =>
  row.verification_token !== null && texts.includes(proofOf(row).value);

async function activate(context: Needs, row: Domain, texts: readonly string[]): Promise<Domain> {
  const home = await homeOf(context, row);
  const live = await findLiveDomain(context.db, row.name);
  const left = live && !isManual(live) && (await hasLeft(context, live)) ? live : undefined;
  const isStale = (earlier: Domain) => !isProven(earlier, texts);
  const claim = { home, isStale, left, now: context.clock.now() };
  const isMine = await commitOnce(context.db, async (trx) => {
    noteChange({ before: { status: row.status }, after: { status: 'active' } });
    return activateImport(trx, row, claim);
  }).catch((error: unknown) => {
    // Both users have proven it: the first one gets it.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
    throw error;
  });
  if (!isMine) throw taken(row.name);
  return getUserDomain(context, row.user_id, row.id);
}

/**
 * A domain in one of our registrar accounts whose zone there is the public one (it has the proof) is
 * managed there; any other stays manual. A registrar that is down is asked again by the next verify.
 */
async function homeOf({ registrars }: Needs, row: Domain): Promise<ImportHome> {
  for (const registrar of Object.values(registrars)) {
    const found = await withRegistrarErrors(() => registrar.find(row.name));
    if (!found) continue;
    const records = await withRegistrarErrors(() => registrar.listRecords(row.name));
    const { value } = proofOf(row);
    if (!records.some((record) => record.type === 'TXT' && record.value === value)) continue;
    return {
      provider: registrar.name,
      purchasedAt: new Date(found.purchasedAt),
      expiresAt: new Date(found.expiresAt),
    };
  }
  return { provider: MANUAL_PROVIDER, purchasedAt: null, expiresAt: null };
}

const taken = (name: string): OutreachError =>
  invalid('DOMAIN_UNAVAILABLE', `${name} is in somebody else's account`);
