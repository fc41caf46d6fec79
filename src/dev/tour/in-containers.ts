/** The tour of `docker compose --profile world up`: beside the sandbox, through the composed API. */
import { Command } from 'commander';
import { makeApiKey } from './api-key.ts';
import { runTour } from './index.ts';
import type { TourWorld } from './tour.ts';

const world = new Command('tour')
  .requiredOption('--api <url>', 'the composed API')
  .requiredOption('--sandbox <url>', 'the stand-ins, on the loopback that their hosts share')
  .requiredOption('--ca-file <path>', "the sandbox's certificate authority")
  .requiredOption('--jwt-secret <secret>', 'JWT_SECRET of the API')
  .parse()
  .opts<TourWorld>();

try {
  await runTour(world);
  const { key } = await makeApiKey(world, 'world');
  console.log(`
API docs       http://127.0.0.1:3000/docs
Temporal UI    http://127.0.0.1:8233
Sandbox books  http://127.0.0.1:3900/_sandbox/books
API key        ${key}

Up until docker compose --profile world down.`);
} catch (error) {
  console.error(`The tour stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
