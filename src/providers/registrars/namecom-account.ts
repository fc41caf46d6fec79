/** What Name.com tells of our account without an order. */
import { z } from 'zod';
import { fine, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import type { JsonClient } from '../http-client.ts';
import { centsFromDollars } from './dollars.ts';
import { listOrders } from './namecom-orders.ts';
import { quote } from './namecom-purchases.ts';
import { creditAnswer, priceAnswer, unusualName } from './account-answers.ts';

const helloAnswer = z.object({ username: z.string() });
const balanceAnswer = z.object({ balance: z.number() });

export const namecomQuestions = (client: JsonClient): AccountQuestion[] => [
  {
    name: 'token and allowed address',
    ask: async () => {
      const call = { method: 'GET', path: '/hello', repeatable: true } as const;
      const { username } = await client.send({ ...call, answer: helloAnswer });
      return fine(`taken from this address, as ${username}`);
    },
  },
  {
    name: 'credit',
    ask: async () => {
      const call = { method: 'GET', path: '/accountinfo/balance', repeatable: true } as const;
      const { balance } = await client.send({ ...call, answer: balanceAnswer });
      // A negative balance is what we owe.
      const cents = balance < 0 ? 0 : (centsFromDollars(balance) ?? 0);
      // A card of the account may pay as well, which the API does not tell.
      return creditAnswer(cents, { isOnlyWayToPay: false });
    },
  },
  { name: 'prices', ask: async () => priceAnswer(await quote(client, unusualName())) },
  {
    name: 'orders',
    ask: async () => {
      await listOrders(client, new Date());
      return fine('can be read: lost answers to renewals are looked up there');
    },
  },
];
