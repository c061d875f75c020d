import type { HttpResponse } from "@typekube/core";
import type { JournalEntry } from "../control/journal.js";
import { bytesResponse } from "../response/responses.js";

const contentType = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

const texts = {
  apiserver_request_total: [
    "counter",
    "Requests by verb, group, version, resource, scope and HTTP status.",
  ],
  apiserver_longrunning_requests: [
    "gauge",
    "Watches and connections to containers that are open now.",
  ],
} as const;

/** What the server counts, for Prometheus. */
export interface Metrics {
  /** Counts a request that was answered. */
  count(entry: JournalEntry): void;
  /** Counts a request that stays open. Returns what ends that; it can be called again. */
  begin(entry: JournalEntry): () => void;
  /** How many requests are open. */
  readonly open: number;
  answer(): HttpResponse;
}

/** Creates the counters of one server. */
export function createMetrics(): Metrics {
  const requests = new Map<string, number>();
  const running = new Map<string, number>();
  let open = 0;
  return {
    count(entry) {
      const { status = 0 } = entry;
      add(
        requests,
        labels({ code: String(status), ...common(entry), dry_run: dryRunOf(entry) }),
        1,
      );
    },
    begin(entry) {
      const key = labels(common(entry));
      let isOpen = true;
      open += 1;
      add(running, key, 1);
      return () => {
        if (isOpen) {
          isOpen = false;
          open -= 1;
          add(running, key, -1);
        }
      };
    },
    get open() {
      return open;
    },
    answer() {
      const text = [
        ...family("apiserver_longrunning_requests", running),
        ...family("apiserver_request_total", requests),
      ];
      return bytesResponse(200, contentType, Buffer.from(`${text.join("\n")}\n`, "utf8"));
    },
  };
}

function add(counters: Map<string, number>, key: string, amount: number): void {
  counters.set(key, (counters.get(key) ?? 0) + amount);
}

function family(name: keyof typeof texts, counters: ReadonlyMap<string, number>): string[] {
  const [type, help] = texts[name];
  return [
    `# HELP ${name} [STABLE] ${help}`,
    `# TYPE ${name} ${type}`,
    ...[...counters]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${name}${key} ${value}`),
  ];
}

function common(entry: JournalEntry): Record<string, string> {
  const { group = "", version = "", resource = "", subresource = "" } = entry;
  return {
    component: "apiserver",
    group,
    resource,
    scope: scopeOf(entry),
    subresource,
    verb: verbOf(entry),
    version,
  };
}

function labels(values: Readonly<Record<string, string>>): string {
  const parts = Object.keys(values)
    .sort()
    .map((key) => `${key}=${JSON.stringify(values[key])}`);
  return `{${parts.join(",")}}`;
}

const upperVerbs: Readonly<Record<string, string>> = { create: "POST", update: "PUT" };
const connecting: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

function verbOf({ verb, subresource }: JournalEntry): string {
  return connecting.has(subresource ?? "") ? "CONNECT" : (upperVerbs[verb] ?? verb.toUpperCase());
}

function scopeOf({ resource, name, namespace }: JournalEntry): string {
  if (resource === undefined) {
    return "";
  }
  return name !== undefined ? "resource" : namespace !== undefined ? "namespace" : "cluster";
}

function dryRunOf({ path }: JournalEntry): string {
  return /[?&]dryRun=All(?:&|$)/.test(path) ? "All" : "";
}
