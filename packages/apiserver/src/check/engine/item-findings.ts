import type { CheckItem } from "../items/check-item.js";
import type { RawFinding, VersionedFinding } from "../items/raw-finding.js";
import { checkRules, isCheckRule } from "../model/check-rules.js";
import type { AcceptedFinding, CheckedObject, Finding } from "../model/finding.js";
import type { CompleteOptions } from "../options/check-options.js";
import { severityOf } from "../options/severity-of.js";
import { exceptionsOf, mayHaveExceptions } from "../rules/exceptions.js";
import { ItemPlaces, type Place } from "./item-places.js";
import type { OriginPlaces } from "./origin-places.js";
import { fieldPatterns, maskText, type Secrets, secretsOf } from "./secrets.js";

/** Findings of one object, and those that its exceptions accept. */
export interface ItemFindings {
  readonly findings: readonly Finding[];
  readonly accepted: readonly AcceptedFinding[];
  readonly place: Place;
}

/** Adds positions and severities to the problems of one object, and applies its exceptions. */
export function itemFindings(
  item: CheckItem,
  object: CheckedObject | undefined,
  raw: readonly VersionedFinding[],
  options: CompleteOptions,
  origins: Pick<OriginPlaces, "of">,
): ItemFindings {
  if (raw.length === 0 && !mayHaveExceptions(item)) {
    return { findings: [], accepted: [], place: firstLine(item) };
  }
  const secrets = secretsOf(item.value, fieldPatterns(options.redact));
  const places = new ItemPlaces(item, secrets);
  const found = raw.flatMap((one) => {
    const severity = severityOf(one.rule, item.source, object, options);
    if (severity === "off") {
      return [];
    }
    const { rule, reason, field, hint, versions } = one;
    const place = placeOf(places, one);
    const related = one.origin && origins.of(one.origin);
    const message = secrets.mask(messageOf(one, field !== undefined && secrets.covers(field)));
    const finding: Finding = {
      rule,
      severity,
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(field === undefined ? {} : { field }),
      ...(object === undefined ? {} : { object }),
      location: place.location,
      ...(related === undefined ? {} : { related: [related] }),
      ...(place.excerpt === undefined ? {} : { excerpt: place.excerpt }),
      ...(hint === undefined ? variableHint(place) : { hint }),
      ...(versions === undefined ? {} : { versions }),
    };
    return [{ finding, offset: place.offset }];
  });
  const place =
    found.length === 0 && !mayHaveExceptions(item)
      ? firstLine(item)
      : places.ofField(undefined, "value");
  return { ...withExceptions(item, object, places, secrets, found, options), place };
}

/** Returns the place of an object that needs no position in its document: reading them all takes time. */
function firstLine({ source, document, text }: CheckItem): Place {
  const where = { source, document, template: text?.template };
  return { location: text === undefined ? where : { ...where, line: text.line, column: 1 } };
}

function variableHint({ excerpt }: Place): { readonly hint?: string } {
  return excerpt !== undefined && /\$\{\w+\}|\{\{.*\}\}/.test(excerpt)
    ? { hint: "the line has a variable: substitute it first, then check" }
    : {};
}

function placeOf(places: ItemPlaces, finding: VersionedFinding): Place {
  const { rule, field, found, offset, message } = finding;
  if (offset !== undefined) {
    return places.ofSpan({ start: offset, end: offset + 1 });
  }
  if (found !== undefined && field !== undefined) {
    return places.ofTyped(field, found);
  }
  if (rule === "wrong-type" && /illegal base64 data/.test(message)) {
    return places.ofBase64();
  }
  const position = /<input>:(\d+):(\d+)/.exec(message);
  if (rule === "definition-invalid" && position !== null) {
    return places.ofExpression(field, Number(position[1]), Number(position[2]) - 1);
  }
  return keyRules.has(rule)
    ? places.ofField(field, "key")
    : places.ofValue(field, /value: "((?:[^"\\]|\\.)*)"/.exec(message)?.[1]);
}

/** Rules about a key rather than its value. */
const keyRules = new Set<string>([
  "duplicate-key",
  "field-forbidden",
  "server-field",
  "unknown-field",
  "zero-value",
]);

/** Returns a message with the field of a server's cause in front, as servers print it. */
function messageOf({ rule, message, field, reason }: RawFinding, isSecret: boolean): string {
  // The message about a key quotes the key alone.
  const text = isSecret && !namesOfKeys.has(rule) ? withoutValues(message) : message;
  return field === undefined || reason === undefined ? text : `${field}: ${text}`;
}

const namesOfKeys = new Set<string>(["duplicate-key", "unknown-field"]);

function withoutValues(message: string): string {
  return message
    .replace(/"(?:[^"\\]|\\.)*"/g, `"${maskText}"`)
    .replace(/ value: [^":]+(?=:|$)/g, ` value: ${maskText}`)
    .replace(/\bnumber \S+(?= into )/g, `number ${maskText}`);
}

interface Located {
  readonly finding: Finding;
  readonly offset: number | undefined;
}

function withExceptions(
  item: CheckItem,
  object: CheckedObject | undefined,
  places: ItemPlaces,
  secrets: Secrets,
  found: readonly Located[],
  options: CompleteOptions,
): Pick<ItemFindings, "accepted" | "findings"> {
  if (!mayHaveExceptions(item)) {
    return { findings: found.map(({ finding }) => finding), accepted: [] };
  }
  const exceptions = exceptionsOf(item, places.node);
  const used = new Set<object>();
  const findings: Finding[] = [];
  const accepted: AcceptedFinding[] = [];
  for (const { finding, offset } of found) {
    const match = exceptions.find(
      ({ rule, span }) =>
        rule === finding.rule &&
        (span === undefined || (offset !== undefined && offset >= span.start && offset < span.end)),
    );
    if (match === undefined) {
      findings.push(finding);
    } else {
      used.add(match);
      accepted.push({ ...finding, because: match.reason });
    }
  }
  for (const exception of exceptions) {
    const { rule, reason, at } = exception;
    const place =
      at === undefined
        ? places.ofField(annotationField, "key")
        : places.ofSpan({ start: at, end: at + 1 });
    const add = (own: "exception-without-reason" | "unused-exception", message: string) => {
      const severity = severityOf(own, item.source, object, options);
      if (severity !== "off") {
        findings.push({
          rule: own,
          severity,
          message,
          ...(object && { object }),
          ...located(place),
        });
      }
    };
    if (!used.has(exception)) {
      const isOpen = isCheckRule(rule) || at !== undefined || !secrets.covers(annotationField);
      const shown = isOpen ? rule : maskText;
      const what = isCheckRule(rule)
        ? "matches no finding"
        : `names no rule: the rules are ${Object.keys(checkRules).join(", ")}`;
      add("unused-exception", `the exception for ${shown} ${what}`);
    } else if (reason === "") {
      add("exception-without-reason", `the exception for ${rule} states no reason`);
    }
  }
  return { findings, accepted };
}

const annotationField = "metadata.annotations[typekube.dev/ignore]";

function located({ location, excerpt }: Place): Pick<Finding, "excerpt" | "location"> {
  return { location, ...(excerpt === undefined ? {} : { excerpt }) };
}
