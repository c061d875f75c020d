package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Keys before those that are measured.
const warmUpKeys = 50_000

type requestQueue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// A controller without a server: a source adds keys, and one worker counts them. The heap is that of the queue while all keys are ready.
func queue(in input) measurement {
	keys := make([]reconcile.Request, in.count)
	for i := range keys {
		keys[i].NamespacedName = types.NamespacedName{Namespace: "default", Name: fmt.Sprintf("map-%d", i)}
	}
	var left int
	var hold chan struct{}
	done := make(chan struct{})
	reconciler := reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
		if hold != nil {
			<-hold
		}
		if left--; left == 0 {
			done <- struct{}{}
		}
		return reconcile.Result{}, nil
	})
	isPriority := strings.Contains(in.variant, "priority")
	own, err := controller.NewUnmanaged("bench", controller.Options{Reconciler: reconciler, UsePriorityQueue: &isPriority})
	check(err)
	started := make(chan requestQueue)
	check(own.Watch(source.Func(func(_ context.Context, queue requestQueue) error {
		go func() { started <- queue }()
		return nil
	})))
	go func() { check(own.Start(context.Background())) }()
	queue := <-started
	drainKeys := func(some []reconcile.Request) {
		left = len(some)
		for _, key := range some {
			queue.Add(key)
		}
		<-done
	}
	before := heapMb()
	for left := warmUpKeys; left > 0; left -= len(keys) {
		drainKeys(keys[:min(left, len(keys))])
	}
	begin := startNow()
	drainKeys(keys)
	result := begin.end(len(keys))
	hold = make(chan struct{})
	left = -1
	for _, key := range keys {
		queue.Add(key)
	}
	result.KeptMb = max(0, heapMb()-before)
	runtime.KeepAlive(keys)
	return result
}
