/** The routes of leads, companies and lists over a test's database, and users who call them. */
import { companyRoutes } from '../../../src/routes/leads/companies.ts';
import { leadListRoutes } from '../../../src/routes/leads/lead-lists.ts';
import { leadRoutes } from '../../../src/routes/leads/leads.ts';
import { startTestApi, type TestAnswer, type TestApi } from '../api/api.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';

export interface LeadUser {
  userId: string;
  call: (method: string, path: string, body?: unknown) => Promise<TestAnswer>;
  /** `data` of a call that must succeed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any shape
  ok: (method: string, path: string, body?: unknown) => Promise<any>;
  /** People under a company, each by name and address. */
  add: (
    company: string,
    names: string[],
    leadListId?: number,
  ) => Promise<{ company_id: number; ids: number[] }>;
}

export interface LeadWorld {
  api: TestApi;
  database: TestDatabase;
  newUser(): Promise<LeadUser>;
  close(): Promise<void>;
}

export async function startLeadWorld(): Promise<LeadWorld> {
  const database = await createTestDatabase();
  const api = await startTestApi({
    database,
    // Temporal is down: nothing starts the operations that are written.
    context: { startOperation: async () => false },
    routes: (context) => [
      ...leadRoutes(context),
      ...companyRoutes(context),
      ...leadListRoutes(context),
    ],
  });
  let users = 0;
  return {
    api,
    database,
    newUser: () => newUser(api, `leads-${++users}`),
    async close() {
      await api.close();
      await database.close();
    },
  };
}

async function newUser(api: TestApi, userId: string): Promise<LeadUser> {
  const token = await api.jwt(userId);
  const call: LeadUser['call'] = (method, path, body) =>
    api.call(method, path, { token, ...(body !== undefined && { body }) });
  const ok: LeadUser['ok'] = async (method, path, body) => {
    const answer = await call(method, path, body);
    if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  // The first call creates the user.
  await ok('GET', '/v1/lead-lists');
  return {
    userId,
    call,
    ok,
    async add(company, names, leadListId) {
      const people = names.map((name) => ({
        firstName: name,
        lastName: 'Lee',
        email: `${name.toLowerCase()}@${company.toLowerCase().replaceAll(' ', '-')}.example`,
      }));
      const body = {
        company_name: company,
        people,
        ...(leadListId !== undefined && { leadListId }),
      };
      const { company_id, leads } = await ok('POST', '/v1/leads', body);
      return { company_id, ids: leads.map((lead: { id: number }) => lead.id) };
    },
  };
}
