/** A worker of test mode waits for its namespace until the server takes questions about it. */
import { expect, it } from 'vitest';
import type { Context } from '../src/context.ts';
import { ensureTestNamespace } from '../src/temporal/test-namespace.ts';

const NOT_FOUND = Object.assign(new Error('Namespace default-test is not found.'), { code: 5 });

it.each(['made by this worker', 'made by another one a moment ago'])(
  'waits for the caches of the server: %s',
  async (how) => {
    let isMade = how.includes('another');
    let asked = 0;
    const made: object[] = [];
    const connection = {
      workflowService: {
        describeNamespace: async () => {
          if (!isMade) throw NOT_FOUND;
        },
        registerNamespace: async (request: object) => {
          isMade = true;
          made.push(request);
        },
      },
      operatorService: {
        // Read from the server's cache, which learns of a namespace after the store.
        listSearchAttributes: async () => {
          asked += 1;
          if (asked < 3) throw NOT_FOUND;
        },
      },
    };
    const config = {
      OUTREACH_MODE: 'test',
      OUTREACH_ENV: 'development',
      TEMPORAL_NAMESPACE: 'default-test',
    };
    await ensureTestNamespace({ temporal: { connection }, config } as unknown as Context);
    expect([asked, made.length]).toEqual([3, how.includes('another') ? 0 : 1]);
  },
);
