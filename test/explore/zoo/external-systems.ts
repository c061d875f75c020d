/** A DNS zone: host names and what they point to. */
export class DnsZone {
  readonly records: Map<string, string> = new Map();

  async set(host: string, target: string): Promise<void> {
    this.records.set(host, target);
  }

  async remove(host: string): Promise<void> {
    this.records.delete(host);
  }

  async list(): Promise<readonly string[]> {
    return [...this.records.keys()];
  }
}

/** The disks of a cloud. A disk is created once for a token. */
export class Disks {
  readonly #disks: { readonly id: string; readonly token: string | undefined }[] = [];

  async create(token?: string): Promise<string> {
    const known = this.#disks.find((disk) => token !== undefined && disk.token === token);
    const id = known?.id ?? `disk-${this.#disks.length + 1}`;
    if (known === undefined) {
      this.#disks.push({ id, token });
    }
    return id;
  }

  /** Names of all disks. */
  state(): readonly string[] {
    return this.#disks.map(({ id }) => id);
  }
}

/** A database with users that have passwords. */
export class Database {
  readonly passwords: Map<string, string> = new Map();

  /** Creates a user. One that exists keeps its password. */
  async createUser(name: string, password: string): Promise<void> {
    if (!this.passwords.has(name)) {
      this.passwords.set(name, password);
    }
  }
}
