/** What Vultr tells of our account without an order (https://www.vultr.com/api/#tag/account). */
import { z } from 'zod';
import {
  fine,
  wrong,
  type AccountAnswer,
  type AccountQuestion,
} from '../../domain/operations/account-questions.ts';
import type { JsonClient } from '../http-client.ts';
import { catalogueAnswer } from './order-questions.ts';
import { listAll } from './vultr-lists.ts';
import { orderProblems, type VultrOrder } from './vultr-catalogue.ts';

const accountAnswer = z.object({
  account: z.object({
    acls: z.array(z.string()).nullish(),
    /** Dollars; what we are owed is negative. */
    balance: z.number(),
    pending_charges: z.number().nullish(),
    last_payment_date: z.string().nullish(),
  }),
});
type Account = z.infer<typeof accountAnswer>['account'];

/** Ordering, and managing what was ordered. */
const NEEDED_ACLS = ['provisioning', 'subscriptions'];

export function vultrQuestions(client: JsonClient, order: VultrOrder): AccountQuestion[] {
  const account = async () => {
    const call = { method: 'GET', path: '/account', repeatable: true } as const;
    return (await client.send({ ...call, answer: accountAnswer })).account;
  };
  return [
    {
      name: 'key and allowed address',
      ask: async () => {
        await account();
        return fine('taken from this address');
      },
    },
    { name: 'permissions', ask: async () => permissions(await account()) },
    { name: 'balance', ask: async () => balance(await account()) },
    {
      name: 'plan, region',
      ask: async () =>
        catalogueAnswer(
          await orderProblems(client, order),
          `${order.VULTR_PLAN} in ${order.VULTR_REGION}`,
        ),
    },
    {
      name: 'limit of servers',
      ask: async () => ({
        state: 'not_askable',
        found: 'the limit is told in the console and by --order alone',
      }),
    },
  ];
}

function permissions({ acls }: Account): AccountAnswer {
  if (!acls) return { state: 'not_askable', found: 'the vendor does not list them' };
  const missing = NEEDED_ACLS.filter((one) => !acls.includes(one));
  if (missing.length === 0) return fine(`among them ${NEEDED_ACLS.join(' and ')}`);
  return wrong(
    `the user of the key lacks ${missing.join(' and ')}`,
    'Give the user of VULTR_API_KEY these permissions in the console, under Account, Users.',
  );
}

function balance({ balance: owed, last_payment_date: paid }: Account): AccountAnswer {
  const words = owed > 0 ? `$${owed.toFixed(2)} is owed` : `$${(-owed).toFixed(2)} of credit`;
  if (owed < 0 || (owed === 0 && paid)) return fine(words);
  const cure = 'Pay, or add a payment method, in the console under Billing.';
  return wrong(owed > 0 ? words : `${words}, and nothing was ever paid`, cure);
}

const planAnswer = z.object({ id: z.string(), monthly_cost: z.number() });

/** A month is billed as 672 hours, as far as we know: the list has prices of months alone. */
const HOURS_A_MONTH = 672;

export async function hourPrice(client: JsonClient, order: VultrOrder): Promise<string> {
  const plans = await listAll(client, '/plans', { name: 'plans', item: planAnswer });
  const plan = plans.find(({ id }) => id === order.VULTR_PLAN);
  if (!plan) return 'an unknown price';
  return `${(plan.monthly_cost / HOURS_A_MONTH).toFixed(4)} USD`;
}
