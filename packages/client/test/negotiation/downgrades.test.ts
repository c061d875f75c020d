import { Deployment } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import { type Downgrade, jsonPatch, strategicPatch } from "@typekube/client";
import { codecs } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import {
  podPage,
  ScriptedServer,
  type Sent,
  statusResponse,
} from "@typekube/test-support/scripted-server";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";
import { protobufPod } from "../helpers/protobuf-pods.js";

const json = "application/json";
const protobuf = "application/vnd.kubernetes.protobuf";
const cbor = "application/cbor";
const yaml = "application/yaml";
const orElse = (type: string) => `${type}, ${json};q=0.9`;

const pod = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name: "a", namespace: "prod" },
} as const;
const headersOf = (sent: readonly Sent[]) =>
  sent.map(({ headers }) => [headers["accept"], headers["content-type"]]);

/** Responds with 406 to an Accept header that names a type, and with 415 to a body of that type. */
function refusing(type: string): ScriptedServer {
  return new ScriptedServer((sent) => {
    if (sent.headers["content-type"]?.includes(type)) {
      return statusResponse(415, "UnsupportedMediaType");
    }
    if (sent.headers["accept"]?.includes(type)) {
      return statusResponse(406, "NotAcceptable");
    }
    return sent.url.endsWith("pods") && sent.method === "GET" ? podPage(["a"]) : { body: pod };
  });
}

describe("encodings that a server rejects", () => {
  it.each([
    ["protobuf", protobuf],
    ["cbor", cbor],
    ["yaml", yaml],
  ] as const)(
    "ALT4, ALT16: requests JSON after a 406 to %s, and requests JSON directly from then on",
    async (encoding, type) => {
      const server = refusing(type);
      const client = server.client();
      const { items } = await client.resource(Pod, "prod").list({ encoding });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
      await client.resource(Pod, "dev").list({ encoding });
      await client.with({}).resource(Pod, "dev").get("a", { encoding });
      await all(client.resource(Pod, "dev").items({ encoding }));
      expect(server.sent.map(({ headers }) => headers["accept"])).toEqual([
        orElse(type),
        json,
        json,
        json,
        json,
      ]);
      expect(server.bodiesEnded).toBe(server.sent.length);
    },
  );

  it("ALT4: a watch that the server rejects with 406 is repeated as JSON", async () => {
    const server = new ScriptedServer(statusResponse(406, "NotAcceptable"), { body: "" });
    const pods = server.client().resource(Pod, "prod");
    expect(await all(pods.watch({ resourceVersion: "5" }))).toEqual([]);
    expect(server.sent.map(({ headers }) => headers["accept"])).toEqual([orElse(protobuf), json]);
    expect(server.sent[1]?.path).toBe(server.sent[0]?.path);
  });

  it.each(["auto", "cbor", "json"] as const)(
    "ALT4: throws a 406 to JSON, under %s too, and does not loop",
    async (encoding) => {
      const server = new ScriptedServer(statusResponse(406, "NotAcceptable"));
      const pods = server.client().resource(Pod, "prod");
      expect((await failure(pods.list({ encoding }))).code).toBe("NotAcceptable");
      expect(server.sent).toHaveLength(encoding === "json" ? 1 : 2);
    },
  );

  it.each([
    ["protobuf", protobuf],
    ["cbor", cbor],
  ] as const)("ALT5: decodes the Status of a 406 in %s", async (name, type) => {
    const status = { ...(statusResponse(406, "NotAcceptable").body as object) };
    const body = await codecs[name].encode(status);
    const server = new ScriptedServer({ status: 406, type, body });
    const error = await failure(server.client().resource(Pod, "prod").get("a"));
    expect(error).toMatchObject({ code: "NotAcceptable", rawMessage: "NotAcceptable it is" });
  });

  it("ALT17, H44: sends a write again as JSON after a 415 to CBOR, and later writes as JSON directly", async () => {
    const server = refusing(cbor);
    const client = server.client().with({ encoding: "cbor" });
    const pods = client.resource(Pod, "prod");
    await pods.create(pod, { dryRun: "All" });
    await pods.update(pod);
    expect(headersOf(server.sent)).toEqual([
      // Each rejection concerns one of them: first the body, then the response.
      [orElse(cbor), cbor],
      [orElse(cbor), json],
      [json, json],
      [json, json],
    ]);
    expect(server.sent[1]?.query).toEqual({ dryRun: "All" });
    expect(JSON.parse(server.sent[2]?.text ?? "")).toEqual(pod);
  });

  it("H44: sends an apply again as YAML after a 415 to CBOR, with all its options", async () => {
    const server = new ScriptedServer(statusResponse(415, "UnsupportedMediaType"), { body: pod });
    const pods = server.client().with({ encoding: "cbor" }).resource(Pod, "prod");
    await pods.apply(pod, { fieldManager: "me", force: true });
    await pods.apply(pod);
    expect(headersOf(server.sent)).toEqual([
      [orElse(cbor), "application/apply-patch+cbor"],
      [orElse(cbor), "application/apply-patch+yaml"],
      [orElse(cbor), "application/apply-patch+yaml"],
    ]);
    expect(server.sent[1]?.path).toBe(server.sent[0]?.path);
  });

  it.each([
    ["a strategic patch", strategicPatch({})],
    ["a JSON patch", jsonPatch([])],
  ] as const)("ALT20: throws the 415 of a server to %s without a repetition", async (_, patch) => {
    const server = new ScriptedServer(statusResponse(415, "UnsupportedMediaType"));
    const pods = server.client().with({ encoding: "cbor" }).resource(Pod, "prod");
    expect((await failure(pods.patch("a", patch))).code).toBe("UnsupportedMediaType");
    expect(server.sent).toHaveLength(1);
  });

  it("does not repeat other failures", async () => {
    const server = new ScriptedServer(statusResponse(409, "Conflict"));
    const pods = server.client().with({ encoding: "cbor" }).resource(Pod, "prod");
    expect((await failure(pods.update(pod))).code).toBe("Conflict");
    expect(server.sent).toHaveLength(1);
  });

  it("are remembered per encoding and resource, and reported once", async () => {
    const server = refusing(protobuf);
    const received: Downgrade[] = [];
    const client = server.client({ onDowngrade: (downgrade) => void received.push(downgrade) });
    await client.resource(Pod, "prod").list();
    await client.resource(Pod, "prod").list();
    await client.resource(Pod, "prod").create(pod, { encoding: "protobuf" });
    expect(received).toEqual([
      { resource: "v1/pods", encoding: "protobuf", bodies: "responses", reason: "NotAcceptable" },
      {
        resource: "v1/pods",
        encoding: "protobuf",
        bodies: "requests",
        reason: "UnsupportedMediaType",
      },
    ]);
    await client.resource(Pod, "prod").get("a", { encoding: "cbor" });
    expect(server.last.headers["accept"]).toBe(orElse(cbor));
    await client.resource(Deployment, "prod").get("a", { encoding: "protobuf" });
    expect(received[2]).toMatchObject({ resource: "apps/v1/deployments" });
  });

  it("concurrent calls all succeed, and the downgrade is reported once", async () => {
    const server = refusing(protobuf);
    let received = 0;
    const client = server.client({ onDowngrade: () => void received++ });
    const pods = client.resource(Pod, "prod");
    const lists = await Promise.all(Array.from({ length: 20 }, () => pods.list()));
    expect(lists.every(({ items }) => items.length === 1)).toBe(true);
    expect(received).toBe(1);
  });

  it("are remembered for the life of the client, even after a server upgrade; a new client tries again", async () => {
    let isOld = true;
    const server = new ScriptedServer(({ headers }) => {
      if (isOld && headers["content-type"] === cbor) {
        return statusResponse(415, "UnsupportedMediaType");
      }
      return isOld && headers["accept"] !== json
        ? statusResponse(406, "NotAcceptable")
        : { body: pod };
    });
    const round = async (client = server.client()) => {
      server.sent.length = 0;
      await client.resource(Pod, "prod").get("a", { encoding: "protobuf" });
      await client.resource(Pod, "prod").create(pod, { encoding: "cbor" });
      return headersOf(server.sent);
    };
    const client = server.client();
    await round(client);
    const asJson = [
      [json, undefined],
      [json, json],
    ];
    expect(await round(client)).toEqual(asJson);
    isOld = false;
    expect(await round(client)).toEqual(asJson);
    expect(await round(client.with({ impersonate: { user: "jane" } }))).toEqual(asJson);
    expect(await round()).toEqual([
      [orElse(protobuf), undefined],
      [orElse(cbor), cbor],
    ]);
  });

  it("connect passes onDowngrade on, and clients made by with() share what was learned", async () => {
    const server = refusing(protobuf);
    const received: string[] = [];
    await using client = await connect({
      transport: { send: server.send, server: "http://scripted" },
      defaults: { encoding: "protobuf" },
      onDowngrade: ({ resource, bodies }) => void received.push(`${resource} ${bodies}`),
    });
    await client.resource(Pod, "prod").get("a");
    await client.with({ dryRun: "All" }).resource(Pod, "prod").get("a");
    expect(received).toEqual(["v1/pods responses"]);
    expect(server.sent).toHaveLength(3);
  });

  it("reports a field that protobuf would lose too", async () => {
    const server = new ScriptedServer({ type: protobuf, body: protobufPod("a*") }, { body: pod });
    const received: Downgrade[] = [];
    const client = server.client({ onDowngrade: (downgrade) => void received.push(downgrade) });
    await client.resource(Pod, "prod").get("a*", { encoding: "protobuf" });
    expect(received).toEqual([
      { resource: "v1/pods", encoding: "protobuf", bodies: "responses", reason: "UnknownField" },
    ]);
  });
});
