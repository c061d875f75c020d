import type { HttpResponse } from "@typekube/core/internal";
import type { JournalEntry } from "../journal/journal.js";
import { bytesResponse } from "../response/responses.js";

const contentType = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

const texts = {
  apiserver_request_total: [
    "counter",
    "Requests by verb, group, version, resource, scope and HTTP status.",
  ],
  apiserver_requested_deprecated_apis: ["gauge", "Deprecated APIs that have been requested."],
  apiserver_longrunning_requests: ["gauge", "Open watches and connections to containers."],
} as const;

/** Request metrics of the server in Prometheus format. */
export interface Metrics {
  /**
   * Counts a completed request.
   *
   * @param isDeprecated - `true` when the requested API is deprecated.
   */
  count(entry: JournalEntry, isDeprecated: boolean): void;
  /** Counts an open long-running request. Returns an idempotent function that ends it. */
  begin(entry: JournalEntry): () => void;
  response(): HttpResponse;
}

/** Creates the metrics of one server. */
export function createMetrics(): Metrics {
  const requests = createCounters("apiserver_request_total", ["code", "dry_run", ...commonLabels]);
  const deprecated = createCounters("apiserver_requested_deprecated_apis", deprecatedLabels);
  const running = createCounters("apiserver_longrunning_requests", commonLabels);
  return {
    count(entry, isDeprecated) {
      if (isDeprecated) {
        const { group = "", version = "", resource = "", subresource = "" } = entry;
        deprecated.mark([group, "", resource, subresource, version]);
      }
      requests.add([String(entry.status ?? 0), dryRunOf(entry), ...commonValues(entry)], 1);
    },
    begin(entry) {
      const values = commonValues(entry);
      let isOpen = true;
      running.add(values, 1);
      return () => {
        if (isOpen) {
          isOpen = false;
          running.add(values, -1);
        }
      };
    },
    response() {
      const text = [running, requests, deprecated].flatMap((counters) => counters.lines());
      return bytesResponse(200, contentType, Buffer.from(`${text.join("\n")}\n`, "utf8"));
    },
  };
}

interface Counters {
  /** @param values - label values, in the order of the label names. */
  add(values: readonly string[], amount: number): void;
  /** Sets the counter of these labels to 1, however often it is called. */
  mark(values: readonly string[]): void;
  /** Returns the lines in Prometheus text format. */
  lines(): string[];
}

/** Separates label values in the keys of counters. No label value contains it: all are names that the server knows. */
const separator = "\n";

function createCounters(name: keyof typeof texts, labels: readonly string[]): Counters {
  const [type, help] = texts[name];
  const counts = new Map<string, number>();
  const lineOf = (key: string, count: number) => {
    const values = key.split(separator);
    const pairs = labels.map((label, at) => `${label}=${JSON.stringify(values[at])}`).sort();
    return `${name}{${pairs.join(",")}} ${count}`;
  };
  return {
    add(values, amount) {
      const key = values.join(separator);
      counts.set(key, (counts.get(key) ?? 0) + amount);
    },
    mark(values) {
      counts.set(values.join(separator), 1);
    },
    lines: () => [
      `# HELP ${name} [STABLE] ${help}`,
      `# TYPE ${name} ${type}`,
      ...Array.from(counts, ([key, count]) => lineOf(key, count)).sort(),
    ],
  };
}

const deprecatedLabels = ["group", "removed_release", "resource", "subresource", "version"];

const commonLabels = ["component", "group", "resource", "scope", "subresource", "verb", "version"];

function commonValues(entry: JournalEntry): string[] {
  const { group = "", version = "", resource = "", subresource = "" } = entry;
  return ["apiserver", group, resource, scopeOf(entry), subresource, verbOf(entry), version];
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
  return path.includes("?") && /[?&]dryRun=All(?:&|$)/.test(path) ? "All" : "";
}
