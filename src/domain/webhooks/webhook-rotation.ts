/** Round-robin over accounts, and within each over its endpoints. Choice 45. */

interface Endpoint {
  id: number;
  userId: string;
}

/** The account and endpoint served last. */
export interface Rotation {
  account: string | undefined;
  endpoints: Map<string, number>;
}

export const newRotation = (): Rotation => ({ account: undefined, endpoints: new Map() });

export function noteServed(rotation: Rotation, { id, userId }: Endpoint): void {
  rotation.account = userId;
  rotation.endpoints.set(userId, id);
}

/**
 * One endpoint of each account, then a second one of each, and so on. The order starts after the one that was
 * served last, so that an account with many endpoints gets no larger share.
 */
export function roundRobin<E extends Endpoint>(
  due: readonly E[],
  { account, endpoints }: Rotation,
): E[] {
  const ofAccount = new Map<string, E[]>();
  for (const each of due) ofAccount.set(each.userId, [...(ofAccount.get(each.userId) ?? []), each]);
  const accounts = rotated([...ofAccount.keys()].toSorted(), (each) => each > (account ?? ''));
  const queues = accounts.map((each) => {
    const last = endpoints.get(each) ?? 0;
    return rotated(ofAccount.get(each)!, ({ id }) => id > last);
  });
  const ordered: E[] = [];
  for (let n = 0; ordered.length < due.length; n++) {
    for (const queue of queues) if (n < queue.length) ordered.push(queue[n]!);
  }
  return ordered;
}

const rotated = <T>(items: readonly T[], isBehind: (item: T) => boolean): T[] => [
  ...items.filter((item) => isBehind(item)),
  ...items.filter((item) => !isBehind(item)),
];
