/**
 * `npm run drill -- properties --times 40`: the property tests again and again, each time with another seed.
 * Ends at the first that fails and says which seed shows it.
 */
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { count } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

const options = drillCommand('properties')
  .option('--times <n>', 'how often', count, 40)
  .option('--seed <n>', 'of the first time; the next ones follow', count, Date.now() % 1_000_000)
  .argument('[files...]', 'test files; without them, all that have properties and no server')
  .addHelpText(
    'after',
    '\nExample:\n  npm run drill -- properties --times 10 test/domain/csv.test.ts',
  )
  .parse();
const { times, seed } = options.opts<{ times: number; seed: number }>();
const files = options.args.length > 0 ? options.args : await filesWithProperties();

for (let time = 0; time < times; time += 1) {
  const env = { ...process.env, PROPERTY_SEED: String(seed + time) };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...files];
  const { status, stdout, stderr } = spawnSync('node', vitest, { env, encoding: 'utf8' });
  if (status !== 0) {
    process.stdout.write(`${stdout}${stderr}\nproperties: PROPERTY_SEED=${seed + time} fails\n`);
    process.exit(1);
  }
  process.stdout.write(`${time + 1} of ${times}: seed ${seed + time} holds\n`);
}
process.stdout.write(
  `properties: ${files.length} files, ${times} seeds from ${seed}, 0 failures\n`,
);

/** Those of pure code: they take seconds, where a database would take minutes. */
async function filesWithProperties(): Promise<string[]> {
  const names = await readdir('test', { recursive: true });
  const tests = names.filter((name) => name.endsWith('.test.ts')).map((name) => join('test', name));
  const pure = tests.filter((name) => !/^test\/(?:db|routes|services|activities\/maps)/.test(name));
  const texts = await Promise.all(pure.map(async (name) => readFile(name, 'utf8')));
  return pure.filter((_name, index) => texts[index]?.includes(`from 'fast-check'`));
}
