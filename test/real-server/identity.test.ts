import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SelfSubjectReview } from "@typekube/api/authentication/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { ClusterRoleBinding, Role, RoleBinding } from "@typekube/api/rbac/v1";
import { authority } from "@typekube/test-support/certificates";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { untilAllowed } from "@typekube/test-support/real-server/until-allowed";
import { type Client, connect } from "typekube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const hasReal = (await findAssets()) !== undefined;
const apiVersion = "client.authentication.k8s.io/v1";

async function whoIs(client: Client) {
  const review = await client.resource(SelfSubjectReview).create({});
  return review.status?.userInfo ?? {};
}

describe.runIf(hasReal)("identity of requests on a real server", () => {
  let folder: string;
  let signer: Awaited<ReturnType<typeof authority>>;
  let server: RealServer;
  let connection: ReturnType<RealServer["connectOptions"]>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "typekube-identity-"));
    signer = await authority();
    await writeFile(join(folder, "client-ca.pem"), signer.ca);
    const started = await startRealServer({
      flags: [`--client-ca-file=${join(folder, "client-ca.pem")}`, "--anonymous-auth=true"],
    });
    expect(started).toBeDefined();
    server = started as RealServer;
    connection = server.connectOptions();
  });

  afterAll(async () => {
    await server?.close();
    await signer?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  let configs = 0;
  /** Writes a kubeconfig with one user. */
  async function kubeconfig(user: object): Promise<string> {
    const path = join(folder, `config-${configs++}`);
    const ca = Buffer.from(connection.ca).toString("base64");
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "it",
      clusters: [
        { name: "it", cluster: { server: connection.server, "certificate-authority-data": ca } },
      ],
      users: [{ name: "it", user }],
      contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  }

  /** Writes a plugin that returns one status per run, and repeats the last one. */
  async function plugin(name: string, statuses: readonly object[]): Promise<object> {
    const command = join(folder, name);
    const script = `#!${process.execPath}
const fs = require("node:fs");
const runs = fs.existsSync("${command}.runs") ? Number(fs.readFileSync("${command}.runs", "utf8")) : 0;
fs.writeFileSync("${command}.runs", String(runs + 1));
const statuses = ${JSON.stringify(statuses)};
const status = statuses[Math.min(runs, statuses.length - 1)];
console.log(JSON.stringify({ apiVersion: "${apiVersion}", kind: "ExecCredential", status }));
`;
    await writeFile(command, script);
    await chmod(command, 0o755);
    return { exec: { apiVersion, command, interactiveMode: "Never" } };
  }

  async function whoWith(user: object, options: { anonymous?: true } = {}) {
    await using client = await connect({ kubeconfig: await kubeconfig(user), env: {}, ...options });
    return await whoIs(client);
  }

  test("X6, N22: after a 401, runs the plugin again and retries the request with the new token", async () => {
    const { token } = connection;
    const user = await plugin("tokens", [{ token: "wrong" }, { token }]);
    expect((await whoWith(user)).groups).toContain("system:masters");
  });

  test("X4: uses a plugin's certificate", async () => {
    const { cert, key } = await signer.client("alice");
    const user = await plugin("certificates", [
      { clientCertificateData: cert, clientKeyData: key },
    ]);
    expect((await whoWith(user)).username).toBe("alice");
  });

  test("S4, K27: impersonates with any characters in names", async () => {
    const user = {
      token: connection.token,
      as: "jané",
      "as-uid": "7",
      "as-groups": ["devs", "a, b"],
      "as-user-extra": { "example.com/ten ant%": ["x", "y"] },
    };
    const who = await whoWith(user);
    expect(who).toMatchObject({
      username: "jané",
      uid: "7",
      extra: { "example.com/ten ant%": ["x", "y"] },
    });
    expect(who.groups).toEqual(expect.arrayContaining(["devs", "a, b"]));
  });

  test("S4: concurrent requests as different users each have their own user's permissions", async () => {
    await using admin = await connect({ ...connection, env: {} });
    const rbac = "rbac.authorization.k8s.io";
    const metadata = { name: "readers", namespace: "default" };
    await admin.resource(Role, "default").create({
      metadata,
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }],
    });
    await admin.resource(RoleBinding, "default").create({
      metadata,
      roleRef: { apiGroup: rbac, kind: "Role", name: "readers" },
      subjects: [{ kind: "Group", apiGroup: rbac, name: "readers" }],
    });
    const configMaps = admin.resource(ConfigMap, "default");
    await configMaps.create({ metadata: { name: "seen-by-readers" } });
    const reader = { user: "jane", groups: ["readers"] };
    const asReader = admin.with({ impersonate: reader });
    for (const verb of ["get", "list"]) {
      await untilAllowed(asReader, { verb, resource: "configmaps", namespace: "default" });
    }
    const rounds = Array.from({ length: 20 }, async () => {
      const [own, allowed, denied, lists] = await Promise.allSettled([
        configMaps.create({ metadata: { generateName: "own-" } }),
        configMaps.get("seen-by-readers", { impersonate: reader }),
        configMaps.get("seen-by-readers", { impersonate: { user: "jane" } }),
        asReader.resource(ConfigMap, "default").list({ encoding: "protobuf" }),
      ]);
      expect([own.status, allowed.status, lists.status]).toEqual(Array(3).fill("fulfilled"));
      expect(denied).toMatchObject({ status: "rejected", reason: { code: "Forbidden" } });
    });
    await Promise.all(rounds);
    await expect(
      asReader.resource(ConfigMap, "default").create({ metadata: { name: "no" } }),
    ).rejects.toMatchObject({
      code: "Forbidden",
      message: expect.stringContaining('"jane"'),
      request: {
        auditId: expect.any(String),
        flowSchemaUid: expect.any(String),
        priorityLevelUid: expect.any(String),
      },
    });
    const who = await admin
      .with({ impersonate: { ...reader, uid: "7", extra: { "a.b/c": ["d"] } } })
      .resource(SelfSubjectReview)
      .create({});
    expect(who.status?.userInfo).toMatchObject({
      username: "jane",
      uid: "7",
      extra: { "a.b/c": ["d"] },
    });
    expect((await whoIs(admin)).groups).toContain("system:masters");
  });

  test("anonymous drops the configured credentials", async () => {
    const user = { token: connection.token, as: "jane" };
    await expect(whoWith(user, { anonymous: true })).rejects.toMatchObject({
      code: "Forbidden",
      message: expect.stringContaining('"system:anonymous"'),
    });
  });

  test("S7, N24: uses a replaced certificate from then on, and the earlier watch continues", async () => {
    await using admin = await connect({ ...connection, env: {} });
    await admin.resource(ClusterRoleBinding).create({
      metadata: { name: "everybody" },
      roleRef: {
        apiGroup: "rbac.authorization.k8s.io",
        kind: "ClusterRole",
        name: "cluster-admin",
      },
      subjects: [
        { kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "system:authenticated" },
      ],
    });
    const [alice, bob] = await Promise.all([signer.client("alice"), signer.client("bob")]);
    const files = { cert: join(folder, "tls.crt"), key: join(folder, "tls.key") };
    const write = async ({ cert, key }: { cert: string; key: string }) => {
      await writeFile(files.cert, cert);
      await writeFile(files.key, key);
    };
    await write(alice);
    let now = Date.now();
    const clock = {
      now: () => now,
      schedule(delayMs: number, callback: () => void) {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    };
    const user = { "client-certificate": files.cert, "client-key": files.key };
    await using client = await connect({ kubeconfig: await kubeconfig(user), env: {}, clock });
    expect((await whoIs(client)).username).toBe("alice");
    await untilAllowed(client, { verb: "watch", resource: "configmaps", namespace: "default" });
    const configMaps = client.resource(ConfigMap, "default");
    const watch = configMaps.watch()[Symbol.asyncIterator]();
    await watch.next();
    await write(bob);
    now += 2_000;
    expect((await whoIs(client)).username).toBe("bob");
    await configMaps.create({ metadata: { name: "late" } });
    for (;;) {
      const { value } = await watch.next();
      if (value?.type === "ADDED" && value.object.metadata.name === "late") {
        break;
      }
    }
    await watch.return?.();
  });
});
