// Reads lines of JSON {"pattern", "texts"} and writes what Go's regexp package makes of each.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
)

type question struct {
	Pattern string   `json:"pattern"`
	Texts   []string `json:"texts"`
	// Largest number of parts to find.
	Limit int `json:"limit"`
}

type answer struct {
	Problem string `json:"problem,omitempty"`
	Matches []bool `json:"matches,omitempty"`
	// The parts that match in each text.
	Found [][]string `json:"found,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			panic(err)
		}
		var a answer
		if expression, err := regexp.Compile(q.Pattern); err != nil {
			a.Problem = err.Error()
		} else {
			for _, text := range q.Texts {
				a.Matches = append(a.Matches, expression.MatchString(text))
				a.Found = append(a.Found, expression.FindAllString(text, q.Limit))
			}
		}
		if err := encoder.Encode(a); err != nil {
			panic(err)
		}
	}
}
