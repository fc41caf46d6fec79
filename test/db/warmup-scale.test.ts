/** Many messages of warm-up cost a mailbox's round nothing: each look has its index. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCipher } from '../../src/encryption/cipher.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let mailboxId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const cipher = createCipher(`test:${Buffer.alloc(32).toString('base64')}`);
  const userId = await addSender(db);
  const ids = await addMailboxes({ db, cipher }, userId, { count: 20 });
  mailboxId = ids[0]!;
  await sql`
    insert into warmup_letters (from_mailbox_id, to_mailbox_id, to_address, message_id, state,
      planned_at, claimed_at)
    select (${ids}::bigint[])[1 + n % 20], (${ids}::bigint[])[1 + (n + 7) % 20], 'x@example.test', n,
      case when n % 3 = 0 then 'planned' else 'sent' end, now() + n * interval '1 minute',
      case when n % 3 > 0 then now() - n * interval '1 minute' end
    from generate_series(1, 40000) as n`.execute(db);
  await database.analyze('warmup_letters');
});
afterAll(() => database?.close());

const planOf = async (query: ReturnType<typeof sql>): Promise<string> => {
  const { rows } = await sql<Record<string, string>>`explain ${query}`.execute(database.db);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

describe('a mailbox among many messages', () => {
  it('finds its next message by the index of planned ones', async () => {
    const plan = await planOf(sql`select id from warmup_letters
      where from_mailbox_id = ${mailboxId} and state in ('planned')
      order by planned_at limit 1`);
    expect(plan).toContain('warmup_letters_planned');
    expect(plan).not.toContain('Seq Scan');
  });

  it('counts its last messages by the index of claims', async () => {
    const plan = await planOf(sql`select claimed_at from warmup_letters
      where from_mailbox_id = ${mailboxId} and claimed_at > now() - interval '1 day'
      order by claimed_at desc limit 50`);
    expect(plan).toContain('warmup_letters_from');
    expect(plan).not.toContain('Seq Scan');
  });

  it('finds what it expects by the index of arrivals', async () => {
    const plan = await planOf(sql`select * from warmup_letters
      where to_mailbox_id = ${mailboxId} and claimed_at > now() - interval '3 days'
        and state in ('sending', 'sent', 'uncertain') and seen_at is null
      order by claimed_at desc limit 100`);
    expect(plan).toContain('warmup_letters_to');
    expect(plan).not.toContain('Seq Scan');
  });
});
