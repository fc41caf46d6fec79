/** A client's name for links: its record, its certificate and their renewals, for as long as it exists. Choice 131. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { as } from '../clusters/steps.ts';
import { lookNowSignal } from '../contracts/tend-tracking-domain.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

const FIRST_LOOK_MS = 60_000;

export async function tendTrackingDomain(
  input: WorkflowInput<'tendTrackingDomain'>,
): Promise<void> {
  const { trackingDomainId, name, pace } = input;
  const { page } = policies(pace);
  const { maximumAttempts: _, ...retry } = page.retry;
  // What is retried is our own database: the look itself fails for nothing outside.
  const activities = proxyActivities<Activities>({ ...page, retry });
  const { retryPace } = pace;
  await runJob(
    input,
    async (job) => {
      // The record's value was only just told: a look now would have resolvers remember that it is not there.
      if (!input.continued) await job.rest(inMs(FIRST_LOOK_MS * retryPace));
      let orderedAt: string | undefined;
      for (;;) {
        const look = await job.page('tracking_domain', () =>
          activities.tendTrackingDomain.executeWithOptions(
            as('tracking_domain', `Look at the record and the certificate of ${name}`),
            [{ trackingDomainId, retryPace, orderedAt }],
          ),
        );
        ({ orderedAt } = look);
        await job.rest(inMs(look.waitMs));
      }
    },
    { wakeOn: [lookNowSignal] },
  );
}

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
