/** The simulated campaigns: when they begin, their windows, messages and people. */
import type { Kysely } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import { addCampaign, addLeads } from '../support/campaigns/campaign-world.ts';
import { ALL_ALLOWED, CATCH_ALL_HELD } from './address-rules.ts';
import type { Book, SimulatedCampaign, SimulatedWindow } from './book.ts';
import { foundCompanies, noteProviders, placeCompanies } from './companies.ts';
import { createHistory } from './history.ts';
import { UNLIMITED, type NewLeadLimits } from './new-leads/limit-rules.ts';
import type { StartRule } from './subsequences/answers.ts';
import type { Comparing } from './variants/text-rules.ts';
import { learnAddresses } from './known-addresses.ts';
import { noteRun, openWindow, writeSteps } from './world.ts';

export const START = new Date('2026-03-02T00:00:00Z');
export const FOLLOWUPS = 2;
export const DELAY_DAYS = 3;
const DAY = 86_400_000;
/** People of one company, so that the cap per recipient domain takes effect. */
export const PER_DOMAIN = 4;

/** Of the people, in turns; the last have none that is known. */
const ZONES = ['Asia/Kathmandu', 'America/Los_Angeles', 'Pacific/Auckland', null];

export const WINDOWS: SimulatedWindow[] = [
  {
    timezone: 'America/New_York',
    activeDays: ['mon', 'tue', 'wed', 'thu', 'fri'],
    startTime: '09:00',
    endTime: '17:00',
  },
  {
    timezone: 'Europe/Berlin',
    activeDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    startTime: '20:00',
    endTime: '04:30',
  },
  {
    timezone: 'Asia/Kolkata',
    activeDays: ['tue', 'thu', 'sat', 'sun'],
    startTime: '00:00',
    endTime: '23:59',
  },
  {
    timezone: 'Europe/London',
    activeDays: ['mon', 'tue', 'wed', 'thu', 'fri'],
    startTime: '08:00',
    endTime: '18:00',
    isOfRecipient: true,
  },
];

/** Some interests and days, of answers to the large campaign or to any. */
export const startRuleFor = (largeId: number, random: () => number): StartRule => ({
  campaignId: random() < 0.5 ? largeId : null,
  interests: random() < 0.5 ? ['not_now', 'interested'] : ['not_now', 'question', 'interested'],
  afterMs: (1 + Math.floor(random() * 3)) * DAY,
});

async function giveZones(
  db: Kysely<Database>,
  book: Book,
  leads: readonly number[],
): Promise<void> {
  for (const [n, id] of leads.entries()) {
    const timezone = ZONES[n % ZONES.length]!;
    await db.updateTable('leads').set({ timezone }).where('id', '=', id).execute();
    if (timezone !== null) book.zones.set(id, timezone);
  }
}

/** Creates a campaign that was just started, with its people. */
export async function foundCampaign(
  db: Kysely<Database>,
  book: Book,
  founding: {
    userId: string;
    mailboxIds: readonly number[];
    /** How many people. */
    size: number;
    isSmall: boolean;
    domainOf: (n: number) => string;
    pickWindow: () => SimulatedWindow;
    /** Nobody is in it at first. */
    startsOn?: StartRule;
    newLeads?: NewLeadLimits | undefined;
    comparing?: Comparing;
  },
): Promise<SimulatedCampaign> {
  const { userId, mailboxIds, size, isSmall, domainOf, pickWindow, startsOn, comparing } = founding;
  const { newLeads } = founding;
  const leads = size === 0 ? [] : await addLeads(db, userId, size, domainOf);
  await foundCompanies(db, book, leads);
  const domains = [...new Set(leads.map((_, n) => domainOf(n)))];
  await noteProviders(db, book, { domains, at: START });
  await giveZones(db, book, leads);
  if (comparing) await placeCompanies(db, book, leads);
  const { campaignId } = await addCampaign(db, userId, {
    leads,
    mailboxIds,
    followups: FOLLOWUPS,
    delayDays: DELAY_DAYS,
    dueAt: START,
  });
  // The small one writes to everybody at first.
  const isCalm = isSmall || startsOn !== undefined || comparing !== undefined;
  const choice = isCalm ? ALL_ALLOWED : CATCH_ALL_HELD;
  await db
    .updateTable('campaigns')
    .set({
      held_addresses: isCalm ? [] : ['catchAll'],
      stop_company_on_reply: !isCalm,
      max_new_leads_per_day: newLeads?.perDay ?? null,
      new_lead_share: newLeads?.share ?? null,
      ...(comparing && { auto_winner: JSON.stringify(comparing.rule.now()) }),
      ...(startsOn && {
        starts_on_campaign_id: startsOn.campaignId,
        starts_on_interests: [...startsOn.interests],
        starts_after_days: startsOn.afterMs / DAY,
        starts_since: START,
      }),
    })
    .where('id', '=', campaignId)
    .execute();
  const marks = Array.from({ length: FOLLOWUPS + 1 }, (_, n) => `first${n}m`);
  const variants = comparing?.tests.map((test) => test?.variants ?? []);
  await writeSteps(db, campaignId, marks, variants);
  await noteRun(db, { userId, campaignId });
  const window = pickWindow();
  await openWindow(db, campaignId, window);
  const campaign: SimulatedCampaign = {
    id: campaignId,
    isSmall,
    window: createHistory(window),
    isActive: createHistory(true),
    marks: marks.map((mark) => createHistory<string | undefined>(mark)),
    mailboxes: createHistory<readonly number[]>(mailboxIds),
    leads: new Set(leads),
    joined: new Map(),
    delayDays: createHistory(DELAY_DAYS),
    followups: createHistory(FOLLOWUPS),
    choice: createHistory(choice),
    isCancelled: false,
    newLeads: createHistory(UNLIMITED),
    ...(comparing && { comparing }),
    ...(startsOn && { startsOn: createHistory<StartRule | null>(startsOn) }),
  };
  if (newLeads) campaign.newLeads.set(newLeads, START.getTime());
  book.campaigns.push(campaign);
  if (size > 0) await learnAddresses({ context: { db }, book }, leads);
  return campaign;
}
