/** What the events of tracking domains tell. Choice 131. */
import { z } from 'zod';
import { timestamp } from '../../http/schemas.ts';

export const trackingDomainFacts = z.object({
  trackingDomainId: z.int(),
  name: z.string(),
  at: timestamp,
});

export const trackingDomainFailure = trackingDomainFacts.extend({
  errorCode: z.string().meta({ description: 'As in `error` of the tracking domain' }),
});
