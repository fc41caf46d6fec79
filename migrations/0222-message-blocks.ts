/**
 * The index of words knows when a message of an account came: of words that many have, the newest ones are found
 * without reading the others. A block is 1,048,576 seconds (twelve days) of one account (`time_block`).
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function block_of_time(p_at timestamptz) returns bigint
    language sql immutable parallel safe
    return floor(extract(epoch from p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 20`.execute(
    db,
  );
  // An array, so that Postgres' own operator class takes it.
  await sql`
    create or replace function time_block(p_user text, p_at timestamptz) returns bigint[]
    language sql immutable parallel safe
    return array[hashtextextended(p_user, 0) # block_of_time(p_at)]`.execute(db);
  // Nobody writes messages while it is built. It may be there already: docs/deployment.md says how to build it
  // beforehand while writes go on.
  await sql`create index if not exists messages_search_blocks on messages
    using gin (time_block(user_id, received_at), search)`.execute(db);
  // So that the messages of a campaign are counted without reading them.
  await sql`create index if not exists messages_campaign_inbox on messages
    (campaign_id, received_at desc, id desc) include (user_id, in_inbox)
    where campaign_id is not null`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
