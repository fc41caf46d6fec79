/** `outreach webhooks`: events of the account to a program on this machine, without an endpoint. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import {
  isOutreachError,
  OutreachConnectionError,
  type Event,
  type Outreach,
} from '../../../clients/typescript/src/index.ts';
import { parseUrl } from '../../domain/url.ts';
import { EVENT_TYPES } from '../../domain/webhooks/events.ts';
import { positive } from '../arguments.ts';
import { CommandEnd, EXIT, printable, type Io } from '../io.ts';
import { clientGroup, fileCommand } from './commands.ts';
import { withClient, type ClientOptions } from './connection.ts';
import { forward, listeningSecret, type Forwarded, type Target } from './forward.ts';

export const webhooksCommand = (io: Io): Command =>
  clientGroup('webhooks', 'Events of the account, to a program on this machine.', [
    'webhooks listen --forward http://localhost:3000/hook',
    'webhooks replay evt_4711 --forward http://localhost:3000/hook',
  ])
    .addCommand(listenCommand(io))
    .addCommand(replayCommand(io));

const SIGNED = `Body and headers are those of a webhook, signed both ways (docs/webhooks.md) with OUTREACH_WEBHOOK_SECRET; where
that is not set, with a secret that is made once and kept in outreach/webhook-secret of XDG_CONFIG_HOME or ~/.config:
  OUTREACH_WEBHOOK_SECRET=$(cat ~/.config/outreach/webhook-secret) npm start`;

const withForward = (command: Command): Command =>
  command
    .requiredOption('--forward <url>', 'where they are posted to', webAddress)
    .option('--json', 'each event as a line of JSON on stdout, as it was posted');

interface Listen extends ClientOptions {
  forward: string;
  events?: string[];
  after?: string;
  count?: number;
  interval: number;
}

const listenCommand = (io: Io): Command =>
  withForward(
    fileCommand('listen', 'Posts each new event to an address of yours, until Ctrl-C.', {
      more: `It asks the API for new events (GET /v1/events) and makes no endpoint: the service posts to public addresses
alone. Each event is tried once, in order, whatever comes of it; \`webhooks replay\` sends one again. What
includeContent adds to message.received is not in it.

${SIGNED}`,
      examples: [
        'webhooks listen --forward http://localhost:3000/hook',
        'webhooks listen --forward http://localhost:3000/hook --events email.replied,email.bounced',
      ],
    }),
  )
    .option('--events <types>', 'only these, separated by commas', types)
    .option('--after <event>', 'begin behind this event (default: now)')
    .option('--count <n>', 'end after so many', positive)
    .option('--interval <seconds>', 'how often it asks', positive, 5)
    .action(async (options: Listen) => {
      const { secret, file } = await listeningSecret(io);
      const target = { url: options.forward, secret };
      await withClient(io, options, async ({ outreach, url }) => {
        const after = options.after ?? (await placeOfNow(outreach));
        io.err(`Events of ${url} go to ${target.url}. Ctrl-C ends it.`);
        if (file !== undefined) io.err(`They are signed with the secret in ${file}`);
        await untilSignal((signal) => listen(io, outreach, { ...options, after, target, signal }));
      });
    });

/** Undefined where nothing has happened yet: from the start. */
async function placeOfNow(outreach: Outreach): Promise<string | undefined> {
  const { pagination } = await outreach.events.list({ after: 'latest' });
  return pagination.nextCursor ?? undefined;
}

async function listen(
  io: Io,
  outreach: Outreach,
  asked: Omit<Listen, 'after'> & { after: string | undefined; target: Target; signal: AbortSignal },
): Promise<void> {
  const { target, signal, count = Number.POSITIVE_INFINITY } = asked;
  let { after } = asked;
  let forwarded = 0;
  while (!signal.aborted) {
    const page = await newEvents(io, outreach, { after, events: asked.events });
    for (const event of page?.items ?? []) {
      tell(io, asked, event, await forward(event, target));
      after = event.id;
      forwarded += 1;
      if (forwarded >= count || signal.aborted) return;
    }
    after = page?.pagination.nextCursor ?? after;
    if (page?.pagination.hasNext) continue;
    await sleep(asked.interval * 1_000, undefined, { signal }).catch(() => undefined);
  }
}

/** Undefined where the API is away for a while: listening goes on. */
async function newEvents(
  io: Io,
  outreach: Outreach,
  { after, events }: { after: string | undefined; events: string[] | undefined },
) {
  try {
    return await outreach.events.list({ after, ...(events && { types: events.join(',') }) });
  } catch (error) {
    const isPassing =
      error instanceof OutreachConnectionError ||
      (isOutreachError(error) && (error.status >= 500 || error.status === 429));
    if (!isPassing) throw error;
    io.err(`The API does not answer, it is asked again: ${printable(error.message)}`);
    return undefined;
  }
}

function tell(
  io: Io,
  { json }: ClientOptions,
  event: Event,
  { status, error, durationMs }: Forwarded,
) {
  if (json) io.out(JSON.stringify(event));
  const line = `${event.id}  ${event.type.padEnd(24)}  ${event.resource}`;
  const result = error === null ? `${status} in ${durationMs} ms` : `not taken: ${error}`;
  (json ? io.err : io.out)(`${new Date().toISOString().slice(11, 19)}  ${line}  ->  ${result}`);
}

const replayCommand = (io: Io): Command =>
  withForward(
    fileCommand('replay', 'Posts an event once more to an address of yours.', {
      more: `${SIGNED}\n\nIt fails where the event is not taken (2xx). Events are kept for 30 days.`,
      examples: ['webhooks replay evt_4711 --forward http://localhost:3000/hook'],
    }),
  )
    .argument('<event>', 'evt_<number>: `listen` shows it')
    .action(async (id: string, options: ClientOptions & { forward: string }) => {
      const { secret } = await listeningSecret(io);
      await withClient(io, options, async ({ outreach }) => {
        const event = await outreach.events.read({ id });
        const done = await forward(event, { url: options.forward, secret });
        tell(io, options, event, done);
        if (done.error !== null) throw new CommandEnd(EXIT.failed, `Not taken: ${done.error}`);
      });
    });

/** The first signal ends the work after the event that is under way. */
async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  try {
    await work(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

/** An address that a request can be sent to. */
function webAddress(text: string): string {
  const url = parseUrl(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new InvalidArgumentError('An address such as http://localhost:3000/hook.');
}

function types(text: string): string[] {
  const all = text.split(',').map((each) => each.trim());
  const odd = all.find((each) => !(EVENT_TYPES as readonly string[]).includes(each));
  if (odd === undefined) return all;
  throw new InvalidArgumentError(`${odd} is none of ${EVENT_TYPES.join(', ')}.`);
}
