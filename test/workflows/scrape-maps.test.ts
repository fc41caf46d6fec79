/** The flow of a maps run: searched, enriched, cancelled in each state, gone over to the alternate. */
import { Context } from '@temporalio/activity';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelJobSignal, jobQuery } from '../../workflows/contracts/job.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

const words = { actor: 'user:1', reason: 'tested' };
let stage: Stage;
// A server of its own for each: what one test cancels stays out of the next.
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage?.close());

const scrape = (script: Script, input: object = {}) =>
  stage.start('scrapeMaps', script, { runId: 7, ...input });
/** What a step of the search answers. */
const next = (step: 'start' | 'scrape' | 'enrich' | 'end', state = 'active') => ({
  state,
  isDone: step !== 'scrape' && state === 'active',
  next: step,
  progress: step,
});
const page = (isDone: boolean, state = 'active') => ({ state, isDone, progress: 'a page' });

/** An activity that works until it is cancelled. */
async function untilCancelled(): Promise<never> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), 100);
  return context.cancelled.finally(() => clearInterval(timer));
}

describe('scrapeMaps', () => {
  it('starts once, reads page after page, and ends', async () => {
    const run = await scrape({
      search_start: () => next('scrape'),
      scrape: (call) => next(call < 4 ? 'scrape' : 'end'),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['search_start', 'scrape', 'scrape', 'scrape', 'scrape']);
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('visits websites after the search where contacts are wanted', async () => {
    const run = await scrape({
      search_start: () => next('scrape'),
      scrape: () => next('enrich'),
      enrich: (call) => page(call === 3),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['search_start', 'scrape', 'enrich', 'enrich', 'enrich']);
  });

  it('asks another provider when the first refuses, at the start or later', async () => {
    const run = await scrape({
      search_start: (call) => next(call === 1 ? 'start' : 'scrape'),
      scrape: (call) => next(call === 1 ? 'start' : 'end'),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['search_start', 'search_start', 'scrape', 'search_start', 'scrape']);
  });

  it('waits out an answer that was lost: the start is asked again, nothing else', async () => {
    const run = await scrape({
      search_start: (call) => (call < 6 ? fail('not_ready') : next('scrape')),
      scrape: () => next('end'),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.calls.filter((id) => id === 'search_start')).toHaveLength(6);
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('refused by everybody ends as failed with the reason, parks nothing (choice 63)', async () => {
    const run = await scrape({ search_start: () => fail('quota') });
    expect(await run.end()).toMatchObject({ type: 'QuotaExceeded' });
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'QUOTA_EXCEEDED' } });
    expect(run.calls).toEqual(['search_start', 'search_end']);
  });

  it('a provider that is down for a quarter of an hour ends it; its search is ended, too', async () => {
    const run = await scrape({
      search_start: () => next('scrape'),
      scrape: () => fail('unavailable'),
    });
    expect(await run.end()).toMatchObject({ type: 'ProviderUnavailable' });
    expect(run.calls.filter((id) => id === 'scrape')).toHaveLength(20);
    expect(run.calls.at(-1)).toBe('search_end');
  });

  it('that was terminated before is not searched again, and what runs is ended', async () => {
    const run = await scrape({}, { undoOnly: true });
    expect(await run.end()).toMatchObject({ type: 'Lost' });
    expect(run.calls).toEqual(['search_end']);
    expect(run.finish()).toMatchObject({ error: { code: 'LOST' } });
  });
});

describe('a cancel', () => {
  it('before the search began stops it, and ends what may run', async () => {
    const run = await scrape({ search_start: () => next('scrape', 'over') });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['search_start', 'search_end']);
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it.each(['search_start', 'scrape'])(
    'during %s interrupts it and ends the search',
    async (step) => {
      const run = await scrape({
        search_start: () => next('scrape'),
        scrape: () => next('scrape'),
        [step]: untilCancelled,
      });
      await run.untilCalled(step);
      await run.handle.signal(cancelJobSignal, words);
      expect(await run.end()).toBeUndefined();
      expect(run.calls.at(-1)).toBe('search_end');
      expect(run.finish()).toMatchObject({ error: { code: 'CANCELLED' } });
      expect(await run.handle.query(jobQuery)).toMatchObject({ state: 'ended' });
    },
  );

  it('during the enrichment interrupts it; no search is left to end', async () => {
    const run = await scrape({
      search_start: () => next('scrape'),
      scrape: () => next('enrich'),
      enrich: untilCancelled,
    });
    await run.untilCalled('enrich');
    await run.handle.signal(cancelJobSignal, words);
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['search_start', 'scrape', 'enrich']);
    expect(run.finish()).toMatchObject({ error: { code: 'CANCELLED' } });
  });

  it('whose search cannot be ended at the provider is not held up for ever', async () => {
    const run = await scrape({
      search_start: () => next('scrape', 'over'),
      search_end: () => fail('auth'),
    });
    expect(await run.end()).toBeUndefined();
  });

  it('that only the row knows of stops before the next page', async () => {
    const run = await scrape({
      search_start: () => next('scrape'),
      scrape: () => next('scrape', 'over'),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['search_start', 'scrape', 'search_end']);
  });
});

describe('enrichWebsites', () => {
  it('visits batch after batch until none is left', async () => {
    const run = await stage.start(
      'enrichWebsites',
      { enrich: (call) => page(call === 3) },
      { runId: 7 },
    );
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['enrich', 'enrich', 'enrich']);
  });

  it('is cancelled at once', async () => {
    const run = await stage.start('enrichWebsites', { enrich: untilCancelled }, { runId: 7 });
    await run.untilCalled('enrich');
    await run.handle.signal(cancelJobSignal, words);
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ error: { code: 'CANCELLED' } });
  });
});

describe('50,000 places', () => {
  it('cost at most 0.01 Temporal actions each', async () => {
    // Activities read 500 places at least, and visit 500 websites: see activities/maps.
    const run = await scrape({
      search_start: () => next('scrape'),
      scrape: (call) => next(call < 100 ? 'scrape' : 'enrich'),
      enrich: (call) => page(call === 101),
    });
    expect(await run.end()).toBeUndefined();
    // Each activity and each change of the search attributes is one, and the start.
    expect(run.calls.length + run.records.length + 10).toBeLessThan(0.01 * 50_000);
    const { historyLength } = await run.handle.describe();
    expect(historyLength).toBeLessThan(2_000);
  }, 180_000);
});
