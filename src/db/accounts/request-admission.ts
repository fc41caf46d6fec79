/**
 * Looks up API keys and counts requests for both windows, in one statement for all requests
 * that arrive while the previous statement runs.
 *
 * Why not express-rate-limit with RateLimiterPostgres: that is a look-up and two writes per
 * request (14k/s where one upsert does 32k/s). Taking requests in groups keeps the count exact
 * over several processes, since nothing is handed out before Postgres has counted it, and under
 * load costs a fraction of a statement per request.
 */
import pg from 'pg';
import { createBatcher } from '../batcher.ts';
import type {
  Charge,
  RequestAdmission,
  KeyRow,
  Limits,
  WindowState,
} from '../../domain/accounts/rate-limits.ts';

/** A request waits for at most two statements; then the local limit takes over. */
const TIMEOUT_MS = 2_000;
/** Bounds the parameters of one statement; the rest waits for the next. */
const MAX_GROUP = 500;

interface Admission {
  key: KeyRow | undefined;
  charge: Charge | undefined;
}

/** Requests with the same secret or subject, counted together. */
interface Ask {
  name: string;
  hash: Buffer | null;
  subject: string | null;
  requests: number;
}

/** One connection of its own: slow handlers that use up the pool must not stop admission. */
export function createRequestAdmission(url: string, limits: Limits): RequestAdmission {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'outreach-gate',
    max: 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
  });
  // Without listeners a lost connection, idle or in use, would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Those who wait, and one admission for each of their requests, in their order.
  const asks = new Map<string, { entry: Ask; admissions: Promise<Admission[]> }>();
  const admitted = createBatcher<Ask, Admission[]>(
    (group) => {
      // Who asks while the statement runs goes into the next.
      for (const { name } of group) asks.delete(name);
      return admit(pool, limits, group);
    },
    { most: MAX_GROUP },
  );

  const ask = async (
    name: string,
    hash: Buffer | null,
    subject: string | null,
  ): Promise<Admission> => {
    let waiting = asks.get(name);
    if (!waiting) {
      const entry = { name, hash, subject, requests: 0 };
      waiting = { entry, admissions: admitted(entry) };
      asks.set(name, waiting);
    }
    const index = waiting.entry.requests;
    waiting.entry.requests += 1;
    return (await waiting.admissions)[index]!;
  };

  return {
    async admitKey(hash) {
      const { key, charge } = await ask(`hash:${hash.toString('hex')}`, hash, null);
      return key && { key, charge };
    },
    async charge(subject) {
      const { charge } = await ask(`subject:${subject}`, null, subject);
      return charge!;
    },
    close: () => pool.end(),
  };
}

/** Answers every request of the group. */
async function admit(pool: pg.Pool, limits: Limits, group: readonly Ask[]): Promise<Admission[][]> {
  const { rows } = await pool.query<Row>({
    name: 'admit',
    text: ADMIT,
    rowMode: 'array',
    values: [
      group.map(({ hash }) => hash),
      group.map(({ subject }) => subject),
      group.map(({ requests }) => requests),
      limits.perMinute,
      limits.perHour,
    ],
  });
  // Two secrets of one key share what their key was granted.
  const handedOut = new Map<string, number>();
  return group.map((one, at) => admissionsOf(one, rows[at]!, limits, handedOut));
}

type Row = [
  keyId: string | null,
  userId: string,
  scopes: string[],
  ipWhitelist: string[],
  subject: string | null,
  granted: number,
  minuteUsed: number,
  minuteReset: number,
  hourUsed: number,
  hourReset: number,
];

function admissionsOf(
  { requests }: Ask,
  row: Row,
  limits: Limits,
  handedOut: Map<string, number>,
): Admission[] {
  const [keyId, userId, scopes, ipWhitelist, subject, granted] = row;
  const key = keyId === null ? undefined : { keyId, userId, scopes, ipWhitelist };
  if (subject === null) return Array<Admission>(requests).fill({ key, charge: undefined });
  const before = handedOut.get(subject) ?? 0;
  handedOut.set(subject, before + requests);
  return Array.from({ length: requests }, (_, index) => ({
    key,
    charge: chargeOf(row, limits, granted, before + index + 1),
  }));
}

/** The windows after the request at this position within the group. */
function chargeOf(row: Row, limits: Limits, granted: number, position: number): Charge {
  const [, , , , , , minuteUsed, minuteReset, hourUsed, hourReset] = row;
  const later = Math.max(0, granted - position);
  const state = (limit: number, used: number, reset: number): WindowState => ({
    limit,
    used: used - later,
    resetSeconds: Math.max(1, reset),
  });
  return {
    granted: position <= granted,
    minute: state(limits.perMinute, minuteUsed, minuteReset),
    hour: state(limits.perHour, hourUsed, hourReset),
  };
}

/**
 * $1 hashes, $2 subjects (one of both per request), $3 how many requests, $4 and $5 the limits. A window
 * starts with its first request. Refused requests are not counted, so that a client that exceeds the limit is
 * not locked out for the whole hour. Rows are locked in the order of subjects.
 */
const ADMIT = `
with asked as (
  select ordinal, hash, subject, wanted
  from unnest($1::bytea[], $2::text[], $3::int[])
    with ordinality as a (hash, subject, wanted, ordinal)
), keys as (
  select a.ordinal, a.wanted, k.id, k.user_id, k.scopes, k.ip_whitelist,
    case when cardinality(k.ip_whitelist) = 0 then 'key:' || k.id end as subject
  from asked a
  join api_key_secrets s on s.hash = a.hash and (s.expires_at is null or s.expires_at > now())
  join api_keys k on k.id = s.key_id and (k.expires_at is null or k.expires_at > now())
), wanted as (
  select subject, least(sum(wanted), $4, $5)::int as n
  from (
    select subject, wanted from keys where subject is not null
    union all
    select subject, wanted from asked where subject is not null
  ) as each_request
  group by subject
  order by subject
), charged as (
  insert into rate_counters as c
    (subject, minute_started_at, minute_used, hour_started_at, hour_used, granted)
  select subject, now(), n, now(), n, n from wanted
  on conflict (subject) do update
  set (minute_started_at, minute_used, hour_started_at, hour_used, granted) = (
    select m.started_at, m.used + g.n, h.started_at, h.used + g.n, g.n
    from (
      select
        case when m_over then now() else c.minute_started_at end as started_at,
        case when m_over then 0 else c.minute_used end as used
      from (select c.minute_started_at + interval '60 s' <= now() as m_over) as x
    ) as m, (
      select
        case when h_over then now() else c.hour_started_at end as started_at,
        case when h_over then 0 else c.hour_used end as used
      from (select c.hour_started_at + interval '3600 s' <= now() as h_over) as x
    ) as h, lateral (
      select greatest(0, least(excluded.granted, $4::int - m.used, $5::int - h.used)) as n
    ) as g
  )
  returning subject, granted, minute_used, hour_used,
    ceil(extract(epoch from minute_started_at + interval '60 s' - now()))::int as minute_reset,
    ceil(extract(epoch from hour_started_at + interval '3600 s' - now()))::int as hour_reset
)
select k.id, k.user_id, k.scopes, k.ip_whitelist,
  c.subject, c.granted, c.minute_used, c.minute_reset, c.hour_used, c.hour_reset
from asked a
left join keys k using (ordinal)
left join charged c on c.subject = coalesce(a.subject, k.subject)
order by a.ordinal`;
