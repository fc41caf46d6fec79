/** What clients do to add leads to their campaigns, and why one of them may be left out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addCampaignLeads } from '../../src/services/campaigns/campaign-enrollments.ts';
import type { Enrolled, SkipReason } from '../../src/services/campaigns/campaign-enrollments.ts';
import { startCampaign } from '../../src/services/campaigns/campaign-requests.ts';
import { addLeads } from '../support/campaigns/campaign-world.ts';
import type { Book, SimulatedCampaign } from './book.ts';
import type { World } from './clients.ts';
import { learnAddresses } from './known-addresses.ts';

/** Functions that the other acts use as well. */
interface Ways {
  asked: (work: () => Promise<unknown>, ...codes: string[]) => Promise<boolean>;
  enrolledOf: (campaign: SimulatedCampaign, leadIds: number[]) => Promise<Set<number>>;
  /** The domain of the n-th new person. */
  freshDomainOf: (n: number) => string;
}

/** The book follows the database within this time: virtual time does not move meanwhile. */
const NOTE_MS = 5_000;

export function createEnrollmentActs(world: World, { asked, enrolledOf, freshDomainOf }: Ways) {
  const { context, book, userId, random, breach } = world;
  const { db, clock } = context;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const now = () => clock.now().getTime();
  return {
    async addLeads(campaign: SimulatedCampaign) {
      // A subsequence is entered by answers only.
      if (campaign.startsOn) return;
      const subject = { userId, id: campaign.id };
      const fresh = await addLeads(db, userId, 1 + Math.floor(random() * 5), freshDomainOf);
      await learnAddresses(world, fresh);
      // Also some of another campaign.
      const others = [...book.people].filter((id) => !campaign.leads.has(id));
      const leadIds = [...new Set([...fresh, pick(others)])];
      const from = now();
      let skippedReasons: Enrolled['skippedReasons'] = {};
      const add = async () => {
        ({ skippedReasons } = await addCampaignLeads(context, subject, { leadIds }));
      };
      // Another client may just have cancelled it.
      if (!(await asked(add, 'INVALID_STATE'))) return;
      const added = await enrolledOf(campaign, leadIds);
      for (const id of added) {
        campaign.leads.add(id);
        campaign.joined.set(id, now());
      }
      const reasons = Object.keys(skippedReasons) as SkipReason[];
      for (const id of leadIds.filter((one) => !added.has(one))) {
        const asLeft = { leadId: id, reasons, from, campaignId: campaign.id };
        if (await isExplained(asLeft, await hasWrittenTo(campaign, id, from))) continue;
        breach(`lead ${id} was not added: ${JSON.stringify(skippedReasons)}`);
      }
      // It may have just ended: then only a start continues it.
      const go = () => startCampaign(context, subject);
      if (await asked(go, 'INVALID_STATE', 'CAMPAIGN_NOT_READY')) return;
      for (const id of added) book.provenLate.add(`${campaign.id}/${id}`);
    },
  };

  /**
   * Whether the campaign wrote to the lead's address, as that of another lead: a person who was
   * imported again may have got the first message as the earlier lead.
   */
  async function hasWrittenTo(
    { id }: SimulatedCampaign,
    leadId: number,
    from: number,
  ): Promise<boolean> {
    const addresses = book.addresses.get(leadId)!.during(from, now());
    const written = await db
      .selectFrom('sends')
      .select('id')
      .where('campaign_id', '=', id)
      .where('lead_id', '!=', leadId)
      .where(
        'email_key',
        'in',
        addresses.map(({ value }) => value),
      )
      .limit(1)
      .executeTakeFirst();
    return written !== undefined;
  }

  /** Another client may just have deleted the lead or its address; the book is updated after that. */
  async function isExplained(
    asLeft: { leadId: number; reasons: readonly SkipReason[]; from: number; campaignId: number },
    isWritten: boolean,
  ): Promise<boolean> {
    const deadline = performance.now() + NOTE_MS;
    do {
      if (isLeftOutRightly(book, { ...asLeft, to: now(), isWritten })) return true;
      await sleep(1);
    } while (performance.now() < deadline);
    return false;
  }
}

/** Reasons that fit leads of the account that are deleted. */
const GONE: readonly SkipReason[] = ['not_found', 'erased', 'suppressed', 'no_email'];

/**
 * Whether one of the reasons was true of the lead at some time in the period: other clients change its
 * address and its verdict, or delete it, while it is added.
 */
export function isLeftOutRightly(
  book: Book,
  {
    leadId,
    reasons,
    from,
    to,
    isWritten,
    campaignId,
  }: {
    leadId: number;
    reasons: readonly SkipReason[];
    from: number;
    to: number;
    /** Undefined where the campaign stops no companies. */
    campaignId?: number;
    /** The campaign has a message to the address, as that of another lead. */
    isWritten: boolean;
  },
): boolean {
  const told = (...ones: readonly SkipReason[]) => ones.some((one) => reasons.includes(one));
  return (
    (told(...GONE) && !book.people.has(leadId)) ||
    (told('suppressed', 'erased') && book.hadClosedAddress(leadId, from, to)) ||
    (told('suppressed') && book.keepsWish(leadId)) ||
    (told('invalid_email') && book.hadInvalidAddress(leadId, from, to)) ||
    (told('already_contacted') && isWritten) ||
    (told('no_email') && had(book, leadId, { from, to }).includes('')) ||
    (told('duplicate_address') && hadThatOfAnother(book, leadId, { from, to })) ||
    (told('company_replied') && hasCompanyAnswered(book, { leadId, campaignId, to }))
  );
}

interface Span {
  from: number;
  to: number;
}

const had = ({ addresses }: Book, leadId: number, { from, to }: Span): string[] =>
  addresses
    .get(leadId)!
    .during(from, to)
    .map(({ value }) => value);

const hadThatOfAnother = (book: Book, leadId: number, span: Span): boolean => {
  const own = had(book, leadId, span).filter((value) => value !== '');
  return [...book.addresses.keys()].some(
    (other) => other !== leadId && had(book, other, span).some((value) => own.includes(value)),
  );
};

/** Whether somebody of the lead's company has answered the campaign by then. */
function hasCompanyAnswered(
  { answers, companies }: Book,
  { leadId, campaignId, to }: { leadId: number; campaignId: number | undefined; to: number },
): boolean {
  const company = companies.get(leadId);
  if (company === undefined) return false;
  return [...companies]
    .filter(([, other]) => other === company)
    .flatMap(([other]) => answers.of(other))
    .some((answer) => answer.campaignId === campaignId && answer.at <= to);
}
