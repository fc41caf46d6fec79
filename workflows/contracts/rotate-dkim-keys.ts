/** Contract of `rotateDkimKeys`, which a Schedule runs: DKIM keys that are old enough get successors. */
import type { DomainPagesInput } from './domain-pages.ts';

export const rotateDkimKeysType = 'rotateDkimKeys';
export const ROTATE_DKIM_KEYS_SCHEDULE_ID = 'rotate-dkim-keys';
/** A rotation takes a step a run; most runs find nothing, at the cost of one query. */
export const ROTATE_DKIM_KEYS_EVERY_SECONDS = 3_600;

export type RotateDkimKeysInput = DomainPagesInput;
