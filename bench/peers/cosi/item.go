package main

import (
	"context"
	"fmt"

	"github.com/cosi-project/runtime/pkg/controller"
	"github.com/cosi-project/runtime/pkg/controller/generic"
	"github.com/cosi-project/runtime/pkg/controller/generic/transform"
	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/resource/meta"
	"github.com/cosi-project/runtime/pkg/resource/typed"
	"go.uber.org/zap"
)

const namespace = "bench"

type spec struct {
	Text  string
	Count int
}

func (s spec) DeepCopy() spec { return s }

// One Go type per link of the chain: the generic controllers of the peer find resource types by Go type.
type (
	ext0  struct{}
	ext1  struct{}
	ext2  struct{}
	ext3  struct{}
	ext4  struct{}
	ext5  struct{}
	ext6  struct{}
	ext7  struct{}
	ext8  struct{}
	ext9  struct{}
	ext10 struct{}
)

func typeName(link int) string { return fmt.Sprintf("Items%d.bench.cosi.dev", link) }

func definition(link int) meta.ResourceDefinitionSpec {
	return meta.ResourceDefinitionSpec{Type: typeName(link), DefaultNamespace: namespace}
}

func (ext0) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(0) }
func (ext1) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(1) }
func (ext2) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(2) }
func (ext3) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(3) }
func (ext4) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(4) }
func (ext5) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(5) }
func (ext6) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(6) }
func (ext7) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(7) }
func (ext8) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(8) }
func (ext9) ResourceDefinition() meta.ResourceDefinitionSpec  { return definition(9) }
func (ext10) ResourceDefinition() meta.ResourceDefinitionSpec { return definition(10) }

type item[E typed.Extension] = typed.Resource[spec, E]

func metadata(link int, id string) resource.Metadata {
	return resource.NewMetadata(namespace, typeName(link), id, resource.VersionUndefined)
}

func newItem(id string, count int) *item[ext0] {
	return typed.NewResource[spec, ext0](metadata(0, id), spec{Text: "text of " + id, Count: count})
}

type holder interface {
	generic.ResourceWithRD
	TypedSpec() *spec
}

// link is a controller that copies one type into the next.
func link[I, O holder](number int, empty func(id string) O) controller.Controller {
	return transform.NewController(transform.Settings[I, O]{
		Name:            fmt.Sprintf("bench.Link%dController", number),
		MapMetadataFunc: func(in I) O { return empty(in.Metadata().ID()) },
		TransformFunc: func(_ context.Context, _ controller.Reader, _ *zap.Logger, in I, out O) error {
			*out.TypedSpec() = *in.TypedSpec()

			return nil
		},
	})
}

func target[E typed.Extension](number int) func(id string) *item[E] {
	return func(id string) *item[E] { return typed.NewResource[spec, E](metadata(number, id), spec{}) }
}

func chain() []controller.Controller {
	return []controller.Controller{
		link[*item[ext0], *item[ext1]](1, target[ext1](1)),
		link[*item[ext1], *item[ext2]](2, target[ext2](2)),
		link[*item[ext2], *item[ext3]](3, target[ext3](3)),
		link[*item[ext3], *item[ext4]](4, target[ext4](4)),
		link[*item[ext4], *item[ext5]](5, target[ext5](5)),
		link[*item[ext5], *item[ext6]](6, target[ext6](6)),
		link[*item[ext6], *item[ext7]](7, target[ext7](7)),
		link[*item[ext7], *item[ext8]](8, target[ext8](8)),
		link[*item[ext8], *item[ext9]](9, target[ext9](9)),
		link[*item[ext9], *item[ext10]](10, target[ext10](10)),
	}
}

// typedOther is a resource that no controller of the chain reads.
func typedOther(id string, count int) *item[extOther] {
	md := resource.NewMetadata(namespace, "Others.bench.cosi.dev", id, resource.VersionUndefined)

	return typed.NewResource[spec, extOther](md, spec{Text: "text of " + id, Count: count})
}

type extOther struct{}

func (extOther) ResourceDefinition() meta.ResourceDefinitionSpec {
	return meta.ResourceDefinitionSpec{Type: "Others.bench.cosi.dev", DefaultNamespace: namespace}
}
