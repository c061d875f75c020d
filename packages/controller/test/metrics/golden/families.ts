/** A family of metrics: its samples by their labels, as `a=b,c=d`, followed by `sum`, `count` or `le=bound`. */
export interface GoldenFamily {
  readonly type: string;
  readonly samples: Readonly<Record<string, number>>;
}

/** Reads the families of an exposition in the text format. */
export function familiesOf(text: string): Record<string, GoldenFamily> {
  const families: Record<string, { type: string; samples: Record<string, number> }> = {};
  for (const line of text.split("\n")) {
    const [, typed, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (typed !== undefined && type !== undefined) {
      families[typed] = { type, samples: {} };
      continue;
    }
    const [, name = "", labels = "", value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const [, base = name, part] =
      families[name] === undefined ? (/^(.+)_(sum|count|bucket)$/.exec(name) ?? []) : [];
    const family = families[base];
    if (family === undefined || value === undefined) {
      continue;
    }
    const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key, of]) => [key, of]);
    const bound = pairs.find(([key]) => key === "le")?.[1];
    const id = pairs
      .filter(([key]) => key !== "le")
      .map((pair) => pair.join("="))
      .sort()
      .join(",");
    // The bucket without a bound is the count.
    if (bound !== "+Inf") {
      const suffix = part === "bucket" ? ` le=${Number(bound)}` : part ? ` ${part}` : "";
      family.samples[`${id}${suffix}`] = Number(value);
    }
  }
  return families;
}
