import { expect, it } from "vitest";
import { latenciesOf } from "../src/latencies.js";

it("takes percentiles of numbers, not of their texts, in whatever order they come", () => {
  const latencies = Array.from({ length: 1_000 }, (_, index) => (index * 7) % 1_000);
  expect(latenciesOf(latencies)).toEqual({ latencyP50Ms: 500, latencyP99Ms: 990 });
  expect(latenciesOf(Float64Array.from(latencies))).toEqual(latenciesOf(latencies));
  expect(latenciesOf([3])).toEqual({ latencyP50Ms: 3, latencyP99Ms: 3 });
});
