/** What `outreach doctor` asks a vendor of models, without a call that costs. */
import { z } from 'zod';
import { fine, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import type { JsonClient } from '../http-client.ts';

const model = z.object({ id: z.string() });

/** `path`: where the vendor describes the model. */
export const keyAndModel = (client: JsonClient, path: string): AccountQuestion => ({
  name: 'key and model',
  ask: async () => {
    const { id } = await client.send({ method: 'GET', path, repeatable: true, answer: model });
    return fine(`taken, ${id} is there`);
  },
});
