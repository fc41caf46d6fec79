/** Flows are defined once: what is said elsewhere of each is typed by them, and forgetting one shows. */
import type { Transaction } from 'kysely';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { jobRows } from '../../activities/engine/jobs.ts';
import { ENDINGS } from '../../activities/operations/operation-outcomes.ts';
import { insertOperation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import { defineFlow } from '../../src/domain/operations/define-flow.ts';
import {
  FLOWS,
  findFlow,
  type EndingKind,
  type Flow,
  type FlowKind,
  type JobType,
} from '../../src/domain/operations/flows.ts';
import type { WorkflowInput } from '../../workflows/contracts/workflow-input.ts';
import type * as workflows from '../../workflows/index.ts';

const pace = { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 60 };
const asked = { userId: 'ann', summary: '', requested: { actor: 'user:ann', reason: 'created' } };

describe('the list of flows', () => {
  it('has each kind once, and finds a flow by it', () => {
    const kinds = FLOWS.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const flow of FLOWS) expect(findFlow(flow.kind)).toBe(flow);
    expect(findFlow('none')).toBeUndefined();
  });

  it('gives no two flows the same workflow id', () => {
    const one = {
      clusterId: 7,
      domainId: 7,
      mailboxId: 7,
      campaignId: 7,
      leadListId: 7,
      customFieldId: 7,
    };
    const other = {
      importId: 7,
      processId: 7,
      jobId: 7,
      runId: 7,
      renewalId: 7,
      outgoingId: 7,
      rechargeId: 7,
      serverId: 7,
      testId: 7,
      trackingDomainId: 7,
    };
    const key = { ...one, ...other, attempt: 1, run: 1, round: 1 };
    const ids = FLOWS.map((flow) => flow.workflowId(key));
    expect(new Set(ids).size).toBe(FLOWS.length);
    // Histories and operators know them.
    expect(ids.toSorted()).toEqual([
      'campaign/7',
      'cluster-destroy/7',
      'cluster/7/1',
      'custom-field-deletion/7',
      'discovery/7',
      'domain-renewal/7',
      'domain/7',
      'email-validation/7',
      'inbox/7',
      'lead-import/7',
      'lead-list-deletion/7',
      'mailbox-connection/7/1',
      'mailbox-credentials/7/1',
      'mailbox-delete/7',
      'mailbox-import/7',
      'mailbox/7',
      'maps-enrich/7/1',
      'maps-import/7/7',
      'maps-run/7',
      'outgoing-letter/7',
      'placement-test/7',
      'server-key/7/1',
      'server-rebuild/7/1',
      'server-upgrade/7/1',
      'tracking-domain/7/1',
      'wallet-recharge/7',
      'warmup/7',
    ]);
  });

  it('says for each what its end changes', () => {
    const jobs = FLOWS.filter(({ outcome }) => outcome === 'job');
    const others = FLOWS.filter(({ outcome }) => outcome === 'ending');
    // A map run has two flows.
    const rows = [...new Set(jobs.map(({ resource }) => resource))];
    expect(Object.keys(jobRows).toSorted()).toEqual(rows.toSorted());
    const kinds = others.map(({ kind }) => kind);
    expect(Object.keys(ENDINGS).toSorted()).toEqual(kinds.toSorted());
    expect(jobs.length + others.length).toBe(FLOWS.length);
  });

  it('lets these go forward when their run was lost, and undoes or ends all others', () => {
    const onward = FLOWS.filter(({ direction }) => direction === 'forward');
    expect(onward.map(({ kind }) => kind).toSorted()).toEqual([
      'deleteCustomField',
      'deleteLeadList',
      'deleteMailbox',
      'destroyCluster',
      'rebuildServer',
      'rechargeWallet',
      'runCampaign',
      'sendReply',
      'syncInbox',
      'tendTrackingDomain',
      'warmUpMailbox',
    ]);
  });
});

describe('what does not compile', () => {
  type Trx = Transaction<Database>;

  it('is an ending or the rows of a job forgotten', () => {
    const { buyDomain, ...endings } = { ...ENDINGS };
    const { campaign, ...jobs } = { ...jobRows };
    expectTypeOf<keyof typeof ENDINGS>().toEqualTypeOf<EndingKind>();
    expectTypeOf<keyof typeof jobRows>().toEqualTypeOf<JobType>();
    // @ts-expect-error The end of `buyDomain` is missing.
    const endless: typeof ENDINGS = endings;
    // @ts-expect-error The rows of campaigns are missing.
    const rowless: typeof jobRows = jobs;
    expect({ ...endless, buyDomain }).toEqual(ENDINGS);
    expect({ ...rowless, campaign }).toEqual(jobRows);
  });

  it('is a flow without a workflow of its name that takes its input', () => {
    type Started = { [Kind in FlowKind]: (input: WorkflowInput<Kind>) => Promise<void> };
    expectTypeOf<typeof workflows>().toExtend<Started>();
    type Named = { [Kind in FlowKind]: Parameters<(typeof workflows)[Kind]>[0] };
    expectTypeOf<Named>().toEqualTypeOf<{ [Kind in FlowKind]: WorkflowInput<Kind> }>();
  });

  it('is an order without its input, or without the number of its run', () => {
    const input = { campaignId: 1, pace };
    const orders = [
      (trx: Trx) => insertOperation(trx, runCampaignFlow, input, { ...asked, run: 1 }),
      // @ts-expect-error No campaign.
      (trx: Trx) => insertOperation(trx, runCampaignFlow, { pace }, { ...asked, run: 1 }),
      // @ts-expect-error The input of another flow.
      (trx: Trx) => insertOperation(trx, runCampaignFlow, { jobId: 1, pace }, { ...asked, run: 1 }),
      // @ts-expect-error Which run of the campaign it is.
      (trx: Trx) => insertOperation(trx, runCampaignFlow, input, asked),
    ];
    expect(orders).toHaveLength(4);
  });

  it('is a flow that is not in the list, or says less than all', () => {
    const complete = {
      kind: 'bakeBread',
      queue: 'q',
      resource: 'bread',
      resourceId: ({ loafId }: { loafId: number }) => loafId,
      workflowId: ({ loafId }: { loafId: number }) => `bread/${loafId}`,
      outcome: 'ending',
      priority: 'low',
    } as const;
    // @ts-expect-error Which way it goes when it was lost.
    defineFlow<{ loafId: number; pace: typeof pace }>()(complete);
    const bakeBreadFlow = defineFlow<{ loafId: number; pace: typeof pace }>()({
      ...complete,
      direction: 'forward',
    });
    const order = (trx: Trx) =>
      // @ts-expect-error Nobody would know how it ends.
      insertOperation(trx, bakeBreadFlow, { loafId: 1, pace }, asked);
    expect(order).toBeTypeOf('function');
    expectTypeOf(bakeBreadFlow).not.toExtend<Flow>();
  });
});
