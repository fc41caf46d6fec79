/** Turns traces on in a process of a bench where its environment says so, as the product's own processes do. */
import type { Logger } from 'pino';
import { z } from 'zod';
import { tracingSettings } from '../src/settings/tracing.ts';
import { startTracing, type Tracing } from '../src/tracing/start-tracing.ts';

export const traceAsSet = (service: string, logger: Logger): Promise<Tracing> =>
  startTracing(z.object(tracingSettings).parse(process.env), { service, logger });
