import type { HttpRequest } from "@typekube/core/internal";
import { badRequest, type StatusError } from "../errors/status-errors.js";
import {
  authenticated,
  serviceAccountOf,
  serviceAccountUser,
  type User,
  wellKnown,
} from "../objects/user.js";
import { type AccessAttributes, attributesOf } from "./access-attributes.js";
import type { Authorizer } from "./authorizer.js";
import { type Impersonated, impersonatedBy } from "./impersonated.js";
import { accessDenied } from "./refusals.js";

const group = "authentication.k8s.io";

/**
 * Returns the user named by the `Impersonate-*` headers of a request, or the sender when there are none. A sender who
 * may `impersonate` may do so for every request; since 1.36 permissions can also be limited to one action
 * (`impersonate-on:user-info:list`) and one name (`impersonate:user-info`).
 *
 * @param action - the action of the request; `undefined` when constrained impersonation is disabled.
 * @throws {StatusError} 400 for headers that name no user, 403 when the sender lacks the permission.
 */
export function impersonate(
  authorizer: Authorizer,
  user: User,
  headers: HttpRequest["headers"],
  action: (() => AccessAttributes) | undefined,
): User {
  const wanted = impersonatedBy(headers);
  if (wanted === undefined) {
    return user;
  }
  if (wanted.name === "") {
    throw badRequest(`requested ${goUser(wanted)} without impersonating a user name`);
  }
  const attempts = [action && constrained(wanted, action()), legacy(wanted)].filter(
    (one) => one !== undefined,
  );
  const denials = attempts.map((needed) => firstDenial(authorizer, user, needed));
  const [denial] = denials;
  // Real servers report the denial of their first attempt.
  if (denial !== undefined && !denials.includes(undefined)) {
    throw denial;
  }
  return resulting(wanted);
}

function firstDenial(
  authorizer: Authorizer,
  user: User,
  needed: readonly AccessAttributes[],
): StatusError | undefined {
  for (const what of needed) {
    const { allowed, reason } = authorizer.authorize(user, what);
    if (!allowed) {
      return accessDenied(user, what, reason);
    }
  }
  return undefined;
}

/**
 * Returns the permissions needed to impersonate for one action; `undefined` when the target can't be impersonated this
 * way.
 */
function constrained(
  wanted: Impersonated,
  action: AccessAttributes,
): readonly AccessAttributes[] | undefined {
  const { name, uid, groups, extra } = wanted;
  const isPlain = uid === "" && groups.length === 0 && extra.length === 0;
  const account = serviceAccountOf(name);
  const node = name.startsWith(wellKnown.nodePrefix)
    ? name.slice(wellKnown.nodePrefix.length)
    : undefined;
  const on = (mode: string): AccessAttributes => ({
    ...action,
    verb: `impersonate-on:${mode}:${action.verb}`,
  });
  const as = (mode: string, what: Partial<AccessAttributes>): AccessAttributes =>
    attributesOf({ verb: `impersonate:${mode}`, group, ...what });
  if (account !== undefined || node !== undefined) {
    if (!isPlain) {
      return undefined;
    }
    return account === undefined
      ? [on("arbitrary-node"), as("arbitrary-node", { resource: "nodes", name: node ?? "" })]
      : [on("serviceaccount"), as("serviceaccount", { resource: "serviceaccounts", ...account })];
  }
  const mode = "user-info";
  return [
    on(mode),
    as(mode, { resource: "users", name }),
    ...groups.map((one) => as(mode, { resource: "groups", name: one })),
    ...(uid === "" ? [] : [as(mode, { resource: "uids", name: uid })]),
    ...extra.map(([key, value]) =>
      as(mode, { resource: "userextras", subresource: key, name: value }),
    ),
  ];
}

/** Returns the permissions needed to impersonate for every action. */
function legacy({ name, uid, groups, extra }: Impersonated): readonly AccessAttributes[] {
  const verb = "impersonate";
  const account = serviceAccountOf(name);
  return [
    account === undefined
      ? attributesOf({ verb, resource: "users", name })
      : attributesOf({ verb, resource: "serviceaccounts", ...account }),
    ...groups.map((one) => attributesOf({ verb, resource: "groups", name: one })),
    ...(uid === "" ? [] : [attributesOf({ verb, group, resource: "uids", name: uid })]),
    ...extra.map(([key, value]) =>
      attributesOf({ verb, group, resource: "userextras", subresource: key, name: value }),
    ),
  ];
}

function resulting({ name, uid, groups, extra }: Impersonated): User {
  const account = serviceAccountOf(name);
  const implied =
    account !== undefined && groups.length === 0
      ? serviceAccountUser(account.namespace, account.name).groups
      : groups;
  const user: User = {
    name,
    groups: implied,
    ...(uid === "" ? {} : { uid }),
    ...(extra.length === 0 ? {} : { extra: grouped(extra) }),
  };
  if (implied.includes(wellKnown.unauthenticated)) {
    return user;
  }
  return name === wellKnown.anonymous
    ? { ...user, groups: [...implied, wellKnown.unauthenticated] }
    : authenticated(user);
}

function grouped(extra: Impersonated["extra"]): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of extra) {
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return Object.fromEntries(values);
}

function goUser({ uid, groups }: Impersonated): string {
  const list =
    groups.length === 0 ? "(nil)" : `{${groups.map((one) => JSON.stringify(one)).join(", ")}}`;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:[]string${list}, Extra:map[string][]string(nil)}`;
}
