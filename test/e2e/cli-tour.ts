/** The guided tour by the command line of a client, one process a command. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOutreach } from '../../clients/typescript/src/index.ts';
import { createApiKey, deleteTourKey } from '../../src/dev/tour/api-key.ts';
import { check, createTour, until, type Tour, type TourWorld } from '../../src/dev/tour/tour.ts';
import { startListener } from '../support/cli/listener.ts';
import { cliIn, type Shown } from '../support/cli/process.ts';
import { findPeople, fund, logIn, makeMailboxes, type By, type CliTour } from './cli-tour-begin.ts';
import type { SharedWorld } from './shared-world.ts';

/** Of the whole tour, without those that ask how far a campaign is. */
export const MOST_COMMANDS = 35;

/** What recipients of the world do by themselves, by the beginning of their address. */
const REACTING = ['reply', 'bounce', 'unsubscribe', 'ooo'];
const TYPES = ['email.replied', 'email.bounced', 'email.unsubscribed', 'email.auto_replied'];
/** That of the listener, which both sides know. */
const SECRET = `whsec_${'c1'.repeat(32)}`;

/** Answers how many commands it took; throws where something is not as it should be. */
export async function runCliTour(world: TourWorld, options: CliTour): Promise<number> {
  const tour = createTour(world);
  await createApiKey.run(tour);
  const folder = await mkdtemp(join(tmpdir(), 'outreach-cli-tour-'));
  const cli = cliIn(folder, { OUTREACH_WEBHOOK_SECRET: SECRET });
  const listener = await startListener(SECRET);
  const by: By = { tour, cli, options, folder, listener };
  try {
    await logIn(by);
    await fund(by);
    const clusterId = await findPeople(by);
    const mailboxIds = await makeMailboxes(by, clusterId);
    await options.onMailboxes?.(mailboxIds);
    const campaignId = await draft(by, mailboxIds);
    await whileListening(by, () => send(by, campaignId));
    await readAnswers(by, campaignId);
    const printed = cli.printed.join('\n');
    check(!printed.includes(tour.key!.key) && !printed.includes(SECRET), 'no secret in any output');
    return cli.commands;
  } finally {
    listener.close();
    await rm(folder, { recursive: true, force: true });
    await deleteTourKey(tour);
  }
}

const namesOf = (tour: Tour) => tour.domain.replace(/\.com$/, '');

function addressesOf({ tour, options }: By): string[] {
  const word = namesOf(tour);
  const silent = Array.from({ length: options.silent }, (_, at) => `person${at}`);
  return [...silent, ...REACTING.map((kind) => `${kind}-${word}`)].map(
    (name) => `${name}@${word}.test`,
  );
}

async function draft(by: By, mailboxIds: number[]): Promise<number> {
  const { tour, cli, options, folder } = by;
  const word = namesOf(tour);
  const addresses = addressesOf(by);
  const rows = addresses.map((email) => `Robin,Lee,${email},Workshop ${word}`);
  const people = await file(folder, 'people.csv', [
    'First name,Last name,Email,Company',
    ...rows,
    'No,Address,nowhere,Nobody',
  ]);
  const sender = ['--sender-name', 'Ada of Tour', '--postal-address', '1 Example Street, Berlin'];
  await cli.json(['account', 'set', ...sender]);
  const list = `Campaign of ${word}`;
  const { code, out } = await cli.run(['leads', 'import', people, '--list', list]);
  check(code === 0 && /Refused: +1\n/.test(out) && out.includes('nowhere'), 'a row to be refused');
  const first = await file(folder, 'first.txt', ['Hi {{firstName|there}},', '', 'a question?']);
  const second = await file(folder, 'second.txt', ['Hi {{firstName}}, did my note reach you?']);
  const timezone = new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/New_York';
  const campaign = await cli.json(
    ['campaigns', 'create', '--name', `Tour of ${word}`, '--list', list].concat(
      ['--subject', 'A question, {{firstName|there}}', '--body', first],
      ['--follow-up', `1:${second}`, '--timezone', timezone, '--from', '00:00', '--to', '23:59'],
      ['--days', 'mon,tue,wed,thu,fri,sat,sun'],
      mailboxIds.flatMap((id) => ['--mailbox', String(id)]),
    ),
  );
  const { leads } = campaign.stats;
  check(leads === addresses.length, `${addresses.length} leads, not ${leads}`);
  options.report(`Campaign ${campaign.id} has ${leads} leads`);
  return campaign.id;
}

async function file(folder: string, name: string, lines: string[]): Promise<string> {
  await writeFile(join(folder, name), `${lines.join('\n')}\n`);
  return join(folder, name);
}

async function send(by: By, campaignId: number): Promise<void> {
  const { tour, cli, options } = by;
  const id = String(campaignId);
  const tested = await cli.json(['campaigns', 'test', id, `grace@${tour.domain}`, '--yes']);
  check(tested.subject.startsWith('[Test] A question'), 'a test message');
  const people = addressesOf(by).length;
  const { code, err } = await cli.run(['campaigns', 'start', id, '--yes']);
  check(code === 0 && err.includes(`writes to ${people} people`), `a start, not ${err}`);
  const sent = options.hasFollowUps ? people + options.silent : people;
  const wanted = { sent, replied: 1, autoReplied: 1, bounced: 1, unsubscribed: 1 };
  const limits = { withinSeconds: 280, everySeconds: 3 };
  const results = await until('What recipients do', limits, async () => {
    const now = await cli.json(['campaigns', 'results', id]);
    cli.commands -= 1;
    return Object.entries(wanted).every(([name, least]) => now[name] >= least) ? now : undefined;
  });
  options.report(`${results.sent} messages sent, ${results.replied} replied`);
}

const ENDS: Record<string, (lead: Shown) => boolean> = {
  reply: ({ status }) => status === 'replied',
  bounce: ({ status }) => status === 'bounced',
  unsubscribe: ({ status }) => status === 'unsubscribed',
  ooo: ({ holdReason }) => holdReason === 'auto_reply',
};

async function readAnswers(
  { tour, cli, options, listener }: By,
  campaignId: number,
): Promise<void> {
  const word = namesOf(tour);
  const leads = await cli.json(['campaigns', 'leads', String(campaignId), '--all']);
  for (const [kind, isSo] of Object.entries(ENDS)) {
    const lead = leads.find(({ personEmail }: Shown) => personEmail.startsWith(`${kind}-`));
    check(isSo(lead), `the right end for ${kind}, not ${JSON.stringify(lead)}`);
  }
  const inbox = await cli.json(['inbox', 'list', '--campaign', String(campaignId)]);
  const answer = inbox.find(({ from }: Shown) => from.includes(`reply-${word}@`));
  check(answer?.kind === 'reply', 'the answer in the inbox');
  const thread = await cli.json(['inbox', 'show', String(answer.id), '--thread']);
  const { text } = thread.find(({ id }: Shown) => id === answer.id);
  options.report(`${answer.from} wrote: ${text.split('\n')[0]}`);
  const reply = [
    'inbox',
    'reply',
    String(answer.id),
    '--text',
    'Thanks, tomorrow at ten?',
    '--yes',
  ];
  check((await cli.json(reply)).direction === 'outbound', 'a reply');
  const [event] = listener.events;
  const replay = ['webhooks', 'replay', event!.id, '--forward', listener.url];
  check((await cli.run(replay)).code === 0, 'an event to be sent again');
  check(listener.events.at(-1)!.id === event!.id, 'the same event');
  const operations = await cli.json(['operations', 'list', '--resource', 'cluster']);
  check(operations[0]?.state === 'completed', 'the operation of the cluster to be completed');
  check((await cli.run(['logout'])).code === 0, 'to be logged out');
  check((await cli.run(['whoami'])).code === 1, 'nobody to be logged in');
}

/** Listens during the work, and until all types have come. */
async function whileListening({ cli, listener, options }: By, work: () => Promise<void>) {
  const listen = ['webhooks', 'listen', '--forward', listener.url, '--events', TYPES.join(',')];
  const child = cli.start(listen);
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void printed.push(String(chunk)));
  }
  try {
    const ready = () => (printed.join('').includes('Events of ') ? true : undefined);
    await until('The listener', { withinSeconds: 60, everySeconds: 0.2 }, async () => ready());
    await work();
    await until('Events of all types', { withinSeconds: 60, everySeconds: 0.5 }, async () =>
      TYPES.every((type) => listener.events.some((event) => event.type === type))
        ? true
        : undefined,
    );
  } finally {
    child.kill('SIGINT');
    const [code] = await ended;
    cli.printed.push(printed.join(''));
    options.report(`Listening ended with ${code}: ${listener.events.length} events, signed`);
  }
}

/** In the shared world, where a day is a day: without the follow-ups. The whole: `npm run drill -- cli-tour`. */
export function cliTourTests(world: () => SharedWorld): void {
  test(
    `the tour by the command line takes no more than ${MOST_COMMANDS} commands`,
    { timeout: 480_000 },
    async () => {
      const { file: shared } = world();
      // The world's limits are those of real days, too.
      const limits = { dailyLimit: 50, hourlyLimit: 50, minGapSeconds: 0 };
      const { mailboxes } = createOutreach({ baseUrl: shared.api, apiKey: shared.apiKey });
      const commands = await runCliTour(shared, {
        silent: 2,
        hasFollowUps: false,
        report: () => undefined,
        async onMailboxes(ids) {
          for (const id of ids) await mailboxes.updateLimits({ id, body: limits });
        },
      });
      expect(commands).toBeLessThanOrEqual(MOST_COMMANDS);
    },
  );
}
