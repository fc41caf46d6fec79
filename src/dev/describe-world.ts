/** What `world.json` tells of a world that is up. */
import { TEST_PATH } from '../domain/accounts/modes.ts';
import * as table from './processes/processes.ts';
import { ensureApiKey, mintJwt } from './tokens.ts';
import type { WorldFile } from './world-file.ts';

/** Asks the API for the world's own key; the process ids follow later. */
export async function describeWorld(settings: table.WorldSettings): Promise<WorldFile> {
  const { stateDir, secrets, ports, temporal } = settings;
  const api = table.urls.api(settings);
  const jwt = await mintJwt(secrets.jwtSecret);
  return {
    api,
    docs: `${api}/docs`,
    temporalAddress: temporal.address,
    temporalNamespace: temporal.namespace,
    ...(temporal.started ? { temporalUi: `http://127.0.0.1:${ports.temporalUi}` } : {}),
    codecEndpoint: { url: table.urls.codec(settings), token: secrets.codecToken },
    databaseUrl: table.urls.database(settings),
    sandbox: table.urls.sandbox(settings),
    jwtSecret: secrets.jwtSecret,
    stripeWebhookSecret: secrets.stripeWebhookSecret,
    jwt,
    apiKey: await ensureApiKey({ api, jwt, stateDir }, secrets),
    ...(settings.testMode && { testMode: await describeTestMode(settings, jwt) }),
    caFile: table.caFile(stateDir),
    dns: table.urls.dns(settings),
    socks: table.urls.socks(settings),
    metrics: table.urls.metrics(settings),
    ...(settings.collector && { traces: settings.collector }),
    daySeconds: settings.daySeconds,
    environment: table.productSettings(settings),
    pids: {},
  };
}

async function describeTestMode(settings: table.WorldSettings, jwt: string) {
  const { stateDir, secrets } = settings;
  const api = `${table.urls.api(settings)}${TEST_PATH}`;
  return {
    api,
    apiKey: await ensureApiKey({ api, jwt, stateDir }, secrets, 'testApiKey'),
    sandbox: table.testUrls.sandbox(settings),
    caFile: table.testCaFile(stateDir),
  };
}
