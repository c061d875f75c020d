/** A family of metrics as prom-client's `getMetricsAsJSON` returns it. */
interface JsonFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values?: readonly JsonSample[] | undefined;
}

interface JsonSample {
  readonly value: number;
  readonly metricName?: string | undefined;
  readonly labels?: Readonly<Record<string, number | string>> | undefined;
}

/** Content type of {@link openMetrics}. */
export const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

const total = /_total$/;

/**
 * Returns metrics in the format OpenMetrics 1.0. prom-client can write it too, but only for registries that never write
 * another format.
 *
 * @param metrics - families as `getMetricsAsJSON` of a registry returns them.
 */
export function openMetrics(metrics: readonly object[]): string {
  const lines = (metrics as readonly JsonFamily[]).flatMap(({ name, help, type, values = [] }) => {
    const isCounter = type === "counter";
    const family = isCounter ? name.replace(total, "") : name;
    const samples = values.map(({ metricName, labels = {}, value }) => {
      const sample = isCounter ? `${family}_total` : (metricName ?? name);
      return `${sample}${labelsText(labels)} ${numberText(value)}`;
    });
    return [`# HELP ${family} ${escaped(help)}`, `# TYPE ${family} ${type}`, ...samples];
  });
  return [...lines, "# EOF", ""].join("\n");
}

function labelsText(labels: Readonly<Record<string, number | string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => {
    const text = name === "le" && typeof value === "number" ? boundText(value) : String(value);
    return `${name}="${escaped(text)}"`;
  });
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

/** Bounds of buckets are floating-point numbers: `1.0`. */
function boundText(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : numberText(bound);
}

function numberText(value: number): string {
  return Number.isFinite(value)
    ? String(value)
    : Number.isNaN(value)
      ? "NaN"
      : value > 0
        ? "+Inf"
        : "-Inf";
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

/** Returns true when a client that sends this Accept header prefers OpenMetrics to text. */
export function prefersOpenMetrics(accept = ""): boolean {
  let open = 0;
  let text = 0;
  for (const part of accept.split(",")) {
    const [type = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    const weight = Number(parameters.find((one) => one.startsWith("q="))?.slice(2) ?? 1);
    if (type === "application/openmetrics-text") {
      open = Math.max(open, weight);
    } else if (type === "text/plain") {
      text = Math.max(text, weight);
    }
  }
  return open > 0 && open >= text;
}
