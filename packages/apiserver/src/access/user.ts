/** Somebody whom the server knows, in the words of the API's `UserInfo`. */
export interface User {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The groups and prefixes that have a meaning of their own. */
export const wellKnown = {
  anonymous: "system:anonymous",
  authenticated: "system:authenticated",
  unauthenticated: "system:unauthenticated",
  masters: "system:masters",
  serviceAccounts: "system:serviceaccounts",
  serviceAccountPrefix: "system:serviceaccount:",
  nodePrefix: "system:node:",
} as const;

/** Who comes without credentials, where that is allowed. */
export const anonymousUser: User = {
  name: wellKnown.anonymous,
  groups: [wellKnown.unauthenticated],
};

/** Who asks in process, and with the token that a listener made: may do everything. */
export const administrator: User = {
  name: "system:admin",
  groups: [wellKnown.masters, wellKnown.authenticated],
};

/** The same user in the group of all who showed who they are. */
export function authenticated(user: User): User {
  return user.groups.includes(wellKnown.authenticated)
    ? user
    : { ...user, groups: [...user.groups, wellKnown.authenticated] };
}

/** The user that a service account is. */
export function serviceAccountUser(namespace: string, name: string, uid?: string): User {
  const { serviceAccountPrefix, serviceAccounts, authenticated: everybody } = wellKnown;
  return {
    name: `${serviceAccountPrefix}${namespace}:${name}`,
    ...(uid === undefined ? {} : { uid }),
    groups: [serviceAccounts, `${serviceAccounts}:${namespace}`, everybody],
  };
}

/** Namespace and name of the service account that a user is; `undefined` for anybody else. */
export function serviceAccountOf(
  userName: string,
): { namespace: string; name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(userName) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** A user as reviews show them: empty fields are left out. */
export function userInfo({ name, uid, groups, extra }: User): Record<string, unknown> {
  return {
    username: name,
    ...(uid === undefined || uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra: { ...extra } }),
  };
}
