/**
 * Returns a function that loads a module on its first call and remembers it: later calls don't wait for the loader of
 * the runtime, which may ask a file system or another process each time. A failed load is tried again.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
