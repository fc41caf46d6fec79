/** Imports: names registered elsewhere by their owner. They claim nothing until ownership is proven. */
import type { Kysely, Transaction } from 'kysely';
import { MANUAL_PROVIDER } from '../../domain/domains/domain-management.ts';
import { findLiveCluster } from '../clusters/clusters.ts';
import { listEndedDomains } from './ended-domains.ts';
import type { Domain } from './domains.ts';
import type { Database } from '../tables.ts';

/** The caller's import of this name; an existing one keeps its token. */
export async function findOrInsertImport(
  db: Kysely<Database>,
  wish: { userId: string; name: string; token: string },
): Promise<Domain> {
  const { userId, name, token } = wish;
  await db
    .insertInto('domains')
    .values({
      user_id: userId,
      name,
      provider: MANUAL_PROVIDER,
      status: 'unverified',
      verification_token: token,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'name']).where('status', '=', 'unverified').doNothing(),
    )
    .execute();
  return db
    .selectFrom('domains')
    .selectAll()
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .where('status', '=', 'unverified')
    .executeTakeFirstOrThrow();
}

/** Where an imported domain is managed: at its registrar where that is in our account, else `manual`. */
export interface ImportHome {
  provider: string;
  purchasedAt: Date | null;
  expiresAt: Date | null;
}

interface Claim {
  home: ImportHome;
  /** Whether the proof of an earlier importer has disappeared. */
  isStale: (earlier: Domain) => boolean;
  /** The domain that was bought here before, and has left us. */
  left: Domain | undefined;
  now: Date;
}

/** Gives the proven name to the user. False where another user owns and keeps it. */
export async function activateImport(
  trx: Transaction<Database>,
  row: Pick<Domain, 'id' | 'name'>,
  { home, isStale, left, now }: Claim,
): Promise<boolean> {
  const earlier = await trx
    .selectFrom('domains')
    .selectAll()
    .where('name', '=', row.name)
    .where('status', 'in', ['pending', 'active'])
    .forUpdate()
    .executeTakeFirst();
  if (earlier && earlier.id !== row.id) {
    const isEnded = earlier.id === left?.id && (await isStillEnded(trx, earlier, now));
    const isGivenUp = earlier.provider === MANUAL_PROVIDER && isStale(earlier);
    if (!isEnded && !isGivenUp) return false;
    if (await findLiveCluster(trx, earlier.id)) return false;
    await giveUp(trx, earlier.id, isEnded ? ENDED : OWNED_ELSEWHERE);
  }
  await trx
    .updateTable('domains')
    .set({
      status: 'active',
      provider: home.provider,
      purchased_at: home.purchasedAt,
      expires_at: home.expiresAt,
      updated_at: new Date(),
    })
    .where('id', '=', row.id)
    .where('status', '=', 'unverified')
    .execute();
  return true;
}

const isStillEnded = async (trx: Transaction<Database>, { id, name }: Domain, now: Date) =>
  (await listEndedDomains(trx, [name], now)).some((domain) => domain.id === id);

const OWNED_ELSEWHERE = {
  error_code: 'DOMAIN_OWNER_CHANGED',
  error_message: 'Somebody else has proven to own this domain.',
};
const ENDED = {
  error_code: 'DOMAIN_EXPIRED',
  error_message: 'Its registration has ended, and it was registered elsewhere.',
};

async function giveUp(trx: Transaction<Database>, id: number, reason: typeof ENDED): Promise<void> {
  await trx
    .updateTable('domains')
    .set({
      status: 'failed',
      ...reason,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .execute();
}
