package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/library"

	"k8s.io/apimachinery/pkg/runtime/schema"
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
	fields, fieldErr := a.GetFieldSelector()
	labels, labelErr := a.GetLabelSelector()
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
		"fields":            fmt.Sprint(fields),
		"labels":            fmt.Sprint(labels),
	}
	if fieldErr != nil {
		text["fieldsError"] = fieldErr.Error()
	}
	if labelErr != nil {
		text["labelsError"] = labelErr.Error()
	}
	result, _ := json.Marshal(text)
	return string(result)
}
