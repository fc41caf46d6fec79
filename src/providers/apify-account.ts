/** What Apify tells of our account for nothing (https://docs.apify.com/api/v2/users-me-limits-get). */
import { z } from 'zod';
import { fine, wrong, type AccountQuestion } from '../domain/operations/account-questions.ts';
import type { JsonClient } from './http-client.ts';

const limitsAnswer = z.object({
  data: z.object({
    limits: z.object({ maxMonthlyUsageUsd: z.number() }),
    current: z.object({ monthlyUsageUsd: z.number() }),
  }),
});

export const apifyQuestion = (client: JsonClient): AccountQuestion => ({
  name: 'token and limit of the month',
  ask: async () => {
    const { data } = await client.send({
      method: 'GET',
      path: '/v2/users/me/limits',
      repeatable: true,
      answer: limitsAnswer,
    });
    const [used, most] = [data.current.monthlyUsageUsd, data.limits.maxMonthlyUsageUsd];
    const found = `taken, $${used.toFixed(2)} of $${most.toFixed(2)} are used this month`;
    if (used < most) return fine(found);
    return wrong(found, 'Raise the limit of the month in the console of Apify, under Billing.');
  },
});
