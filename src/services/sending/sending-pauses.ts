/** Pauses of sending for refusals, as their owners see them. Choice 9. */
import type { Context } from '../../context.ts';
import {
  countSendingPauses,
  listSendingPauses,
  type PauseFilter,
  type SendingPause,
} from '../../db/sending/sending-pauses.ts';

export interface PausesPage extends Pick<PauseFilter, 'scope'> {
  state?: 'running' | 'over' | undefined;
  limit: number;
  offset: number;
}

/** A pause, and whether it is one now. */
export type PauseView = SendingPause & { isRunning: boolean };

export async function listUserSendingPauses(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: string,
  { scope, state, ...page }: PausesPage,
): Promise<{ rows: PauseView[]; total: number }> {
  const now = clock.now();
  const isRunning = state === undefined ? undefined : state === 'running';
  const filter = { userId, scope, isRunning, now };
  const [rows, total] = await Promise.all([
    listSendingPauses(db, filter, page),
    countSendingPauses(db, filter),
  ]);
  return { rows: rows.map((row) => ({ ...row, isRunning: row.until > now })), total };
}
