/** What a start prints last: where traces are, only where they are collected. */
import { expect, it } from 'vitest';
import { nextSteps } from '../../src/dev/next-steps.ts';
import type { WorldFile } from '../../src/dev/world-file.ts';

const world = {
  api: 'http://127.0.0.1:8080',
  docs: 'http://127.0.0.1:8080/docs',
  temporalAddress: '127.0.0.1:7233',
  sandbox: 'http://127.0.0.1:8090',
  apiKey: 'svc_of_a_test',
} as WorldFile;
const traces = 'http://127.0.0.1:4318';
const toured = { checkoutUrl: undefined, clusterId: 7 };

it('links all traces, and that of the cluster which the tour made', () => {
  const said = nextSteps({ ...world, traces }, '/state', toured).split('\n');
  expect(said).toContain(`Traces         ${traces}`);
  expect(said).toContain(`Its cluster's  ${traces}/of/cluster/7`);
});

it('links no cluster without a tour, and no traces without a collector', () => {
  expect(nextSteps({ ...world, traces }, '/state')).not.toContain('/of/cluster');
  expect(nextSteps(world, '/state', toured)).not.toMatch(/Traces|\/of\/cluster/);
});
