/** Events of clients: how long they are tried and kept. */
import { z } from 'zod';

export const webhookSettings = {
  /** For so long an endpoint of a client is tried again. */
  WEBHOOK_RETRY_HOURS: z.coerce.number().int().positive().default(72),
  /** An endpoint that has taken nothing for so many days is disabled. */
  WEBHOOK_DISABLE_DAYS: z.coerce.number().int().positive().default(5),
  /** So many days events and their deliveries are kept, whatever became of them. */
  EVENT_RETENTION_DAYS: z.coerce.number().int().positive().default(30),
};
