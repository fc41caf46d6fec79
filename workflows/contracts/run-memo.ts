/**
 * What a run's memo says of it. Temporal carries it over continue-as-new, unlike the static summary and details.
 * docs/workflow-rules.md#what-operators-see.
 */
export interface RunMemo {
  summary: string;
  requestId?: string;
  /** 32 hexadecimal digits. */
  traceId?: string;
}
