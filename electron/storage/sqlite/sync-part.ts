/** Pure: types only. */

/** A port's methods as the worker runs them: the same parameters and results, at once. */
export type SyncPart<T> = {
  [K in keyof T]: T[K] extends (...parameters: infer P) => Promise<infer R> ? (...parameters: P) => R : never;
};
