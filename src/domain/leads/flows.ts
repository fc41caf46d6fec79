/** The flows of leads: a file becomes leads of a list, and a list that is gone loses its rows. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface LeadFileImport extends FlowOrder {
  importId: number;
}

/** A file of leads, batch by batch. */
export const importLeadsFlow = defineFlow<LeadFileImport>()({
  kind: 'importLeads',
  queue: WORKFLOW_QUEUE,
  resource: 'lead_import',
  resourceId: ({ importId }) => importId,
  workflowId: ({ importId }: { importId: number }) => `lead-import/${importId}`,
  outcome: 'job',
  direction: 'back',
  priority: 'low',
});

export interface LeadListDeletion extends FlowOrder {
  leadListId: number;
}

/** Removes the rows of a deleted list, batch by batch; a deletion never stops halfway. */
export const deleteLeadListFlow = defineFlow<LeadListDeletion>()({
  kind: 'deleteLeadList',
  queue: WORKFLOW_QUEUE,
  resource: 'lead_list',
  resourceId: ({ leadListId }) => leadListId,
  workflowId: ({ leadListId }: { leadListId: number }) => `lead-list-deletion/${leadListId}`,
  outcome: 'ending',
  direction: 'forward',
  priority: 'low',
});

export interface CustomFieldDeletion extends FlowOrder {
  customFieldId: number;
}

/** Removes the values of a deleted field from leads, batch by batch; a deletion never stops halfway. */
export const deleteCustomFieldFlow = defineFlow<CustomFieldDeletion>()({
  kind: 'deleteCustomField',
  queue: WORKFLOW_QUEUE,
  resource: 'custom_field',
  resourceId: ({ customFieldId }) => customFieldId,
  workflowId: ({ customFieldId }: { customFieldId: number }) =>
    `custom-field-deletion/${customFieldId}`,
  outcome: 'ending',
  direction: 'forward',
  priority: 'low',
});
