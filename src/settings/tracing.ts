/** OpenTelemetry's own variables; the SDK reads them, and others of its specification, itself. docs/tracing.md. */
import { z } from 'zod';

export const tracingSettings = {
  /** Where spans go; either of these two turns tracing on. To the first one `/v1/traces` is added. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  /** `otlp` turns tracing on without an address, for a collector at localhost:4318; `none` turns it off. */
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  OTEL_SDK_DISABLED: z.stringbool().default(false),
  /** The one protocol that is spoken; collectors take it beside protobuf. */
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/json').optional(),
  /** `name=value` pairs, comma separated; may hold a collector's key. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  /** `outreach-api` and `outreach-worker` by default. */
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional(),
  /** The part of traces that a sampler by ratio keeps. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
};
