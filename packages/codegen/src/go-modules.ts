import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Modules that the Go half imports; their versions are those of k8s.io/kubernetes with the major version 0. */
const imported = [
  "k8s.io/api",
  "k8s.io/apiextensions-apiserver",
  "k8s.io/apimachinery",
  "k8s.io/apiserver",
  "k8s.io/client-go",
  "k8s.io/component-base",
  "k8s.io/controller-manager",
  "k8s.io/kube-aggregator",
];

/**
 * Makes the Go half in a folder read another Kubernetes release: writes `go.mod` and the list of API groups, and
 * resolves the other modules. `from` is copied into the folder first, unless it is the same.
 *
 * @param version - such as `1.38.0`.
 */
export function retargetGoHalf(from: string, folder: string, version: string): void {
  if (from !== folder) {
    cpSync(from, folder, { recursive: true });
  }
  const { Dir, GoMod } = JSON.parse(
    go(folder, "mod", "download", "-json", `k8s.io/kubernetes@v${version}`),
  ) as { Dir: string; GoMod: string };
  writeFileSync(join(folder, "go.mod"), goModule(version, readFileSync(GoMod, "utf8")));
  writeFileSync(join(folder, "installs.go"), installs(join(Dir, "pkg/apis")));
  go(folder, "mod", "tidy");
}

function go(folder: string, ...args: string[]): string {
  return execFileSync("go", args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Writes a `go.mod` that requires a release and replaces its staging modules, which it requires as v0.0.0. */
function goModule(version: string, upstream: string): string {
  const staging = version.replace(/^1\./, "0.");
  const [, goVersion = "1.26.0"] = /^go (\S+)$/m.exec(upstream) ?? [];
  const replaced = [...upstream.matchAll(/^\s*(\S+) => \.\/staging\/\S+$/gm)].map(
    ([, module]) => `\t${module} => ${module} v${staging}\n`,
  );
  const required = [
    ...imported.map((module) => `\t${module} v${staging}\n`),
    `\tk8s.io/kubernetes v${version}\n`,
  ];
  return (
    `module typekube.dev/codegen\n\ngo ${goVersion}\n\n` +
    `// k8s.io/kubernetes requires its staging modules as v0.0.0.\nreplace (\n${replaced.join("")})\n\n` +
    `require (\n${required.join("")})\n`
  );
}

function installs(folder: string): string {
  const groups = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => readdirSync(join(folder, name)).includes("install"))
    .sort();
  return (
    `package main\n\n// The groups of kube-apiserver. \`pnpm generate --kubernetes\` writes this list.\nimport (\n` +
    `${groups.map((name) => `\t_ "k8s.io/kubernetes/pkg/apis/${name}/install"\n`).join("")})\n`
  );
}
