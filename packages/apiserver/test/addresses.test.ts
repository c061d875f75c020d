import { describe, expect, test } from "vitest";
import {
  canonicalAddress,
  canonicalCidr,
  canonicalCidrTexts,
  canonicalIpTexts,
  cidrTexts,
  familyOf,
  ipTexts,
  isOutside,
  specialAddressTexts,
} from "../src/phases/validate/addresses.js";

const noAddress = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const noCidr = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

describe("addresses, validated as strictly as since 1.36", () => {
  test.each([
    ["10.9.8.7", []],
    ["2001:db8::ffff", []],
    ["2001:DB8:0::ffff", []],
    ["", [noAddress]],
    ["10.9.8", [noAddress]],
    ["10.9.8.256", [noAddress]],
    ["fe80::1%eth0", [noAddress]],
    ["1::2::3", [noAddress]],
    ["010.9.8.7", ["must not have leading 0s"]],
    ["::ffff:10.9.08.7", ["must not have leading 0s"]],
    ["::ffff:10.9.8.7", ["must not be an IPv4-mapped IPv6 address"]],
    ["::ffff:a09:807", ["must not be an IPv4-mapped IPv6 address"]],
    ["::10.9.8.7", []],
  ])("validates %s as an IP address", (text, texts) => {
    expect(ipTexts(text)).toEqual(texts);
  });

  test.each([
    ["10.0.0.0/8", []],
    ["0.0.0.0/0", []],
    ["2001:db8::/64", []],
    ["::/0", []],
    ["10.0.0.0", [noCidr]],
    ["10.0.0.0/33", [noCidr]],
    ["10.0.0.0/8/8", [noCidr]],
    ["10.0.0.0/-1", [noCidr]],
    ["010.0.0.0/8", ["must not have leading 0s in IP or prefix length"]],
    ["10.0.0.0/08", ["must not have leading 0s in IP or prefix length"]],
    ["::ffff:10.0.0.0/104", ["must not have an IPv4-mapped IPv6 address"]],
    ["10.0.0.1/8", ["must not have bits set beyond the prefix length"]],
    ["2001:db8::1/64", ["must not have bits set beyond the prefix length"]],
    ["10.0.0.1/32", []],
  ])("validates %s as an address range", (text, texts) => {
    expect(cidrTexts(text)).toEqual(texts);
  });

  test.each([
    ["010.9.8.7", "10.9.8.7"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["1:2:3:4:5:6:0:8", "1:2:3:4:5:6:0:8"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::1.2.3.4", "::102:304"],
    ["nothing", undefined],
  ])("returns the canonical form of %s", (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });

  test("rejects other than canonical forms", () => {
    expect(canonicalIpTexts("2001:DB8::1")).toEqual(['must be in canonical form ("2001:db8::1")']);
    expect(canonicalIpTexts("2001:db8::1")).toEqual([]);
    expect(canonicalCidrTexts("2001:DB8::/64")).toEqual([
      'must be in canonical form ("2001:db8::/64")',
    ]);
    expect(canonicalCidrTexts("10.0.0.1/8")).toEqual(cidrTexts("10.0.0.1/8"));
    expect(canonicalCidr("nothing")).toBeUndefined();
  });

  test("returns the IP family of addresses and ranges", () => {
    expect(["1.2.3.4", "1.2.3.0/24", "::1", "::/0", "nothing"].map(familyOf)).toEqual([
      4, 4, 6, 6, 0,
    ]);
  });

  test.each([
    ["0:0::0", "may not be unspecified (0:0::0)"],
    ["127.1.2.3", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
    ["0:0::1", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
    ["FE80::1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
    ["169.254.1.1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
    ["FF02::1", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
    ["224.0.0.1", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
  ])("rejects the special address %s", (text, why) => {
    expect(specialAddressTexts(text)).toEqual([why]);
  });

  test("a range is inside another only if it is smaller", () => {
    expect(isOutside("10.1.0.0/16", "10.0.0.0/8")).toBe(false);
    expect(isOutside("10.0.0.0/8", "10.0.0.0/8")).toBe(true);
    expect(isOutside("11.0.0.0/16", "10.0.0.0/8")).toBe(true);
    expect(isOutside("2001:db8::/64", "10.0.0.0/8")).toBe(true);
    expect(isOutside("nothing", "10.0.0.0/8")).toBe(false);
  });
});
