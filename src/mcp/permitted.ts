/** What a tool shows beside that which it is for: a key that may not read it still gets the rest. */
import { isOutreachError } from '../../clients/typescript/src/index.ts';

/** null where the key lacks the scope. */
export async function ifPermitted<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (isOutreachError(error, 'SCOPE_REQUIRED')) return null;
    throw error;
  }
}
