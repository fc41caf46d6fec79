/** Messages that their servers gave up without a verdict on the address: the lead is paused until a client decides. */

/** A message that expired. */
export interface Expiry {
  at: number;
  to: string;
  messageId: string;
  /** Whether the lead was to get further messages there: from then on it waits for a client. */
  isPausing: boolean;
}

/** Of each lead of a campaign, oldest first. */
export function createExpiries() {
  const expiries = new Map<string, Expiry[]>();
  const resumedAt = new Map<string, number>();
  const key = (campaignId: number, leadId: number) => `${campaignId}/${leadId}`;
  const of = (campaignId: number, leadId: number): readonly Expiry[] =>
    expiries.get(key(campaignId, leadId)) ?? [];
  return {
    of,
    note: (campaignId: number, leadId: number, expiry: Expiry) =>
      void expiries.set(key(campaignId, leadId), [...of(campaignId, leadId), expiry]),
    /** A client lets the lead go on. */
    resume: (campaignId: number, leadId: number, at: number) =>
      void resumedAt.set(key(campaignId, leadId), at),
    /** Those after which the lead still waits. */
    open: (campaignId: number, leadId: number): Expiry[] =>
      of(campaignId, leadId).filter(
        ({ at }) => at > (resumedAt.get(key(campaignId, leadId)) ?? -Infinity),
      ),
  };
}

export type Expiries = ReturnType<typeof createExpiries>;

/** What is wrong with a message to somebody whose message had expired before it was claimed. */
export function wrongAfterExpiry(
  expiries: Pick<Expiries, 'of' | 'open'>,
  {
    campaignId,
    leadId,
    to,
    claimedAt,
  }: { campaignId: number; leadId: number; to: string; claimedAt: number },
  /** Of a follow-up: the message before it, and whether the campaign has written to this address before. */
  thread?: { messageId: string; isKnownThere: boolean },
): string[] {
  const known = ({ at }: Expiry) => at < claimedAt;
  const isPaused = expiries.open(campaignId, leadId).some((one) => one.isPausing && known(one));
  const isElsewhere =
    thread !== undefined &&
    !thread.isKnownThere &&
    expiries
      .of(campaignId, leadId)
      .some((one) => known(one) && one.messageId === thread.messageId && one.to !== to);
  return [
    ...(isPaused ? ['the lead is paused since a message expired'] : []),
    ...(isElsewhere ? ['its thread expired at another address'] : []),
  ];
}
