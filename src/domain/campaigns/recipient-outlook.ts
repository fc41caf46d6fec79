/** Why a lead is not written to at the moment, and when it will be. Choice 9. */
import type {
  CampaignStatus,
  HoldReason,
  PauseReason,
  RecipientStatus,
  SendWindow,
} from './campaigns.ts';
import { nextSendTime } from '../sending/send-window.ts';

/** A mailbox that may send the next message. */
export interface OutlookMailbox {
  /** When its limits allow the next message; not later than now = free. */
  nextFreeAt: Date;
  /** The reason of its limits, where warm-up sets them. */
  holdReason: 'warming_up' | 'mailbox_failing' | null;
  /** Why it sends nothing now: failing, removed from the campaign, deleted. */
  outReason: string | null;
}

export interface OutlookFacts {
  campaign: { status: CampaignStatus; pauseReason: PauseReason | null; window: SendWindow };
  recipient: {
    status: RecipientStatus;
    /** Position of the next message. */
    step: number;
    /** Its mailbox is chosen. */
    isThread: boolean;
    dueAt: Date | null;
    /** As recorded by the last claim. */
    holdReason: HoldReason | null;
    /** The next message is in its SMTP session. */
    isSending: boolean;
  };
  lead: { hasEmail: boolean; isSuppressed: boolean };
  /** When the campaign may write to new leads again; null: never by its settings, undefined: now. */
  newLeadsFrom?: Date | null | undefined;
  /** The mailbox of the thread, or all that may start one. */
  mailboxes: readonly OutlookMailbox[];
  now: Date;
}

export interface Outlook {
  /** Not before then; null = no message is to come, or the time is unknown. */
  nextSendAt: Date | null;
  holdReason: HoldReason | null;
  /** One sentence for people. */
  explanation: string;
}

/** The first obstacle. Pure: `now` is given. */
export function outlookOf(facts: OutlookFacts): Outlook {
  const { campaign, recipient, lead } = facts;
  if (recipient.dueAt === null) return restingOutlook(recipient);
  // A message whose process died during delivery is not being sent any more.
  if (campaign.status === 'cancelled') return waitingForCampaign(campaign);
  if (recipient.isSending) return said(null, 'The next message is being sent');
  if (campaign.status !== 'active') return waitingForCampaign(campaign);
  if (!lead.hasEmail) return said('no_email', 'The lead has no e-mail address any more');
  if (lead.isSuppressed) return said('suppressed', 'The address is on the suppression list');
  if (recipient.holdReason === 'needs_review') {
    return said('needs_review', EXPLANATIONS.needs_review);
  }
  return scheduled(facts, recipient.dueAt);
}

function scheduled(facts: OutlookFacts, dueAt: Date): Outlook {
  const { campaign, recipient, mailboxes, now } = facts;
  const newLeadsFrom = recipient.isThread ? undefined : facts.newLeadsFrom;
  if (newLeadsFrom === null) return said('new_lead_limit', NO_NEW_LEADS);
  const usable = mailboxes.filter(({ outReason }) => outReason === null);
  const [first] = usable.toSorted((a, b) => a.nextFreeAt.getTime() - b.nextFreeAt.getTime());
  if (first === undefined) return withoutMailbox(recipient.isThread, mailboxes);
  const moments = [now, dueAt, first.nextFreeAt, newLeadsFrom ?? now].map((one) => one.getTime());
  const earliest = new Date(Math.max(...moments));
  const nextSendAt = nextSendTime(campaign.window, earliest);
  const at = (holdReason: HoldReason | null, words: string): Outlook => ({
    nextSendAt,
    holdReason,
    explanation: `${words}; not before ${nextSendAt.toISOString()}`,
  });
  const { holdReason } = recipient;
  if (dueAt > now) {
    // The recorded reason holds until then.
    if (holdReason !== null) return at(holdReason, EXPLANATIONS[holdReason]);
    return at(null, recipient.step === 0 ? 'It is not due yet' : 'The follow-up is not due yet');
  }
  if (newLeadsFrom && newLeadsFrom > now) return at('new_lead_limit', EXPLANATIONS.new_lead_limit);
  if (nextSendAt > earliest) return at('outside_window', EXPLANATIONS.outside_window);
  if (first.nextFreeAt > now) {
    const reason = first.holdReason ?? 'mailbox_limit';
    return at(reason, EXPLANATIONS[reason]);
  }
  return { nextSendAt, holdReason: null, explanation: 'It is due and waits for its turn' };
}

/** For a lead that is not in the campaign: what keeps it out, or how to add it. */
export function outsiderOutlook(
  status: CampaignStatus,
  reason: HoldReason | null,
  isListed: boolean,
): Outlook {
  const isOut = isListed
    ? 'The lead stands in a list of the campaign and was not added to it'
    : 'The lead is not in the campaign';
  if (reason !== null) return said(reason, `${isOut}: ${lowerFirst(EXPLANATIONS[reason])}`);
  if (status === 'cancelled') {
    return said('campaign_cancelled', `${isOut}: ${lowerFirst(EXPLANATIONS.campaign_cancelled)}`);
  }
  const takesLists = status === 'draft' || status === 'completed';
  const way = takesLists ? 'the next start adds it' : 'nothing keeps it out now, so add it';
  return said('not_added', `${isOut}; ${way}`);
}

const said = (holdReason: HoldReason | null, explanation: string): Outlook => ({
  nextSendAt: null,
  holdReason,
  explanation,
});

function waitingForCampaign({ status, pauseReason }: OutlookFacts['campaign']): Outlook {
  if (status === 'cancelled') return said('campaign_cancelled', EXPLANATIONS.campaign_cancelled);
  if (status === 'paused') {
    if (pauseReason === 'no_mailbox') {
      const cure = 'assign mailboxes that can send and resume it';
      return said('campaign_paused', `The campaign is paused (no_mailbox); ${cure}`);
    }
    const why = pauseReason === null ? '' : ` (${pauseReason})`;
    return said('campaign_paused', `The campaign is paused${why}; resume it to go on`);
  }
  return said(
    'campaign_not_started',
    status === 'completed'
      ? 'The campaign is completed, and this lead has messages to come: start it again'
      : EXPLANATIONS.campaign_not_started,
  );
}

function withoutMailbox(isThread: boolean, mailboxes: readonly OutlookMailbox[]): Outlook {
  if (isThread) {
    return said('mailbox_failing', 'The mailbox of this thread cannot send at the moment');
  }
  const why = [...new Set(mailboxes.map(({ outReason }) => outReason))].join(', ');
  return said(
    'no_mailbox',
    why === '' ? 'The campaign has no mailbox' : `No mailbox can send at the moment: ${why}`,
  );
}

/** No message is to come, or none before a person decides. */
function restingOutlook(recipient: OutlookFacts['recipient']): Outlook {
  if (recipient.status !== 'paused') return overOutlook(recipient);
  const reason = recipient.holdReason === 'undelivered' ? 'undelivered' : 'lead_paused';
  const words = EXPLANATIONS[reason];
  return said(reason, recipient.isSending ? `${words}, once what is being sent is out` : words);
}

/** Nothing more is to come. */
function overOutlook({ status, holdReason }: OutlookFacts['recipient']): Outlook {
  // A complaint ends with the status of an unsubscription, though nobody has asked for one.
  if (holdReason === 'complained') {
    return said(holdReason, `${EXPLANATIONS.complained}, so nothing more is sent`);
  }
  // What is recorded with it counts only once it is put back.
  if (status === 'removed') return said(null, ENDS.removed);
  const why = holdReason === null ? '' : `: ${lowerFirst(EXPLANATIONS[holdReason])}`;
  return said(holdReason, `${ENDS[status]}${why}`);
}

const NO_NEW_LEADS = 'The campaign writes to no new leads: its newLeadShare leaves none a place';

const lowerFirst = (text: string) => `${text[0]!.toLowerCase()}${text.slice(1)}`;

const ENDS: Record<RecipientStatus, string> = {
  queued: 'Nothing is planned now',
  in_progress: 'All messages that are to be sent were sent',
  completed: 'All messages were sent',
  replied: 'The lead has answered, so nothing more is sent',
  bounced: 'The address does not exist or refuses mail, so nothing more is sent',
  unsubscribed: 'The lead has unsubscribed, so nothing more is sent',
  skipped: 'The lead was left out',
  paused: 'The lead is paused',
  failed: 'A message could not be sent',
  removed: 'The lead was removed from the campaign, so nothing more is sent',
};

const EXPLANATIONS: Record<HoldReason, string> = {
  campaign_not_started: 'The campaign has not been started',
  campaign_paused: 'The campaign is paused',
  campaign_cancelled: 'The campaign was cancelled, so nothing more is sent',
  outside_window: 'It waits for the next send window',
  mailbox_limit: 'Its mailbox has sent as much as it may for now',
  recipient_domain_limit: 'This company gets no more messages of this campaign today',
  warming_up: 'Its mailbox is being warmed up',
  no_mailbox: 'Its mailbox was deleted, and a follow-up goes from no other',
  mailbox_failing: 'Its mailbox cannot send at the moment',
  soft_bounce: 'The server of the recipient asked to try again later',
  auto_reply: 'An automatic answer came, so the follow-up waits',
  delivery_uncertain: 'The connection broke while a message was sent; it is not sent twice',
  delivery_refused: 'The server refused the message',
  undelivered:
    'The last message could not be delivered in time, so the follow-up waits until the lead is resumed',
  policy_rejection: 'The message was refused as spam or by a policy',
  provider_rejects: 'The mail provider of the recipient refuses too many messages as spam',
  suppressed: 'The address is on the suppression list',
  no_email: 'The lead has no e-mail address',
  invalid_email: 'The address was found to be invalid',
  catch_all_address: 'The campaign holds addresses at domains that take mail for anybody',
  unknown_address: 'The campaign holds addresses of which nothing could be told',
  role_address: 'The campaign holds addresses of a function, such as info@',
  score_too_low: 'The score of the address is below minValidationScore of the campaign',
  template_failed: 'The message could not be made from its template',
  complained: 'The recipient has reported a message as spam',
  erased: 'The person was erased and may not come back',
  duplicate_address: 'Another lead of the campaign has the same address',
  already_contacted: 'The campaign has written to the address before',
  in_other_campaign: 'Another campaign has messages to come for the lead',
  not_added: 'The lead could be added',
  needs_review:
    'A person has to say whether its answer came from a machine; nothing is sent until then',
  new_lead_limit: 'The campaign has written to as many new leads as it may today',
  contacted_before: 'The account has written to the lead or its address before',
  lead_paused: 'The lead is paused; resume it to go on',
  removed: 'The lead was removed from the campaign',
  company_replied:
    'Somebody of the same company has answered, and the campaign stops the whole company then',
  template_empty: 'Nothing was left of the subject or the body for this lead',
};
