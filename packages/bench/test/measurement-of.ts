import type { Measurement } from "../src/measurement.js";

/** Returns a measurement whose figures are all the same number. */
export function measurementOf(figure: number): Measurement {
  return {
    mainMs: figure,
    cpuMs: figure,
    wallMs: figure,
    drainMs: figure,
    latencyP50Ms: figure,
    latencyP99Ms: figure,
    growthMb: figure,
    maxRssMb: figure,
    keptMb: figure,
    blockMs: figure,
    clock: "main thread",
    count: 1,
  };
}
