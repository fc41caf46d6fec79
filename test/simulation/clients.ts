/** What clients do while their campaigns run, through the product's services, recorded in the book. */
import type { Context } from '../../src/context.ts';
import { OutreachError } from '../../src/domain/errors.ts';
import type { RecipientRequest } from '../../src/domain/campaigns/campaigns.ts';
import {
  changeCampaign,
  type CampaignChange,
} from '../../src/services/campaigns/campaign-changes.ts';
import { requestOfLeads } from '../../src/services/campaigns/campaign-lead-requests.ts';
import {
  requestOfCampaign,
  startCampaign,
} from '../../src/services/campaigns/campaign-requests.ts';
import { eraseLead } from '../../src/services/suppressions/erasures.ts';
import { changeLead } from '../../src/services/leads/lead-changes.ts';
import { deleteLead } from '../../src/services/leads/lead-deletions.ts';
import { addSuppressions } from '../../src/services/suppressions/suppressions.ts';
import { createAddressActs } from './address-clients.ts';
import { createCorrectionActs } from './addresses/correction-clients.ts';
import { createEnrollmentActs } from './enrollment-clients.ts';
import { createLimitActs } from './new-leads/limit-clients.ts';
import { createTextActs } from './variants/text-clients.ts';
import type { Decisions } from './variants/decisions.ts';
import type { TextRules } from './variants/text-rules.ts';
import { UNVERIFIED } from './address-rules.ts';
import type { Book, SimulatedCampaign, SimulatedWindow } from './book.ts';
import type { History } from './history.ts';
import { createSerialRunner } from './serial-work.ts';
import { bodyOf } from './world.ts';

export type ClientContext = Pick<
  Context,
  'db' | 'config' | 'clock' | 'temporal' | 'startOperation'
>;

export interface World {
  context: ClientContext;
  book: Book;
  userId: string;
  random: () => number;
  windows: readonly SimulatedWindow[];
  mailboxIds: readonly number[];
  domainOf: (n: number) => string;
  /** The share of intended cancellations that happen: most large campaigns should run to their ends. */
  cancelChance: number;
  breach: (rule: string) => void;
  texts: Pick<TextRules, 'numberOf'>;
  decisions: Pick<Decisions, 'note'>;
  /** Of those who change limits, winners and wrong addresses: they take nothing from `random`. */
  ofLimits: () => number;
  ofTexts: () => number;
  ofCorrections: () => number;
}

export interface Clients {
  /** One change, somewhere. */
  act(): Promise<void>;
  /** What clients of campaigns with limits or several texts change besides, half an hour after half an hour. */
  tend(): Promise<void>;
  resume(campaign: SimulatedCampaign): Promise<void>;
  /** Nobody enters the subsequence any more. */
  endStarts(campaign: SimulatedCampaign): Promise<void>;
}

const variantsOf = ({ comparing }: SimulatedCampaign, position: number) =>
  comparing?.tests[position]?.variants.map((mark) => ({ bodyTemplate: bodyOf(mark) })) ?? [];

/** Shares in percent. */
const SHARES = [
  ['pause', 18],
  ['window', 12],
  ['copy', 16],
  ['takeOff', 14],
  ['putOn', 10],
  ['addLeads', 8],
  ['address', 8],
  ['deleteLead', 4],
  ['suppress', 4],
  ['suppressDomain', 1],
  ['erase', 2],
  ['deleteMailbox', 1],
  ['delay', 6],
  ['followups', 2],
  ['cancel', 2],
  ['verdict', 14],
  ['choice', 14],
  ['lift', 12],
  ['reimport', 12],
  ['pauseLead', 8],
  ['resumeLead', 8],
  ['removeLead', 3],
] as const;

export function createClients(world: World): Clients {
  const { context, book, userId, random, windows, mailboxIds, domainOf, cancelChance } = world;
  const { db, clock } = context;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const now = () => clock.now().getTime();
  const subject = ({ id }: SimulatedCampaign) => ({ userId, id });
  let marks = 0;
  // When two change the same thing at once, the book must have the same order as the database.
  const runSerially = createSerialRunner();

  /** Whether the service accepted it; a refusal by its rules changes nothing. */
  async function asked(work: () => Promise<unknown>, ...codes: string[]): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof OutreachError && codes.includes(error.code)) return false;
      throw error;
    }
  }

  const change = (campaign: SimulatedCampaign, changes: CampaignChange) =>
    asked(() => changeCampaign(context, subject(campaign), changes), 'INVALID_STATE');

  /**
   * A message may use the new value before the change is answered, so the book is updated first; a
   * refused change is taken back at the same moment.
   */
  const noted = <T>(history: History<T>, value: T, work: () => Promise<boolean>) =>
    runSerially(history, async () => {
      const before = history.now();
      history.set(value, now());
      if (!(await work())) history.set(before, now());
    });

  async function resume(campaign: SimulatedCampaign): Promise<void> {
    if (campaign.isCancelled) return;
    const go = () => requestOfCampaign(context, subject(campaign), 'resume');
    campaign.isActive.set(true, now());
    if (await asked(go, 'CAMPAIGN_NOT_READY', 'INVALID_STATE')) return;
    await setMailboxes(campaign, alive());
    if (await asked(go, 'CAMPAIGN_NOT_READY', 'INVALID_STATE')) return;
    // All of its mailboxes fail: a client tries again later.
    campaign.isActive.set(false, now());
  }

  const limitActs = createLimitActs({ book, random: world.ofLimits, now }, { change, noted });
  const textActs = createTextActs({ ...world, random: world.ofTexts, now }, { change, noted });

  const ways = { asked, change, noted, runSerially, forget, enrolledOf };
  const addressActs = createAddressActs(world, ways);

  async function suppress(value: string): Promise<void> {
    await addSuppressions(context, userId, [
      { kind: 'email', value, reason: 'manual', note: null },
    ]);
    book.closeAddress(value, 'suppressed', now());
  }

  const correct = createCorrectionActs(
    { book, random: world.ofCorrections, now, domainOf },
    {
      change(leadId, changes) {
        const go = () => changeLead(context, { userId, id: leadId }, changes);
        return asked(go, 'LEAD_NOT_FOUND', 'LEAD_EXISTS', 'PERSON_ERASED');
      },
      isWrittenTo,
      suppress,
      lift: (address) => addressActs.liftOwn(address),
      runSerially: (leadId, work) => runSerially(book.verdicts.get(leadId)!, work),
    },
  );

  const alive = () => mailboxIds.filter((id) => !book.goneMailboxes.has(id));

  async function setMailboxes(campaign: SimulatedCampaign, ids: number[]): Promise<void> {
    await noted(campaign.mailboxes, ids, () => change(campaign, { assignedMailboxes: ids }));
  }

  /** Any existing lead, in any campaign. */
  const someLead = (): number => pick([...book.people]);

  /** Any that has an address. */
  const someAddressee = (): number =>
    pick([...book.people].filter((id) => book.addresses.get(id)!.now() !== ''));

  async function isWrittenTo(leadId: number): Promise<boolean> {
    const sends = db.selectFrom('sends').select('id').where('lead_id', '=', leadId).limit(1);
    return (await sends.executeTakeFirst()) !== undefined;
  }

  const acts: Record<(typeof SHARES)[number][0], (campaign: SimulatedCampaign) => Promise<void>> = {
    async pause(campaign) {
      const go = () => requestOfCampaign(context, subject(campaign), 'pause');
      if (await asked(go, 'INVALID_STATE')) campaign.isActive.set(false, now());
    },
    async window(campaign) {
      const window = pick(windows);
      const { activeDays, isOfRecipient = false, ...times } = window;
      await noted(campaign.window, window, () =>
        change(campaign, {
          ...times,
          activeDays: [...activeDays],
          useRecipientTimezone: isOfRecipient,
        }),
      );
    },
    async copy(campaign) {
      const position = Math.floor(random() * campaign.marks.length);
      const mark = `mark${(marks += 1)}m`;
      const bodyTemplate = bodyOf(mark);
      const steps = campaign.marks.slice(1).map((other, index) => ({
        order: index + 1,
        bodyTemplate: index + 1 === position ? bodyTemplate : bodyOf(other.now()!),
        variants: variantsOf(campaign, index + 1),
      }));
      const changes: CampaignChange = position === 0 ? { bodyTemplate } : { steps };
      await noted(campaign.marks[position]!, mark, () =>
        textActs.renewing(campaign, position, () => change(campaign, changes)),
      );
    },
    async delay(campaign) {
      const days = 1 + Math.floor(random() * 6);
      await noted(campaign.delayDays, days, () => change(campaign, { followupDelayDays: days }));
    },
    async followups(campaign) {
      // Rarely none: a campaign without follow-ups tests little.
      const count = random() < 0.2 ? 0 : 1 + Math.floor(random() * (campaign.marks.length - 1));
      await noted(campaign.followups, count, () => change(campaign, { maxFollowups: count }));
    },
    async takeOff(campaign) {
      const ids = campaign.mailboxes.now().filter((id) => !book.goneMailboxes.has(id));
      const out = pick(ids);
      if (ids.length > 1)
        await setMailboxes(
          campaign,
          ids.filter((id) => id !== out),
        );
    },
    putOn: (campaign) => setMailboxes(campaign, alive()),
    async address() {
      const bounced = [...book.people].filter((id) =>
        book.bouncedAddresses.has(book.addresses.get(id)!.now()),
      );
      // A client corrects addresses that do not exist.
      const leadId = bounced.length > 0 && random() < 0.5 ? pick(bounced) : someLead();
      const domain = domainOf((marks += 1));
      // Some get a role address.
      const address =
        random() < 0.3 ? `info@moved${marks}-${domain}` : `moved${marks}-${leadId}@${domain}`;
      await runSerially(book.verdicts.get(leadId)!, async () => {
        book.addresses.get(leadId)!.set(address, now());
        book.verdicts.get(leadId)!.set(UNVERIFIED, now());
        const go = () => changeLead(context, { userId, id: leadId }, { personEmail: address });
        await asked(go, 'LEAD_NOT_FOUND');
      });
    },
    async deleteLead() {
      const leadId = someLead();
      const go = () => deleteLead(context, userId, leadId);
      if (await asked(go, 'LEAD_NOT_FOUND')) forget(leadId, 'deleted');
    },
    suppress: () => suppress(book.addresses.get(someAddressee())!.now()),
    async suppressDomain() {
      const value = book.addresses.get(someAddressee())!.now().split('@')[1]!;
      await addSuppressions(context, userId, [
        { kind: 'domain', value, reason: 'manual', note: null },
      ]);
      book.closeAddress(value, 'suppressed', now());
    },
    async erase() {
      const leadId = someAddressee();
      const address = book.addresses.get(leadId)!.now();
      book.closeAddress(address, 'erased', now());
      const domain = address.slice(address.indexOf('@') + 1);
      const wasErased = book.erasedDomains.has(domain);
      book.erasedDomains.add(domain);
      const go = () => eraseLead(context, userId, leadId);
      if (await asked(go, 'LEAD_NOT_FOUND')) return forget(leadId, 'erased');
      // Another client has just deleted the lead: no person was erased.
      book.openAddress(address, ['erased'], now());
      if (!wasErased) book.erasedDomains.delete(domain);
    },
    async deleteMailbox() {
      if (alive().length < 2) return;
      const id = pick(alive());
      await db
        .updateTable('mailboxes')
        .set({ status: 'deleted', updated_at: clock.now() })
        .where('id', '=', id)
        .execute();
      book.goneMailboxes.set(id, now());
    },
    async pauseLead(campaign) {
      if (campaign.leads.size === 0) return;
      const leadId = pick([...campaign.leads]);
      if ((await askOfLead(campaign, leadId, 'pause')) === 0) return;
      book.pausedLead(campaign.id, leadId).set(true, now());
    },
    async resumeLead(campaign) {
      const paused = [...campaign.leads].filter(
        (id) =>
          book.pausedLead(campaign.id, id).now() || book.expiries.open(campaign.id, id).length > 0,
      );
      if (paused.length === 0) return;
      const leadId = pick(paused);
      // A message may begin before the request is answered.
      book.pausedLead(campaign.id, leadId).set(false, now());
      book.expiries.resume(campaign.id, leadId, now());
      await askOfLead(campaign, leadId, 'resume');
      // It may have ended without the lead: then only a start continues it.
      const go = () => startCampaign(context, subject(campaign));
      const goesOn = await asked(go, 'INVALID_STATE', 'CAMPAIGN_NOT_READY');
      if (!goesOn) book.provenLate.add(`${campaign.id}/${leadId}`);
    },
    async removeLead(campaign) {
      if (campaign.leads.size === 0) return;
      const leadId = pick([...campaign.leads]);
      if ((await askOfLead(campaign, leadId, 'remove')) === 0) return;
      book.closeRecipient(campaign.id, leadId, 'removed', now());
    },
    async cancel(campaign) {
      if (random() >= cancelChance) return;
      const go = () => requestOfCampaign(context, subject(campaign), 'cancel');
      if (!(await asked(go, 'INVALID_STATE'))) return;
      campaign.isActive.set(false, now());
      campaign.isCancelled = true;
    },
    ...addressActs,
    ...createEnrollmentActs(world, {
      asked,
      enrolledOf,
      freshDomainOf: (n) => domainOf(n + 7 * marks),
    }),
  };

  /** How many have changed; an ended or deleted recipient does not. */
  async function askOfLead(
    campaign: SimulatedCampaign,
    leadId: number,
    request: RecipientRequest,
  ): Promise<number> {
    const choice = { leadIds: [leadId], request };
    return (await requestOfLeads(context, subject(campaign), choice)).changed;
  }

  async function enrolledOf({ id }: SimulatedCampaign, leadIds: number[]): Promise<Set<number>> {
    const rows = await db
      .selectFrom('recipients')
      .select('lead_id')
      .where('campaign_id', '=', id)
      .where('lead_id', 'in', leadIds)
      .execute();
    return new Set(rows.map((row) => row.lead_id));
  }

  function forget(leadId: number, by: 'deleted' | 'erased'): void {
    for (const campaign of book.campaigns) {
      campaign.leads.delete(leadId);
      book.closeRecipient(campaign.id, leadId, by, now());
    }
    book.people.delete(leadId);
  }

  return {
    resume,
    async tend() {
      await limitActs();
      await textActs.act();
      await correct();
    },
    endStarts: (campaign) =>
      noted(campaign.startsOn!, null, () => change(campaign, { startsOn: null })),
    async act() {
      const campaign = pick(book.campaigns);
      if (campaign.isCancelled) return;
      let roll = Math.floor(random() * SHARES.reduce((sum, [, share]) => sum + share, 0));
      for (const [name, share] of SHARES) {
        if (roll < share) return acts[name](campaign);
        roll -= share;
      }
    },
  };
}
