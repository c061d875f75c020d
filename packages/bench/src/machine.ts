import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Launch } from "./launch.js";
import { peersFolder } from "./peers.js";

/** Where and with what a run was made. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly platform: string;
  readonly node: string;
  /** Versions of the packages that are compared; absent where one is not installed. */
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/** What this machine and installation are. */
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
      "client-go": clientGoVersion(),
      Go: goVersion(),
    },
  };
}

/** The version of an installed package; its manifest need not be exported. */
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

/** The version that the program on client-go is made with. */
function clientGoVersion(): string | undefined {
  const manifest = readFileSync(join(peersFolder, "client-go/go.mod"), "utf8");
  return /^\s*k8s\.io\/client-go v(\S+)/m.exec(manifest)?.[1];
}

function goVersion(): string | undefined {
  const { stdout } = spawnSync("go", ["env", "GOVERSION"], {
    cwd: join(peersFolder, "client-go"),
    encoding: "utf8",
  });
  return (stdout ?? "").trim().replace(/^go/, "") || undefined;
}

/** The machine in a few lines. */
export function machineText({ cpu, cores, memoryGb, platform, node, versions }: Machine): string {
  const packages = Object.entries(versions).map(
    ([name, version]) => `${name} ${version ?? "missing"}`,
  );
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}\nNode ${node}, ${packages.join(", ")}`;
}
