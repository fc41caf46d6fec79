/** The child of transport-process.ts: runs calls of the mail transport and reports how they ended. */
import { ProviderError } from '../../../src/domain/errors.ts';
import { createDnsResolver } from '../../../src/providers/dns/index.ts';
import { createMailTransport } from '../../../src/providers/mail-transport/index.ts';
import type { Outcome, TransportSettings } from './transport-process.ts';

interface Call {
  id: number;
  method: 'checkSubmission' | 'checkImap' | 'submit';
  parameters: unknown[];
}

const settings = JSON.parse(process.argv[2]!) as Omit<TransportSettings, 'caFile'>;
const { timeoutMs, outboundProxy } = settings;
const dns = createDnsResolver({ servers: settings.dnsServers, timeoutMs });
const transport = createMailTransport({ dns, outboundProxy, timeoutMs });
const report = (outcome: Outcome | 'ready') => process.send!(outcome);

process.on('message', ({ id, method, parameters }: Call) => {
  const run = transport[method] as (...given: unknown[]) => Promise<unknown>;
  run(...parameters).then(
    (value) => report({ id, value: value ?? null }),
    (error: unknown) => {
      if (!(error instanceof ProviderError)) report({ id, crash: String(error) });
      else report({ id, error: { kind: error.kind, message: error.message, facts: error.facts } });
    },
  );
});
report('ready');
