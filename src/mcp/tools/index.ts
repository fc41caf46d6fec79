/** All tools, in the order in which they are shown. */
import type { Grant, Tool } from '../tool.ts';
import { campaignTools } from './campaigns.ts';
import { clusterTools } from './clusters.ts';
import { inboxTools } from './inbox.ts';
import { leadTools } from './leads.ts';
import { mailboxTools } from './mailboxes.ts';
import { newLeadTools } from './new-leads.ts';
import { newsTools } from './news.ts';
import { operationTools } from './operations.ts';
import { placementTools } from './placement.ts';
import { resultTools } from './results.ts';
import { sendingTools } from './sending.ts';
import { walletTools } from './wallet.ts';

export const TOOLS: readonly Tool[] = [
  ...walletTools,
  ...clusterTools,
  ...mailboxTools,
  ...leadTools,
  ...newLeadTools,
  ...operationTools,
  ...campaignTools,
  ...sendingTools,
  ...placementTools,
  ...resultTools,
  ...inboxTools,
  ...newsTools,
];

/** Those that a server with these grants offers. */
export const offered = (grants: ReadonlySet<Grant>): Tool[] =>
  TOOLS.filter(({ needs }) => needs === undefined || grants.has(needs));
