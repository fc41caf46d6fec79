/** Ends the guessing of passwords by a file: a host that refuses many in a row is asked no more. Choice 157. */
import type { Context } from '../../src/context.ts';
import { countRefusedInARow } from '../../src/db/mailboxes/refused-logins.ts';
import { PASSWORD_REFUSALS } from '../../src/domain/mailboxes/connection-problems.ts';
import { REFUSED_IN_A_ROW } from '../../src/domain/mailboxes/mailbox-imports.ts';
import { whyNoLogins } from '../../src/transactions/mailboxes/refused-logins.ts';

export interface LoginBrake {
  /** Why a row is not tried any more; undefined: it is. */
  whyNot(hosts: readonly string[]): Promise<string | undefined>;
  /** What the hosts of a row said to its login. */
  note(hosts: readonly string[], said: 'taken' | 'refused'): void;
}

/** What earlier pages of the import have met counts, too. */
export async function openLoginBrake(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { importId, userId }: { importId: number; userId: string },
): Promise<LoginBrake> {
  const refused = await countRefusedInARow(db, importId, PASSWORD_REFUSALS);
  return {
    async whyNot(hosts) {
      const stopped = hosts.find((host) => (refused.get(host) ?? 0) >= REFUSED_IN_A_ROW);
      if (stopped === undefined) return whyNoLogins(db, config, userId);
      return (
        `Not tried: ${stopped} has refused ${REFUSED_IN_A_ROW} logins of this file in a row. ` +
        'Correct those rows, or take them out, and give the file again'
      );
    },
    note(hosts, said) {
      for (const host of hosts) {
        if (said === 'taken') refused.delete(host);
        else refused.set(host, (refused.get(host) ?? 0) + 1);
      }
    },
  };
}
