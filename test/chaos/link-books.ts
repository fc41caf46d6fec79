/** After a drill over broken links: each operation that was answered exists exactly once. */
import { sql } from 'kysely';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { eventually } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { FUNDS_CENTS, PAID_CENTS, type Done, type Kind, type Shop } from './link-drill.ts';

export interface LinkVerdict {
  lost: string[];
  doubled: string[];
  /** Wallets that do not add up. */
  cents: string[];
}

interface Books {
  registrars: Record<string, { orders: { domain: string; kind: string }[] }>;
}

/** How often an item of each kind exists, by its name. */
async function counts({ db }: SharedWorld, kind: Exclude<Kind, 'wallet'>, names: string[]) {
  const table = {
    list: sql`select name as name from lead_lists`,
    lead: sql`select split_part(email, '@', 1) as name from leads`,
    domain: sql`select split_part(name, '.', 1) as name from domains where status = 'active'`,
    mailbox: sql`select split_part(email, '@', 1) as name from mailboxes where status = 'active'`,
  }[kind];
  const { rows } = await sql<{ name: string; n: number }>`
    select name, count(*)::int as n from (${table}) as each
    where name = any(${names}) group by name`.execute(db);
  return new Map(rows.map(({ name, n }) => [name, n]));
}

/** A schedule starts, once a minute, what was lost on the way to Temporal. */
const ENDED_WITHIN_MS = 150_000;

/**
 * A request is answered before its work has ended where that takes longer, or where Temporal was down:
 * the work ends by itself soon. Blocked operations are left, and reported as missing.
 */
export const workHasEnded = ({ db }: SharedWorld): Promise<true> =>
  eventually(
    'The work that is under way',
    async () => {
      const open = await db
        .selectFrom('operations')
        .select('id')
        .where('finished_at', 'is', null)
        .where('state', '!=', 'blocked')
        .where('kind', '!=', 'syncInbox')
        .limit(1)
        .executeTakeFirst();
      return open === undefined || undefined;
    },
    ENDED_WITHIN_MS,
  );

/** Checks only the drill's own operations. */
export async function judge(
  world: SharedWorld,
  { accounts }: Shop,
  done: readonly Done[],
): Promise<LinkVerdict> {
  const verdict: LinkVerdict = { lost: [], doubled: [], cents: [] };
  for (const kind of ['list', 'lead', 'domain', 'mailbox'] as const) {
    const names = done.filter((one) => one.kind === kind).map(({ name }) => name);
    const found = await counts(world, kind, names);
    for (const name of names) {
      const n = found.get(name) ?? 0;
      if (n === 0) verdict.lost.push(`${kind} ${name}`);
      if (n > 1) verdict.doubled.push(`${kind} ${name}: ${n} times`);
    }
  }
  const { registrars } = await world.control<Books>('GET', '/books');
  const orders = Object.values(registrars).flatMap((vendor) => vendor.orders);
  for (const { name } of done.filter(({ kind }) => kind === 'domain')) {
    const bought = orders.filter(({ domain }) => domain === `${name}.com`).length;
    if (bought !== 1) verdict.doubled.push(`${name}.com was bought ${bought} times`);
  }
  verdict.cents.push(...(await auditWallets(world.db)).map((one) => JSON.stringify(one)));
  const { funded } = await world.db
    .selectFrom('ledger_transactions')
    .select(({ fn }) => fn.sum<string>('amount_cents').as('funded'))
    .where('type', '=', 'credit')
    .where(
      'user_id',
      'in',
      accounts.map(({ userId }) => userId),
    )
    .executeTakeFirstOrThrow();
  const paid = done.filter(({ kind }) => kind === 'wallet').length * PAID_CENTS;
  const wanted = paid + accounts.length * FUNDS_CENTS;
  if (Number(funded) !== wanted) verdict.cents.push(`${funded} were credited, ${wanted} paid`);
  return verdict;
}
