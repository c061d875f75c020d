import { z } from "zod/mini";
import type { KubeconfigCluster, KubeconfigContext, KubeconfigUser } from "./kubeconfig.js";

/** A named entry in one of the lists of a file. */
export interface NamedItem<T> {
  readonly name: string;
  readonly value: T;
}

/** A validated kubeconfig file. */
export interface KubeconfigFile {
  readonly currentContext: string | undefined;
  readonly clusters: readonly NamedItem<KubeconfigCluster>[];
  readonly contexts: readonly NamedItem<KubeconfigContext>[];
  readonly users: readonly NamedItem<KubeconfigUser>[];
}

// The single schema of a kubeconfig file. Its output must match the interfaces in kubeconfig.ts, or this module does
// not compile. The interfaces are written out because exported declarations must not need inference, and to keep zod
// out of them.
const text = z.nullish(z.string());
const flag = z.nullish(z.boolean());
const texts = z.nullish(z.array(z.string()));
const extensions = z.nullish(z.array(z.looseObject({ name: z.string() })));

const cluster = z.looseObject({
  server: text,
  "tls-server-name": text,
  "insecure-skip-tls-verify": flag,
  "certificate-authority": text,
  "certificate-authority-data": text,
  "proxy-url": text,
  "disable-compression": flag,
  extensions,
});

const user = z.looseObject({
  "client-certificate": text,
  "client-certificate-data": text,
  "client-key": text,
  "client-key-data": text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  "as-uid": text,
  "as-groups": texts,
  "as-user-extra": z.nullish(z.record(z.string(), texts)),
  exec: z.nullish(
    z.looseObject({
      apiVersion: text,
      command: text,
      args: texts,
      env: z.nullish(z.array(z.looseObject({ name: z.string(), value: text }))),
      installHint: text,
      provideClusterInfo: flag,
      interactiveMode: text,
    }),
  ),
  "auth-provider": z.nullish(
    z.looseObject({ name: text, config: z.nullish(z.record(z.string(), z.unknown())) }),
  ),
  extensions,
});

const context = z.looseObject({ cluster: text, user: text, namespace: text, extensions });

const file = z.looseObject({
  apiVersion: z.nullish(z.literal(["v1", ""])),
  kind: z.nullish(z.literal(["Config", ""])),
  "current-context": text,
  clusters: z.nullish(z.array(z.looseObject({ name: z.string(), cluster: z.nullish(cluster) }))),
  contexts: z.nullish(z.array(z.looseObject({ name: z.string(), context: z.nullish(context) }))),
  users: z.nullish(z.array(z.looseObject({ name: z.string(), user: z.nullish(user) }))),
  extensions,
});

/**
 * Validates the content of one file.
 *
 * @returns the file, or its problems: one line per field, without the field's value.
 */
export function parseKubeconfigFile(
  content: unknown,
): { readonly file: KubeconfigFile } | { readonly problems: readonly string[] } {
  const result = file.safeParse(content ?? {});
  if (!result.success) {
    return {
      problems: result.error.issues.map((issue) => `${fieldPath(issue.path)}: ${fault(issue)}`),
    };
  }
  const { data } = result;
  const clusters = named(data.clusters, (item) => item.cluster);
  const contexts = named(data.contexts, (item) => item.context);
  const users = named(data.users, (item) => item.user);
  const problems = [
    ...duplicates("clusters", clusters),
    ...duplicates("contexts", contexts),
    ...duplicates("users", users),
    ...duplicates("extensions", data.extensions ?? []),
  ];
  if (problems.length > 0) {
    return { problems };
  }
  return {
    file: { currentContext: data["current-context"] || undefined, clusters, contexts, users },
  };
}

function named<I extends { readonly name: string }, T extends object>(
  items: readonly I[] | null | undefined,
  value: (item: I) => T | null | undefined,
): NamedItem<T>[] {
  return (items ?? []).map((item) => ({ name: item.name, value: value(item) ?? ({} as T) }));
}

function* duplicates(
  list: string,
  items: readonly { readonly name: string; readonly value?: { readonly extensions?: unknown } }[],
): Generator<string> {
  const seen = new Set<string>();
  for (const { name, value } of items) {
    if (seen.has(name)) {
      yield `${list}: duplicate name "${name}"`;
    }
    seen.add(name);
    if (Array.isArray(value?.extensions)) {
      yield* duplicates(`${list} "${name}" extensions`, value.extensions as { name: string }[]);
    }
  }
}

/** Describes a problem in our own words: zod's messages need a locale, which is global and not ours to set. */
function fault(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${issue.expected === "object" ? "a map" : `of type ${issue.expected}`}`;
    case "invalid_value":
      return `must be ${JSON.stringify(issue.values[0])}`;
    default:
      return issue.code.replaceAll("_", " ");
  }
}

/** Formats a path as `users[0].user.token`. */
function fieldPath(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>(
    (all, part) => all + (typeof part === "number" ? `[${part}]` : `.${String(part)}`),
    "",
  );
  return text.replace(/^\./, "") || "the file";
}
