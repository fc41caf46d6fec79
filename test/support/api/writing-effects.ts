/** What every writing operation does to what it is about, so that its entry in the audit log can be judged. */

export type Effect = 'creates' | 'changes' | 'deletes';

/** Of POSTs and the GET that writes, by the verb of their `operationId`. A new verb is placed here. */
const OF_POSTS: Readonly<Record<Effect, readonly string[]>> = {
  creates: [
    'add',
    'buy',
    'connect',
    'connectByOauth',
    'create',
    'createMany',
    'createOfLeadList',
    'createWithExistingDomain',
    'duplicate',
    'forward',
    'fund',
    'import',
    'importToLeadList',
    'receiveEvent',
    'redeliver',
    'reply',
    'run',
    'sendTestEmail',
    'sync',
    'takeConsent',
    'test',
    'unsubscribe',
  ],
  changes: [
    'actOnMany',
    'cancel',
    'cancelMany',
    'check',
    'enrich',
    'markRead',
    'move',
    'pause',
    'pauseMany',
    'removeMany',
    'renew',
    'resubscribe',
    'resume',
    'resumeMany',
    'retry',
    'retryMany',
    'rotate',
    'rotatePassword',
    'rotateSecret',
    'start',
    'stop',
    'verify',
  ],
  deletes: ['deleteMany', 'erase'],
};

const effects = Object.entries(OF_POSTS) as [Effect, readonly string[]][];

/** Throws for an operation that has no place in the table. */
export function effectOf({ method, operationId }: { method: string; operationId: string }): Effect {
  if (method === 'delete') return 'deletes';
  if (method === 'patch' || method === 'put') return 'changes';
  const verb = operationId.split('.')[1]!;
  const placed = effects.filter(([, verbs]) => verbs.includes(verb));
  if (placed.length !== 1) throw new Error(`${operationId}: say whether it creates or changes`);
  return placed[0]![0];
}

type Values = Record<string, unknown> | null;
type Part = 'before' | 'after';

const PARTS: Readonly<Record<Effect, readonly Part[]>> = {
  creates: ['after'],
  changes: ['before', 'after'],
  deletes: ['before'],
};

/** Those parts that an entry should have and has not. */
export function lackingOf(effect: Effect, entry: { before: Values; after: Values }): Part[] {
  // Where all that changed is never told, `leftOut` names it.
  const isSilent = entry.before !== null && Array.isArray(entry.after?.['leftOut']);
  const isEmpty = (part: Part) => Object.keys(entry[part] ?? {}).length === 0;
  return PARTS[effect].filter((part) => isEmpty(part) && !(part === 'before' && isSilent));
}
