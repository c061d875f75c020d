import { channel } from "node:diagnostics_channel";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { fixture, httpsServer } from "@typekube/test-support/servers";
import { type ConnectOptions, connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { createTransport, loadKubeconfig, resolveConfig, Secret } from "typekube/config";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// The value of every secret field in a configuration; must not appear in any output.
const canary = "s3cr3t-canary-0123456789";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const jwt = `e30.${Buffer.from(JSON.stringify({ exp: 1e9, canary })).toString("base64url")}.${canary}`;
const key = fixture("client.key.pem");
const keyLine = key.split("\n")[1] ?? "";

/** Every form in which the canary could appear. */
const forms = [
  canary,
  base64(canary),
  base64(`me:${canary}`),
  encodeURIComponent(`me:${canary}`),
  jwt.split(".")[1] ?? "",
  keyLine,
  base64(key).slice(0, 100),
];

const received: unknown[] = [];
const hear = (message: unknown, name: string | symbol) => received.push([name, message]);
const channels = ["request.start", "request.response", "request.retry", "request.error"]
  .concat("request.end", "auth.refresh", "decode.downgrade", "watch.state")
  .map((name) => `typekube:${name}`);
const onWarning = (warning: Error) => received.push(warning);
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-canary-"));
  process.on("warning", onWarning);
  for (const name of channels) {
    channel(name).subscribe(hear);
  }
});
afterAll(async () => {
  for (const name of channels) {
    channel(name).unsubscribe(hear);
  }
  process.off("warning", onWarning);
  await rm(folder, { recursive: true });
});

/** Returns everything that a program might log of a value. */
function shown(value: unknown): string {
  const texts = [inspect(value, { depth: 12, showHidden: true, getters: true }), String(value)];
  try {
    texts.push(JSON.stringify(value) ?? "");
  } catch {
    // Circular, so it cannot be logged as JSON.
  }
  for (let cause = value; cause instanceof Error; cause = cause.cause) {
    texts.push(cause.stack ?? "", inspect(cause, { showHidden: true, depth: 12 }));
  }
  return texts.join("\n");
}

function expectNoCanary(what: string, value: unknown): void {
  const text = shown(value);
  for (const form of forms) {
    expect(text.includes(form), `${what} shows a secret`).toBe(false);
  }
}

let files = 0;
async function kubeconfig(server: string, user: object, cluster: object = {}): Promise<string> {
  const path = join(folder, `config-${files++}`);
  const config = {
    clusters: [
      {
        name: "c",
        cluster: { server, "certificate-authority-data": base64(fixture("ca.pem")), ...cluster },
      },
    ],
    users: [{ name: "u", user }],
    contexts: [{ name: "main", context: { cluster: "c", user: "u" } }],
    "current-context": "main",
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}

async function program(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!${process.execPath}\n${text}`);
  await chmod(path, 0o755);
  return path;
}

const apiVersion = "client.authentication.k8s.io/v1";
const credential = (status: object) =>
  `console.log(${JSON.stringify(JSON.stringify({ apiVersion, kind: "ExecCredential", status }))});`;
const exec = (command: string) => ({
  exec: {
    apiVersion,
    command,
    interactiveMode: "Never",
    args: ["--token", canary],
    env: [{ name: "PASSWORD", value: canary }],
  },
});
const oidc = (over: object) => ({
  "auth-provider": {
    name: "oidc",
    config: {
      "idp-issuer-url": "https://127.0.0.1:1",
      "client-id": "cli",
      "client-secret": canary,
      "id-token": jwt,
      "refresh-token": canary,
      ...over,
    },
  },
});

/** Every way to authenticate, as user and cluster of a kubeconfig, or as options. */
const sources: readonly {
  readonly name: string;
  user?: () => Promise<object> | object;
  readonly cluster?: object;
  options?: () => Promise<Partial<ConnectOptions>> | Partial<ConnectOptions>;
}[] = [
  { name: "a token", user: () => ({ token: canary }) },
  { name: "a token with a line feed", user: () => ({ token: `${canary}\nx` }) },
  { name: "a password", user: () => ({ username: "me", password: canary }) },
  {
    name: "a token file",
    user: async () => {
      await writeFile(join(folder, "token"), canary);
      return { tokenFile: join(folder, "token") };
    },
  },
  {
    name: "a client certificate",
    user: () => ({
      "client-certificate-data": base64(fixture("client.pem")),
      "client-key-data": base64(key),
    }),
  },
  {
    name: "an invalid key",
    user: () => ({
      "client-certificate-data": base64(fixture("client.pem")),
      "client-key-data": base64(canary),
    }),
  },
  {
    name: "a plugin's token",
    user: async () => exec(await program("token-plugin", credential({ token: canary }))),
  },
  {
    name: "a plugin that fails and says why",
    user: async () =>
      exec(
        await program(
          "failing-plugin",
          `console.error("bad token: ${canary}", process.argv, process.env.PASSWORD); console.log("${canary}"); process.exitCode = 1;`,
        ),
      ),
  },
  {
    name: "a plugin that prints nonsense",
    user: async () => exec(await program("odd-plugin", `console.log("{${canary}");`)),
  },
  { name: "a plugin that is not there", user: () => exec(join(folder, "no-plugin")) },
  { name: "OIDC", user: () => oidc({}) },
  { name: "OIDC that is wrong", user: () => oidc({ "idp-issuer-url": 7 }) },
  {
    name: "a provider that is gone",
    user: () => ({ "auth-provider": { name: "gcp", config: { "access-token": canary } } }),
  },
  {
    name: "a proxy's password",
    user: () => ({}),
    cluster: { "proxy-url": `http://me:${canary}@127.0.0.1:1` },
  },
  {
    name: "a SOCKS proxy's password",
    user: () => ({}),
    cluster: { "proxy-url": `socks5://me:${canary}@127.0.0.1:1` },
  },
  {
    name: "an invalid proxy URL",
    user: () => ({}),
    cluster: { "proxy-url": `gopher://me:${canary}@127.0.0.1:1` },
  },
  { name: "a token of the caller", options: () => ({ token: new Secret(canary) }) },
  {
    name: "a password of the caller",
    options: () => ({ username: "me", password: new Secret(canary) }),
  },
  {
    name: "a key of the caller",
    options: () => ({ cert: fixture("client.pem"), key: new Secret(key) }),
  },
  {
    name: "a proxy of the caller",
    options: () => ({
      token: new Secret(canary),
      proxy: new Secret(`http://me:${canary}@127.0.0.1:1`),
    }),
  },
  {
    name: "what a cluster tells plugins",
    user: async () =>
      exec(await program("told-plugin", `process.stdout.write(process.env.KUBERNETES_EXEC_INFO);`)),
    cluster: {
      extensions: [
        { name: "client.authentication.k8s.io/exec", extension: { secret: canary } },
        { name: "other", extension: {} },
      ],
    },
  },
  {
    name: "a cluster's URL with a password",
    user: () => ({}),
    cluster: { server: `https://me:${canary}@127.0.0.1:1` },
  },
  {
    name: "a server's URL with a password",
    options: () => ({ server: `https://me:${canary}@127.0.0.1:1` }),
  },
];

/** Every way in which the server refuses. */
const refusals: Readonly<Record<string, RequestListener>> = {
  "a 401 with a Status": (_request, response) => {
    response.writeHead(401, { "content-type": "application/json", warning: '299 - "old"' });
    response.end(
      JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code: 401 }),
    );
  },
  "a 503 that asks for another try": (_request, response) => {
    response.writeHead(503, { "retry-after": "0", "content-type": "text/plain" });
    response.end("later");
  },
  "a broken connection": (request) => request.socket.destroy(),
};

describe("H40, S5: errors, objects, diagnostics and warnings show no secret", () => {
  for (const [refusal, listener] of Object.entries(refusals)) {
    it.each(sources)(
      `shows no secret of $name, before ${refusal}`,
      async ({ user, cluster, options }) => {
        received.length = 0;
        await using server = await httpsServer("server", listener);
        const base = {
          env: {},
          homeDir: folder,
          defaults: { onWarning: (text: string) => void received.push(text) },
          transportOptions: { maxRetries: 1 },
        };
        const given: ConnectOptions = user
          ? { ...base, kubeconfig: await kubeconfig(server.url, await user(), cluster) }
          : { ...base, server: server.url, ca: fixture("ca.pem"), ...(await options?.()) };
        const seen: [string, unknown][] = [];
        try {
          if (typeof given.kubeconfig === "string") {
            seen.push(["the kubeconfig", await loadKubeconfig({ path: given.kubeconfig })]);
          }
          const config = await resolveConfig(given);
          seen.push(["the configuration", config]);
          const transport = createTransport(config);
          seen.push(["the transport", transport]);
          await transport.close();
          await using client = await connect(given);
          seen.push(["the client", client]);
          const pods = client.resource(Pod, "shop");
          seen.push(["a resource's client", pods]);
          await pods.get("web");
          expect.unreachable();
        } catch (error) {
          expect((error as Error).name).toBe("KubeError");
          seen.push(["the error", error]);
        }
        for (const [what, value] of [...seen, ["what was told", received] as const]) {
          expectNoCanary(what, value);
        }
      },
    );
  }

  it("diagnostics and warnings were emitted", async () => {
    received.length = 0;
    await using server = await httpsServer("server", (_request, response) => {
      response.writeHead(401, { warning: '299 - "old"' });
      response.end("{}");
    });
    await writeFile(join(folder, "token"), canary);
    await using client = await connect({
      server: server.url,
      ca: fixture("ca.pem"),
      tokenFile: join(folder, "token"),
      defaults: { onWarning: (text) => void received.push(text) },
    });
    await client
      .resource(Pod, "shop")
      .get("web")
      .catch(() => {});
    expect(received).toContain("old");
    const seen = received.filter(Array.isArray).map(([name]: unknown[]) => name);
    expect(new Set(seen)).toEqual(
      new Set(
        ["request.start", "request.response", "request.end", "auth.refresh"].map(
          (name) => `typekube:${name}`,
        ),
      ),
    );
    expectNoCanary("what was told", received);
  });
});
