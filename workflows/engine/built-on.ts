/**
 * What a run knows of its row, which goes along with each of its activities: after a restore, either of the two
 * may know less than the other. docs/workflow-rules.md#after-a-restore.
 */
import {
  defaultPayloadConverter,
  type ActivityInput,
  type Next,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import {
  BUILT_ON_HEADER,
  type BuiltOn,
  type RunEnd,
} from '../../src/domain/operations/restores.ts';

/** Each workflow has modules of its own: this is the one run's. */
const run: { builtOn: BuiltOn; end: RunEnd | undefined } = {
  builtOn: { number: 0, isUndone: false },
  end: undefined,
};

/** The row has taken the write of this number, or knows that the run is being undone. */
export function buildOn(known: Partial<BuiltOn>): void {
  Object.assign(run.builtOn, known);
}

/** The workflow's result: a row that has lost its last write is settled by it. */
export function endWith(end: RunEnd): void {
  run.end = end;
}

/** The SDK finds it by its name. */
export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      async execute(input, next) {
        const result = await next(input);
        return result ?? run.end;
      },
    },
  ],
  outbound: [
    {
      scheduleActivity(
        input: ActivityInput,
        next: Next<WorkflowOutboundCallsInterceptor, 'scheduleActivity'>,
      ) {
        const known = defaultPayloadConverter.toPayload({ ...run.builtOn });
        return next({ ...input, headers: { ...input.headers, [BUILT_ON_HEADER]: known } });
      },
    },
  ],
});
