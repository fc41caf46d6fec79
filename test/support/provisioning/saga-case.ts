/** Runs one provisioning with one fault to its end, and reports what is wrong. */
import { workflowIdOf } from '../../../src/domain/operations/run-keys.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCluster, type Cluster } from '../../../src/db/clusters/clusters.ts';
import { getDomain } from '../../../src/db/domains/domains.ts';
import { getOperation, type Operation } from '../../../src/db/operations/operations.ts';
import { getServer } from '../../../src/db/clusters/servers.ts';
import { createCluster, createClusterOnDomain } from '../../../src/services/clusters/clusters.ts';
import {
  cancelSignal,
  operationQuery,
  resolveBlockedStepSignal,
  resolveBlockedStepUpdate,
} from '../../../workflows/contracts/operator.ts';
import { opsState, opsStep } from '../../../workflows/contracts/search-attributes.ts';
import { DOMAIN_CENTS, FORMS, SERVER_CENTS, type FormName } from './cluster-forms.ts';
import type { Plan, UndoMode } from './fault-injector.ts';
import { patiently } from './matrix-scope.ts';
import { ownDomain, type ProvisioningWorld } from './provisioning-world.ts';
import { boughtThough, compare, expectedOf, type SagaCase } from './saga-expectations.ts';
import { VENDOR_PAIRS, type VendorPair } from './vendor-pairs.ts';

export const UNDO_MODES: readonly UndoMode[] = ['once', 'twice', 'dies_after_effect'];

export interface CaseResult {
  title: string;
  vendors: VendorPair;
  domain: string;
  clusterId: number;
  status: Cluster['status'];
  problems: string[];
}

export interface RanActivity {
  /** The readable id, such as `server_create.order`. */
  id: string;
  /** Whether it only checks, within a limit, if something has arrived, without an effect of its own. */
  isWait: boolean;
}

const POLL_MS = 300;
/** Far more than any case takes; a case that hangs is named instead of timing out the file. */
const CASE_LIMIT_MS = 300_000;
const FUNDS_CENTS = 10_000;

/** The landlord's domain: the forms with an existing server use its server. */
export const landlordDomain = ({ vps }: VendorPair) => `landlord-${vps}.com`;

/** `waiting` holds the plan of a domain until its operation is about to start. */
export function createRunner(world: ProvisioningWorld, waiting: Map<string, Plan>) {
  const { context } = world;
  const landlords = new Map<VendorPair, string>();
  let domains = 0;
  const handleOf = (operation: Operation) =>
    context.temporal.workflow.getHandle(workflowIdOf(operation));

  async function order(form: FormName, vendors: VendorPair, plan?: Plan) {
    const { buysDomain, rentsServer } = FORMS[form];
    const userId = rentsServer ? await world.fundedUser(FUNDS_CENTS) : landlords.get(vendors)!;
    const domain = `matrix-${(domains += 1)}.com`;
    const at = world.at(vendors);
    if (!buysDomain) await ownDomain(at, userId, domain);
    if (plan) waiting.set(domain, plan);
    const create = buysDomain ? createCluster : createClusterOnDomain;
    const { id } = await create(at, userId, { domain, useExistingVps: !rentsServer });
    const { operation_id } = await getCluster(context.db, id);
    return { userId, domain, clusterId: id, operationId: operation_id! };
  }

  return {
    /** At each pair of vendors. */
    async rentSharedServers() {
      const rent = async (vendors: VendorPair) => {
        const landlord = await world.fundedUser(FUNDS_CENTS * 100);
        landlords.set(vendors, landlord);
        const wanted = { domain: landlordDomain(vendors), useExistingVps: false };
        const { id } = await createCluster(world.at(vendors), landlord, wanted);
        const { operation_id } = await getCluster(context.db, id);
        await handleOf(await getOperation(context.db, operation_id!)).result();
      };
      await Promise.all(VENDOR_PAIRS.map(rent));
    },

    /** Activities of one clean run, in order. */
    async listActivities(form: FormName): Promise<RanActivity[]> {
      const { operationId } = await order(form, VENDOR_PAIRS[0]);
      const handle = handleOf(await getOperation(context.db, operationId));
      await handle.result();
      const { events } = await handle.fetchHistory();
      return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
        const id = scheduled?.activityId ?? '';
        // Activities that update the row have a number instead of a name.
        if (!/^[a-z]/.test(id)) return [];
        const limit = scheduled!.scheduleToCloseTimeout?.seconds;
        return [{ id, isWait: Number(limit ?? 0) > 0 }];
      });
    },

    async runCase(one: SagaCase): Promise<CaseResult> {
      const plan: Plan = { kind: one.kind, at: one.at, undo: one.undo, hits: 0 };
      let told: (operationId: number) => void = () => undefined;
      const operationKnown = new Promise<number>((resolve) => (told = resolve));
      plan.onEnter = async () => {
        const handle = handleOf(await getOperation(context.db, await operationKnown));
        await handle.signal(cancelSignal, { actor: 'test', reason: 'changed my mind' });
      };
      const { domain, clusterId, operationId } = await order(one.form, one.vendors, plan);
      told(operationId);
      const { vendors } = one;
      const title = `${one.form} at ${vendors.registrar}, ${vendors.vps} / ${one.at || 'all'} / ${one.kind} / undo ${one.undo}`;
      const problems: string[] = [];
      const blockedAt = await driveToEnd(operationId, { one, plan, problems });
      const ended = await getOperation(context.db, operationId);
      if (ended.finished_at !== null) {
        await handleOf(ended)
          .result()
          .catch(() => undefined);
      }
      const cluster = await getCluster(context.db, clusterId);
      if (plan.hits === 0 && one.kind !== 'all_twice') problems.push('the fault never struck');
      const outcome = { blockedAt, status: cluster.status };
      problems.push(...compare(expectedOf(one), outcome));
      problems.push(...(await moneyProblems(one, operationId, cluster)));
      problems.push(...(await vendorProblems(one, cluster)));
      const { status } = cluster;
      return {
        title,
        vendors,
        domain,
        clusterId,
        status,
        problems: problems.map((p) => `${title}: ${p}`),
      };
    },
  };

  /** Answers a blocked step as the case demands; tells where it was blocked first. */
  async function driveToEnd(
    operationId: number,
    { one, plan, problems }: { one: SagaCase; plan: Plan; problems: string[] },
  ) {
    const deadline = Date.now() + CASE_LIMIT_MS;
    let blockedAt: string | undefined;
    for (;;) {
      const operation = await patiently(() => getOperation(context.db, operationId), deadline);
      if (operation.finished_at !== null) return blockedAt;
      if (Date.now() > deadline) {
        problems.push(`hangs in ${operation.state} ${operation.step}: ${operation.error_message}`);
        return blockedAt;
      }
      if (operation.state === 'blocked') {
        if (blockedAt) {
          problems.push(`blocked again at ${operation.step}: ${operation.error_message}`);
          return blockedAt;
        }
        blockedAt = operation.step ?? '';
        plan.healed = true;
        if (!operation.error_message?.includes('injected')) {
          problems.push(`blocked by ${operation.error_code}: ${operation.error_message}`);
        }
        problems.push(...(await attributeProblems(operation)));
        await answer(operation, one);
        await untilAnswered(operationId, deadline);
      }
      await sleep(POLL_MS);
    }
  }

  async function attributeProblems(operation: Operation): Promise<string[]> {
    const { typedSearchAttributes: shown } = await handleOf(operation).describe();
    const state = `${shown.get(opsState)} ${shown.get(opsStep)}`;
    const wanted = `Blocked ${operation.step}`;
    return state === wanted ? [] : [`search attributes say "${state}" instead of "${wanted}"`];
  }

  /** Alternates between the update with its token and the signal. */
  async function answer(operation: Operation, one: SagaCase): Promise<void> {
    const handle = handleOf(operation);
    const action = one.kind === 'operator_then_compensate' ? 'compensate' : 'retry';
    const words = { action, actor: 'on-call', reason: 'test' } as const;
    if (one.index % 2 === 0) {
      await handle.signal(resolveBlockedStepSignal, { step: operation.step!, ...words });
      return;
    }
    const { blocked } = await handle.query(operationQuery);
    const args = [{ token: blocked!.token, ...words }] as const;
    await handle.executeUpdate(resolveBlockedStepUpdate, { args: [...args] });
  }

  async function untilAnswered(operationId: number, deadline: number): Promise<void> {
    const isAnswered = async () => {
      const { n } = await context.db
        .selectFrom('operation_events')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('operation_id', '=', operationId)
        .where('kind', '=', 'resolved')
        .executeTakeFirstOrThrow();
      return Number(n) > 0;
    };
    while (!(await patiently(isAnswered, deadline)) && Date.now() < deadline) await sleep(POLL_MS);
  }

  /** The hold is closed; the user paid the price of what they have now. */
  async function moneyProblems(one: SagaCase, operationId: number, cluster: Cluster) {
    const { db } = context;
    const { buysDomain, rentsServer } = FORMS[one.form];
    const operation = await getOperation(db, operationId);
    const domain = await getDomain(db, cluster.domain_id);
    const isActive = cluster.status === 'active';
    const problems: string[] = [];
    if (operation.hold_id !== null) {
      const hold = await db
        .selectFrom('holds')
        .selectAll()
        .where('id', '=', operation.hold_id)
        .executeTakeFirstOrThrow();
      const left = hold.amount_cents - hold.captured_cents - hold.released_cents;
      if (left !== 0) problems.push(`${left} cents are still held`);
    }
    const hasBought = isActive || boughtThough(one);
    if (buysDomain && (domain.status === 'active') !== hasBought) {
      problems.push(`the domain is ${domain.status}`);
    }
    const owed =
      (buysDomain && hasBought ? DOMAIN_CENTS : 0) + (rentsServer && isActive ? SERVER_CENTS : 0);
    const paid = await paidFor(cluster.id);
    if (paid !== owed) problems.push(`paid ${paid} cents instead of ${owed}`);
    return problems;
  }

  /** No other vendor was asked: no alternate is configured. */
  async function vendorProblems({ vendors }: SagaCase, cluster: Cluster): Promise<string[]> {
    const domain = await getDomain(context.db, cluster.domain_id);
    const server = cluster.server_id && (await getServer(context.db, cluster.server_id));
    return [
      ...(domain.provider === vendors.registrar ? [] : [`the domain is at ${domain.provider}`]),
      ...(!server || server.provider === vendors.vps ? [] : [`a server at ${server.provider}`]),
    ];
  }

  async function paidFor(clusterId: number): Promise<number> {
    const { net } = await context.db
      .selectFrom('ledger_transactions')
      .select(({ fn }) => fn.sum<string>('amount_cents').as('net'))
      .where('reference_type', '=', 'cluster')
      .where('reference_id', '=', String(clusterId))
      .where('type', 'in', ['capture', 'refund'])
      .executeTakeFirstOrThrow();
    return 0 - Number(net ?? 0);
  }
}
