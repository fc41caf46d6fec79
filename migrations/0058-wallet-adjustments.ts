/** Changes of a balance by hand: an account of their own in the ledger, and who made them, and why. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conrelid = 'ledger_accounts'::regclass and contype = 'c'`.execute(db);
  for (const { name } of rows) {
    await sql`alter table ledger_accounts drop constraint ${sql.ref(name)}`.execute(db);
  }
  await sql`
    alter table ledger_accounts add constraint ledger_accounts_kind check (
      case when user_id is null then kind in ('processor', 'revenue', 'adjustments')
           else kind in ('available', 'held', 'receivable') end)`.execute(db);
  await sql`insert into ledger_accounts (kind) values ('adjustments')`.execute(db);
  await sql`
    create table wallet_adjustments (
      adjustment_key text primary key,
      user_id text not null references users (user_id),
      amount_cents bigint not null check (amount_cents <> 0),
      actor text not null,
      reason text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index on wallet_adjustments (user_id)`.execute(db);
  await sql`
    create trigger append_only before update or delete or truncate on wallet_adjustments
    for each statement execute function refuse_ledger_change()`.execute(db);
  await sql`
    revoke update, delete, truncate on wallet_adjustments from outreach_app`.execute(db);
}
