/** Of the processes: listening addresses, logs, stores. */
import { z } from 'zod';
import { port } from './values.ts';

export const processSettings = {
  OUTREACH_ENV: z.enum(['production', 'development']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),

  API_HOST: z.string().default('0.0.0.0'),
  API_PORT: port.default(3000),
  API_METRICS_PORT: port.default(9464),
  WORKER_METRICS_PORT: port.default(9465),
  /** Where clients reach the API; used in links of messages and in Stripe's return addresses. */
  PUBLIC_URL: z.url().default('http://127.0.0.1:3000'),
  /** `false`, a hop count, or a list of proxies' addresses (Express `trust proxy`). */
  TRUST_PROXY: z.string().default('false'),

  /** The application's role: may neither update nor delete ledger entries. */
  DATABASE_URL: z.string().min(1),
  /** The owner's role, used by `migrate` only. */
  DATABASE_OWNER_URL: z.string().optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().positive().default(10),
};
