import { parseArgs } from "node:util";
import type { ClientCore } from "@typekube/client";
import type { CommandIo } from "./command-io.js";
import { formatDuration, readDuration } from "./duration-argument.js";
import { textTable } from "./text-table.js";
import { findWaitingObjects, type WaitingObject } from "./waiting-objects.js";

const usage = `Usage: typekube finalizers [options]

Lists the objects of a cluster that wait for their deletion, with the finalizers that hold them and the programs that
set these.

Options:
  --stuck                    only objects that have waited for an hour
  --older-than DURATION      only objects that have waited for this time: 90s, 30m, 1h30m, 2d
  -n, --namespace NAMESPACE  only objects of this namespace; default: of all, and cluster-wide ones
  -o, --output json|table    default: table
  --kubeconfig FILE          default: as kubectl
  --context NAME             default: the current one
`;

/** Milliseconds after which a deletion counts as stuck: that of the metric `typekube_finalizer_stuck_objects`. */
const stuckAfterMs = 3_600_000;

/**
 * Prints the objects that wait for their deletion.
 *
 * @returns the exit code: 2 for an invalid command line, 1 when the cluster or some resources could not be read.
 */
export async function printFinalizers(args: readonly string[], io: CommandIo): Promise<number> {
  let options: FinalizersOptions;
  try {
    options = readOptions(args);
  } catch (error) {
    io.writeError(`typekube finalizers: ${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  if (options.isHelp) {
    io.write(usage);
    return 0;
  }
  try {
    const { ClientCore, clientSettings } = await import("@typekube/client");
    const { kubeconfig, context } = options;
    await using client = new ClientCore(await clientSettings({ kubeconfig, context }));
    return await printWaiting(client, options, io);
  } catch (error) {
    io.writeError(`typekube finalizers: ${(error as Error).message}\n`);
    return 1;
  }
}

async function printWaiting(
  client: ClientCore,
  { namespace, olderThanMs, isJson }: FinalizersOptions,
  io: CommandIo,
): Promise<number> {
  let exitCode = 0;
  const objects = await findWaitingObjects(client, {
    namespace,
    olderThanMs,
    now: Date.now(),
    onError(resource, error) {
      exitCode = 1;
      io.writeError(`typekube finalizers: cannot list ${resource}: ${(error as Error).message}\n`);
    },
  });
  if (isJson) {
    io.write(`${JSON.stringify(objects, null, 2)}\n`);
  } else if (objects.length > 0) {
    io.write(textTable([titles, ...objects.flatMap(rowsOf)]));
  } else {
    io.writeError("no objects wait for their deletion\n");
  }
  return exitCode;
}

const titles = ["NAMESPACE", "KIND", "NAME", "WAITING", "FINALIZER", "SET BY"];

/** Returns a row for each finalizer of an object. */
function rowsOf({
  namespace = "",
  apiVersion,
  kind,
  name,
  waitingMs,
  finalizers,
}: WaitingObject): string[][] {
  const group = apiVersion.includes("/") ? `.${apiVersion.slice(0, apiVersion.indexOf("/"))}` : "";
  const place = [namespace, `${kind}${group}`, name, formatDuration(waitingMs)];
  return finalizers.length === 0
    ? [[...place, "", ""]]
    : finalizers.map((one) => [...place, one.name, one.managers.join(", ")]);
}

interface FinalizersOptions {
  readonly isHelp: boolean;
  readonly isJson: boolean;
  readonly olderThanMs: number;
  readonly namespace: string | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

function readOptions(args: readonly string[]): FinalizersOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      context: { type: "string" },
      help: { type: "boolean", short: "h" },
      kubeconfig: { type: "string" },
      namespace: { type: "string", short: "n" },
      "older-than": { type: "string" },
      output: { type: "string", short: "o" },
      stuck: { type: "boolean" },
    },
  });
  const { output = "table", stuck = false, namespace, kubeconfig, context } = values;
  const olderThan = values["older-than"];
  if (output !== "json" && output !== "table") {
    throw new Error(`--output is json or table, not "${output}"`);
  }
  return {
    isHelp: values.help === true,
    isJson: output === "json",
    olderThanMs: olderThan === undefined ? (stuck ? stuckAfterMs : 0) : readDuration(olderThan),
    namespace,
    kubeconfig,
    context,
  };
}
