package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Evaluations before those that are measured.
const warmUp = 2_000

// The schemas and objects equal those of src/cel-rules.ts.
const smallRule = "self.replicas <= self.maxReplicas"
const listRule = "self.items.all(item, item.size < 200)"

func schemaOf(rule string) *schema.Structural {
	text := fmt.Sprintf(`{"type":"object","properties":{"spec":{"type":"object","properties":{
		"replicas":{"type":"integer"},"maxReplicas":{"type":"integer"},"name":{"type":"string","maxLength":63},
		"items":{"type":"array","maxItems":100,"items":{"type":"object","properties":{"size":{"type":"integer"}}}}},
		"x-kubernetes-validations":[{"rule":%q}]}}}`, rule)
	var props apiextensionsv1.JSONSchemaProps
	check(json.Unmarshal([]byte(text), &props))
	var internal apiextensions.JSONSchemaProps
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil))
	structural, err := schema.NewStructural(&internal)
	check(err)
	return structural
}

func small(count int) measurement {
	return evaluate(count, smallRule, `{"spec":{"replicas":3,"maxReplicas":5,"name":"web","items":[{"size":1},{"size":2}]}}`)
}

func list(count int) measurement {
	items := make([]map[string]int, 100)
	for index := range items {
		items[index] = map[string]int{"size": index}
	}
	object, err := json.Marshal(map[string]any{"spec": map[string]any{"items": items}})
	check(err)
	return evaluate(count, listRule, string(object))
}

func evaluate(count int, rule string, text string) measurement {
	structural := schemaOf(rule)
	validator := schemacel.NewValidator(structural, true, celconfig.PerCallLimit)
	var object any
	check(utiljson.Unmarshal([]byte(text), &object))
	do := func(int) {
		problems, _ := validator.Validate(
			context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
		if len(problems) > 0 {
			panic(problems.ToAggregate())
		}
	}
	for index := range warmUp {
		do(index)
	}
	return measure(count, do)
}

// Compiles a schema with one rule, another rule each time.
func compile(count int) measurement {
	do := func(index int) {
		rule := fmt.Sprintf("self.replicas <= self.maxReplicas && self.items.all(item, item.size < %d) && self.name != 'web-%d'", 1000+index, index)
		if schemacel.NewValidator(schemaOf(rule), true, celconfig.PerCallLimit) == nil {
			panic("no rules")
		}
	}
	// Fills the caches of the environment.
	for index := range 50 {
		do(-index - 1)
	}
	return measure(count, do)
}
