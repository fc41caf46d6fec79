/** Seed mailboxes of an account. Choice 123. */
import type { Context } from '../../context.ts';
import { lockUser } from '../../db/accounts/api-keys.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  deleteSeed,
  findUserSeed,
  insertSeed,
  listSeeds,
  lockUserSeed,
  updateSeed,
  type PlacementSeed,
  type SeedChange,
} from '../../db/placement/placement-seeds.ts';
import { AUDITED_FIELDS, difference, told } from '../../domain/accounts/audited-values.ts';
import { assertLoginsLeft } from '../../transactions/mailboxes/refused-logins.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { assertPasswordStays } from '../../domain/mailboxes/kept-passwords.ts';
import { MAX_SEEDS, type SeedOrder } from '../../domain/placement/placement.ts';

export type { PlacementSeed } from '../../db/placement/placement-seeds.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'config'>;

/** 400 SEED_EXISTS, TOO_MANY_SEEDS. The first test logs in. */
export const createSeed = (
  { db, cipher, config }: Needs,
  userId: string,
  order: SeedOrder,
): Promise<PlacementSeed> =>
  commitOnce(db, async (trx) => {
    await lockUser(trx, userId);
    await assertLoginsLeft(trx, config, userId);
    if ((await listSeeds(trx, userId)).length >= MAX_SEEDS) {
      throw invalid('TOO_MANY_SEEDS', `An account has at most ${MAX_SEEDS} seed mailboxes`);
    }
    const made = await insertSeed(trx, { cipher, userId }, order);
    if (!made) throw invalid('SEED_EXISTS', `${order.address} is a seed already`);
    const { address, provider } = made;
    noteChange({ resourceId: made.id, after: { address, provider, leftOut: ['password'] } });
    return made;
  });

export async function listUserSeeds(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: PlacementSeed[]; total: number }> {
  const all = await listSeeds(db, userId);
  return { rows: all.slice(offset, offset + limit), total: all.length };
}

export async function getSeed(
  { db }: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<PlacementSeed> {
  const seed = await findUserSeed(db, userId, id);
  if (!seed) throw notFound('placement seed');
  return seed;
}

/** Its address stays. What its last login has shown is forgotten. Another server or user name comes with a password. */
export const changeSeed = (
  { db, cipher, config }: Needs,
  { userId, id }: { userId: string; id: number },
  change: SeedChange,
): Promise<PlacementSeed> =>
  commitOnce(db, async (trx) => {
    const before = await lockUserSeed(trx, userId, id);
    if (!before) throw notFound('placement seed');
    const { password, username = before.username, imap = before.imap } = change;
    if (password === undefined) assertPasswordStays(before, { username, imap });
    else await assertLoginsLeft(trx, config, userId);
    const after = await updateSeed(trx, { cipher, id }, change);
    const leftOut = (['username', 'imap', 'password'] as const).filter(
      (field) => change[field] !== undefined,
    );
    noteChange(difference(AUDITED_FIELDS.placementSeed, before, after, leftOut));
    return after;
  });

/** Tests keep what they have found in it; one that still looks there fails for it. */
export const removeSeed = (
  { db }: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<{ id: number }> =>
  commitOnce(db, async (trx) => {
    const before = await lockUserSeed(trx, userId, id);
    if (!before) throw notFound('placement seed');
    noteChange({ before: told(AUDITED_FIELDS.placementSeed, before) });
    await deleteSeed(trx, id);
    return { id };
  });
