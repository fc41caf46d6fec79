/**
 * The steps that buy from a registrar: a name (from an alternate where the first one refuses us), or a
 * term.
 */
import { patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { OperationInput } from '../contracts/operator.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { isCancelled, readFailure, type StepFailure } from '../engine/failures.ts';
import { policies } from '../engine/policies.ts';
import { refusedByAll, wordsOf, type Refusal } from '../engine/refusals.ts';
import type { Step } from '../engine/saga.ts';
import { as, at } from '../clusters/steps.ts';

/** An alternate counts as one in repetitions of the step, too. */
const ALTERNATE_IN_REPETITIONS = '2026-11-alternate-in-repetitions';

/** Which registrar is asked; later steps run on its queue. Undefined for older runs. */
export interface Bought {
  registrar: string | undefined;
}

export interface DomainPurchase extends OperationInput {
  domainId: number;
  domain: string;
  registrar?: string;
  failsOver?: boolean;
}

/** Options of one activity, with the queue of the current registrar. */
type Call = ReturnType<typeof as>;

/**
 * A purchase: how to find it, buy it, wait for its outcome, and undo it.
 * docs/workflow-rules.md#intent-before-purchase.
 */
interface Purchase {
  name: string;
  /** The last part of the readable id of the activity that spends money. */
  verb: 'register' | 'renew';
  /** What it is in the words of the Temporal UI, such as `acme.com`. */
  words: { look: string; buy: string; settle: string; undo: string };
  /** True if it was bought already. */
  look: (call: Call) => Promise<boolean>;
  buy: (call: Call) => Promise<void>;
  settle: (call: Call) => Promise<void>;
  undo: (call: Call) => Promise<void>;
}

/** The pivot: a registrar takes nothing back. What was bought stays the user's, its price captured. */
function purchaseStep(purchase: Purchase, bought: Bought): Step & { settle: () => Promise<void> } {
  const { name, words } = purchase;
  const call = (part: string, summary: string) => ({
    ...as(`${name}.${part}`, summary),
    ...at(bought.registrar),
  });
  return {
    name,
    pivot: true,
    run: async () => {
      if (await purchase.look(call('look', words.look))) return;
      await purchase.buy(call(purchase.verb, words.buy));
    },
    settle: () => purchase.settle(call('settle', words.settle)),
    undo: () => purchase.undo(call('undo', words.undo)),
  };
}

/** `bought` is kept up to date with the registrar that is asked. */
export function domainPurchaseStep(
  input: DomainPurchase,
  applies: boolean,
  bought: Bought = { registrar: input.registrar },
): Step {
  const { operationId, domainId, domain, pace } = input;
  const policy = policies(pace);
  const read = proxyActivities<Activities>(policy.remoteRead);
  const unsafe = proxyActivities<Activities>(policy.remoteWriteUnsafe);
  const settle = proxyActivities<Activities>(policy.settle);
  const undo = proxyActivities<Activities>(policy.compensate);
  const purchase = { operationId, domainId };
  const step = purchaseStep(
    {
      name: 'domain_purchase',
      verb: 'register',
      words: {
        look: `Is ${domain} ours already?`,
        buy: `Buy ${domain}`,
        settle: `Was ${domain} bought?`,
        undo: `Give up ${domain}, unless it was bought`,
      },
      look: async (call) => (await read.adoptDomain.executeWithOptions(call, [purchase])).bought,
      buy: (call) => unsafe.registerDomain.executeWithOptions(call, [purchase]),
      settle: (call) => settle.settleRegistration.executeWithOptions(call, [purchase]),
      undo: (call) => undo.abandonDomain.executeWithOptions(call, [purchase]),
    },
    bought,
  );
  const run: Step['run'] = (tell, say) =>
    input.failsOver ? askEach(input, bought, () => step.run(tell, say), tell) : step.run(tell, say);
  return { ...step, applies, run };
}

/**
 * Asks one registrar after the other, each only after the one before has certainly sold nothing.
 * docs/workflow-rules.md#blocked-steps.
 */
async function askEach(
  input: DomainPurchase,
  bought: Bought,
  buy: () => Promise<void>,
  tell: (note: string) => void,
): Promise<void> {
  const { operationId, domainId, pace } = input;
  const db = proxyActivities<Activities>(policies(pace).dbWrite);
  const refusals: Refusal[] = [];
  for (;;) {
    try {
      await buy();
      if (refusals.length > 0) tell(`${wordsOf(refusals)}, bought at ${bought.registrar}`);
      return;
    } catch (error) {
      if (isCancelled(error)) throw error;
      const failure = readFailure(error);
      if (!isRefusal(failure, isAtAlternate(input, bought, refusals))) throw error;
      refusals.push({ vendor: bought.registrar ?? '', failure, error });
    }
    const refused = refusals.map(({ vendor }) => vendor);
    const choose = as('domain_purchase.choose', 'Which registrar is asked next');
    const { registrar } = await db.chooseRegistrar.executeWithOptions(choose, [
      { operationId, domainId, refused, told: wordsOf(refusals) },
    ]);
    bought.registrar = registrar ?? refused[0];
    if (registrar === null) throw refusedByAll(refusals, 'sold the domain');
  }
}

/** Also in a repetition of the step, which goes on where the one before had come to, and may come back to the first. */
function isAtAlternate(
  { registrar }: DomainPurchase,
  bought: Bought,
  refusals: readonly Refusal[],
): boolean {
  const isElsewhere = bought.registrar !== registrar;
  const isLater = refusals.length > 0;
  if (isElsewhere === isLater) return isElsewhere;
  return patched(ALTERNATE_IN_REPETITIONS) ? isElsewhere : isLater;
}

/**
 * True where the client is not at fault. At an alternate this includes its price and its own rules: they
 * say nothing about the first registrar, which an operator can fix. A taken name is taken everywhere.
 */
const isRefusal = ({ cure, type, facts }: StepFailure, isAlternate: boolean): boolean =>
  (cure === 'operator' && type !== 'Undecided') ||
  (isAlternate && cure === 'client' && facts.clientCode !== 'DOMAIN_UNAVAILABLE');

export function domainRenewalStep(input: WorkflowInput<'renewDomain'>): Step {
  const { operationId, renewalId, domain, pace, registrar } = input;
  const policy = policies(pace);
  const read = proxyActivities<Activities>(policy.remoteRead);
  const unsafe = proxyActivities<Activities>(policy.remoteWriteUnsafe);
  const settle = proxyActivities<Activities>(policy.settleOrder);
  const undo = proxyActivities<Activities>(policy.compensate);
  const renewal = { operationId, renewalId };
  return purchaseStep(
    {
      name: 'domain_renewal',
      verb: 'renew',
      words: {
        look: `Is ${domain} renewed already?`,
        buy: `Renew ${domain}`,
        settle: `Was ${domain} renewed?`,
        undo: `Give up renewing ${domain}, unless it was paid`,
      },
      look: async (call) => (await read.adoptRenewal.executeWithOptions(call, [renewal])).renewed,
      buy: (call) => unsafe.renewAtRegistrar.executeWithOptions(call, [renewal]),
      settle: (call) => settle.settleRenewal.executeWithOptions(call, [renewal]),
      undo: (call) => undo.abandonRenewal.executeWithOptions(call, [renewal]),
    },
    { registrar },
  );
}
