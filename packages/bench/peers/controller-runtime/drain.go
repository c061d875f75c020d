package main

import (
	"context"
	"runtime"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// The namespace of the objects that count; the server has some of its own.
const namespace = "bench"

// A manager without ports. Its caches drop managedFields, as those of TypeKube do.
func newManager(in input, change func(*ctrl.Options)) ctrl.Manager {
	options := ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
	}
	if change != nil {
		change(&options)
	}
	manager, err := ctrl.NewManager(restConfig(in.url), options)
	check(err)
	return manager
}

// From the start of the process until each object was reconciled: the reconciler reads it from the cache.
func drain(in input) measurement {
	begin := startOfProcess()
	manager := newManager(in, nil)
	reader := manager.GetClient()
	done := make(chan struct{})
	seen := 0
	var firstAt time.Time
	reconciler := reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		var object corev1.ConfigMap
		if err := reader.Get(ctx, request.NamespacedName, &object); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		if object.Namespace == namespace {
			if seen++; seen == 1 {
				firstAt = time.Now()
			}
			if seen == in.count {
				close(done)
			}
		}
		return reconcile.Result{}, nil
	})
	check(ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(reconciler))
	go func() { check(manager.Start(context.Background())) }()
	<-done
	drainMs := msSince(firstAt)
	result := begin.end(seen)
	result.DrainMs = drainMs
	result.KeptMb = heapMb()
	runtime.KeepAlive(manager)
	return result
}
