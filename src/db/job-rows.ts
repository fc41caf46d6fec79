/** How the workflow of a long job uses the row it works for; one implementation per noun. */
import type { Transaction } from 'kysely';
import type { JobRequest, JobState } from '../domain/operations/jobs.ts';
import type { Database } from './tables.ts';

export interface JobEnd {
  outcome: 'succeeded' | 'failed';
  error?: { code: string; message: string } | undefined;
  /** Which operation ends, for rows that several operations work on in sequence. */
  operationId?: number | undefined;
}

/** `operationId` is the caller's operation, for rows that several operations work on in sequence. */
export interface JobRows {
  /** Locks the row until the transaction ends and returns the state that the workflow must follow. */
  lockState(trx: Transaction<Database>, id: number, operationId?: number): Promise<JobState>;
  /** Applies a request where it is legal; otherwise nothing happens. Safe to repeat. */
  apply(
    trx: Transaction<Database>,
    id: number,
    request: JobRequest,
    operationId?: number,
  ): Promise<void>;
  /** Writes the final state, unless the row has one. Safe to repeat. */
  settle(trx: Transaction<Database>, id: number, end: JobEnd): Promise<void>;
}
