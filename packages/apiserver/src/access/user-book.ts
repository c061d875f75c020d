import { createHash, timingSafeEqual } from "node:crypto";
import { authenticated, type User } from "./user.js";

/** A user of an embedded server. */
export interface UserOptions {
  readonly name: string;
  readonly uid?: string | undefined;
  /** Besides `system:authenticated`, which everybody is in who shows who they are. Default none. */
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The bearer token by which the server knows them. Default: none; they come by certificate or in process. */
  readonly token?: string | undefined;
}

/** The users that a server was told of, and the tokens that it made. */
export interface UserBook {
  /** The user whom a bearer token belongs to. Takes as long for a wrong token as for a right one. */
  byToken(token: string): User | undefined;
  /** The user of a name: as it was told, else one in no group but that of all authenticated users. */
  byName(name: string): User;
  /** Makes another token known. Returns what makes it unknown again. */
  add(token: string, user: User): () => void;
}

/** Creates the book. Tokens are kept as digests only. */
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
      // No early end: how long it takes must not tell which tokens begin alike.
      for (const { digest, user } of tokens) {
        found = timingSafeEqual(digest, requested) ? user : found;
      }
      return found;
    },
  };
}

/** The user that options describe. */
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
