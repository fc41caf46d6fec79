/** Runs before the tests: makes sure of both Temporal servers, so that no test waits for a download. */
import { temporalCliPath, timeSkippingServerPath } from './temporal-server.ts';

const report = (line: string) => console.log(`temporal: ${line}`);

try {
  await temporalCliPath(report);
  await timeSkippingServerPath(report);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
