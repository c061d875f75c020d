import { formatFieldSelector, formatLabelSelector } from "@typekube/core";
import type { ListOptions } from "../options/list-options.js";
import type { SelectorOptions } from "../options/selector-options.js";

/**
 * Query parameters. Values that are `undefined`, `false` or empty are left out, as in the API's own clients. A list of
 * texts repeats the parameter.
 */
export type Query = Readonly<
  Record<string, boolean | number | string | readonly string[] | undefined>
>;

/** Returns a path with its query. */
export function withQuery(path: string, query: Query): string {
  // Most calls have no query, and an empty URLSearchParams costs as much as the rest of the path.
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

/** Returns the selectors of a collection as query parameters. */
export function selectorQuery(options: SelectorOptions): Query {
  return {
    labelSelector:
      options.labelSelector === undefined ? undefined : formatLabelSelector(options.labelSelector),
    fieldSelector:
      options.fieldSelector === undefined ? undefined : formatFieldSelector(options.fieldSelector),
    shardSelector: options.shardSelector,
  };
}

/** Returns the options of a list as query parameters. */
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
