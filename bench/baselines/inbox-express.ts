/**
 * The obvious alternative: Express 5 and pg. The key is looked up, the limiter's two windows are
 * counted in Postgres one after the other, then the page is read and everything counted.
 */
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

const [connectionString = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 32 });
const app = express();

async function consume(key: string, seconds: number, limit: number): Promise<boolean> {
  const { rows } = await pool.query<{ points: number }>(
    `insert into bench_limits as l (key, points, expires_at)
     values ($1, 1, now() + $2 * interval '1 second')
     on conflict (key) do update set
       points = case when l.expires_at <= now() then 1 else l.points + 1 end,
       expires_at = case when l.expires_at <= now() then excluded.expires_at else l.expires_at end
     returning points`,
    [`${key}:${seconds}`, seconds],
  );
  return rows[0]!.points <= limit;
}

app.get('/v1/inbox', async (request, response) => {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const hash = createHash('sha256').update(token).digest();
  const keys = await pool.query<{ id: string; user_id: string }>(
    `select k.id, k.user_id from api_key_secrets s join api_keys k on k.id = s.key_id
     where s.hash = $1 and (s.expires_at is null or s.expires_at > now())`,
    [hash],
  );
  const key = keys.rows[0];
  if (!key) return void response.status(401).json({ success: false, error: 'Unauthorized' });
  for (const [seconds, limit] of [
    [60, 100_000_000],
    [3_600, 100_000_000],
  ] as const) {
    if (!(await consume(key.id, seconds, limit))) {
      return void response.status(429).json({ success: false, error: 'Too many requests' });
    }
  }
  const page = Number(request.query.page ?? 1);
  const limit = Number(request.query.limit ?? 20);
  const [items, count] = await Promise.all([
    pool.query(
      `select id, from_address as "from", array_to_string(to_addresses, ', ') as "to", subject,
         snippet, sent_at, is_read, direction, has_attachments
       from messages where user_id = $1 and in_inbox
       order by sent_at desc, id desc limit $2 offset $3`,
      [key.user_id, limit, (page - 1) * limit],
    ),
    pool.query<{ total: string }>(
      `select count(*) as total from messages where user_id = $1 and in_inbox`,
      [key.user_id],
    ),
  ]);
  const total = Number(count.rows[0]!.total);
  const totalPages = Math.ceil(total / limit);
  const pagination = { page, limit, total, totalPages, hasNext: page < totalPages };
  response.json({ success: true, data: { items: items.rows, pagination } });
});

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
