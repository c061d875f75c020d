import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { GoProgram } from "./go-programs.js";
import type { Launch } from "./launch.js";
import { peersFolder } from "./peers.js";

/** Machine and versions of a run. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly platform: string;
  readonly node: string;
  /** Versions of the compared packages; undefined for a package that is not installed. */
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/** Describes this machine and installation. */
export function describeMachine({ nodeVersion }: Launch): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform}/${process.arch}`,
    node: nodeVersion,
    versions: {
      ...Object.fromEntries(
        ["typekube", "undici", "@kubernetes/client-node"].map((name) => [
          name,
          installedVersion(name),
        ]),
      ),
      "cel-go": moduleVersion("cel-go", "github.com/google/cel-go"),
      "client-go": moduleVersion("client-go", "k8s.io/client-go"),
      "controller-runtime": moduleVersion("controller-runtime", "sigs.k8s.io/controller-runtime"),
      kubectl: moduleVersion("kubectl", "k8s.io/kubectl"),
      Go: goVersion(),
    },
  };
}

/** Returns the version of an installed package, even when it does not export its manifest. */
function installedVersion(name: string): string | undefined {
  const folders = [
    ...(createRequire(import.meta.url).resolve.paths(name) ?? []),
    join(peersFolder, "node_modules"),
  ];
  for (const folder of folders) {
    try {
      const manifest = readFileSync(join(folder, name, "package.json"), "utf8");
      return (JSON.parse(manifest) as { version: string }).version;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** Returns the version of a module in the go.mod of a program. */
function moduleVersion(program: GoProgram, module: string): string | undefined {
  const manifest = readFileSync(join(peersFolder, program, "go.mod"), "utf8");
  const line = manifest.split("\n").find((text) => text.trim().startsWith(`${module} v`));
  return line?.trim().slice(module.length + 2);
}

function goVersion(): string | undefined {
  const { stdout } = spawnSync("go", ["env", "GOVERSION"], {
    cwd: join(peersFolder, "client-go"),
    encoding: "utf8",
  });
  return (stdout ?? "").trim().replace(/^go/, "") || undefined;
}

/** Describes the machine in two lines. */
export function machineText({ cpu, cores, memoryGb, platform, node, versions }: Machine): string {
  const packages = Object.entries(versions).map(
    ([name, version]) => `${name} ${version ?? "missing"}`,
  );
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}\nNode ${node}, ${packages.join(", ")}`;
}
