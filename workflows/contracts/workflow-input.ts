/** The input of a flow's workflow. */
import type { InputOf } from '../../src/domain/operations/define-flow.ts';
import type { Flow, FlowKind } from '../../src/domain/operations/flows.ts';
import type { JobInput } from './job.ts';
import type { OperationInput } from './operator.ts';

/** The flow's own input, and whose operation it is; for a job also its state when it continued as new. */
export type WorkflowInput<Kind extends FlowKind> = InputOf<Extract<Flow, { kind: Kind }>> &
  (Extract<Flow, { kind: Kind }>['outcome'] extends 'job' ? JobInput : OperationInput);
