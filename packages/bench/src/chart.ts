import type { Measurement } from "./measurement.js";
import type { TaskResult } from "./run-tasks.js";
import { median } from "./statistics.js";

/** A group of bars: one task measured with several programs. */
interface Bars {
  readonly title: string;
  readonly task: string;
  readonly metric: "cpuMs" | "keptMb" | "mainMs" | "wallMs";
  readonly unit: string;
  /** Program of each bar, by the name shown beside it. */
  readonly programs: Readonly<Record<string, string>>;
}

const peers = { floor: "floor", "client-node": "client-node", "client-go": "client-go protobuf" };

/** The five tasks that matter most to users. */
const groups: readonly Bars[] = [
  {
    title: "List 10,000 pods: CPU",
    task: "list-10k",
    metric: "cpuMs",
    unit: "ms",
    programs: { TypeKube: "TypeKube protobuf, lean", ...peers },
  },
  {
    title: "Informer over 50,000 pods: time until synced",
    task: "informer-sync-50k",
    metric: "wallMs",
    unit: "ms",
    programs: { TypeKube: "TypeKube protobuf", ...peers },
  },
  {
    title: "Informer over 50,000 pods: memory kept",
    task: "informer-sync-50k",
    metric: "keptMb",
    unit: "MB",
    programs: { TypeKube: "TypeKube protobuf", ...peers },
  },
  {
    title: "Events through an informer with an index and a handler: time",
    task: "informer-events",
    metric: "wallMs",
    unit: "ms",
    programs: { TypeKube: "TypeKube protobuf", ...peers },
  },
  {
    title: "GET over TLS, 16 at a time: CPU",
    task: "get-tls-16",
    metric: "cpuMs",
    unit: "ms",
    programs: { TypeKube: "TypeKube JSON", ...peers },
  },
];

const width = 760;
const labels = 110;
const barHeight = 16;
const titleHeight = 30;
const gap = 14;

/** Draws an SVG chart, readable on light and dark pages. Less is better in every group. */
export function chart(results: readonly TaskResult[]): string {
  let y = 8;
  const parts: string[] = [];
  for (const group of groups) {
    const bars = Object.entries(group.programs).flatMap(([name, program]) => {
      const value = medianOf(results, group, program);
      return value === undefined ? [] : [{ name, value }];
    });
    if (bars.length < 2) {
      continue;
    }
    parts.push(`<text x="0" y="${y + 18}" class="title">${group.title}</text>`);
    y += titleHeight;
    const most = Math.max(...bars.map(({ value }) => value));
    for (const { name, value } of bars) {
      const length = Math.max(2, ((width - labels - 90) * value) / most);
      const ours = name === "TypeKube" ? " ours" : "";
      parts.push(
        `<text x="${labels - 8}" y="${y + 12}" class="name${ours}">${shown(name)}</text>`,
        `<rect x="${labels}" y="${y}" width="${length.toFixed(1)}" height="${barHeight - 3}" rx="2" class="bar${ours}"/>`,
        `<text x="${(labels + length + 6).toFixed(1)}" y="${y + 11}" class="value">${Math.round(value).toLocaleString("en")} ${group.unit}</text>`,
      );
      y += barHeight;
    }
    y += gap;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="TypeKube compared with other clients; shorter is better">
<style>
text { font: 12px system-ui, sans-serif; fill: #57606a; }
.title { font-size: 13px; font-weight: 600; fill: #1f2328; }
.name { text-anchor: end; }
.ours { font-weight: 600; }
.bar { fill: #afb8c1; }
.bar.ours { fill: #1f6feb; }
@media (prefers-color-scheme: dark) {
text { fill: #9198a1; }
.title { fill: #f0f6fc; }
.bar { fill: #484f58; }
.bar.ours { fill: #58a6ff; }
}
</style>
${parts.join("\n")}
</svg>
`;
}

function shown(name: string): string {
  return name === "floor" ? "undici + parse" : name;
}

function medianOf(
  results: readonly TaskResult[],
  { task, metric }: Bars,
  program: string,
): number | undefined {
  const row = results
    .find(({ name }) => name === task)
    ?.rows.find((candidate) => candidate.program === program);
  const values = row?.rounds.flatMap((round: Measurement | undefined) =>
    round === undefined ? [] : [round[metric]],
  );
  return values === undefined || values.length === 0 ? undefined : median(values);
}
