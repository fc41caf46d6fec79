/** Which work gets workers first, and how accounts share them. */
import { createHash } from 'node:crypto';
import type { Priority } from '@temporalio/common';
import type { FlowPriority } from '../domain/operations/define-flow.ts';

/** Of Temporal's 1 to 5; smaller goes first. The ends stay free for what has to be moved by hand. */
const KEYS: Readonly<Record<FlowPriority, number>> = { high: 2, normal: 3, low: 4 };

/** Temporal's limit for a key, in bytes. */
const MAX_BYTES = 64;

/**
 * For a workflow; its activities and the runs that continue it inherit it. Within one priority Temporal serves the
 * accounts in turns, so that nobody waits for somebody else's ten thousand jobs. A server that knows neither ignores it.
 */
export const priorityFor = (priority: FlowPriority, userId: string): Priority => ({
  priorityKey: KEYS[priority],
  fairnessKey:
    Buffer.byteLength(userId) <= MAX_BYTES
      ? userId
      : createHash('sha256').update(userId).digest('hex'),
});
