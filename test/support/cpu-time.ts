/** Processor time of what a test does: a busy machine does not lengthen it, unlike what a clock tells. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}
