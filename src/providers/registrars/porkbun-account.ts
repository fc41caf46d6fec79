/** What Porkbun tells of our account without an order (https://porkbun.com/llms/utility, /llms/account). */
import { z } from 'zod';
import { fine, wrong, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import type { JsonClient } from '../http-client.ts';
import { creditAnswer } from './account-answers.ts';
import { ask } from './porkbun-client.ts';

const pingAnswer = z.object({ yourIp: z.string(), credentialsValid: z.boolean().nullish() });
const balanceAnswer = z.object({ balance: z.int() });

export const porkbunQuestions = (client: JsonClient): AccountQuestion[] => [
  {
    name: 'keys and allowed address',
    ask: async () => {
      const { yourIp, credentialsValid } = await ask(client, {
        path: '/ping',
        repeatable: true,
        answer: pingAnswer,
      });
      // Without valid keys it may still tell the address.
      if (credentialsValid) return fine(`taken from ${yourIp}`);
      const cure = 'Check PORKBUN_API_KEY and PORKBUN_SECRET_API_KEY.';
      return wrong(`not taken from ${yourIp}`, cure);
    },
  },
  {
    name: 'credit',
    ask: async () => {
      const call = { path: '/account/balance', method: 'GET', repeatable: true } as const;
      const { balance } = await ask(client, { ...call, answer: balanceAnswer });
      return creditAnswer(balance, { isOnlyWayToPay: true });
    },
  },
];
