package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/library"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
)

// fixedAuthorizer decides always the same.
type fixedAuthorizer struct {
	Decision string `json:"decision"`
	// Reason; "attributes" stands for the attributes of the check in JSON.
	Reason string `json:"reason"`
	Error  string `json:"error"`
}

var decisions = map[string]authorizer.Decision{
	"Allow":     authorizer.DecisionAllow,
	"Deny":      authorizer.DecisionDeny,
	"NoOpinion": authorizer.DecisionNoOpinion,
}

// request is the resource of the variable authorizer.requestResource.
type request struct{}

func (request) GetName() string      { return "name" }
func (request) GetNamespace() string { return "namespace" }
func (request) GetResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "group", Version: "v1", Resource: "resources"}
}
func (request) GetSubresource() string { return "subresource" }

func toAuthorizer(declared *cel.Type, value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var fixed fixedAuthorizer
	if err := json.Unmarshal(text, &fixed); err != nil {
		return nil, err
	}
	who := &user.DefaultInfo{Name: "user"}
	if declared == library.ResourceCheckType {
		return library.NewResourceAuthorizerVal(who, fixed, request{}), nil
	}
	return library.NewAuthorizerVal(who, fixed), nil
}

func (f fixedAuthorizer) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, ok := decisions[f.Decision]
	if !ok {
		return authorizer.DecisionNoOpinion, "", fmt.Errorf("unknown decision %q", f.Decision)
	}
	reason := f.Reason
	if reason == "attributes" {
		reason = attributesText(a)
	}
	if f.Error != "" {
		return decision, reason, errors.New(f.Error)
	}
	return decision, reason, nil
}

func attributesText(a authorizer.Attributes) string {
	fieldSelector, fieldErr := a.GetFieldSelector()
	labelSelector, labelErr := a.GetLabelSelector()
	text := map[string]any{
		"isResourceRequest": a.IsResourceRequest(),
		"user":              a.GetUser().GetName(),
		"groups":            a.GetUser().GetGroups(),
		"verb":              a.GetVerb(),
		"path":              a.GetPath(),
		"apiGroup":          a.GetAPIGroup(),
		"apiVersion":        a.GetAPIVersion(),
		"resource":          a.GetResource(),
		"subresource":       a.GetSubresource(),
		"namespace":         a.GetNamespace(),
		"name":              a.GetName(),
		"fields":            fieldsOf(fieldSelector),
		"labels":            labelsOf(labelSelector),
	}
	if fieldErr != nil {
		text["fieldsError"] = fieldErr.Error()
	}
	if labelErr != nil {
		text["labelsError"] = labelErr.Error()
	}
	var result strings.Builder
	encoder := json.NewEncoder(&result)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err)
	}
	return strings.TrimSpace(result.String())
}

func fieldsOf(requirements fields.Requirements) any {
	result := []any{}
	for _, one := range requirements {
		result = append(result, map[string]any{
			"field": one.Field, "operator": one.Operator, "value": one.Value,
		})
	}
	return result
}

// operators are the names that the API has for the operators of labels.
var operators = map[selection.Operator]string{
	selection.In:           "In",
	selection.NotIn:        "NotIn",
	selection.Equals:       "In",
	selection.DoubleEquals: "In",
	selection.NotEquals:    "NotIn",
	selection.Exists:       "Exists",
	selection.DoesNotExist: "DoesNotExist",
	selection.GreaterThan:  "Gt",
	selection.LessThan:     "Lt",
}

func labelsOf(requirements labels.Requirements) any {
	result := []any{}
	for _, one := range requirements {
		result = append(result, map[string]any{
			"key": one.Key(), "operator": operators[one.Operator()], "values": one.Values().List(),
		})
	}
	return result
}
