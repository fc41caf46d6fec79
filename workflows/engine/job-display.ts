/** What operators see of a long job in Temporal's UI. docs/workflow-rules.md#what-operators-see. */
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { JobInput } from '../contracts/job.ts';
import { opsState, opsStep, resourceId, tenantId } from '../contracts/search-attributes.ts';

/**
 * Writes the search attributes, only when they change: each write is an event.
 * docs/workflow-rules.md#what-operators-see.
 */
export function createDisplay(input: JobInput) {
  let shown = '';
  return (state: string | null, step: string | null) => {
    if (`${state} ${step}` === shown) return;
    shown = `${state} ${step}`;
    upsertSearchAttributes([
      { key: opsState, value: state },
      { key: opsStep, value: step },
      { key: tenantId, value: input.userId },
      { key: resourceId, value: input.resource },
    ]);
  };
}
