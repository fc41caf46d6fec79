/**
 * What a program does with the client, whatever it runs in: no module but the client, which it is given, and nothing
 * but what Node, Deno, Bun and browsers have. What comes back is JSON.
 */
import type * as Client from '../../../clients/typescript/src/index.ts';

export interface ExerciseSettings {
  baseUrl: string;
  apiKey: string;
  /** As an endpoint receives it. */
  webhook: { body: string; headers: Record<string, string>; secret: string };
}

/** How many there are of each, and how many a page has. */
export const TOTAL = 7;
const LIMIT = 3;

export async function exercise(client: typeof Client, settings: ExerciseSettings) {
  const { baseUrl, apiKey } = settings;
  const outreach = client.createOutreach({ baseUrl, apiKey });
  return {
    runtime: agentOf(),
    made: await outreach.leadLists.create({ body: { name: 'List 0' } }),
    error: await errorOf(client, outreach),
    numbered: await numberedOf(outreach),
    byCursor: await byCursorOf(outreach),
    ...(await webhooksOf(client, settings.webhook)),
  };
}

/** As the runtime names itself; Node 20 does not. */
function agentOf(): string {
  const { navigator } = globalThis as { navigator?: { userAgent: string } };
  return navigator?.userAgent ?? 'Node.js';
}

async function errorOf(client: typeof Client, outreach: Client.Outreach) {
  try {
    await outreach.leadLists.read({ id: 999_999 });
  } catch (error) {
    const isTyped = client.isOutreachError(error, 'LEAD_LIST_NOT_FOUND');
    return isTyped && { status: error.status, code: error.code };
  }
  return undefined;
}

async function numberedOf({ leadLists }: Client.Outreach): Promise<string[]> {
  for (let at = 1; at < TOTAL; at += 1) await leadLists.create({ body: { name: `List ${at}` } });
  const names = [];
  for await (const { name } of leadLists.list({ limit: LIMIT })) names.push(name);
  return names;
}

async function byCursorOf({ leads }: Client.Outreach): Promise<(string | null)[]> {
  const people = Array.from({ length: TOTAL }, (_, at) => ({
    firstName: 'Ada',
    lastName: `No ${at}`,
    email: `ada-${at}@pages.test`,
  }));
  await leads.create({ body: { company_name: 'Pages', people } });
  const emails = [];
  for await (const { personEmail } of leads.list({ limit: LIMIT })) emails.push(personEmail);
  return emails;
}

async function webhooksOf(client: typeof Client, received: ExerciseSettings['webhook']) {
  const { type } = await client.verifyWebhook(received);
  const changed = { ...received, body: received.body.replace('Zoë', 'Zoe') };
  const refused = await client.verifyWebhook(changed).then(
    () => false,
    (error: unknown) => error instanceof client.WebhookVerificationError,
  );
  return { event: type, refused };
}
