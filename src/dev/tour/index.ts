/** The guided tour: the product's main job on real input, checked step by step. */
import { Listr } from 'listr2';
import { listStyle } from '../list-style.ts';
import { followUp, readAnswers, understandAnswers } from './answers.ts';
import { createApiKey, deleteTourKey } from './api-key.ts';
import { sendCampaign } from './campaign.ts';
import { provisionCluster } from './cluster.ts';
import { discoverLeads } from './discovery.ts';
import { sendMessage } from './message.ts';
import { createMailboxes } from './mailboxes.ts';
import { scrapeMaps } from './maps.ts';
import { showProgress } from './progress.ts';
import { createTour, type Tour, type TourStep, type TourWorld } from './tour.ts';
import { fundWallet } from './wallet.ts';
import { createWebhook } from './webhook.ts';

const steps: TourStep[] = [
  createApiKey,
  fundWallet,
  provisionCluster,
  discoverLeads,
  scrapeMaps,
  createMailboxes,
  sendMessage,
  createWebhook,
  sendCampaign,
  understandAnswers,
  followUp,
  readAnswers,
];

export interface TourResult {
  /** The last step's summary. */
  lastLine: string;
  checkoutUrl: string | undefined;
  clusterId: number | undefined;
}

/** Runs every step in order; rejects with the first failure. */
export async function runTour(world: TourWorld): Promise<TourResult> {
  const tour = createTour(world);
  const lastLine = await showSteps(tour, steps);
  await deleteTourKey(tour);
  return { lastLine, checkoutUrl: tour.checkoutUrl, clusterId: tour.cluster?.id };
}

/** Answers the summary of the last one. */
export async function showSteps(tour: Tour, shown: readonly TourStep[]): Promise<string> {
  let lastLine = '';
  let reason: Error | undefined;
  const tasks = shown.map((step) => ({
    title: step.title,
    task: async (_: unknown, task: { title: string; output: string }) => {
      const { end, ...shows } = showProgress(task, process.stdout.isTTY);
      Object.assign(tour, shows);
      try {
        task.title = lastLine = await step.run(tour);
      } catch (error) {
        reason = error instanceof Error ? error : new Error(String(error));
        // The caller reports the reason once; the list only shows where it stopped.
        throw new Error('not as it should be');
      } finally {
        end();
      }
    },
  }));
  await new Listr(tasks, listStyle()).run().catch((error: Error) => {
    throw reason ?? error;
  });
  return lastLine;
}
