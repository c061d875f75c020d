import { describe, expect, test } from "vitest";
import { hasFormat } from "../src/values/value-formats.js";
import { textsOf } from "./value-errors.js";

describe("formats of strings", () => {
  test.each([
    ["date-time", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00Z"],
    ["date", "2024-02-29", "2023-02-29"],
    ["ipv4", "10.0.0.1", "10.0.0.256"],
    ["ipv6", "fe80::1", "fe80::1::2"],
    ["cidr", "10.0.0.0/8", "10.0.0.0/33"],
    ["mac", "01:02:03:04:05:06", "01:02"],
    ["uuid", "0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b"],
    ["email", "a@example.com", "a example.com"],
    ["hostname", "web-1.example.com", "-web"],
    ["uri", "https://example.com/x", "example com"],
    ["byte", "aGk=", "a"],
    ["duration", "1h30m", "soon"],
    ["duration", "3 days", "3 apples"],
    // The server looks for a number with a unit anywhere.
    ["duration", "P1D", "P1Y"],
    ["duration", "1.5h", ""],
    ["hexcolor", "#fff", "#ffff"],
    ["isbn", "978-0321751041", "978-0321751042"],
    ["k8s-short-name", "web-1", "Web"],
    ["k8s-long-name", "a.web-1", "a..b"],
  ])("ES14: the format %s accepts %j and rejects %j", (format, good, bad) => {
    expect([hasFormat(good, format), hasFormat(bad, format)]).toEqual([true, false]);
  });

  test("ES14: an unknown format checks nothing, and formats depend on the type", () => {
    expect(textsOf({ type: "string", format: "wave" }, "x")).toEqual([]);
    expect(textsOf({ type: "integer", format: "date" }, 1)).toEqual([]);
    expect(textsOf({ type: "string", format: "date" }, "x")).toEqual([
      'FieldValueTypeInvalid at <nil>: Invalid value: "x":  in body must be of type date: "x"',
    ]);
  });
});
