import { type JsonObject, jsonEqual } from "../objects/json-value.js";

/**
 * The second round of one mutation. If a webhook or a policy changes the object, all plugins run once more, and those of
 * their webhooks and policies that want it. (apiserver `ReinvocationContext`)
 */
export class Reinvocation {
  /** `true` in the second round. */
  isRepeat = false;
  /** `true` when a plugin asks for a second round. */
  isRequested = false;
  readonly #plugins = new Map<string, PluginReinvocation>();

  /** Returns the state of one plugin. */
  of(plugin: string): PluginReinvocation {
    const state = this.#plugins.get(plugin) ?? new PluginReinvocation(this);
    this.#plugins.set(plugin, state);
    return state;
  }
}

/** The webhooks or policies of one plugin that run again. (apiserver `webhookReinvokeContext`) */
export class PluginReinvocation {
  readonly #round: Reinvocation;
  readonly #invoked = new Set<string>();
  readonly #again = new Set<string>();
  #output: JsonObject | undefined;

  constructor(round: Reinvocation) {
    this.#round = round;
  }

  /** Begins a round of the plugin: if others have changed the object since its last one, all that want it run again. */
  begin(object: JsonObject | undefined): void {
    if (this.#round.isRepeat && !jsonEqual(this.#output, object)) {
      this.#repeatInvoked();
    }
  }

  /** Ends a round of the plugin. */
  end(object: JsonObject | undefined): void {
    this.#output = object;
  }

  /** Returns whether a webhook or policy runs in this round. None runs for the first time in the second round. */
  runs(id: string): boolean {
    return !this.#round.isRepeat || this.#again.has(id);
  }

  /** Records that one has changed the object. */
  changed(): void {
    this.#repeatInvoked();
    this.#round.isRequested = true;
  }

  /** Records that one has run that wants to run again after later changes. */
  invoked(id: string): void {
    this.#invoked.add(id);
  }

  #repeatInvoked(): void {
    for (const id of this.#invoked) {
      this.#again.add(id);
    }
    this.#invoked.clear();
  }
}
