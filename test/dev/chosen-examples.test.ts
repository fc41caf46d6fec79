/** Which of the recorded exchanges become examples of the API's document. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseExamples, type Exchange } from '../../src/dev/contract/examples.ts';
import type { ContractDocument } from '../../src/dev/contract/schema.ts';
import { requestExamples } from '../../src/http/openapi-examples.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outreach-examples-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const answers = (type: string) => ({
  responses: { 200: { description: 'Yes', content: { [type]: {} } } },
});
const text = { type: 'string' };
const inner = { type: 'object', properties: { time: text, days: { type: 'array', items: text } } };
const properties = { name: text, times: inner, paused: { type: 'boolean' } };
const document = {
  paths: {
    '/things': {
      get: { operationId: 'things.list', ...answers('application/json') },
      post: {
        operationId: 'things.create',
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties } } },
        },
        ...answers('application/json'),
      },
    },
    '/things/export': { get: { operationId: 'things.export', ...answers('text/csv') } },
    '/things/page': { get: { operationId: 'things.page', ...answers('text/html') } },
  },
} as unknown as ContractDocument;

async function chosen(...exchanges: Partial<Exchange>[]) {
  const lines = exchanges.map((each) =>
    JSON.stringify({ method: 'GET', path: '/things', status: 200, answer: {}, ...each }),
  );
  await writeFile(join(folder, '1.jsonl'), `${lines.join('\n')}\n`);
  return chooseExamples(document, folder);
}

const rows = (count: number, word: string) => Array.from({ length: count }, () => ({ word }));

describe('an answer', () => {
  it('is as it was: lists stay whole', async () => {
    const answer = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], data: rows(3, 'a'), total: 3 };
    const examples = await chosen({ answer });
    expect(examples['things.list']!.answer).toEqual(answer);
  });

  it('is the one that shows the most, of those that are not too long', async () => {
    const examples = await chosen(
      { answer: { data: rows(1, 'a'), total: 1 } },
      { answer: { data: rows(2, 'a'), total: 2 } },
      { answer: { data: rows(2, 'x'.repeat(2_000)), total: 2 } },
    );
    expect(examples['things.list']!.answer).toMatchObject({ data: rows(2, 'a') });
  });

  it('is the shortest, where all are long', async () => {
    const long = (count: number) => ({ answer: { data: rows(count, 'x'.repeat(2_000)) } });
    const examples = await chosen(long(4), long(2), long(3));
    expect(examples['things.list']!.answer).toMatchObject({ data: { length: 2 } });
  });

  it('may be a file, but no page', async () => {
    const file = { path: '/things/export', answer: 'id,name\n1,Ada\n' };
    const examples = await chosen(file, { path: '/things/page', answer: '<p>Hello</p>' });
    expect(examples['things.export']!.answer).toBe(file.answer);
    expect(examples['things.page']!.answer).toBeUndefined();
  });
});

describe('a request', () => {
  const request = (body: object) => ({ method: 'POST', body });

  it('is followed by others for the fields that it does not show', async () => {
    const first = { name: 'A', times: { time: '09:30' } };
    const examples = await chosen(
      request(first),
      request({ name: '', paused: true }),
      request({ paused: true }),
      request({ times: { days: ['mon'] } }),
    );
    expect(examples['things.create']).toMatchObject({
      request: first,
      more: [
        { shows: ['paused'], request: { paused: true } },
        { shows: ['times.days'], request: { times: { days: ['mon'] } } },
      ],
    });
  });

  it('stands alone where it shows all', async () => {
    const body = { name: 'A', times: { time: '09:30', days: ['mon'] }, paused: true };
    const examples = await chosen(request(body), request({ paused: false }));
    expect(examples['things.create']!.more).toBeUndefined();
    expect(requestExamples(examples['things.create']!)).toEqual({ example: body });
  });
});

describe('several requests', () => {
  it('have names, and say which fields are new', () => {
    const value = { times: { time: '09:30' }, paused: true };
    const more = [{ shows: ['times', 'times.time', 'paused'], request: value }];
    expect(requestExamples({ request: { name: 'A' }, more })).toEqual({
      examples: {
        first: { value: { name: 'A' } },
        times: { summary: 'With times and paused', value },
      },
    });
  });
});
