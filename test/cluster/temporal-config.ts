/** The settings of a Temporal Server on Postgres: its four services in one process, on free ports. */
import { freePort } from '../../src/dev/ports.ts';
import { vendorQueue } from '../../src/domain/operations/queues.ts';
import { registrars } from '../../src/providers/registrars/index.ts';
import { vpsProviders } from '../../src/providers/vps/index.ts';

/** The databases, by content. */
export const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' };

export interface PostgresLogin {
  port: number;
  user: string;
  password: string;
}

const SERVICES = ['frontend', 'matching', 'history', 'worker'] as const;
/** A development server has one; the number can never be changed, and 512 is Temporal's advice for large ones. */
const SHARDS = 4;

export interface TemporalOptions {
  /** Where clients connect. */
  port: number;
  /** Serves the server's metrics to Prometheus; none when left out. */
  metricsPort?: number;
  /** History shards; a few when left out. */
  shards?: number;
  /** Settings that may change while it runs; prompt ones for tests when left out. */
  dynamic?: object;
}

/** The content of `development.yaml`. */
export async function temporalConfig(
  postgres: PostgresLogin,
  { port: frontend, metricsPort, shards = SHARDS }: TemporalOptions,
  dynamicConfigFile: string,
): Promise<object> {
  const taken = new Set([frontend, ...(metricsPort === undefined ? [] : [metricsPort])]);
  const next = async () => {
    const port = await freePort(taken);
    taken.add(port);
    return port;
  };
  const services: Record<string, object> = {};
  for (const name of SERVICES) {
    const grpcPort = name === 'frontend' ? frontend : await next();
    const rpc = { grpcPort, membershipPort: await next(), bindOnLocalHost: true };
    services[name] = { rpc: name === 'frontend' ? { ...rpc, httpPort: await next() } : rpc };
  }
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: shards,
      datastores: {
        default: store(postgres, DATABASES.temporal, 20),
        visibility: store(postgres, DATABASES.visibility, 5),
      },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      ...(metricsPort !== undefined && {
        metrics: { prometheus: { listenAddress: `127.0.0.1:${metricsPort}` } },
      }),
    },
    services,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${frontend}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '10s' },
  };
}

/** As in the world in a box: pauses of a tenth of a second need prompt timers. */
export const DYNAMIC_CONFIG = {
  'history.timerProcessorMaxTimeShift': [{ value: '50ms' }],
  'matching.enableFairness': [{ value: true }],
  'matching.numTaskqueueReadPartitions': oneOfEachVendor(),
  'matching.numTaskqueueWritePartitions': oneOfEachVendor(),
  // Makes new search attributes known at once.
  'system.forceSearchAttributesCacheRefreshOnRead': [{ value: true }],
};

/** As the compose file's `dynamic-config.yaml` has it. */
function oneOfEachVendor() {
  return Object.keys({ ...registrars, ...vpsProviders }).map((vendor) => ({
    value: 1,
    constraints: { taskQueueName: vendorQueue(vendor) },
  }));
}

const store = (
  { port, user, password }: PostgresLogin,
  databaseName: string,
  maxConns: number,
) => ({
  sql: {
    pluginName: 'postgres12',
    databaseName,
    connectAddr: `127.0.0.1:${port}`,
    connectProtocol: 'tcp',
    user,
    password,
    maxConns,
    maxIdleConns: maxConns,
    maxConnLifetime: '1h',
  },
});
