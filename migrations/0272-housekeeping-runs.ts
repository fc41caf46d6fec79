/** When each housekeeping Schedule last had a look at all it has to do, and how that went. Age counts from now on. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table housekeeping_runs (
    schedule text primary key,
    began_at timestamptz not null default now(),
    looked_at timestamptz not null default now(),
    due int not null default 0,
    advanced int not null default 0,
    fruitless int not null default 0
  )`.execute(db);
  await sql`insert into housekeeping_runs (schedule) values ('renew-domains'), ('rotate-dkim-keys'),
    ('check-mail-hosts'), ('read-mail-reports'), ('complete-records'), ('publish-mta-sts')`.execute(
    db,
  );
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
