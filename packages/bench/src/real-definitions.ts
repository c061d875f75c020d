import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseManifests } from "typekube";
import type { CustomResourceDefinition } from "typekube/api/apiextensions/v1";
import { peersFolder } from "./peers.js";

/** Modules of well-known operators, and the folders of their definitions. */
const sources = [
  ["github.com/argoproj/argo-rollouts@v1.8.3", "manifests/crds"],
  ["github.com/cert-manager/cert-manager@v1.21.2", "deploy/crds"],
  [
    "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    "example/prometheus-operator-crd-full",
  ],
  ["github.com/kyverno/kyverno@v1.19.1", "config/crds"],
  ["github.com/kyverno/kyverno@v1.19.1", "cmd/cli/kubectl-kyverno/config/crds"],
  ["istio.io/api@v1.32.0", "common/scripts"],
  ["istio.io/api@v1.32.0", "kubernetes"],
  ["sigs.k8s.io/cluster-api@v1.14.2", "cmd/clusterctl/config"],
  ["sigs.k8s.io/cluster-api@v1.14.2", "core/config/crd/bases"],
  ["sigs.k8s.io/cluster-api@v1.14.2", "bootstrap/kubeadm/config/crd/bases"],
  ["sigs.k8s.io/cluster-api@v1.14.2", "controlplane/kubeadm/config/crd/bases"],
  ["sigs.k8s.io/gateway-api@v1.4.1", "config/crd/experimental"],
] as const;

/**
 * Reads definitions from Go's module cache, which downloads missing modules, without their conversion webhooks: nothing
 * answers these here.
 *
 * @throws without Go, or when there are fewer than `count`.
 */
export async function realDefinitions(count: number): Promise<CustomResourceDefinition[]> {
  const found = new Map<string, CustomResourceDefinition>();
  for (const [module, folder] of sources) {
    for (const text of yamlFiles(join(moduleFolder(module), folder))) {
      for (const object of await parseManifests(text)) {
        if (object.kind === "CustomResourceDefinition") {
          const definition = object as unknown as CustomResourceDefinition;
          found.set(definition.metadata?.name ?? "", withoutWebhook(definition));
        }
      }
    }
  }
  if (found.size < count) {
    throw new Error(`found ${found.size} definitions instead of ${count}`);
  }
  return [...found.values()].slice(0, count);
}

function moduleFolder(module: string): string {
  const { stdout, stderr, error } = spawnSync("go", ["mod", "download", "-json", module], {
    cwd: `${peersFolder}cel-go`,
    encoding: "utf8",
  });
  if (error !== undefined || !stdout.includes('"Dir"')) {
    throw new Error(`go mod download ${module}: ${error?.message ?? `${stderr}${stdout}`}`);
  }
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .filter((text) => text.includes("kind: CustomResourceDefinition"));
}

function withoutWebhook(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { conversion: _, ...spec } = definition.spec;
  return { ...definition, spec };
}
