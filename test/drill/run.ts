/**
 * `npm run drill -- <name>`: runs one drill in this process: Ctrl-C and the exit code are the drill's.
 */
import { Argument, Command } from 'commander';
import { drillNames, drills, type DrillName } from './drills.ts';

const widest = Math.max(...drillNames.map((name) => name.length));
const listed = drillNames.map((name) => `  ${name.padEnd(widest)}  ${drills[name].summary}`);

const program = new Command('npm run drill --')
  .description('Runs one drill, at its full size unless its options say otherwise.')
  .usage('<name> [options]')
  .addArgument(new Argument('<name>', 'which').choices(drillNames))
  .showHelpAfterError()
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .addHelpText(
    'after',
    `
Drills:
${listed.join('\n')}

Each lists its options by --help, says its seed, and ends with exit code 0 only if all was well.
docs/reliability.md says what they check and what they have shown.

Examples:
  npm run drill -- simulate --help
  npm run drill -- simulate --seeds 10 --recipients 20..60 --mailboxes 3 --grain 600`,
  );

const [name = ''] = process.argv.slice(2);
if (isDrill(name)) {
  // The remaining arguments are the drill's own options.
  process.argv.splice(2, 1);
  await import(`../${drills[name].file}`);
} else {
  program.parse();
}

function isDrill(text: string): text is DrillName {
  return Object.hasOwn(drills, text);
}
