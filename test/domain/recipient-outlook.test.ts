/** Why a lead is not written to just now: the first thing that stands in the way. Choice 9. */
import { describe, expect, it } from 'vitest';
import { outlookOf, type OutlookFacts } from '../../src/domain/campaigns/recipient-outlook.ts';

const now = new Date('2026-03-02T10:00:00Z');
const facts = (change: Partial<OutlookFacts['campaign']> = {}): OutlookFacts => ({
  campaign: {
    status: 'active',
    pauseReason: null,
    window: { timezone: 'UTC', activeDays: ['mon'], startTime: '00:00', endTime: '23:59' },
    ...change,
  },
  recipient: {
    status: 'queued',
    step: 0,
    isThread: false,
    dueAt: now,
    holdReason: null,
    isSending: true,
  },
  lead: { hasEmail: true, isSuppressed: false },
  mailboxes: [],
  now,
});

describe('outlookOf', () => {
  it('a message under way is being sent, also while the campaign is being paused', () => {
    expect(outlookOf(facts()).explanation).toMatch(/being sent/);
    expect(outlookOf(facts({ status: 'paused' })).explanation).toMatch(/being sent/);
  });

  it('a completed campaign has to be started for who was added, or proven, since', () => {
    const waiting = facts({ status: 'completed' });
    waiting.recipient.isSending = false;
    expect(outlookOf(waiting)).toMatchObject({
      holdReason: 'campaign_not_started',
      explanation: 'The campaign is completed, and this lead has messages to come: start it again',
    });
  });

  it('nothing is being sent of a cancelled campaign, whatever a killed process has left', () => {
    expect(outlookOf(facts({ status: 'cancelled' }))).toMatchObject({
      nextSendAt: null,
      holdReason: 'campaign_cancelled',
    });
  });
});
