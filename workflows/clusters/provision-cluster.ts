/** Provisions a cluster: hold, domain, server, DNS, mail host, PTR, verification. Choice 13. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import {
  provisionStepApplies,
  type ProvisionStep,
} from '../../src/domain/operations/operations.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { domainPurchaseStep, type Bought } from '../domains/domain-steps.ts';
import { policies } from '../engine/policies.ts';
import { runSaga, type Step } from '../engine/saga.ts';
import { assertServerIsSold, serverStep, type Rented } from './server-step.ts';
import { as, at, walletHoldStep } from './steps.ts';

export async function provisionCluster(input: WorkflowInput<'provisionCluster'>): Promise<void> {
  await runSaga(input, provisionSteps(input));
}

/** The steps, each with its undo beside it; the saga matrix test covers a new step automatically. */
export function provisionSteps(input: WorkflowInput<'provisionCluster'>): Step[] {
  const { operationId, clusterId, domain } = input;
  const policy = policies(input.pace);
  const cluster = { operationId, clusterId };
  const rented: Rented = { vendor: undefined };
  const bought: Bought = { registrar: input.registrar };
  const needs = { domain: input.buyDomain, server: input.rentServer };
  const applies = (step: ProvisionStep) => provisionStepApplies(step, needs);
  const keyed = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const dns = proxyActivities<Activities>(policy.waitForDns);
  const records = input.manualDns ? proxyActivities<Activities>(policy.waitForOwner) : dns;
  const long = proxyActivities<Activities>(policy.longRun);
  const undo = proxyActivities<Activities>(policy.compensate);
  const boot = proxyActivities<Activities>(policy.waitForFirstBoot);

  return [
    walletHoldStep(input, applies('wallet_hold')),
    purchaseAfterCheck(input, domainPurchaseStep(input, applies('domain_purchase'), bought)),
    { ...serverStep(input, rented), applies: applies('server_create') },
    {
      name: 'dns_setup',
      run: async () => {
        await keyed.publishRecords.executeWithOptions(
          {
            ...as('dns_setup.publish', 'Publish A, SPF, DKIM, DMARC, SRV'),
            ...at(bought.registrar),
          },
          [{ ...cluster, phase: 'host' }],
        );
        await records.awaitRecords.executeWithOptions(
          as('dns_setup.await', 'Wait until they are visible'),
          [{ ...cluster, phase: 'host' }],
        );
      },
      undo: () =>
        undo.withdrawRecords.executeWithOptions(
          {
            ...as('dns_setup.undo', 'Withdraw the records that were added'),
            ...at(bought.registrar),
          },
          [cluster],
        ),
    },
    {
      name: 'mail_server_install',
      run: async () => {
        await boot.awaitFirstBoot.executeWithOptions(
          as('mail_server_install.boot', 'Wait for cloud-init'),
          [cluster],
        );
        await long.installMailHost.executeWithOptions(
          as('mail_server_install.install', 'Install Postfix, Dovecot, OpenDKIM, certificate'),
          [cluster],
        );
        await long.addMailDomain.executeWithOptions(
          as('mail_server_install.domain', `Serve ${domain}`),
          [cluster],
        );
      },
      undo: () =>
        undo.removeMailDomain.executeWithOptions(
          as('mail_server_install.undo', `Stop serving ${domain}`),
          [cluster],
        ),
    },
    {
      name: 'ptr_setup',
      applies: applies('ptr_setup'),
      skippable: true,
      run: async () => {
        await keyed.setReverseDns.executeWithOptions(
          { ...as('ptr_setup.set', 'PTR = HELO = A'), ...at(rented.vendor) },
          [cluster],
        );
        await dns.awaitReverseDns.executeWithOptions(
          as('ptr_setup.await', 'Wait until it is visible'),
          [cluster],
        );
      },
    },
    {
      name: 'verify',
      skippable: true,
      run: async () => {
        await keyed.publishRecords.executeWithOptions(
          { ...as('verify.publish', 'Publish the MX'), ...at(bought.registrar) },
          [{ ...cluster, phase: 'mx' }],
        );
        await records.awaitRecords.executeWithOptions(
          as('verify.await', 'Wait until it is visible'),
          [{ ...cluster, phase: 'mx' }],
        );
        await long.probeMailHost.executeWithOptions(
          as('verify.probe', 'Log in by SMTP and IMAP, probe outgoing port 25'),
          [cluster],
        );
      },
    },
  ];
}

/** A domain is bought for good: first it is known that the cluster's server can be rented. */
const purchaseAfterCheck = (
  input: WorkflowInput<'provisionCluster'>,
  { run, ...purchase }: Step,
): Step => ({
  ...purchase,
  run: async (...words) => {
    if (input.rentServer) await assertServerIsSold(input);
    await run(...words);
  },
});
