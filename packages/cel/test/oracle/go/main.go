// Evaluates CEL as a Kubernetes API server does. Reads cases as lines of JSON on stdin and writes one line of JSON with
// the outcome of each on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// testCase is an expression, a schema with rules and an object, or a policy and a request (policyCase).
type testCase struct {
	Validating json.RawMessage `json:"validating"`
	Mutating   json.RawMessage `json:"mutating"`

	Expression string              `json:"expression"`
	Variables  map[string]variable `json:"variables"`
	// Version of the server; expressions that are new there may use what the version before knows.
	Version string `json:"version"`
	// Mode is "new" (what the version knows) or "stored" (everything).
	Mode string `json:"mode"`
	// JSONPatch adds the library of mutating policies.
	JSONPatch bool `json:"jsonpatch"`

	Schema    json.RawMessage `json:"schema"`
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject"`
	// Ratcheting is true by default if there is an old object.
	Ratcheting *bool `json:"ratcheting"`
	// Budget is the number of units that all rules may cost together.
	Budget *int64 `json:"budget"`
}

type failure struct {
	Failure string `json:"failure"`
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<28)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	for input.Scan() {
		if err := encoder.Encode(outcomeOf(input.Bytes())); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := input.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func outcomeOf(line []byte) (outcome any) {
	defer func() {
		if problem := recover(); problem != nil {
			outcome = failure{fmt.Sprint(problem)}
		}
	}()
	var one testCase
	if err := json.Unmarshal(line, &one); err != nil {
		return failure{err.Error()}
	}
	var err error
	if one.Validating != nil || one.Mutating != nil {
		outcome, err = decideByPolicy(line)
	} else if one.Schema != nil {
		outcome, err = validate(one)
	} else {
		outcome, err = evaluate(one)
	}
	if err != nil {
		return failure{err.Error()}
	}
	return outcome
}

var environments sync.Map

// environmentSet returns the environments of a server of a version: "new" expressions know the version before it.
func environmentSet(name string) (*environment.EnvSet, error) {
	if name == "" {
		name = "1.37"
	}
	if known, ok := environments.Load(name); ok {
		return known.(*environment.EnvSet), nil
	}
	server, err := version.ParseGeneric(name)
	if err != nil {
		return nil, err
	}
	set := environment.MustBaseEnvSet(server.SubtractMinor(1))
	environments.Store(name, set)
	return set, nil
}
