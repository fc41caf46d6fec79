/**
 * Intents at providers: written before the call, so that no created resource is lost track of.
 * docs/workflow-rules.md#intent-before-purchase.
 */
import type { Kysely, Selectable } from 'kysely';
import type { ProviderResourcesTable } from './operation-tables.ts';
import type { Database } from '../tables.ts';

export type ProviderResource = Selectable<ProviderResourcesTable>;

/** The newest intent of a step, if there is one. */
export const findResource = (
  db: Kysely<Database>,
  operationId: number,
  step: string,
): Promise<ProviderResource | undefined> =>
  db
    .selectFrom('provider_resources')
    .selectAll()
    .where('operation_id', '=', operationId)
    .where('step', '=', step)
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Every intent of a step, oldest first. */
export const listResources = (
  db: Kysely<Database>,
  operationId: number,
  step: string,
): Promise<ProviderResource[]> =>
  db
    .selectFrom('provider_resources')
    .selectAll()
    .where('operation_id', '=', operationId)
    .where('step', '=', step)
    .orderBy('generation')
    .execute();

export interface Intent {
  operationId: number;
  step: string;
  generation: number;
  provider: string;
  token: string;
  askedUntil: Date;
  /** Known beforehand where the name is the id (a domain). */
  externalId?: string;
}

const insertIntent = (db: Kysely<Database>, intent: Intent) =>
  db.insertInto('provider_resources').values({
    operation_id: intent.operationId,
    step: intent.step,
    generation: intent.generation,
    provider: intent.provider,
    token: intent.token,
    external_id: intent.externalId ?? null,
    asked_until: intent.askedUntil,
  });

const IDENTITY = ['operation_id', 'step', 'generation'] as const;

/** Writes or renews an intent: until `askedUntil` a request may be in progress. */
export const upsertIntent = (db: Kysely<Database>, intent: Intent): Promise<ProviderResource> =>
  insertIntent(db, intent)
    .onConflict((conflict) =>
      conflict
        .columns(IDENTITY)
        .doUpdateSet({ asked_until: intent.askedUntil, updated_at: new Date() }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * The same for one of several attempts: undefined where another one has written this generation since `earlier`
 * was read. For vendors at which a second request makes a second thing.
 */
export const claimIntent = (
  db: Kysely<Database>,
  intent: Intent,
  earlier: ProviderResource | undefined,
): Promise<ProviderResource | undefined> =>
  earlier?.generation === intent.generation
    ? db
        .updateTable('provider_resources')
        .set({ asked_until: intent.askedUntil, updated_at: new Date() })
        .where('id', '=', earlier.id)
        .where('asked_until', '=', earlier.asked_until)
        .returningAll()
        .executeTakeFirst()
    : insertIntent(db, intent)
        .onConflict((conflict) => conflict.columns(IDENTITY).doNothing())
        .returningAll()
        .executeTakeFirst();

/** The request has ended, with or without an answer: its effect shows within the provider's lag. */
export async function endRequest(db: Kysely<Database>, id: number, at: Date): Promise<void> {
  await db
    .updateTable('provider_resources')
    .set({ asked_until: at, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/**
 * Records the result of an intent. False where another result was recorded meanwhile: an attempt that was
 * given up must not restore what has been undone.
 */
export async function settleIntent(
  db: Kysely<Database>,
  id: number,
  settled: { state: 'created' | 'absent' | 'deleted'; externalId?: string },
): Promise<boolean> {
  const from: ProviderResource['state'][] =
    settled.state === 'deleted' ? ['creating', 'created', 'absent'] : ['creating', settled.state];
  const done = await db
    .updateTable('provider_resources')
    .set({
      state: settled.state,
      ...(settled.externalId !== undefined && { external_id: settled.externalId }),
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/**
 * A definite refusal: nothing was made and nothing will appear. False where another attempt has asked since
 * (`asked_until` has changed), or has made it.
 */
export async function settleRefused(
  db: Kysely<Database>,
  { id, asked_until }: Pick<ProviderResource, 'id' | 'asked_until'>,
): Promise<boolean> {
  const done = await db
    .updateTable('provider_resources')
    .set({ state: 'absent', updated_at: new Date() })
    .where('id', '=', id)
    .where('state', '=', 'creating')
    .where('asked_until', '=', asked_until)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}
