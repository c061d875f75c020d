import { createHash, timingSafeEqual } from "node:crypto";
import { authenticated, type User } from "../objects/user.js";

/** Options of a user of an embedded server. */
export interface UserOptions {
  /** Name of the user. */
  readonly name: string;
  /** UID of the user. Default: none. */
  readonly uid?: string | undefined;
  /** Groups in addition to `system:authenticated`, which every authenticated user is in. Default none. */
  readonly groups?: readonly string[] | undefined;
  /** Extra attributes, each with its values. Default: none. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Bearer token of the user. Default none: the user authenticates by certificate or in process. */
  readonly token?: string | undefined;
}

/** The users given as options, and the tokens created by the server. */
export interface UserBook {
  /** Returns the user of a bearer token. Takes the same time for valid and invalid tokens. */
  byToken(token: string): User | undefined;
  /** Returns the user of that name from the options; otherwise a user whose only group is `system:authenticated`. */
  byName(name: string): User;
  /** Adds a token. Returns a function that removes it. */
  add(token: string, user: User): () => void;
}

/** Creates the user book. It stores only digests of tokens. */
export function createUserBook(users: readonly UserOptions[]): UserBook {
  const byName = new Map(users.map((options) => [options.name, userOf(options)]));
  const tokens = new Set<{ readonly digest: Buffer; readonly user: User }>();
  const add = (token: string, user: User) => {
    const entry = { digest: digestOf(token), user };
    tokens.add(entry);
    return () => void tokens.delete(entry);
  };
  for (const options of users) {
    if (options.token !== undefined) {
      add(options.token, userOf(options));
    }
  }
  return {
    add,
    byName: (name) => byName.get(name) ?? authenticated({ name, groups: [] }),
    byToken(token) {
      const requested = digestOf(token);
      let found: User | undefined;
      // No early exit: the duration must not reveal which tokens share a prefix.
      for (const { digest, user } of tokens) {
        found = timingSafeEqual(digest, requested) ? user : found;
      }
      return found;
    },
  };
}

/** Returns the user described by the options. */
export function userOf({ name, uid, groups = [], extra }: UserOptions): User {
  return authenticated({
    name,
    groups: [...groups],
    ...(uid === undefined ? {} : { uid }),
    ...(extra === undefined ? {} : { extra }),
  });
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}
