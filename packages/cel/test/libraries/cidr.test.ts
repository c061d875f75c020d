import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv } from "../../src/environment/cel-env.js";
import { cidrLibrary } from "../../src/libraries/cidr/cidr-library.js";
import { call, costOfCall, plain } from "./call.js";
import { outcomeOf, type Term } from "./term.js";

const env = celEnv();
const resultOf = (term: Term) => plain(outcomeOf(env, term).result);

it("VK10: isCIDR takes a prefix length in the range and bits of the host", () => {
  const valid = ["0.0.0.0/0", "1.2.3.4/32", "192.168.0.1/16", "::/0", "::1/128", "2001:db8::1/64"];
  const invalid = [
    "",
    "1.2.3.4",
    "1.2.3.4/",
    "1.2.3.4/33",
    "::1/129",
    "1.2.3.4/-1",
    "1.2.3.4/+1",
    "1.2.3.4/01",
    "1.2.3.4/1 ",
    "1.2.3.4/x",
    "1.2.3.4/8/8",
    "1.2.3.4/99999999999999999999",
    "01.2.3.4/8",
    "fe80::1%eth0/64",
    "::ffff:1.2.3.4/96",
  ];
  const isCidr = (text: string) => call(cidrLibrary, "isCIDR", text);
  assert.deepEqual(
    valid.filter((text) => isCidr(text) !== true),
    [],
  );
  assert.deepEqual(
    invalid.filter((text) => isCidr(text) !== false),
    [],
  );
});

it("VK10: cidr explains with Go's message why a text is not a network", () => {
  const context = "network address parse error during conversion from string: ";
  const messages = {
    "1.2.3.4": `${context}${context}netip.ParsePrefix("1.2.3.4"): no '/'`,
    "1.2.3.4/33": `${context}${context}netip.ParsePrefix("1.2.3.4/33"): prefix length out of range`,
    "1.2.3.4/01": `${context}${context}netip.ParsePrefix("1.2.3.4/01"): bad bits after slash: "01"`,
    "1.2.3/8": `${context}${context}netip.ParsePrefix("1.2.3/8"): ParseAddr("1.2.3"): IPv4 address too short`,
    "fe80::1%a/8": `${context}${context}netip.ParsePrefix("fe80::1%a/8"): IPv6 zones cannot be present in a prefix`,
    "::ffff:1.2.3.4/8": `${context}IPv4-mapped IPv6 address "::ffff:1.2.3.4/8" is not allowed`,
  };
  for (const [text, error] of Object.entries(messages)) {
    assert.deepEqual(plain(call(cidrLibrary, "cidr", text)), { error });
  }
});

it("VK31: the examples of the documentation", () => {
  const examples: readonly (readonly [Term, unknown])[] = [
    [[".containsIP", ["cidr", "192.168.0.0/24"], ["ip", "192.168.0.1"]], true],
    [[".containsIP", ["cidr", "192.168.0.0/24"], ["ip", "192.168.1.1"]], false],
    [[".containsIP", ["cidr", "192.168.0.0/24"], "192.168.0.1"], true],
    [[".containsIP", ["cidr", "192.168.0.0/24"], "192.168.1.1"], false],
    [[".containsCIDR", ["cidr", "192.168.0.0/16"], ["cidr", "192.168.10.0/24"]], true],
    [[".containsCIDR", ["cidr", "192.168.1.0/24"], ["cidr", "192.168.2.0/24"]], false],
    [[".containsCIDR", ["cidr", "192.168.0.0/16"], "192.168.10.0/24"], true],
    [[".containsCIDR", ["cidr", "192.168.1.0/24"], "192.168.2.0/24"], false],
    [["string", [".ip", ["cidr", "192.168.0.1/24"]]], "192.168.0.1"],
    [[".family", [".ip", ["cidr", "::1/128"]]], 6],
    [["string", [".masked", ["cidr", "192.168.0.0/24"]]], "192.168.0.0/24"],
    [["string", [".masked", ["cidr", "192.168.0.1/24"]]], "192.168.0.0/24"],
    [["==", ["cidr", "192.168.0.0/24"], [".masked", ["cidr", "192.168.0.0/24"]]], true],
    [["==", ["cidr", "192.168.0.1/24"], [".masked", ["cidr", "192.168.0.1/24"]]], false],
    [[".prefixLength", ["cidr", "192.168.0.0/16"]], 16],
    [[".prefixLength", ["cidr", "::1/128"]], 128],
  ];
  for (const [term, expected] of examples) {
    assert.equal(resultOf(term), expected, JSON.stringify(term));
  }
});

it("VK10: a network contains neither addresses of the other family nor larger networks", () => {
  const contains = (network: string, other: string) =>
    resultOf([".containsIP", ["cidr", network], other]);
  assert.equal(contains("0.0.0.0/0", "::1"), false);
  assert.equal(contains("::/0", "1.2.3.4"), false);
  assert.equal(contains("10.0.0.0/9", "10.127.255.255"), true);
  assert.equal(contains("10.0.0.0/9", "10.128.0.0"), false);
  assert.equal(contains("10.0.0.77/24", "10.0.0.1"), true);
  assert.equal(contains("2001:db8::/61", "2001:db8:0:7::1"), true);
  assert.equal(contains("2001:db8::/61", "2001:db8:0:8::1"), false);
  const containsCidr = (network: string, other: string) =>
    resultOf([".containsCIDR", ["cidr", network], other]);
  assert.equal(containsCidr("10.0.0.0/16", "10.0.0.0/8"), false);
  assert.equal(containsCidr("10.0.0.0/8", "10.0.0.0/8"), true);
  assert.equal(containsCidr("0.0.0.0/0", "::/0"), false);
  assert.equal(containsCidr("::/0", "::1/128"), true);
});

it("VK10: containsIP drops the message of an invalid address, containsCIDR keeps it", () => {
  assert.deepEqual(resultOf([".containsIP", ["cidr", "10.0.0.0/8"], "x"]), {
    error: "no such overload",
  });
  assert.deepEqual(resultOf([".containsCIDR", ["cidr", "10.0.0.0/8"], "x"]), {
    error: `${"network address parse error during conversion from string: ".repeat(2)}netip.ParsePrefix("x"): no '/'`,
  });
});

it("VK10: string gives the canonical text and keeps the bits of the host", () => {
  assert.equal(resultOf(["string", ["cidr", "2001:DB8:0::1/64"]]), "2001:db8::1/64");
  assert.equal(resultOf(["string", [".masked", ["cidr", "2001:DB8:0::1/64"]]]), "2001:db8::/64");
});

it("VC1: the length of the prefix decides what contains costs", () => {
  const costOf = (term: Term) => outcomeOf(env, term).cost;
  assert.equal(costOfCall(cidrLibrary, "cidr", "192.168.0.0/16"), 2);
  // Parsing costs 2 and 2; 2 x 3 bytes cost 1.
  assert.equal(costOf([".containsIP", ["cidr", "192.168.0.0/24"], ["ip", "192.168.0.1"]]), 5);
  assert.equal(costOf([".containsIP", ["cidr", "192.168.0.0/24"], "192.168.0.1"]), 5);
  assert.equal(costOf([".containsIP", ["cidr", "2001:db8::/96"], "::1"]), 6);
  assert.equal(costOf([".containsCIDR", ["cidr", "2001:db8::/96"], ["cidr", "::/96"]]), 9);
});
