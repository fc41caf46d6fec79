/** What Hunter tells of our account for nothing (https://hunter.io/api-documentation/v2#account). */
import { z } from 'zod';
import { fine, wrong, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import type { JsonClient } from '../http-client.ts';

const count = z.object({ used: z.number(), available: z.number() });
const accountAnswer = z.object({
  data: z.object({ plan_name: z.string().nullish(), requests: z.object({ searches: count }) }),
});

export const hunterQuestions = (client: JsonClient): AccountQuestion[] => [
  {
    name: 'key and credits',
    ask: async () => {
      const call = { method: 'GET', path: '/account', repeatable: true } as const;
      const { data } = await client.send({ ...call, answer: accountAnswer });
      const { used, available } = data.requests.searches;
      const left = Math.max(0, available - used);
      const found = `taken (plan ${data.plan_name ?? 'unknown'}), ${left} searches are left`;
      if (left > 0) return fine(found);
      return wrong(found, 'Buy credits at Hunter, or wait for the next period.');
    },
  },
];
