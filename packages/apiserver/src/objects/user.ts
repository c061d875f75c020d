/** An authenticated or anonymous user, with the fields of the API's `UserInfo`. */
export interface User {
  /** Name of the user. */
  readonly name: string;
  /** UID of the user. Default: none. */
  readonly uid?: string | undefined;
  /** All groups of the user. */
  readonly groups: readonly string[];
  /** Extra attributes, each with its values. Default: none. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Groups and prefixes with a special meaning. */
export const wellKnown = {
  anonymous: "system:anonymous",
  authenticated: "system:authenticated",
  unauthenticated: "system:unauthenticated",
  masters: "system:masters",
  serviceAccounts: "system:serviceaccounts",
  serviceAccountPrefix: "system:serviceaccount:",
  nodePrefix: "system:node:",
} as const;

/** User of requests without credentials, where anonymous access is enabled. */
export const anonymousUser: User = {
  name: wellKnown.anonymous,
  groups: [wellKnown.unauthenticated],
};

/** User of in-process requests, and of the token that a listener creates; may do everything. */
export const administrator: User = {
  name: "system:admin",
  groups: [wellKnown.masters, wellKnown.authenticated],
};

/** Adds the group `system:authenticated` to a user. */
export function authenticated(user: User): User {
  return user.groups.includes(wellKnown.authenticated)
    ? user
    : { ...user, groups: [...user.groups, wellKnown.authenticated] };
}

/** Returns the user of a service account. */
export function serviceAccountUser(namespace: string, name: string, uid?: string): User {
  const { serviceAccountPrefix, serviceAccounts, authenticated: everybody } = wellKnown;
  return {
    name: `${serviceAccountPrefix}${namespace}:${name}`,
    ...(uid === undefined ? {} : { uid }),
    groups: [serviceAccounts, `${serviceAccounts}:${namespace}`, everybody],
  };
}

/** Parses namespace and name of a service account from a user name; `undefined` for other users. */
export function serviceAccountOf(
  userName: string,
): { namespace: string; name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(userName) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** Formats a user for reviews, without empty fields. */
export function userInfo({ name, uid, groups, extra }: User): Record<string, unknown> {
  return {
    username: name,
    ...(uid === undefined || uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra: { ...extra } }),
  };
}
