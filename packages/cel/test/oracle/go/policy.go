package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
)

// policyCase is a policy and a request that it decides on.
type policyCase struct {
	Validating      *v1.ValidatingAdmissionPolicy `json:"validating"`
	Mutating        *v1.MutatingAdmissionPolicy   `json:"mutating"`
	Object          map[string]any                `json:"object"`
	OldObject       map[string]any                `json:"oldObject"`
	Params          map[string]any                `json:"params"`
	NamespaceObject *corev1.Namespace             `json:"namespaceObject"`
	Authorizer      fixedAuthorizer               `json:"authorizer"`
	Request         policyRequest                 `json:"request"`
}

type policyRequest struct {
	Kind        metav1.GroupVersionKind     `json:"kind"`
	Resource    metav1.GroupVersionResource `json:"resource"`
	SubResource string                      `json:"subResource"`
	Name        string                      `json:"name"`
	Namespace   string                      `json:"namespace"`
	Operation   admission.Operation         `json:"operation"`
	DryRun      bool                        `json:"dryRun"`
	UserInfo    struct {
		Username string              `json:"username"`
		UID      string              `json:"uid"`
		Groups   []string            `json:"groups"`
		Extra    map[string][]string `json:"extra"`
	} `json:"userInfo"`
}

type policyOutcome struct {
	Decisions   []policyDecision   `json:"decisions"`
	Annotations []policyAnnotation `json:"annotations"`
	Problems    []string           `json:"problems,omitempty"`
	Object      any                `json:"object,omitempty"`
}

type policyDecision struct {
	Action     string `json:"action"`
	Evaluation string `json:"evaluation"`
	Message    string `json:"message"`
	Reason     string `json:"reason,omitempty"`
}

type policyAnnotation struct {
	Key    string `json:"key"`
	Action string `json:"action"`
	Value  string `json:"value,omitempty"`
	Error  string `json:"error,omitempty"`
}

func decideByPolicy(line []byte) (any, error) {
	var one policyCase
	if err := json.Unmarshal(line, &one); err != nil {
		return nil, err
	}
	attributes, err := one.attributes()
	if err != nil {
		return nil, err
	}
	if one.Mutating != nil {
		return one.mutate(attributes)
	}
	return one.validate(attributes), nil
}

var plainObjects = sync.OnceValue(func() admission.ObjectInterfaces {
	return admission.NewObjectInterfacesFromScheme(runtime.NewScheme())
})

func (c policyCase) attributes() (*admission.VersionedAttributes, error) {
	request := c.Request
	who := &user.DefaultInfo{
		Name: request.UserInfo.Username, UID: request.UserInfo.UID,
		Groups: request.UserInfo.Groups, Extra: request.UserInfo.Extra,
	}
	kind := schema.GroupVersionKind(request.Kind)
	record := admission.NewAttributesRecord(
		toObject(c.Object), toObject(c.OldObject), kind, request.Namespace, request.Name,
		schema.GroupVersionResource(request.Resource), request.SubResource, request.Operation, nil, request.DryRun, who,
	)
	return admission.NewVersionedAttributes(record, kind, plainObjects())
}

func toObject(value map[string]any) runtime.Object {
	if value == nil {
		return nil
	}
	return &unstructured.Unstructured{Object: integers(value).(map[string]any)}
}

// integers converts whole numbers to int64, as a server reads them.
func integers(value any) any {
	switch typed := value.(type) {
	case map[string]any:
		for key, part := range typed {
			typed[key] = integers(part)
		}
	case []any:
		for at, part := range typed {
			typed[at] = integers(part)
		}
	case float64:
		if typed == float64(int64(typed)) {
			return int64(typed)
		}
	}
	return value
}

// compileParts compiles what validating and mutating policies share.
func compileParts(
	variables []v1.Variable, conditions []v1.MatchCondition, failure *v1.FailurePolicyType, params bool,
) (*cel.CompositedCompiler, cel.OptionalVariableDeclarations, matchconditions.Matcher, error) {
	options := cel.OptionalVariableDeclarations{HasParams: params, HasAuthorizer: true}
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, options, nil, err
	}
	var named []cel.NamedExpressionAccessor
	for _, one := range variables {
		named = append(named, &validating.Variable{Name: one.Name, Expression: one.Expression})
	}
	compiler.CompileAndStoreVariables(named, options, environment.StoredExpressions)
	if len(conditions) == 0 {
		return compiler, options, nil, nil
	}
	var expressions []cel.ExpressionAccessor
	for at := range conditions {
		expressions = append(expressions, (*matchconditions.MatchCondition)(&conditions[at]))
	}
	compiled := compiler.CompileCondition(expressions, options, environment.StoredExpressions)
	return compiler, options, matchconditions.NewMatcher(compiled, failure, "policy", "validate", "policy"), nil
}

func (c policyCase) validate(attributes *admission.VersionedAttributes) policyOutcome {
	spec := c.Validating.Spec
	compiler, options, matcher, err := compileParts(spec.Variables, spec.MatchConditions, spec.FailurePolicy, spec.ParamKind != nil)
	var validations, messages, annotations []cel.ExpressionAccessor
	for _, one := range spec.Validations {
		validations = append(validations, &validating.ValidationCondition{Expression: one.Expression, Message: one.Message, Reason: one.Reason})
		var message cel.ExpressionAccessor
		if one.MessageExpression != "" {
			message = &validating.MessageExpressionCondition{MessageExpression: one.MessageExpression}
		}
		messages = append(messages, message)
	}
	for _, one := range spec.AuditAnnotations {
		annotations = append(annotations, &validating.AuditAnnotationCondition{Key: one.Key, ValueExpression: one.ValueExpression})
	}
	plain := cel.OptionalVariableDeclarations{HasParams: options.HasParams}
	stored := environment.StoredExpressions
	validator := validating.NewValidator(
		compiler.CompileCondition(validations, options, stored), matcher,
		compiler.CompileCondition(annotations, options, stored),
		compiler.CompileCondition(messages, plain, stored), spec.FailurePolicy, err,
	)
	result := validator.Validate(
		context.Background(), schema.GroupVersionResource(c.Request.Resource), attributes, toObject(c.Params),
		c.NamespaceObject, celconfig.RuntimeCELCostBudget, c.Authorizer,
	)
	outcome := policyOutcome{Decisions: []policyDecision{}, Annotations: []policyAnnotation{}}
	for _, one := range result.Decisions {
		outcome.Decisions = append(outcome.Decisions, policyDecision{
			string(one.Action), string(one.Evaluation), one.Message, string(one.Reason),
		})
	}
	for _, one := range result.AuditAnnotations {
		outcome.Annotations = append(outcome.Annotations, policyAnnotation{one.Key, string(one.Action), one.Value, one.Error})
	}
	return outcome
}

func (c policyCase) mutate(attributes *admission.VersionedAttributes) (any, error) {
	spec := c.Mutating.Spec
	compiler, options, matcher, err := compileParts(spec.Variables, spec.MatchConditions, spec.FailurePolicy, spec.ParamKind != nil)
	if err != nil {
		return nil, err
	}
	outcome := policyOutcome{Decisions: []policyDecision{}, Annotations: []policyAnnotation{}}
	ctx := compiler.CreateContext(context.Background())
	params := toObject(c.Params)
	if matcher != nil {
		match := matcher.Match(ctx, attributes, params, c.Authorizer)
		if match.Error != nil {
			outcome.Problems = append(outcome.Problems, match.Error.Error())
		}
		if !match.Matches {
			outcome.Object = c.Object
			return outcome, nil
		}
	}
	options.HasPatchTypes = true
	for _, one := range spec.Mutations {
		var patcher patch.Patcher
		if one.JSONPatch != nil {
			accessor := &patch.JSONPatchCondition{Expression: one.JSONPatch.Expression}
			patcher = patch.NewJSONPatcher(compiler.CompileMutatingEvaluator(accessor, options, environment.StoredExpressions))
		} else if one.ApplyConfiguration != nil {
			accessor := &patch.ApplyConfigurationCondition{Expression: one.ApplyConfiguration.Expression}
			patcher = patch.NewApplyConfigurationPatcher(compiler.CompileMutatingEvaluator(accessor, options, environment.StoredExpressions))
		} else {
			return nil, errors.New("a mutation without expression")
		}
		changed, err := patcher.Patch(ctx, patch.Request{
			MatchedResource:     schema.GroupVersionResource(c.Request.Resource),
			VersionedAttributes: attributes,
			ObjectInterfaces:    plainObjects(),
			OptionalVariables:   cel.OptionalVariableBindings{VersionedParams: params, Authorizer: c.Authorizer},
			Namespace:           c.NamespaceObject,
			TypeConverter:       managedfields.NewDeducedTypeConverter(),
		}, celconfig.RuntimeCELCostBudget)
		if err != nil {
			outcome.Problems = append(outcome.Problems, err.Error())
			continue
		}
		attributes.UpdateObject(changed)
	}
	final, ok := attributes.VersionedObject.Object().(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("unexpected object %T", attributes.VersionedObject.Object())
	}
	outcome.Object = final.Object
	return outcome, nil
}
