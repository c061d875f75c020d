import type { Live } from "@typekube/api";
import { Job } from "@typekube/api/batch/v1";
import { Pod } from "@typekube/api/core/v1";
import type { ClientCore } from "@typekube/client";
import { contextOf, loadLogs, resourceOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { assertOptions, flag, integerFrom, type OptionTable, oneOf } from "@typekube/core/internal";
import { createInformer, objectKey, waitFor } from "@typekube/informer";
import { ContainerLogs, type ContainerLogsSettings } from "./container-logs.js";
import { LogMerger } from "./log-merger.js";
import {
  defaultMaxLogs,
  type MergedLogEvent,
  type MergedLogLine,
  type MergedLogOptions,
} from "./merged-log-options.js";
import { isWorkload, type LogWorkload, type PodSelection, podSelection } from "./pod-selection.js";

type Options = MergedLogOptions & { readonly events?: boolean | undefined };

/** Reads or follows the logs of many pods. Yields batches, as they arrive. */
export async function* mergedLogs(
  client: ClientCore,
  of: LogWorkload | PodSelection,
  given: Options,
  signal: AbortSignal,
): AsyncGenerator<readonly (MergedLogEvent | MergedLogLine)[], void, undefined> {
  const parts = await loadLogs();
  assertMergedOptions(given, parts);
  const selection = podSelection(of);
  const options = { ...given, signal };
  const { follow = false, order = "arrival", maxLogs = defaultMaxLogs } = options;
  const { clock } = contextOf(client);
  const timeOf = (event: MergedLogEvent) => (event.type === "line" ? event.time : "");
  const merger = new LogMerger<MergedLogEvent>({ order, isEndless: follow, clock, timeOf });
  const settings = { client, parts, options, maxLogs, merger, signal };
  let stop = async () => {};
  try {
    if (follow) {
      stop = followPods(settings, of, selection);
    } else {
      await readPods(settings, selection);
    }
    for await (const batch of merger.batches()) {
      yield given.events ? batch : linesOf(settings, batch);
    }
  } finally {
    await Promise.all([merger.close(), stop()]);
  }
}

type Settings = Omit<ContainerLogsSettings, "podNamed">;

/** Reads the logs of the pods that there are. */
async function readPods(settings: Settings, selection: PodSelection): Promise<void> {
  const { client, merger, options, maxLogs, signal } = settings;
  const { namespace, ...selectors } = selection;
  const pods = new Map<string, Live<Pod>>();
  const all = resourceOf(contextOf(client), Pod, namespace);
  for await (const pod of all.items({ ...selectors, signal })) {
    pods.set(objectKey(pod), pod);
  }
  const podNamed = async (inNamespace: string, name: string) => pods.get(`${inNamespace}/${name}`);
  const logs = new ContainerLogs({ ...settings, podNamed });
  for (const pod of pods.values()) {
    logs.see(pod, true);
  }
  if (options.order === "time" && logs.waiting > 0) {
    throw new KubeError("InvalidArgument", `order: time needs more than ${maxLogs} logs at once`, {
      hint: "raise maxLogs, or select fewer pods",
    });
  }
  merger.seal();
}

/** Follows the logs of the pods that come and go. Returns the function that ends it. */
function followPods(
  settings: Settings,
  of: LogWorkload | PodSelection,
  selection: PodSelection,
): () => Promise<void> {
  const { client, merger, signal, options } = settings;
  const informer = createInformer(client, Pod, selection);
  const logs = new ContainerLogs({
    ...settings,
    podNamed: async (namespace, name) => informer.get(`${namespace}/${name}`),
  });
  informer.onChange({
    add: (pod, { initial }) => logs.see(pod, initial),
    update: (pod) => logs.see(pod, false),
    replaced(pod, previous) {
      logs.gone(previous);
      logs.see(pod, false);
    },
    delete: (pod) => logs.gone(pod),
    onError: (error) => merger.fail(error),
  });
  const started = async () => {
    await informer.synced({ signal });
    if (isWorkload(of) && of.kind === "Job") {
      await jobEnd(client, of, options);
      // The cache may not have all pods that the end of the Job counts.
      const { namespace = "", labelSelector } = selection;
      const { items } = await resourceOf(contextOf(client), Pod, namespace).list({
        labelSelector,
        signal,
      });
      for (const pod of items) {
        logs.see(pod, false);
      }
      merger.seal();
    }
  };
  started().catch((error: unknown) => merger.fail(error));
  return () => informer.close();
}

/** Resolves when a Job has succeeded or failed, or is gone. */
async function jobEnd(
  client: ClientCore,
  { metadata }: LogWorkload,
  { signal }: MergedLogOptions,
): Promise<void> {
  const { name = "", namespace = "" } = metadata ?? {};
  await waitFor(
    client,
    Job,
    name,
    (job) =>
      job === undefined ||
      (job.status?.conditions ?? []).some(
        ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
      ),
    { namespace, signal, timeoutMs: Number.POSITIVE_INFINITY },
  );
}

/** Returns the lines among events; what else matters becomes a warning. */
function linesOf(
  { client, parts, options }: Settings,
  events: readonly MergedLogEvent[],
): MergedLogLine[] {
  const lines: MergedLogLine[] = [];
  for (const event of events) {
    const { namespace, pod, container } = event;
    if (event.type === "line") {
      lines.push({ namespace, pod, container, time: event.time, text: event.text });
      continue;
    }
    const text = warningOf(event);
    if (text !== undefined) {
      const place = `${namespace}/${pod}, container ${container}`;
      parts.emitWarning(contextOf(client), options, `${place}: ${text}`);
    }
  }
  return lines;
}

function warningOf(event: MergedLogEvent): string | undefined {
  switch (event.type) {
    case "failed":
      return `the log could not be read: ${KubeError.from(event.error).message}`;
    case "gap":
      return `lines may be missing after ${event.after || "the beginning"}: ${event.reason}`;
    default:
      return undefined;
  }
}

function assertMergedOptions(
  options: Options,
  { logOptions, assertLogOptions }: Awaited<ReturnType<typeof loadLogs>>,
): void {
  const { grep, insecureSkipTLSVerifyBackend, onWarning, signal, since } = logOptions;
  const { sinceSeconds, sinceTime, tailLines, timeoutMs, container } = logOptions;
  const table: OptionTable<Options> = {
    container,
    events: flag,
    follow: flag,
    grep,
    insecureSkipTLSVerifyBackend,
    maxLogs: integerFrom(1),
    onWarning,
    order: oneOf("arrival", "time"),
    signal,
    since,
    sinceSeconds,
    sinceTime,
    tailLines,
    timeoutMs,
  };
  assertOptions("logs()", options, table);
  const { since: from, sinceSeconds: seconds, sinceTime: time } = options;
  assertLogOptions({ since: from, sinceSeconds: seconds, sinceTime: time });
}
