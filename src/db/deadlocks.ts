/** Retries transactions that Postgres aborts for a deadlock. */
import { causesOf } from '../domain/database-down.ts';

const MAX_TRIES = 4;

/** Repeats a transaction that Postgres has chosen as the victim of a deadlock. */
export async function despiteDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      const isDeadlock = causesOf(error).some(({ code }) => code === '40P01');
      if (!isDeadlock || tries === MAX_TRIES) throw error;
    }
  }
}
