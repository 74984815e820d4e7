// Measures the Go implementation on the operations of bench/cosi/subject.ts, and prints one JSON object.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cosi-project/runtime/pkg/controller/runtime"
	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/cosi-project/runtime/pkg/state/impl/inmem"
	"github.com/cosi-project/runtime/pkg/state/impl/namespaced"
	"go.uber.org/zap"
)

type sizes struct {
	Resources   int `json:"resources"`
	Gets        int `json:"gets"`
	Updates     int `json:"updates"`
	Lists       int `json:"lists"`
	Watchers    int `json:"watchers"`
	WatchEvents int `json:"watchEvents"`
	Trips       int `json:"trips"`
	ChainItems  int `json:"chainItems"`
	Rounds      int `json:"rounds"`
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func newState(history int) state.State {
	return state.WrapCore(namespaced.NewState(func(ns resource.Namespace) state.CoreState {
		return inmem.NewStateWithOptions(inmem.WithHistoryMaxCapacity(history))(ns)
	}))
}

// The names are made beforehand, so that making them is not measured.
var ids = func() (names [100_000]string) {
	for index := range names {
		names[index] = fmt.Sprintf("item-%06d", index)
	}

	return names
}()

func id(index int) string { return ids[index] }

// rate measures operations per second.
func rate(count int, run func()) float64 {
	start := time.Now()

	run()

	return float64(count) / time.Since(start).Seconds()
}

func median(values []float64) float64 {
	slices.Sort(values)

	return values[len(values)/2]
}

func percentile(sorted []float64, part float64) float64 {
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}

func fanOut(ctx context.Context, size sizes) float64 {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	st := newState(8192)
	it := newItem("watched", 0)
	must(st.Create(ctx, it))

	var wg sync.WaitGroup

	for range size.Watchers {
		ch := make(chan []state.Event)
		must(st.WatchKindAggregated(ctx, metadata(0, ""), ch))

		wg.Go(func() {
			for seen := 0; seen < size.WatchEvents; {
				for _, event := range <-ch {
					must(event.Error)

					seen++
				}
			}
		})
	}

	return rate(size.Watchers*size.WatchEvents, func() {
		for count := range size.WatchEvents {
			it.TypedSpec().Count = count + 1
			must(st.Update(ctx, it))
		}

		wg.Wait()
	})
}

func startChain(ctx context.Context) (state.State, func()) {
	ctx, cancel := context.WithCancel(ctx)
	st := newState(1024)
	rt, err := runtime.NewRuntime(st, zap.NewNop())
	must(err)

	for _, ctrl := range chain() {
		must(rt.RegisterController(ctrl))
	}

	var wg sync.WaitGroup

	wg.Go(func() { must(rt.Run(ctx)) })

	return st, func() {
		cancel()
		wg.Wait()
	}
}

func trips(ctx context.Context, size sizes) (p50, p99 float64) {
	st, stop := startChain(ctx)
	defer stop()

	ch := make(chan state.Event, 16)
	must(st.WatchKind(ctx, metadata(10, ""), ch))

	it := newItem("traveller", 0)
	must(st.Create(ctx, it))
	<-ch

	took := make([]float64, 0, size.Trips)

	for count := range size.Trips {
		start := time.Now()
		it.TypedSpec().Count = count + 1
		must(st.Update(ctx, it))

		for event := range ch {
			if event.Resource.(*item[ext10]).TypedSpec().Count == count+1 {
				break
			}
		}

		took = append(took, float64(time.Since(start).Nanoseconds())/1000)
	}

	slices.Sort(took)

	return percentile(took, 0.5), percentile(took, 0.99)
}

func chainThroughput(ctx context.Context, size sizes) float64 {
	st, stop := startChain(ctx)
	defer stop()

	ch := make(chan []state.Event)
	must(st.WatchKindAggregated(ctx, metadata(10, ""), ch))

	return rate(size.ChainItems*10, func() {
		for index := range size.ChainItems {
			must(st.Create(ctx, newItem(id(index), index)))
		}

		for seen := 0; seen < size.ChainItems; {
			for _, event := range <-ch {
				if event.Type == state.Created {
					seen++
				}
			}
		}
	})
}

func round(ctx context.Context, size sizes) map[string]float64 {
	result := map[string]float64{}
	st := newState(1024)

	result["create"] = rate(size.Resources, func() {
		for index := range size.Resources {
			must(st.Create(ctx, newItem(id(index), index)))
		}
	})
	result["get"] = rate(size.Gets, func() {
		for index := range size.Gets {
			_, err := st.Get(ctx, metadata(0, id(index*7919%size.Resources)))
			must(err)
		}
	})
	result["update"] = rate(size.Updates, func() {
		for index := range size.Updates {
			got, err := st.Get(ctx, metadata(0, id(index*7919%size.Resources)))
			must(err)
			got.(*item[ext0]).TypedSpec().Count = -index - 1
			must(st.Update(ctx, got))
		}
	})
	result["list"] = rate(size.Lists, func() {
		for range size.Lists {
			list, err := st.List(ctx, metadata(0, ""))
			must(err)

			if len(list.Items) != size.Resources {
				panic("short list")
			}
		}
	})
	result["fanOut"] = fanOut(ctx, size)
	result["tripP50"], result["tripP99"] = trips(ctx, size)
	result["chain"] = chainThroughput(ctx, size)

	return result
}

func residentMiB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	must(err)

	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmRSS:" {
			kib, err := strconv.ParseFloat(fields[1], 64)
			must(err)

			return kib / 1024
		}
	}

	panic("no VmRSS")
}

func main() {
	var size sizes

	must(json.Unmarshal([]byte(os.Args[1]), &size))

	ctx := context.Background()
	collected := map[string][]float64{}

	if size.Rounds == 0 {
		// Only the memory: a running chain and a filled state, nothing else happened before.
		st, stop := startChain(ctx)
		for index := range size.Resources {
			must(st.Create(ctx, typedOther(id(index), index)))
		}

		debug.FreeOSMemory()
		must(json.NewEncoder(os.Stdout).Encode(map[string]float64{"rss": residentMiB()}))
		stop()

		return
	}

	for number := range size.Rounds + 1 {
		for name, value := range round(ctx, size) {
			// The first round warms up.
			if number > 0 {
				collected[name] = append(collected[name], value)
			}
		}
	}

	result := map[string]float64{}
	for name, values := range collected {
		result[name] = median(values)
	}

	must(json.NewEncoder(os.Stdout).Encode(result))
}
