import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { KubeError } from "@typekube/core";
import { hintFor } from "../../server/read-definitions.js";
import { type CheckStream, checkEach } from "../check.js";
import { coverageText } from "../kind-coverage/coverage-text.js";
import { kindCoverage } from "../kind-coverage/kind-coverage.js";
import type { CheckFile, CheckText } from "../options/check-input.js";
import type { CheckOptions } from "../options/check-options.js";
import { type CustomLifecycles, parseLifecycles } from "../options/custom-lifecycle.js";
import { createReport } from "../report/create-report.js";
import type { ReportWriter } from "../report/report-format.js";
import { type ClusterSnapshot, snapshotMark } from "../snapshot/cluster-snapshot.js";
import {
  type CommandOptions,
  type OutputOption,
  readCommandOptions,
  readVersions,
  UsageProblem,
} from "./command-options.js";
import { type CheckConfig, type FoundConfig, readConfig } from "./config-file.js";
import { findFiles } from "./find-files.js";
import { fixFiles } from "./fix-files.js";
import { readGitFolder } from "./read-git-folder.js";
import { decodeText, readTextFile } from "./read-text-file.js";
import { refuseOverwriting } from "./refuse-overwriting.js";
import { readSnapshotFile, writeSnapshotFile } from "./snapshot-file.js";
import { checkUsage } from "./usage.js";

/** Environment in which the command runs. */
export interface CheckIo {
  /** Folder to which paths are relative. */
  readonly folder: string;
  write(text: string): void;
  writeError(text: string): void;
  /** Reads standard input. Default: that of the process. */
  readonly readInput?: (() => Promise<Buffer>) | undefined;
  /** `true` for colours. Default: when standard output is a terminal and NO_COLOR is not set. */
  readonly color?: boolean | undefined;
}

/**
 * Runs the command `typekube check`.
 *
 * @returns the exit code: 0 no errors, 1 errors, 2 invalid command line or nothing to check, 3 the check itself failed.
 */
export async function checkCommand(args: readonly string[], io: CheckIo): Promise<number> {
  try {
    const options = readCommandOptions(args);
    if (options === undefined) {
      io.write(checkUsage);
      return 0;
    }
    return await (options.explainCoverage ? explainCoverage(options, io) : run(options, io));
  } catch (error) {
    if (error instanceof UsageProblem) {
      io.writeError(`typekube check: ${error.message}\ntypekube check --help lists the options\n`);
      return 2;
    }
    const { code, rawMessage, hint } = KubeError.from(error);
    io.writeError(`typekube check: ${rawMessage}${hint === undefined ? "" : `: ${hint}`}\n`);
    return code === "InvalidArgument" ? 2 : 3;
  }
}

async function explainCoverage({ versions }: CommandOptions, io: CheckIo): Promise<number> {
  for (const version of versions ?? ["1.37"]) {
    io.write(coverageText(version, await kindCoverage(version)));
  }
  return 0;
}

async function run(options: CommandOptions, io: CheckIo): Promise<number> {
  if (options.paths.length === 0 && !options.fromCluster) {
    throw new UsageProblem(
      "nothing to check: name files, folders, patterns, or - for standard input",
    );
  }
  const found = await readConfig(io.folder, options.config);
  const { config } = found;
  const file = snapshotPath(io, options, found);
  const ignore = [...options.ignore, ...(config.ignore ?? [])];
  const isOwn = (path: string) => path === file || path === found.path;
  const sources = (await sourcesOf(io, options.paths, ignore)).filter(
    ({ name }) => name === "-" || !isOwn(resolve(io.folder, name)),
  );
  await refuseOverwriting(io.folder, options.outputs, [
    ...sources.flatMap(({ name }) => (name === "-" ? [] : resolve(io.folder, name))),
    ...[file, found.path].filter((path) => path !== undefined),
  ]);
  const snapshot = await snapshotOf(file, options, io);
  if (options.paths.length === 0) {
    return 0;
  }
  if (sources.length === 0) {
    throw new UsageProblem(`nothing to check: ${options.paths.join(", ")} has no manifests`);
  }
  const given = { ...(await checkOptions(io, options, found)), snapshot };
  if (options.fix) {
    for (const { place, message, isFixed } of await fixFiles(io.folder, sources, given)) {
      io.writeError(`${isFixed ? "fixed" : "not fixed"} ${place} ${message}\n`);
    }
  }
  const stream = checkEach(sources, given);
  const failed = await report(stream, options.outputs, io);
  const { summary } = stream;
  if (summary.checked + summary.skipped === 0) {
    io.writeError("typekube check: nothing to check: the files hold no manifests\n");
    return 2;
  }
  return failed ? 3 : exitCode(summary, options, config);
}

/** Returns the absolute path of the snapshot. */
function snapshotPath(
  { folder }: CheckIo,
  { snapshot, fromCluster }: CommandOptions,
  { config, folder: configFolder }: FoundConfig,
): string | undefined {
  if (snapshot !== undefined) {
    return resolve(folder, snapshot);
  }
  if (config.snapshot === undefined && fromCluster) {
    throw new UsageProblem("--from-cluster writes a snapshot: name its file with --snapshot FILE");
  }
  return config.snapshot && resolve(configFolder, config.snapshot);
}

async function snapshotOf(
  file: string | undefined,
  options: CommandOptions,
  io: CheckIo,
): Promise<ClusterSnapshot | undefined> {
  if (file === undefined || !options.fromCluster) {
    return file === undefined ? undefined : readSnapshotFile(file);
  }
  const snapshot = await writeSnapshotFile(file, options);
  const { version, objects, notes } = snapshot;
  for (const note of notes) {
    io.writeError(`typekube check: ${note}\n`);
  }
  io.writeError(
    `typekube check: wrote ${file}: Kubernetes ${version}, ${objects.length} definitions, policies, params and namespaces\n`,
  );
  return snapshot;
}

function exitCode(
  { errors, warnings }: { readonly errors: number; readonly warnings: number },
  options: CommandOptions,
  config: CheckConfig,
): number {
  const failOn = options.failOn ?? config.failOn ?? "error";
  const most = options.maxWarnings ?? config.maxWarnings ?? (failOn === "warning" ? 0 : Infinity);
  return errors > 0 || warnings > most ? 1 : 0;
}

/** Writes the reports. Returns true when the check itself failed for an object. */
async function report(
  stream: CheckStream,
  outputs: readonly OutputOption[],
  io: CheckIo,
): Promise<boolean> {
  const writers = outputs.map(({ format, file }) => {
    const color = file === undefined && (io.color ?? isColorful());
    const writer = createReport(format, { color });
    const parts: string[] = [];
    const write =
      file === undefined ? (text: string) => io.write(text) : (text: string) => parts.push(text);
    return { writer, file, parts, write };
  });
  const writeAll = (textOf: (writer: ReportWriter) => string) => {
    for (const { writer, write } of writers) {
      const text = textOf(writer);
      if (text !== "") {
        write(text);
      }
    }
  };
  let hasFailed = false;
  writeAll((writer) => writer.begin());
  for await (const result of stream) {
    hasFailed ||= result.findings.some(({ rule }) => rule === "check-failed");
    writeAll((writer) => writer.result(result));
  }
  writeAll((writer) => writer.end(stream));
  for (const { file, parts } of writers) {
    if (file !== undefined) {
      const path = resolve(io.folder, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, parts.join(""));
    }
  }
  return hasFailed;
}

function isColorful(): boolean {
  return process.stdout.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";
}

async function sourcesOf(
  io: CheckIo,
  paths: readonly string[],
  ignore: readonly string[],
): Promise<readonly (CheckFile | CheckText)[]> {
  const files = paths.filter((path) => path !== "-");
  const sources: (CheckFile | CheckText)[] = (await findFiles(io.folder, files, ignore)).map(
    (name) => ({
      name,
      read: async () => {
        const text = await readNamed(io.folder, name);
        // A snapshot holds no manifests to check, also when this check does not use it.
        return text.startsWith(snapshotMark) ? "" : text;
      },
    }),
  );
  if (paths.includes("-")) {
    sources.unshift({ name: "-", text: decodeText(await (io.readInput ?? readStdin)()) });
  }
  return sources;
}

async function readNamed(folder: string, name: string): Promise<string> {
  try {
    return await readTextFile(resolve(folder, name));
  } catch (error) {
    throw new UsageProblem(`${name} cannot be read: ${(error as Error).message}`);
  }
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function checkOptions(
  io: CheckIo,
  options: CommandOptions,
  { config, folder }: FoundConfig,
): Promise<CheckOptions> {
  const { rules, overrides } = config;
  const version = options.versions ?? readConfigVersions(config);
  const podSecurity = options.podSecurity ?? config.podSecurity;
  return {
    version,
    crds: [
      ...(await filesWithDefinitions(io.folder, options.crds)),
      ...(await filesWithDefinitions(folder, config.crds)),
    ],
    policies: await filesOfBoth(io.folder, options.policies, folder, config.policies),
    ...(options.against === undefined
      ? {}
      : { against: await againstOf(io.folder, options.against) }),
    lifecycle: {
      ...(await lifecyclesOf(folder, config.lifecycle)),
      ...(await lifecyclesOf(io.folder, options.lifecycle)),
    },
    allowUnknown: [...options.allowUnknown, ...(config.allowUnknown ?? [])],
    skipNonManifests: options.skipNonManifests ?? config.skipNonManifests,
    references: options.references ?? config.references,
    podSecurity: podSecurity as CheckOptions["podSecurity"],
    namespace: options.namespace ?? config.namespace,
    redact: [...options.redact, ...(config.redact ?? [])],
    rules,
    overrides,
  };
}

async function lifecyclesOf(
  folder: string,
  files: readonly string[] = [],
): Promise<CustomLifecycles> {
  const all: CustomLifecycles[] = [];
  for (const file of files) {
    all.push(parseLifecycles(await readNamed(folder, file), file));
  }
  return Object.assign({}, ...all) as CustomLifecycles;
}

function readConfigVersions({ version }: CheckConfig): readonly string[] | undefined {
  return version === undefined ? undefined : readVersions([version].flat().join(","));
}

async function filesOfBoth(
  folder: string,
  paths: readonly string[],
  configFolder: string,
  configured: readonly string[] = [],
): Promise<readonly CheckFile[]> {
  const own = await findFiles(folder, paths);
  const others = await findFiles(configFolder, configured);
  return [
    ...own.map((name) => ({ name, read: () => readNamed(folder, name) })),
    ...others.map((name) => ({ name, read: () => readNamed(configFolder, name) })),
  ];
}

/**
 * Returns the files of paths with definitions.
 *
 * @throws {UsageProblem} for a folder without any: its kinds would be unknown.
 */
async function filesWithDefinitions(
  folder: string,
  paths: readonly string[] = [],
): Promise<readonly CheckFile[]> {
  const found: CheckFile[] = [];
  for (const path of paths) {
    const files = await findFiles(folder, [path]);
    if (files.length === 0 || (await hasNoDefinition(folder, files))) {
      const hint = await hintFor(resolve(folder, path));
      throw new UsageProblem(
        `--crds ${path} has no CustomResourceDefinitions${hint === undefined ? "" : `: ${hint}`}`,
      );
    }
    found.push(...files.map((name) => ({ name, read: () => readNamed(folder, name) })));
  }
  return found;
}

async function hasNoDefinition(folder: string, files: readonly string[]): Promise<boolean> {
  for (const name of files) {
    if ((await readNamed(folder, name)).includes("CustomResourceDefinition")) {
      return false;
    }
  }
  return true;
}

async function againstOf(
  folder: string,
  against: string,
): Promise<readonly (CheckFile | CheckText)[]> {
  return against.startsWith("git:")
    ? readGitFolder(folder, against.slice("git:".length), [])
    : filesOfBoth(folder, [against], folder);
}
