import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import type { HttpSend, ReclaimedBytes } from "@typekube/core/internal";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";

/** Splits bodies into pieces. Overwrites each piece once a reader that allowed its reuse requests the next. */
function spoiling(send: HttpSend, promises: string[]): HttpSend {
  return async (request) => {
    const response = await send(request);
    let spoils = false;
    const body: ReclaimedBytes = {
      reclaimChunks() {
        spoils = true;
        promises.push(request.path);
      },
      async *[Symbol.asyncIterator]() {
        for await (const chunk of response.body) {
          for (let at = 0; at < chunk.byteLength; at += 1_000) {
            const piece = Buffer.from(chunk.subarray(at, at + 1_000));
            yield piece;
            if (spoils) {
              piece.fill(0xaa);
            }
          }
        }
      },
    };
    return { ...response, body };
  };
}

describe.each(["json", "protobuf", "cbor"] as const)("the chunks of a body in %s", (encoding) => {
  it("lists and watches allow their reuse and still decode correctly; single objects do not allow it", async () => {
    await using api = await startApiServer();
    const promises: string[] = [];
    const transport = { send: spoiling(api.send, promises), server: api.server };
    await using client = await connect({ transport });
    const maps = client.resource(ConfigMap, "default");
    const data = (index: number) => ({ text: `${index} `.repeat(index * 30) });
    for (let index = 0; index < 20; index++) {
      await maps.create({ metadata: { name: `map-${index}` }, data: data(index) });
    }
    expect((await maps.get("map-19", { encoding })).data).toEqual(data(19));
    expect(promises).toEqual([]);

    const list = await maps.list({ encoding });
    const seen = new Map(list.items.map((map) => [map.metadata.name, map.data]));
    expect(seen.size).toBe(20);
    const events = maps.watch({ encoding, resourceVersion: "0" });
    for await (const event of events) {
      if (event.type === "ADDED") {
        expect(event.object.data).toEqual(seen.get(event.object.metadata.name));
        seen.delete(event.object.metadata.name);
        if (seen.size === 0) {
          break;
        }
      }
    }
    expect(promises).toHaveLength(2);
  });
});
