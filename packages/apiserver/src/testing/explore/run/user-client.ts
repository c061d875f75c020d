import type { HttpSend } from "@typekube/core/internal";
import type { Client } from "typekube";
import type { ApiServer } from "../../../api-server/api-server.js";
import { connectInProcess } from "../../../api-server/client.js";
import { turn } from "./quiet.js";

/** Requests after which the event loop gets a turn: a step may poll without a pause. */
const requestsPerTurn = 10;

/** The client of the user in one run. */
export class UserClient {
  readonly #api: ApiServer;
  #client: Promise<Client> | undefined;
  #isOver = false;
  /** Requests so far. */
  requests = 0;

  constructor(api: ApiServer) {
    this.#api = api;
  }

  /** Returns the client. */
  get(): Promise<Client> {
    const { server, clock } = this.#api;
    this.#client ??= connectInProcess({ send: this.#send, server, clock }, { userAgent: "user" });
    return this.#client;
  }

  /** Ends the run: further requests are never answered. */
  end(): void {
    this.#isOver = true;
  }

  readonly #send: HttpSend = async (request) => {
    this.requests += 1;
    if (this.requests % requestsPerTurn === 0) {
      await turn();
    }
    return this.#isOver ? new Promise(() => {}) : this.#api.send(request);
  };
}
