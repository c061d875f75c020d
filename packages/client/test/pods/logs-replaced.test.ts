import { Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import type { Clock, HttpRequest, HttpResponse } from "@typekube/core/internal";
import { Client } from "typekube/internal";
import { expect, it } from "vitest";
import { running, state } from "../helpers/log-server.js";

it("XL4: another pod that takes the name while a log is resumed is not read", async () => {
  let isReplaced = false;
  let requests = 0;
  /** Time passes at once. The pod is replaced while the follower waits for its third attempt. */
  const clock: Clock = {
    now: () => 0,
    schedule(delayMs, callback) {
      isReplaced ||= delayMs > 0 && requests === 2;
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
  async function* cutOff(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from("2026-01-01T00:00:01.000000001Z of the first\n");
    throw new KubeError("ConnectionReset", "read ECONNRESET");
  }
  async function* of(text: string): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(text);
  }
  const send = async ({ path }: HttpRequest): Promise<HttpResponse> => {
    if (!path.includes("/log")) {
      const metadata = { name: "web-0", namespace: "prod", uid: isReplaced ? "u2" : "u1" };
      const spec = { containers: [{ name: "main", image: "x" }] };
      const status = state(0, running);
      const pod = { apiVersion: "v1", kind: "Pod", metadata, spec, status };
      const headers = { "content-type": "application/json" };
      return { status: 200, headers, body: of(JSON.stringify(pod)) };
    }
    requests += 1;
    if (requests === 2) {
      throw new KubeError("ConnectionRefused", "connect ECONNREFUSED");
    }
    const body = requests === 1 ? cutOff() : of("2026-01-01T00:00:09.000000001Z of the second\n");
    return { status: 200, headers: { "content-type": "text/plain" }, body };
  };
  await using client = new Client({ server: "http://logs", send, clock });
  const seen: string[] = [];
  const pod = client.resource(Pod, "prod").named("web-0");
  for await (const event of pod.logs({ follow: true, events: true })) {
    seen.push(event.type === "line" ? event.text : event.type);
  }
  expect(seen).toEqual(["of the first", "gap"]);
  expect(requests).toBe(2);
});
