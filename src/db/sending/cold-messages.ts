/** Messages of campaigns: those to leads, and those of placement tests to seeds, which count like them. */
import { sql } from 'kysely';

/** A table of `mailbox_id` and `claimed_at`, to select from; Postgres reads the index of each part. */
export const coldMessages = sql`(
  select mailbox_id, claimed_at from sends
  union all
  select mailbox_id, claimed_at from placement_messages where claimed_at is not null) as cold_messages`;
