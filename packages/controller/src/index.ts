/**
 * Controllers: work queues, reconcile loops, leader election, and the manager that runs them.
 *
 * @module @typekube/controller
 */

export {};
