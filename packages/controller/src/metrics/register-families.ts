import { KubeError } from "@typekube/core";
import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type FamilyName, type FamilyTypes, families, type MetricFamily } from "./families.js";
import type { MetricsRegistry } from "./metrics-options.js";

/** The module prom-client. */
export type PromClient = typeof import("prom-client");

/**
 * Loads prom-client, an optional peer dependency.
 *
 * @throws {KubeError} `Config` when it is not installed.
 */
export async function loadPromClient(): Promise<PromClient> {
  try {
    const loaded = (await import("prom-client")) as PromClient & { readonly default?: PromClient };
    return loaded.default ?? loaded;
  } catch (error) {
    throw new KubeError("Config", "the option metrics needs the package prom-client", {
      hint: "npm install prom-client@15",
      cause: error,
    });
  }
}

/** The type of a metric by that of its family. */
export type MetricOf<N extends FamilyName> = {
  counter: Counter<string>;
  gauge: Gauge<string>;
  histogram: Histogram<string>;
}[FamilyTypes[N]["type"]];

/** The metrics of a manager in a registry. */
export interface Metrics {
  get<N extends FamilyName>(name: N): MetricOf<N>;
  /** Adds a function that sets the values of a gauge when it is read. */
  onCollect(name: FamilyName, collect: () => void): void;
  /** Removes the families from the registry. */
  remove(): void;
}

/** Adds families to a registry. A family of the same name that is there already, as of another manager, is used. */
export function registerFamilies(
  prom: PromClient,
  registry: MetricsRegistry,
  names: readonly FamilyName[],
): Metrics {
  const own: string[] = [];
  const metrics = new Map<FamilyName, unknown>();
  const collectors = new Map<FamilyName, (() => void)[]>();
  for (const name of names) {
    const family = families[name];
    let metric = registry.getSingleMetric(family.name);
    if (metric === undefined) {
      own.push(family.name);
      metric = create(prom, registry as unknown as Registry, family, () => {
        for (const collect of collectors.get(name) ?? []) {
          collect();
        }
      });
    }
    metrics.set(name, metric);
  }
  return {
    get: (name) => metrics.get(name) as never,
    onCollect(name, collect) {
      collectors.set(name, [...(collectors.get(name) ?? []), collect]);
    },
    remove() {
      for (const name of own) {
        registry.removeSingleMetric(name);
      }
    },
  };
}

function create(
  { Counter, Gauge, Histogram }: PromClient,
  registry: Registry,
  { type, name, help, labels, buckets }: MetricFamily,
  collect: () => void,
): unknown {
  const config = { name, help, labelNames: [...labels], registers: [registry] };
  switch (type) {
    case "counter":
      return new Counter(config);
    case "gauge":
      return new Gauge({ ...config, collect });
    case "histogram":
      return new Histogram({ ...config, buckets: [...(buckets ?? [])] });
  }
}
