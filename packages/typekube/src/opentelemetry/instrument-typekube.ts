import { type Meter, metrics, type Tracer, trace } from "@opentelemetry/api";
import { assertOptions, type OptionTable } from "@typekube/core/internal";
import { credentialsMetrics } from "./credentials-metrics.js";
import { reconcileSpans } from "./reconcile-spans.js";
import { requestMetrics } from "./request-metrics.js";
import { requestSpans } from "./request-spans.js";
import { subscribe } from "./subscriptions.js";

/** Options of {@link instrumentTypeKube}: the destinations of spans and measurements. */
export interface InstrumentTypeKubeOptions {
  /** Default: from the registered provider. */
  readonly tracer?: Tracer | undefined;
  /** Default: from the registered provider. */
  readonly meter?: Meter | undefined;
}

const instrumentTypeKubeOptions: OptionTable<InstrumentTypeKubeOptions> = {
  meter: true,
  tracer: true,
};

/** A running instrumentation. Stopping it removes everything, and may be repeated. */
export interface Instrumentation extends Disposable {
  stop(): void;
}

const scope = "typekube";

/**
 * Creates spans and measurements for everything that the clients and controllers of this process do, and sends the trace
 * context with each request. Call it once, after the OpenTelemetry SDK was set up; existing clients are instrumented as well.
 *
 * @example
 * ```ts
 * instrumentTypeKube();
 * ```
 */
export function instrumentTypeKube(options: InstrumentTypeKubeOptions = {}): Instrumentation {
  assertOptions("instrumentTypeKube()", options, instrumentTypeKubeOptions);
  const tracer = options.tracer ?? trace.getTracer(scope);
  const meter = options.meter ?? metrics.getMeter(scope);
  const credentials = credentialsMetrics(meter);
  const undo = [
    requestSpans(tracer),
    reconcileSpans(tracer),
    requestMetrics(meter),
    credentials.listeners,
  ].map(subscribe);
  const stop = (): void => {
    credentials.stop();
    for (const unsubscribe of undo.splice(0)) {
      unsubscribe();
    }
  };
  return { stop, [Symbol.dispose]: stop };
}
