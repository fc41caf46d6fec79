/** What clients are told of their account: how long deliveries are retried, events and the audit log kept. */
import { z } from 'zod';

export const webhookSettings = {
  /** How long deliveries to a client's endpoint are retried. */
  WEBHOOK_RETRY_HOURS: z.coerce.number().int().positive().default(72),
  /** An endpoint that has accepted nothing for this many days is disabled. */
  WEBHOOK_DISABLE_DAYS: z.coerce.number().int().positive().default(5),
  /** How many days events and their deliveries are kept, in any state. */
  EVENT_RETENTION_DAYS: z.coerce.number().int().positive().default(30),
  /** The database deletes no entry of the last 90 days. */
  AUDIT_LOG_RETENTION_DAYS: z.coerce.number().int().min(90).default(400),
};
