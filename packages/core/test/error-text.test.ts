import { inspect } from "node:util";
import { codecs } from "@typekube/core/internal";
import { chunksOf, flat } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json } = codecs;

describe("N34: errors describe the problem of a body without showing the body", () => {
  it.each([
    '{"password":"hunter2"x}',
    "hunter2",
    '"hunter2',
    '{"a":hunter2}',
    '{"hunter2":1,}',
    '["hunter2"\n"hunter2"]',
    '{"a":"hunter2\n"}',
    '"hunter2" "hunter2"',
    '{"n":9007199254740993,"a":"hunter2" hunter2}',
  ])("the error for %j shows no part of the body", async (text) => {
    for (const read of [
      json.decode(Buffer.from(text)),
      flat(json.decodeWatch(chunksOf(text))),
      readList(json, chunksOf(`{"kind":"SecretList","items":[{"a":${text}}]}`)),
    ]) {
      const error = await failure(read);
      expect(error.code).toBe("Decode");
      expect(inspect(error)).not.toContain("hunter2");
      expect(error.message.length).toBeGreaterThan("[Decode] ".length);
    }
  });

  it("reports an empty body as empty", async () => {
    expect((await failure(json.decode(Buffer.alloc(0)))).message).toContain("empty");
  });

  it("rejects values without a JSON form", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const value of [undefined, () => 1, Symbol("x"), circular]) {
      expect((await failure(json.encode(value))).code).toBe("InvalidArgument");
    }
  });
});
