/** What a tour shows while it waits: counts in one line, and nothing twice. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { followUp } from '../../src/dev/tour/answers.ts';
import { showSteps } from '../../src/dev/tour/index.ts';
import { showProgress } from '../../src/dev/tour/progress.ts';
import { createTour, type TourStep } from '../../src/dev/tour/tour.ts';
import type { WorldFile } from '../../src/dev/world-file.ts';

afterEach(() => vi.restoreAllMocks());

const world = {} as WorldFile;

/** The lines that a pipe gets while the steps run. */
async function piped(...steps: TourStep[]): Promise<string[]> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  await showSteps(createTour(world), steps).catch(() => undefined);
  vi.restoreAllMocks();
  return text.split('\n').filter((line) => line !== '');
}

describe('a tour that is piped', () => {
  it('shows a count as one line, with where it ended', async () => {
    const lines = await piped({
      title: 'Follow up',
      async run(tour) {
        for (const done of [0, 0, 0, 0, 5, 10, 12])
          tour.count(`12 on their way, ${done} delivered`);
        return 'All there';
      },
    });
    expect(lines.filter((line) => line.includes('on their way'))).toHaveLength(1);
    expect(lines).toEqual([
      expect.stringContaining('Follow up'),
      expect.stringContaining('12 on their way, 12 delivered'),
      expect.stringContaining('All there'),
    ]);
  });

  it('shows how far it came when a step fails', async () => {
    const lines = await piped({
      title: 'Follow up',
      async run(tour) {
        tour.count('12 on their way, 3 delivered');
        throw new Error('too late');
      },
    });
    expect(lines.some((line) => line.includes('12 on their way, 3 delivered'))).toBe(true);
  });

  it('says nothing twice in a row', async () => {
    const lines = await piped({
      title: 'Wait',
      async run(tour) {
        for (const line of ['Waiting', 'Waiting', 'Here', 'Here']) tour.say(line);
        return 'Done';
      },
    });
    expect(lines).toHaveLength(4);
  });

  it('shows a day of sending as one line that counts', async () => {
    const tour = createTour(world);
    const leads = [{ email: 'alice@w.test', firstName: 'Alice' }];
    tour.campaign = { id: 1, domain: 'w.test', leads };
    const message = { from: 'ada+1@t.com', to: 'alice@w.test', subject: 'Hi', messageId: '<1>' };
    const answer = { ...message, subject: 'Re: Hi', headers: { 'in-reply-to': '<1>' } };
    let asked = 0;
    vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
      const seen = [{ ...message, headers: {} }, ...((asked += 1) < 3 ? [] : [answer])];
      return Promise.resolve(Response.json({ mail: { accepted: seen } }));
    });
    tour.world = { sandbox: 'http://127.0.0.1:9', control: 'http://127.0.0.1:9' } as never;
    tour.mailboxes = [{ id: 1, email: 'ada@t.com', password: 'x' }];
    const counted: string[] = [];
    const said: string[] = [];
    Object.assign(tour, {
      say: (line: string) => said.push(line),
      count: (line: string) => counted.push(line),
    });
    await followUp.run(tour);
    expect(said).toEqual([]);
    expect(counted).toEqual([0, 0, 1].map((n) => expect.stringContaining(`way, ${n} delivered`)));
  });
});

describe('a tour on a terminal', () => {
  it('counts in place', () => {
    const shown: string[] = [];
    const task = {
      get output() {
        return shown.at(-1) ?? '';
      },
      set output(line: string) {
        shown.push(line);
      },
    };
    const progress = showProgress(task, true);
    for (const done of [0, 0, 5, 12]) progress.count(`${done} delivered`);
    progress.end();
    expect(shown).toEqual(['0 delivered', '5 delivered', '12 delivered']);
  });
});
