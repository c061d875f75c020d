import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv } from "../../src/environment/cel-env.js";
import { urlsLibrary } from "../../src/libraries/urls/urls-library.js";
import { call, costOfCall, plain } from "./call.js";
import { outcomeOf, type Term } from "./term.js";

const env = celEnv();
const isUrl = (text: string) => call(urlsLibrary, "isURL", text);
const part = (name: string, text: string) =>
  plain(outcomeOf(env, [`.${name}`, ["url", text]]).result);

it("VK7: isURL takes what Go's ParseRequestURI takes", () => {
  const valid = [
    "https://example.com",
    "https://user:pass@example.com:80/path?query=val#fragment",
    "/absolute-path",
    "//h/x",
    "/x y",
    "*",
    "mailto:x",
    "x:",
    "https://h:99999/",
    "https://h:/",
    "https://EXAMPLE.com/",
    "https://[::1]:80/",
    "https://[fe80::1%25eth0]/",
    "https://[fe80::1%25%20x]/",
    "https://h%C3%A4/",
    "https://ü.example/",
    "ftp://a:b:1/",
    "https://a@b@c/",
    "https://h/?%zz",
    "https://h/?a=1;b=2",
    "https://h?x",
  ];
  const invalid = [
    "",
    "../relative",
    "x",
    "1:x",
    ":x",
    "?a",
    "#a",
    "https://a b.c/",
    "https://a:b:c/",
    "https://a:1:2/",
    "ftp://a:1:b/",
    "https://h:8x/",
    "https://[::1/",
    "https://x[::1]/",
    "https://[1.2.3.4]/",
    "https://[::1]x/",
    "https://[nothing]/",
    "https://h%41/",
    "https://h\\x/",
    "https://u ser@h/",
    "https://%zz@h/",
    "/%zz",
    "/%",
    "/a\tb",
    "/\u007f",
  ];
  assert.deepEqual(
    valid.filter((text) => isUrl(text) !== true),
    [],
  );
  assert.deepEqual(
    invalid.filter((text) => isUrl(text) !== false),
    [],
  );
});

it("VK7: url explains with Go's message why a text is not a URL", () => {
  const start = "URL parse error during conversion from string: ";
  const messages = {
    "": 'parse "": empty url',
    "../x": 'parse "../x": invalid URI for request',
    ":x": 'parse ":x": missing protocol scheme',
    "https://a:b:c/": 'parse "https://a:b:c/": invalid port ":b:c" after host',
    "https://a b/": 'parse "https://a b/": invalid character " " in host name',
    "https://[::1/": `parse "https://[::1/": missing ']' in host`,
    "https://x[::1]/": 'parse "https://x[::1]/": invalid IP-literal',
    "https://[1.2.3.4]/": 'parse "https://[1.2.3.4]/": invalid IP-literal',
    "https://[x]/": 'parse "https://[x]/": invalid host: ParseAddr("x"): unable to parse IP',
    "https://u ser@h/": 'parse "https://u ser@h/": net/url: invalid userinfo',
    "https://h%41/": 'parse "https://h%41/": invalid URL escape "%41"',
    "/%zzz": 'parse "/%zzz": invalid URL escape "%zz"',
    "/%ä": 'parse "/%ä": invalid URL escape "%ä"',
    "/%1ä": 'parse "/%1ä": invalid URL escape "%1\\xc3"',
    "/a\tb": 'parse "/a\\tb": net/url: invalid control character in URL',
  };
  for (const [text, message] of Object.entries(messages)) {
    assert.deepEqual(plain(call(urlsLibrary, "url", text)), { error: start + message });
  }
});

it("VK7: a URL may have an invalid fragment or host for url only, since isURL does not know either", () => {
  assert.equal(isUrl("/x?q#%zz"), true);
  assert.deepEqual(plain(call(urlsLibrary, "url", "/x?q#%zz")), {
    error:
      'URL parse error during conversion from string: parse "/x?q#%zz": invalid URL escape "%zz"',
  });
  assert.equal(isUrl("//h:x/"), true);
  assert.deepEqual(plain(call(urlsLibrary, "url", "//h:x/")), {
    error:
      'URL parse error during conversion from string: parse "//h:x/": invalid port ":x" after host',
  });
});

it("CEL22: the parts of a URL are those of Go's url.Parse", () => {
  const parts: readonly (readonly [string, string, string])[] = [
    ["getScheme", "/path", ""],
    ["getScheme", "HTTPS://example.com/", "https"],
    ["getHost", "https://example.com:80/", "example.com:80"],
    ["getHost", "https://EXAMPLE.com/", "EXAMPLE.com"],
    ["getHost", "https://[::1]:80/", "[::1]:80"],
    ["getHost", "https://[::1]/", "[::1]"],
    ["getHost", "https://user:pass@h/", "h"],
    ["getHost", "/path", ""],
    ["getHost", "//h/x", "h"],
    ["getHost", "mailto:x", ""],
    ["getHost", "https://h%C3%A4/", "hä"],
    ["getHostname", "https://example.com:80/", "example.com"],
    ["getHostname", "https://[::1]:80/", "::1"],
    ["getHostname", "https://[fe80::1%25eth0]:80/", "fe80::1%eth0"],
    ["getPort", "https://example.com:80/", "80"],
    ["getPort", "https://example.com:/", ""],
    ["getPort", "https://example.com/", ""],
    ["getPort", "https://[::1]/", ""],
    ["getEscapedPath", "https://example.com/path", "/path"],
    ["getEscapedPath", "https://example.com/path with spaces/", "/path%20with%20spaces/"],
    ["getEscapedPath", "https://example.com/a%2fb", "/a%2fb"],
    ["getEscapedPath", "https://example.com/ä", "/%C3%A4"],
    ["getEscapedPath", "https://example.com/[x]'*", "/[x]'*"],
    ["getEscapedPath", "https://example.com", ""],
    ["getEscapedPath", "https://example.com/a#b", "/a"],
    ["getEscapedPath", "mailto:x", ""],
    ["getEscapedPath", "*", "*"],
  ];
  for (const [name, text, expected] of parts) {
    assert.equal(part(name, text), expected, `${name} of ${text}`);
  }
});

it("VK8: getQuery returns the values of each key and leaves out what it cannot read", () => {
  const query = (text: string) => part("getQuery", `https://h/?${text}`);
  const map = (entries: Record<string, string[]>) => new Map(Object.entries(entries));
  assert.deepEqual(query("k1=a&k2=b&k2=c"), map({ k1: ["a"], k2: ["b", "c"] }));
  assert.deepEqual(query("a+b=c+d&e%20f=%C3%A4"), map({ "a b": ["c d"], "e f": ["ä"] }));
  assert.deepEqual(query("a&b=&=c&&"), map({ a: [""], b: [""], "": ["c"] }));
  assert.deepEqual(query("a=1;b=2"), map({}));
  assert.deepEqual(query("%zz=1&a=%zz&b=x"), map({ b: ["x"] }));
  assert.deepEqual(query("a=b=c"), map({ a: ["b=c"] }));
  assert.deepEqual(query(""), map({}));
  assert.deepEqual(part("getQuery", "https://h/a#?x=1"), map({}));
  assert.deepEqual(query("a&".repeat(10_000)), map({}));
});

it("VK7: URLs are equal if their texts are", () => {
  const equals = (a: string, b: string) =>
    outcomeOf(env, ["==", ["url", a], ["url", b]] satisfies Term).result;
  assert.equal(equals("HTTPS://h/ä", "https://h/%C3%A4"), true);
  assert.equal(equals("https://h?", "https://h"), false);
  assert.equal(equals("https://h/a%2fb", "https://h/a/b"), false);
  assert.equal(equals("https://u:p@h:1/a?b#c", "https://u:p@h:1/a?b#c"), true);
});

it("VL27: expressions cannot name the type of a URL, but that of an address", () => {
  const isType = (value: string, type: string) =>
    celEnv().check(`type(${value}) == ${type}`).length === 0;
  assert.equal(isType("url('/')", "kubernetes.URL"), false);
  assert.equal(isType("quantity('1')", "kubernetes.Quantity"), false);
  assert.equal(isType("ip('::1')", "net.IP"), true);
  assert.equal(isType("cidr('::1/8')", "net.CIDR"), true);
});

it("VC1: url costs a tenth of a unit per character, its parts one unit", () => {
  assert.equal(costOfCall(urlsLibrary, "url", `https://h/${"x".repeat(31)}`), 5);
  assert.equal(costOfCall(urlsLibrary, "isURL", "https://h/"), 1);
});
