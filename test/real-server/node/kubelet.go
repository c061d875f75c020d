package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/proxy"
	translator "k8s.io/apiserver/pkg/util/proxy"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/streaming/pkg/httpstream/wsstream"
)

// kubelet serves WebSockets in front of a runtime that knows only SPDY, as kubelets since 1.36 do: an API server passes
// them on when the node declares ExtendWebSocketsToKubelet. Other requests go to the runtime as they are.
type kubelet struct {
	runtime    http.Handler
	runtimeURL *url.URL
	mutex      sync.Mutex
	upgrades   []string
}

func (k *kubelet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/upgrades" {
		k.mutex.Lock()
		defer k.mutex.Unlock()
		json.NewEncoder(w).Encode(k.upgrades)
		return
	}
	if protocol := r.Header.Get("Upgrade"); protocol != "" {
		k.mutex.Lock()
		k.upgrades = append(k.upgrades, protocol)
		k.mutex.Unlock()
	}
	location := *r.URL
	location.Scheme, location.Host = k.runtimeURL.Scheme, k.runtimeURL.Host
	isSession := strings.HasPrefix(r.URL.Path, "/exec/") || strings.HasPrefix(r.URL.Path, "/attach/")
	switch {
	case isSession && wsstream.IsWebSocketRequestWithStreamCloseProtocol(r):
		options, err := remotecommand.NewOptions(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		streams := translator.Options{Stdin: options.Stdin, Stdout: options.Stdout, Stderr: options.Stderr, Tty: options.TTY}
		translator.NewStreamTranslatorHandler(&location, nil, 0, streams).ServeHTTP(w, r)
	case wsstream.IsWebSocketRequestWithTunnelingProtocol(r):
		upgrade := proxy.NewUpgradeAwareHandler(&location, nil, false, true, responder{})
		translator.NewTunnelingHandler(upgrade).ServeHTTP(w, r)
	default:
		k.runtime.ServeHTTP(w, r)
	}
}

// responder reports that the runtime could not be reached.
type responder struct{}

func (responder) Error(w http.ResponseWriter, _ *http.Request, err error) {
	http.Error(w, err.Error(), http.StatusInternalServerError)
}
