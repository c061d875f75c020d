package main

import (
	"context"
	"encoding/json"
	"sort"
	"strconv"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
)

type validation struct {
	// SchemaError says why the schema is not structural.
	SchemaError string       `json:"schemaError,omitempty"`
	Rules       []rule       `json:"rules,omitempty"`
	Errors      []fieldError `json:"errors,omitempty"`
	// Remaining is the budget that the rules left; negative if it did not suffice.
	Remaining string `json:"remaining,omitempty"`
}

// rule is the outcome of compiling one rule.
type rule struct {
	Path           string `json:"path"`
	Rule           string `json:"rule"`
	Error          string `json:"error,omitempty"`
	MaxCost        string `json:"maxCost"`
	MaxCardinality string `json:"maxCardinality"`
	UsesOldSelf    bool   `json:"usesOldSelf,omitempty"`
	MessageError   string `json:"messageError,omitempty"`
	MessageMaxCost string `json:"messageMaxCost,omitempty"`
	FieldPath      string `json:"fieldPath,omitempty"`
}

type fieldError struct {
	Type     string `json:"type"`
	Field    string `json:"field"`
	Detail   string `json:"detail"`
	BadValue any    `json:"badValue"`
}

func validate(one testCase) (*validation, error) {
	structural, err := structuralOf(one.Schema)
	if err != nil {
		return &validation{SchemaError: err.Error()}, nil
	}
	set, err := environmentSet(one.Version)
	if err != nil {
		return nil, err
	}
	compiler := &compiler{set: set, loader: schemacel.NewExpressionsEnvLoader()}
	if one.Mode == "stored" {
		compiler.loader = schemacel.StoredExpressionsEnvLoader()
	}
	if err := compiler.compile(structural, model.SchemaDeclType(structural, true), nil); err != nil {
		return nil, err
	}
	result := &validation{Rules: compiler.rules}
	if one.Object == nil {
		return result, nil
	}
	return result, runRules(one, structural, result)
}

func structuralOf(text json.RawMessage) (*schema.Structural, error) {
	var props apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(text, &props); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil); err != nil {
		return nil, err
	}
	return schema.NewStructural(&internal)
}

func runRules(one testCase, structural *schema.Structural, result *validation) error {
	var object, oldObject any
	if err := utiljson.Unmarshal(one.Object, &object); err != nil {
		return err
	}
	if one.OldObject != nil {
		if err := utiljson.Unmarshal(one.OldObject, &oldObject); err != nil {
			return err
		}
	}
	budget := int64(celconfig.RuntimeCELCostBudget)
	if one.Budget != nil {
		budget = *one.Budget
	}
	options := []schemacel.Option{}
	if one.Ratcheting == nil && oldObject != nil || one.Ratcheting != nil && *one.Ratcheting {
		related := common.NewCorrelatedObject(object, oldObject, &model.Structural{Structural: structural})
		options = append(options, schemacel.WithRatcheting(related))
	}
	validator := schemacel.NewValidator(structural, true, celconfig.PerCallLimit)
	if validator == nil {
		result.Remaining = strconv.FormatInt(budget, 10)
		return nil
	}
	problems, remaining := validator.Validate(
		context.Background(), nil, structural, object, oldObject, budget, options...)
	for _, problem := range problems {
		result.Errors = append(result.Errors, fieldError{
			string(problem.Type), problem.Field, problem.Detail, problem.BadValue,
		})
	}
	result.Remaining = strconv.FormatInt(remaining, 10)
	return nil
}

type compiler struct {
	set    *environment.EnvSet
	loader schemacel.EnvLoader
	rules  []rule
}

// compile compiles the rules of a schema and of all below it, in the order of the names of properties.
func (c *compiler) compile(s *schema.Structural, declared *apiservercel.DeclType, path *field.Path) error {
	if declared == nil {
		return nil
	}
	results, err := schemacel.Compile(s, declared, celconfig.PerCallLimit, c.set, c.loader)
	if err != nil {
		return err
	}
	for i, one := range results {
		c.rules = append(c.rules, ruleOf(s.XValidations[i].Rule, one, path))
	}
	return c.compileBelow(s, declared, path)
}

func (c *compiler) compileBelow(s *schema.Structural, declared *apiservercel.DeclType, path *field.Path) error {
	if s.Items != nil {
		if err := c.compile(s.Items, declared.ElemType, path.Key("*")); err != nil {
			return err
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		if err := c.compile(s.AdditionalProperties.Structural, declared.ElemType, path.Key("*")); err != nil {
			return err
		}
	}
	names := []string{}
	for name := range s.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		property := s.Properties[name]
		if err := c.compile(&property, propertyType(&property, declared, name), path.Child(name)); err != nil {
			return err
		}
	}
	return nil
}

func propertyType(property *schema.Structural, declared *apiservercel.DeclType, name string) *apiservercel.DeclType {
	escaped, ok := apiservercel.Escape(name)
	if !ok {
		return model.SchemaDeclType(property, property.XEmbeddedResource)
	}
	if known, ok := declared.Fields[escaped]; ok {
		return known.Type
	}
	return nil
}

func ruleOf(source string, one schemacel.CompilationResult, path *field.Path) rule {
	result := rule{
		Path:           pathText(path),
		Rule:           source,
		MaxCost:        strconv.FormatUint(one.MaxCost, 10),
		MaxCardinality: strconv.FormatUint(one.MaxCardinality, 10),
		UsesOldSelf:    one.UsesOldSelf,
		FieldPath:      one.NormalizedRuleFieldPath,
	}
	if one.Error != nil {
		result.Error = one.Error.Detail
	}
	if one.MessageExpressionError != nil {
		result.MessageError = one.MessageExpressionError.Detail
	}
	if one.MessageExpression != nil {
		result.MessageMaxCost = strconv.FormatUint(one.MessageExpressionMaxCost, 10)
	}
	return result
}

// pathText returns the path of a schema; empty for the whole schema.
func pathText(path *field.Path) string {
	if path == nil {
		return ""
	}
	return path.String()
}
