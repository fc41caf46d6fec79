/** The route that gives the results of a campaign as a CSV file. Choice 8. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { BYTE_ORDER_MARK, csvText, type CsvValue } from '../../domain/csv-text.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams } from '../../http/schemas.ts';
import { streamedText } from '../../http/stream.ts';
import { exportResults, type CampaignResult } from '../../services/campaigns/campaign-results.ts';
import { iso } from './campaign-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock'>;

export const campaignResultRoutes = (context: Needs): Route[] => [exportAll(context)];

/** In the order of the file; named as in the API, where it has the field. */
const COLUMNS: Readonly<Record<string, (row: CampaignResult) => CsvValue>> = {
  leadId: ({ lead }) => lead.lead_id,
  personFirstName: ({ lead }) => lead.first_name,
  personLastName: ({ lead }) => lead.last_name,
  personEmail: ({ lead }) => lead.email,
  companyName: ({ lead }) => lead.company_name,
  status: ({ lead }) => lead.status,
  holdReason: ({ outlook }) => outlook.holdReason,
  explanation: ({ outlook }) => outlook.explanation,
  nextSendAt: ({ outlook }) => iso(outlook.nextSendAt),
  mailbox: ({ mailbox }) => mailbox,
  sent: ({ sent }) => sent?.sent_at.length ?? 0,
  // One cell, whatever the number of steps, in the order of the steps.
  sentAt: ({ sent }) => (sent?.sent_at ?? []).map((at) => at.toISOString()).join(' '),
  opened: ({ sent }) => sent?.opened ?? 0,
  machineOpened: ({ sent }) => sent?.machine_opened ?? 0,
  clicked: ({ sent }) => sent?.clicked ?? 0,
  machineClicked: ({ sent }) => sent?.machine_clicked ?? 0,
  replied: ({ sent }) => sent?.replied ?? 0,
  repliedAt: ({ sent }) => iso(sent?.replied_at ?? null),
  bouncedAt: ({ sent }) => iso(sent?.bounced_at ?? null),
  refusal: ({ sent }) => sent?.refusal ?? null,
  complainedAt: ({ sent }) => iso(sent?.complained_at ?? null),
  unsubscribedAt: ({ sent }) => iso(sent?.unsubscribed_at ?? null),
  addedAt: ({ lead }) => iso(lead.added_at),
};

const exportAll = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/export',
    operationId: 'campaigns.export',
    tag: 'Campaigns',
    summary: 'The results of a campaign as a CSV file, one row per lead.',
    description:
      'What `GET /v1/campaigns/:id/leads` says of each lead, and what became of the messages to it: ' +
      'when they were sent (`sentAt`, one time per step), how many were opened, had a link followed ' +
      'and were answered, and what the server said that refused one (`refusal`). UTF-8 with a byte ' +
      'order mark, commas. A cell that a spreadsheet would take for a formula has an apostrophe in ' +
      'front.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    contentType: 'text/csv',
    params: idParams,
    query: z.object({ format: z.enum(['csv']).default('csv') }),
    response: z.string(),
    handler: async ({ user, params }) => {
      const pages = await exportResults(context, user.userId, params.id);
      const fileName = `campaign-${params.id}.csv`;
      return streamedText(linesOf(pages), { contentType: 'text/csv; charset=utf-8', fileName });
    },
  });

async function* linesOf(pages: AsyncIterable<CampaignResult[]>): AsyncGenerator<string> {
  const values = Object.values(COLUMNS);
  let before = BYTE_ORDER_MARK + csvText([Object.keys(COLUMNS)]);
  for await (const page of pages) {
    yield before + csvText(page.map((row) => values.map((value) => value(row))));
    before = '';
  }
  if (before !== '') yield before;
}
