import { parseArgs } from "node:util";

/** Parsed options of `typekube serve`. */
export interface ServeOptions {
  readonly port: number;
  /** File or folder with manifests. */
  readonly load: string | undefined;
  /** Path of the kubeconfig; absent for a temporary file, which is removed when the server ends. */
  readonly kubeconfig: string | undefined;
  /** Folder to which objects are written when the server ends. */
  readonly save: string | undefined;
  readonly rbac: boolean;
  /** `true` to run the Kubernetes controllers. */
  readonly controllers: boolean;
  /** `true` to run pods on a node; `false` leaves them Pending. */
  readonly runsPods: boolean;
  readonly version: string;
  readonly seed: number;
}

/** Releases that the embedded server can emulate (docs/embedded-server.md, "Releases"). */
const versions = ["1.33", "1.34", "1.35", "1.36", "1.37"];

/** Output of `--help`. */
export const serveUsage: string = `Usage: typekube serve [options]

Starts a Kubernetes API server in memory, for demos and tests. It listens on this computer only.

Options:
  --port N           the port; default: a free one
  --load PATH        apply the manifests of a file or of all .yaml, .yml and .json files below a folder
  --save DIR         on Ctrl+C, write each object as YAML into the folder; --load DIR reads it again
  --kubeconfig FILE  write the kubeconfig there (context "typekube"); default: a temporary file
  --rbac             authorize by roles and bindings; default: the token allows everything
  --controllers      run controllers (garbage collection, Deployments, Jobs ...)
  --no-node          leave pods Pending; default: the node node-1 runs them, with containers simulated in memory
  --version 1.N      the Kubernetes version to emulate, ${versions[0]} to ${versions.at(-1)}; default: 1.37
  --seed N           seed of the generated names and UIDs; default: 1
  --help             show this text
`;

/** Error in the command line. */
export class UsageProblem extends Error {
  override readonly name = "UsageProblem";
}

/**
 * Parses the arguments; `undefined` for `--help`.
 *
 * @throws {UsageProblem} for unknown options and invalid values.
 */
export function readServeOptions(args: readonly string[]): ServeOptions | undefined {
  const { values } = parse(args);
  if (values.help) {
    return undefined;
  }
  const { load, save, kubeconfig, rbac = false, controllers = false, version = "1.37" } = values;
  const runsPods = values["no-node"] !== true;
  if (!versions.includes(version)) {
    throw new UsageProblem(`--version ${version}: expected one of ${versions.join(", ")}`);
  }
  return {
    port: numberOf("--port", values.port ?? "0", 65_535),
    load,
    save,
    kubeconfig,
    rbac,
    controllers,
    runsPods,
    version,
    seed: numberOf("--seed", values.seed ?? "1", 0xffff_ffff),
  };
}

function parse(args: readonly string[]): ReturnType<typeof parseWords> {
  try {
    return parseWords(args);
  } catch (error) {
    // Drop the second sentence, which explains positional arguments; this command has none.
    throw new UsageProblem((error as Error).message.split(". ")[0]);
  }
}

function parseWords(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      port: { type: "string" },
      load: { type: "string" },
      save: { type: "string" },
      kubeconfig: { type: "string" },
      rbac: { type: "boolean" },
      controllers: { type: "boolean" },
      "no-node": { type: "boolean" },
      version: { type: "string" },
      seed: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
}

function numberOf(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most) {
    throw new UsageProblem(`${option} ${text}: expected a number from 0 to ${most}`);
  }
  return value;
}
