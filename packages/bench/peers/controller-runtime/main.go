// What controller-runtime costs for one task, as a cell of the benchmark: one subcommand for each of "queue", "drain", "steady", "failover" and
// "webhook", with the URL of the server, the number of objects and the settings of the row. It prints one measurement, shaped like those of the
// other cells. The rate limit of its client is switched off; everything else is as controller-runtime's documentation advises.
package main

import (
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
)

// One task: the figures of a program, which prints them and ends.
type task func(input) measurement

type input struct {
	url     string
	count   int
	variant string
}

func main() {
	go endWithParent()
	ctrl.SetLogger(logr.Discard())
	count, err := strconv.Atoi(os.Args[3])
	check(err)
	run := map[string]task{"queue": queue, "drain": drain, "steady": steady, "failover": failover, "webhook": serveWebhook}[os.Args[1]]
	print(run(input{url: os.Args[2], count: count, variant: os.Args[4]}))
}

func print(line any) { check(json.NewEncoder(os.Stdout).Encode(line)) }

// Whoever asked holds our input open.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

func restConfig(url string) *rest.Config {
	return &rest.Config{
		Host:            url,
		QPS:             -1,
		BearerToken:     os.Getenv("BENCH_TOKEN"),
		TLSClientConfig: rest.TLSClientConfig{CAFile: os.Getenv("BENCH_CA")},
	}
}

func terminated() <-chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	return signals
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
