// Command codegen reads facts about the Kubernetes API from the pinned upstream Go modules and
// writes them as tables into the folder given as its only argument. Facts only: no upstream prose.
package main

import (
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run . OUTPUT_FOLDER")
	}
	out := os.Args[1]
	upstream := findUpstream()
	api := openAPI(upstream.kubernetes)
	packages := collect(api)
	clear(out)
	for _, p := range packages {
		writeTypes(out, p)
	}
	resources := resourceRows(upstream.kubernetes)
	writeRows(out, "resources.json", resources)
	writeRows(out, "lifecycle.json", lifecycleRows())
	writeRows(out, "zero-values.json", zeroRows())
	writeRows(out, "feature-gates.json", featureGateRows())
	writeRows(out, "bootstrap-objects.json", bootstrapRows())
	typeRows, objectRows := defaultRows(resources)
	writeRows(out, "type-defaults.json", typeRows)
	writeRows(out, "defaulted-objects.json", objectRows)
	writeRows(out, "table-columns.json", columnRows(upstream.kubernetes, resources))
	writeRows(out, "storage-versions.json", storageVersionRows(resources))
	writeRows(out, "group-priorities.json", groupPriorityRows(upstream.kubernetes))
	writeRows(out, "health-checks.json", healthCheckRows(upstream.kubernetes))
	writeRows(out, "sources.json", upstream.rows())
}
