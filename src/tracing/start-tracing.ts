/** Turns tracing on where the `OTEL_*` variables say so; only then anything of OpenTelemetry is loaded. */
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { version } from '../domain/version.ts';
import { idGenerator } from './ids.ts';
import { recordBy } from './spans.ts';

/** Which traces are kept, as OpenTelemetry's specification names it. All of them by default. */
export interface Sampling {
  OTEL_TRACES_SAMPLER?:
    `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}` | undefined;
  OTEL_TRACES_SAMPLER_ARG?: number | undefined;
}

/** The variables that decide whether and which; everything else the SDK reads itself. */
export interface TracingSettings extends Sampling {
  OTEL_SDK_DISABLED: boolean;
  OTEL_TRACES_EXPORTER?: 'otlp' | 'none' | undefined;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
}

export interface Tracing {
  /** Sends what is left, for at most some seconds, and turns tracing off. Never throws. */
  stop(): Promise<void>;
}

/** Spans that a collector does not take by then are lost. */
const LAST_EXPORT_MS = 3_000;

const MAX_COMPLAINT_LENGTH = 300;

export const isTracingWanted = (settings: TracingSettings): boolean =>
  !settings.OTEL_SDK_DISABLED &&
  settings.OTEL_TRACES_EXPORTER !== 'none' &&
  (settings.OTEL_TRACES_EXPORTER === 'otlp' ||
    settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined);

/** `service`: what the process calls itself where `OTEL_SERVICE_NAME` does not. To be called before `createContext`. */
export async function startTracing(
  settings: TracingSettings,
  { service, logger }: { service: string; logger: Logger },
): Promise<Tracing> {
  if (!isTracingWanted(settings)) return { stop: async () => undefined };
  const [{ diag, DiagLogLevel }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  // A collector that is down must not fill the log with words of the SDK's.
  const complain = (words: string) =>
    logger.warn({ words: words.slice(0, MAX_COMPLAINT_LENGTH) }, 'tracing complains');
  const silent = () => undefined;
  const logs = { error: complain, warn: complain, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logs, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return traceTo(new OTLPTraceExporter(), service, settings);
}

/** As `startTracing`, with an exporter of one's own. */
export async function traceTo(
  exporter: SpanExporter,
  service: string,
  sampling: Sampling = {},
): Promise<Tracing> {
  const [{ diag }, resources, sdk, { createRecorder }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('./recorder.ts'),
  ]);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version });
  const provider = new sdk.BasicTracerProvider({
    idGenerator,
    // The recorder has asked already.
    sampler: new sdk.AlwaysOnSampler(),
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  recordBy(createRecorder(provider.getTracer('outreach', version), samplerOf(sdk, sampling)));
  return {
    async stop() {
      recordBy(undefined);
      const limit = new Promise<void>(
        (resolve) => void setTimeout(resolve, LAST_EXPORT_MS).unref(),
      );
      await Promise.race([provider.shutdown().catch(() => undefined), limit]);
      diag.disable();
    },
  };
}

type Sdk = typeof import('@opentelemetry/sdk-trace-base');

/** As the SDK makes it of the same variables; it exports no function for that. */
function samplerOf(sdk: Sdk, { OTEL_TRACES_SAMPLER: name, ...sampling }: Sampling): Sampler {
  const { OTEL_TRACES_SAMPLER_ARG: ratio = 1 } = sampling;
  const [, parentBased, kind] = /^(parentbased_)?(.*)$/.exec(name ?? 'parentbased_always_on')!;
  const root =
    kind === 'always_off'
      ? new sdk.AlwaysOffSampler()
      : kind === 'traceidratio'
        ? new sdk.TraceIdRatioBasedSampler(ratio)
        : new sdk.AlwaysOnSampler();
  return parentBased === undefined ? root : new sdk.ParentBasedSampler({ root });
}
