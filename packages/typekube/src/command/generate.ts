import { join, resolve } from "node:path";
import { KubeError } from "@typekube/core";
import type { Generated, SourcesRead } from "@typekube/crd/generate";
import type { CommandIo } from "./command-io.js";
import { configName, readGenerateConfig } from "./generate-config.js";
import { exit } from "./generate-exit.js";
import { readInputs } from "./generate-inputs.js";
import {
  type GenerateArguments,
  type GenerateCommandOptions,
  mergeGenerateOptions,
  readGenerateArguments,
} from "./generate-options.js";
import { compareFolder, writeFiles } from "./generate-output.js";
import { ownVersion } from "./own-version.js";

const usage = `Usage: typekube generate [INPUT...] [options]

Generates types and descriptors of custom resources: one module for each group-version.

Inputs:
  FILE, FOLDER           CustomResourceDefinitions in YAML or JSON; --from FILE does the same
  -                      standard input, such as the output of helm template
  --cluster              the custom resources and aggregated APIs of a cluster
  --kubeconfig FILE      default: as kubectl
  --context NAME         default: the current one

Options:
  -o, --out FOLDER       default: generated
  --group GROUP          only kinds of this group; may be repeated
  --kind KIND            only this kind; may be repeated
  --all                  also the kinds that typekube/api has
  --unserved             also versions that servers do not serve
  --int64 number|bigint  type of integers of 64 bits; default: number
  --schemas json|zod     also JSON Schema files for editors, or schemas of zod, and the definitions for typekube check
  --watch                with --cluster: generate again whenever a definition changes, until Ctrl+C
  --check                write nothing; exit with 1 if files would change
  --compare OLD          write nothing; list what the inputs removed or narrowed since these definitions, or since a
                         folder that was generated with --schemas
  --config FILE          default: ${configName}, if the folder has it

Exit codes: 0; 1 some inputs failed, files differ (--check) or something was removed or narrowed (--compare); 2 invalid
command line or configuration; 3 the cluster cannot be reached.
`;

/**
 * Generates types from clusters and files.
 *
 * @returns the exit code.
 */
export async function generateTypes(args: readonly string[], io: CommandIo): Promise<number> {
  let call: GenerateCall;
  try {
    const given = readGenerateArguments(args);
    if (given.isHelp) {
      io.write(usage);
      return exit.done;
    }
    call = await callOf(given, io.folder);
  } catch (error) {
    io.writeError(`typekube generate: ${(error as Error).message}\n\n${usage}`);
    return exit.usage;
  }
  if (!call.watch) {
    return generateOnce(call, io);
  }
  try {
    const { watchDefinitions } = await import("./generate-watch.js");
    return await watchDefinitions(call.options, io, () => generateOnce(call, io));
  } catch (error) {
    io.writeError(`typekube generate: cannot watch the cluster: ${reasonOf(error)}\n`);
    return exit.unreachable;
  }
}

async function generateOnce(call: GenerateCall, io: CommandIo): Promise<number> {
  let inputs: SourcesRead[];
  try {
    inputs = call.options.cluster ? [await readFromCluster(call.options)] : [];
  } catch (error) {
    io.writeError(`typekube generate: cannot read the cluster: ${reasonOf(error)}\n`);
    return exit.unreachable;
  }
  inputs.push(await readFromFiles(call.options.from, call.inputFolder, io));
  const generated = await generateFrom(inputs, call.options);
  for (const note of generated.notes) {
    io.writeError(`typekube generate: ${note}\n`);
  }
  for (const { place, message } of generated.problems) {
    io.writeError(`typekube generate: ${place}: ${message}\n`);
  }
  const hasFailed = generated.problems.length > 0;
  try {
    const code =
      call.compare === undefined
        ? await reportFiles(generated, call, io)
        : await reportChanges(generated, call.compare, call.options, io);
    return hasFailed ? exit.failed : code;
  } catch (error) {
    io.writeError(`typekube generate: ${(error as Error).message}\n`);
    return exit.failed;
  }
}

/** A call with everything that the configuration adds to it. */
interface GenerateCall {
  readonly options: GenerateCommandOptions;
  readonly check: boolean;
  readonly watch: boolean;
  readonly compare: string | undefined;
  /** Folder to which the inputs are relative. */
  readonly inputFolder: string;
  /** Absolute path of the folder of the files. */
  readonly outFolder: string;
}

async function callOf(
  { given, check, watch, compare, config }: GenerateArguments,
  folder: string,
): Promise<GenerateCall> {
  const read = await readGenerateConfig(folder, config);
  const { kubeconfig } = read.options;
  const configured =
    typeof kubeconfig === "string"
      ? { ...read.options, kubeconfig: resolve(read.folder, kubeconfig) }
      : read.options;
  const options = mergeGenerateOptions(given, configured);
  assertComparesOnly({ compare, check, watch, out: given["out"] !== undefined });
  if (watch && (!options.cluster || check || options.from.includes("-"))) {
    throw new Error(
      "--watch generates from a cluster: pass --cluster, without --check, --compare and standard input",
    );
  }
  return {
    options,
    check,
    watch,
    compare,
    inputFolder: given["from"] === undefined ? read.folder : folder,
    outFolder: resolve(given["out"] === undefined ? read.folder : folder, options.out),
  };
}

/** A comparison neither writes files nor looks at them. */
function assertComparesOnly({
  compare,
  ...others
}: Pick<GenerateCall, "check" | "compare" | "watch"> & { readonly out: boolean }): void {
  if (compare === "") {
    throw new Error("--compare needs a file or folder with the old definitions");
  }
  const [other] = Object.entries(others).find(([, isGiven]) => isGiven) ?? [];
  if (compare !== undefined && other !== undefined) {
    throw new Error(`--compare writes nothing: leave --${other} out`);
  }
}

async function readFromCluster({
  context,
  kubeconfig,
  all,
  group,
}: GenerateCommandOptions): Promise<SourcesRead> {
  const [{ ClientCore, clientSettings }, { readCluster }] = await Promise.all([
    import("@typekube/client"),
    import("@typekube/crd/generate"),
  ]);
  await using client = new ClientCore(await clientSettings({ kubeconfig, context }));
  return await readCluster(client, { all, groups: group });
}

async function readFromFiles(
  from: readonly string[],
  folder: string,
  io: CommandIo,
): Promise<SourcesRead> {
  const { readDefinitions } = await import("@typekube/crd/generate");
  const { texts, problems } = await readInputs(from, folder, io.input ?? process.stdin);
  const read = await readDefinitions(texts);
  return { ...read, problems: [...problems, ...read.problems] };
}

async function generateFrom(
  inputs: readonly SourcesRead[],
  { group, kind, all, unserved, int64, schemas }: GenerateCommandOptions,
): Promise<Generated> {
  const { generate } = await import("@typekube/crd/generate");
  const generator = `typekube generate ${ownVersion()}`;
  return generate(inputs, { groups: group, kinds: kind, all, unserved, int64, schemas, generator });
}

/** Writes the files, or only compares them, and reports on them. */
async function reportFiles(
  generated: Generated,
  { options, outFolder, check }: GenerateCall,
  io: CommandIo,
): Promise<number> {
  const { files, kinds, skipped } = generated;
  const { missing, changed, stale, foreign } = await compareFolder(outFolder, files);
  const shown = (path: string) => join(options.out, path);
  if (!check) {
    await writeFiles(outFolder, files, [...missing, ...changed]);
  }
  const rows = [
    ...missing.map((path) => `${check ? "missing" : "created"} ${shown(path)}`),
    ...changed.map((path) => `${check ? "differs" : "updated"} ${shown(path)}`),
    ...stale.map((path) => `no longer generated, remove it: ${shown(path)}`),
  ];
  for (const path of foreign) {
    io.writeError(`typekube generate: ${shown(path)} was not generated, and is not overwritten\n`);
  }
  const others = [...skipped].map(([kind, count]) => `${count} ${kind}`).sort();
  const summary =
    `${counted(kinds.length, "kind")} in ${counted(files.size, "file")}` +
    `${others.length === 0 ? "" : `; skipped documents that are not definitions: ${others.join(", ")}`}`;
  io.write(`${[...rows, summary].join("\n")}\n`);
  return foreign.length > 0 || (check && rows.length > 0) ? exit.failed : exit.done;
}

/** Reports what the inputs removed or narrowed since old definitions. */
async function reportChanges(
  generated: Generated,
  old: string,
  options: GenerateCommandOptions,
  io: CommandIo,
): Promise<number> {
  const { compareKinds } = await import("@typekube/crd/generate");
  const read = await readFromFiles([old], io.folder, io);
  for (const { place, message } of read.problems) {
    io.writeError(`typekube generate: ${place}: ${message}\n`);
  }
  if (read.sources.length === 0) {
    io.writeError(
      `typekube generate: ${old} has no CustomResourceDefinitions: pass old definitions, or a folder that was generated with --schemas json or zod; types alone hold no schemas\n`,
    );
    return exit.failed;
  }
  const before = await generateFrom([read], options);
  const changes = compareKinds(before.kinds, generated.kinds);
  const rows = changes.map(
    ({ apiVersion, kind, path, change }) =>
      `${apiVersion} ${kind}${path === "" ? "" : ` ${path}`}: ${change}`,
  );
  io.write(
    `${[...rows, changes.length === 0 ? "nothing was removed or narrowed" : counted(changes.length, "change")].join("\n")}\n`,
  );
  return changes.length > 0 || read.problems.length > 0 ? exit.failed : exit.done;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function reasonOf(error: unknown): string {
  const { rawMessage, hint } = KubeError.from(error);
  return hint === undefined ? rawMessage : `${rawMessage}: ${hint}`;
}
