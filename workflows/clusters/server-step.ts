/** The step that rents a server: at the default vendor, or at an alternate where that one refuses. */
import { patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { ADDRESS_LISTED, MAX_LISTED_ADDRESSES } from '../../src/domain/clusters/sending-hold.ts';
import { isCancelled, readFailure } from '../engine/failures.ts';
import { policies } from '../engine/policies.ts';
import { refusedByAll, wordsOf, type Refusal } from '../engine/refusals.ts';
import type { Step } from '../engine/saga.ts';
import { as, at } from './steps.ts';

const FAIL_OVER = '2026-11-vps-fail-over';
/** The server is awaited where it is ordered: a vendor may fail to make it after its answer. */
const FAILED_ORDERS = '2026-11-failed-server-orders';
const CHECKED_FIRST = '2026-11-server-checked-first';

/** Which vendor gave the server; later steps run on its queue. */
export interface Rented {
  vendor: string | undefined;
}

/** `rented` is filled in as soon as a vendor is asked. docs/workflow-rules.md#intent-before-purchase. */
export function serverStep(
  input: WorkflowInput<'provisionCluster'>,
  rented: Rented,
): Omit<Step, 'applies'> {
  const { operationId, clusterId, pace } = input;
  const policy = policies(pace);
  const settle = proxyActivities<Activities>(policy.settle);
  const cluster = { operationId, clusterId };
  return {
    name: 'server_create',
    run: async (tell) => {
      const awaits = patched(FAILED_ORDERS);
      await order(input, rented, { tell, awaits });
      if (!awaits) await untilRunning(input, rented.vendor);
    },
    settle: () =>
      settle.settleServerOrder.executeWithOptions(
        { ...as('server_create.settle', 'Was the server made?'), ...at(rented.vendor) },
        [cluster],
      ),
    undo: () => giveBack(input),
  };
}

const untilRunning = (
  { operationId, clusterId, pace }: WorkflowInput<'provisionCluster'>,
  vendor: string | undefined,
): Promise<void> =>
  proxyActivities<Activities>(policies(pace).waitForServer).awaitServer.executeWithOptions(
    { ...as('server_create.await', 'Wait until it runs'), ...at(vendor) },
    [{ operationId, clusterId }],
  );

/** Asks one vendor after the other, each only after the one before has certainly created nothing. */
async function order(
  input: WorkflowInput<'provisionCluster'>,
  rented: Rented,
  { tell, awaits }: { tell: (note: string) => void; awaits: boolean },
): Promise<void> {
  const { operationId, clusterId, domain, pace } = input;
  const db = proxyActivities<Activities>(policies(pace).dbWrite);
  const keyed = proxyActivities<Activities>(policies(pace).remoteWriteKeyed);
  const place = as('server_create.order', `Order a server for ${domain}`);
  if (!patched(FAIL_OVER)) {
    await keyed.orderServer.executeWithOptions(place, [{ operationId, clusterId }]);
    return awaits ? untilRunning(input, undefined) : undefined;
  }
  const refusals: Refusal[] = [];
  let givenBack = 0;
  for (;;) {
    const refused = refusals.map(({ vendor }) => vendor);
    const choose = as('server_create.choose', 'Which vendor is asked');
    const reasons = refusals.length > 0 ? { told: wordsOf(refusals) } : {};
    const { vendor } = await db.chooseVps.executeWithOptions(choose, [
      { operationId, refused, ...reasons },
    ]);
    if (vendor === null) throw refusedByAll(refusals, 'gave a server');
    rented.vendor = vendor;
    try {
      const wanted = { operationId, clusterId, vendor };
      await keyed.orderServer.executeWithOptions({ ...place, ...at(vendor) }, [wanted]);
      if (awaits) await untilRunning(input, vendor);
    } catch (error) {
      if (isCancelled(error)) throw error;
      const failure = readFailure(error);
      if (failure.cure !== 'operator' || failure.type === 'Undecided') throw error;
      // The vendor's next address may be a clean one.
      const isListed = failure.facts.providerCode === ADDRESS_LISTED;
      if (isListed && givenBack < MAX_LISTED_ADDRESSES) givenBack += 1;
      else refusals.push({ vendor, failure, error });
      continue;
    }
    const listed = givenBack > 0 ? `${givenBack} with a blocklisted address given back` : '';
    if (refusals.length === 0) return listed === '' ? undefined : tell(listed);
    const reason = [listed, `${wordsOf(refusals)}, ordered at ${vendor}`]
      .filter(Boolean)
      .join('; ');
    tell(reason);
    const note = as('server_create.note', 'Write down who gave it');
    return db.noteFailOver.executeWithOptions(note, [{ operationId, reason }]);
  }
}

/**
 * Before anything is spent that nobody gives back: does one of the vendors sell the configured server? Where
 * none does, an operator is asked.
 */
export async function assertServerIsSold(input: WorkflowInput<'provisionCluster'>): Promise<void> {
  if (!patched(CHECKED_FIRST)) return;
  const { operationId, pace } = input;
  const db = proxyActivities<Activities>(policies(pace).dbWrite);
  const read = proxyActivities<Activities>(policies(pace).remoteRead);
  const refusals: Refusal[] = [];
  for (;;) {
    const refused = refusals.map(({ vendor }) => vendor);
    const choose = as('domain_purchase.vps', 'Which vendor is asked for the server');
    const { vendor } = await db.chooseVps.executeWithOptions(choose, [{ operationId, refused }]);
    if (vendor === null) throw refusedByAll(refusals, 'sells the configured server');
    const check = as('domain_purchase.server', `Does ${vendor} sell the configured server?`);
    try {
      const asked = { ...check, ...at(vendor) };
      return await read.checkServerOrder.executeWithOptions(asked, [{ operationId, vendor }]);
    } catch (error) {
      if (isCancelled(error)) throw error;
      const failure = readFailure(error);
      if (failure.cure !== 'operator') throw error;
      refusals.push({ vendor, failure, error });
    }
  }
}

/** Undoes the order at every vendor that was asked, each on its own queue. */
async function giveBack({
  operationId,
  clusterId,
  pace,
}: WorkflowInput<'provisionCluster'>): Promise<void> {
  const undo = proxyActivities<Activities>(policies(pace).compensate);
  const destroy = as('server_create.undo', 'Delete the server, give the money back');
  if (!patched(FAIL_OVER)) {
    return undo.destroyServer.executeWithOptions(destroy, [{ operationId, clusterId }]);
  }
  const db = proxyActivities<Activities>(policies(pace).dbWrite);
  const look = as('server_create.asked', 'Which vendors were asked');
  const { vendors } = await db.listAskedVps.executeWithOptions(look, [{ operationId }]);
  for (const vendor of vendors) {
    const one = { operationId, clusterId, vendor };
    await undo.destroyServer.executeWithOptions({ ...destroy, ...at(vendor) }, [one]);
  }
}
