import { codecs, mediaTypes, parseMediaType } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";

describe("media types", () => {
  it("ALT2: the named media types are those of the API", () => {
    expect(mediaTypes).toMatchObject({
      json: "application/json",
      yaml: "application/yaml",
      protobuf: "application/vnd.kubernetes.protobuf",
      cbor: "application/cbor",
      cborSequence: "application/cbor-seq",
    });
  });

  it.each([
    ["application/json", "application/json", {}],
    ["Application/JSON ; Charset=utf-8", "application/json", { charset: "utf-8" }],
    [
      "application/vnd.kubernetes.protobuf;stream=watch",
      "application/vnd.kubernetes.protobuf",
      { stream: "watch" },
    ],
    ['a/b; c="d e" ;f', "a/b", { c: "d e", f: "" }],
    ["a/b;c=d=e;", "a/b", { c: "d=e" }],
    ["", "", {}],
  ])("parses essence and parameters of %j", (text, essence, parameters) => {
    const parsed = parseMediaType(text);
    expect(parsed.essence).toBe(essence);
    expect({ ...parsed.parameters }).toEqual(parameters);
  });

  it("H13, ALT3: the codec follows the Content-Type, whatever its parameters", () => {
    expect(codecs.forContentType("application/json; charset=utf-8")).toBe(codecs.json);
    expect(codecs.forContentType("APPLICATION/VND.KUBERNETES.PROTOBUF;stream=watch")).toBe(
      codecs.protobuf,
    );
    expect(codecs.forContentType("application/cbor")).toBe(codecs.cbor);
    expect(codecs.forContentType("application/cbor-seq")).toBe(codecs.cbor);
    expect(codecs.forContentType("application/yaml")).toBe(codecs.yaml);
    for (const type of ["text/plain", "text/yaml", "application/jsonx", ""]) {
      expect(codecs.forContentType(type)).toBeUndefined();
    }
  });
});
