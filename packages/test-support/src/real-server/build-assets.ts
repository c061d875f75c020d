import { execFile } from "node:child_process";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Go module that pins Kubernetes, etcd and their dependencies. */
const module = fileURLToPath(new URL("../../../../test/real-server/go", import.meta.url));

/** Packages to build, by file name. */
const programs: Readonly<Record<string, string>> = {
  etcd: "go.etcd.io/etcd/server/v3",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
};

/**
 * Builds the programs with Go into a folder. Each file appears once it is complete, so that an interrupted build can
 * continue.
 */
export async function buildAssets(folder: string, version: string): Promise<void> {
  const [major, minor] = version.split(".");
  const stamp = "k8s.io/component-base/version";
  // Without these the server reports v0.0.0-master.
  const flags = [
    "-s -w",
    `-X ${stamp}.gitVersion=v${version}`,
    `-X ${stamp}.gitMajor=${major}`,
    `-X ${stamp}.gitMinor=${minor}`,
  ].join(" ");
  await mkdir(folder, { recursive: true });
  for (const [name, path] of Object.entries(programs)) {
    console.warn(`building ${name} with Go into ${folder} ...`);
    const part = join(folder, `.${name}.part`);
    await run("go", ["build", "-mod=readonly", "-ldflags", flags, "-o", part, path], {
      cwd: module,
      env: { ...process.env, CGO_ENABLED: "0" },
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    await rename(part, join(folder, name));
  }
}
