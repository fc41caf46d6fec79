/** Clients that send requests all the time, and a check that none was done twice or not at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newName, openAccount, type Account } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';

export interface Clients {
  /** Ends them and compares their answers with our rows; one line for each difference. */
  end(): Promise<string[]>;
}

const CLIENTS = 6;
/** Two requests each time: below 100 a minute. */
const PAUSE_MS = 1_300;
/** A user may make 1,000 calls an hour; then the next user goes on. */
const VISITS_PER_USER = 400;

/** One request, which nobody repeats: a failure that a client would heal is one here. */
async function answered(account: Account, method: string, path: string, body?: object) {
  const answer = await account.call(method, path, body);
  if (answer.body.success) return answer.body.data;
  throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** They write lists of leads and read their wallets until they are ended. */
export function startClients(world: SharedWorld): Clients {
  const over = new AbortController();
  const written: string[] = [];
  const wrong: string[] = [];

  const visit = async (account: Account) => {
    const name = newName('list');
    const list = await answered(account, 'POST', '/v1/lead-lists', { name });
    written.push(list.name);
    await answered(account, 'GET', '/wallet');
  };
  const client = async () => {
    let account = await openAccount(world, 'client');
    for (let visits = 1; !over.signal.aborted; visits += 1) {
      if (visits % VISITS_PER_USER === 0) account = await openAccount(world, 'client');
      await visit(account).catch((error: Error) => wrong.push(error.message));
      await sleep(PAUSE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const all = Promise.all(Array.from({ length: CLIENTS }, client));

  return {
    async end() {
      over.abort();
      await all;
      const rows = await world.db.selectFrom('lead_lists').select('name').execute();
      const times = new Map<string, number>();
      for (const { name } of rows) times.set(name, (times.get(name) ?? 0) + 1);
      for (const name of written.filter((one) => times.get(one) !== 1)) {
        wrong.push(`${name} was written ${times.get(name) ?? 0} times`);
      }
      return wrong;
    },
  };
}
