/** What the workflow of a flow gets. */
import type { InputOf } from '../../src/domain/operations/define-flow.ts';
import type { Flow, FlowKind } from '../../src/domain/operations/flows.ts';
import type { JobInput } from './job.ts';
import type { OperationInput } from './operator.ts';

/** What a flow was ordered with, and whose operation it is; for a job also how far it had come. */
export type WorkflowInput<Kind extends FlowKind> = InputOf<Extract<Flow, { kind: Kind }>> &
  (Extract<Flow, { kind: Kind }>['outcome'] extends 'job' ? JobInput : OperationInput);
