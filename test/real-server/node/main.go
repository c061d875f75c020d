// Command node stands in for a node of a cluster: it serves the paths on which an API server reaches a kubelet. Exec,
// attach and port-forward run on upstream's streaming package, WebSockets on its translators. Containers are processes
// of this machine, each in a folder of its own. It prints its port, and ends with its stdin.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// Limits of kubelets: a session without traffic, and the time in which its streams must be opened.
const (
	idleTimeout     = 4 * time.Hour
	creationTimeout = 30 * time.Second
)

func main() {
	log.SetFlags(0)
	folder, err := os.MkdirTemp("", "typekube-node-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	containers := newContainers(folder)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{certificate()},
		NextProtos:   []string{"http/1.1"},
	})
	if err != nil {
		log.Fatal(err)
	}
	runtime := handler(containers)
	runtimeListener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(runtimeListener, runtime)
	runtimeURL := &url.URL{Scheme: "http", Host: runtimeListener.Addr().String()}
	go http.Serve(listener, &kubelet{runtime: runtime, runtimeURL: runtimeURL})
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	io.Copy(io.Discard, os.Stdin)
	containers.killAll()
}

// handler serves a kubelet's paths, and PUT /containers/NAMESPACE/POD/CONTAINER, which starts a main process.
func handler(containers *containers) http.Handler {
	mux := http.NewServeMux()
	place := func(r *http.Request) id {
		return id{r.PathValue("namespace"), r.PathValue("pod"), r.PathValue("container")}
	}
	mux.HandleFunc("/exec/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		options, err := remotecommand.NewOptions(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		command := r.Form["command"]
		name := strings.Join([]string{r.PathValue("pod"), r.PathValue("namespace")}, "_")
		remotecommand.ServeExec(w, r, executor{containers, place(r)}, name, "", place(r).container, command, options,
			idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
	})
	mux.HandleFunc("/attach/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		options, err := remotecommand.NewOptions(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if containers.find(place(r)) == nil {
			http.Error(w, "the container does not run", http.StatusNotFound)
			return
		}
		remotecommand.ServeAttach(w, r, executor{containers, place(r)}, "", "", place(r).container, options,
			idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
	})
	mux.HandleFunc("/portForward/{namespace}/{pod}", func(w http.ResponseWriter, r *http.Request) {
		options, err := portforward.NewV4Options(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, r, forwarder{}, r.PathValue("pod"), "", options,
			idleTimeout, creationTimeout, portforward.SupportedProtocols)
	})
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		container := containers.find(place(r))
		if container == nil {
			http.Error(w, fmt.Sprintf("container %q is waiting to start", place(r).container), http.StatusBadRequest)
			return
		}
		if err := container.serveLog(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
	mux.HandleFunc("PUT /containers/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		if err := containers.start(place(r), r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
	mux.HandleFunc("GET /containers/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		if container := containers.find(place(r)); container == nil {
			http.NotFound(w, r)
		} else {
			fmt.Fprintf(w, "%d\n", container.exitCode())
		}
	})
	return mux
}

// certificate makes a self-signed one: an API server without --kubelet-certificate-authority accepts any.
func certificate() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "node"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		log.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
