/** How campaigns are shown. */
import type { Campaign } from '../../../clients/typescript/src/index.ts';
import { timesInWords } from '../../domain/campaigns/send-times.ts';
import type { Io } from '../io.ts';
import type { ClientOptions } from './connection.ts';
import { minute, plural, show, type Table } from './output.ts';

export const campaignTable: Table<Campaign> = {
  columns: ['ID', 'NAME', 'STATUS', 'LEADS', 'SENT', 'REPLIED', 'BOUNCED', 'MADE'],
  cells: ({ stats, ...one }) => [
    one.id,
    one.name,
    statusOf(one),
    stats.leads,
    stats.sent,
    stats.replied,
    stats.bounced,
    minute(one.createdAt),
  ],
  none: 'There are no campaigns.',
};

const statusOf = ({ status, pauseReason }: Pick<Campaign, 'status' | 'pauseReason'>): string =>
  pauseReason === null ? status : `${status}: ${pauseReason}`;

export const messagesOf = ({ maxFollowups }: Campaign): string =>
  maxFollowups === 0
    ? 'one message each'
    : `one message and up to ${plural(maxFollowups, 'follow-up')} each`;

export const showCampaign = (io: Io, options: ClientOptions, one: Campaign): void =>
  show(io, options, one, [
    ['Campaign', `${one.id}, ${one.name}`],
    ['Status', statusOf(one)],
    ['Warning', one.warning ?? undefined],
    ['Subject', one.subjectTemplate],
    ['Messages', messagesOf(one)],
    ['When', timesInWords(one)],
    ['Mailboxes', one.assignedMailboxes.join(', ') || 'none'],
    ['Lists', one.leadListIds.join(', ') || 'none'],
    ['Leads', one.stats.leads],
    ['Sent', one.stats.sent],
    ['Replied', one.stats.replied],
  ]);
