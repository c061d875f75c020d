import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import { ClusterRole, ClusterRoleBinding } from "@typekube/api/rbac/v1";
import { KubeError } from "@typekube/core";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { untilAllowed } from "@typekube/test-support/real-server/until-allowed";
import { type Client, connect } from "typekube";
import { afterAll, beforeAll, describe, test } from "vitest";

const assets = await findAssets();
const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true } as const;

describe.skipIf(assets === undefined)("an object that the server cannot decode", () => {
  let server: RealServer;
  let admin: Client;

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
    admin = await connect({ ...server.connectOptions(), transportOptions: { maxRetries: 0 } });
    for (const name of ["a", "b", "good"]) {
      await admin.resource(ConfigMap, "default").create({ metadata: { name } });
    }
    await server.corrupt("configmaps", "default", "a");
    await server.corrupt("configmaps", "default", "b");
  });
  afterAll(async () => {
    await admin?.close();
    await server?.close();
  });

  const failure = async (call: Promise<unknown>): Promise<KubeError> => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof KubeError, String(error));
    return error;
  };

  test("DEL5: reads and an ordinary delete report it, and only the unsafe option deletes it", async () => {
    const maps = admin.resource(ConfigMap, "default");
    assert.equal((await failure(maps.get("a"))).httpStatus, 500);
    const list = maps.list({ limit: 10, resourceVersion: "" });
    assert.equal((await failure(list)).code, "StorageReadError");
    assert.equal((await failure(maps.delete("a"))).httpStatus, 500);
    await maps.delete("a", unsafe);
    assert.equal(await maps.find("a"), undefined);
  });

  test("DEL6, DEL8: an unsafe delete tries the ordinary delete first and keeps a readable object", async () => {
    const maps = admin.resource(ConfigMap, "default");
    assert.equal((await failure(maps.delete("good", unsafe))).code, "Conflict");
    assert.ok(await maps.find("good"));
  });

  test("DEL9, OLD13: an unsafe delete requires its own verb in addition to delete", async () => {
    const name = "deleter";
    const roles = admin.resource(ClusterRole);
    const rule = { apiGroups: [""], resources: ["configmaps"], verbs: ["delete"] };
    await roles.create({ metadata: { name }, rules: [rule] });
    await admin.resource(ClusterRoleBinding).create({
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
    });
    const user = admin.with({ impersonate: { user: name } });
    const deleter = user.resource(ConfigMap, "default");
    const right = { resource: "configmaps", namespace: "default", name: "b" };
    await untilAllowed(user, { ...right, verb: "delete" });
    const refused = await failure(deleter.delete("b", unsafe));
    assert.equal(refused.code, "Forbidden");
    assert.match(refused.message, /unsafe-delete-ignore-read-errors/);
    const verbs = ["delete", "unsafe-delete-ignore-read-errors"];
    await roles.apply({ metadata: { name }, rules: [{ ...rule, verbs }] }, { force: true });
    await untilAllowed(user, { ...right, verb: "unsafe-delete-ignore-read-errors" });
    await deleter.delete("b", unsafe);
    assert.equal(await admin.resource(ConfigMap, "default").find("b"), undefined);
  });
});
