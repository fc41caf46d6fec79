/** Metrics of operations that ended in this process, by type of workflow, beside what is promised for it. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { FLOWS } from '../domain/operations/flows.ts';
import {
  END_OUTCOMES,
  keepsObjective,
  OBJECTIVE_KINDS,
  objectiveOf,
  type OperationEnd,
} from '../domain/operations/objectives.ts';

/** Seconds; from a change of a password to a campaign of weeks. */
const BUCKETS = [10, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];

export interface OperationEnds {
  /** Counts an end, once it is committed. */
  note(end: OperationEnd): void;
  /** Shows the metrics among others. */
  register(registry: Registry): void;
}

/** Every series begins at 0, so that Prometheus sees the first end of a type as an increase. */
export function createOperationEnds(): OperationEnds {
  const finished = new Counter({
    name: 'outreach_operations_finished_total',
    help: 'Operations that ended, by how; declined = its client cancelled it or has to cure the cause',
    labelNames: ['workflow_type', 'outcome'],
    registers: [],
  });
  const durations = new Histogram({
    name: 'outreach_operation_duration_seconds',
    help: 'Time from the order to the end of operations that succeeded, without waits for their client',
    labelNames: ['workflow_type'],
    buckets: BUCKETS,
    registers: [],
  });
  const blocked = new Counter({
    name: 'outreach_operation_blocked_seconds_total',
    help: 'Time that operations waited for a person, counted at their end',
    labelNames: ['workflow_type'],
    registers: [],
  });
  const kept = new Counter({
    name: 'outreach_slo_operations_total',
    help: 'Operations that ended, by whether they kept an objective: good or bad',
    labelNames: ['workflow_type', 'slo', 'result'],
    registers: [],
  });
  const objectives = new Gauge({
    name: 'outreach_slo_objective',
    help: 'The part of the operations that has to be good',
    labelNames: ['workflow_type', 'slo'],
    registers: [],
  });
  for (const { kind } of FLOWS) {
    for (const outcome of END_OUTCOMES) finished.labels(kind, outcome).inc(0);
    durations.zero({ workflow_type: kind });
    blocked.labels(kind).inc(0);
    for (const slo of OBJECTIVE_KINDS) {
      const objective = objectiveOf(kind, slo);
      if (objective === undefined) continue;
      objectives.labels(kind, slo).set(objective);
      for (const result of ['good', 'bad']) kept.labels(kind, slo, result).inc(0);
    }
  }
  return {
    note: (end) => {
      finished.labels(end.kind, end.outcome).inc();
      if (end.outcome === 'succeeded' && end.seconds !== null) {
        durations.labels(end.kind).observe(end.seconds);
      }
      blocked.labels(end.kind).inc(end.blockedSeconds);
      for (const slo of OBJECTIVE_KINDS) {
        const isGood = keepsObjective(end, slo);
        if (isGood !== undefined) kept.labels(end.kind, slo, isGood ? 'good' : 'bad').inc();
      }
    },
    register: (registry) => {
      for (const metric of [finished, durations, blocked, kept, objectives]) {
        registry.registerMetric(metric as Parameters<Registry['registerMetric']>[0]);
      }
    },
  };
}
