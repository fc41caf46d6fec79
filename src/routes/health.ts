/** Spec: Health. Public and without rate limits. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { OutreachError } from '../domain/errors.ts';
import { route, type Route } from '../http/route.ts';
import { createHealthCheck } from '../services/accounts/health.ts';
import { version } from '../domain/version.ts';

const tag = 'Health';
const part = z.enum(['up', 'down']);
const checks = z.object({ database: part, temporal: part });
const state = z
  .object({
    status: z.enum(['ok', 'ready']),
    version: z.string(),
    uptimeSeconds: z.int(),
    checks,
  })
  .meta({ id: 'Health' });

export function healthRoutes(context: Pick<Context, 'db' | 'temporal'>): Route[] {
  const check = createHealthCheck(context);
  const facts = async () => ({
    version,
    uptimeSeconds: Math.floor(process.uptime()),
    checks: await check(),
  });
  return [
    route({
      method: 'get',
      path: '/health',
      operationId: 'health.read',
      tag,
      public: true,
      status: 200,
      envelope: 'custom',
      summary: 'Shows that the API runs, and the state of its dependencies',
      response: z.object({
        success: z.literal(true),
        status: z.literal('ok'),
        data: state,
      }),
      handler: async () => ({
        success: true as const,
        status: 'ok' as const,
        data: { status: 'ok' as const, ...(await facts()) },
      }),
    }),
    route({
      method: 'get',
      path: '/health/ready',
      operationId: 'health.ready',
      tag,
      public: true,
      status: 200,
      summary: 'Shows whether the API can do its work; 502 when a dependency is down',
      response: state,
      handler: async () => {
        const found = await facts();
        const down = Object.entries(found.checks).filter(([, word]) => word === 'down');
        if (down.length > 0) {
          const names = down.map(([name]) => name).join(' and ');
          throw new OutreachError('upstream', 'UPSTREAM_UNAVAILABLE', `Not ready: ${names} down`, [
            found.checks,
          ]);
        }
        return { status: 'ready' as const, ...found };
      },
    }),
  ];
}
