import { formatFieldSelector, formatLabelSelector } from "@typekube/core";
import type { ListOptions, SelectorOptions } from "./options.js";

/**
 * Query parameters; what is `undefined`, `false` or empty is left out, as the API's own clients do. A list of texts is the same
 * parameter several times.
 */
export type Query = Readonly<
  Record<string, boolean | number | string | readonly string[] | undefined>
>;

/** A path with its query. */
export function withQuery(path: string, query: Query): string {
  // Most calls have none, and making an empty set of parameters costs as much as the rest of the path.
  let parameters: URLSearchParams | undefined;
  for (const name in query) {
    const given = query[name];
    if (given === undefined) {
      continue;
    }
    for (const value of Array.isArray(given) ? given : [given]) {
      if (value !== "" && value !== false) {
        parameters ??= new URLSearchParams();
        parameters.append(name, String(value));
      }
    }
  }
  return parameters === undefined ? path : `${path}?${parameters}`;
}

/** The selectors of a collection as query parameters. */
export function selectorQuery(options: SelectorOptions): Query {
  return {
    labelSelector:
      options.labelSelector === undefined ? undefined : formatLabelSelector(options.labelSelector),
    fieldSelector:
      options.fieldSelector === undefined ? undefined : formatFieldSelector(options.fieldSelector),
    shardSelector: options.shardSelector,
  };
}

/** The options of a list as query parameters. */
export function listQuery(
  options: Omit<ListOptions, "encoding" | "managedFields" | "shareEqual">,
): Query {
  return {
    ...selectorQuery(options),
    limit: options.limit || undefined,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    timeoutSeconds: options.timeoutSeconds,
  };
}
