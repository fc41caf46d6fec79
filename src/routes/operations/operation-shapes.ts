/** Wire shapes of operations. Choice 91. */
import { z } from 'zod';
import { clientSteps, problemOf } from '../../domain/client-words.ts';
import {
  CLIENT_STATES,
  clientKinds,
  clientResource,
  clientResources,
} from '../../domain/operations/client-operations.ts';
import { FLOWS } from '../../domain/operations/flows.ts';
import { timestamp } from '../../http/schemas.ts';
import type { OperationView } from '../../services/operations/client-operations.ts';

export const kind = z.enum(clientKinds(FLOWS));
export const state = z.enum(CLIENT_STATES);
export const resourceType = z.enum(clientResources);

/** A step as clients read it. */
export const operationStep = z.object({
  name: z.string(),
  state: z.enum(['pending', 'running', 'blocked', 'completed', 'skipped', 'failed', 'undone']),
  note: z.string().optional().describe('Deviations from the usual course.'),
});

export const operation = z
  .object({
    id: z.int(),
    kind: z.string().describe('The type of job.'),
    resource: z
      .object({ type: resourceType, id: z.int() })
      .describe(
        'What it works on. Of `outgoing_message` the message of the inbox (`GET /v1/inbox/:id`), 0 once it is deleted.',
      ),
    state: state.describe(
      '`paused`: a job stands still until it is resumed; `message` says by whom and why. `blocked`: a step waits. ' +
        '`compensating`: what was done is being undone.',
    ),
    summary: z.string(),
    step: z.string().nullable(),
    steps: z.array(operationStep).describe('Empty for jobs whose resource tells how far they are.'),
    message: z.string(),
    progress: z
      .object({ done: z.int(), total: z.int() })
      .nullable()
      .describe(
        'While a list is being deleted: how many of its leads are removed, of how many. Null once it is over, and for ' +
          'other jobs, whose steps or resource tell how far they are.',
      ),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    actions: z.array(z.enum(['retry', 'cancel'])).describe('What may be asked of it now.'),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    updatedAt: timestamp,
  })
  .meta({ id: 'Operation' });

const time = (date: Date | null) => date?.toISOString() ?? null;

export const present = (row: OperationView): z.infer<typeof operation> => {
  const error = problemOf(row, row.domain ?? undefined);
  return {
    id: row.id,
    kind: row.kind,
    resource: {
      type: clientResource(row.resourceType) as z.infer<typeof resourceType>,
      id: row.resourceId,
    },
    state: row.state,
    summary: row.summary,
    step: row.step,
    steps: clientSteps(row.steps),
    // Of one that has failed the row repeats the vendor's words.
    message: row.state === 'failed' ? (error?.message ?? '') : row.message,
    progress: row.progress,
    error,
    actions: row.actions,
    createdAt: row.createdAt.toISOString(),
    startedAt: time(row.startedAt),
    finishedAt: time(row.finishedAt),
    updatedAt: row.updatedAt.toISOString(),
  };
};
