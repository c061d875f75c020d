import { execFile } from "node:child_process";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The Go module that pins Kubernetes and etcd with all they need. */
const module = fileURLToPath(new URL("go", import.meta.url));

/** What is built, by file name. */
const programs: Readonly<Record<string, string>> = {
  etcd: "go.etcd.io/etcd/server/v3",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
};

/** Builds the programs with Go into a folder. Each appears there when it is whole, so a build that was ended can go on. */
export async function buildAssets(folder: string, version: string): Promise<void> {
  const [major, minor] = version.split(".");
  const stamp = "k8s.io/component-base/version";
  // Without these the server says that it is v0.0.0-master.
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
