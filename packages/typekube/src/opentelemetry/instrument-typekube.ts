import { type Meter, metrics, type Tracer, trace } from "@opentelemetry/api";
import { assertKnownOptions } from "@typekube/core/internal";
import { credentialsMetrics } from "./credentials-metrics.js";
import { requestMetrics } from "./request-metrics.js";
import { requestSpans } from "./request-spans.js";
import { subscribe } from "./subscriptions.js";

/** Where spans and measurements go. */
export interface InstrumentTypeKubeOptions {
  /** Default: that of the registered provider. */
  readonly tracer?: Tracer | undefined;
  /** Default: that of the registered provider. */
  readonly meter?: Meter | undefined;
}

/** What was set up; stopping it, as often as one likes, leaves nothing behind. */
export interface Instrumentation extends Disposable {
  stop(): void;
}

const scope = "typekube";

/**
 * Makes spans and measurements of everything that the clients of this process do, and sends the context of the trace along with
 * each request. Call it once, after the OpenTelemetry SDK was set up; clients from before are instrumented as well.
 *
 * @example
 * instrumentTypeKube();
 */
export function instrumentTypeKube(options: InstrumentTypeKubeOptions = {}): Instrumentation {
  assertKnownOptions("instrumentTypeKube()", options, { meter: true, tracer: true });
  const tracer = options.tracer ?? trace.getTracer(scope);
  const meter = options.meter ?? metrics.getMeter(scope);
  const credentials = credentialsMetrics(meter);
  const undo = [requestSpans(tracer), requestMetrics(meter), credentials.listeners].map(subscribe);
  const stop = (): void => {
    credentials.stop();
    for (const unsubscribe of undo.splice(0)) {
      unsubscribe();
    }
  };
  return { stop, [Symbol.dispose]: stop };
}
