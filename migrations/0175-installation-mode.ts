/** Which mode a database is of, so that no process of the other one works on it. Written by its owner alone. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table installation (
      one boolean primary key default true check (one),
      mode text not null check (mode in ('live', 'test'))
    )`.execute(db);
  await sql`insert into installation (mode) values ('live')`.execute(db);
  await sql`revoke all on installation from outreach_app`.execute(db);
  await sql`grant select on installation to outreach_app`.execute(db);
}
