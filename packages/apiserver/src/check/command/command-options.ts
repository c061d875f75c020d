import { parseArgs } from "node:util";
import { checkedVersions } from "../options/check-options.js";
import { type ReportFormat, reportFormats } from "../report/create-report.js";

/** Error in the command line or the configuration. */
export class UsageProblem extends Error {
  override readonly name = "UsageProblem";
}

/** A report and where it goes. */
export interface OutputOption {
  readonly format: ReportFormat;
  /** File; absent for standard output. */
  readonly file: string | undefined;
}

/** Parsed options of `typekube check`. */
export interface CommandOptions {
  readonly paths: readonly string[];
  readonly versions: readonly string[] | undefined;
  readonly crds: readonly string[];
  readonly policies: readonly string[];
  readonly against: string | undefined;
  /** File of the snapshot of a cluster. */
  readonly snapshot: string | undefined;
  /** Writes the snapshot first. */
  readonly fromCluster: boolean;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly namespace: string | undefined;
  readonly podSecurity: string | undefined;
  readonly references: boolean | undefined;
  readonly allowUnknown: readonly string[];
  readonly skipNonManifests: boolean | undefined;
  readonly ignore: readonly string[];
  readonly redact: readonly string[];
  readonly outputs: readonly OutputOption[];
  /** Rewrites versions in the files before they are checked. */
  readonly fix: boolean;
  /** Files with deprecations of one's own. */
  readonly lifecycle: readonly string[];
  readonly explainCoverage: boolean;
  readonly failOn: "error" | "warning" | undefined;
  readonly maxWarnings: number | undefined;
  /** Path of the configuration; `false` for none, `undefined` for the nearest. */
  readonly config: string | false | undefined;
}

/**
 * Parses the arguments; `undefined` for `--help`.
 *
 * @throws {UsageProblem} for unknown options and invalid values.
 */
export function readCommandOptions(args: readonly string[]): CommandOptions | undefined {
  const { values, positionals } = parse(args);
  if (values.help) {
    return undefined;
  }
  return {
    paths: positionals,
    versions: values.version === undefined ? undefined : readVersions(values.version.join(",")),
    crds: values.crds ?? [],
    policies: values.policies ?? [],
    against: values.against,
    snapshot: values.snapshot,
    fromCluster: values["from-cluster"] ?? false,
    kubeconfig: values.kubeconfig,
    context: values.context,
    namespace: values.namespace,
    podSecurity: oneOf("--pod-security", values["pod-security"], [
      "baseline",
      "privileged",
      "restricted",
    ]),
    references: values.references,
    allowUnknown: values["allow-unknown"] ?? [],
    skipNonManifests: values["skip-non-manifests"],
    ignore: values.ignore ?? [],
    redact: values.redact ?? [],
    outputs: (values.output ?? ["text"]).map(readOutput),
    fix: values.fix ?? false,
    lifecycle: values.lifecycle ?? [],
    explainCoverage: values["explain-coverage"] ?? false,
    failOn: oneOf("--fail-on", values["fail-on"], ["error", "warning"] as const),
    maxWarnings: numberOf("--max-warnings", values["max-warnings"]),
    config: values["no-config"] ? false : values.config,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        version: { type: "string", multiple: true },
        crds: { type: "string", multiple: true },
        policies: { type: "string", multiple: true },
        against: { type: "string" },
        snapshot: { type: "string" },
        "from-cluster": { type: "boolean" },
        kubeconfig: { type: "string" },
        context: { type: "string" },
        namespace: { type: "string", short: "n" },
        "pod-security": { type: "string" },
        references: { type: "boolean" },
        "allow-unknown": { type: "string", multiple: true },
        "skip-non-manifests": { type: "boolean" },
        ignore: { type: "string", multiple: true },
        redact: { type: "string", multiple: true },
        output: { type: "string", multiple: true, short: "o" },
        fix: { type: "boolean" },
        lifecycle: { type: "string", multiple: true },
        "explain-coverage": { type: "boolean" },
        "fail-on": { type: "string" },
        "max-warnings": { type: "string" },
        config: { type: "string" },
        "no-config": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageProblem((error as Error).message.split(". ")[0]);
  }
}

/**
 * Reads releases: one, several with commas, or a range `1.33..1.37`.
 *
 * @throws {UsageProblem} for other releases than those that can be checked.
 */
export function readVersions(text: string): string[] {
  return text.split(",").flatMap((part) => {
    const [first = "", last = first] = part.trim().replaceAll("v", "").split("..");
    const [from, to] = [checkedVersions.indexOf(first), checkedVersions.indexOf(last)];
    if (from < 0 || to < from) {
      const known = `${checkedVersions[0]} to ${checkedVersions.at(-1)}`;
      throw new UsageProblem(`--version ${part}: the schemas of ${known} are included, no others`);
    }
    return checkedVersions.slice(from, to + 1);
  });
}

function readOutput(text: string): OutputOption {
  const [format = "", ...rest] = text.split("=");
  const file = rest.join("=");
  if (!reportFormats.includes(format)) {
    throw new UsageProblem(`--output ${text}: expected one of ${reportFormats.join(", ")}`);
  }
  return { format: format as ReportFormat, file: file === "" ? undefined : file };
}

function oneOf<T extends string>(
  option: string,
  value: string | undefined,
  words: readonly T[],
): T | undefined {
  const found = words.find((word) => word === value);
  if (value !== undefined && found === undefined) {
    throw new UsageProblem(`${option} ${value}: expected one of ${words.join(", ")}`);
  }
  return found;
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d{1,9}$/.test(text)) {
    throw new UsageProblem(`${option} ${text}: expected a number`);
  }
  return text === undefined ? undefined : Number(text);
}
