/** `npm run bench`: runs one bench or all, each as a process of its own, one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Argument, Command } from 'commander';

const benches = {
  p1: 'p1-inbox-page.ts',
  p2: 'p2-idiomatic-inbox.ts',
  p3: 'p3-create-leads.ts',
  p4: 'p4-auth-and-limits.ts',
  p5: 'p5-inbox-growth.ts',
  p6: 'p6-enrichment.ts',
  p7: 'p7-contacts.ts',
  p8: 'p8-import.ts',
  p9: 'p9-temporal-actions.ts',
  'p9-waiting': 'p9-waiting.ts',
  p10: 'p10-no-op-activities.ts',
  p11: 'p11-campaign-pipeline.ts',
  p12: 'p12-scheduler-tick.ts',
  p13: 'p13-first-sync.ts',
  p14: 'p14-verification.ts',
  p15: 'p15-start-up.ts',
  p16: 'p16-capacity.ts',
  p17: 'p17-fairness.ts',
  p18: 'p18-large-account.ts',
  tracing: 'tracing.ts',
  waiting: 'waiting.ts',
  'mail-kinds': 'mail-kinds.ts',
  'connect-mailboxes': 'connect-mailboxes.ts',
} as const;

type Name = keyof typeof benches;
const names = Object.keys(benches) as Name[];

const program = new Command('npm run bench --')
  .description('Measures ratios to peers on this machine and prints one line "NAME ratio=" each.')
  .addArgument(new Argument('[name...]', 'which; all when none is named').choices(names))
  .showHelpAfterError('(--help lists the names)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .addHelpText(
    'after',
    `
  p1   guarded inbox page / pgbench of the same page as JSON
  p2   guarded inbox page / idiomatic Express and pg
  p3   POST /v1/leads / pgbench of one statement that writes the same
  p4   CPU per request with authentication and rate limits / without
  p5   inbox page at a million messages / at a thousand
  p6   website pages visited per second / by Crawlee with the same extraction; memory
  p7   contacts found on labelled websites: precision and recall
  p8   rows of a CSV file imported per second / by COPY and one INSERT ... SELECT
  p9   Temporal actions per lead of a discovery and per place of a maps run
  p9-waiting  billable actions per message of warm-ups, campaigns and inboxes that mostly wait
  p10  no-op activities per second of our workers / of the SDK's sample worker
  p11  messages of a campaign per second / through a nodemailer pool alone
  p12  a look for messages among a million future recipients / among a thousand
  p13  messages of a first inbox sync per second / by mbsync into a Maildir
  p14  e-mail addresses verified per second / with one connection per address
  p15  start-up and memory of the API / of a bare app with the same libraries
  p16  10,000 mailboxes on two workers: Temporal's writes, memory, lateness, a worker killed
  p17  time to the first activity beside queued jobs / in quiet; clusters an hour, jobs a second
  p18  p99 of pages, searches and counts in a large account / in a small one; deleting a list
  tracing  CPU per request and per no-op activity with traces on / off
  waiting  Temporal's writes and billable actions of jobs that wait, by shape
  mail-kinds  kinds of messages in the inbox: precision and recall
  connect-mailboxes  seconds until a thousand mailboxes of one CSV file are proven

A bench that is named alone takes options of its own, which its --help lists.
Each takes a minute or two on a quiet machine; what else runs there changes the numbers.
docs/benchmarks.md says what was measured and why.

Examples:
  npm run bench -- p4
  npm run bench -- p5 --help
  npm run bench -- p5 --rounds 3 --messages 20000
  npm run bench -- p7 mail-kinds`,
  )
  .action(async (chosen: Name[]) => {
    for (const name of chosen.length > 0 ? chosen : names) await run(name, []);
  });

async function run(name: Name, options: string[]): Promise<void> {
  const file = fileURLToPath(new URL(benches[name], import.meta.url));
  const args = ['--import', 'tsx', file, ...options];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = code === 2 ? 2 : 1;
}

// With a name given, the further options are the bench's own.
const [first = '', ...rest] = process.argv.slice(2);
const isOne = (names as string[]).includes(first) && rest[0]?.startsWith('-');
await (isOne ? run(first as Name, rest) : program.parseAsync());
