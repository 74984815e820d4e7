// Package cosi runs Go clients of a COSI state against the server whose address is in COSI_TARGET.
package cosi

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/cosi-project/runtime/api/v1alpha1"
	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/resource/meta"
	"github.com/cosi-project/runtime/pkg/resource/protobuf"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/cosi-project/runtime/pkg/state/conformance"
	"github.com/cosi-project/runtime/pkg/state/protobuf/client"
)

func TestMain(m *testing.M) {
	if err := protobuf.RegisterResource(conformance.PathResourceType, &conformance.PathResource{}); err != nil {
		panic(err)
	}

	os.Exit(m.Run())
}

func dial(t *testing.T) v1alpha1.StateClient {
	t.Helper()

	conn, err := grpc.NewClient(os.Getenv("COSI_TARGET"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, conn.Close()) })

	return v1alpha1.NewStateClient(conn)
}

// TestConformance holds the server against the suite of the Go implementation.
func TestConformance(t *testing.T) {
	suite.Run(t, &conformance.StateSuite{
		State:      state.WrapCore(client.NewAdapter(dial(t))),
		Namespaces: []resource.Namespace{"default", "controller", "system", "runtime"},
	})
}

// TestConflicts checks that every refusal arrives as the condition the Go client knows.
func TestConflicts(t *testing.T) {
	st := state.WrapCore(client.NewAdapter(dial(t)))
	ctx := t.Context()
	path := conformance.NewPathResource("conflicts", "one")

	_, err := st.Get(ctx, path.Metadata())
	require.True(t, state.IsNotFoundError(err), "%v", err)
	require.True(t, state.IsNotFoundError(st.Update(ctx, path)))
	require.True(t, state.IsNotFoundError(st.Destroy(ctx, path.Metadata())))

	require.NoError(t, st.Create(ctx, path, state.WithCreateOwner("a")))
	assert.Equal(t, "1", path.Metadata().Version().String())
	assert.WithinDuration(t, time.Now(), path.Metadata().Updated(), time.Minute)

	err = st.Create(ctx, conformance.NewPathResource("conflicts", "one"))
	require.True(t, state.IsConflictError(err, state.WithResourceType(conformance.PathResourceType)), "%v", err)
	assert.False(t, state.IsOwnerConflictError(err))

	require.True(t, state.IsOwnerConflictError(st.Update(ctx, path)))
	require.True(t, state.IsOwnerConflictError(st.Destroy(ctx, path.Metadata())))

	require.NoError(t, st.Update(ctx, path, state.WithUpdateOwner("a")))
	assert.Equal(t, "2", path.Metadata().Version().String())

	stale := conformance.NewPathResource("conflicts", "one")
	err = st.Update(ctx, stale, state.WithUpdateOwner("a"))
	require.True(t, state.IsConflictError(err), "%v", err)
	assert.False(t, state.IsPhaseConflictError(err))
	assert.ErrorContains(t, err, `update conflict: expected version "undefined", actual version "2"`)

	require.NoError(t, st.AddFinalizer(ctx, path.Metadata(), "held"))

	err = st.Destroy(ctx, path.Metadata(), state.WithDestroyOwner("a"))
	require.True(t, state.IsConflictError(err), "%v", err)
	assert.ErrorContains(t, err, "has pending finalizers [held]")

	ready, err := st.Teardown(ctx, path.Metadata(), state.WithTeardownOwner("a"))
	require.NoError(t, err)
	assert.False(t, ready)

	current, err := st.Get(ctx, path.Metadata())
	require.NoError(t, err)
	require.True(t, state.IsPhaseConflictError(st.Update(ctx, current, state.WithUpdateOwner("a"))))

	require.NoError(t, st.RemoveFinalizer(ctx, path.Metadata(), "held"))
	require.NoError(t, st.TeardownAndDestroy(ctx, path.Metadata(), state.WithTeardownAndDestroyOwner("a")))
}

// TestForeignSpec checks that a type unknown to the server keeps its spec, labels and annotations.
func TestForeignSpec(t *testing.T) {
	st := state.WrapCore(client.NewAdapter(dial(t)))
	ctx := t.Context()

	definition, err := meta.NewResourceDefinition(meta.ResourceDefinitionSpec{
		Type:             "Strangers.example.org",
		DefaultNamespace: "somewhere",
		PrintColumns:     []meta.PrintColumn{{Name: "Name", JSONPath: "{.name}"}},
		Sensitivity:      meta.Sensitive,
	})
	require.NoError(t, err)

	definition.Metadata().Labels().Set("label", "ü")
	definition.Metadata().Annotations().Set("annotation", "")
	require.NoError(t, st.Create(ctx, definition))

	got, err := st.Get(ctx, definition.Metadata())
	require.NoError(t, err)
	assert.True(t, resource.Equal(definition, got), "%v", got)

	raw, err := dial(t).Get(ctx, &v1alpha1.GetRequest{
		Namespace: meta.NamespaceName, Type: meta.ResourceDefinitionType, Id: definition.Metadata().ID(),
	})
	require.NoError(t, err)
	assert.Contains(t, raw.GetResource().GetSpec().GetYamlSpec(), "displayType: Stranger")
}

// TestWatch checks bookmarks, their refusal, and queries that the server has to understand.
func TestWatch(t *testing.T) {
	st := state.WrapCore(client.NewAdapter(dial(t), client.WithDisableWatchRetry()))

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()

	path := conformance.NewPathResource("watches", "one")
	events := make(chan []state.Event)

	require.NoError(t, st.WatchKindAggregated(ctx, path.Metadata(), events, state.WithBootstrapContents(true)))

	batch := <-events
	require.Len(t, batch, 1)
	require.Equal(t, state.Bootstrapped, batch[0].Type)

	require.NoError(t, st.Create(ctx, path))
	require.Equal(t, state.Created, (<-events)[0].Type)

	resumed := make(chan []state.Event)

	require.NoError(t, st.WatchKindAggregated(ctx, path.Metadata(), resumed, state.WithKindStartFromBookmark(batch[0].Bookmark)))
	require.Equal(t, "one", (<-resumed)[0].Resource.Metadata().ID())

	bad := append(state.Bookmark{}, batch[0].Bookmark...)
	bad[0] ^= 0xff

	err := st.WatchKindAggregated(ctx, path.Metadata(), resumed, state.WithKindStartFromBookmark(bad))
	require.True(t, state.IsInvalidWatchBookmarkError(err), "%v", err)

	stream, err := dial(t).List(ctx, &v1alpha1.ListRequest{
		Namespace: "watches", Type: path.Metadata().Type(),
		Options: &v1alpha1.ListOptions{IdQuery: &v1alpha1.IDQuery{Regexp: "(?i)^[[:upper:]]NE$"}},
	})
	require.NoError(t, err)

	item, err := stream.Recv()
	require.NoError(t, err)
	assert.Equal(t, "one", item.GetResource().GetMetadata().GetId())

	stream, err = dial(t).List(ctx, &v1alpha1.ListRequest{
		Namespace: "watches", Type: path.Metadata().Type(),
		Options: &v1alpha1.ListOptions{IdQuery: &v1alpha1.IDQuery{Regexp: "("}},
	})
	require.NoError(t, err)

	_, err = stream.Recv()
	require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
}
