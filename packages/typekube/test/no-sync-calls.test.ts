import childProcess from "node:child_process";
import fs from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authority, type TestAuthority } from "@typekube/test-support/certificates";
import { fixture, httpsServer } from "@typekube/test-support/servers";
import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { afterAll, beforeAll, expect, it } from "vitest";

const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "web", namespace: "shop" } };
/** Synchronous calls, each with the line of our code that made it. */
const calls: string[] = [];
const originals: (() => void)[] = [];
let folder = "";
let signer: TestAuthority;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-sync-"));
  signer = await authority();
  for (const module of [fs, childProcess] as Record<string, unknown>[]) {
    for (const name of Object.keys(module).filter((key) => key.endsWith("Sync"))) {
      const original = module[name] as (...args: unknown[]) => unknown;
      module[name] = (...args: unknown[]) => {
        const ours = /\/packages\/[a-z]+\/(?:src|dist)\/\S+/.exec(new Error().stack ?? "");
        if (ours) {
          calls.push(`${name} in ${ours[0]}`);
        }
        return original(...args);
      };
      originals.push(() => {
        module[name] = original;
      });
    }
  }
  syncBuiltinESMExports();
});
afterAll(async () => {
  for (const restore of originals) {
    restore();
  }
  syncBuiltinESMExports();
  await signer[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Starts a server that accepts one token at a time; each accepted request moves on to the next token. */
function rotating(tokens: readonly string[]) {
  let taken = 0;
  return httpsServer("server", (request, response) => {
    const isGood = request.headers.authorization === `Bearer ${tokens[taken]}`;
    taken += isGood ? 1 : 0;
    response.writeHead(isGood ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(pod));
  });
}

async function kubeconfig(server: string, user: object): Promise<string> {
  const path = join(folder, "config");
  const ca = Buffer.from(fixture("ca.pem")).toString("base64");
  const config = {
    clusters: [{ name: "c", cluster: { server, "certificate-authority-data": ca } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "main", context: { cluster: "c", user: "u" } }],
    "current-context": "main",
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}

it("makes no synchronous call when a plugin runs, and runs again after a 401", async () => {
  const command = join(folder, "plugin");
  const status = "{ token: String(fs.readFileSync(process.argv[2])) }";
  await writeFile(
    command,
    `#!${process.execPath}\nconst fs = require("node:fs"); console.log(JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: ${status} }));`,
  );
  await chmod(command, 0o755);
  const args = [join(folder, "plugin-token")];
  await writeFile(args[0] ?? "", "one");
  await using server = await rotating(["one", "two"]);
  const apiVersion = "client.authentication.k8s.io/v1";
  const user = { exec: { apiVersion, command, args, interactiveMode: "Never" } };
  await using client = await connect({ kubeconfig: await kubeconfig(server.url, user), env: {} });
  const pods = client.resource(Pod, "shop");
  await pods.get("web");
  await writeFile(args[0] ?? "", "two");
  await pods.get("web");
  expect(calls).toEqual([]);
});

it("makes no synchronous call when a token file is read, and read again after a 401", async () => {
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, "one");
  await using server = await rotating(["one", "two"]);
  await using client = await connect({ server: server.url, ca: fixture("ca.pem"), tokenFile });
  const pods = client.resource(Pod, "shop");
  await pods.get("web");
  await writeFile(tokenFile, "two");
  await pods.get("web");
  expect(calls).toEqual([]);
});

it("makes no synchronous call when certificate files are replaced", async () => {
  const names: (string | undefined)[] = [];
  await using server = await httpsServer(
    "server",
    (request, response) => {
      const { subject } = (request.socket as import("node:tls").TLSSocket).getPeerCertificate();
      names.push(String(subject?.CN));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(pod));
    },
    { requestCert: true, rejectUnauthorized: false, ca: signer.ca },
  );
  const files = {
    "client-certificate": join(folder, "tls.crt"),
    "client-key": join(folder, "tls.key"),
  };
  const write = async (name: string) => {
    const { cert, key } = await signer.client(name);
    await writeFile(files["client-certificate"], cert);
    await writeFile(files["client-key"], key);
  };
  await write("alice");
  let now = 0;
  const clock = {
    now: () => now,
    schedule(delayMs: number, callback: () => void) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
  const path = await kubeconfig(server.url, files);
  await using client = await connect({ kubeconfig: path, env: {}, clock });
  const pods = client.resource(Pod, "shop");
  await pods.get("web");
  await write("bob");
  now += 2_000;
  await pods.get("web");
  expect(names).toEqual(["alice", "bob"]);
  expect(calls).toEqual([]);
});

/** Makes certificates for servers; no request waits for it. */
const beside = new Set(["transport/src/tls/certificate.ts"]);

it("N33: no source on the request path contains a synchronous call, and the check above detects one", async () => {
  const mistake = new Function(
    "fs",
    "fs.statSync('/')\n//# sourceURL=/packages/core/src/mistake.ts",
  );
  mistake(fs);
  expect(calls.splice(0)).toEqual([
    expect.stringContaining("statSync in /packages/core/src/mistake.ts"),
  ]);
  const found: string[] = [];
  for (const layer of ["core", "transport", "config", "client", "informer", "typekube"]) {
    const root = new URL(`../../${layer}/src/`, import.meta.url);
    for (const name of await readdir(root, { recursive: true })) {
      if (name.endsWith(".ts") && !name.startsWith("generated")) {
        const text = await readFile(new URL(name, root), "utf8");
        if (/\b[a-z]\w*Sync\b/.test(text) && !beside.has(`${layer}/src/${name}`)) {
          found.push(`${layer}/src/${name}`);
        }
      }
    }
  }
  expect(found).toEqual([]);
});
