/** What flows over domains, page by page, take from the run that continued as them. */
import type { Pace } from '../../src/domain/operations/operations.ts';

export interface DomainPagesInput {
  pace: Pace;
  /** It goes on after this domain, with so many advanced. */
  afterId?: number;
  advanced?: number;
}
