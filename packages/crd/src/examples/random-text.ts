import type { JsonObject } from "@typekube/core/internal/json";
import { patternText } from "./pattern-text.js";
import type { Random } from "./random.js";

/** Longest text beyond the least length. */
const maxMore = 12;
/** Texts of a pattern until one has a fitting length. */
const maxTries = 20;

/** Characters of free texts: also those that parsers stumble over, and one that takes two code units. */
const alphabet = [..."abcXYZ019 -_./:{}\"\\'\n\té😀"] as [string, ...string[]];

const two = (random: Random, most: number) => String(random.integer(0, most)).padStart(2, "0");
const hex = (random: Random, length: number) =>
  Array.from({ length }, () => random.integer(0, 15).toString(16)).join("");
const date = (random: Random) =>
  `${random.integer(1970, 2099)}-${two(random, 8).replace("00", "12")}-${random.integer(10, 28)}`;
const ipv4 = (random: Random) => Array.from({ length: 4 }, () => random.integer(0, 255)).join(".");

/** Texts of the formats that servers check. */
const formats: Readonly<Record<string, (random: Random) => string>> = {
  byte: (random) => Buffer.from(hex(random, random.integer(0, 9))).toString("base64"),
  cidr: (random) => `${ipv4(random)}/${random.integer(0, 32)}`,
  date,
  "date-time": (random) =>
    `${date(random)}T${two(random, 23)}:${two(random, 59)}:${two(random, 59)}Z`,
  duration: (random) => `${random.integer(0, 9999)}${random.pick(["ms", "s", "m", "h"])}`,
  email: (random) => `${hex(random, 4)}@example.com`,
  hostname: (random) => `h${hex(random, 4)}.example.com`,
  ipv4,
  ipv6: (random) => `2001:db8::${hex(random, 4)}`,
  mac: (random) => `00:00:5e:00:53:${hex(random, 2)}`,
  uri: (random) => `https://example.com/${hex(random, 4)}`,
  uuid: (random) =>
    `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`,
};

/** Returns a text that a schema probably allows. */
export function randomText(source: JsonObject, random: Random): string {
  const { format, pattern, minLength, maxLength } = source;
  const least = Number(minLength ?? 0);
  const most = Math.min(Number(maxLength ?? Number.POSITIVE_INFINITY), least + maxMore);
  const ofFormat = formats[String(format).replace(/^uuid4$/, "uuid")];
  const ofPattern =
    ofFormat === undefined && typeof pattern === "string" ? patternText(pattern) : undefined;
  const make = ofFormat ?? ofPattern ?? ((source) => freeText(least, most, source));
  for (let tries = 1; ; tries += 1) {
    const text = make(random);
    const { length } = [...text];
    if (tries === maxTries || (length >= least && length <= most)) {
      return text;
    }
  }
}

function freeText(least: number, most: number, random: Random): string {
  const length = random.integer(least, most);
  return Array.from({ length }, () => random.pick(alphabet)).join("");
}
