/** A discovery whose worker is killed again and again, and the invariants afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { sql, type Kysely } from 'kysely';
import { getLeadProcess } from '../../src/db/discovery/lead-processes.ts';
import type { Database } from '../../src/db/tables.ts';
import { countActions, type ActionCount } from '../../src/dev/temporal/temporal-actions.ts';
import type { ControlApi } from './discovery-supply.ts';
import { seededRandom } from './seeded-random.ts';

export interface DrillWorld {
  api: string;
  token: string;
  db: Kysely<Database>;
  temporal: Client;
  control: ControlApi;
  /** The current worker: its process, and the URL that reports that it polls. */
  worker(): Promise<{ pid: number; readyUrl: string }>;
}

export interface Drill {
  searchTerm: string;
  leads: number;
  kills: number;
  seed: number;
  /** The approximate number of ads, visits, questions and people. */
  work: number;
  report(line: string): void;
}

export interface DrillResult {
  process: Record<string, unknown> & { id: number; status: string; leadListId: number };
  kills: number;
  seconds: number;
  actions: ActionCount;
}

const POLL_MS = 250;
const LIMIT_MS = 45 * 60_000;

/** Starts a discovery and kills the worker at random moments until it has ended. */
export async function runDrill(world: DrillWorld, drill: Drill): Promise<DrillResult> {
  const startedAt = Date.now();
  const { searchTerm, leads: leadCount } = drill;
  const order = { searchTerm, leadCount, adReachedCountries: ['DE', 'US'] };
  const { id } = await ask(world, 'POST', '/v1/leads/process', order);
  // Not through the API, which allows a hundred requests a minute.
  const read = () => getLeadProcess(world.db, id);
  const killer = createKiller(world, drill, id);
  for (let now = await read(); now.status === 'processing'; now = await read()) {
    const limit = JSON.stringify(now);
    if (Date.now() - startedAt > LIMIT_MS) throw new Error(`it does not end: ${limit}`);
    if (killer.kills() < drill.kills) await killer.strike();
    else await sleep(POLL_MS);
    await assertExact(world, id, now.lead_list_id!);
  }
  const actions = await countActions(world.temporal, `discovery/${id}`);
  const ended = await ask(world, 'GET', `/v1/leads/process/${id}`);
  const seconds = (Date.now() - startedAt) / 1_000;
  return { process: ended, kills: killer.kills(), seconds, actions };
}

/**
 * Kills are spread over the work, not over the time: each hits as soon as the drawn number of ads,
 * visits, questions and leads is done. Between two kills a worker always makes some progress.
 */
function createKiller(world: DrillWorld, drill: Drill, id: number) {
  const random = seededRandom(drill.seed);
  const moments = Array.from({ length: drill.kills }, () => random() * LAST_KILL * drill.work)
    .map(Math.floor)
    .toSorted((a, b) => a - b);
  let kills = 0;
  return {
    kills: () => kills,
    async strike(): Promise<void> {
      await untilReady(world);
      let now = await workOf(world, id);
      while (now.isOpen && now.done < moments[kills]!) {
        await sleep(20);
        now = await workOf(world, id);
      }
      if (!now.isOpen) return;
      process.kill((await world.worker()).pid, 'SIGKILL');
      kills += 1;
      drill.report(`kill ${kills} at ${now.step}, ${now.found} leads`);
      // At least one more item is done before the next kill.
      if (kills < moments.length) moments[kills] = Math.max(moments[kills]!, now.done + 1);
      // The supervisor has to notice the death.
      await sleep(500);
    },
  };
}

/** After this share of the work there are no kills, as the estimate of all work may be too high. */
const LAST_KILL = 0.85;

/** How much a process has done, in items of any kind. */
async function workOf({ db }: DrillWorld, id: number) {
  const { rows } = await sql<{ done: number; status: string; step: string; found: number }>`
    select status, step, found_leads as found, processed_leads
      + (select coalesce(sum(ads), 0) from lead_process_sources where process_id = process.id)
      + (select coalesce(sum(asked), 0) from lead_process_finders where process_id = process.id)
      as done
    from lead_processes as process where id = ${id}`.execute(db);
  const { status, step, found, done } = rows[0]!;
  return { isOpen: status === 'processing', step, found, done: Number(done) };
}

/** The stored rows equal the counters, at this very moment. */
async function assertExact(world: DrillWorld, id: number, leadListId: number): Promise<void> {
  const exact = await world.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const row = await trx
        .selectFrom('lead_processes')
        .select(['found_leads', 'lead_count'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const { count } = await trx
        .selectFrom('leads')
        .innerJoin('companies', 'companies.id', 'leads.company_id')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('companies.lead_list_id', '=', leadListId)
        .executeTakeFirstOrThrow();
      return { found: row.found_leads, wanted: row.lead_count, stored: Number(count) };
    });
  if (exact.found !== exact.stored || exact.stored > exact.wanted) {
    throw new Error(`the counters are wrong: ${JSON.stringify(exact)}`);
  }
}

/** The problems that the drill found; empty when there are none. */
export async function problemsOf(world: DrillWorld, result: DrillResult): Promise<string[]> {
  const { process: ended, actions } = result;
  const problems: string[] = [];
  const expect = (isSo: boolean, words: string) => void (isSo || problems.push(words));
  const leads = await world.db
    .selectFrom('leads')
    .innerJoin('companies', 'companies.id', 'leads.company_id')
    .select(['leads.email', 'leads.company_id', 'companies.domain'])
    .where('companies.lead_list_id', '=', ended.leadListId)
    .execute();
  const emails = new Set(leads.map(({ email }) => email));
  const { status, foundLeads, leadCount } = ended;
  expect(status === 'completed', `it ended as ${status}: ${JSON.stringify(ended['error'])}`);
  expect(foundLeads === leads.length, `foundLeads ${String(foundLeads)}, stored ${leads.length}`);
  expect(foundLeads === leadCount, `${String(foundLeads)} of ${String(leadCount)} leads found`);
  expect(emails.size === leads.length, `${leads.length - emails.size} leads stand there twice`);
  expect(actions.maxEvents < 2_000, `a history of ${actions.maxEvents} events`);
  problems.push(...(await purchaseProblems(world, ended.id)));
  return problems;
}

interface Charge {
  domain: string;
  email?: string;
  credits: number;
}

/** Compares the finders' own records with ours. */
async function purchaseProblems(world: DrillWorld, processId: number): Promise<string[]> {
  const books = await world.control<{ finders: Record<string, { charges: Charge[] }> }>(
    'GET',
    '/books',
  );
  const purchases = await world.db
    .selectFrom('contact_purchases')
    .selectAll()
    .where('process_id', '=', processId)
    .execute();
  const ours = new Map(purchases.map((one) => [`${one.vendor} ${one.domain}`, one]));
  const problems: string[] = [];
  const sold = new Map<string, string[]>();
  for (const [vendor, { charges }] of Object.entries(books.finders)) {
    for (const { domain, email } of charges) {
      const purchase = ours.get(`${vendor} ${domain}`);
      if (!purchase) continue;
      const what = `${vendor} ${email ?? domain}`;
      sold.set(what, [...(sold.get(what) ?? []), purchase.state]);
    }
  }
  for (const [what, times] of sold) {
    if (times.length > 1) problems.push(`${what} was bought ${times.length} times`);
  }
  // Another finder is asked only where it is unknown whether the first one charged.
  const apollo = purchases.filter(({ vendor, credits }) => vendor === 'apollo' && credits > 0);
  for (const { domain } of apollo) {
    const hunter = ours.get(`hunter ${domain}`);
    if (hunter?.state === 'answered' && hunter.credits > 0)
      problems.push(`${domain} was bought twice`);
  }
  return problems;
}

/** For the report: purchases whose answers were lost with their worker. */
export async function countUncertain(world: DrillWorld, processId: number): Promise<number> {
  const { count } = await world.db
    .selectFrom('contact_purchases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('process_id', '=', processId)
    .where('state', '=', 'uncertain')
    .executeTakeFirstOrThrow();
  return Number(count);
}

// oxlint-disable-next-line typescript/no-explicit-any -- the answer's `data`, whatever it is
async function ask(world: DrillWorld, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${world.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status === 429) {
    await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
    return ask(world, method, path, body);
  }
  const parsed = (await answer.json()) as { data: unknown };
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(parsed)}`);
  return parsed.data;
}

async function untilReady(world: DrillWorld): Promise<void> {
  for (;;) {
    const { readyUrl } = await world.worker();
    const isReady = await fetch(readyUrl, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
}
