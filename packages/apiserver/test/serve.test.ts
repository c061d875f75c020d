import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ValidatingWebhookConfiguration } from "@typekube/api/admissionregistration/v1";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { ClusterRole } from "@typekube/api/rbac/v1";
import { connect } from "typekube";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startReviewWebhook } from "../../../test/conformance/support/review-webhook.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = join(root, "packages/typekube/src/bin.ts");
/** Milliseconds for a process that loads its sources on a busy machine. */
const timeout = 60_000;

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-serve-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
  }
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  /** Returns its output so far. */
  text(): string;
  /** Resolves to its exit code. */
  readonly ended: Promise<number | null>;
}

/** Runs the command from its sources. */
function typekube(...args: readonly string[]): Running {
  return typekubeIn(root, ...args);
}

function typekubeIn(cwd: string, ...args: readonly string[]): Running {
  const flags = ["--conditions=@typekube/source", "--import", import.meta.resolve("tsx")];
  const child = spawn(process.execPath, [...flags, program, ...args], { cwd });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, text: () => text, ended: once(child, "close").then(([code]) => code) };
}

/** Waits until a server reports that it is ready; returns the path of its kubeconfig. */
async function ready({ text, ended }: Running): Promise<string> {
  await Promise.race([
    expect.poll(text, { timeout }).toContain("Press Ctrl+C to stop."),
    ended.then((code) => Promise.reject(new Error(`it ended with ${code}: ${text()}`))),
  ]);
  return /KUBECONFIG=(.*)/.exec(text())?.[1] ?? "";
}

describe("typekube serve", () => {
  it("§3.32: loads manifests in a working order, writes a kubeconfig for its owner, ends on SIGTERM without leftovers", {
    timeout,
  }, async () => {
    await mkdir(join(folder, "below"));
    const inDemo = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: demo}\n";
    await writeFile(join(folder, "a.yaml"), inDemo);
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "demo" } };
    await writeFile(join(folder, "below/z.json"), JSON.stringify(namespace));
    await writeFile(join(folder, "README.md"), "no manifest");
    const running = typekube(
      "serve",
      "--load",
      folder,
      "--rbac",
      "--seed",
      "7",
      "--version",
      "1.36",
    );
    const kubeconfig = await ready(running);
    expect(running.text()).toContain("2 objects loaded");
    expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
    const client = await connect({ kubeconfig });
    expect((await client.version()).minor).toBe("36");
    expect((await client.resource(Namespace).get("demo")).status?.phase).toBe("Active");
    expect((await client.resource(ConfigMap, "demo").list()).items.length).toBe(1);
    expect((await client.can({ verb: "get", resource: "pods" })).allowed).toBe(true);
    await client.close();
    running.child.kill("SIGTERM");
    expect(await running.ended).toBe(0);
    await expect(access(kubeconfig)).rejects.toThrow();
  });

  it("CT9: calls admission webhooks by their URL", { timeout }, async () => {
    await using webhook = await startReviewWebhook(() => ({
      allowed: false,
      status: { message: "not here" },
    }));
    const running = typekube("serve");
    const client = await connect({ kubeconfig: await ready(running) });
    await client.resource(ValidatingWebhookConfiguration).create({
      metadata: { name: "hooks" },
      webhooks: [
        {
          name: "hook.example.com",
          clientConfig: webhook.clientConfig,
          rules: [
            {
              apiGroups: [""],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["configmaps"],
            },
          ],
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
        },
      ],
    });
    await expect(
      client.resource(ConfigMap, "default").create({ metadata: { name: "a" } }),
    ).rejects.toThrow('admission webhook "hook.example.com" denied the request: not here');
    await client.close();
  });

  it("ends on SIGINT even with an open watch, and keeps a requested kubeconfig", {
    timeout,
  }, async () => {
    const path = join(folder, "kubeconfig");
    const running = typekube("serve", "--kubeconfig", path);
    expect(await ready(running)).toBe(path);
    const client = await connect({ kubeconfig: path });
    const watch = client.resource(ConfigMap).watch()[Symbol.asyncIterator]();
    const next = watch.next().then(
      () => "ended",
      () => "broke",
    );
    await client.resource(ConfigMap, "default").list();
    running.child.kill("SIGINT");
    expect(await running.ended).toBe(0);
    expect(["ended", "broke"]).toContain(await next);
    await client.close();
    expect(await readFile(path, "utf8")).toContain("current-context: typekube");
  });

  it("saves each object on Ctrl+C, and loads the same objects from the folder again", {
    timeout,
  }, async () => {
    const kubeconfig = join(folder, "kubeconfig");
    const save = join(folder, "saved");
    const first = typekube("serve", "--save", save, "--kubeconfig", kubeconfig, "--controllers");
    await ready(first);
    const client = await connect({ kubeconfig });
    await client.resource(Namespace).create({ metadata: { name: "demo" } });
    const maps = client.resource(ConfigMap, "demo");
    const map = await maps.create({ metadata: { name: "a" }, data: { key: "yes", other: "1" } });
    const roles = client.resource(ClusterRole);
    const role = await roles.create({ metadata: { name: "demo:reader" }, rules: [] });
    await client.close();
    await mkdir(join(save, "old"), { recursive: true });
    await writeFile(
      join(save, "old/gone.yaml"),
      "# Saved by typekube serve. The next save replaces or removes this file.\n",
    );
    await writeFile(join(save, "notes.yaml"), "# mine\n");
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(0);
    expect(first.text()).toMatch(/\d+ objects saved to/);

    const files = await readdir(save, { recursive: true });
    expect(files).toContain(join("demo", "configmap", "a.yaml"));
    expect(files).toContain(
      join("_cluster", "clusterrole.rbac.authorization.k8s.io", "demo%3Areader.yaml"),
    );
    expect(files).toContain("notes.yaml");
    // Objects that the server itself creates at start are not saved.
    expect(files.filter((file) => file.includes("apiservice") || file.includes("view"))).toEqual(
      [],
    );
    expect((await stat(join(save, "demo/configmap/a.yaml"))).mode & 0o777).toBe(0o600);

    const second = typekube("serve", "--load", save, "--kubeconfig", kubeconfig, "--controllers");
    await ready(second);
    const again = await connect({ kubeconfig });
    const loaded = [
      await again.resource(ConfigMap, "demo").get("a"),
      await again.resource(ClusterRole).get("demo:reader"),
    ];
    await again.close();
    const unversioned = ({ metadata, ...rest }: ConfigMap | ClusterRole) => ({
      ...rest,
      metadata: { ...metadata, resourceVersion: "" },
    });
    expect(loaded.map(unversioned)).toEqual([map, role].map(unversioned));
    second.child.kill("SIGTERM");
    expect(await second.ended).toBe(0);
  });

  it("runs the server installed beside the command, not the one in the current folder", {
    timeout,
  }, async () => {
    const other = join(folder, "node_modules/@typekube/apiserver");
    await mkdir(other, { recursive: true });
    const manifest = { name: "@typekube/apiserver", exports: { "./serve": "./serve.mjs" } };
    await writeFile(join(other, "package.json"), JSON.stringify({ ...manifest, version: "6.6.6" }));
    await writeFile(join(other, "serve.mjs"), "export const serve = () => 66;");
    const running = typekubeIn(folder, "serve", "--help");
    expect(await running.ended).toBe(0);
    expect(running.text()).toContain("Usage: typekube serve [options]");
  });

  it.each([
    [["serve", "--port", "x"], 2, "--port x: expected a number from 0 to 65535"],
    [["serve", "--version", "37"], 2, "--version 37: expected one of 1.33, 1.34, 1.35, 1.36, 1.37"],
    [["serve", "--version", "1.20"], 2, "1.20: expected one of 1.33, 1.34, 1.35, 1.36, 1.37"],
    [["serve", "--version", "1.99"], 2, "1.99: expected one of 1.33, 1.34, 1.35, 1.36, 1.37"],
    [["--version"], 0, "0.1.0"],
    [["serve", "--colour"], 2, "Unknown option '--colour'"],
    [["serve", "extra"], 2, "Unexpected argument 'extra'"],
    [["dance"], 2, 'unknown command "dance"'],
    [[], 2, "Usage: typekube <command>"],
    [["serve", "--help"], 0, "Usage: typekube serve [options]"],
    [["serve", "--load", "/nowhere"], 1, "/nowhere cannot be read"],
  ] as const)("%j ends with %i and a message", { timeout }, async (args, code, message) => {
    const running = typekube(...args);
    expect(await running.ended).toBe(code);
    expect(running.text()).toContain(message);
  });
});
