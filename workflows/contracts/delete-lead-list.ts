/** Contract of `deleteLeadList`: the rows of a list that is gone, portion by portion. */
import type { OperationInput } from './operator.ts';

export const deleteLeadListType = 'deleteLeadList';
export const deleteLeadListWorkflowId = (leadListId: number) => `lead-list-deletion/${leadListId}`;

export interface DeleteLeadListInput extends OperationInput {
  leadListId: number;
}
