/**
 * `npm run dev`: the world without the tour; its processes restart when sources change. Runs until
 * Ctrl-C.
 */
import { parseDevOptions } from './dev-options.ts';
import { nextSteps } from './next-steps.ts';
import { freePort, nextFreePort } from './ports.ts';
import { root } from './processes/processes.ts';
import { runWorld, type RunningWorld } from './run-world.ts';
import { processesOf, SOURCE_FOLDERS, type ProcessName } from './processes/source-processes.ts';
import { watchSources } from './processes/watch-sources.ts';

const options = parseDevOptions(process.argv.slice(2));
const inspect = options.inspect ? await inspectPorts() : undefined;

await runWorld({
  options: { ...options, inspect },
  interruptedCode: 0,
  async use(running) {
    console.log(nextSteps(running.world, options.stateDir));
    const { api, worker } = inspect ?? {};
    if (inspect) console.log(`Debuggers      API 127.0.0.1:${api}, worker 127.0.0.1:${worker}`);
    console.log(`Follows ${SOURCE_FOLDERS.join(', ')}. Logs are in ${options.stateDir}/logs`);
    const restart = createRestarter(running);
    watchSources(root, SOURCE_FOLDERS, restart);
  },
});

/** Restarts the processes of changed files; changes meanwhile are handled right after. */
function createRestarter({ restart, isEnding }: RunningWorld): (paths: string[]) => void {
  const waiting = new Set<ProcessName>();
  let working = false;
  const work = async () => {
    working = true;
    while (waiting.size > 0 && !isEnding()) {
      const names = [...waiting];
      waiting.clear();
      try {
        await restart(names);
      } catch (error) {
        if (!isEnding()) console.error((error as Error).message);
      }
    }
    working = false;
  };
  return (paths) => {
    const names = [...new Set(paths.flatMap(processesOf))];
    const shown = paths.length === 1 ? paths[0] : `${paths[0]} and ${paths.length - 1} more`;
    const what = names.length > 0 ? `restarting ${names.join(', ')}` : 'of use at the next start';
    console.log(`${shown} changed: ${what}`);
    for (const name of names) waiting.add(name);
    if (!working) void work();
  };
}

/** Node's own port for the API, and the next one, unless they are taken. */
async function inspectPorts() {
  if (options.ports === 'auto') return { api: await freePort(), worker: await freePort() };
  const api = await nextFreePort(9229);
  return { api, worker: await nextFreePort(api + 1) };
}
