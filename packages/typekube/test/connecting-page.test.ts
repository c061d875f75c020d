import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TLSSocket } from "node:tls";
import { connectProxy, type TestProxy } from "@typekube/test-support/proxy";
import { fixture, httpsServer, type TestServer } from "@typekube/test-support/servers";
import { type SocksProxy, socksProxy } from "@typekube/test-support/socks-proxy";
import { loadKubeconfig } from "typekube/config";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type ExampleFolder, exampleFolder, pageExamples } from "./page-examples.js";

/** The identity that a request showed. */
interface Visit {
  readonly authorization?: string;
  readonly certificate?: string;
  readonly user?: string;
  readonly groups?: string;
  readonly uid?: string;
  readonly reason?: string;
  readonly agent?: string;
}

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;
const endless = `e30.${Buffer.from(JSON.stringify({ exp: 4e9 })).toString("base64url")}.x`;
const apiVersion = "client.authentication.k8s.io/v1";
const environment = { ...process.env };
const visits: Visit[] = [];
const log: unknown[] = [];
const original = console.log;
let server: TestServer;
let proxy: TestProxy;
let tlsProxy: TestProxy;
let socks: SocksProxy;
let examples: ExampleFolder;

beforeAll(async () => {
  server = await httpsServer(
    "server",
    (request, response) => {
      const { headers } = request;
      const visit = {
        authorization: headers.authorization,
        certificate: (request.socket as TLSSocket).getPeerCertificate().subject?.CN,
        user: headers["impersonate-user"],
        groups: headers["impersonate-group"],
        uid: headers["impersonate-uid"],
        reason: headers["impersonate-extra-example.com%2freason"],
        agent: headers["user-agent"]?.startsWith("typekube/") ? undefined : headers["user-agent"],
      };
      visits.push(Object.fromEntries(Object.entries(visit).filter(([, value]) => value)));
      response.setHeader("content-type", "application/json");
      if (request.url === "/version") {
        response.end(JSON.stringify({ major: "1", minor: "37", gitVersion: "v1.37.0" }));
      } else {
        response.statusCode = 404;
        const details = { name: "web", kind: "pods" };
        response.end(
          JSON.stringify({
            kind: "Status",
            apiVersion: "v1",
            status: "Failure",
            reason: "NotFound",
            code: 404,
            details,
          }),
        );
      }
    },
    { requestCert: true, rejectUnauthorized: false, ca: fixture("ca.pem") },
  );
  proxy = await connectProxy({ authorization: basic("me:a-password") });
  tlsProxy = await connectProxy({ secure: true });
  socks = await socksProxy();
  examples = await exampleFolder();
  console.log = (...values: unknown[]) => void log.push(...values);
});
afterAll(async () => {
  console.log = original;
  await Promise.all(
    [server, proxy, tlsProxy, socks, examples].map((used) => used[Symbol.asyncDispose]()),
  );
});
afterEach(() => {
  visits.length = 0;
  log.length = 0;
  for (const name of ["KUBECONFIG", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "PATH"]) {
    if (environment[name] === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = environment[name];
    }
  }
});

async function write(name: string, content: string): Promise<string> {
  const path = join(examples.path, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function kubeconfig(user: object): Promise<string> {
  const ca = Buffer.from(fixture("ca.pem")).toString("base64");
  const contexts = ["staging", "cloud", "sso", "old"].map((name) => ({
    name,
    context: { cluster: "c", user: "u" },
  }));
  return write(
    "home/me/.kube/config",
    JSON.stringify({
      clusters: [{ name: "c", cluster: { server: server.url, "certificate-authority-data": ca } }],
      users: [{ name: "u", user }],
      contexts,
      "current-context": "cloud",
    }),
  );
}

async function etc(): Promise<void> {
  await write("etc/kube/ca.pem", fixture("ca.pem"));
  await write("etc/kube/proxy-ca.pem", fixture("ca.pem"));
  await write("etc/kube/client.pem", fixture("client.pem"));
  await write("etc/kube/client-key.pem", fixture("client.key.pem"));
}

/** Returns the code with the addresses and files of this test instead of the page's. */
function here(code: string): string {
  return code
    .replaceAll("https://kube.example:6443", server.url)
    .replaceAll("proxy.example:3128", `127.0.0.1:${proxy.port}`)
    .replaceAll("proxy.example:3129", `127.0.0.1:${tlsProxy.port}`)
    .replaceAll("socks.example:1080", `127.0.0.1:${socks.port}`)
    .replaceAll(/"\/(?=etc\/|home\/|var\/)/g, `"${examples.path}/`)
    .replaceAll(
      "inCluster: true",
      `inCluster: true, serviceAccountDir: "${examples.path}/account"`,
    );
}

/** By title: preparations, and the expected requests. */
const cases: Readonly<
  Record<
    string,
    {
      before?: () => Promise<unknown>;
      visits?: readonly Visit[];
      after?: () => Promise<void> | void;
    }
  >
> = {
  "# Connecting": {
    async before() {
      process.env["KUBECONFIG"] = await kubeconfig({ token: "t" });
    },
    visits: [{ authorization: "Bearer t" }],
    after: () => expect(log).toEqual(["v1.37.0", "default"]),
  },
  "A kubeconfig and a context": {
    before: () => kubeconfig({ token: "t" }),
    visits: [{ authorization: "Bearer t" }],
  },
  "The text of a kubeconfig": {
    before: () => kubeconfig({ token: "t" }),
    visits: [{ authorization: "Bearer t" }],
    after: () => expect(log).toEqual(["cloud", "c", "u", true, "v1.37.0"]),
  },
  "Kubeconfigs you don't trust": {
    before: () => kubeconfig({ token: "t" }),
    visits: [{ authorization: "Bearer t" }],
  },
  "In a pod": {
    async before() {
      const { port, hostname } = new URL(server.url);
      process.env["KUBERNETES_SERVICE_HOST"] = hostname;
      process.env["KUBERNETES_SERVICE_PORT"] = port;
      await write("account/token", "pod-token\n");
      await write("account/namespace", "shop");
      await write("account/ca.crt", fixture("ca.pem"));
    },
    visits: [{ authorization: "Bearer pod-token" }],
  },
  "A token": { before: etc, visits: [{ authorization: "Bearer a-token" }] },
  "A token in a file": {
    before: () => Promise.all([etc(), write("var/run/secrets/tokens/kube", "from-file\n")]),
    visits: [{ authorization: "Bearer from-file" }],
  },
  "A user name and a password": {
    before: etc,
    visits: [{ authorization: basic("me:a-password") }],
  },
  "A client certificate": { before: etc, visits: [{ certificate: "tester" }] },
  "An exec plugin": {
    async before() {
      const credential = { apiVersion, kind: "ExecCredential", status: { token: "from-plugin" } };
      const plugin = `#!${process.execPath}\nconsole.log(${JSON.stringify(JSON.stringify(credential))});`;
      await chmod(await write("bin/cloud-login", plugin), 0o755);
      process.env["PATH"] = join(examples.path, "bin");
      await kubeconfig({ exec: { apiVersion, command: "cloud-login", interactiveMode: "Never" } });
    },
    visits: [{ authorization: "Bearer from-plugin" }],
  },
  OIDC: {
    before: () =>
      kubeconfig({
        "auth-provider": {
          name: "oidc",
          config: {
            "idp-issuer-url": "https://sso.example",
            "client-id": "cli",
            "id-token": endless,
          },
        },
      }),
    visits: [{ authorization: `Bearer ${endless}` }],
  },
  Impersonation: {
    before: etc,
    visits: [
      { authorization: "Bearer a-token", user: "ci" },
      { authorization: "Bearer a-token", user: "jane", groups: "devs", reason: "on call" },
      { authorization: "Bearer a-token", user: "joe", uid: "7" },
    ],
  },
  Anonymous: { before: () => kubeconfig({ token: "t" }), visits: [{}] },
  "Through a proxy 1": {
    before: etc,
    visits: [{ authorization: "Bearer a-token" }],
    after: () => expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]),
  },
  "Through a proxy 2": {
    before: etc,
    visits: [{ authorization: "Bearer a-token" }],
    after: () => expect(tlsProxy.tunnels).toEqual([`127.0.0.1:${server.port}`]),
  },
  "Through a proxy 3": {
    before: etc,
    visits: [{ authorization: "Bearer a-token" }],
    after: () => expect(socks.tunnels).toHaveLength(1),
  },
  "Another name in the certificate": {
    before: etc,
    visits: [{ authorization: "Bearer a-token" }],
  },
  "An embedded server": { visits: [] },
  "Retries, deadlines and rate limits": {
    before: etc,
    visits: [{ authorization: "Bearer a-token", agent: "shop-operator/1.4" }],
  },
  "Changing kubeconfig files": {
    async before() {
      process.env["KUBECONFIG"] = await kubeconfig({ token: "t" });
    },
    visits: [],
    async after() {
      const path = join(examples.path, "home/me/.kube/config");
      const { contexts, currentContext, users } = await loadKubeconfig({ path });
      expect([...contexts.keys()]).toEqual(["staging", "cloud", "sso", "kind"]);
      expect([currentContext, users.size]).toEqual(["staging", 2]);
      expect(await readFile(path, "utf8")).toContain('"certificate-authority":"kind.pem"');
    },
  },
};

const page = await pageExamples("connecting.md");

it("the page has exactly the examples that run here", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(cases));
});

it.each(page)("the example of connecting.md runs: $title", async ({ title, code }) => {
  const { before, visits: expected, after } = cases[title] ?? {};
  await before?.();
  await examples.run(here(code));
  expect(visits).toEqual(expected);
  await after?.();
});
