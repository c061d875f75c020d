// What Kubernetes' evaluation of validation rules costs, as a cell of the benchmark: one subcommand for each of "small", "list" and "compile", with
// the number of evaluations. It prints one measurement, shaped like those of the other cells. Rules run as in an API server: with its environment,
// its conversion of values, and its costs.
package main

import (
	"encoding/json"
	"io"
	"os"
	"strconv"
)

// One task: the figures of a program, which prints them and ends.
type task func(count int) measurement

func main() {
	go endWithParent()
	count, err := strconv.Atoi(os.Args[3])
	check(err)
	run := map[string]task{"cel-small": small, "cel-list": list, "cel-compile": compile}[os.Args[1]]
	check(json.NewEncoder(os.Stdout).Encode(run(count)))
}

// Whoever asked holds our input open.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
