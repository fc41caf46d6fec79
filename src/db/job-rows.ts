/** What the workflow of a long job may ask of the row it works for; one implementation per noun. */
import type { Transaction } from 'kysely';
import type { JobRequest, JobState } from '../domain/operations/jobs.ts';
import type { Database } from './tables.ts';

export interface JobEnd {
  outcome: 'succeeded' | 'failed';
  error?: { code: string; message: string } | undefined;
  /** Whose end it is, for rows that several operations work on one after the other. */
  operationId?: number | undefined;
}

/** `operationId` is whose workflow asks, for rows that several work on one after the other. */
export interface JobRows {
  /** Locks the row until the transaction ends and says what it wants of its workflow. */
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
