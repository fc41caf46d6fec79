/** Requests with every field that they may have are taken, and become examples of the API's document. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRoutes } from '../../src/routes/index.ts';
import { startAuditedWorld, type AuditedWorld } from '../support/api/audited-world.ts';
import { WHOLE_REQUESTS } from '../support/api/whole-requests.ts';

let world: AuditedWorld;
let methods: Map<string, string>;
beforeAll(async () => {
  world = await startAuditedWorld();
  const routes = createRoutes(world.users.api.context);
  methods = new Map(routes.map(({ operationId, method }) => [operationId, method.toUpperCase()]));
});
afterAll(() => world?.close());

it.each(Object.keys(WHOLE_REQUESTS))('%s is taken', async (title) => {
  const [operationId] = title.split(' ');
  const [path, body] = await WHOLE_REQUESTS[title]!(world);
  const { status, body: answer } = await world.call(methods.get(operationId!)!, path, body);
  // The problem itself, where there is one.
  expect(status < 300 || answer).toBe(true);
});
