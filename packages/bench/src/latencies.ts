import type { Measurement } from "./measurement.js";

/** Returns the percentiles of latencies or lags for a measurement. */
export function latenciesOf(
  latenciesMs: Float64Array | readonly number[],
): Pick<Measurement, "latencyP50Ms" | "latencyP99Ms"> {
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { latencyP50Ms: at(0.5), latencyP99Ms: at(0.99) };
}
