/**
 * A member of an Accept header as the server reads it: names are case-sensitive, and a weight of 0 only makes it the
 * last choice.
 */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** Media type without parameters: `type/subtype`. */
  readonly essence: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

/** Parses an Accept header into its members, in the order in which a real server tries them. */
export function acceptClauses(header: string): AcceptClause[] {
  const sorted: AcceptClause[] = [];
  for (const clause of header.split(",").map(readClause)) {
    // The order is not transitive (a wildcard goes last, but not behind a heavier neighbour), so the sorting algorithm
    // matters.
    let at = sorted.length;
    while (at > 0 && goesBefore(clause, sorted[at - 1] as AcceptClause)) {
      at--;
    }
    sorted.splice(at, 0, clause);
  }
  return sorted;
}

function goesBefore(one: AcceptClause, other: AcceptClause): boolean {
  return (
    one.quality > other.quality ||
    (one.type !== "*" && other.type === "*") ||
    (one.subtype !== "*" && other.subtype === "*")
  );
}

function readClause(text: string): AcceptClause {
  const [essence = "", ...rest] = text.split(";").map((part) => part.trim());
  const [type = "", subtype = ""] = essence.split("/").map((part) => part.trim());
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const parameter of rest) {
    const at = parameter.indexOf("=");
    if (at > 0) {
      parameters[parameter.slice(0, at).trim()] = parameter.slice(at + 1).trim();
    }
  }
  const quality = readQuality(parameters["q"]);
  return { type, subtype, essence: `${type}/${subtype}`, parameters, quality };
}

/** Parses a weight; an invalid one counts as 0. */
function readQuality(text: string | undefined): number {
  const quality = Number(text ?? "1");
  return text !== "" && Number.isFinite(quality) ? quality : 0;
}
