/** Events of clients: how long deliveries are retried and events kept. */
import { z } from 'zod';

export const webhookSettings = {
  /** How long deliveries to a client's endpoint are retried. */
  WEBHOOK_RETRY_HOURS: z.coerce.number().int().positive().default(72),
  /** An endpoint that has accepted nothing for this many days is disabled. */
  WEBHOOK_DISABLE_DAYS: z.coerce.number().int().positive().default(5),
  /** How many days events and their deliveries are kept, in any state. */
  EVENT_RETENTION_DAYS: z.coerce.number().int().positive().default(30),
};
