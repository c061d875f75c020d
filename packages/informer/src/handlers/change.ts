import type { KubeObject, Live } from "@typekube/api";

/** What happened to one object, as a cache sees it. */
export type Change<T extends KubeObject = KubeObject> =
  | {
      readonly type: "add";
      readonly key: string;
      readonly object: Live<T>;
      /** It was there when this handler began to look. */
      readonly initial: boolean;
    }
  | {
      readonly type: "update";
      readonly key: string;
      readonly object: Live<T>;
      readonly previous: Live<T>;
    }
  /** Deleted and made anew under the same name between two looks: another uid. */
  | {
      readonly type: "replaced";
      readonly key: string;
      readonly object: Live<T>;
      readonly previous: Live<T>;
    }
  | {
      readonly type: "delete";
      readonly key: string;
      /** The last state; the last one known where the deletion itself was not seen. */
      readonly object: Live<T>;
      /** The state that was told of last. */
      readonly previous: Live<T>;
      readonly finalStateUnknown: boolean;
      /** It was not deleted: it belongs to a part that another worker follows from now on. (`reshard`) */
      readonly moved?: true | undefined;
    };
