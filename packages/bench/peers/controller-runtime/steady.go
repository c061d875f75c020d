package main

import (
	"context"
	"runtime"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Updates before those that are measured.
const warmUpUpdates = 5_000

// Times of the updates that no run has followed yet, and how long the others waited for theirs.
type waits struct {
	mutex     sync.Mutex
	since     map[client.ObjectKey]time.Time
	updates   int
	latencies []float64
	reached   func(updates int)
}

func (w *waits) updated(key client.ObjectKey) {
	now := time.Now()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if _, isWaiting := w.since[key]; !isWaiting {
		w.since[key] = now
	}
	w.updates++
}

func (w *waits) run(key client.ObjectKey) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if at, isWaiting := w.since[key]; isWaiting {
		delete(w.since, key)
		w.latencies = append(w.latencies, msSince(at))
		w.reached(w.updates)
	}
}

// Runs on objects that are updated all the time: how long each run comes after its event, and how the heap grows.
func steady(in input) measurement {
	warm, done := make(chan struct{}), make(chan struct{})
	isWarm, isDone := false, false
	all := &waits{since: map[client.ObjectKey]time.Time{}, latencies: make([]float64, 0, warmUpUpdates+in.count)}
	all.reached = func(updates int) {
		if !isWarm && updates >= warmUpUpdates {
			isWarm = true
			close(warm)
		}
		if !isDone && updates >= warmUpUpdates+in.count {
			isDone = true
			close(done)
		}
	}
	manager := newManager(in, nil)
	reader := manager.GetClient()
	reconciler := reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		all.run(request.NamespacedName)
		var object corev1.ConfigMap
		return reconcile.Result{}, client.IgnoreNotFound(reader.Get(ctx, request.NamespacedName, &object))
	})
	updates := predicate.Funcs{UpdateFunc: func(update event.UpdateEvent) bool {
		if update.ObjectNew.GetNamespace() == namespace {
			all.updated(client.ObjectKeyFromObject(update.ObjectNew))
		}
		return true
	}}
	check(ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}, builder.WithPredicates(updates)).Complete(reconciler))
	go func() { check(manager.Start(context.Background())) }()
	<-warm
	before := heapMb()
	begin := startNow()
	<-done
	result := begin.end(in.count)
	result.KeptMb = max(0, heapMb()-before)
	all.mutex.Lock()
	result.setLatencies(all.latencies[min(len(all.latencies)-1, warmUpUpdates):])
	runtime.KeepAlive(manager)
	return result
}
