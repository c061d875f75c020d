/**
 * Metrics and traces for OpenTelemetry.
 *
 * @module typekube/opentelemetry
 */

export type { Instrumentation, InstrumentTypeKubeOptions } from "./instrument-typekube.js";
export { instrumentTypeKube } from "./instrument-typekube.js";
