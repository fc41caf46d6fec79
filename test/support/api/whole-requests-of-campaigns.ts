/** Whole requests for campaigns, placement tests, and what is repeated: `whole-requests.ts`. */
import type { AuditedWorld } from './audited-world.ts';
import { leadProcess } from './whole-requests-of-people.ts';
import {
  campaign,
  lead,
  list,
  mailbox,
  made,
  name,
  type Asked,
  type Requests,
} from './writing-subjects.ts';

const trackingDomain = (world: AuditedWorld) =>
  made(world, '/v1/tracking-domains', { name: `links.${name()}.example` });

const seed = (world: AuditedWorld, given: object = {}) =>
  made(world, '/v1/placement/seeds', {
    address: `${name()}@seeds.example`,
    provider: 'google',
    password: 'canary-password-9',
    ...given,
  });

export const MAIL_HOST = {
  smtp: { host: 'mail.elsewhere.example', port: 587, tls: 'starttls' },
  imap: { host: 'mail.elsewhere.example', port: 993, tls: 'tls' },
};

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'];

/** All but the names, and what a subsequence cannot have. */
const campaignOrder = async (world: AuditedWorld) => ({
  timezone: 'Europe/Berlin',
  activeDays: WEEKDAYS,
  startTime: '09:00',
  endTime: '17:30',
  assignedMailboxes: [await mailbox(world)],
  maxFollowups: 1,
  followupDelayDays: 3,
  trackOpens: true,
  trackClicks: true,
  trackingDomainId: await trackingDomain(world),
  textOnly: false,
  language: 'en',
  minValidationScore: 70,
  riskyAddresses: { catchAll: 'hold', unknown: 'allow', role: 'hold' },
  maxNewLeadsPerDay: 40,
  newLeadShare: 60,
  useRecipientTimezone: true,
  onlyNeverContacted: true,
  autoWinner: { metric: 'interested', minSends: 200, confidence: 0.95, afterDays: 3 },
  stopCompanyOnReply: true,
});

const TEXTS = {
  subjectTemplate: 'A word about {{company|your business}}',
  bodyTemplate: 'Hi {{firstName|there}},\n\nwho looks after your tools?',
  variants: [{ subjectTemplate: 'A question', bodyTemplate: 'Hi {{firstName}},\n\na question.' }],
  steps: [
    {
      order: 1,
      delayDays: 3,
      subjectTemplate: 'Once more',
      bodyTemplate: 'Did you see my question?',
      variants: [{ subjectTemplate: 'Again', bodyTemplate: 'Is this of interest?' }],
    },
  ],
};

const subsequence = async (world: AuditedWorld) => ({
  startsOn: {
    campaignId: (await campaign(world)).id,
    interest: ['interested', 'question'],
    afterDays: 2,
  },
});

const PLACEMENT = { step: 0, variant: 0, minInboxPercent: 90, holdOnBadPlacement: true };

const placementTest = async (world: AuditedWorld) => {
  const { id: campaignId, leadIds } = await campaign(world);
  const { assignedMailboxes } = await world.ok('GET', `/v1/campaigns/${campaignId}`);
  const of = { leadId: leadIds[0], mailboxId: Number(assignedMailboxes[0]) };
  return { campaignId, ...PLACEMENT, ...of, seedIds: [await seed(world)] };
};

const mapsRun = async (world: AuditedWorld) => ({
  searchStringsArray: ['bakery'],
  startUrls: ['https://www.google.com/maps/search/bakery'],
  placeIds: ['ChIJAVkDPzdOqEcRcDteW0YgIQQ'],
  locationQuery: 'Berlin',
  countryCode: 'de',
  language: 'de',
  maxCrawledPlacesPerSearch: 100,
  website: 'withWebsite',
  placeMinimumStars: 4,
  categoryFilterWords: ['bakery'],
  skipClosedPlaces: true,
  scrapeContacts: true,
  verifyEmails: true,
  leadListId: await list(world),
});

const JOBS = { mapsRun, leadProcess, placementTest };
type Job = keyof typeof JOBS;

const TIMES = {
  timeZone: 'Europe/Berlin',
  time: '09:30',
  weekdays: ['monday', 'thursday'],
  daysOfMonth: [1, 2, 3, 4, 5, 6, 7],
};

const scheduleOrder = async (job: Job, world: AuditedWorld) => ({
  name: 'Every first week',
  [job]: await JOBS[job](world),
  ...(job === 'mapsRun' && { onlyNewPlaces: true }),
  times: TIMES,
  paused: false,
});

export const wholeOfSchedules: Requests = Object.fromEntries(
  (Object.keys(JOBS) as Job[]).flatMap((job) => [
    [
      `schedules.create ${job}`,
      async (world: AuditedWorld): Promise<Asked> => [
        '/v1/schedules',
        await scheduleOrder(job, world),
      ],
    ],
    [
      `schedules.update ${job}`,
      async (world: AuditedWorld): Promise<Asked> => {
        const order = await scheduleOrder(job, world);
        return [`/v1/schedules/${await made(world, '/v1/schedules', order)}`, order];
      },
    ],
  ]),
);

export const wholeOfCampaigns: Requests = {
  'campaigns.create': async (world) => [
    '/v1/campaigns',
    {
      name: 'Spring',
      ...TEXTS,
      ...(await campaignOrder(world)),
      leadListIds: [await list(world)],
    },
  ],
  'campaigns.create subsequence': async (world) => [
    '/v1/campaigns',
    {
      name: 'Who asked',
      subjectTemplate: 'Your question',
      bodyTemplate: 'Hi {{firstName}},\n\nhere is more.',
      assignedMailboxes: [await mailbox(world)],
      ...(await subsequence(world)),
    },
  ],
  'campaigns.update': async (world) => [
    (await campaign(world)).path,
    {
      name: 'Summer',
      ...TEXTS,
      ...(await campaignOrder(world)),
      leadListIds: [await list(world)],
      winners: [{ step: 0, variant: 1 }],
      archived: false,
    },
  ],
  'campaigns.update subsequence': async (world) => {
    const assignedMailboxes = [await mailbox(world)];
    const order = { name: 'Who asked', subjectTemplate: 'More', bodyTemplate: 'Here is more.' };
    const rule = await subsequence(world);
    const id = await made(world, '/v1/campaigns', { ...order, assignedMailboxes, ...rule });
    return [`/v1/campaigns/${id}`, await subsequence(world)];
  },
  'campaignLeads.add': async (world) => [
    `${(await campaign(world)).path}/leads`,
    {
      leadIds: [await lead(world)],
      leadListId: await list(world),
      skipIfInOtherCampaign: true,
      onlyNeverContacted: true,
    },
  ],
  'campaigns.export': async (world) => [`${(await campaign(world, 'start')).path}/export`],
  'campaigns.preview': async (world) => {
    const { path, leadIds } = await campaign(world);
    return [`${path}/preview`, { leadId: leadIds[0], step: 0, variant: 0 }];
  },
  'campaigns.sendTestEmail': async (world) => {
    const { path, leadIds } = await campaign(world);
    const to = 'me@own.example';
    return [`${path}/test-email`, { to, leadId: leadIds[0], step: 0, variant: 0 }];
  },
  'placementTests.create': async (world) => ['/v1/placement/tests', await placementTest(world)],
  'placementSeeds.create': async () => [
    '/v1/placement/seeds',
    {
      address: `${name()}@seeds.example`,
      provider: 'other',
      username: 'seed-1',
      password: 'canary-password-9',
      imap: MAIL_HOST.imap,
    },
  ],
  'placementSeeds.update': async (world) => [
    `/v1/placement/seeds/${await seed(world)}`,
    { provider: 'other', username: 'seed-1', password: 'canary-password-8', imap: MAIL_HOST.imap },
  ],
};
