import { codecs } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";

async function throughProtobuf(creationTimestamp: string): Promise<unknown> {
  const bytes = await codecs.protobuf.encode({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", creationTimestamp },
  });
  const { metadata } = (await codecs.protobuf.decode(bytes)) as { metadata: object };
  return (metadata as { creationTimestamp?: unknown }).creationTimestamp;
}

describe("protobuf times", () => {
  it.each([
    "1969-12-31T23:59:59Z",
    "1970-01-01T00:00:01Z",
    "0001-01-02T03:04:05Z",
    "2000-02-29T23:59:59Z",
    "2024-12-31T00:00:00Z",
    "9999-12-31T23:59:59Z",
  ])("N20: the time %s survives protobuf unchanged", async (text) => {
    expect(await throughProtobuf(text)).toBe(text);
  });

  it("N20: times throughout the years round-trip, whatever the previous one was", async () => {
    const step = 7 * 86_400_000 + 5 * 3_600_000 + 11 * 60_000 + 17_000;
    let count = 0;
    for (let at = Date.UTC(1950, 0, 1); at < Date.UTC(2100, 0, 1); at += step, count++) {
      const text = new Date(at).toISOString().replace(".000Z", "Z");
      expect(await throughProtobuf(text)).toBe(text);
    }
    expect(count).toBeGreaterThan(7_000);
  });

  it("N20: a day of every four-digit year round-trips", async () => {
    let count = 0;
    for (let at = Date.parse("0000-01-01T00:00:01Z"); count < 10_900; at += 335 * 86_400_000) {
      const text = new Date(at).toISOString().replace(".000Z", "Z");
      expect(await throughProtobuf(text)).toBe(text);
      count++;
    }
  });

  it.each([
    "2020-02-30T00:00:00Z",
    "2021-02-29T12:00:00Z",
    "2020-04-31T12:00:00+01:00",
    "2020-01-01T24:00:00Z",
    "2020-01-01T00:00:60Z",
    "2020-01-00T00:00:00Z",
    "2020-13-01T00:00:00Z",
  ])("N20: rejects the invalid time %s, as in JSON", async (text) => {
    await expect(throughProtobuf(text)).rejects.toMatchObject({ code: "InvalidArgument" });
  });

  it.each([
    ["2020-02-29T23:30:00-01:00", "2020-03-01T00:30:00Z"],
    ["2020-01-31T00:30:00+01:00", "2020-01-30T23:30:00Z"],
    ["2020-01-31T00:00:00.5Z", "2020-01-31T00:00:00Z"],
  ])("N20: reads the time %s as %s", async (text, shown) => {
    expect(await throughProtobuf(text)).toBe(shown);
  });

  it("N20: a MicroTime needs exactly six fractional digits, as in JSON", async () => {
    const lease = (renewTime: string) => ({
      kind: "Lease",
      apiVersion: "coordination.k8s.io/v1",
      metadata: { name: "a" },
      spec: { renewTime },
    });
    const sent = lease("2020-01-01T00:00:00.123456Z");
    expect(await codecs.protobuf.decode(await codecs.protobuf.encode(sent))).toEqual(sent);
    const comma = await codecs.protobuf.encode(lease("2020-01-01T01:00:00,123456+01:00"));
    expect(await codecs.protobuf.decode(comma)).toEqual(sent);
    for (const fraction of ["", ".1", ".123", ".12345", ".1234567", ".123456000"]) {
      await expect(
        codecs.protobuf.encode(lease(`2020-01-01T00:00:00${fraction}Z`)),
      ).rejects.toMatchObject({
        code: "InvalidArgument",
        rawMessage:
          "Lease.spec.renewTime must be a time such as 2006-01-02T15:04:05.000000Z, not a string",
      });
    }
  });
});
