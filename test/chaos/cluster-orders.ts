/**
 * How a client places its order over HTTP while the API dies: each request is repeated until it is
 * answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Answer } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { registrarAt } from '../support/vendors/registrar-world.ts';
import type { Wish } from './cluster-wishes.ts';

export interface Order extends Wish {
  clusterId: number;
  /** A new server was requested, at once or because there was none. */
  rentsServer: boolean;
}

export const POLL_MS = 500;
/** More than any name costs here. */
const CAP_CENTS = 5_000;

/** Imports domains that users already have, with our registrar account: before any faults. */
export async function importDomains(world: SharedWorld, wishes: readonly Wish[]): Promise<void> {
  for (const { account, domain, origin, registrar: name } of wishes) {
    if (origin !== 'imported') continue;
    const registrar = registrarAt({ sandbox: () => ({ url: world.file.sandbox }) }, name);
    // Some of the names make the registrar fail.
    await eventually(`${domain} at ${name}`, async () => {
      const has = await registrar.find(domain);
      return has ?? registrar.register(domain, CAP_CENTS, `drill-${domain}`);
    });
    const { id, verification } = await account.api.domains.import({ body: { domain } });
    const proof = { type: 'TXT', name: '_outreach-challenge', value: verification!.value } as const;
    await eventually(`The proof of ${domain}`, async () => {
      const records = await registrar.listRecords(domain);
      const isThere = records.some(({ value }) => value === proof.value);
      return isThere || registrar.createRecord(domain, proof);
    });
    await eventually(`The verification of ${domain}`, async () => {
      const { status } = await account.call('POST', `/v1/domains/${id}/verify`);
      return status === 200 || undefined;
    });
  }
}

/** Resolves when the cluster is ordered. */
export async function placeOrder(world: SharedWorld, wish: Wish, deadline: number): Promise<Order> {
  const { account, domain, origin, useExistingVps } = wish;
  if (origin === 'bought before') await buyBefore(world, wish, deadline);
  const path = origin === 'with the cluster' ? 'create' : 'create-with-existing-domain';
  const ask = (existing: boolean) =>
    persistently(deadline, [201, 400], () =>
      account.call(
        'POST',
        `/v1/clusters/${path}`,
        { domain, useExistingVps: existing },
        { 'idempotency-key': `${domain}:${existing}` },
      ),
    );
  const first = await ask(useExistingVps);
  // The server of the user's first cluster may be blocked.
  const isNone = useExistingVps && first.body.code === 'NO_EXISTING_VPS';
  const { status, body } = isNone ? await ask(false) : first;
  if (status !== 201) throw new Error(`${domain}: ${JSON.stringify(body)}`);
  return { ...wish, clusterId: body.data.id, rentsServer: isNone || !useExistingVps };
}

/** `POST /v1/domains` with a registrar; a repeat resumes a purchase that is blocked. */
async function buyBefore(world: SharedWorld, wish: Wish, deadline: number): Promise<void> {
  const { account, domain, registrar: provider } = wish;
  for (let attempt = 1; ; attempt += 1) {
    const key = { 'idempotency-key': `${domain}:purchase-${attempt}` };
    const { status, body } = await persistently(deadline, [201, 400], () =>
      account.call('POST', '/v1/domains', { domain, provider }, key),
    );
    const isOwned = body.code === 'DOMAIN_ALREADY_OWNED';
    if (status !== 201 && !isOwned) throw new Error(`${domain}: ${JSON.stringify(body)}`);
    if ((await untilBought(world, domain, deadline)) === 'active') return;
  }
}

/** Until the domain exists, or its purchase is blocked. */
async function untilBought(world: SharedWorld, domain: string, deadline: number) {
  const read = () =>
    world.db
      .selectFrom('domains')
      .innerJoin('operations', 'operations.resource_id', 'domains.id')
      .select(['domains.status', 'operations.blocked_at'])
      .where('operations.resource_type', '=', 'domain')
      .where('domains.name', '=', domain)
      .executeTakeFirstOrThrow();
  for (;;) {
    const now = await read().catch(() => undefined);
    if (now && (now.status !== 'pending' || now.blocked_at)) return now.status;
    if (Date.now() > deadline) throw new Error(`${domain} is not bought`);
    await sleep(POLL_MS);
  }
}

/** Repeats one request until it has this answer; only 5xx and missing answers are repeated. */
export async function persistently(
  deadline: number,
  statuses: readonly number[],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer && statuses.includes(answer.status)) return answer;
    const isFinal = answer && answer.status < 500;
    if (isFinal || Date.now() > deadline) {
      throw new Error(`answered ${answer?.status}: ${JSON.stringify(answer?.body)}`);
    }
    await sleep(POLL_MS);
  }
}
