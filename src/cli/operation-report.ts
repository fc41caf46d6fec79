/** One operation, formatted for people. */
import type { OperationReport } from '../db/operations/operator-views.ts';
import { printable, printTable, since, type Io } from './io.ts';

export function printReport(io: Io, report: OperationReport): void {
  const { id, summary, state, step, resource, userId, workflowId, blockedAt } = report;
  io.out(`Operation ${id}: ${summary}`);
  io.out(`  ${resource} of ${userId}, workflow ${workflowId}`);
  if (report.requestId !== null) io.out(`  ordered by the request ${report.requestId}`);
  if (report.traceId !== null) io.out(`  traced as ${report.traceId}`);
  const waits = blockedAt === null ? '' : `, waits for a person since ${since(blockedAt)}`;
  io.out(`  ${state}${step === null ? '' : ` at ${step}`}${waits}`);
  if (report.errorCode !== null) io.out(`  ${report.errorCode}: ${report.errorMessage ?? ''}`);
  if (report.waitsFor !== null) io.out(`  ${printable(report.waitsFor)}`);
  const last = report.log.findLast(({ kind }) => kind === 'blocked');
  if (blockedAt !== null && last) {
    const { hint, actions } = last.detail as { hint?: string; actions?: string[] };
    if (hint) io.out(`  What to do: ${hint}`);
    io.out(`  Possible: ${(actions ?? []).join(', ')}`);
  }
  if (report.mailboxesNotRead.length > 0) printMailboxes(io, report.mailboxesNotRead);
  io.out('\nSteps');
  printTable(
    io,
    ['STEP', 'STATE', 'NOTE'],
    report.steps.map((one) => [one.name, one.state, one.note ?? null]),
    'none',
  );
  io.out('\nAsked of vendors');
  printTable(
    io,
    ['STEP', 'VENDOR', 'NAME', 'STATE', 'ID THERE'],
    report.intents.map((one) => [one.step, one.provider, one.token, one.state, one.externalId]),
    'nothing',
  );
  io.out('\nLog');
  printTable(
    io,
    ['AT', 'WHAT', 'STEP', 'WHO', 'WHY'],
    report.log.map((line) => [
      line.at.toISOString(),
      typeof line.detail['action'] === 'string'
        ? `${line.kind}: ${line.detail['action']}`
        : line.kind,
      line.step,
      line.actor,
      line.reason,
    ]),
    'nothing',
  );
}

function printMailboxes(io: Io, mailboxes: OperationReport['mailboxesNotRead']): void {
  io.out('\nMailboxes not read');
  printTable(
    io,
    ['ID', 'MAILBOX', 'SINCE', 'REASON', 'LAST ERROR'],
    mailboxes.map((one) => [one.id, one.email, since(one.failingSince), one.reason, one.error]),
    'none',
  );
}
