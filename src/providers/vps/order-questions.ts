/** What every vendor of servers is asked about the server that the settings name. */
import type { AccountAnswer } from '../../domain/operations/account-questions.ts';
import { fine } from '../../domain/operations/account-questions.ts';
import type { OrderProblem } from './port.ts';

/** The catalogue's answer: what prevents an order, or will. */
export function catalogueAnswer(
  problems: readonly OrderProblem[],
  configured: string,
): AccountAnswer {
  if (problems.length === 0) return fine(`${configured} is sold`);
  const named = problems.flatMap(({ variable }) => variable ?? []);
  const variables = [...new Set(named)].join(' and ');
  return {
    state: problems.some(({ prevents }) => prevents) ? 'failed' : 'warning',
    found: problems.map(({ message }) => message).join('; '),
    cure: `Set ${variables} to what is sold, and restart the workers.`,
  };
}
