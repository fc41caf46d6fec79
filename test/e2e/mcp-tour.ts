/** The guided tour by the tools of `outreach mcp`, as a script instead of a language model. */
import { expect, test } from 'vitest';
import { createOutreach } from '../../clients/typescript/src/index.ts';
import { createApiKey, deleteTourKey } from '../../src/dev/tour/api-key.ts';
import { openBusinesses, wordOf } from '../../src/dev/tour/businesses.ts';
import { control } from '../../src/dev/tour/client.ts';
import { check, createTour, type Tour, type TourWorld } from '../../src/dev/tour/tour.ts';
import { stdioCaller, type Caller, type Shown } from '../support/mcp/caller.ts';
import type { SharedWorld } from './shared-world.ts';

/** Of the whole tour; a call for a quote and one for its confirmation are two. */
export const MOST_CALLS = 30;

/** What recipients of the world do by themselves, by the beginning of their address. */
const REACTING = ['reply', 'bounce', 'unsubscribe', 'ooo'];

export interface McpTour {
  /** Recipients who do nothing. */
  silent: number;
  /** Waits for their follow-ups, which a day of sending later are sent. */
  hasFollowUps: boolean;
  /** Called with the ids of the mailboxes before they send. */
  onMailboxes?: (ids: number[]) => Promise<void>;
  report: (line: string) => void;
}

/** Answers how many calls it took; throws where something is not as it should be. */
export async function runMcpTour(world: TourWorld, options: McpTour): Promise<number> {
  const tour = createTour(world);
  await createApiKey.run(tour);
  const api = { url: world.api, token: tour.key!.key };
  const caller = await stdioCaller(api, '--allow', 'spend', '--allow', 'send');
  try {
    const by = { tour, caller, options };
    await fund(by);
    const clusterId = await findPeople(by);
    const mailboxIds = await makeMailboxes(by, clusterId);
    await options.onMailboxes?.(mailboxIds);
    const campaignId = await draft(by, mailboxIds);
    await send(by, campaignId);
    await readAnswers(by, campaignId);
    return caller.calls;
  } finally {
    await caller.close();
    await deleteTourKey(tour);
  }
}

interface By {
  tour: Tour;
  caller: Caller;
  options: McpTour;
}

async function fund({ tour, caller, options }: By): Promise<void> {
  const { sessionId, balanceCents } = await caller.call('fund_wallet', { amountCents: 10_000 });
  await control(tour, 'POST', `/payments/${sessionId}/pay`);
  await over(caller, [{ kind: 'checkout', id: sessionId }], 30);
  options.report(`Paid; the wallet had ${balanceCents} cents before`);
}

/** Both searches and the cluster at once. */
async function findPeople({ tour, caller, options }: By): Promise<number> {
  const [ads, map] = [wordOf(tour, 'ads'), wordOf(tour, 'map')];
  const businesses = await openBusinesses(tour, ads);
  await openBusinesses(tour, map);
  const search = { searchTerm: ads, leadCount: 20, countries: ['DE'] };
  const discovery = await caller.agree('discover_leads', search, (quote) =>
    check(quote.summary.includes('20 people'), `how many people, not "${quote.summary}"`),
  );
  const paused = { kind: 'discovery', id: discovery.id };
  await caller.call('control_job', { ...paused, action: 'pause' });
  const run = await caller.agree('search_map', {
    searches: [map],
    location: 'Berlin',
    countryCode: 'de',
    newListName: `Map of ${map}`,
  });
  const cluster = await caller.agree('create_cluster', { domain: tour.domain }, (quote) =>
    check(quote.amountCents === 4_100, `$41.00, not ${quote.amountCents} cents`),
  );
  await caller.call('control_job', { ...paused, action: 'resume' });
  const seen: number[] = [];
  const jobs = [
    { kind: 'cluster', id: cluster.id },
    { kind: 'discovery', id: discovery.id },
    { kind: 'map_run', id: run.id },
  ];
  const ended = await over(caller, jobs, 240, (progress) => seen.push(progress));
  check(seen.length > 1, 'to be told of the progress meanwhile');
  check(
    seen.every((each, at) => at === 0 || each > seen[at - 1]!),
    'progress that grows',
  );
  for (const { message } of ended) options.report(message);

  const found = await caller.call('find_leads', { leadListId: discovery.leadListId });
  const emailOf = (lead: Shown): string => lead.personEmail;
  for (const { host, contact } of businesses) {
    const email = contact?.email ?? `nora.lind@${host}`;
    check(found.items.map(emailOf).includes(email), `${email} among the leads`);
  }
  const wanted = found.items.find((lead: Shown) => emailOf(lead).startsWith('ayse.'));
  const { sources } = await caller.call('get_lead', { id: wanted.id });
  const source = sources.find(({ field }: Shown) => field === 'personEmail');
  check(source.url.endsWith('/impressum'), 'the page on which the address stands');
  const imported = await caller.call('import_places', { mapRunId: run.id });
  check(imported.importedLeads === 3, `3 leads of places, not ${imported.importedLeads}`);
  return cluster.id;
}

async function makeMailboxes({ tour, caller }: By, clusterId: number): Promise<number[]> {
  const emails = ['ada', 'grace'].map((name) => `${name}@${tour.domain}`);
  const { created, failed } = await caller.call('create_mailboxes', { clusterId, emails });
  check(failed.length === 0 && created.length === 2, 'two mailboxes');
  check(!JSON.stringify(created).includes('password'), 'no password to be shown');
  return created.map(({ id }: Shown) => id);
}

const namesOf = (tour: Tour) => tour.domain.replace(/\.com$/, '');

function peopleOf({ tour, options }: By) {
  const word = namesOf(tour);
  const silent = Array.from({ length: options.silent }, (_, at) => `person${at}`);
  return [...silent, ...REACTING.map((kind) => `${kind}-${word}`)].map((name) => ({
    personFirstName: 'Robin',
    personLastName: 'Lee',
    personEmail: `${name}@${word}.test`,
    companyName: `Workshop ${word}`,
  }));
}

async function draft(by: By, mailboxIds: number[]): Promise<number> {
  const { tour, caller } = by;
  const word = namesOf(tour);
  const sender = { senderName: 'Ada of Tour', postalAddress: '1 Example Street, 10115 Berlin' };
  await caller.call('update_account', sender);
  const people = peopleOf(by);
  const list = await caller.call('import_leads', { people, newListName: `Campaign of ${word}` });
  if (list.status !== 'completed') {
    await over(caller, [{ kind: 'lead_import', id: list.importId }], 60);
  }
  const host = `hooks-${word}.test`;
  await control(tour, 'PUT', `/sites/${host}`, { pages: { '/outreach': { body: 'thanks' } } });
  const hook = { url: `https://${host}/outreach`, events: ['email.replied', 'email.bounced'] };
  const { testDelivered } = await caller.agree('create_webhook', hook);
  check(testDelivered, 'the endpoint to take a test');
  const campaign = await caller.call('create_campaign', {
    name: `Tour of ${word}`,
    subjectTemplate: 'A question, {{firstName|there}}',
    bodyTemplate: 'Hi {{firstName|there}},\n\n{may I ask|could I ask} who looks after your tools?',
    followUps: [{ delayDays: 1, bodyTemplate: 'Hi {{firstName}}, did my note reach you?' }],
    mailboxIds,
    leadListIds: [list.leadListId],
    timezone: new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/New_York',
    activeDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    startTime: '00:00',
    endTime: '23:59',
  });
  check(campaign.leads === people.length, `${people.length} leads, not ${campaign.leads}`);
  return campaign.id;
}

async function send(by: By, campaignId: number): Promise<void> {
  const { tour, caller, options } = by;
  const test = { campaignId, to: `grace@${tour.domain}` };
  const tested = await caller.agree('send_test_email', test, (quote) =>
    check(quote.recipients === 1, 'one recipient of the test'),
  );
  check(tested.to === test.to, `a message to ${test.to}, not to ${tested.to}`);
  const people = peopleOf(by).length;
  await caller.agree('start_campaign', { id: campaignId }, (quote) => {
    check(quote.recipients === people, `${people} recipients, not ${quote.recipients}`);
    check(quote.amountCents === 0, 'a campaign to cost nothing');
    options.report(quote.summary);
  });
  const sent = options.hasFollowUps ? people + options.silent : people;
  const until = { sent, replied: 1, autoReplied: 1, bounced: 1, unsubscribed: 1 };
  const [campaign] = await over(caller, [{ kind: 'campaign', id: campaignId, until }], 280);
  options.report(campaign.message);
}

const ENDS: Record<string, (lead: Shown) => boolean> = {
  reply: ({ status }) => status === 'replied',
  bounce: ({ status }) => status === 'bounced',
  unsubscribe: ({ status }) => status === 'unsubscribed',
  ooo: ({ holdReason }) => holdReason === 'auto_reply',
};

async function readAnswers({ tour, caller, options }: By, campaignId: number): Promise<void> {
  const word = namesOf(tour);
  const { items: leads } = await caller.call('list_campaign_leads', { id: campaignId, limit: 50 });
  for (const [kind, isSo] of Object.entries(ENDS)) {
    const lead = leads.find(({ personEmail }: Shown) => personEmail.startsWith(`${kind}-`));
    check(isSo(lead), `the right end for ${kind}, not ${JSON.stringify(lead)}`);
  }
  const gone = leads.find(({ status }: Shown) => status === 'unsubscribed');
  const { suppression } = await caller.call('get_lead', { id: gone.leadId });
  check(suppression.isSuppressed, 'who unsubscribed to be suppressed');
  const { items } = await caller.call('list_inbox', { limit: 50 });
  const test = items.find(({ subject }: Shown) => subject.startsWith('[Test] A question'));
  check(test, 'the test message in the inbox');
  const answer = items.find(({ from }: Shown) => from.includes(`reply-${word}@`));
  check(answer?.kind === 'reply' && answer.campaignId === campaignId, 'the answer in the inbox');
  const { items: thread } = await caller.call('read_thread', { threadId: answer.threadId });
  const { text } = thread.find(({ id }: Shown) => id === answer.id);
  const types = ['email.replied', 'email.bounced', 'email.unsubscribed', 'email.auto_replied'];
  const { items: events } = await caller.call('list_events', { types });
  const seen = new Set(events.map(({ type }: Shown) => type));
  check(
    types.every((type) => seen.has(type)),
    `all of ${types.join(', ')}`,
  );
  options.report(`${answer.from} wrote: ${text.split('\n')[0]}`);
}

/** Waits in one call; throws where something is stuck, or it takes longer. */
async function over(
  caller: Caller,
  jobs: object[],
  seconds: number,
  onProgress?: (progress: number) => void,
): Promise<Shown[]> {
  const told = onProgress && (({ progress }: { progress: number }) => onProgress(progress));
  const answer = await caller.call('wait_for', { jobs, seconds }, told);
  const open = answer.jobs.filter(({ isDone }: Shown) => !isDone);
  check(open.length === 0, `all to be done, not ${JSON.stringify(open)}`);
  return answer.jobs;
}

/** In the shared world, where a day is a day: without the follow-ups. The whole: `npm run drill -- mcp-tour`. */
export function mcpTourTests(world: () => SharedWorld): void {
  test(
    `the tour by the tools of outreach mcp takes no more than ${MOST_CALLS} calls`,
    { timeout: 480_000 },
    async () => {
      const { file } = world();
      // The world's limits are those of real days, too.
      const limits = { dailyLimit: 50, hourlyLimit: 50, minGapSeconds: 0 };
      const { mailboxes } = createOutreach({ baseUrl: file.api, apiKey: file.apiKey });
      const calls = await runMcpTour(file, {
        silent: 2,
        hasFollowUps: false,
        report: () => undefined,
        async onMailboxes(ids) {
          for (const id of ids) await mailboxes.updateLimits({ id, body: limits });
        },
      });
      expect(calls).toBeLessThanOrEqual(MOST_CALLS);
    },
  );
}
