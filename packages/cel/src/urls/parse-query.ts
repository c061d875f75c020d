import { CelFailure } from "../values/cel-failure.js";
import { unescapeUrl } from "./escape.js";

/** Number of parameters that Go reads; of a query with more it reads none. */
const maxParameters = 10_000;

/**
 * Returns the values of each key of a query in their order, as Go's `URL.Query` does: parameters that cannot be read,
 * such as those with a semicolon, are left out.
 */
export function parseQuery(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const parameters = query.split("&");
  if (parameters.length > maxParameters) {
    return values;
  }
  for (const parameter of parameters) {
    if (parameter === "" || parameter.includes(";")) {
      continue;
    }
    const equals = parameter.indexOf("=");
    const end = equals < 0 ? parameter.length : equals;
    const key = unescapeUrl(parameter.slice(0, end), "query");
    const value = unescapeUrl(parameter.slice(end + 1), "query");
    if (!(key instanceof CelFailure || value instanceof CelFailure)) {
      const known = values.get(key);
      if (known === undefined) {
        values.set(key, [value]);
      } else {
        known.push(value);
      }
    }
  }
  return values;
}
