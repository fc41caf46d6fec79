/** `npm run quickstart`: the world in a box and a tour of it. Runs until Ctrl-C. */
import { parseOptions } from './quickstart-options.ts';
import { nextSteps } from './next-steps.ts';
import { runWorld, type RunningWorld } from './run-world.ts';

const { once, tour, ...options } = parseOptions(process.argv.slice(2));

await runWorld({
  options,
  // An interrupted tour has not shown that everything works.
  interruptedCode: once ? 1 : 0,
  async use(running) {
    const toured = tour ? await showAround(running) : undefined;
    if (once) await running.end(0, 'Stopping', toured?.lastLine);
    console.log(nextSteps(running.world, options.stateDir, toured));
  },
});

/** When the tour fails, the world stays up for inspection, unless the tour was all there is to do. */
async function showAround({ world, isEnding }: RunningWorld) {
  try {
    // Loaded late: mail clients are not needed to bring the world up.
    const { runTour } = await import('./tour/index.ts');
    return await runTour(world);
  } catch (error) {
    if (once || isEnding()) throw error;
    console.error(`The tour stopped: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
