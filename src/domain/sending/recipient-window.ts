/** The window of a campaign as the clock of each recipient reads it. Choice 128. */
import type { SendWindow } from '../campaigns/campaigns.ts';
import { zoneOfPlace, type Whereabouts } from '../country-zones.ts';
import { canonicalTimeZone } from '../time-zone.ts';
import type { Dropped, DueRecipient } from './due-recipients.ts';
import { nextSendTime, windowAt, type OpenWindow } from './send-window.ts';

/** A campaign's window, and whether it is read in the zone of the recipient. */
export interface CampaignWindow {
  window: SendWindow;
  isOfRecipient: boolean;
}

/** The lead's own zone, else that of their company's state or country, else the campaign's. */
export function windowFor(
  { window, isOfRecipient }: CampaignWindow,
  whereabouts: Whereabouts,
  at: Date,
): SendWindow {
  if (!isOfRecipient) return window;
  const given = whereabouts.timezone === null ? undefined : canonicalTimeZone(whereabouts.timezone);
  return { ...window, timezone: given ?? zoneOfPlace(whereabouts, at) ?? window.timezone };
}

/** Whether some recipient may be written to now: somewhere a window may be open. */
export const isOpenForAnybody = ({ window, isOfRecipient }: CampaignWindow, now: Date): boolean =>
  isOfRecipient || windowAt(window, now).from <= now;

/** The earliest time from `at` on at which somebody may be written to. */
export const nextOpenTime = ({ window, isOfRecipient }: CampaignWindow, at: Date): Date =>
  isOfRecipient ? at : nextSendTime(window, at);

/** For the recipients of one claim: most of them are in few places, and a window takes some time to compute. */
export function createWindows(
  campaign: CampaignWindow,
  now: Date,
): (whereabouts: Whereabouts) => OpenWindow {
  const known = new Map<string, OpenWindow>();
  return (whereabouts) => {
    const key = campaign.isOfRecipient ? JSON.stringify(Object.values(whereabouts)) : '';
    const found = known.get(key) ?? windowAt(windowFor(campaign, whereabouts, now), now);
    known.set(key, found);
    return found;
  };
}

/** Those whose window is open; the others are put off to its start, and take no place of anybody. */
export const withinWindow = (
  windowOf: (whereabouts: Whereabouts) => OpenWindow,
  recipients: readonly DueRecipient[],
  { dropped, now }: { dropped: Dropped[]; now: Date },
): DueRecipient[] =>
  recipients.filter(({ leadId, whereabouts }) => {
    const { from } = windowOf(whereabouts);
    if (from <= now) return true;
    dropped.push({ leadId, status: null, holdReason: 'outside_window', dueAt: from });
    return false;
  });
