import type { Term } from "../../../packages/cel/test/libraries/term.js";

type Random = () => number;

/** Pieces of texts per library: correct texts, and what makes them wrong. */
const pieces = {
  urls: [
    ..."/ // : @ ? # & = ; % + . * [ ] - ä".split(" "),
    ..."http https ftp mailto h example.com user:pw 80 :99999 [::1] [fe80::1%25e] a b x=1 y=2".split(
      " ",
    ),
    ..."%20 %zz %C3%A4 %2f %41 %25 ' ( ! ~ _ ^ | \" < >".split(" "),
    " ",
    "\\",
    "\t",
    "http://",
    "https://h/",
  ],
  ips: [
    ..."1 0 255 256 01 . : :: ff ABCD 12345 ffff 1.2.3.4 ::1 fe80 % %eth0 g / 10.0.0.0 2001:db8".split(
      " ",
    ),
    " ",
    "::ffff:",
    "0:0:0:",
  ],
  cidrs: [
    ..."10.0.0.0 192.168.1.1 ::1 2001:db8:: 0.0.0.0 1.2.3 :: ::ffff:1.2.3.4 / / / 0 8 16 24 32 33 64 128 129 -1 +1 01 x".split(
      " ",
    ),
  ],
  quantities: [
    ..."0 1 5 9 10 000 123 999999999 1234567890123456789 . . - + e E n u m k M G T P Ki Mi Gi Ti Pi Ei e3 e-3 e400 e-12".split(
      " ",
    ),
    " ",
    "ä",
  ],
  versions: [
    ..."0 1 2 10 01 00 v . . . . - + a alpha beta rc 1.2.3 18446744073709551615 18446744073709551616 9223372036854775808 ä".split(
      " ",
    ),
  ],
  formats: [
    ..."a A 0 1 - - _ . / é my-name example.com aGVsbG8= + == 2024-02-29 2023-02-29 T00:00:00Z t23:59:59.5+01:00 :60".split(
      " ",
    ),
    "123e4567-e89b-12d3-a456-426614174000",
    "a".repeat(63),
    "b.".repeat(127),
    " ",
    "\n",
  ],
} as const;

const formatNames = [
  "dns1123Label",
  "dns1123Subdomain",
  "dns1035Label",
  "qualifiedName",
  "dns1123LabelPrefix",
  "dns1123SubdomainPrefix",
  "dns1035LabelPrefix",
  "labelValue",
  "uri",
  "uuid",
  "byte",
  "date",
  "datetime",
];

function oneOf<T>(random: Random, values: readonly [T, ...T[]]): T;
function oneOf<T>(random: Random, values: readonly T[]): T | undefined;
function oneOf<T>(random: Random, values: readonly T[]): T | undefined {
  return values[Math.floor(random() * values.length)];
}

function textOf(random: Random, kind: keyof typeof pieces): string {
  const length = Math.floor(random() * 7);
  return Array.from({ length }, () => oneOf<string>(random, pieces[kind]) ?? "").join("");
}

/** Returns random calls of a library's functions with random texts. */
export function randomTerm(random: Random, kind: keyof typeof pieces): Term {
  const text = textOf(random, kind);
  switch (kind) {
    case "urls": {
      const name = oneOf(random, ["Scheme", "Host", "Hostname", "Port", "EscapedPath", "Query"]);
      const url: Term = ["url", text];
      const other: Term = ["==", url, ["url", textOf(random, kind)]];
      return oneOf<Term>(random, [["isURL", text], [`.get${name}`, url], url, other]);
    }
    case "ips": {
      const ip: Term = ["ip", text];
      const name = oneOf(random, ["family", "isGlobalUnicast", "isLoopback", "isLinkLocalUnicast"]);
      const calls: [Term, ...Term[]] = [
        ["isIP", text],
        ["ip.isCanonical", text],
        ["string", ip],
      ];
      return oneOf<Term>(random, [...calls, [`.${name}`, ip]]);
    }
    case "cidrs":
      return randomNetwork(random, ["cidr", text], textOf(random, kind));
    case "quantities":
      return randomSum(random, quantityOf(text), quantityOf(textOf(random, kind)));
    case "versions": {
      const loose = random() < 0.5;
      const [a, b]: [Term, Term] = [
        ["semver", text, loose],
        ["semver", textOf(random, kind), true],
      ];
      const name = oneOf(random, ["major", "minor", "patch"]);
      return oneOf<Term>(random, [
        ["isSemver", text, loose],
        [`.${name}`, a],
        a,
        [".compareTo", a, b],
      ]);
    }
    case "formats":
      return [".validate", [`format.${oneOf(random, formatNames)}`], text];
    default:
      return kind satisfies never;
  }
}

function randomNetwork(random: Random, cidr: Term, other: string): Term {
  return oneOf<Term>(random, [
    ["string", cidr],
    ["string", [".masked", cidr]],
    ["string", [".ip", cidr]],
    [".prefixLength", cidr],
    [".containsIP", cidr, "10.0.0.1"],
    [".containsIP", cidr, ["ip", "2001:db8::1"]],
    [".containsCIDR", cidr, other],
    [".containsCIDR", cidr, ["cidr", other]],
    ["==", cidr, ["cidr", other]],
  ]);
}

/** Shortens exponents: Kubernetes writes out the digits of long ones. */
function quantityOf(text: string): Term {
  return ["quantity", text.replace(/([eE][-+]?\d{3})\d+/g, "$1")];
}

function randomSum(random: Random, a: Term, b: Term): Term {
  const amount = oneOf<Term>(random, [
    a,
    [".add", a, b],
    [".sub", a, b],
    [".add", a, 1000],
    [".sub", a, 7],
  ]);
  return oneOf<Term>(random, [
    amount,
    [".isInteger", amount],
    [".asInteger", amount],
    [".asApproximateFloat", amount],
    ["sign", amount],
    [".compareTo", amount, b],
    [".isLessThan", a, amount],
    ["==", amount, b],
    ["==", a, amount],
  ]);
}

const fieldPieces = [
  "a",
  "metadata.name",
  "=",
  "==",
  "!=",
  "!",
  ",",
  ",",
  "\\",
  "\\,",
  "\\=",
  " ",
  "é",
  "x",
];
const labelPieces = [
  ..."a app k8s.io/x A_b - . in notin in ( ) , , ! = == != > < 5 -1 +2 x9 é".split(" "),
  " ",
  " ",
  "\t",
  "a".repeat(64),
  "a in (b,c)",
  "x notin (",
];

/** Returns a random field selector and a random label selector. */
export function randomSelectors(random: Random): readonly [fields: string, labels: string] {
  const join = (values: readonly string[], most: number): string =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => oneOf(random, values) ?? "").join(
      "",
    );
  return [join(fieldPieces, 8), join(labelPieces, 10)];
}
