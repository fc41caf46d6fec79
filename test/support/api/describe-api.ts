/** A database and an API over it, for all tests of a file. */
import { afterAll, beforeAll } from 'vitest';
import { startTestApi, type TestApi, type TestApiOptions } from './api.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';

type ApiOptions = Omit<TestApiOptions, 'database'>;

export interface DescribedApi {
  api: Omit<TestApi, 'app' | 'close'>;
  database: Omit<TestDatabase, 'close'>;
}

/**
 * Starts both before the tests of the file (or of the enclosing `describe`) and ends them afterwards.
 * The result may be destructured at once, and used from the first hook on. `options` is called when the
 * database exists, so it may refer to variables defined below it.
 */
export function describeApi(
  options: () => ApiOptions | Promise<ApiOptions> = () => ({}),
): DescribedApi {
  let database: TestDatabase | undefined;
  let api: TestApi | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    api = await startTestApi({ database, ...(await options()) });
  });
  afterAll(async () => {
    await api?.close();
    await database?.close();
  });
  return {
    database: {
      get db() {
        return database!.db;
      },
      get url() {
        return database!.url;
      },
      get ownerUrl() {
        return database!.ownerUrl;
      },
      analyze: (...tables) => database!.analyze(...tables),
      vacuum: (...tables) => database!.vacuum(...tables),
    },
    api: {
      get url() {
        return api!.url;
      },
      get context() {
        return api!.context;
      },
      call: (...request) => api!.call(...request),
      jwt: (...user) => api!.jwt(...user),
    },
  };
}
