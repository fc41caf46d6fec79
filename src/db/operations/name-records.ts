/** What our rows know of a name that our account at a registrar has. */
import type { Kysely } from 'kysely';
import type { NameOrder, NameRecords } from '../../domain/domains/name-claims.ts';
import type { Database } from '../tables.ts';

interface Name {
  provider: string;
  name: string;
  /** When an order claimed the name: from then on the comparison takes it for that order's, and closes its finding. */
  claimedAt?: Date;
}

export async function readNameRecords(db: Kysely<Database>, asked: Name): Promise<NameRecords> {
  return { orders: await listOrders(db, asked), isFound: await isFound(db, asked) };
}

/** More of one name are not looked at. */
const MAX_ORDERS = 200;

/** An order that was refused has asked, too: what it was refused may have come all the same. */
async function listOrders(db: Kysely<Database>, { provider, name }: Name): Promise<NameOrder[]> {
  return db
    .selectFrom('provider_resources')
    .innerJoin('operations', 'operations.id', 'provider_resources.operation_id')
    .select([
      'operations.user_id as userId',
      'provider_resources.created_at as askedFrom',
      'provider_resources.asked_until as askedUntil',
    ])
    .where('provider_resources.provider', '=', provider)
    .where('provider_resources.external_id', '=', name)
    .where('provider_resources.step', '=', 'domain_purchase')
    .orderBy('provider_resources.id', 'desc')
    .limit(MAX_ORDERS)
    .execute();
}

async function isFound(
  db: Kysely<Database>,
  { provider, name, claimedAt }: Name,
): Promise<boolean> {
  const found = await db
    .selectFrom('findings')
    .select('id')
    .where('kind', 'in', ['unknown_domain', 'unrecorded_domain'])
    .where('subject', '=', `${provider}/${name}`)
    .where((is) =>
      is.or([
        is('state', '=', 'open'),
        ...(claimedAt ? [is('state', '=', 'gone').and('closed_at', '>=', claimedAt)] : []),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
