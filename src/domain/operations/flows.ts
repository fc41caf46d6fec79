/** All flows. Code that handles each flow is typed by this list: an omission does not compile. */
import { runCampaignFlow } from '../campaigns/flows.ts';
import { destroyClusterFlow, provisionClusterFlow } from '../clusters/flows.ts';
import {
  rebuildServerFlow,
  rotateServerKeyFlow,
  upgradeServerFlow,
} from '../clusters/server-flows.ts';
import { discoverLeadsFlow } from '../discovery/flows.ts';
import { buyDomainFlow, renewDomainFlow, tendTrackingDomainFlow } from '../domains/flows.ts';
import { verifyEmailsFlow } from '../email-validation/flows.ts';
import { sendReplyFlow, syncInboxFlow } from '../inbox/flows.ts';
import { deleteCustomFieldFlow, deleteLeadListFlow, importLeadsFlow } from '../leads/flows.ts';
import {
  connectMailboxFlow,
  createMailboxFlow,
  deleteMailboxFlow,
  importMailboxesFlow,
  rotateCredentialsFlow,
} from '../mailboxes/flows.ts';
import { enrichWebsitesFlow, importPlacesFlow, scrapeMapsFlow } from '../maps/flows.ts';
import { testPlacementFlow } from '../placement/flows.ts';
import { rechargeWalletFlow } from '../wallet/flows.ts';
import { warmUpMailboxFlow } from '../warmup/flows.ts';

export const FLOWS = [
  buyDomainFlow,
  connectMailboxFlow,
  createMailboxFlow,
  deleteCustomFieldFlow,
  deleteLeadListFlow,
  deleteMailboxFlow,
  destroyClusterFlow,
  discoverLeadsFlow,
  enrichWebsitesFlow,
  importLeadsFlow,
  importMailboxesFlow,
  importPlacesFlow,
  provisionClusterFlow,
  rebuildServerFlow,
  rechargeWalletFlow,
  renewDomainFlow,
  rotateCredentialsFlow,
  rotateServerKeyFlow,
  runCampaignFlow,
  scrapeMapsFlow,
  sendReplyFlow,
  tendTrackingDomainFlow,
  testPlacementFlow,
  upgradeServerFlow,
  syncInboxFlow,
  verifyEmailsFlow,
  warmUpMailboxFlow,
] as const;

export type Flow = (typeof FLOWS)[number];

/** The types of their workflows. */
export type FlowKind = Flow['kind'];

/** What an operation works on. */
export type ResourceType = Flow['resource'];

/** Long jobs without money: rows that tell their workflow when to stop (`job-rows.ts`). */
export type JobType = Extract<Flow, { outcome: 'job' }>['resource'];

/** Kinds of operations whose end stands in `ENDINGS`. */
export type EndingKind = Extract<Flow, { outcome: 'ending' }>['kind'];

const byKind = new Map<string, Flow>(FLOWS.map((flow) => [flow.kind, flow]));

/** The flow of an operation's kind; undefined for one that only a newer version knows. */
export const findFlow = (kind: string): Flow | undefined => byKind.get(kind);
