/** First file of `npm run quickstart`, `npm run dev` and `npm test`: nothing may be installed yet, so it imports nothing. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isInstalled, supportsNode } from './installed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const testUsage = `Usage: npm test [-- arguments]

Installs what is missing, makes sure of the Temporal servers and runs every test. Run by root where
apt is, it also installs Debian's Dovecot, Postfix, Chromium, zsh and fish, without starting any; elsewhere the tests
that need them are skipped with the reason. Once, it fetches Deno and Bun by npm, for the tests of the client.
Arguments go to vitest, e.g.:
  npm test -- test/routes/wallet.test.ts    one file
  npm test -- -t "402 when"                 tests by title
  npm test -- --reporter=verbose`;

/** How often the parent process is checked. */
const parentWatchMs = 500;

/** How a command runs with TypeScript sources. */
const withTypeScript = ['--import', 'tsx'];

const commands = {
  quickstart: async (args) => run('node', [...withTypeScript, 'src/dev/quickstart.ts', ...args]),
  dev: async (args) => run('node', [...withTypeScript, 'src/dev/dev.ts', ...args]),
  test: async (args) => {
    const code = await run('node', [...withTypeScript, 'src/dev/temporal/fetch-temporal.ts']);
    if (code !== 0) return code;
    await run('node', [...withTypeScript, 'src/dev/install-test-programs.ts']);
    return run('node', ['node_modules/vitest/vitest.mjs', 'run', ...args]);
  },
};

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]) {
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
  if (!command) return fail('Usage: node src/dev/setup.mjs quickstart|dev|test [arguments]');
  if (name === 'test' && (args.includes('--help') || args.includes('-h'))) {
    console.log(testUsage);
    return 0;
  }
  if (!supportsNode(process.versions.node)) {
    return fail(
      `Node ${process.versions.node} is not supported: install 20.20 or a later 20, ` +
        '22.18 or a later 22, or 24 and above.',
    );
  }
  if (!isInstalled(root)) {
    const code = await install();
    if (code !== 0) return fail(`npm ci ended with code ${code}; its own words are above.`);
  }
  return command(args);
}

/** npm prints nothing for long when its output is piped, so we print a line every few seconds. */
async function install() {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log('Installing packages as package-lock.json says (npm ci)');
  const timer = setInterval(() => console.log(`Installing packages, ${seconds()} s`), 5_000);
  try {
    const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
    if (code === 0) console.log(`Installed packages in ${seconds()} s`);
    return code;
  } finally {
    clearInterval(timer);
  }
}

/** Runs in the foreground: output, signals and exit code pass through. */
function run(command, args) {
  const program = command === 'node' ? process.execPath : command;
  const child = spawn(program, args, { cwd: root, stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const pass = (signal) => child.kill(signal);
  // A signal sent to npm ends the shell between npm and us, and does not reach us.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && pass('SIGTERM'), parentWatchMs);
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve) => {
    const done = (code) => {
      clearInterval(watch);
      for (const signal of signals) process.off(signal, pass);
      resolve(code);
    };
    child.once('error', (error) => done(fail(`${command} could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
}

function fail(message) {
  console.error(message);
  return 1;
}
