import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv } from "../../src/environment/cel-env.js";
import { ipLibrary } from "../../src/libraries/ip/ip-library.js";
import { call, costOfCall, plain } from "./call.js";
import { outcomeOf, type Term } from "./term.js";

const env = celEnv();
const resultOf = (term: Term) => plain(outcomeOf(env, term).result);
const member = (name: string, text: string) => resultOf([`.${name}`, ["ip", text]]);

it("VK9: isIP takes one notation of IPv4 and every notation of IPv6 without zone", () => {
  const valid = [
    "0.0.0.0",
    "255.255.255.255",
    "::",
    "::1",
    "1::",
    "2001:DB8::ABCD",
    "2001:db8:0:0:0:0:0:1",
    "0001:0002::",
    "64:ff9b::1.2.3.4",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:1.2.3.4",
    "::1.2.3.4",
  ];
  const invalid = [
    "",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "1.2.3.256",
    "1.2..4",
    ".1.2.3",
    "1.2.3.",
    "1.2.3.a",
    " 1.2.3.4",
    "1.2.3.4/8",
    ":",
    ":::1",
    "::1::",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "12345::",
    "g::",
    "1:",
    "1:2:3:4:5:6:7:1.2.3.4",
    "1:2:1.2.3.4",
    "::1.2.3.4:5",
    "::1.2.3",
    "::ffff:1.2.3.4",
    "::ffff:102:304",
    "fe80::1%eth0",
    "fe80::1%",
    "%eth0",
  ];
  const isIp = (text: string) => call(ipLibrary, "isIP", text);
  assert.deepEqual(
    valid.filter((text) => isIp(text) !== true),
    [],
  );
  assert.deepEqual(
    invalid.filter((text) => isIp(text) !== false),
    [],
  );
});

it("VK9: ip explains with Go's message why a text is not an address", () => {
  const of = (text: string, message: string) =>
    `IP Address ${text} parse error during conversion from string: ParseAddr(${text}): ${message}`;
  const messages = {
    "": of('""', "unable to parse IP"),
    "1.2.3": of('"1.2.3"', "IPv4 address too short"),
    "1.2.3.4.5": of('"1.2.3.4.5"', "IPv4 address too long"),
    "01.2.3.4": of('"01.2.3.4"', "IPv4 field has octet with leading zero"),
    "1.2.3.256": of('"1.2.3.256"', "IPv4 field has value >255"),
    "1..3": of('"1..3"', 'IPv4 field must have at least one digit (at ".3")'),
    "1.x": of('"1.x"', 'unexpected character (at "x")'),
    ":::1": of('":::1"', 'each colon-separated field must have at least one digit (at ":1")'),
    "::1::": of('"::1::"', 'multiple :: in address (at ":")'),
    "12345::": of('"12345::"', 'each group must have 4 or less digits (at "12345::")'),
    "1:": of('"1:"', 'colon must be followed by more characters (at ":")'),
    "1:x": of('"1:x"', 'each colon-separated field must have at least one digit (at "x")'),
    "1x:": of('"1x:"', 'unexpected character, want colon (at "x:")'),
    "1:2": of('"1:2"', "address string too short"),
    "1::%": of('"1::%"', "zone must be a non-empty string"),
    "%é\n": of('"%é\\n"', "missing IPv6 address"),
    "fe80::1%eth0": 'IP address "fe80::1%eth0" with zone value is not allowed',
    "::ffff:1.2.3.4": 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed',
  };
  for (const [text, error] of Object.entries(messages)) {
    assert.deepEqual(plain(call(ipLibrary, "ip", text)), { error });
    assert.deepEqual(plain(call(ipLibrary, "ip.isCanonical", text)), { error });
  }
});

it("CEL24: the members of an address tell its family and its kind", () => {
  const kinds: Readonly<Record<string, readonly (readonly [string, boolean])[]>> = {
    isUnspecified: [
      ["0.0.0.0", true],
      ["::", true],
      ["127.0.0.1", false],
      ["::1", false],
    ],
    isLoopback: [
      ["127.0.0.1", true],
      ["127.9.9.9", true],
      ["::1", true],
      ["192.168.0.1", false],
      ["2001:db8::abcd", false],
      ["::", false],
    ],
    isLinkLocalMulticast: [
      ["224.0.0.1", true],
      ["224.0.1.1", false],
      ["ff02::1", true],
      ["ff12::1", true],
      ["ff00::1", false],
      ["fd00::1", false],
    ],
    isLinkLocalUnicast: [
      ["169.254.169.254", true],
      ["192.168.0.1", false],
      ["fe80::1", true],
      ["febf::1", true],
      ["fec0::1", false],
      ["fd80::1", false],
    ],
    isGlobalUnicast: [
      ["192.168.0.1", true],
      ["2001:db8::abcd", true],
      ["255.255.255.255", false],
      ["0.0.0.0", false],
      ["239.1.1.1", false],
      ["ff00::1", false],
      ["::1", false],
      ["fe80::1", false],
      ["169.254.1.1", false],
    ],
  };
  for (const [name, cases] of Object.entries(kinds)) {
    for (const [text, expected] of cases) {
      assert.equal(member(name, text), expected, `${name} of ${text}`);
    }
  }
  assert.equal(member("family", "127.0.0.1"), 4);
  assert.equal(member("family", "::1"), 6);
});

it("CEL25: string gives the canonical text, and ip.isCanonical compares with it", () => {
  const canonical = {
    "127.0.0.1": "127.0.0.1",
    "2001:DB8::ABCD": "2001:db8::abcd",
    "2001:db8::0:0:0:abcd": "2001:db8::abcd",
    "1:0:0:2:0:0:0:3": "1:0:0:2::3",
    "1:0:0:2:0:0:3:4": "1::2:0:0:3:4",
    "1:0:2:3:4:5:6:7": "1:0:2:3:4:5:6:7",
    "0:0:0:0:0:0:0:0": "::",
    "::1.2.3.4": "::102:304",
    "1:2:3:4:5:6:0:0": "1:2:3:4:5:6::",
  };
  for (const [text, expected] of Object.entries(canonical)) {
    assert.equal(resultOf(["string", ["ip", text]]), expected);
    assert.equal(call(ipLibrary, "ip.isCanonical", text), text === expected);
  }
});

it("VK9: addresses are equal by their bytes; another type cannot be compared", () => {
  assert.equal(resultOf(["==", ["ip", "2001:DB8::1"], ["ip", "2001:db8:0::1"]]), true);
  assert.equal(resultOf(["==", ["ip", "1.2.3.4"], ["ip", "::102:304"]]), false);
  assert.deepEqual(resultOf(["==", ["ip", "1.2.3.4"], ["dyn", "1.2.3.4"]]), {
    error: "no such overload",
  });
  assert.equal(resultOf(["==", ["dyn", "1.2.3.4"], ["ip", "1.2.3.4"]]), false);
  assert.equal(resultOf(["!=", ["ip", "1.2.3.4"], ["dyn", "1.2.3.4"]]), true);
});

it("VC1: parsing an address costs a tenth of a unit per character, twice for ip.isCanonical", () => {
  assert.equal(costOfCall(ipLibrary, "ip", "192.168.0.100"), 2);
  assert.equal(costOfCall(ipLibrary, "isIP", "192.168.0.1"), 2);
  assert.equal(costOfCall(ipLibrary, "ip.isCanonical", "192.168.0.1"), 3);
});
