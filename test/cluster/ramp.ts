/** The next build of the workers beside the first: a ramp, a rollback, and the whole way. */
import { seededRandom } from '../chaos/seeded-random.ts';
import {
  isAtWork,
  LAST_MOMENT,
  provisionings,
  replaceOne,
  shuffled,
  until,
  untilDone,
  type Rolling,
  type RollingResult,
} from './rolling.ts';
import { APIS, NEXT_WORKER, WORKERS, type Builds, type Cluster } from './world.ts';

/** The default of WORKER_DEPLOYMENT_NAME. */
const DEPLOYMENT = 'outreach';

/** What new runs begin on, step by step. */
type Share = { to: keyof Builds; percent: number };
const SHARES: Share[] = [
  { to: 'next', percent: 5 },
  { to: 'next', percent: 50 },
  { to: 'next', percent: 100 },
  { to: 'first', percent: 100 },
  { to: 'next', percent: 100 },
];

const RUNS_PER_SHARE = 3;

/** Each step counts as one, so that orders come with all of them. */
export const RAMP_REPLACEMENTS = 2 * APIS.length + WORKERS.length + SHARES.length;

/** Makes a build the one that all new runs begin on; repeated until the server knows its workers. */
export async function makeCurrent({ world }: Cluster, buildId: string): Promise<void> {
  const namespace = world.file.temporalNamespace;
  await until(() =>
    world.temporal.workflowService
      .setWorkerDeploymentCurrentVersion({ namespace, deploymentName: DEPLOYMENT, buildId })
      .then(() => true)
      .catch(() => false),
  );
}

/** All once by the same build; the next one beside them, more and more; then the first one's workers go. */
export async function rampUp(cluster: Cluster, rolling: Rolling): Promise<RollingResult> {
  const { clusters, seed, nextVersion, report, isOver, replaced } = rolling;
  const { fleet, builds, world } = cluster;
  const result: RollingResult = { underWork: new Map(), replaced: 0, killed: [], faults: [] };
  const tools = { result, report, replaced };
  let step = 0;
  const isTime = async () => {
    const share = (step++ / RAMP_REPLACEMENTS) * LAST_MOMENT;
    await untilDone(cluster, share * clusters, isOver);
    return !isOver();
  };
  await until(async () => isOver() || (await isAtWork(cluster)));
  for (const name of shuffled([...APIS, ...WORKERS], seededRandom(seed))) {
    if (await isTime()) await replaceOne(cluster, { name, folder: undefined }, tools);
  }
  await fleet.start(cluster.spec(NEXT_WORKER, nextVersion));
  report(`${NEXT_WORKER} stands beside the others`);
  for (const share of SHARES) {
    await isTime();
    // Some runs have to begin by each share.
    const { ended } = await provisionings(world);
    await untilDone(cluster, ended + RUNS_PER_SHARE, isOver);
    await route(cluster, share);
    replaced(share.to);
    report(`${share.percent} % of new runs begin on the ${share.to} build`);
  }
  for (const name of APIS) {
    if (await isTime()) await replaceOne(cluster, { name, folder: undefined }, tools);
  }
  // Their sessions end with them, and go on by the next build; the last one's when it is back.
  const [last, ...others] = WORKERS.toReversed() as [string, ...string[]];
  const end = (name: string) =>
    fleet.end(name).catch((error: Error) => void result.faults.push(error.message));
  for (const name of others) await end(name);
  await end(last);
  await fleet.start(cluster.spec(last));
  await drained(cluster, builds!.first, report);
  await end(last);
  report('the workers of the first build are gone');
  return result;
}

async function route(cluster: Cluster, { to, percent }: Share): Promise<void> {
  const { world, builds } = cluster;
  const buildId = builds![to];
  if (percent === 100) return makeCurrent(cluster, buildId);
  const namespace = world.file.temporalNamespace;
  const request = { namespace, deploymentName: DEPLOYMENT, buildId, percentage: percent };
  await until(() =>
    world.temporal.workflowService
      .setWorkerDeploymentRampingVersion(request)
      .then(() => true)
      .catch(() => false),
  );
}

/** Until nothing that runs is this build's. Jobs without an end move on at their next page. */
async function drained(
  { world }: Cluster,
  buildId: string,
  report: (line: string) => void,
): Promise<void> {
  const query =
    `ExecutionStatus = 'Running' AND ` +
    `TemporalWorkerDeploymentVersion = '${DEPLOYMENT}:${buildId}'`;
  let last = -1;
  await until(async () => {
    const { count } = await world.temporal.workflow.count(query);
    if (count !== last) report(`${count} runs are left on the ${buildId} build`);
    last = count;
    return count === 0;
  });
}
