import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer, type Sent, statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

const configMap = { metadata: { name: "a" }, data: {} };

/**
 * Creates a server of a release. It responds to every write with the same ConfigMap, and rejects an apply when it is
 * too old for it.
 */
function serverOf(minor: string, gitVersion = `v1.${minor}.3`): ScriptedServer {
  return new ScriptedServer((sent: Sent) => {
    if (sent.url === "/version") {
      return { body: { major: "1", minor, gitVersion } };
    }
    const isApply = sent.headers["content-type"] === "application/apply-patch+yaml";
    return isApply && Number.parseInt(minor, 10) < 16
      ? statusResponse(415, "UnsupportedMediaType")
      : { body: { kind: "ConfigMap", apiVersion: "v1", ...configMap } };
  });
}

describe("DRY10, OLD13: a dry run on a server that would really write", () => {
  const calls = [
    ["create", (maps) => maps.create(configMap, { dryRun: "All" })],
    ["patch", (maps) => maps.patch("a", mergePatch({}), { dryRun: "All" })],
    ["apply", (maps) => maps.apply(configMap, { dryRun: "All" })],
    ["delete", (maps) => maps.delete("a", { dryRun: "All" })],
    ["deleteCollection", (maps) => maps.deleteCollection({ dryRun: "All" })],
  ] as const satisfies readonly (readonly [string, (maps: ReturnType<typeof mapsOf>) => unknown])[];
  function mapsOf(server: ScriptedServer) {
    return server.client().resource(ConfigMap, "prod");
  }

  it.each(calls)("is rejected before sending: %s", async (_, call) => {
    const server = serverOf("11");
    const client = server.client();
    await client.version();
    const error = await failure(call(client.resource(ConfigMap, "prod")));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain(
      "this server is v1.11.3, which ignores dryRun and would perform the write",
    );
    expect(server.log).toEqual(["GET /version"]);
  });

  it("is also rejected by a client that with() made with other defaults", async () => {
    const server = serverOf("11");
    const client = server.client();
    await client.version();
    const trying = client.with({ dryRun: "All" }).resource(ConfigMap, "prod");
    expect((await failure(trying.create(configMap))).code).toBe("InvalidArgument");
  });

  it.each(["13", "27+", "37"])(
    "is sent to a server of 1.%s, and to one whose version is unknown",
    async (minor) => {
      const server = serverOf(minor);
      const client = server.client();
      await client.version();
      await client.resource(ConfigMap, "prod").create(configMap, { dryRun: "All" });
      await mapsOf(serverOf("11")).create(configMap, { dryRun: "All" });
      expect(server.last.query).toEqual({ dryRun: "All" });
    },
  );
});

describe("SSA44: an apply to a server without server-side apply", () => {
  it("fails with an error that names the release and an alternative", async () => {
    const server = serverOf("15");
    const error = await failure(server.client().resource(ConfigMap, "prod").apply(configMap));
    expect(error.code).toBe("UnsupportedMediaType");
    expect(error.httpStatus).toBe(415);
    expect(error.message).toContain(
      "this server is v1.15.3 and does not support server-side apply",
    );
    expect(error.message).toContain("requires Kubernetes 1.16 or later");
    expect(server.log.at(-1)).toBe("GET /version");
  });

  it("fails with the server's own error when its age is not the reason, or is unknown", async () => {
    for (const version of [
      { body: { major: "1", minor: "37", gitVersion: "v1.37.1" } },
      statusResponse(403, "Forbidden"),
    ]) {
      const server = new ScriptedServer((sent) =>
        sent.url === "/version" ? version : statusResponse(415, "UnsupportedMediaType"),
      );
      const error = await failure(server.client().resource(ConfigMap, "prod").apply(configMap));
      expect(error.rawMessage).toBe("UnsupportedMediaType it is");
    }
  });
});

it("OLD8: rejects an unsafe delete where the server does not know the option", async () => {
  const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true } as const;
  for (const [minor, refused] of [
    ["31", true],
    ["32", false],
  ] as const) {
    const client = serverOf(minor).client();
    await client.version();
    const deleting = client.resource(ConfigMap, "prod").delete("a", unsafe);
    if (refused) {
      const error = await failure(deleting);
      expect(error.code).toBe("InvalidArgument");
      expect(error.message).toContain("this server is v1.31.3 and does not support this option");
    } else {
      await deleting;
    }
  }
});

describe("FLD12, OLD13: fieldValidation on a server that validates no fields", () => {
  it.each(["Strict", "Warn"] as const)(
    "warns that the server ignores fieldValidation %s",
    async (fieldValidation) => {
      const warnings: string[] = [];
      const client = serverOf("20").client();
      await client.version();
      const onWarning = (text: string) => void warnings.push(text);
      const maps = client.resource(ConfigMap, "prod");
      await maps.create(configMap, { fieldValidation, onWarning });
      expect(warnings).toEqual([
        `fieldValidation=${fieldValidation} has no effect: this server is v1.20.3, and field validation requires Kubernetes 1.25 or later`,
      ]);
    },
  );

  it("does not warn if fields are validated, no validation was requested, or the version is unknown", async () => {
    const warnings: string[] = [];
    const onWarning = (text: string) => void warnings.push(text);
    for (const [minor, fieldValidation] of [
      ["25", "Strict"],
      ["20", "Ignore"],
      ["20", undefined],
    ] as const) {
      const client = serverOf(minor).client();
      await client.version();
      const options = { ...(fieldValidation && { fieldValidation }), onWarning };
      await client.resource(ConfigMap, "prod").create(configMap, options);
    }
    const unknown = serverOf("20").client().resource(ConfigMap, "prod");
    await unknown.create(configMap, { fieldValidation: "Strict", onWarning });
    expect(warnings).toEqual([]);
  });
});

it("OLD12: keeps the selfLink of an old server through a read and a write", async () => {
  const selfLink = "/api/v1/namespaces/prod/pods/a";
  const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "a", selfLink } };
  const server = new ScriptedServer({ body: pod });
  const pods = server.client().resource(Pod, "prod");
  await pods.update(await pods.get("a"));
  expect(JSON.parse(server.last.text).metadata.selfLink).toBe(selfLink);
});
