/** A client's name for links: its record, its certificate and their renewals, for as long as it exists. Choice 131. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { as } from '../clusters/steps.ts';
import { lookNowSignal } from '../contracts/tend-tracking-domain.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function tendTrackingDomain(
  input: WorkflowInput<'tendTrackingDomain'>,
): Promise<void> {
  const { trackingDomainId, name, pace } = input;
  const activities = proxyActivities<Activities>(policies(pace).page);
  const { retryPace } = pace;
  await runJob(
    input,
    async (job) => {
      for (;;) {
        const { waitMs } = await job.page('tracking_domain', () =>
          activities.tendTrackingDomain.executeWithOptions(
            as('tracking_domain', `Look at the record and the certificate of ${name}`),
            [{ trackingDomainId, retryPace }],
          ),
        );
        await job.rest(new Date(Date.now() + waitMs).toISOString());
      }
    },
    { wakeOn: [lookNowSignal] },
  );
}
