package main

import (
	"context"
	"os"
	"sync"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// What a candidate reports.
type report struct {
	Event string `json:"event"`
}

// One of two candidates, with the default times of the Lease: reports that it is a candidate, and its first run. SIGTERM releases the Lease.
func failover(in input) measurement {
	manager := newManager(in, func(options *ctrl.Options) {
		options.LeaderElection = true
		options.LeaderElectionID = in.variant
		options.LeaderElectionNamespace = "default"
		options.LeaderElectionReleaseOnCancel = true
		options.Cache.DefaultNamespaces = map[string]cache.Config{"default": {}}
	})
	var first sync.Once
	reconciler := reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
		first.Do(func() { print(report{"run"}) })
		return reconcile.Result{}, nil
	})
	check(ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(reconciler))
	stopping, stop := context.WithCancel(context.Background())
	signals := terminated()
	go func() {
		<-signals
		stop()
	}()
	print(report{"candidate"})
	check(manager.Start(stopping))
	os.Exit(0)
	return measurement{}
}
