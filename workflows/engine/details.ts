/** What Temporal's UI shows of a run as its current details. docs/workflow-rules.md#what-operators-see. */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { RunMemo } from '../contracts/run-memo.ts';
import type { OperationInput } from '../contracts/operator.ts';
import { opsState, opsStep, resourceId, tenantId } from '../contracts/search-attributes.ts';

/** Markdown, below what the run is. It is no command: histories replay, whatever is told here. */
export function tell(...blocks: string[]): void {
  setCurrentDetails([headOf(), ...blocks].filter((block) => block !== '').join('\n\n'));
}

/** Empty in runs of before, which have no such memo. */
function headOf(): string {
  const { memo = {}, typedSearchAttributes } = workflowInfo();
  const { summary, requestId, traceId } = memo as Partial<RunMemo>;
  if (!summary) return '';
  const whose = typedSearchAttributes.get(tenantId);
  return [
    `**${summary}**${whose === undefined ? '' : ` for ${whose}`}`,
    ...(requestId === undefined ? [] : [`request \`${requestId}\``]),
    ...(traceId === undefined ? [] : [`trace \`${traceId}\``]),
  ].join(' · ');
}

/** The workflow's time, as people and logs write it. */
export const nowText = (): string => new Date().toISOString();

/** The time in so many milliseconds. */
export const inText = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Writes the search attributes, only when they change: each write is an event. */
export function createAttributes(input: OperationInput) {
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
