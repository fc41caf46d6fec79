/** Round-robin over accounts, and within each over its endpoints. Choice 45. */

interface Endpoint {
  id: number;
  userId: string;
}

/** The account and endpoint served last. */
export interface Turns {
  account: string | undefined;
  endpoints: Map<string, number>;
}

export const noTurns = (): Turns => ({ account: undefined, endpoints: new Map() });

export function noteTurn(turns: Turns, { id, userId }: Endpoint): void {
  turns.account = userId;
  turns.endpoints.set(userId, id);
}

/**
 * One endpoint of each account, then a second one of each, and so on. The order starts after the one that was
 * served last, so that an account with many endpoints gets no larger share.
 */
export function inTurns<E extends Endpoint>(due: readonly E[], { account, endpoints }: Turns): E[] {
  const ofAccount = new Map<string, E[]>();
  for (const each of due) ofAccount.set(each.userId, [...(ofAccount.get(each.userId) ?? []), each]);
  const accounts = rotated([...ofAccount.keys()].toSorted(), (each) => each > (account ?? ''));
  const queues = accounts.map((each) => {
    const last = endpoints.get(each) ?? 0;
    return rotated(ofAccount.get(each)!, ({ id }) => id > last);
  });
  const turns: E[] = [];
  for (let n = 0; turns.length < due.length; n++) {
    for (const queue of queues) if (n < queue.length) turns.push(queue[n]!);
  }
  return turns;
}

const rotated = <T>(items: readonly T[], isBehind: (item: T) => boolean): T[] => [
  ...items.filter((item) => isBehind(item)),
  ...items.filter((item) => !isBehind(item)),
];
