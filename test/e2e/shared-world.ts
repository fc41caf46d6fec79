/** The one world of all end-to-end tests, with clients of its parts. */
import { Client, Connection } from '@temporalio/client';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { createCipher } from '../../src/encryption/cipher.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Database } from '../../src/db/tables.ts';
import { loadSecrets, type Secrets } from '../../src/dev/secrets.ts';
import type { WorldFile } from '../../src/dev/world-file.ts';
import type { Cipher } from '../../src/domain/cipher.ts';
import { createDataConverter } from '../../src/temporal/payload-codec.ts';
import {
  makeStateDir,
  removeStateDir,
  startWorld,
  type RunningWorld,
} from '../support/drills/world.ts';

export interface SharedWorld {
  running: RunningWorld;
  /** As it was when the world came up; `running.read()` has the process ids of now. */
  file: WorldFile;
  db: Kysely<Database>;
  temporal: Client;
  /** Of this state dir. */
  own: Secrets;
  cipher: Cipher;
  /** How clients reach the API, where there are several. */
  fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Every secret that a test made or got; none may be found anywhere afterwards. */
  secrets: Set<string>;
  /** Calls the control API; throws on anything but 2xx. */
  control<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  /** Leaves the world: what it holds open is closed. */
  leave(): Promise<void>;
}

export const START_MS = 300_000;

/** Starts the world before the first test and stops it after the last, if it is still up. */
export function shareWorld(options: readonly string[] = []): {
  current: SharedWorld;
  restart(): Promise<void>;
} {
  const secrets = new Set<string>();
  const shared = {
    current: undefined as unknown as SharedWorld,
    async restart() {
      shared.current = await enterWorld(await startWorld(stateDir, options), secrets);
    },
  };
  let stateDir = '';
  beforeAll(async () => {
    stateDir = await makeStateDir();
    await shared.restart();
  }, START_MS);
  afterAll(async () => {
    await shared.current?.leave();
    await shared.current?.running.stop();
    await removeStateDir(stateDir);
  }, 180_000);
  return shared;
}

/** Opens what tests need of a world that is up. */
export async function enterWorld(
  running: RunningWorld,
  secrets: Set<string>,
): Promise<SharedWorld> {
  const file = await running.read();
  const db = openDatabase(file.databaseUrl, { poolSize: 3 });
  const connection = Connection.lazy({ address: file.temporalAddress });
  const own = await loadSecrets(running.stateDir);
  const { encryptionKeys: ENCRYPTION_KEYS } = own;
  return {
    running,
    file,
    db,
    temporal: new Client({
      connection,
      namespace: file.temporalNamespace,
      dataConverter: createDataConverter({
        ENCRYPTION_KEYS,
        TEMPORAL_NAMESPACE: file.temporalNamespace,
      }),
    }),
    own,
    cipher: createCipher(ENCRYPTION_KEYS),
    secrets,
    async control<Answer>(method: string, path: string, body?: object) {
      const answer = await fetch(`${file.sandbox}/_sandbox${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return (text ? JSON.parse(text) : undefined) as Answer;
    },
    async leave() {
      await Promise.all([db.destroy(), connection.close()]);
    },
  };
}
