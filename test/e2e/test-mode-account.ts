/** Accounts of test mode, each by a test key, and the sandbox that is theirs. */
import { createOutreach } from '../../clients/typescript/src/index.ts';
import { mintJwt } from '../../src/dev/tokens.ts';
import type { WorldFile } from '../../src/dev/world-file.ts';
import { accountBy, newName, type Account, type Callable } from './account.ts';

/** The play money of a new account, as docs/test-mode.md has it. */
export const PLAY_MONEY_CENTS = 1_000_000;

export interface TestModeWorld {
  world: WorldFile;
  /** What vendors of live mode were asked: nothing, ever. */
  heard: readonly string[];
}

/** The API at its one address, with the control API of test mode's sandbox. */
export const testModeOf = ({ world }: TestModeWorld): Callable => ({
  file: { api: world.api },
  async control<Answer>(method: string, path: string, body?: object) {
    const answer = await fetch(`${world.testMode!.sandbox}/_sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
    return (await answer.json()) as Answer;
  },
});

/** As docs/test-mode.md says: a session makes the key, under `/test`; the key needs no prefix. */
export async function testAccount(shared: TestModeWorld, name: string): Promise<Account> {
  const userId = newName(name);
  const { api, jwtSecret } = shared.world;
  const session = createOutreach({
    baseUrl: `${api}/test`,
    apiKey: await mintJwt(jwtSecret, userId),
  });
  const { key } = await session.apiKeys.create({ body: { name: 'magic names' } });
  if (!key.startsWith('svc_test_')) throw new Error('the key is not one of test mode');
  return accountBy(testModeOf(shared), { userId, token: key });
}
